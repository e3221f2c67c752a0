"""The levels between levels, and those that answer an Elo rating."""

from __future__ import annotations

import pytest

from ai.levels import LEVELS, Rating, level_for, level_of, ratings
from engines import GAMES


@pytest.mark.parametrize("number", LEVELS)
def test_a_whole_level_is_that_of_the_table(number: int) -> None:
    assert level_of(number) == level_of(float(number)) == LEVELS[number]


def test_half_way_lies_between() -> None:
    between = level_of(3.5)
    assert LEVELS[4].blunder < between.blunder < LEVELS[3].blunder
    assert LEVELS[4].temperature < between.temperature < LEVELS[3].temperature
    assert (LEVELS[3].iterations or 0) < (between.iterations or 0) < (LEVELS[4].iterations or 0)


@pytest.mark.parametrize("number", [0, 0.99, 8.01, 9, -1, float("nan")])
def test_there_is_no_level_out_of_range(number: float) -> None:
    with pytest.raises(ValueError, match="there are 1 to 8"):
        level_of(number)


@pytest.mark.parametrize(("elo", "level"), [(1000, 1), (1050, 1.5), (1100, 2), (1150, 2.25), (1300, 3)])
def test_an_elo_is_answered_by_interpolation(ladder: None, elo: float, level: float) -> None:
    assert level_for("toy", 2, elo) == level


@pytest.mark.parametrize("elo", [999, 1301, float("nan")])
def test_an_elo_out_of_range_is_refused_with_the_range(ladder: None, elo: float) -> None:
    with pytest.raises(ValueError, match="1000 to 1300"):
        level_for("toy", 2, elo)


def test_a_game_without_ratings_says_so(ladder: None) -> None:
    assert ratings("chess", 2) == {}
    with pytest.raises(ValueError, match="no ratings"):
        level_for("chess", 2, 1000)


@pytest.mark.parametrize(("seats", "elo"), [(2, 1100), (3, 1100), (4, 1050), (6, 1050)])
def test_the_nearest_number_of_seats_answers(ladder: None, seats: int, elo: float) -> None:
    assert ratings("toy", seats)[2] == Rating(elo, elo - 50, elo + 50)


@pytest.mark.parametrize("name", GAMES)
def test_the_measured_ladder_rises(name: str) -> None:
    for seats in range(GAMES[name].min_seats, GAMES[name].max_seats + 1):
        known = [rating.elo for _, rating in sorted(ratings(name, seats).items())]
        assert known == sorted(known)
        assert len(known) in (0, len(LEVELS))
