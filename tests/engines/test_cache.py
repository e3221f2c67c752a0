"""The compiled cache: keyed by all sources, with a folder of its own for bounds-checked runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engines import cache


def test_the_digest_changes_with_any_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "engines" / "game").mkdir(parents=True)
    (tmp_path / "ai").mkdir()
    source = tmp_path / "engines" / "game" / "rules.py"
    source.write_text("A = 1")
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    before = cache.digest()
    source.write_text("A = 2")
    assert cache.digest() != before


def test_bounds_checked_runs_have_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("CLIFFTOP_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "0")
    plain = cache.folder()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert cache.folder() != plain
    assert cache.folder().parent == plain.parent == tmp_path


def test_a_second_process_compiles_nothing(tmp_path: Path):
    code = (
        "import engines\n"
        "from tests.toy import GAME, deal, play\n"
        "GAME.new(2, {}, bytes(32))\n"
        "print(sum(sum(k.stats.cache_misses.values()) for k in (deal, play)))\n"
    )
    env = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    env["CLIFFTOP_CACHE_DIR"] = str(tmp_path)
    command = [sys.executable, "-W", "error", "-c", code]
    runs = [subprocess.run(command, env=env, cwd=cache.ROOT, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [int(run.stdout) for run in runs] == [2, 0]
