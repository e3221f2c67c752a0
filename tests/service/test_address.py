"""Addresses: how they are read, and matches on a real Cluster and behind a real Sentinel."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import redis

from service.address import Address
from service.embedded import find_binary
from service.matches import Matches, connect, queue
from service.matches.advice import Advice
from service.matches.errors import StoreUnavailable
from service.settings import BadSetting, Settings
from tests.service.matches.conftest import GAMES, play_out, two_people


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://h", Address("redis://h", "server")),
        ("unix:///tmp/x.sock", Address("unix:///tmp/x.sock", "server")),
        ("redis+sentinel://a,b:2/m", Address("", "sentinel", (("a", 26379), ("b", 2)), "m")),
        ("rediss+sentinel://u:p%40@a/m/3", Address("", "sentinel", (("a", 26379),), "m", 3, True, "u", "p@")),
        ("redis+cluster://:p@a:7000,[::1]:7001", Address("", "cluster", (("a", 7000), ("::1", 7001)), password="p")),
        ("redis+cluster://a/", Address("", "cluster", (("a", 6379),))),
    ],
)
def test_addresses_are_read(url: str, expected: Address) -> None:
    assert vars(Address.of(url)) == {**vars(expected), "url": url}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://h", "must begin with"),
        ("redis+magic://h", "must begin with"),
        ("unix+sentinel:///x/y", "must begin with"),
        ("redis://", "names no server"),
        ("unix://", "names no server"),
        ("redis+cluster://", "names no server"),
        ("redis+sentinel://a,,b/m", "names no server"),
        ("redis+sentinel://a:26379", "must name the Sentinels' service"),
        ("redis+sentinel://a/m/x", "must be a whole number"),
        ("redis+cluster://a/1", "has one database"),
        ("redis+cluster://a:x", "[Pp]ort"),
    ],
)
def test_addresses_that_are_none(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Address.of(url)


def test_the_queue_is_never_on_a_cluster() -> None:
    Settings(redis_url="redis+cluster://a", queue_url="redis+sentinel://b/m")
    for urls in ({"redis_url": "redis+cluster://a"}, {"redis_url": "redis://a", "queue_url": "redis+cluster://a"}):
        with pytest.raises(BadSetting, match=r"CLIFFTOP_QUEUE_URL.*Cluster"):
            Settings(**urls)


# --- real ones --------------------------------------------------------------------------------------------------------


def free_port() -> int:
    """Return a port nobody listens on, with room above it for a Cluster's own."""
    while True:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port: int = listening.getsockname()[1]
            if port < 55_000:
                return port


@contextmanager
def server(folder: Path, *options: str) -> Iterator[redis.Redis]:
    """Give a client of a running server, on a port that nobody else took meanwhile."""
    folder.mkdir()
    command = [str(find_binary()), *options, "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    process, port = start(command)
    try:
        with redis.Redis(port=port) as client:
            until(client.ping)
            yield client
    finally:
        process.terminate()
        process.wait(20)


def start(command: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start a server and return it and its port; where another process took the port first, it is tried again."""
    # A Sentinel once met the very server that it should watch: both had been given one port.
    for _ in range(5):
        port = free_port()
        process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL)
        until(partial(over_or_up, process, port))
        if process.poll() is None:
            return process, port
    raise AssertionError("no port stays free")


def port_of(client: redis.Redis) -> int:
    """Return the port a client talks to."""
    return int(client.connection_pool.connection_kwargs["port"])


def over_or_up(process: subprocess.Popen[bytes], port: int) -> bool:
    """Return whether a server has ended, or it is the one that answers at a port."""
    if process.poll() is not None:
        return True
    with redis.Redis(port=port) as client:
        return bool(client.info("server")["process_id"] == process.pid)


def until(holds: Callable[[], object]) -> None:
    """Return once something holds."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(redis.RedisError):
            if holds():
                return
        time.sleep(0.05)
    raise AssertionError("it never came about")


def play_a_match(settings: Settings) -> None:
    """Play a match to its end, and use everything that is stored beside it."""
    matches = Matches.open(settings, GAMES)
    try:
        matches.ping()
        match, _ = two_people(matches)
        assert Advice(matches).ask(match.id, 0).version == match.version
        assert matches.wait(match.id, match.version, 0.05).version == match.version
        over = play_out(matches, match.id)
        assert over.status == "over"
        assert matches.record(over, None)["outcome"] is not None
        assert matches.due() == []
        assert matches.lobby.rematch(over, 0, "x" * 8) is not None
        assert len(matches.store.load_all([match.id])) == 1
        assert [matches.store.tidy(number) for number in range(64)] == [0] * 64
        listed, _ = matches.store.listed(None, ["over", "open"], 10)
        assert any(match.id in place for place in listed)
    finally:
        matches.close()
        matches.store.client.close()
        matches.enqueue.queue.connection.close()  # type: ignore[union-attr]


def test_a_server_whose_port_another_took_gets_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(tmp_path / "first") as first:
        ports = iter([port_of(first), free_port()])
        monkeypatch.setattr(f"{__name__}.free_port", lambda: next(ports))
        with server(tmp_path / "second") as second:
            assert port_of(second) != port_of(first)
            assert second.info("server")["process_id"] != first.info("server")["process_id"]


def test_matches_on_a_cluster(tmp_path: Path, redis_url: str) -> None:
    with server(tmp_path / "node", "--cluster-enabled", "yes") as node:
        node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        until(lambda: b"cluster_state:ok" in node.execute_command("CLUSTER", "INFO"))
        play_a_match(Settings(redis_url=f"redis+cluster://127.0.0.1:{port_of(node)}", queue_url=redis_url))


def test_a_cluster_that_is_away(redis_url: str) -> None:
    settings = Settings(redis_url=f"redis+cluster://127.0.0.1:{free_port()}", queue_url=redis_url, redis_timeout_s=0.2)
    with pytest.raises(StoreUnavailable):
        connect(settings)


def test_matches_and_the_queue_behind_a_sentinel(tmp_path: Path) -> None:
    known = tmp_path / "sentinel.conf"
    with server(tmp_path / "server") as watched:
        known.write_text(f"sentinel monitor cliff 127.0.0.1 {port_of(watched)} 1\n")
        with server(tmp_path / "sentinel", str(known), "--sentinel") as sentinel:
            settings = Settings(redis_url=f"redis+sentinel://127.0.0.1:{port_of(sentinel)}/cliff/2")
            play_a_match(settings)
            with queue.connect(settings) as client:
                assert client.llen(f"rq:queue:{queue.ADVICE}") == 1
                assert client.connection_pool.connection_kwargs["db"] == 2
