"""What is checked before a match is created, joined or played, and in which order."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines import Game
from engines import game as rules
from service.matches import errors
from service.matches.draft import Draft, may_go_on
from service.matches.errors import StoreUnavailable
from service.matches.match import ALPHABET, Json, Match
from service.matches.reading import Reading
from service.matches.store import Store

#: The most actions in one sequence.
SEQUENCE_MAX = 64
TURN_SECONDS_MAX = 30 * 24 * 60 * 60
REACTION_SECONDS_MAX = 60 * 60
SPECTATOR_DELAY_MAX_S = 24 * 60 * 60
EXPIRY_MIN_S, EXPIRY_MAX_S = 60, 3650 * 24 * 60 * 60
#: Tries of a private match's code within a minute, right ones too.
GUESSES_MAX = 10
CODE_LENGTH = 8
ON_TIMEOUT = ("ai", "move", "resign")


def complete(game: Game, seats: int, options: Mapping[str, Any]) -> Json:
    """Return a match's options with all defaults.

    Raises:
        BadSeats: a number of seats the game is not played with.
        BadOptions
    """
    try:
        return game.complete_options(seats, options)
    except rules.BadSeats as error:
        raise errors.BadSeats(str(error)) from error
    except rules.BadOption as error:
        raise errors.BadOptions(str(error), option=error.option) from error


def check_times(turn_seconds: float | None, on_timeout: str, reaction_seconds: float | None) -> None:
    """Make sure that the clocks of a match can be set so.

    Raises:
        BadOptions
    """
    _check_seconds("turn_seconds", turn_seconds, TURN_SECONDS_MAX)
    _check_seconds("reaction_seconds", reaction_seconds, REACTION_SECONDS_MAX)
    if on_timeout not in ON_TIMEOUT:
        raise errors.BadOptions(f"on_timeout: must be one of {', '.join(ON_TIMEOUT)}", option="on_timeout")


def _check_seconds(name: str, seconds: float | None, most: float) -> None:
    if seconds is not None and not 1 <= seconds <= most:
        raise errors.BadOptions(f"{name}: must be from 1 to {most}", option=name)


def check_terms(rated: bool | None, seed: bytes | None, spectator_delay_s: float, expiry_s: int | None) -> bool:
    """Return whether a match is rated: unless its creator says otherwise or chooses the seed, and so knows the cards.

    Raises:
        BadOptions: also for a chosen seed in a match that is to be rated.
    """
    if not 0 <= spectator_delay_s <= SPECTATOR_DELAY_MAX_S:
        reason = f"must be from 0 to {SPECTATOR_DELAY_MAX_S}"
        raise errors.BadOptions(f"spectator_delay_seconds: {reason}", option="spectator_delay_seconds")
    if expiry_s is not None and not EXPIRY_MIN_S <= expiry_s <= EXPIRY_MAX_S:
        raise errors.BadOptions(f"expiry_seconds: must be from {EXPIRY_MIN_S} to {EXPIRY_MAX_S}", option="expiry_seconds")
    if rated and seed is not None:
        raise errors.BadOptions("seed: whoever chooses it knows every card; leave it out, or say rated: false", option="seed")
    return seed is None if rated is None else rated


def new_join_code() -> str:
    """Return a fresh code for a private match (39 random bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def check_join_code(store: Store, match: Match, code: str | None) -> None:
    """Make sure that somebody who wants to join knows a private match's code; its time does not depend on the code.

    Raises:
        JoinCodeNeeded, BadJoinCode, TooManyGuesses, StoreUnavailable
    """
    if match.join_code is None:
        return
    if code is None:
        raise errors.JoinCodeNeeded("this match is private: whoever sits at it can tell you its join_code")
    count, left_s = store.count_guess(match.id)
    if count > GUESSES_MAX:
        detail = f"join codes of this match may be tried {GUESSES_MAX} times a minute; try again in {left_s} s"
        raise errors.TooManyGuesses(detail, retry_after_s=left_s)
    if not hmac.compare_digest(match.join_code.encode(), code.strip().lower().encode()):
        raise errors.BadJoinCode("this is not the join_code of this match")


def check_seat(match: Match, seat: int) -> None:
    """Make sure that a match has a seat.

    Raises:
        SeatNotFound
    """
    if not 0 <= seat < len(match.seats):
        detail = f"there is no seat {seat}; seats are 0 to {len(match.seats) - 1}"
        raise errors.SeatNotFound(detail, seats=len(match.seats))


def need_open(match: Match) -> None:
    """Make sure that a match still waits for players.

    Raises:
        MatchNotOpen
    """
    if match.status != "open":
        raise errors.MatchNotOpen(_NOT_OPEN[match.status], status=match.status)


def need_running(match: Match) -> None:
    """Make sure that a match is being played.

    Raises:
        MatchNotRunning
    """
    if match.status != "running":
        raise errors.MatchNotRunning(_NOT_RUNNING[match.status], status=match.status)


def need_draws(match: Match) -> None:
    """Make sure that the players of a match can agree on a draw.

    Raises:
        NoDraws
    """
    if not match.draws:
        raise errors.NoDraws("this match was created without draws: say draws: true for the next")
    playing = [number for number, seat in enumerate(match.seats) if seat.ai_level is not None]
    if playing:
        raise errors.NoDraws("an AI plays, and AIs decline every draw", ai_seats=playing)


def need_over(match: Match) -> None:
    """Make sure that a match was played to its end.

    Raises:
        MatchNotOver
    """
    if match.status != "over":
        raise errors.MatchNotOver(_NOT_OVER[match.status], status=match.status)


def seed_or_new(seed: bytes | None) -> bytes:
    """Return a match's seed: the one asked for, or 32 random bytes.

    Raises:
        BadOptions: not 32 bytes.
    """
    if seed is None:
        return secrets.token_bytes(32)
    if len(seed) != 32:
        raise errors.BadOptions(f"seed: must have 32 bytes, not {len(seed)}", option="seed")
    return seed


def open_seat(match: Match, wanted: int | None) -> int:
    """Return the open seat that is wanted, or the first.

    Raises:
        BadSeats: there is no such seat.
        NoOpenSeat, SeatTaken
    """
    free = match.open_seats()
    if wanted is not None and not 0 <= wanted < len(match.seats):
        raise errors.BadSeats(f"there is no seat {wanted}; seats are 0 to {len(match.seats) - 1}", seat=wanted)
    if not free:
        raise errors.NoOpenSeat("every seat of this match is taken")
    if wanted is not None and wanted not in free:
        raise errors.SeatTaken(f"seat {wanted} is taken", open_seats=free)
    return free[0] if wanted is None else wanted


def begin(match: Match, game: Game, at: int, seat: int, version: int | None) -> Draft:
    """Return a draft for a player's actions; one that an AI stood in for is back with it.

    Raises:
        MatchNotRunning, NotYourDecision, StaleVersion: checked in this order.
    """
    need_running(match)
    draft = Draft(match, game, at)
    if not draft.dealt.legal(seat):
        raise _not_your_decision(draft.dealt, seat)
    since = match.turns[seat].since
    if version is not None and version < since:
        detail = f"version {version} is older than your present decision, which began with version {since}"
        raise errors.StaleVersion(detail, version=match.version)
    if match.seats[seat].stand_in is not None:
        draft.sit(seat, replace(match.seats[seat], stand_in=None))
        draft.tell("seat.returned", seat=seat)
    return draft


_NOT_OPEN = {
    "running": "the match has begun",
    "over": "the match is over",
    "aborted": "the match was given up",
}
_NOT_OVER = {
    "open": "the match has not begun: seats are open",
    "running": "the match is still being played",
    "aborted": "the match was given up before it had begun",
}
_NOT_RUNNING = {
    "open": "the match has not begun: seats are open",
    "over": "the match is over",
    "aborted": "the match was given up",
}


def _not_your_decision(reading: Reading, seat: int) -> errors.NotYourDecision:
    awaited = list(reading.awaiting)
    names = ", ".join(str(number) for number in awaited)
    return errors.NotYourDecision(f"seat {seat} has nothing to decide now; awaited: {names}", awaiting=awaited)


def act_all(draft: Draft, seat: int, actions: Sequence[Any]) -> None:
    """Play a sequence on a draft.

    Raises:
        UnreadableAction, IllegalAction: with the action's index.
        Reveals: it goes on beyond what its player can foresee.
    """
    if not 0 < len(actions) <= SEQUENCE_MAX:
        raise errors.UnreadableAction(f"actions: must be 1 to {SEQUENCE_MAX} of them, not {len(actions)}", index=0)
    for index, data in enumerate(actions):
        if index and not may_go_on(draft, seat):
            detail = (
                f"the actions may not go on after number {index - 1}: it shows or draws something new, or leaves the "
                "decision to others; nothing was played, send the rest once you have seen what came of it"
            )
            raise errors.Reveals(detail, index=index)
        _act(draft, seat, data, index)


def _act(draft: Draft, seat: int, data: Any, index: int) -> None:
    try:
        draft.act(seat, draft.game.action_from_json(draft.state, data), "player")
    except rules.UnreadableAction as error:
        raise errors.UnreadableAction(str(error), index=index) from error
    except rules.IllegalAction as error:
        raise errors.IllegalAction(str(error), legal_actions=error.legal, index=index) from error


def too_busy() -> StoreUnavailable:
    """Return the error for a request that lost every race to commit."""
    return StoreUnavailable(
        "others changed this match faster than the request could be granted; nothing was changed, try again"
    )
