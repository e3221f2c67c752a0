"""Time: one clock that tests can replace, and how times are written."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """The wall clock, in whole milliseconds since 1970."""

    def now(self) -> int:
        """Return the present time in milliseconds."""
        return time.time_ns() // 1_000_000

    def sleep_until(self, moment_ms: int) -> None:
        """Return not before a moment."""
        while (left := moment_ms - self.now()) > 0:
            time.sleep(left / 1000)


class SetClock(Clock):
    """A clock that stands still until it is moved."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self._now = now_ms

    def now(self) -> int:
        """Return the time it was set to."""
        return self._now

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self._now += round(seconds * 1000)

    def sleep_until(self, moment_ms: int) -> None:
        """Move on to a moment at once."""
        self._now = max(self._now, moment_ms)


def timestamp(moment_ms: int | None) -> str | None:
    """Return a time as RFC 3339 text in UTC with milliseconds; None for none."""
    if moment_ms is None:
        return None
    return datetime.fromtimestamp(moment_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
