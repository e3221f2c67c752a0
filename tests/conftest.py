"""What all tests share: one real server a test run, and an empty database a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.embedded import EmbeddedServer


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server on a unix socket, started for this test run and ended after it."""
    folder: Path = tmp_path_factory.mktemp("redis")
    with EmbeddedServer(folder) as server:
        yield server.url


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    """A client (answers are bytes) of that server, emptied before the test."""
    with Redis.from_url(redis_url) as client:
        client.flushall()
        yield client
