"""The server away, or full: one clear error, and nothing half-written."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from service.embedded import EmbeddedServer
from service.matches import Matches, Request, SeatRequest, Store, connect
from service.matches.errors import MatchError, StoreUnavailable
from service.matches.store import CONNECTIONS
from service.settings import Settings
from tests.service.matches.conftest import GAMES, two_people


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(tmp_path) as server:
        yield server


@pytest.fixture
def table(server: EmbeddedServer) -> Iterator[Matches]:
    settings = Settings(redis_url=server.url, redis_timeout_s=0.5)
    with connect(settings) as client:
        yield Matches(Store(client, settings), GAMES, settings)


def test_everything_says_so_while_the_server_is_away(server: EmbeddedServer, table: Matches) -> None:
    match, _ = two_people(table)
    action = table.position(match, 0)["legal_actions"][0]
    server.stop()
    for call in (
        table.ping,
        lambda: table.get(match.id),
        lambda: table.create("toy", {}, [SeatRequest("me"), SeatRequest("open")]),
        lambda: table.take_seat(match.id),
        lambda: table.play(match.id, 0, [action]),
        lambda: table.play(match.id, 0, [action], request=Request.of("key", b"")),
        lambda: table.events(match.id, 0),
        lambda: table.record(match, 0),
        lambda: table.wait(match.id, match.version, 1),
        lambda: table.lease(match.id, 0, 1, 1),
        table.due,
    ):
        with pytest.raises(StoreUnavailable) as refused:
            call()
        assert refused.value.code == "store_unavailable"
    server.start()
    assert table.get(match.id) == match
    assert table.play(match.id, 0, [action]).version == match.version + 1


def test_a_full_server_refuses_whole_commits(server: EmbeddedServer, table: Matches) -> None:
    match, _ = two_people(table)
    action = table.position(match, 0)["legal_actions"][0]
    before = table.store.events(match.id, 0)
    with Redis.from_url(server.url) as client:
        client.config_set("maxmemory", "1")
        with pytest.raises(StoreUnavailable):
            table.play(match.id, 0, [action], request=Request.of("key", b""))
        client.config_set("maxmemory", "0")
    assert table.get(match.id) == match
    assert table.store.events(match.id, 0) == before
    played = table.play(match.id, 0, [action], request=Request.of("key", b""))
    assert (played.version, played.repeated) == (match.version + 1, False)


def test_other_errors_of_the_server_are_not_hidden(store: Store, redis: Redis) -> None:
    table = Matches(store, GAMES)
    match, _ = two_people(table)
    name = next(redis.scan_iter(f"*match:{match.id}"))
    redis.delete(name)
    redis.set(name, "not a hash")
    with pytest.raises(Exception, match="WRONGTYPE") as raised:
        table.get(match.id)
    assert not isinstance(raised.value, MatchError)


def test_a_crowd_waits_for_connections_instead_of_failing(redis: Redis, redis_url: str) -> None:
    settings = Settings(redis_url=redis_url, redis_timeout_s=10)
    with connect(settings) as client, ThreadPoolExecutor(3 * CONNECTIONS) as pool:
        table = Matches(Store(client, settings), GAMES, settings)
        match, _ = two_people(table)
        found = list(pool.map(lambda _: table.get(match.id).version, range(20 * CONNECTIONS)))
        assert found == [match.version] * (20 * CONNECTIONS)
        assert redis.info("clients")["connected_clients"] <= CONNECTIONS + 2
