"""The playout policies of Lemmings, and its guesses at roles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from ai.playouts.lemmings import CUT, GUESS, STRENGTH, choose, greedy, idle, likelihood
from engines.game import copy
from engines.kernel import State, seed_words
from engines.lemmings import GAME
from tests.engines.lemmings.positions import (
    BACK,
    BLACK,
    BLUE,
    CHAOS,
    GREEN,
    JUMP,
    NO_WAY,
    RED,
    WHITE,
    WHOOSH,
    YELLOW,
    act,
    position,
)


def chosen(policy, state: State, seat: int, seed: int = 1) -> dict:
    words = np.empty(4, np.uint64)
    seed_words(words, seed)
    legal = np.array(GAME.legal(state, seat), np.int16)
    action = int(policy(state, seat, legal, len(legal), words))
    assert action in legal
    return GAME.action_to_json(state, action)


def test_greedy_ends_the_match_as_the_winner():
    lands = [[], [], [], [RED, BLUE]]
    state = position(2, lands=lands, water=[YELLOW, WHITE, GREEN, BLACK], hands=[[RED, BLUE, BACK]], roles=[RED, YELLOW])
    assert chosen(greedy, state, 0) == {"type": "play", "card": {"kind": "forward", "colour": "blue"}}


def test_greedy_says_no_way_to_what_hurts_and_to_a_no_way_against_what_helps():
    lands = [[], [], [], [RED, BLUE], []]
    state = position(3, lands=lands, hands=[[BLUE, NO_WAY, BACK], [NO_WAY, BACK], [NO_WAY, BACK]], roles=[RED, BLUE, RED])
    state = act(state, 0, "play", BLUE)
    assert chosen(greedy, state, 1) == {"type": "no_way"}
    assert chosen(greedy, state, 2) == {"type": "pass"}
    state = act(act(state, 1, "no_way"), 2, "pass")
    assert chosen(greedy, state, 0) == {"type": "no_way"}


def test_idle_never_moves_its_own_lemming():
    hand = [BLUE, RED, JUMP, WHOOSH, CHAOS]
    state = position(2, lands=[[RED, BLUE], [WHITE]], hands=[hand], roles=[BLUE, RED])
    for seed in range(200):
        action = chosen(idle, state, 0, seed)
        if action["type"] != "play":
            continue
        assert action["card"] not in ({"kind": "forward", "colour": "blue"}, {"kind": "forward", "colour": "red"})
        assert action.get("lemming") != "blue"
        assert "blue" not in action.get("lemmings", [])


def test_the_playout_policy_plays_whole_matches():
    assert CUT >= 0
    words = np.empty(4, np.uint64)
    seed_words(words, 3)
    out = np.empty(GAME.max_actions, np.int16)
    for number in range(10):
        state = copy(GAME.new(2 + number % 5, {}, bytes([number]) * 32))
        while awaited := GAME.awaiting(state):
            n = GAME.kernels.legal(state, awaited[0], out)
            action = int(choose(state, awaited[0], out, n, words))
            assert action in out[:n]
            GAME.kernels.play(state, awaited[0], action)
        assert GAME.outcome(state) is not None


# --- guesses ----------------------------------------------------------------------------------------------------------


def guessed(state: State, seat: int, seed: int, strength: float) -> State:
    world = GAME.redact(state, seat)
    GUESS(world, seat, np.uint64(seed), strength)
    return world


def leaning() -> State:
    state = position(3, hands=[[RED], [BACK], [BACK]], roles=[RED, BLUE, WHITE])
    state.lean[1] = (10, 2, -4, -8, 0, 0)
    state.lean[2] = (6, 0, 0, 0, -6, 0)
    return state


@pytest.mark.parametrize("strength", [0.0, 0.05, 0.3])
def test_roles_are_guessed_jointly_by_their_weight(strength: float):
    state = leaning()
    free = [YELLOW, BLUE, WHITE, GREEN, BLACK]
    weights = {(a, b): (1 + strength) ** (int(state.lean[1, a]) + int(state.lean[2, b])) for a, b in permutations(free, 2)}
    draws = 6000
    found = Counter()
    for seed in range(draws):
        world = guessed(state, 0, seed, strength)
        found[int(world.players[1].role), int(world.players[2].role)] += 1
    total = sum(weights.values())
    assert set(found) <= set(weights)
    statistic = sum((found[key] - draws * w / total) ** 2 / (draws * w / total) for key, w in weights.items())
    assert statistic < 50, statistic


def test_a_guessed_world_looks_the_same_to_its_seat_and_has_the_cards_of_an_imagined_one():
    state = act(leaning(), 0, "stop")
    for seed in range(10):
        world = guessed(state, 0, seed, STRENGTH)
        assert GAME.view(world, 0) == GAME.view(state, 0)
        assert GAME.dump(GAME.redact(world, 0)) == GAME.dump(GAME.redact(state, 0))


def test_no_lemming_is_ever_ruled_out():
    state = leaning()
    state.lean[1, YELLOW] = 30000
    assert likelihood(state, 1, YELLOW, 0.2) == 1.0
    assert likelihood(state, 1, BLUE, 0.2) > 0.0
    state.lean[2, YELLOW] = 30000
    assert guessed(state, 0, 1, 0.2).players[1].role >= 0
