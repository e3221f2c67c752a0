"""The ladder: what ratings a chain of scores gives; no match is played."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ai.arena import Pairing
from ai.levels import measured
from ai.statistics import Interval, elo, score_of
from benchmarks import ladder
from engines import PACKAGES

PLAN = ladder.Plan(deals=10, top_deals=10, jobs=1)
HALF_WIDTH = 0.05
#: A level scores so much against the one below, in play for two.
LEAST, MOST = 0.60, 0.75


def scoring(scores: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each level score so much against the one below."""

    def compare(_game: str, _seats: int, player: str, rival: str, *_: object) -> tuple[Pairing, int]:
        value = scores[player]
        score = Interval(value, value - HALF_WIDTH, value + HALF_WIDTH)
        return Pairing(player, rival, score, score.map(elo), 1.0, score), 20

    monkeypatch.setattr(ladder, "compare", compare)


def test_ratings_are_sums_of_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    scoring({"level:1": 0.1, "level:2": 0.6, "level:3": 0.7}, monkeypatch)
    found = ladder.climb("valhalla", 2, [1, 2, 3], PLAN)
    assert [rung.rating[0] for rung in found.values()] == [1000, round(1000 + elo(0.6)), round(1000 + elo(0.6) + elo(0.7))]
    assert found[1].rating == [1000, 1000, 1000]
    # Errors add in squares.
    below, above = (elo(value) - elo(value - HALF_WIDTH) for value in (0.6, 0.7))
    assert found[3].rating[0] - found[3].rating[1] == pytest.approx((below**2 + above**2) ** 0.5, abs=1)


def test_a_level_that_scores_less_than_half_has_the_elo_below(monkeypatch: pytest.MonkeyPatch) -> None:
    scoring({"level:1": 0.1, "level:2": 0.6, "level:3": 0.4, "level:4": 0.6}, monkeypatch)
    found = ladder.climb("valhalla", 4, [1, 2, 3, 4], PLAN)
    one, two, three, four = (rung.rating[0] for rung in found.values())
    assert one < two == three < four
    assert four == round(1000 + 2 * elo(0.6))


@pytest.mark.parametrize("game", PACKAGES)
def test_steps_for_two_are_as_wide_as_promised(game: str) -> None:
    ratings = [rating.elo for _, rating in sorted(measured(game)["2"].items())]
    for below, above in pairwise(ratings):
        # Ratings are rounded to whole points.
        assert elo(LEAST) - 1 <= above - below <= elo(MOST) + 1, score_of(above - below)
