"""`Store`: the only reader and writer of matches in Redis.

All keys of a match carry the hash tag of its bucket, so that one script may write them, on a Redis Cluster too:

    {b17}:match:<id>                        hash    see `match.py`
    {b17}:match:<id>:events                 stream  one entry a version, with the id <version>-0
    {b17}:match:<id>:requests               hash    request field -> what was granted; latest:<scope> -> its full answer
    {b17}:match:<id>:lease:<seat>-<since>   hash    who thinks about this decision, until when, and how often it was tried
    {b17}:match:<id>:guesses                count   join codes tried in the last minute
    {b17}:list:..., {b17}:mine              sorted sets  see `index.py`
    {b17}:match:<id>:hint...                hash    see `advice.py`
    {b17}:outbox                            sorted set  see `notices.py`
    {b17}:due                               sorted set  <id>:<seat> -> when somebody must look at it, in ms; the seat -1
                                                        stands for the match itself, which has ended
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import redis
import redis.exceptions
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from service.address import Address
from service.matches import index
from service.matches.errors import MatchNotFound, RequestReused, StoreUnavailable
from service.matches.events import Entry
from service.matches.match import BUCKETS, Json, Match, bucket, is_id
from service.matches.notices import Notice
from service.matches.requests import Request
from service.matches.wire import dumps, loads
from service.scripts import Scripts
from service.settings import Settings

#: Where every commit is announced as "<id> <version>"; a hint only, the stream is the truth.
NEWS = "clifftop:news"
#: In place of a seat that is due: the match has ended, and somebody must see to what follows.
ENDED = -1
#: A job was asked to do that at once; it is given this long.
SETTLING_MS = 2000
#: Connections of one process; who finds all in use waits for one.
CONNECTIONS = 64
#: Tries of a decision are remembered this long.
TRIES_KEPT_S = 24 * 60 * 60
#: Entries of a log that one command may ask for.
PAGE = 1000
#: Entries read at once when looking for a moment not long ago.
LOOK_BACK = 32
#: Tried join codes are counted for this long.
GUESSES_KEPT_S = 60


class Stale(Exception):
    """The match is at another version than the commit was made for.

    Attributes:
        version: the version it is at.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"the match is at version {version}")
        self.version = version


@dataclass(frozen=True)
class Grant:
    """What is remembered of a granted request.

    Attributes:
        version: the version it made.
        seat: the seat it was granted to or for; None for none.
        answer: the full answer, while it is the latest of its scope.
    """

    version: int
    seat: int | None
    answer: Json | None = None


@dataclass(frozen=True)
class Ask:
    """A request as it goes with a commit.

    Attributes:
        request: the client's.
        scope: requests of different scopes never meet.
        grant: what to remember.
    """

    request: Request
    scope: str
    grant: Grant


@dataclass(frozen=True)
class Lease:
    """A worker's hold on one decision.

    Attributes:
        match_id, seat, since: the decision.
        holder: random.
        until: when it ends, in ms.
        tries: how often a thought about this decision was begun, this one included.
    """

    match_id: str
    seat: int
    since: int
    holder: str
    until: int
    tries: int


@dataclass(frozen=True)
class Due:
    """A seat (or `ENDED`) somebody must look at, and since when, in ms."""

    match_id: str
    seat: int
    moment: int


@contextmanager
def reaching() -> Iterator[None]:
    """Turn every way in which the server can be away or full into one error.

    Raises:
        StoreUnavailable: it is.
    """
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError, *_NO_CLUSTER) as error:
        raise StoreUnavailable("the store of matches does not answer; nothing was changed half, try again soon") from error
    except redis.ResponseError as error:
        if not isinstance(error, _TAKES_NO_WRITES) and not str(error).startswith(("MISCONF", "NOREPLICAS")):
            raise
        raise StoreUnavailable("the store of matches takes no writes now; nothing was changed half, try again soon") from error


_NO_CLUSTER = (redis.exceptions.RedisClusterException, redis.exceptions.ClusterError)
_TAKES_NO_WRITES = (
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    redis.exceptions.MasterDownError,
    redis.exceptions.ClusterDownError,
    redis.exceptions.TryAgainError,
)


def connect(settings: Settings) -> Any:
    """Return a client for requests to the server that the settings name.

    Raises:
        ValueError: they name none.
        StoreUnavailable: they name a Cluster, and it does not answer.
    """
    if settings.redis_url is None:
        raise ValueError("the settings name no server; start an embedded one first")
    retry = Retry(ExponentialBackoff(cap=0.2, base=0.02), 2)
    with reaching():
        return Address.of(settings.redis_url).client(
            CONNECTIONS, settings.redis_timeout_s, retry=retry, health_check_interval=30
        )


class Store:
    """The matches in one Redis.

    Args:
        client: from `connect`; its answers are bytes.
        settings: for how long matches are kept.
    """

    def __init__(self, client: Any, settings: Settings | None = None) -> None:
        self.client = client
        self.script = Scripts(client, __file__)
        self._commit, self._lease = self.script("commit"), self.script("lease")
        self._release, self._postpone = self.script("release"), self.script("postpone")
        self._index = index.Index(client)
        kept = settings or Settings()
        self._expiry_s = {
            "open": kept.open_expiry_s,
            "running": kept.idle_expiry_s,
            "over": kept.over_expiry_s,
            "aborted": kept.over_expiry_s,
        }

    # Reading

    def load(self, match_id: str, request: Request | None = None, scope: str = "") -> tuple[Match, Grant | None]:
        """Return a match, and what was granted to this request before, if anything.

        Raises:
            MatchNotFound, RequestReused, StoreUnavailable
        """
        _check_id(match_id)
        with reaching():
            if request is None:
                data, kept, latest = self.client.hgetall(_key(match_id)), None, None
            else:
                with self.client.pipeline(transaction=False) as pipe:
                    pipe.hgetall(_key(match_id))
                    pipe.hmget(_key(match_id, "requests"), request.field(scope), f"latest:{scope}")
                    data, (kept, latest) = pipe.execute()
        if not data:
            raise _not_found(match_id)
        grant = _granted(request, scope, kept, latest) if request and kept else None
        return Match.from_hash(match_id, data), grant

    def load_beside(self, match_id: str, key: str) -> tuple[Match, dict[bytes, bytes]]:
        """Return a match and the hash at another key, which is empty if there is none, in one round trip.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        _check_id(match_id)
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(_key(match_id))
            pipe.hgetall(key)
            data, other = pipe.execute()
        if not data:
            raise _not_found(match_id)
        return Match.from_hash(match_id, data), other

    def events(self, match_id: str, after: int, limit: int = PAGE) -> list[Entry]:
        """Return the log's entries after a version, oldest first.

        Raises:
            MatchNotFound: the id cannot be one; a match that is not there has no entries.
            StoreUnavailable
        """
        _check_id(match_id)
        with reaching():
            found = self.client.xrange(_key(match_id, "events"), f"{max(after, 0) + 1}-0", "+", count=limit)
        return [Entry.from_fields(int(entry_id.split(b"-")[0]), data) for entry_id, data in found]

    def load_all(self, match_ids: Sequence[str]) -> list[Match]:
        """Return those of some matches that are there, in the order asked for.

        Raises:
            StoreUnavailable
        """
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            for match_id in match_ids:
                pipe.hgetall(_key(match_id))
            found = pipe.execute()
        return [Match.from_hash(match_id, data) for match_id, data in zip(match_ids, found, strict=True) if data]

    def version_at(self, match_id: str, moment: int) -> int:
        """Return the version a match was at at a moment, in ms; 0: it was not there yet."""
        last = "+"
        while True:
            with reaching():
                page = self.client.xrevrange(_key(match_id, "events"), last, "-", count=LOOK_BACK)
            for entry_id, data in page:
                if int(data[b"at"]) <= moment:
                    return int(entry_id.split(b"-")[0])
            if len(page) < LOOK_BACK:
                return 0
            last = b"(" + page[-1][0]

    # What there is

    def listed(self, place: str | None, statuses: Sequence[str], count: int) -> tuple[list[str], bool]:
        """Return public matches before a place in the list: see `Index.before`.

        Raises:
            StoreUnavailable
        """
        with reaching():
            return self._index.before(place, statuses, count)

    def opened_by(self, token_hash: str) -> list[str]:
        """Return the ids of matches that a token opens or has opened.

        Raises:
            StoreUnavailable
        """
        with reaching():
            return self._index.opened_by(token_hash)

    def tidy(self, number: int) -> int:
        """Forget in a bucket's lists some of the matches that have expired; return how many."""
        with reaching():
            return self._index.tidy(number, _key)

    def ping(self) -> None:
        """Return when the server answers.

        Raises:
            StoreUnavailable: it does not.
        """
        with reaching():
            self.client.ping()

    # Writing

    def commit(self, match: Match, entry: Entry, ask: Ask | None = None) -> Grant | None:
        """Write the next version of a match, all or nothing.

        Args:
            match: as it shall be; its version is one above the stored one (1: the match must not exist).
            entry: what to log; of the same version.
            ask: the request this grants, to be remembered.

        Returns:
            None when it was written; the earlier grant, and nothing was written, when the request was granted before.

        Raises:
            Stale: another commit came first.
            MatchNotFound: it is gone.
            RequestReused, StoreUnavailable
        """
        number = bucket(match.id)
        keys = [_key(match.id), _key(match.id, "events"), _key(match.id, "requests"), due_key(number), outbox_key(number)]
        keys += index.keys(match) if entry.of_the_match() else []
        with reaching():
            answer = self._commit(keys=keys, args=self._arguments(match, entry, ask))
        match answer[0]:
            case b"done":
                return None
            case b"again":
                assert ask is not None
                return _granted(ask.request, ask.scope, answer[1], answer[2])
            case b"stale":
                raise Stale(answer[1])
            case _:
                raise _not_found(match.id)

    def _arguments(self, match: Match, entry: Entry, ask: Ask | None) -> list[Any]:
        commit_id = secrets.token_hex(8)
        arguments: list[Any] = [match.version - 1, commit_id, *(_asked(ask) if ask else ("", "", "", ""))]
        due = [(f"{match.id}:{seat}", turn.due) for seat, turn in enumerate(match.turns)]
        if match.settles:
            due.append((f"{match.id}:{ENDED}", match.changed + SETTLING_MS))
        arguments += [self.kept_s(match), NEWS, f"{match.id} {match.version}", len(due)]
        for member, moment in due:
            arguments += [member, "" if moment is None else moment]
        arguments += [len(entry.notices), *(notice.to_member() for notice in entry.notices), entry.at]
        logged = _flat(entry.to_fields())
        listed = index.members(match) if entry.of_the_match() else []
        return [*arguments, len(logged), *logged, len(listed), *listed, *_flat(match.to_hash())]

    def expires(self, match: Match) -> int:
        """Return when a match will be forgotten if nothing happens, in ms."""
        return match.changed + self.kept_s(match) * 1000

    def kept_s(self, match: Match) -> int:
        """Return how long a match is kept after its last change."""
        most = self._expiry_s[match.status]
        return most if match.expiry_seconds is None or match.status == "over" else min(most, match.expiry_seconds)

    def count_guess(self, match_id: str) -> tuple[int, int]:
        """Count that a join code is tried; return how many were within the minute, and when it ends, in seconds."""
        key = _key(match_id, "guesses")
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            pipe.incr(key)
            pipe.expire(key, GUESSES_KEPT_S, nx=True)
            pipe.ttl(key)
            count, _, left = pipe.execute()
        return int(count), max(int(left), 1)

    # What is due

    def due(self, now: int, limit: int = 100) -> list[Due]:
        """Return seats that somebody should have looked at by now, at most `limit` a bucket."""
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            for number in range(BUCKETS):
                pipe.zrange(due_key(number), "-inf", now, byscore=True, offset=0, num=limit, withscores=True)
            found = pipe.execute()
        return [_due(member, moment) for part in found for member, moment in part]

    def outbox(self, until: int, limit: int = 100) -> list[Notice]:
        """Return notices to bots that are not known to have been handed on, from before a moment, at most `limit` a bucket."""
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            for number in range(BUCKETS):
                pipe.zrange(outbox_key(number), "-inf", until, byscore=True, offset=0, num=limit)
            found = pipe.execute()
        return [Notice.from_member(member.decode()) for part in found for member in part]

    def handed_on(self, notices: Sequence[Notice]) -> None:
        """Take notices out of the outbox: the bots' logs have them. They are of one match."""
        with reaching():
            self.client.zrem(outbox_key(bucket(notices[0].match_id)), *(notice.to_member() for notice in notices))

    def postpone(self, due: Due, moment: int | None) -> bool:
        """Have a due seat looked at later (None: not at all); False when it was moved since `due` was read."""
        member = f"{due.match_id}:{due.seat}"
        with reaching():
            args = [member, due.moment, "" if moment is None else moment]
            return bool(self._postpone(keys=[due_key(bucket(due.match_id))], args=args))

    def settled(self, match: Match) -> None:
        """Note that what follows the end of a match has been seen to."""
        self.postpone(Due(match.id, ENDED, match.changed + SETTLING_MS), None)

    def lease(self, match_id: str, seat: int, since: int, now: int, until: int) -> Lease | None:
        """Take the lease on a decision, None if somebody has it; it is due again when the lease ends."""
        holder = secrets.token_hex(8)
        keys = [_key(match_id), _lease_key(match_id, seat, since), due_key(bucket(match_id))]
        with reaching():
            args = [holder, now, until, f"{match_id}:{seat}", TRIES_KEPT_S]
            taken, tries = self._lease(keys=keys, args=args)
        return Lease(match_id, seat, since, holder, until, tries) if taken else None

    def release(self, lease: Lease, now: int) -> None:
        """Give a lease back; its decision is due at once."""
        keys = [_lease_key(lease.match_id, lease.seat, lease.since), due_key(bucket(lease.match_id))]
        with reaching():
            self._release(keys=keys, args=[lease.holder, now, f"{lease.match_id}:{lease.seat}"])

    def leased(self, match_id: str, seat: int, since: int) -> tuple[int, int]:
        """Return until when a decision is leased (0: it is not) and how often it was tried."""
        with reaching():
            until, tries = self.client.hmget(_lease_key(match_id, seat, since), "until", "tries")
        return int(until or 0), int(tries or 0)


def _check_id(match_id: str) -> None:
    if not is_id(match_id):
        raise MatchNotFound("there is no such match: this is no match id")


def _not_found(match_id: str) -> MatchNotFound:
    return MatchNotFound(f"there is no match {match_id}, or it has expired")


def _key(match_id: str, part: str = "") -> str:
    return f"{{b{bucket(match_id):02d}}}:match:{match_id}" + (f":{part}" if part else "")


def part_key(match_id: str, part: str = "") -> str:
    """Return the key of a match, or of something that is kept beside it in the same slot.

    Raises:
        MatchNotFound: the id cannot be one.
    """
    _check_id(match_id)
    return _key(match_id, part)


def _lease_key(match_id: str, seat: int, since: int) -> str:
    return _key(match_id, f"lease:{seat}-{since}")


def due_key(number: int) -> str:
    """Return the key of a bucket's due set."""
    return f"{{b{number:02d}}}:due"


def outbox_key(number: int) -> str:
    """Return the key of a bucket's outbox."""
    return f"{{b{number:02d}}}:outbox"


def _due(member: bytes, moment: float) -> Due:
    match_id, seat = member.decode().split(":")
    return Due(match_id, int(seat), int(moment))


def _asked(ask: Ask) -> tuple[str, bytes, str, bytes]:
    name, grant = ask.request.field(ask.scope), ask.grant
    kept = dumps([ask.request.digest, grant.version, grant.seat])
    answer = b"" if grant.answer is None else name.encode() + dumps(grant.answer)
    return name, kept, f"latest:{ask.scope}", answer


def _granted(request: Request, scope: str, kept: bytes, latest: bytes | None) -> Grant:
    digest, version, seat = loads(kept)
    if digest != request.digest:
        raise RequestReused("this request key was used before, with another body")
    name = request.field(scope).encode()
    answer = loads(latest[len(name) :]) if latest and latest.startswith(name) else None
    return Grant(version, seat, answer)


def _flat(fields: dict[str, Any]) -> list[Any]:
    return [part for pair in fields.items() for part in pair]
