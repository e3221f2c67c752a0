"""The commands that measure refuse nonsense before they play anything, and say what would be right."""

from __future__ import annotations

from importlib import import_module

import pytest
from click.testing import CliRunner

from ai import calibrate

#: Commands of `benchmarks/` that play, and what each has of the options they share.
COMMANDS = {
    "adapter_speed": "games rounds",
    "engine_speed": "games rounds",
    "ladder": "games jobs seats keep",
    "openspiel_rival": "games jobs ours keep",
    "rivals": "games jobs budget ours seats keep json",
    "search_memory": "games",
    "search_speed": "games rounds",
    "self_play": "games jobs budget matches",
    "strength": "games jobs budget",
}
NONSENSE = {
    "games": (["lemings"], "'lemings' is not one of 'last-lemming', 'lemminge', 'lemmings', 'valhalla'"),
    "rounds": (["--rounds", "0"], "0 is not in the range x>=1"),
    "jobs": (["--jobs", "0"], "0 is not in the range x>=1"),
    "matches": (["--matches", "0"], "0 is not in the range x>=1"),
    "seats": (["--seats", "1"], "1 is not in the range x>=2"),
    "budget": (["--budget", "soon"], "a budget is like 100ms, 1s or 2000it, not 'soon'"),
    "ours": (["--ours", "0it"], "a budget is like 100ms, 1s or 2000it, not '0it'"),
    "keep": (["--keep", "/no/such/folder/deals"], "there is no folder /no/such/folder"),
    "json": (["--json", "/no/such/folder/found"], "there is no folder /no/such/folder"),
}


@pytest.mark.parametrize(("command", "option"), [(c, o) for c, options in COMMANDS.items() for o in options.split()])
def test_a_benchmark_refuses_nonsense(command: str, option: str) -> None:
    # A budget of `1s`, a game or a folder that there is not, no rounds: most of these ended in tracebacks, some after hours.
    words, reason = NONSENSE[option]
    result = CliRunner().invoke(import_module(f"benchmarks.{command}").main, words)
    assert result.exit_code == 2, result.output
    assert reason in " ".join(result.output.split())


@pytest.mark.parametrize("option", ["jobs", "json"])
def test_finding_levels_refuses_nonsense(option: str) -> None:
    words, reason = NONSENSE[option]
    result = CliRunner().invoke(calibrate.main, ["lemmings", *words])
    assert result.exit_code == 2, result.output
    assert reason in " ".join(result.output.split())


def test_no_mode_for_so_many_seats_is_said() -> None:
    result = CliRunner().invoke(import_module("benchmarks.rivals").main, ["lemminge", "--seats", "6"])
    assert result.exit_code == 2
    assert "lemminge is compared with 2 or 4 seats" in result.output
