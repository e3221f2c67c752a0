"""The levels of every game, those between them, and those that answer an Elo rating."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ai.levels import DEFAULT, LEVELS, NUMBERS, Level, Rating, between, level_for, level_of, levels_of, ratings
from engines import GAMES, PACKAGES

#: A set of levels that a game might have.
FILLED = tuple(Level(100 + number, 10 * 2**number, 0.8 - 0.1 * number, 0.4 - 0.05 * number) for number in NUMBERS)


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, "filled", FILLED)


def test_the_table_has_registered_games_only() -> None:
    assert set(LEVELS) <= set(PACKAGES)


@pytest.mark.parametrize("game", [*PACKAGES, "toy"])
def test_every_game_has_eight_levels_that_keep_their_time(game: str) -> None:
    levels = levels_of(game)
    assert list(levels) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(levels[number].milliseconds <= 150 for number in (1, 2, 3, 4))
    assert all(level.milliseconds < 1000 for level in levels.values())


@pytest.mark.parametrize("game", [*PACKAGES, "toy"])
def test_lower_levels_think_less_and_err_more(game: str) -> None:
    levels = levels_of(game)
    for lower, higher in pairwise(levels.values()):
        assert lower != higher
        assert lower.iterations <= higher.iterations
        assert lower.milliseconds <= higher.milliseconds
        assert lower.temperature >= higher.temperature
        assert lower.worst >= higher.worst
        assert lower.blunder + lower.worst >= higher.blunder + higher.worst
    assert levels[1].iterations < levels[8].iterations
    assert (levels[8].temperature, levels[8].blunder, levels[8].worst) == (0, 0, 0)


def test_a_game_has_its_own_levels_or_the_default_ones(filled: None) -> None:
    assert tuple(levels_of("filled").values()) == FILLED
    assert tuple(levels_of("toy").values()) == DEFAULT
    assert level_of("filled", 4) != level_of("toy", 4)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_whole_level_is_that_of_the_table(number: int, filled: None) -> None:
    for game in ("filled", "toy"):
        assert level_of(game, number) == level_of(game, float(number)) == levels_of(game)[number]


@pytest.mark.parametrize("game", [*PACKAGES, "toy", "filled"])
def test_strength_rises_from_level_to_level(game: str, filled: None) -> None:
    rising = [level_of(game, number / 10) for number in range(10, 81)]
    for lower, higher in pairwise(rising):
        assert lower.iterations <= higher.iterations
        assert lower.milliseconds <= higher.milliseconds + 1e-9
        assert lower.temperature >= higher.temperature - 1e-9
        assert lower.worst >= higher.worst - 1e-9
        assert lower.blunder + lower.worst >= higher.blunder + higher.worst - 1e-9


def test_half_way_lies_between() -> None:
    low, half, high = (level_of("toy", number) for number in (3, 3.5, 4))
    assert high.blunder < half.blunder < low.blunder
    assert high.temperature < half.temperature < low.temperature
    assert half.iterations == round((low.iterations * high.iterations) ** 0.5)


def test_iterations_are_mixed_on_a_logarithmic_scale() -> None:
    assert between(Level(100, 10, 1.0, 0.4), Level(300, 1000, 0.0, 0.0), 0.5) == Level(200, 100, 0.5, 0.2, False)


@pytest.mark.parametrize("number", [0, 0.99, 8.01, 9, -1, float("nan")])
def test_there_is_no_level_out_of_range(number: float) -> None:
    with pytest.raises(ValueError, match="there are 1 to 8"):
        level_of("toy", number)


@pytest.mark.parametrize(("elo", "level"), [(1000, 1), (1050, 1.5), (1100, 2), (1150, 2.25), (1300, 3)])
def test_an_elo_is_answered_by_interpolation(ladder: None, elo: float, level: float) -> None:
    assert level_for("toy", 2, elo) == level


def test_of_levels_found_equal_the_highest_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"2": {"1": [1000] * 3, "2": [1100] * 3, "3": [1100] * 3, "4": [1100] * 3}}
    monkeypatch.setattr("ai.levels._ladder", lambda: {"toy": found})
    assert [level_for("toy", 2, elo) for elo in (1000, 1050, 1100)] == [1, 1.5, 4]


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
        assert len(known) == len(NUMBERS)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_game_answers_an_elo_for_any_number_of_seats(name: str) -> None:
    for seats in range(GAMES[name].min_seats, GAMES[name].max_seats + 1):
        rated = ratings(name, seats)
        assert level_for(name, seats, rated[1].elo) == 1
        assert level_for(name, seats, rated[8].elo) == 8
        assert 1 < level_for(name, seats, 1200) < 8
