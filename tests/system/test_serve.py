"""`clifftop serve` from its start to its end, also when things go wrong."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from tests.system.playing import ais, create, good
from tests.system.serving import PATIENCE_S, Serving, environment, eventually

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for remains in /proc")


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command of ours to its end."""
    command = [sys.executable, "-m", "service.cli", *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_clean_with_streams_open_and_thoughts_begun(tmp_path: Path, signal_number: int) -> None:
    with Serving(tmp_path / "data") as serving, serving.client() as client:
        ada = create(client, [{"kind": "me", "name": "Ada"}, *ais(8, 8)])
        told: list[str] = []

        def listen() -> None:
            with client.stream("GET", f"{ada.path}/events", headers={"Accept": "text/event-stream"}) as stream:
                told.extend(stream.iter_lines())
            told.append("closed")

        thread = threading.Thread(target=listen)
        thread.start()
        eventually(lambda: ada.look()["version"] >= 2)
        assert len(serving.remains()) >= 7
        assert serving.stop(signal_number) == 0
        thread.join(PATIENCE_S)
        assert told[-1] == "closed", "the stream was ended, not broken"
        assert "killed" not in serving.log


def test_what_was_played_is_there_after_the_next_start(tmp_path: Path) -> None:
    with Serving(tmp_path / "data") as serving, serving.client() as client:
        ada = create(client, [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}])
        before = ada.look()
        assert serving.stop() == 0
    with Serving(tmp_path / "data") as serving, serving.client() as client:
        ada.client = client
        assert ada.look() == before


def test_a_data_folder_in_use_is_refused_and_left_alone(server: Serving) -> None:
    second = run("serve", **environment(server.data_dir))
    assert second.returncode == 3
    assert f"the data folder {server.data_dir} is in use by another server" in second.stderr
    assert "CLIFFTOP_DATA_DIR" in second.stderr
    with server.client() as client:
        assert good(client.get("/readyz")) == {"status": "ready"}


def test_an_address_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = run("serve", **environment(tmp_path, CLIFFTOP_PORT=port))
    assert answer.returncode == 5
    assert f"cannot listen on 127.0.0.1:{port} (Address already in use)" in answer.stderr


@pytest.mark.parametrize("command", ["serve", "worker", "sweeper"])
def test_a_bad_setting_stops_the_start(command: str, tmp_path: Path) -> None:
    answer = run(command, **environment(tmp_path, CLIFFTOP_WORKERS="none"))
    assert answer.returncode == 2
    assert "CLIFFTOP_WORKERS: must be a whole number, not 'none'" in answer.stderr


@pytest.mark.parametrize("command", ["worker", "sweeper"])
def test_a_process_of_its_own_needs_a_server(command: str, tmp_path: Path) -> None:
    answer = run(command, **environment(tmp_path))
    assert answer.returncode == 2
    assert "CLIFFTOP_REDIS_URL: must name a server" in answer.stderr


def test_a_web_server_that_is_killed_is_started_again_and_nobody_is_refused(own_server: Serving) -> None:
    address = own_server.address
    os.kill(own_server.pid("web"), signal.SIGKILL)
    own_server.says("web was ended by SIGKILL; it is started again")
    # A request that comes now waits for the new one: the socket was listening all the time.
    assert httpx.get(f"{address}/healthz", timeout=PATIENCE_S).status_code == httpx.codes.OK


def test_when_the_parent_is_killed_all_end(own_server: Serving) -> None:
    own_server.process.kill()
    own_server.process.wait()
    eventually(lambda: own_server.remains() == {}, otherwise=lambda: str(own_server.remains()))
