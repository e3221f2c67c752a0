"""`Store`: the only reader and writer of matches in Redis."""

from __future__ import annotations

from typing import Any

import redis

from service.settings import Settings


def connect(settings: Settings) -> redis.Redis:
    """Return a client for requests to the server that the settings name."""
    raise NotImplementedError


class Store:
    """The matches in one Redis."""

    def __init__(self, client: Any) -> None: ...
