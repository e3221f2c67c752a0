"""The games through OpenSpiel and PettingZoo: their own checks, their own bots. Skipped without the `research` extra."""

from __future__ import annotations

import random
import warnings

import pytest

from engines import PACKAGES, Registry
from engines.game import Game, GameError, IllegalAction

REGISTRY = Registry({**PACKAGES, "toy": "tests.toy"})


@pytest.fixture(params=list(REGISTRY))
def game(request: pytest.FixtureRequest) -> Game:
    return REGISTRY[request.param]


@pytest.fixture(params=list(REGISTRY))
def spiel(request: pytest.FixtureRequest):
    """A registered OpenSpiel game for each of ours, with few deals to keep the chance node small."""
    pyspiel = pytest.importorskip("pyspiel")
    from ai.adapters import openspiel

    ours = REGISTRY[request.param]
    name = openspiel.short_name(ours.name)
    if name not in pyspiel.registered_names():
        pyspiel.register_game(openspiel.game_type(ours), openspiel.game_class(ours))
    return pyspiel.load_game(name, {"players": ours.min_seats, "deals": 20})


def play_randomly(state, moves: int, seed: int):
    chooser = random.Random(seed)
    for _ in range(moves):
        if state.is_terminal():
            break
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(chooser.choice(actions))
    return state


def test_openspiel_random_simulation_passes(spiel):
    pyspiel = pytest.importorskip("pyspiel")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)


def test_openspiel_resampling_keeps_the_information_state(spiel):
    """OpenSpiel's resample test, and what it leaves out: the sampled position plays to the end."""
    for seed in range(5):
        state = play_randomly(spiel.new_initial_state(), 1 + 7 * seed, seed)
        if state.is_terminal():
            continue
        for seat in range(spiel.num_players()):
            other = state.resample_from_infostate(seat, random.Random(seed).random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.current_player() == state.current_player()
        assert play_randomly(other, 100_000, seed).is_terminal()


def test_openspiel_clones_do_not_share_a_position(spiel):
    state = play_randomly(spiel.new_initial_state(), 3, 1)
    before = state.information_state_string(0)
    play_randomly(state.clone(), 5, 2)
    assert state.information_state_string(0) == before


def test_openspiel_ismcts_plays_our_games(spiel):
    pytest.importorskip("pyspiel")
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    state = play_randomly(spiel.new_initial_state(), 1, 1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    bot = ismcts.ISMCTSBot(spiel, evaluator, 1.4, 2, random_state=np.random.RandomState(0), allow_inconsistent_action_sets=True)
    assert bot.step(state) in state.legal_actions()


def test_openspiel_refuses_what_a_game_does_not_have(spiel):
    from ai.adapters import openspiel

    for bad in ({"seats": 99}, {"options": {"no such option": 1}}):
        with pytest.raises(GameError):
            openspiel.load(next(iter(PACKAGES)), **bad)


def test_pettingzoo_api_test_passes(game: Game):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from ai.adapters.pettingzoo import ClifftopEnv

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ClifftopEnv(game), num_cycles=60)
        seed_test(lambda: ClifftopEnv(game), num_cycles=20)


def test_pettingzoo_observations_hide_what_redaction_hides(game: Game):
    pytest.importorskip("pettingzoo")
    from ai.adapters.pettingzoo import ClifftopEnv

    env = ClifftopEnv(game)
    env.reset(seed=3)
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)["observation"].tobytes()
        env_position = env.position
        env.position = game.imagine(game.redact(env_position, seat), seat, 7)
        assert env.observe(agent)["observation"].tobytes() == seen
        env.position = env_position


def test_pettingzoo_refuses_an_illegal_action(game: Game):
    pytest.importorskip("pettingzoo")
    from ai.adapters.pettingzoo import ClifftopEnv

    env = ClifftopEnv(game, render_mode="ansi")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(IllegalAction):
        env.step(int((mask == 0).argmax()))
    assert env.render()
