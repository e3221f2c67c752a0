"""The compiled cache: keyed by the sources that count, with a folder of its own for bounds-checked runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import cache


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder of three games' sources: one imports a shared file, one imports that one, one stands alone."""
    (tmp_path / "engines" / "game").mkdir(parents=True)
    for name, text in {"kernel": "A = 1", "game/state": "from engines import kernel", "game/alone": "import os"}.items():
        (tmp_path / "engines" / f"{name}.py").write_text(text)
    (tmp_path / "engines" / "game" / "rules.py").write_text("from engines.game.state import STATE")
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    forget()
    yield tmp_path / "engines"
    forget()


def forget() -> None:
    for remembered in (cache.digest, cache.dependencies, cache._imports):
        remembered.cache_clear()


@pytest.mark.parametrize("edited", ["kernel", "game/state", "game/rules"])
def test_the_digest_changes_with_any_source_it_imports(sources: Path, edited: str) -> None:
    before = cache.digest(sources / "game" / "rules.py")
    path = sources / f"{edited}.py"
    path.write_text(path.read_text() + "\nB = 2")
    forget()
    assert cache.digest(sources / "game" / "rules.py") != before


def test_the_digest_stays_when_another_source_is_edited(sources: Path) -> None:
    before = cache.digest(sources / "game" / "rules.py")
    (sources / "game" / "alone.py").write_text("B = 2")
    forget()
    assert cache.digest(sources / "game" / "rules.py") == before


def test_a_search_depends_on_no_game() -> None:
    files = {path.relative_to(cache.ROOT).as_posix() for path in cache.dependencies(cache.ROOT / "ai" / "ismcts.py")}
    assert "engines/kernel.py" in files
    assert not [name for name in files if name.count("/") > 1 and name.startswith("engines/")]


def test_functions_from_elsewhere_are_left_to_numba() -> None:
    assert cache.Locator.from_function(json.dumps, json.__file__) is None


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
