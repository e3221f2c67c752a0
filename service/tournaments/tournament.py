"""`Tournament`: one tournament as it is stored, its entrants, and what they have scored."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from service.matches.clock import timestamp
from service.matches.match import Json, id_from
from service.ratings import NEW, Rating
from service.ratings.scale import INTERVAL
from service.tournaments.schedule import Schedule

Status: TypeAlias = Literal["running", "over", "aborted"]
STATUSES: tuple[Status, ...] = ("running", "over", "aborted")


@dataclass(frozen=True)
class Entrant:
    """Who plays.

    Attributes:
        kind: an AI or a named bot.
        level: the AI's.
        bot: the bot's name.
    """

    kind: Literal["ai", "bot"]
    level: int | None = None
    bot: str | None = None

    @property
    def who(self) -> str:
        """The name it is rated under."""
        return f"{self.kind}:{self.level if self.kind == 'ai' else self.bot}"

    def to_json(self) -> Json:
        """Return it as it is shown."""
        return {"who": self.who, "kind": self.kind} | ({"level": self.level} if self.kind == "ai" else {"bot": self.bot})


@dataclass(frozen=True)
class Standing:
    """What an entrant has scored.

    Attributes:
        matches: how many it has played to an end.
        wins: how many it has won, alone or shared.
        points: one for every opponent it came before, half a one for every opponent on the same place.
        ranks: the sum of its places.
        payoffs, squares: the sums of its payoffs (1: it won alone) and of their squares.
        mu, sigma: its rating from the matches of this tournament alone, in the order in which they ended.
    """

    matches: int = 0
    wins: int = 0
    points: float = 0
    ranks: int = 0
    payoffs: float = 0
    squares: float = 0
    mu: float = NEW.mu
    sigma: float = NEW.sigma

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mu, self.sigma, self.matches)

    def with_match(self, place: int, places: Sequence[int], payoff: float, *, won: bool, rating: Rating) -> Standing:
        """Return the standing after one more match.

        Args:
            place: the entrant's.
            places: everybody's, its own among them.
            payoff, won: what it got.
            rating: after it.
        """
        beaten = sum(1 if other > place else 0.5 if other == place else 0 for other in places) - 0.5
        return Standing(
            self.matches + 1,
            self.wins + won,
            self.points + beaten,
            self.ranks + place,
            self.payoffs + payoff,
            self.squares + payoff * payoff,
            rating.mu,
            rating.sigma,
        )

    def to_json(self, who: str) -> Json:
        """Return the standing as it is shown."""
        return {
            "who": who,
            "matches": self.matches,
            "wins": self.wins,
            "points": self.points,
            "mean_rank": round(self.ranks / self.matches, 4) if self.matches else None,
            "mean_payoff": round(self.payoffs / self.matches, 4) if self.matches else None,
            "payoff_interval": self._interval(),
            "rating": self.rating.to_json(),
        }

    def _interval(self) -> list[float] | None:
        """Return the 95 % interval of the mean payoff; None with fewer than two matches."""
        if self.matches < 2:
            return None
        mean = self.payoffs / self.matches
        variance = max(self.squares / self.matches - mean * mean, 0) * self.matches / (self.matches - 1)
        half = INTERVAL * math.sqrt(variance / self.matches)
        return [round(max(mean - half, 0), 4), round(min(mean + half, 1), 4)]


@dataclass(frozen=True)
class Tournament:
    """One tournament.

    Attributes:
        id: as of matches.
        name: shown to everybody.
        game, options: what is played; options complete.
        entrants: in order.
        seats, rounds, duplicate: see `Schedule`.
        at_once: how many matches are played at the same time.
        turn_seconds: how long a bot has for a decision; then a quick move is made for it.
        rated: whether its matches count for ratings.
        created: in ms.
        token_hash: SHA-256 in hex of the creator's token.
        secret: 32 bytes the deals come from.
        digest: of the request that made it.
        status: see `Status`.
        changed, ended: in ms.
        begun: how many matches have been begun; done: how many have ended; void: how many of these without a result.
        standings: of each entrant.
    """

    id: str
    name: str
    game: str
    options: Json
    entrants: tuple[Entrant, ...]
    seats: int
    rounds: int
    duplicate: bool
    at_once: int
    turn_seconds: float
    rated: bool
    created: int
    token_hash: str
    secret: bytes
    digest: str = ""
    status: Status = "running"
    changed: int = 0
    ended: int | None = None
    begun: int = 0
    done: int = 0
    void: int = 0
    standings: tuple[Standing, ...] = field(default=())

    @cached_property
    def schedule(self) -> Schedule:
        """All matches."""
        return Schedule(len(self.entrants), self.seats, self.rounds, self.duplicate)

    def match_id(self, number: int) -> str:
        """Return the id of a match, which nobody can know beforehand and is the same however often it is made."""
        return id_from(self._word(f"match:{number}").hex())

    def seed(self, deal: int) -> bytes:
        """Return the seed of a deal."""
        return self._word(f"deal:{deal}")

    def dealt_as(self, deal: int) -> str | None:
        """Return the name under which a deal's cards are drawn, if several matches have it."""
        return f"{self.id}:{deal}" if self.duplicate else None

    def _word(self, what: str) -> bytes:
        return hmac.new(self.secret, f"{self.id}:{what}".encode(), hashlib.sha256).digest()

    # Storing

    def to_hash(self) -> dict[str, Any]:
        """Return the fields of a new tournament's hash."""
        meta = {name: getattr(self, name) for name in _META} | {"entrants": [asdict(entrant) for entrant in self.entrants]}
        fixed = {"meta": json.dumps(meta), "secret": self.secret, "digest": self.digest}
        return {**fixed, "status": self.status, "changed": self.changed, "begun": 0, "done": 0, "void": 0}

    @classmethod
    def from_hash(cls, tournament_id: str, data: Mapping[bytes, bytes], standings: Mapping[bytes, bytes]) -> Tournament:
        """Return the tournament that `to_hash` wrote, with its standings."""
        meta = json.loads(data[b"meta"])
        entrants = tuple(Entrant(**one) for one in meta.pop("entrants"))
        scored = {int(number): Standing(**json.loads(text)) for number, text in standings.items()}
        return cls(
            id=tournament_id,
            entrants=entrants,
            secret=data[b"secret"],
            digest=data[b"digest"].decode(),
            status=data[b"status"].decode(),  # type: ignore[arg-type]
            changed=int(data[b"changed"]),
            ended=int(data[b"ended"]) if b"ended" in data else None,
            begun=int(data[b"begun"]),
            done=int(data[b"done"]),
            void=int(data[b"void"]),
            standings=tuple(scored.get(number, Standing()) for number in range(len(entrants))),
            **meta,
        )

    # Showing

    def to_json(self, expires: int, *, whole: bool = True) -> Json:
        """Return the tournament as it is shown, in lists without its standings."""
        progress = {"total": self.schedule.total, "begun": self.begun, "over": self.done - self.void, "void": self.void}
        shown: Json = {name: getattr(self, name) for name in _SHOWN}
        shown |= {"entrants": [entrant.to_json() for entrant in self.entrants], "matches": progress}
        shown |= {"created": timestamp(self.created), "ended": timestamp(self.ended), "expires": timestamp(expires)}
        return shown | {"standings": self._table()} if whole else shown

    def _table(self) -> list[Json]:
        order = sorted(range(len(self.entrants)), key=lambda number: _better(self.standings[number]))
        rows = [self.standings[number].to_json(self.entrants[number].who) for number in order]
        places = [1 + sum(_better(other) < _better(self.standings[number]) for other in self.standings) for number in order]
        return [{"place": place, **row} for place, row in zip(places, rows, strict=True)]


def _better(standing: Standing) -> tuple[float, float]:
    """Return what standings are sorted by: points, then payoffs."""
    return -standing.points, -standing.payoffs


_SHOWN = ("id", "name", "game", "options", "seats", "rounds", "duplicate", "at_once", "turn_seconds", "rated", "status")
_META = (
    "name",
    "game",
    "options",
    "seats",
    "rounds",
    "duplicate",
    "at_once",
    "turn_seconds",
    "rated",
    "created",
    "token_hash",
)
