"""Intervals, Elo and the sequential test, against known values and synthetic matches."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from ai.statistics import Interval, Sprt, elo, quantile, ratio, score_of, share


@pytest.mark.parametrize(
    ("freedom", "value"), [(4, 2.776445), (9, 2.262157), (29, 2.045230), (99, 1.984217), (10**6, 1.959966)]
)
def test_quantiles_of_student(freedom: int, value: float) -> None:
    assert quantile(freedom) == pytest.approx(value, abs=2e-3)


def test_independent_deals_give_wilsons_interval() -> None:
    # 30 of 100 won: Wilson's score interval is 0.2189 to 0.3958; ours is a little wider, as the variance is estimated.
    found = share([1.0] * 30 + [0.0] * 70)
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.2189, abs=0.003)
    assert found.high == pytest.approx(0.3958, abs=0.003)


def test_an_interval_stays_within_bounds_and_is_never_empty() -> None:
    for deals in ([1.0] * 40, [0.0] * 40, [0.5] * 40, [1.0], [0.0, 0.0]):
        found = share(deals)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.high - found.low > 0.05


def test_no_deal_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one deal"):
        share([])


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.62])
def test_nineteen_of_twenty_intervals_hold_the_truth(chance: float) -> None:
    # Four matches a deal, not independent: with some probability the cards decide all four.
    draws = random.Random(int(chance * 100))

    def deal() -> float:
        if draws.random() < 0.3:
            return float(draws.random() < chance)
        return fmean(float(draws.random() < chance) for _ in range(4))

    held = 0
    for _ in range(1500):
        found = share([deal() for _ in range(60)])
        held += found.low <= chance <= found.high
    assert 0.93 <= held / 1500 <= 0.975


def test_duplicate_deals_narrow_the_interval() -> None:
    # Where the seat decides everything and every rotation is played, equal players win exactly half of every deal.
    paired = share([0.5] * 100)
    single = share([1.0, 0.0] * 50)
    assert paired.value == single.value == 0.5
    assert paired.high - paired.low <= single.high - single.low + 1e-3


def test_elo_and_scores_are_inverse() -> None:
    for difference in (-700.0, -100.0, 0.0, 35.0, 400.0):
        assert elo(score_of(difference)) == pytest.approx(difference)
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo(0.0) == -1200
    assert elo(1.0) == 1200


def test_an_interval_maps_its_ends() -> None:
    assert Interval(0.5, 0.25, 0.75).map(lambda x: 2 * x) == Interval(1.0, 0.5, 1.5)


@pytest.mark.parametrize(("truth", "verdict"), [(-10.0, "low"), (60.0, "high")])
def test_the_sequential_test_decides_rightly(truth: float, verdict: str) -> None:
    draws = random.Random(1)
    sprt = Sprt(0, 50)
    right = 0
    for _ in range(60):
        deals: list[float] = []
        while (decided := sprt.verdict(deals)) is None:
            deals.append(fmean(float(draws.random() < score_of(truth)) for _ in range(2)))
        right += decided == verdict
    assert right >= 54


def test_the_sequential_test_waits_for_something_to_judge_by() -> None:
    sprt = Sprt(0, 50)
    assert sprt.likelihood([]) == 0
    assert sprt.likelihood([1.0]) == 0
    assert sprt.likelihood([0.5, 0.5, 0.5]) == 0
    assert sprt.verdict([1.0, 0.0]) is None
    assert Sprt(-50, 50).likelihood([1.0, 0.0, 1.0]) > 0 > Sprt(-50, 50).likelihood([0.0, 1.0, 0.0])


def test_a_ratio_of_all_is_the_share() -> None:
    deals = [1.0, 0.5, 0.5, 0.0, 1.0, 1.0]
    assert ratio(deals, [1.0] * 6) == share(deals)


def test_a_ratio_leaves_out_what_is_not_decided() -> None:
    found = ratio([0.5, 0.0, 1.0, 0.0] * 10, [0.5, 0.0, 1.0, 0.5] * 10)
    assert found.value == pytest.approx(0.75)
    assert 0.5 < found.low < 0.75 < found.high < 1


def test_a_ratio_of_nothing_says_nothing() -> None:
    assert ratio([0.0, 0.0], [0.0, 0.0]) == Interval(0.5, 0.0, 1.0)
    with pytest.raises(ValueError, match="at least one deal"):
        ratio([], [])


def test_the_interval_of_a_ratio_covers_the_truth() -> None:
    draws = random.Random(4)
    covered = 0
    for _ in range(300):
        wholes = [float(draws.random() < 0.3) for _ in range(120)]
        found = ratio([whole * (draws.random() < 0.7) for whole in wholes], wholes)
        covered += found.low <= 0.7 <= found.high
    assert covered > 270
