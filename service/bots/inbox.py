"""`Inbox`: each bot's log, into which notices come at least once, and which takes each once.

    {bot:tortoise}:events   stream       one entry an event, with the id <number>-0; numbers count from 1 without a gap
    {bot:tortoise}:told     sorted set   notice id -> when, in ms: what came lately
    {bot:tortoise}:hooks    sorted set   number -> when it is to be sent to the webhook, in ms: see `hooks.py`
    {bots}:post             sorted set   bot -> when somebody must look at its webhook, in ms

An entry says which match at which version it is about; what the bot is shown of the match is read when the entry is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redis.cluster import RedisCluster

from service.bots.account import Bot
from service.bots.bots import Bots, bot_key, news, stored_bot
from service.matches.match import bucket
from service.matches.notices import Notice
from service.matches.store import NEWS, outbox_key, reaching
from service.scripts import Script, beside

#: Entries kept; whoever comes back later is told how things stand instead.
KEPT = 1000
KEPT_S = 14 * 24 * 60 * 60
#: A notice that is handed on a second time comes within this time, for the outbox is looked at every second.
TOLD_MS = 60 * 60 * 1000
POST = "{bots}:post"


@dataclass(frozen=True)
class Told:
    """An entry of a bot's log.

    Attributes:
        number: its place in the log.
        at: when it came, in ms.
        notice: what happened.
    """

    number: int
    at: int
    notice: Notice

    @classmethod
    def from_fields(cls, number: int, data: Mapping[bytes, bytes]) -> Told:
        """Return the entry that `Inbox.take` wrote."""
        return cls(number, int(data[b"at"]), Notice.from_member(data[b"notice"].decode()))


class Inbox:
    """The logs of all bots.

    Args:
        bots: the accounts.

    Attributes:
        apart: whether the matches may be on another server, of a Cluster: then whoever hands notices on has yet to take them
            out of the outbox.
    """

    def __init__(self, bots: Bots) -> None:
        self.bots = bots
        self.apart = isinstance(bots.client, RedisCluster)
        self._notify = Script(bots.client, beside(__file__, "notify"))

    def take(self, notices: Sequence[Notice]) -> set[str]:
        """Put notices into their bots' logs, those that are not there, and take them out of the outbox, unless it is `apart`.

        Returns:
            The bots for whose webhooks something waits.

        Raises:
            StoreUnavailable
        """
        now = self.bots.clock.now()
        with reaching():
            waiting = self._notify.each([self._call(notice, now) for notice in notices])
            bots = {notice.bot for notice, count in zip(notices, waiting, strict=True) if count > 0}
            if bots:
                self.bots.client.zadd(POST, dict.fromkeys(bots, now), lt=True)
        return bots

    def read(self, name: str, after: int, limit: int) -> list[Told]:
        """Return the entries after a place in a bot's log, oldest first.

        Raises:
            StoreUnavailable
        """
        with reaching():
            found = self.bots.client.xrange(bot_key(name, "events"), f"{after + 1}-0", "+", count=limit)
        return [_told(entry) for entry in found]

    def read_with(self, name: str, after: int, limit: int) -> tuple[Bot | None, list[Told]]:
        """Return a bot as it is now, None if it is gone, and what `read` does, in one round trip.

        Raises:
            StoreUnavailable
        """
        with reaching(), self.bots.client.pipeline(transaction=False) as pipe:
            pipe.hgetall(bot_key(name))
            pipe.xrange(bot_key(name, "events"), f"{after + 1}-0", "+", count=limit)
            account, found = pipe.execute()
        return stored_bot(name, account), [_told(entry) for entry in found]

    def pick(self, name: str, numbers: Sequence[int]) -> list[Told]:
        """Return those of some entries that are still there."""
        with reaching(), self.bots.client.pipeline(transaction=False) as pipe:
            for number in numbers:
                pipe.xrange(bot_key(name, "events"), f"{number}-0", f"{number}-0")
            found = pipe.execute()
        return [_told(entries[0]) for entries in found if entries]

    def _call(self, notice: Notice, now: int) -> tuple[list[str], list[Any]]:
        bot, member = notice.bot, notice.to_member()
        keys = [bot_key(bot, part) for part in ("", "events", "told", "matches", "invitations", "hooks")]
        outbox = [] if self.apart else [outbox_key(bucket(notice.match_id))]
        told = [notice.id, notice.event, notice.match_id, now, notice.until, KEPT, TOLD_MS, KEPT_S, NEWS, news(bot), member]
        return [*keys, *outbox], [*told, "at", now, "notice", member]


def _told(entry: tuple[bytes, Mapping[bytes, bytes]]) -> Told:
    return Told.from_fields(int(entry[0].split(b"-")[0]), entry[1])
