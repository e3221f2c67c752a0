"""`Watch`: learns of new versions as they are committed, for everybody in this process who waits for one.

One subscription a process, to the news that every commit announces, and only while somebody waits. News may be lost (the
connection breaks): then everybody is woken and looks at the store, which is the truth. Log entries are read once for all
who follow the same match.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from service.matches.events import Entry
from service.matches.store import NEWS, Store

log = logging.getLogger(__name__)

#: One blocking read; below every socket timeout.
READ_S = 1.0
#: After the last watcher has gone the subscription is kept this long, for the next one may be near.
LINGER_S = 10.0
#: Announced in place of a version: something kept beside the match has changed, not the match.
BESIDE = b"0"
#: Entries kept of each watched match.
KEPT = 64


class Watched:
    """One match that somebody in this process watches.

    Attributes:
        version: the newest version heard of; only ever an underestimate.
        wakes: grows whenever news may have been missed.
        watchers: how many watch it.
    """

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self.changed = threading.Condition()
        self.version = 0
        self.wakes = 0
        self.watchers = 0
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._reading = threading.Lock()

    def entries(self, store: Store, after: int, limit: int) -> list[Entry]:
        """Return log entries after a version, from memory where another watcher has read them.

        Raises:
            StoreUnavailable
        """
        with self._reading:
            kept = self._entries
            if kept and kept[0].version - 1 <= after < kept[-1].version:
                return [entry for entry in kept if entry.version > after][:limit]
            found = store.events(self.match_id, after, limit)
            if not kept or after == kept[-1].version:
                kept.extend(found)
            return found


class Watch:
    """All watched matches of this process, and the one reader that hears of their changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._watched: dict[str, Watched] = {}
        self._reader: threading.Thread | None = None
        self.closed = False

    @contextmanager
    def watching(self, match_id: str) -> Iterator[Watched]:
        """Hear of a match's changes within the block."""
        with self._lock:
            watched = self._watched.get(match_id)
            if watched is None:
                watched = self._watched[match_id] = Watched(match_id)
            watched.watchers += 1
            self._start_reader()
        try:
            yield watched
        finally:
            with self._lock:
                watched.watchers -= 1
                if not watched.watchers:
                    del self._watched[match_id]

    def sleep(self, watched: Watched, version: int, wakes: int, seconds: float) -> None:
        """Return when the match is above a version, somebody must look again, or the time is over."""
        with watched.changed:
            watched.changed.wait_for(lambda: watched.version > version or watched.wakes > wakes or self.closed, seconds)

    def close(self) -> None:
        """Wake everybody for the last time and end the reader."""
        self.closed = True
        self._wake_all()

    # The reader

    def _start_reader(self) -> None:
        if self._reader is None or not self._reader.is_alive():
            self._reader = threading.Thread(target=self._read, name="match-news", daemon=True)
            self._reader.start()

    def _read(self) -> None:
        pause = 0.1
        while self._wanted():
            try:
                self._listen()
                pause = 0.1
            except Exception as error:  # whatever it is, somebody waits for the reader to come back
                if self.closed:
                    return
                log.warning("the news of matches is interrupted: %r", error)
                time.sleep(pause)
                pause = min(2 * pause, 2.0)
            finally:
                self._wake_all()

    def _listen(self) -> None:
        idle_since = time.monotonic()
        with self._store.client.pubsub() as subscription:
            subscription.subscribe(NEWS)
            while not self.closed:
                self._hear(subscription.get_message(timeout=READ_S))
                if self._watched:
                    idle_since = time.monotonic()
                elif time.monotonic() - idle_since > LINGER_S:
                    return

    def _wanted(self) -> bool:
        with self._lock:
            if self._watched and not self.closed:
                return True
            self._reader = None
            return False

    def _hear(self, message: dict[str, Any] | None) -> None:
        if message is None:
            return
        if message["type"] == "subscribe":
            self._wake_all()
        elif message["type"] == "message":
            match_id, version = message["data"].split(b" ")
            watched = self._watched.get(match_id.decode())
            if watched is not None:
                with watched.changed:
                    watched.wakes += version == BESIDE
                    watched.version = max(watched.version, int(version))
                    watched.changed.notify_all()

    def _wake_all(self) -> None:
        with self._lock:
            everybody = list(self._watched.values())
        for watched in everybody:
            with watched.changed:
                watched.wakes += 1
                watched.changed.notify_all()
