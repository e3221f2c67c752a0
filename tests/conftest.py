"""What all tests share: one real server a test run, and an empty database a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from ai import levels
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


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a ladder of three levels for two and four seats in place of the measured one."""
    file = tmp_path / "ladder.json"
    two = {"1": [1000, 1000, 1000], "2": [1100, 1050, 1150], "3": [1300, 1200, 1400]}
    file.write_text(json.dumps({"toy": {"2": two, "4": {"1": [1000, 1000, 1000], "2": [1050, 1000, 1100]}}}))
    monkeypatch.setattr(levels, "LADDER_FILE", file)
    levels._ladder.cache_clear()
    yield
    levels._ladder.cache_clear()
