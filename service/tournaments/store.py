"""`Store`: the only reader and writer of tournaments in Redis.

They are few, and share one hash tag, so that one script may write all that belongs together, on a Redis Cluster too:

    {tournaments}:<id>            hash        see `tournament.py`
    {tournaments}:<id>:hand       hash        number -> '0' (the match is to be made) or '1' (it was made) of those being played
    {tournaments}:<id>:results    hash        number -> how the match ended
    {tournaments}:<id>:standings  hash        entrant -> what it has scored
    {tournaments}:list            sorted set  <created, 13 digits>:<id>, all with score 0, so in order of their text
    {tournaments}:due             sorted set  <id> -> when somebody must look at it, in ms; while it runs
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from service.matches import Matches, is_id
from service.matches.errors import RequestReused
from service.matches.match import Json
from service.matches.store import reaching
from service.scripts import Scripts
from service.tournaments.errors import TooManyTournaments, TournamentNotFound
from service.tournaments.tournament import Standing, Tournament

LIST = "{tournaments}:list"
DUE = "{tournaments}:due"


class Store:
    """The tournaments in the Redis of a table.

    Args:
        matches: the table.
    """

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._client = matches.store.client
        self._script = Scripts(self._client, __file__)
        self._postpone = matches.store.script("postpone")
        self._settings = matches.settings

    # Reading

    def get(self, tournament_id: str) -> Tournament:
        """Return a tournament.

        Raises:
            TournamentNotFound, StoreUnavailable
        """
        found = self.get_all([tournament_id]) if is_id(tournament_id) else []
        if not found:
            raise TournamentNotFound(f"there is no tournament {tournament_id}, or it has expired")
        return found[0]

    def get_all(self, tournament_ids: Sequence[str]) -> list[Tournament]:
        """Return those of some tournaments that are there, in the order asked for.

        Raises:
            StoreUnavailable
        """
        with reaching(), self._client.pipeline(transaction=False) as pipe:
            for tournament_id in tournament_ids:
                pipe.hgetall(_key(tournament_id))
                pipe.hgetall(_key(tournament_id, "standings"))
            answers = pipe.execute()
        found = zip(tournament_ids, answers[::2], answers[1::2], strict=True)
        return [Tournament.from_hash(one, data, standings) for one, data, standings in found if data]

    def listed(self, place: str | None, count: int) -> list[str]:
        """Return places before one in the list (None: from the newest), the newest first.

        Raises:
            StoreUnavailable
        """
        start = "+" if place is None else f"({place}"
        with reaching():
            found = self._client.zrange(LIST, start, "-", desc=True, bylex=True, offset=0, num=count)
        return [member.decode() for member in found]

    def unlist(self, places: Sequence[str]) -> None:
        """Take tournaments that have expired out of the list.

        Raises:
            StoreUnavailable
        """
        if places:
            with reaching():
                self._client.zrem(LIST, *places)

    def forget(self, tournament_id: str) -> None:
        """Have a tournament that has expired looked at no more.

        Raises:
            StoreUnavailable
        """
        with reaching():
            self._client.zrem(DUE, tournament_id)

    def results(self, tournament_id: str, numbers: Sequence[int]) -> list[tuple[Json | None, bool]]:
        """Return of each match its result, None while it has none, and whether it is being played.

        Raises:
            StoreUnavailable
        """
        if not numbers:
            return []
        with reaching(), self._client.pipeline(transaction=False) as pipe:
            pipe.hmget(_key(tournament_id, "results"), numbers)
            pipe.hmget(_key(tournament_id, "hand"), numbers)
            ended, hand = pipe.execute()
        return [(None if text is None else json.loads(text), mark is not None) for text, mark in zip(ended, hand, strict=True)]

    def expires(self, tournament: Tournament) -> int:
        """Return when a tournament will be forgotten if nothing happens, in ms."""
        running, ended = self._kept_s()
        return tournament.changed + 1000 * (running if tournament.status == "running" else ended)

    def _kept_s(self) -> tuple[int, int]:
        return self._settings.idle_expiry_s, self._settings.over_expiry_s

    # Writing

    def create(self, tournament: Tournament) -> None:
        """Write a new tournament; nothing happens if the same request has made it before.

        Raises:
            RequestReused, TooManyTournaments, StoreUnavailable
        """
        most = self._settings.tournaments_max
        keys = [_key(tournament.id), LIST, DUE]
        arguments = [tournament.id, tournament.digest, most, place(tournament), tournament.created, self._kept_s()[0]]
        with reaching():
            answer = self._script("create")(keys=keys, args=[*arguments, *_flat(tournament.to_hash())])
        if answer == b"reused":
            raise RequestReused("this request key was used before, with another body")
        if answer == b"limit":
            raise TooManyTournaments(f"{most} tournaments are running; wait until one of them is over", limit=most)

    def in_hand(self, tournament: Tournament) -> dict[int, bool]:
        """Take the next matches in hand, as many as may be played at once; return all that are, and whether each was made.

        Raises:
            StoreUnavailable
        """
        keys = [_key(tournament.id), _key(tournament.id, "hand")]
        with reaching():
            found = self._script("reserve")(keys=keys, args=[tournament.at_once, tournament.schedule.total, self._kept_s()[0]])
        return {int(number): mark == b"1" for number, mark in zip(found[::2], found[1::2], strict=True)}

    def made(self, tournament: Tournament, number: int) -> None:
        """Note that a match in hand was made. (If it has ended meanwhile, the note is in nobody's way.)

        Raises:
            StoreUnavailable
        """
        with reaching():
            self._script("made")(keys=[_key(tournament.id, "hand")], args=[number])

    def take_up(self, tournament: Tournament, number: int, result: Json | None, standings: Mapping[int, Standing]) -> bool:
        """Write a match's result; False if another came first, so that the standings are to be computed anew.

        Args:
            tournament: as it was when the standings were computed.
            number: the match.
            result: None: it ended without.
            standings: of those who played.

        Raises:
            StoreUnavailable
        """
        keys = [_key(tournament.id), *(_key(tournament.id, part) for part in ("hand", "results", "standings")), DUE]
        text = json.dumps(result, separators=(",", ":"))
        arguments: list[Any] = [tournament.id, number, tournament.done, text, int(result is None), tournament.schedule.total]
        arguments += [self._matches.clock.now(), *self._kept_s()]
        scored = {entrant: json.dumps(asdict(standing)) for entrant, standing in standings.items()}
        with reaching():
            return bool(self._script("result")(keys=keys, args=[*arguments, *_flat(scored)]) != b"stale")

    def abort(self, tournament: Tournament) -> str:
        """Abort a tournament if it runs; return the status it had ("": it is gone).

        Raises:
            StoreUnavailable
        """
        keys = [_key(tournament.id), _key(tournament.id, "hand"), DUE]
        with reaching():
            status: bytes = self._script("abort")(keys=keys, args=[tournament.id, self._matches.clock.now()])
        return status.decode()

    # What is due

    def due(self, now: int) -> list[tuple[str, int]]:
        """Return the tournaments that somebody should have looked at by now, and since when.

        Raises:
            StoreUnavailable
        """
        with reaching():
            found = self._client.zrange(DUE, "-inf", now, byscore=True, offset=0, num=100, withscores=True)
        return [(member.decode(), int(moment)) for member, moment in found]

    def postpone(self, tournament_id: str, seen: int, moment: int | None) -> bool:
        """Have a tournament looked at later (None: not at all); False when it was moved since it was seen.

        Raises:
            StoreUnavailable
        """
        with reaching():
            args = [tournament_id, seen, "" if moment is None else moment]
            return bool(self._postpone(keys=[DUE], args=args))


def place(tournament: Tournament) -> str:
    """Return the tournament's place in the list, which is in order of these."""
    return f"{tournament.created:013d}:{tournament.id}"


def _key(tournament_id: str, part: str = "") -> str:
    return f"{{tournaments}}:{tournament_id}" + (f":{part}" if part else "")


def _flat(fields: Mapping[Any, Any]) -> list[Any]:
    return [part for pair in fields.items() for part in pair]
