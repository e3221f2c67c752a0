"""`Index`: which matches there are, by status and by the seat tokens that open them.

Written by the commit script together with the match, in its bucket; a hint all the same: who reads looks at the match too.

    {b17}:list:<status>   sorted set  <created, 13 digits>:<id>:<game>, all with score 0, so in order of their text
    {b17}:mine            sorted set  <token hash>:<id>, the same way
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from service.matches.match import BUCKETS, Match, Status, bucket

STATUSES: tuple[Status, ...] = ("open", "running", "over", "aborted")
#: Members looked at when a bucket is tidied up.
SAMPLE = 50


def list_key(number: int, status: str) -> str:
    """Return the key of a bucket's matches of one status."""
    return f"{{b{number:02d}}}:list:{status}"


def mine_key(number: int) -> str:
    """Return the key of a bucket's seat tokens."""
    return f"{{b{number:02d}}}:mine"


def place(match: Match) -> str:
    """Return the match's place in lists, which are in order of these."""
    return f"{match.created:013d}:{match.id}"


def keys(match: Match) -> list[str]:
    """Return the keys a commit writes: the list of the match's status, the others, and the tokens."""
    number = bucket(match.id)
    others = [list_key(number, status) for status in STATUSES if status != match.status]
    return [list_key(number, match.status), *others, mine_key(number)]


def members(match: Match) -> list[str]:
    """Return the match's member in lists ("": it is private), and one for each of its tokens."""
    listed = "" if match.private else f"{place(match)}:{match.game}"
    return [listed, *(f"{seat.token_hash}:{match.id}" for seat in match.seats if seat.token_hash is not None)]


class Index:
    """The lists in one Redis.

    Args:
        client: from `store.connect`; its answers are bytes. Errors are the store's to turn into its own.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def before(self, place: str | None, statuses: Sequence[str], count: int) -> tuple[list[str], bool]:
        """Return members before a place (None: from the newest), newest first, and whether that was all.

        At least `count`, if there are so many; in all buckets together nothing is left out between them.
        """
        start = "+" if place is None else f"({place}"
        with self._client.pipeline(transaction=False) as pipe:
            for number in range(BUCKETS):
                for status in statuses:
                    pipe.zrange(list_key(number, status), start, "-", desc=True, bylex=True, offset=0, num=count)
            pages = [[member.decode() for member in page] for page in pipe.execute()]
        # A page that is full may go on just below its last member; so far the merged list is complete.
        complete_to = max((page[-1] for page in pages if len(page) == count), default="")
        merged = heapq.merge(*pages, reverse=True)
        return [member for member in merged if member >= complete_to], not complete_to

    def opened_by(self, token_hash: str) -> list[str]:
        """Return the ids of matches that a token opens or has opened."""
        with self._client.pipeline(transaction=False) as pipe:
            for number in range(BUCKETS):
                pipe.zrange(mine_key(number), f"[{token_hash}:", f"({token_hash};", bylex=True)
            found = pipe.execute()
        return [member.decode().split(":")[1] for page in found for member in page]

    def tidy(self, number: int, key: Any) -> int:
        """Take members whose matches have expired out of a bucket, of a few drawn by lot; return how many.

        Args:
            number: the bucket.
            key: match id -> the key it is stored at.
        """
        every = [*(list_key(number, status) for status in STATUSES), mine_key(number)]
        with self._client.pipeline(transaction=False) as pipe:
            for name in every:
                pipe.zrandmember(name, SAMPLE)
            drawn = [(name, member) for name, found in zip(every, pipe.execute(), strict=True) for member in found or ()]
        return self._drop(self._gone(drawn, key))

    def _gone(self, drawn: Iterable[tuple[str, bytes]], key: Any) -> list[tuple[str, bytes]]:
        pairs = list(drawn)
        with self._client.pipeline(transaction=False) as pipe:
            for _, member in pairs:
                pipe.exists(key(member.decode().split(":")[1]))
            return [pair for pair, there in zip(pairs, pipe.execute(), strict=True) if not there]

    def _drop(self, gone: Sequence[tuple[str, bytes]]) -> int:
        with self._client.pipeline(transaction=False) as pipe:
            for name, member in gone:
                pipe.zrem(name, member)
            pipe.execute()
        return len(gone)
