"""`clifftop match`: on a running server, and on one of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.serving import PATIENCE_S, Serving, environment


def match(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli", "match", *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=4 * PATIENCE_S)


def check(answer: subprocess.CompletedProcess[str], players: int) -> None:
    """A whole match was printed: who plays, what everybody may see of it in order, how it ended."""
    assert (answer.returncode, answer.stderr) == (0, "")
    first, *moves, last = answer.stdout.splitlines()
    assert first.startswith("last-lemming ")
    assert first.count("seat ") == players
    versions = [int(line.split(maxsplit=1)[0]) for line in moves]
    assert versions == sorted(versions)
    assert len(set(versions)) > 20
    assert "match.ended" in moves[-1]
    assert re.fullmatch(r"won by seat .+ \(\w+\), ranking \[.+\].*", last)


def test_on_a_running_server(server: Serving, tmp_path: Path) -> None:
    check(match("last-lemming", "--seats", "ai:1,ai:2,ai:1", "--address", server.address, **environment(tmp_path)), 3)


def test_on_a_server_of_its_own_that_is_gone_afterwards(tmp_path: Path) -> None:
    environ = environment(tmp_path, CLIFFTOP_WORKERS="1", CLIFFTOP_WEB_PROCESSES="1", TMPDIR=str(tmp_path))
    check(match("last-lemming", "--seats", "ai:1,ai:1", "--option", "two_lemmings=true", **environ), 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("last-lemming", "--seats", "ai:1,me"), "'me' is no seat; write ai:LEVEL"),
        (("last-lemming", "--seats", "ai:1,ai:1", "--option", "edition"), "'edition' is not NAME=VALUE"),
        (("chess", "--seats", "ai:1,ai:1"), "(unknown_game)"),
        (("last-lemming", "--seats", "ai:1"), "(bad_seats)"),
        (("last-lemming", "--seats", "ai:1,ai:99"), "(unknown_level)"),
        (("last-lemming", "--seats", "ai:1,ai:1", "--option", "pace=slow"), "(bad_options)"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(
    server: Serving, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    answer = match(*arguments, "--address", server.address, **environment(tmp_path))
    assert answer.returncode in (1, 2)
    assert reason in answer.stderr
    assert "Traceback" not in answer.stderr


def test_an_address_without_a_server_is_named(tmp_path: Path) -> None:
    answer = match("last-lemming", "--seats", "ai:1,ai:1", "--address", "http://127.0.0.1:9/", **environment(tmp_path))
    assert (answer.returncode, answer.stderr) == (1, "Error: no Clifftop server is ready at http://127.0.0.1:9/\n")
