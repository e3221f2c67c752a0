"""`Following`: the log of a match, as it is and as it grows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from service.matches.errors import StoreUnavailable
from service.matches.events import Entry
from service.matches.ledger import Ledger
from service.matches.match import Json, Match
from service.matches.watch import Watch

EVENTS_MAX = 1000
#: A version no match comes to.
NEVER = 1 << 62


class Following:
    """Everybody in this process who reads, or waits for, what happens.

    Args:
        table: the matches.
    """

    def __init__(self, table: Ledger) -> None:
        self._table = table
        self._watch = Watch(table.store)

    def close(self) -> None:
        """End every wait and every stream soon, and the reader behind them."""
        self._watch.close()

    def events(self, match_id: str, seat: int | None, after: int = 0, limit: int = 100, until: int | None = None) -> list[Json]:
        """Return the log after a version as a viewer was told it: `{"version", "at", "events": [...]}` each.

        Args:
            match_id, seat: the match and the viewer.
            after: the version.
            limit: the most entries.
            until: the last version of interest; None: the newest.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        most = min(limit, EVENTS_MAX) if until is None else min(limit, EVENTS_MAX, until - after)
        return [entry.to(seat) for entry in self._table.store.events(match_id, after, most)] if most > 0 else []

    def wait(
        self, match_id: str, version: int, seconds: float, seat: int | None = None, *, known: Match | None = None
    ) -> Match:
        """Return the match as a viewer may see it once its version is another than `version`, or it is over, or as it is
        after `seconds`.

        Args:
            match_id, version, seconds, seat: see above.
            known: the match as this viewer has just been shown it, if he was; saves reading it once more.

        Raises:
            MatchNotFound, MatchOutdated, StoreUnavailable
        """
        shown = self._table.shown_to(self._table.get(match_id), seat) if known is None else known
        end = time.monotonic() + min(seconds, self._table.settings.wait_max_s)
        if shown.version != version or seconds <= 0:
            return shown
        with self._watch.watching(match_id) as watched:
            while True:
                wakes = watched.wakes
                match = self._table.get(match_id)
                shown = self._table.shown_to(match, seat)
                left = end - time.monotonic()
                if shown.version != version or match.status in ("over", "aborted") or left <= 0 or self._watch.closed:
                    return shown
                held = self._table.store.events(match_id, version, 1) if match.version > version else []
                self._watch.sleep(watched, match.version, wakes, min(left, *self._held_s(held, match.delay_ms(seat)), left))

    def _held_s(self, entries: Sequence[Entry], delay: int) -> list[float]:
        """Return in how many seconds each entry may be seen."""
        now = self._table.clock.now()
        return [0 if entry.version == 1 else max(entry.at + delay - now, 0) / 1000 for entry in entries]

    @contextmanager
    def woken(self, match_id: str) -> Iterator[Callable[[float], bool]]:
        """Give a function that sleeps so many seconds, or until something beside a match may have changed.

        It answers False once the matches are closed. What happens between two sleeps ends the second at once.
        """
        with self._watch.watching(match_id) as watched:
            seen = watched.wakes

            def sleep(seconds: float) -> bool:
                nonlocal seen
                self._watch.sleep(watched, NEVER, seen, seconds)
                seen = watched.wakes
                return not self._watch.closed

            yield sleep

    def follow(self, match_id: str, seat: int | None, after: int = 0) -> Iterator[Json | None]:
        """Yield the log after a version as it grows; None as a sign of life whenever nothing happened for a while.

        Ends after the entry with `match.ended`, or when the matches are closed.
        """
        with self._watch.watching(match_id) as watched:
            match = self._table.get(match_id)
            delay = match.delay_ms(seat)
            after, wakes = min(after, match.version), -1
            while not self._watch.closed and not (match.status in ("over", "aborted") and after >= match.version):
                found: list[Entry] = []
                if watched.version > after or watched.wakes != wakes:
                    wakes = watched.wakes
                    with suppress(StoreUnavailable):  # the stream goes on when the store is back
                        found = watched.entries(self._table.store, after, EVENTS_MAX)
                whole, found, held_s = len(found) >= EVENTS_MAX, *self._released(found, delay)
                for entry in found:
                    yield entry.to(seat)
                    after = entry.version
                    if entry.ends():
                        return
                if found:
                    wakes = -1 if whole or held_s is not None else wakes
                    continue
                if held_s is not None:  # what spectators may not see yet
                    wakes = -1
                    self._watch.sleep(watched, NEVER, watched.wakes, min(held_s, self._table.settings.stream_keepalive_s))
                    if held_s >= self._table.settings.stream_keepalive_s:
                        yield None
                    continue
                self._watch.sleep(watched, after, wakes, self._table.settings.stream_keepalive_s)
                if watched.version <= after and watched.wakes == wakes and not self._watch.closed:
                    yield None

    def _released(self, found: list[Entry], delay: int) -> tuple[list[Entry], float | None]:
        """Return the entries that may be seen by now, and in how many seconds the next one may; None: that was all."""
        if not delay or any(entry.ends() for entry in found):
            return found, None
        held = [seconds for seconds in self._held_s(found, delay) if seconds > 0]
        return found[: len(found) - len(held)], min(held, default=None)
