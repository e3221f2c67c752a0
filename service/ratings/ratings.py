"""`Ratings`: the ratings of every game in Redis; each rated match changes them once.

All keys of a game share a hash tag, so that one script may write them, on a Redis Cluster too:

    {ratings:<game>}:ranking         sorted set  <entrant> -> the cautious strength
    {ratings:<game>}:of:<entrant>    hash        mu, sigma, matches
    {ratings:<game>}:history:<entrant>  stream   one entry a match, with the id <matches>-0
    {ratings:<game>}:match:<id>      marker      the match has been rated; kept for as long as the match itself
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.matches import Match, Matches
from service.matches.checks import too_busy
from service.matches.clock import timestamp
from service.matches.events import Entry
from service.matches.lobby import CONFLICTS
from service.matches.match import Json
from service.matches.show import outcome_of
from service.matches.store import reaching
from service.ratings import scale
from service.ratings.errors import RatingNotFound
from service.ratings.scale import NEW, Rating, identity, is_identity
from service.scripts import Scripts

#: Changes kept of each entrant, about.
HISTORY_MAX = 10_000
#: A marker outlives its match by this.
MARKER_MARGIN_S = 24 * 60 * 60
#: What happened to a seat that was not played by one entrant from the deal to the end.
_CHANGED_HANDS = frozenset({"seat.handed_over", "seat.returned", "seat.left"})


@dataclass(frozen=True)
class Rated:
    """An entrant in the ranking.

    Attributes:
        who: the entrant.
        rating: what is known of it.
        rank: its place, 1 the best.
        place: where the list goes on after it.
    """

    who: str
    rating: Rating
    rank: int
    place: str

    def to_json(self) -> Json:
        """Return it as it is shown."""
        return {"rank": self.rank, "who": self.who, **self.rating.to_json()}


@dataclass(frozen=True)
class Change:
    """What a match changed for an entrant.

    Attributes:
        number: 1 for its first rated match.
        data: as it is shown.
    """

    number: int
    data: Json


class Ratings:
    """The ratings of all games.

    Args:
        matches: the table.
    """

    def __init__(self, matches: Matches) -> None:
        self.matches = matches
        self._script = Scripts(matches.store.client, __file__)("rate")

    # Rating

    def rate(self, match: Match) -> bool:
        """Let a match count, once, however often this is called; return whether it counts.

        Raises:
            MatchOutdated, StoreUnavailable
        """
        ranking = self._ranking(match)
        if ranking is None:
            return False
        names = [str(identity(seat)) for seat in match.seats]
        for _ in range(CONFLICTS):
            before = [self._rating(match.game, who) for who in names]
            if self._write(match, names, ranking, before, scale.after(before, ranking)) != b"stale":
                return True
        raise too_busy()

    def _ranking(self, match: Match) -> Sequence[int] | None:
        """Return the place of each seat if the match is to be rated."""
        names = [identity(seat) for seat in match.seats]
        if not match.rated or match.status != "over" or None in names or len(set(names)) < len(names):
            return None
        outcome = outcome_of(match, self.matches.game(match.game))
        log = self.matches.log(match)
        return outcome["ranking"] if outcome is not None and _fair(log) else None

    def _write(
        self, match: Match, names: Sequence[str], ranking: Sequence[int], before: Sequence[Rating], after: Sequence[Rating]
    ) -> bytes:
        keys = [_key(match.game, f"match:{match.id}"), _key(match.game, "ranking")]
        arguments: list[Any] = [self.matches.store.kept_s(match) + MARKER_MARGIN_S, HISTORY_MAX]
        entrants = [{"who": who, "rank": place} for who, place in zip(names, ranking, strict=True)]
        facts = {"match": match.id, "at": timestamp(match.changed), "entrants": entrants}
        for who, old, new in zip(names, before, after, strict=True):
            keys += [_key(match.game, f"of:{who}"), _key(match.game, f"history:{who}")]
            change = json.dumps({**facts, "before": old.to_json(), "after": new.to_json()})
            arguments += [who, old.matches, repr(new.mu), repr(new.sigma), repr(new.cautious), change]
        with reaching():
            answer: bytes = self._script(keys=keys, args=arguments)
        return answer

    # Reading

    def ranking(self, game: str, after: str | None = None, limit: int = 50) -> tuple[list[Rated], bool]:
        """Return a part of a game's ranking, the best first, and whether there is more.

        Args:
            game: its name.
            after: the place of the last one known; see `is_place`.
            limit: the most entrants.

        Raises:
            StoreUnavailable
        """
        found = self._members(game, _place(after), limit + 1)
        with reaching(), self.matches.store.client.pipeline(transaction=False) as pipe:
            for who, _ in found:
                pipe.hgetall(_key(game, f"of:{who}"))
                pipe.zrevrank(_key(game, "ranking"), who)
            answers = pipe.execute()
        rated = [
            Rated(who, _read(data), int(rank) + 1, f"{score!r}:{who}")
            for (who, score), data, rank in zip(found, answers[::2], answers[1::2], strict=True)
            if rank is not None
        ]
        return rated[:limit], len(found) > limit

    def _members(self, game: str, after: tuple[float, str] | None, count: int) -> list[tuple[str, float]]:
        start, offset = "+inf" if after is None else repr(after[0]), 0
        found: list[tuple[str, float]] = []
        while len(found) < count:
            with reaching():
                page = self.matches.store.client.zrange(
                    _key(game, "ranking"), start, "-inf", desc=True, byscore=True, offset=offset, num=count, withscores=True
                )
            found += [(who.decode(), score) for who, score in page if after is None or (score, who.decode()) < after]
            offset += len(page)
            if len(page) < count:
                break
        return found[:count]

    def of(self, game: str, who: str) -> Rated:
        """Return an entrant's rating at a game.

        Raises:
            RatingNotFound, StoreUnavailable
        """
        if not is_identity(who):
            raise RatingNotFound("ratings are of ai:<level> and bot:<name>")
        with reaching(), self.matches.store.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(_key(game, f"of:{who}"))
            pipe.zrevrank(_key(game, "ranking"), who)
            data, rank = pipe.execute()
        if rank is None:
            raise RatingNotFound(f"{who} has played no rated match of {game}")
        rating = _read(data)
        return Rated(who, rating, int(rank) + 1, f"{rating.cautious!r}:{who}")

    def history(self, game: str, who: str, before: int | None = None, limit: int = 50) -> list[Change]:
        """Return what matches changed for an entrant, the newest first.

        Args:
            game: its name.
            who: the entrant.
            before: only changes with lower numbers.
            limit: the most changes.

        Raises:
            StoreUnavailable
        """
        newest = "+" if before is None else f"({before}-0"
        with reaching():
            found = self.matches.store.client.xrevrange(_key(game, f"history:{who}"), newest, "-", count=limit)
        return [Change(int(entry_id.split(b"-")[0]), json.loads(data[b"change"])) for entry_id, data in found]

    def _rating(self, game: str, who: str) -> Rating:
        with reaching():
            return _read(self.matches.store.client.hgetall(_key(game, f"of:{who}")))


def is_place(text: str) -> bool:
    """Return whether a text can be a place in a ranking."""
    try:
        return _place(text) is not None
    except ValueError:
        return False


def _place(text: str | None) -> tuple[float, str] | None:
    if text is None:
        return None
    score, _, who = text.partition(":")
    if not is_identity(who) or float(score) - float(score) != 0:
        raise ValueError(f"{text!r} is no place in a ranking")
    return float(score), who


def _fair(log: Sequence[Entry]) -> bool:
    """Return whether every seat was played from the deal to the end by whoever sits there."""
    begun = False
    for entry in log:
        kinds = [told.event["type"] for told in entry.told]
        if begun and _CHANGED_HANDS.intersection(kinds):
            return False
        begun = begun or "match.started" in kinds
        if any(move.by == "fallback" for move in entry.moves):
            return False
    return begun


def _read(data: dict[bytes, bytes]) -> Rating:
    return Rating(float(data[b"mu"]), float(data[b"sigma"]), int(data[b"matches"])) if data else NEW


def _key(game: str, part: str) -> str:
    return f"{{ratings:{game}}}:{part}"
