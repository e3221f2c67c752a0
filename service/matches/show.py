"""What is shown of a match, and to whom: built by adding what the viewer may see."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Game, Outcome
from engines.records import Record
from service.matches.clock import timestamp
from service.matches.draft import state_of
from service.matches.events import Entry
from service.matches.match import Json, Match
from service.matches.reading import Reading


def _head(match: Match) -> Json:
    return {
        "id": match.id,
        "game": match.game,
        "edition": match.edition,
        "options": match.options,
        "status": match.status,
        "version": match.version,
        "seats": [seat.to_json(number) for number, seat in enumerate(match.seats)],
    }


def position(match: Match, game: Game, viewer: int | None, expires: int, reading: Reading | None = None) -> Json:
    """Return what a seat (None: a spectator) is shown of a match.

    Args:
        match: the match.
        game: what it plays.
        viewer: the seat.
        expires: when the match is forgotten, in ms.
        reading: of its state, if it is at hand.

    Raises:
        MatchOutdated: its state cannot be read here.
    """
    shown = _head(match)
    shown |= {"auto_pass": None if viewer is None else match.seats[viewer].auto_pass}
    shown |= {"seat": viewer, "awaiting": [], "deadline": None, "view": None, "legal_actions": [], "outcome": None}
    if match.state is not None:
        reading = reading or Reading(game, state_of(game, match))
        if match.status == "running":
            shown["awaiting"] = list(reading.awaiting)
            shown["legal_actions"] = [] if viewer is None else _legal(reading, viewer)
            if viewer in reading.awaiting:
                shown["deadline"] = timestamp(match.turns[viewer].deadline)
        shown["view"] = game.view(reading.state, viewer)
        shown["outcome"] = match.ended or _outcome(reading.outcome)
    return shown | {
        "turn_seconds": match.turn_seconds,
        "on_timeout": match.on_timeout,
        "reaction_seconds": match.reaction_seconds,
        "seed_hash": match.seed_hash,
        "created": timestamp(match.created),
        "changed": timestamp(match.changed),
        "expires": timestamp(expires),
        **_terms(match),
        "join_code": None if viewer is None or match.status != "open" else match.join_code,
        "draws": match.draws,
        "draw_offers": list(match.draw_offers) if match.status == "running" else [],
        "rematch": match.rematch,
        "rematch_of": match.rematch_of,
    }


def _legal(reading: Reading, seat: int) -> list[Json]:
    game, state = reading.game, reading.state
    edition = game.edition_of(state)
    return [game.decode(edition, state, action) for action in reading.legal(seat)]


def _terms(match: Match) -> Json:
    return {
        "tournament": match.tournament,
        "rated": match.rated,
        "seeded": match.seeded,
        "private": match.private,
        "spectator_delay_seconds": match.spectator_delay_seconds,
    }


def summary(match: Match, viewer: int | None, expires: int) -> Json:
    """Return a match as it stands in lists: nothing of the game itself, nor how often something happened in it.

    Args:
        match: the match.
        viewer: the asker's seat, in a list of his own matches.
        expires: when the match is forgotten, in ms.
    """
    shown = _head(match) | {"seat": viewer, "open_seats": match.open_seats(), "turn_seconds": match.turn_seconds}
    del shown["version"]
    return shown | {"created": timestamp(match.created), "expires": timestamp(expires)} | _terms(match)


def turn(match: Match, game: Game, viewer: int | None, expires: int) -> Json:
    """Return whose turn it is, and nothing that takes long to tell; arguments as for `position`."""
    awaited = _awaited(match, game)
    return {
        "version": match.version,
        "status": match.status,
        "seat": viewer,
        "awaiting": awaited,
        "your_turn": viewer in awaited,
        "deadline": timestamp(match.turns[viewer].deadline) if viewer is not None and viewer in awaited else None,
        "expires": timestamp(expires),
    }


def _awaited(match: Match, game: Game) -> list[int]:
    return list(game.awaiting(state_of(game, match))) if match.status == "running" else []


def outcome_of(match: Match, game: Game) -> Json | None:
    """Return how a match ended; None while it runs, or if it was given up.

    Raises:
        MatchOutdated: its state cannot be read here.
    """
    if match.ended is not None or match.state is None:
        return match.ended
    return _outcome(game.outcome(state_of(game, match)))


def _outcome(outcome: Outcome | None) -> Json | None:
    return None if outcome is None else outcome.to_json()


def actions(match: Match, game: Game, seat: int) -> list[Json]:
    """Return a seat's legal actions, each with a sentence for people; none unless the match runs."""
    if match.state is None or match.status != "running":
        return []
    state = state_of(game, match)
    return [
        {"action": game.action_to_json(state, action), "text": game.describe(state, seat, action)}
        for action in game.legal(state, seat)
    ]


def record(match: Match, entries: Sequence[Entry], viewer: int | None) -> Json:
    """Return everything about a match that is over (see `engines.records`); before that, what the viewer was told.

    Args:
        match: the match.
        entries: its log up to now.
        viewer: the seat; None: a spectator.
    """
    shown = _head(match) | {"edition_digest": match.edition_digest, "seed_hash": match.seed_hash}
    shown |= {"created": timestamp(match.created), "changed": timestamp(match.changed)}
    log = [entry for entry in entries if entry.version <= match.version]
    if match.status != "over":
        return shown | {"seat": viewer, "events": [entry.to(viewer) for entry in log]}
    moves = [move for entry in log for move in entry.moves]
    replayable = Record(
        game=match.game,
        edition=match.edition_digest,
        options=match.options,
        seats=len(match.seats),
        match=match.chance_name,
        seed=match.seed,
        actions=tuple((move.seat, move.data) for move in moves),
    )
    ended = next(told.event["outcome"] for entry in log for told in entry.told if told.event["type"] == "match.ended")
    return shown | replayable.to_json() | {"actions": [move.to_json() for move in moves], "outcome": ended}
