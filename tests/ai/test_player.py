"""The AI as a player: what it may see, what it plays at which level, and that anyone can have its thoughts again."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ai import player, playouts
from ai.levels import LEVELS, NUMBERS, Level, level_of
from ai.player import quick, think, warm
from engines.game import Game
from tests.ai.conftest import COMPILED, position
from tests.toy import GAME as TOY

ITERATIONS = 200 if COMPILED else 30


def test_a_thought_can_be_had_again(game: Game) -> None:
    state, seat = position(game, 3)
    redacted = game.redact(state, seat)
    first = think(game, redacted, seat, seed=2**64 - 1, milliseconds=20)
    again = think(game, redacted, seat, seed=2**64 - 1, iterations=first.iterations)
    assert replace(again, milliseconds=first.milliseconds) == first


@pytest.mark.parametrize("level", NUMBERS)
def test_a_thought_at_a_level_can_be_had_again(level: int) -> None:
    state, seat = position(TOY, 0)
    redacted = TOY.redact(state, seat)
    quicker = replace(level_of(TOY.name, level), milliseconds=20)
    first = think(TOY, redacted, seat, seed=5, level=quicker)
    again = think(TOY, redacted, seat, seed=5, level=level, iterations=first.iterations)
    assert (again.action, again.choices) == (first.action, first.choices)


def test_hidden_cards_make_no_difference(game: Game) -> None:
    for plays in (0, 4, 9):
        state, seat = position(game, plays)
        redacted = game.redact(state, seat)
        thought = think(game, redacted, seat, seed=11, iterations=ITERATIONS)
        for world in range(3):
            other = game.redact(game.imagine(redacted, seat, world), seat)
            again = think(game, other, seat, seed=11, iterations=ITERATIONS)
            assert (again.action, again.choices, again.digest) == (thought.action, thought.choices, thought.digest)


def test_what_a_thought_tells(game: Game) -> None:
    state, seat = position(game, 1)
    redacted = game.redact(state, seat)
    thought = think(game, redacted, seat, seed=1, iterations=ITERATIONS)
    assert thought.action == thought.choices[0].action
    assert thought.iterations == ITERATIONS
    assert thought.digest == hashlib.sha256(game.dump(redacted)).hexdigest()
    assert thought.milliseconds > 0
    visits = [choice.visits for choice in thought.choices]
    assert visits == sorted(visits, reverse=True)


def test_every_thought_is_legal(game: Game) -> None:
    state, _ = position(game, 0)
    for number in range(60):
        awaited = game.awaiting(state)
        if not awaited:
            break
        seat = awaited[number % len(awaited)]
        redacted = game.redact(state, seat)
        action = think(game, redacted, seat, seed=number, level=1).action
        assert quick(game, redacted, seat, number) in game.legal(state, seat)
        state = game.play(state, seat, action)


def test_a_forced_decision_needs_no_search() -> None:
    state = TOY.new(2, {}, bytes(32))
    while int(state.turn) < 2:
        seat = TOY.awaiting(state)[0]
        state = TOY.play(state, seat, TOY.legal(state, seat)[0])
    thought = think(TOY, TOY.redact(state, 1), 1, seed=0, milliseconds=1000)
    assert thought.action == TOY.legal(state, 1)[0]
    assert thought.iterations == 0
    assert thought.choices[0].payoff is None


def test_real_states_and_others_views_are_refused(game: Game) -> None:
    state, seat = position(game, 0)
    other = (seat + 1) % int(state.seats)
    world = game.imagine(game.redact(state, seat), seat, 1)
    played = game.play(state, seat, game.legal(state, seat)[0])
    for refused in (state, world, played):
        with pytest.raises(ValueError, match="redacted"):
            think(game, refused, seat, seed=0, level=1)
        with pytest.raises(ValueError, match="redacted"):
            quick(game, refused, seat, 0)
    with pytest.raises(ValueError, match="redacted"):
        think(game, game.redact(state, other), seat, seed=0, level=1)


def test_a_seat_that_is_not_awaited_is_refused() -> None:
    state = TOY.new(3, {}, bytes(32))
    waiting = TOY.play(state, 0, TOY.legal(state, 0)[0])
    with pytest.raises(ValueError, match="nothing to decide"):
        think(TOY, TOY.redact(waiting, 0), 0, seed=0, level=1)


@pytest.mark.parametrize("seat", [-1, 2, 5])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    state = TOY.new(2, {}, bytes(32))
    with pytest.raises(ValueError, match="seats are 0 to 1"):
        think(TOY, TOY.redact(state, 0), seat, seed=0, level=1)


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="not one of Toy"):
        think(TOY, np.zeros(1, np.dtype((np.record, [("seats", "i1")])))[0], 0, seed=0, level=1)


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({}, "needs a level"),
        ({"level": 0}, "no level 0; there are 1 to 8"),
        ({"level": 9}, "no level 9"),
        ({"iterations": 0}, "at least 1"),
    ],
)
def test_bad_budgets_are_refused(budget: dict[str, int], reason: str) -> None:
    state = TOY.new(2, {}, bytes(32))
    with pytest.raises(ValueError, match=reason):
        think(TOY, TOY.redact(state, 0), 0, seed=0, **budget)


def test_a_game_without_a_playout_file_is_played_on_at_random() -> None:
    found = playouts.find(TOY)
    assert found.choose is found.uniform
    assert found.cut == 0
    assert not found.players


def test_a_level_is_the_one_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, TOY.name, tuple(Level(950, 10 * number, 1.0, 0.0) for number in NUMBERS))
    state, seat = position(TOY, 0)
    assert think(TOY, TOY.redact(state, seat), seat, seed=5, level=3).iterations == 30
    assert think(TOY, TOY.redact(state, seat), seat, seed=5, level=3.5).iterations == 35


def test_a_level_stops_when_the_rest_cannot_change_what_it_plays(game: Game) -> None:
    stopped = 0
    for number in range(8):
        state, seat = position(game, 2 * number)
        redacted = game.redact(state, seat)
        if len(game.legal(redacted, seat)) > 1:
            early = think(game, redacted, seat, seed=number, level=Level(60_000, ITERATIONS, 0.0, 0.0))
            whole = think(game, redacted, seat, seed=number, iterations=ITERATIONS)
            again = think(game, redacted, seat, seed=number, iterations=early.iterations)
            assert (early.action, early.choices) == (whole.action, again.choices)
            assert ITERATIONS / 2 < early.iterations <= ITERATIONS
            stopped += early.iterations < ITERATIONS
    assert stopped


@pytest.mark.parametrize("level", [Level(60_000, ITERATIONS, 0.3, 0.0), Level(60_000, ITERATIONS, 0.0, 0.0, worst=0.1)])
def test_a_level_that_may_play_another_action_spends_all_its_iterations(level: Level) -> None:
    state, seat = position(TOY, 0)
    assert think(TOY, TOY.redact(state, seat), seat, seed=5, level=level).iterations == ITERATIONS


def picks(level: Level, times: int) -> Counter[int]:
    """Return what a level plays, over so many seeds, after one and the same search."""
    choices = [player.Choice(action, visits, visits / 100, 0.5) for action, visits in ((7, 60), (3, 30), (5, 10))]
    return Counter(player._pick(choices, [3, 5, 7, 9], seed, level) for seed in range(times))


def test_at_temperature_0_the_most_visited_is_played() -> None:
    assert picks(Level(1, 1, 0, 0), 50) == {7: 50}


def test_at_temperature_1_actions_are_played_by_their_share() -> None:
    found = picks(Level(1, 1, 1, 0), 2000)
    assert abs(found[7] - 1200) < 100
    assert abs(found[3] - 600) < 100
    assert abs(found[5] - 200) < 60


def test_blunders_are_any_legal_action() -> None:
    found = picks(Level(1, 1, 0, 1), 2000)
    assert set(found) == {3, 5, 7, 9}
    assert all(abs(count - 500) < 100 for count in found.values())
    some = picks(Level(1, 1, 0, 0.2), 2000)
    assert abs(some[9] - 100) < 40


def test_the_worst_is_what_the_search_likes_least() -> None:
    assert picks(Level(1, 1, 0, 0, worst=1), 50) == {5: 50}
    some = picks(Level(1, 1, 0, 0.5, worst=0.25), 2000)
    assert abs(some[5] - (250 + 500)) < 100
    assert abs(some[7] - (250 + 500)) < 100
    assert abs(some[9] - 250) < 70


def test_warming_is_harmless(game: Game) -> None:
    warm(game)
    warm(game)


def test_a_whole_level_is_the_same_however_json_writes_it() -> None:
    state, seat = position(TOY, 0)
    redacted = TOY.redact(state, seat)
    whole, point = (think(TOY, redacted, seat, seed=5, level=level, iterations=20) for level in (2, 2.0))
    assert whole.result == point.result
    assert think(TOY, redacted, seat, seed=5, level=2.25, iterations=20).level == 2.25
