"""Analysis: for every decision of a seat in a match that is over, what the search would have played from what it knew then.

    {b17}:match:<id>:analysis:<seat>   hash  ask, until, holder; of, left_out once it is known; <move's number> -> what was
                                             found; complete, outdated at the end

Workers find a seat's decisions one after the other, each with a fixed number of iterations and a seed that follows from the
match and the move: whoever has the record can have the same thoughts again. What was found stays when a worker dies; the next
request asks another one to go on.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engines.game import Game, chance_key
from engines.kernel import State
from service.matches.advice import Ranked, told
from service.matches.checks import check_seat, need_over
from service.matches.draft import state_of
from service.matches.errors import MatchOutdated
from service.matches.events import Move
from service.matches.match import Json, Match
from service.matches.store import NEWS, part_key, reaching
from service.matches.table import Matches
from service.matches.wire import dumps, loads

#: A worker that was asked is waited for so long, and one that has begun so long after its last sign; then the next request
#: asks another one.
PATIENCE_MS = 30_000
HELD_MS = 15_000
#: Seeds have so many bits that JSON readers which only know doubles keep them exact.
SEED_BITS = 53
#: A search tries every legal action; so many tries for each there are on average, at the least.
TRIES_AN_ACTION = 40
#: So many of a seat's worst moves are named.
WORST = 3


@dataclass(frozen=True)
class Decision:
    """A move that its seat had a choice about.

    Attributes:
        move: as it was played.
        state: before it; the seat may know only part of it.
        legal: how many actions there were to choose from.
    """

    move: Move
    state: State
    legal: int


@dataclass(frozen=True)
class Seen:
    """How far the analysis of one seat is.

    Attributes:
        seat: the seat.
        until: until when a worker is believed to be at it, in ms.
        of: how many decisions there are to look at; None until a worker has counted them.
        left_out: how many more there are than are looked at.
        moves: what was found, in the order of the match.
        complete: it is done.
    """

    seat: int
    until: int = 0
    of: int | None = None
    left_out: int = 0
    moves: list[Json] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> Json:
        """Return the seat's analysis as it is shown, with what it comes to so far."""
        losses = [move["loss"] for move in self.moves if move["loss"] is not None]
        ordered = sorted((move for move in self.moves if move["loss"]), key=lambda move: (-move["loss"], move["number"]))
        agreed = sum(move["agrees"] for move in self.moves)
        return {
            "seat": self.seat,
            "status": "found" if self.complete else "thinking",
            "done": len(self.moves),
            "of": self.of,
            "left_out": self.left_out,
            "mean_loss": round(sum(losses) / len(losses), 4) if losses else None,
            "agreed": round(agreed / len(self.moves), 4) if self.moves else None,
            "worst": [move["number"] for move in ordered[:WORST]],
            "moves": self.moves,
        }


class Analyses:
    """The analyses of all matches.

    Args:
        matches: the table.

    Attributes:
        keeping: the script that takes and keeps the work, and writes what was found.
    """

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self._ask, self.keeping = matches.store.script("analysis_ask"), matches.store.script("analysis_keep")

    # Asking and reading

    def ask(self, match: Match, seat: int | None, seconds: float = 0) -> list[Seen]:
        """Return how far the analysis of a seat (None: of all) is, and have workers begin it, or go on, where nobody is at it.

        Args:
            match: one that is over.
            seat: the seat.
            seconds: how long to wait until it is complete.

        Raises:
            MatchNotOver, SeatNotFound, MatchOutdated, MatchNotFound, StoreUnavailable
        """
        need_over(match)
        if seat is not None:
            check_seat(match, seat)
        if match.state is not None:
            state_of(self.matches.game(match.game), match)  # refuses a match of other rules
        seats = range(len(match.seats)) if seat is None else [seat]
        end = time.monotonic() + min(seconds, self.matches.settings.wait_max_s)
        found = self._see(match, seats)
        if seconds <= 0 or all(seen.complete for seen in found):
            return found
        with self.matches.woken(match.id) as sleep:
            while True:
                found = self._see(match, seats)
                left = end - time.monotonic()
                if all(seen.complete for seen in found) or left <= 0 or not sleep(left):
                    return found

    def _see(self, match: Match, seats: Sequence[int]) -> list[Seen]:
        found = [self.load(match.id, seat) for seat in seats]
        now = self.matches.clock.now()
        for seen in found:
            if not seen.complete and seen.until <= now:
                self._begin(match, seen.seat, now)
        return found

    def _begin(self, match: Match, seat: int, now: int) -> None:
        kept_s = max((self.matches.store.expires(match) - now) // 1000, 1)
        keys = [part_key(match.id), _key(match.id, seat)]
        with reaching():
            asked = self._ask(keys=keys, args=[secrets.token_hex(8), now, now + PATIENCE_MS, kept_s])
        if asked and self.matches.analyse is not None:
            self.matches.analyse(match.id, seat)

    def load(self, match_id: str, seat: int) -> Seen:
        """Return how far the analysis of a seat is.

        Raises:
            MatchNotFound, MatchOutdated, StoreUnavailable
        """
        with reaching():
            data = self.matches.store.client.hgetall(_key(match_id, seat))
        if b"outdated" in data:
            raise MatchOutdated("this match was played by other rules than those here and cannot be looked at again")
        numbers = sorted(int(name) for name in data if name.isdigit())
        moves = [loads(data[b"%d" % number]) for number in numbers]
        of = int(data[b"of"]) if b"of" in data else None
        return Seen(seat, int(data.get(b"until", 0)), of, int(data.get(b"left_out", 0)), moves, b"complete" in data)

    # Finding

    def hold(self, match_id: str, seat: int) -> Work | None:
        """Return the work on a seat's analysis, for one worker; None if it was not asked for, is done, or another has it."""
        work = Work(self, match_id, seat, secrets.token_hex(8))
        return work if work.keep({}) else None

    def decisions(self, match: Match, seat: int) -> Iterator[Decision]:
        """Yield the moves of a seat that it had a choice about, in order.

        Raises:
            engines.game.GameError: the match was played by other rules than those here.
            StoreUnavailable
        """
        game = self.matches.game(match.game)
        state = game.new(len(match.seats), match.options, match.seed, match.chance_name)
        for entry in self.matches.log(match):
            for move in entry.moves:
                legal = len(game.legal(state, seat)) if move.seat == seat else 0
                if legal > 1:
                    yield Decision(move, state, legal)
                state = game.play(state, move.seat, move.action, chance_key(match.seed, match.chance_name, move.number))


@dataclass(frozen=True)
class Work:
    """A worker's hold on the analysis of a seat.

    Attributes:
        analyses: all.
        match_id, seat: which.
        holder: random.
    """

    analyses: Analyses
    match_id: str
    seat: int
    holder: str

    def keep(self, found: Json, *, go: Literal["on", "away"] = "on") -> bool:
        """Write what was found, and hold the work for some more time; False, and nothing is written, if another has it.

        Args:
            found: fields to write.
            go: "away" lets another worker have it at once.

        Raises:
            StoreUnavailable
        """
        now = self.analyses.matches.clock.now()
        fields = [part for name, value in found.items() for part in (name, dumps(value))]
        later, until = (self.holder, now + HELD_MS) if go == "on" else ("", now + PATIENCE_MS)
        arguments = [self.holder, now, until, later, NEWS, f"{self.match_id} 0", *fields]
        with reaching():
            return bool(self.analyses.keeping(keys=[_key(self.match_id, self.seat)], args=arguments))


def seed_of(match_id: str, number: int) -> int:
    """Return the seed of the search about a match's n-th action: the first 53 bits of SHA-256 over `analysis:<match>:<n>`."""
    word = hashlib.sha256(f"analysis:{match_id}:{number}".encode()).digest()
    return int.from_bytes(word[:8], "big") >> (64 - SEED_BITS)


def judged(game: Game, decision: Decision, redacted: State, ranked: Sequence[Ranked], thought: Json) -> Json:
    """Return what a search says about a move.

    The loss is the payoff of the search's best action less the payoff of the action that was played, both as the same search
    found them, and never below 0. It is None in the one case that the search has not tried the action.

    Args:
        game: the game.
        decision: the move.
        redacted: what its seat knew.
        ranked: what was found, the best first.
        thought: what is needed to have the thought again.
    """
    move, best = decision.move, ranked[0]
    played = next((one for one in ranked if one.action == move.action), None)
    loss = None
    if played is not None and played.payoff is not None and best.payoff is not None:
        loss = round(max(best.payoff - played.payoff, 0.0), 4)
    return {
        "number": move.number,
        "by": move.by,
        "legal": decision.legal,
        "played": told(game, redacted, move.seat, played or Ranked(move.action, 0.0, None)),
        "best": told(game, redacted, move.seat, best),
        "agrees": best.action == move.action,
        "loss": loss,
        "thought": thought,
    }


def _key(match_id: str, seat: int) -> str:
    return part_key(match_id, f"analysis:{seat}")
