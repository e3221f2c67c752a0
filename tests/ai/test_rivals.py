"""The comparison with other searches: its command, over the smallest of budgets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks import rivals
from engines.game import Json
from tests.ai.conftest import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole matches of searches")


def compared(*arguments: str) -> Result:
    common = ["last-lemming", "--seats", "2", "--budget", "4it", "--matches", "2", "--jobs", "1"]
    return CliRunner().invoke(rivals.main, [*common, *arguments])


def test_every_rival_is_compared_and_kept(tmp_path: Path) -> None:
    # The second of several tables once failed: `--json` and `--keep` got into each other's way.
    kept, found = tmp_path / "deals.jsonl", tmp_path / "found.jsonl"
    files = ["--keep", str(kept), "--json", str(found)]
    first, again = compared(*files), compared(*files)
    for result in (first, again):
        assert result.exit_code == 0, result.output
        assert [f"against {rival} at 4it" in result.output for rival in rivals.RIVALS] == [True] * 3
    assert len(kept.read_text().splitlines()) == 3
    lines = [json.loads(line) for line in found.read_text().splitlines()]
    assert lines[:3] == lines[3:]


def test_a_file_of_something_else_is_refused_by_the_benchmarks_too(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text("Dear diary\n")
    result = compared("--rival", "plain", "--keep", str(file))
    assert result.exit_code == 2
    assert "is no deal of an arena" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("game", "seats", "options", "rival", "iterations", "matches", "least"),
    [
        ("last-lemming", 2, {}, "plain", 300, 40, 0.55),
        ("lemminge", 2, {"board": "horseshoe"}, "plain", 40, 8, 0.8),
        ("lemminge", 2, {"board": "horseshoe"}, "pimc", 150, 16, 0.6),
        ("lemmings", 2, {}, "plain", 200, 60, 0.55),
        ("valhalla", 2, {}, "plain", 60, 30, 0.65),
        ("lemminge", 4, {"board": "horseshoe"}, "plain", 20, 4, 0.7),
        ("lemmings", 4, {}, "plain", 600, 32, 0.3),
        ("valhalla", 4, {}, "plain", 60, 40, 0.35),
    ],
)
def test_the_search_is_stronger_than_its_rivals(
    game: str, seats: int, options: Json, rival: str, iterations: int, matches: int, least: float
) -> None:
    # So many iterations, not so much time: the same matches on every machine. For two they scored 62.5, 100, 68.8, 68.3 and
    # 83.3 % when this was written; for four, where a quarter is par, they won 100, 50 and 38.8 %. How much that proves,
    # `benchmarks.rivals` says over more of them.
    budget = f"{iterations}it"
    found = rivals.measure(rivals.Table(rivals.Mode(game, seats, options), rival, budget, budget), matches, 1, 1, None)
    assert found.matches == matches
    assert found.score.value > least
