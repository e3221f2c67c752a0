"""The lock files: every package with its hashes, nothing that names a place to fetch it from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-run.lock", "requirements-research.lock")
ENTRY = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def pinned(name: str) -> dict[str, str]:
    """Return version by package."""
    return {
        found.group(1): found.group(2)
        for line in (ROOT / name).read_text().splitlines()
        if (found := ENTRY.match(line)) is not None
    }


def wanted(*extras: str) -> set[str]:
    """Return the packages that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = project["dependencies"] + [name for extra in extras for name in project["optional-dependencies"][extra]]
    return {re.split(r"[<>=!~\[; ]", name)[0].lower().replace("_", "-") for name in asked}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_pins_and_hashes_and_nothing_else(lock: str) -> None:
    lines = (ROOT / lock).read_text().splitlines()
    assert [line for line in lines if not ENTRY.match(line) and not HASH.match(line)] == []


@pytest.mark.parametrize(
    ("lock", "extras"),
    [
        ("requirements.lock", ("build", "dev")),
        ("requirements-run.lock", ("build",)),
        ("requirements-research.lock", ("bench", "research")),
    ],
)
def test_a_lock_has_all_that_the_project_asks_for(lock: str, extras: tuple[str, ...]) -> None:
    assert wanted(*extras) <= set(pinned(lock))


def test_the_image_and_the_benchmarks_run_what_was_tested() -> None:
    tested = pinned("requirements.lock")
    assert set(pinned("requirements-run.lock").items()) <= set(tested.items())
    research = pinned("requirements-research.lock")
    assert {name: version for name, version in research.items() if tested.get(name, version) != version} == {}
