"""The embedded server: found, private, durable, alone on its folder, and gone with its parent."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from redis import Redis

from service import embedded
from service.embedded import DataInUse, EmbeddedServer, NoServer, find_binary


def test_a_server_program_is_found_without_one_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert os.access(find_binary(), os.X_OK)


def test_an_old_server_on_the_path_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64'\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert find_binary() != old


def test_a_new_server_on_the_path_is_preferred(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = tmp_path / "valkey-server"
    new.write_text("#!/bin/sh\necho 'Valkey server v=8.1.0 sha=00000000:0 malloc=libc bits=64'\n")
    new.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert find_binary() == new


def test_no_program_at_all_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(embedded.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NoServer, match="CLIFFTOP_REDIS_URL"):
        find_binary()


def test_the_socket_is_in_a_folder_only_its_user_can_enter(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
        with Redis.from_url(server.url) as client:
            assert client.config_get("port") == {"port": "0"}
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_folder_with_a_long_or_odd_name_works(tmp_path: Path) -> None:
    for name in ("a b%41?c", "x" * 120):
        with EmbeddedServer(tmp_path / name) as server, Redis.from_url(server.url) as client:
            assert client.ping()


def test_what_was_written_is_there_after_kill_9(tmp_path: Path) -> None:
    first = EmbeddedServer(tmp_path)
    first.start()
    with Redis.from_url(first.url) as client:
        client.set("kept", "yes")
    assert first.process is not None
    first.process.kill()
    first.process.wait()
    with EmbeddedServer(tmp_path) as second, Redis.from_url(second.url) as client:
        assert client.get("kept") == b"yes"


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        with pytest.raises(DataInUse, match=str(tmp_path)):
            EmbeddedServer(tmp_path).start()
        with Redis.from_url(server.url) as client:
            assert client.ping()
    with EmbeddedServer(tmp_path):
        pass


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux signals the children of a killed parent")
def test_the_server_ends_with_its_parent_and_keeps_the_lock_until_then(tmp_path: Path) -> None:
    script = textwrap.dedent(
        f"""
        import time
        from pathlib import Path
        from service.embedded import EmbeddedServer
        server = EmbeddedServer(Path({str(tmp_path)!r}))
        server.start()
        print(server.process.pid, flush=True)
        time.sleep(60)
        """
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(child, signal.SIGSTOP)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    with pytest.raises(DataInUse):
        EmbeddedServer(tmp_path).start()
    os.kill(child, signal.SIGCONT)
    # Its last thread gives the lock back, which may be a moment after the process is a zombie.
    server = EmbeddedServer(tmp_path)
    deadline = time.monotonic() + 10
    while True:
        try:
            server.start()
            break
        except DataInUse:
            assert time.monotonic() < deadline, "the server outlived its parent by 10 s"
            time.sleep(0.01)
    server.stop()
