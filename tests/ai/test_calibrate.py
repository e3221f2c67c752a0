"""Finding levels of even steps."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ai import calibrate
from ai.calibrate import level_at, seek
from ai.levels import Level

FAMILY = (4000, 0.4)


def test_a_family_of_levels_grows_stronger() -> None:
    levels = [level_at(strength / 10, *FAMILY) for strength in range(11)]
    for lower, higher in pairwise(levels):
        assert (lower.iterations or 0) < (higher.iterations or 0)
        assert lower.temperature > higher.temperature
        assert lower.blunder >= higher.blunder
    assert (levels[0].blunder, levels[-1].blunder, levels[-1].iterations) == (0.4, 0, 4000)


def test_the_strength_that_scores_as_wanted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "score", lambda game, level, rival, deals: 1 - level.temperature)
    assert seek("toy", "greedy", 0.67, 0.1, FAMILY, 5, 12) == pytest.approx(0.67, abs=0.02)


def test_what_cannot_be_reached_ends_at_the_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    def score(game: str, level: Level, rival: str, deals: int) -> float:
        return 0.0

    monkeypatch.setattr(calibrate, "score", score)
    assert seek("toy", "greedy", 0.67, 0.1, FAMILY, 5, 12) == pytest.approx(1, abs=0.01)
