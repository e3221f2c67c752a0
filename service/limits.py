"""`Limiter`: how many requests somebody may make in a time; in Redis, so that all web processes count together.

Everybody has a bucket for each limit, which holds so many requests and fills evenly over the limit's time: so a burst is
served, and whoever waits is served again soon. One round trip counts a request against all its limits.

    {limit:<name>:<hash of who>}   string   when the bucket will be full again, in ms; gone once it is
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.matches.clock import Clock
from service.matches.store import reaching
from service.scripts import Script, beside
from service.settings import Settings

MINUTE_S, HOUR_S = 60, 60 * 60


@dataclass(frozen=True)
class Limit:
    """So many requests in such a time.

    Attributes:
        name: tells it from others, in answers too.
        most: how many.
        window_s: in how many seconds.
    """

    name: str
    most: int
    window_s: int


@dataclass(frozen=True)
class Standing:
    """How somebody stands with a limit after a request.

    Attributes:
        limit: which.
        allowed: whether the request is.
        left: how many more are.
        wait_s: until there is room for one more, if it was refused; else until all are back.
    """

    limit: Limit
    allowed: bool
    left: int
    wait_s: int


def limits(settings: Settings) -> dict[str, Limit]:
    """Return the limits that the settings set, by name."""
    every = [
        Limit("key", settings.limit_key_per_minute, MINUTE_S),
        Limit("address", settings.limit_address_per_minute, MINUTE_S),
        Limit("matches", settings.limit_matches_per_hour, HOUR_S),
        Limit("bots", settings.limit_bots_per_hour, HOUR_S),
    ]
    return {limit.name: limit for limit in every if limit.most}


def whose(address: str | None) -> str:
    """Return what stands for everybody at an IP address: an IPv6 network is one customer's, so it counts as one."""
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        mapped = ip.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(ip) >> 64 << 64, 64)))
    return str(ip)


class Limiter:
    """Counts requests.

    Args:
        client: from `service.matches.connect`.
        settings: which limits there are.
        clock: the time.
    """

    def __init__(self, client: Any, settings: Settings, clock: Clock | None = None) -> None:
        self._script = Script(client, beside(__file__, "limits"))
        self._clock = clock or Clock()
        self.limits = limits(settings)

    def count(self, who: Mapping[str, str]) -> list[Standing]:
        """Count a request against limits.

        Args:
            who: for each limit, who makes the request; limits that are not set are left out.

        Raises:
            StoreUnavailable
        """
        counted = [(self.limits[name], somebody) for name, somebody in who.items() if name in self.limits]
        if not counted:
            return []
        now = self._clock.now()
        calls = [((_bucket(limit, somebody),), (now, limit.window_s * 1000, limit.most)) for limit, somebody in counted]
        with reaching():
            answers = self._script.each(calls)
        return [
            Standing(limit, bool(allowed), int(left), max(math.ceil(wait_ms / 1000), 1))
            for (limit, _), (allowed, left, wait_ms) in zip(counted, answers, strict=True)
        ]


def _bucket(limit: Limit, somebody: str) -> str:
    return f"{{limit:{limit.name}:{hashlib.sha256(somebody.encode()).hexdigest()[:24]}}}"
