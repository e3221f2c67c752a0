"""Hints: what the search would play in a seat's place, thought by a worker from what that seat may know and nothing else.

    {b17}:match:<id>:hint:<seat>-<version>   hash  ask, until, asked, game, redacted; found instead of redacted once it is there
    {b17}:match:<id>:hints:<seat>            hash  count; version and until of the one that is waited for

The state is redacted when the hint is asked for, and only that is kept: whoever thinks about it never has the match itself.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engines.game import Game
from engines.kernel import State
from service.matches import errors
from service.matches.checks import too_busy
from service.matches.clock import timestamp
from service.matches.draft import state_of
from service.matches.lobby import CONFLICTS
from service.matches.match import Json, Match
from service.matches.store import NEWS, part_key, reaching
from service.matches.table import Matches
from service.matches.wire import dumps, loads

#: A thought is waited for so long before the hint may be asked for again.
PATIENCE_MS = 30_000
#: A hint can be read for so long.
KEPT_S = 24 * 60 * 60


@dataclass(frozen=True)
class Ranked:
    """An action as a search found it.

    Attributes:
        action: the engine's number for it.
        share: its part of the search, 0..1.
        payoff: what the seat can expect of it, 0..1; None where there was nothing to choose.
    """

    action: int
    share: float
    payoff: float | None


@dataclass(frozen=True)
class Hint:
    """A hint that was asked for.

    Attributes:
        match_id, seat, version: what it is about.
        ask: random, of the request.
        asked: when, in ms; until: until when it is waited for.
        game: the game's name.
        redacted: what the seat knew; None once there is an answer.
        found: the answer.
    """

    match_id: str
    seat: int
    version: int
    ask: str
    asked: int
    until: int
    game: str
    redacted: bytes | None
    found: Json | None

    def status(self, now: int) -> Literal["found", "thinking", "lost"]:
        """Return how far it is; what is lost may be asked for again, and is not counted again."""
        if self.found is not None:
            return "found"
        return "thinking" if now < self.until else "lost"

    def to_json(self, now: int) -> Json:
        """Return the hint as its seat is shown it."""
        found = self.found or {"best": None, "actions": [], "thought": None}
        facts = {"version": self.version, "seat": self.seat, "status": self.status(now), "asked": timestamp(self.asked)}
        return facts | found


class Advice:
    """The hints of all matches.

    Args:
        matches: the table.
    """

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self._ask, self._found = matches.store.script("hint"), matches.store.script("hint_found")

    # Asking

    def ask(self, match_id: str, seat: int) -> Hint:
        """Ask for a hint about a seat's present decision; the same one again if it was asked for and is there.

        Raises:
            MatchNotFound, MatchOutdated, MatchNotRunning, NotYourDecision, HintRunning, HintLimit, StoreUnavailable
        """
        for _ in range(CONFLICTS):
            match = self.matches.get(match_id)
            game = self.matches.games[match.game]
            redacted = game.redact(_deciding(match, game, seat), seat)
            asked, *running = self._put(match, seat, game.dump(redacted))
            if asked == b"stale":
                continue
            if asked == b"running":
                version = running[0]
                raise errors.HintRunning(f"the hint about version {version} is being thought about", version=version)
            if asked == b"limit":
                most = self.matches.settings.hints_max
                raise errors.HintLimit(f"a seat gets {most} hints in one match, and yours has had them", limit=most)
            if asked == b"asked" and self.matches.advise is not None:
                self.matches.advise(match.id, match.version, seat)
            return self.get(match.id, seat, match.version)
        raise too_busy()

    def _put(self, match: Match, seat: int, redacted: bytes) -> list[Any]:
        settings, now = self.matches.settings, self.matches.clock.now()
        keys = [part_key(match.id), *_keys(match.id, seat, match.version)]
        arguments = [secrets.token_hex(8), match.version, now, now + PATIENCE_MS, settings.hints_max, KEPT_S]
        arguments += [settings.idle_expiry_s, "asked", now, "game", match.game, "redacted", redacted]
        with reaching():
            answer: list[Any] = self._ask(keys=keys, args=arguments)
        return answer

    # Reading

    def get(self, match_id: str, seat: int, version: int, seconds: float = 0) -> Hint:
        """Return a seat's hint about a version; with `seconds`, once nobody thinks about it any more, or after them.

        Raises:
            HintNotFound, StoreUnavailable
        """
        end = time.monotonic() + min(seconds, self.matches.settings.wait_max_s)
        hint = self._load(match_id, seat, version)
        if seconds <= 0 or hint.status(self.matches.clock.now()) != "thinking":
            return hint
        with self.matches.woken(match_id) as sleep:
            while True:
                hint = self._load(match_id, seat, version)
                left = end - time.monotonic()
                if hint.status(self.matches.clock.now()) != "thinking" or left <= 0 or not sleep(left):
                    return hint

    def _load(self, match_id: str, seat: int, version: int) -> Hint:
        key, _ = _keys(match_id, seat, version)
        with reaching():
            data = self.matches.store.client.hgetall(key)
        if not data:
            raise errors.HintNotFound(f"your seat has asked for no hint about version {version}, or it has expired")
        found = loads(data[b"found"]) if b"found" in data else None
        asked, until = int(data[b"asked"]), int(data[b"until"])
        name, ask = data[b"game"].decode(), data[b"ask"].decode()
        return Hint(match_id, seat, version, ask, asked, until, name, data.get(b"redacted"), found)

    # Answering

    def answer(self, hint: Hint, ranked: Sequence[Ranked], thought: Json) -> bool:
        """Keep what a search found for a hint; False if it is answered already.

        Args:
            hint: with what its seat knew.
            ranked: what was found, the best first.
            thought: what is needed to have the thought again.
        """
        assert hint.redacted is not None
        game = self.matches.games[hint.game]
        state = game.load(hint.redacted)
        actions = [told(game, state, hint.seat, one) for one in ranked]
        found = {"best": sentence(actions[0]), "actions": actions, "thought": thought}
        body = dumps(found)
        keys = _keys(hint.match_id, hint.seat, hint.version)
        with reaching():
            return bool(self._found(keys=keys, args=[hint.ask, hint.version, body, NEWS, f"{hint.match_id} 0"]))


def told(game: Game, state: State, seat: int, one: Ranked) -> Json:
    """Return an action with what the search found about it, for programs and for people."""
    action, text = game.action_to_json(state, one.action), game.describe(state, seat, one.action)
    payoff = None if one.payoff is None else round(one.payoff, 4)
    return {"action": action, "text": text, "share": round(one.share, 4), "payoff": payoff}


def sentence(best: Json) -> str:
    """Return the best action in plain words."""
    if best["payoff"] is None:
        return f"Best: {best['text']}. There is nothing else to do."
    spent, payoff = round(100 * best["share"]), best["payoff"]
    return (
        f"Best: {best['text']}. The search spent {spent} % of its tries on it and expects a payoff of {payoff:.2f} (1: a win)."
    )


def _deciding(match: Match, game: Game, seat: int) -> State:
    """Return the state of a match in which a seat must decide now.

    Raises:
        MatchNotRunning, NotYourDecision, MatchOutdated
    """
    if match.status != "running":
        raise errors.MatchNotRunning(f"hints are given while a match runs; this one is {match.status}", status=match.status)
    state = state_of(game, match)
    awaited = list(game.awaiting(state))
    if seat not in awaited:
        raise errors.NotYourDecision(f"seat {seat} need not decide anything now, so there is no hint", awaiting=awaited)
    return state


def _keys(match_id: str, seat: int, version: int) -> list[str]:
    return [part_key(match_id, f"hint:{seat}-{version}"), part_key(match_id, f"hints:{seat}")]
