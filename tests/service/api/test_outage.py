"""The store goes away and comes back: 503 with Retry-After, at once and everywhere, and nothing half-written."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.embedded import EmbeddedServer
from service.settings import Settings
from tests.service.api.conftest import Player, Service, opened, problem


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path) as server:
        yield server


@pytest.fixture
def fragile(server: EmbeddedServer) -> Iterator[Service]:
    settings = Settings(redis_url=server.url, redis_timeout_s=0.2)
    with Redis.from_url(server.url) as redis, opened(settings, redis) as service:
        yield service


def check_unavailable(service: Service, player: Player) -> None:
    """Check that everything that needs the store says that it is away, and the rest goes on."""
    body = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    answers = [player.get(path) for path in ("", "/actions", "/events", "/events?stream=1", "/record", "/analysis")]
    answers += [player.play({"type": "choose", "card": 1}), player.post("/seats", {}), service.client.get("/readyz")]
    answers += [service.client.post("/v1/matches", json=body)]
    for response in answers:
        problem(response, "store_unavailable")
        assert int(response.headers["Retry-After"]) > 0
        assert "redis" not in response.text.lower()
    assert service.client.get("/healthz").status_code == 200
    assert service.client.get("/v1/games").status_code == 200


def test_a_store_that_is_gone(fragile: Service, server: EmbeddedServer) -> None:
    one, two = fragile.table()
    before, action = one.get().data, one.first()
    server.stop()
    check_unavailable(fragile, one)
    server.start()
    assert one.get().data == before
    assert len(fragile.redis.keys("*:match:*:events")) == 1
    assert one.play(action).status_code == 200
    assert two.play(two.first()).status_code == 200


def test_a_store_that_hangs(fragile: Service, server: EmbeddedServer) -> None:
    one, _ = fragile.table()
    before, headers = one.get().get_json(), {"Idempotency-Key": "through the night"}
    action = before["legal_actions"][0]
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        problem(one.get(), "store_unavailable")
        problem(one.play(action, headers=headers), "store_unavailable")
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    # Whether the write got through or not: the same request again plays once, never twice.
    assert one.play(action, headers=headers).status_code == 200
    shown = one.get().get_json()
    assert (shown["version"], shown["legal_actions"]) == (before["version"] + 1, [{"type": "take_back"}])
