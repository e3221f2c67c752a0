"""The playout policy of Lemminge and its one-step greedy player."""

from __future__ import annotations

import numpy as np
import pytest

from ai.arena import play_deal, prepare, run
from ai.playouts.lemminge import CUT, WAY_COUNTS, choose, greedy, shape
from engines.kernel import MAX_SEATS, seed_words
from engines.lemminge import GAME
from engines.lemminge.rules import TEMPO, race_left, way_from_pen
from engines.lemminge.state import LEMMINGS
from tests.engines.lemminge.positions import act, as_json, open_board, position


def played(players, seed: int, board: str = "sprint"):
    """A match of one player a seat to the end; every action is checked to be legal."""
    state = GAME.new(len(players), {"board": board}, bytes([seed] * 32))
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    out = np.zeros(GAME.max_actions, np.int16)
    while awaited := GAME.awaiting(state):
        n = GAME.kernels.legal(state, awaited[0], out)
        before = GAME.dump(state)
        action = int(players[awaited[0]](state, awaited[0], out, n, words))
        assert GAME.dump(state) == before
        state = GAME.play(state, awaited[0], action)
    return state


@pytest.mark.parametrize("player", [choose, greedy])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_matches_end_by_the_race(player, seats: int):
    for seed in range(3):
        assert GAME.outcome(played([player] * seats, seed)).reason == "finish"


@pytest.mark.parametrize("player", ["level:1", "level:5", "level:7", "ismcts:300it"])
def test_a_search_far_ahead_goes_on_to_the_finish(player: str):
    # It used to put a sure win off until the guard against a stalemate ended the match.
    for seed in range(2):
        for match in play_deal(prepare("lemminge", [player, "random"], 2, {"board": "sprint"}, seed), 0):
            assert match.reason == "finish"
            assert match.ranking == (1, 2)


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_wanted_besides_winning_is_the_way_behind(seats: int):
    # Nobody has a card, it is seat 0's turn: one is across with one lemming, the others with none.
    lemmings = {(0, 1): "10,12", (0, 2): "across", (1, 1): "10,13"}
    state = position([[] for _ in range(seats)], {}, lemmings, open_board())
    whole = LEMMINGS * (way_from_pen(state) + TEMPO)
    done = [1 - min(race_left(state, seat) / whole, 1) for seat in range(seats)]
    assert done[0] > done[1] > 0.1
    for payoff in (0.0, 0.4, 1.0):
        paid = np.full(MAX_SEATS, payoff)
        shape(state, paid)
        assert paid[:seats].tolist() == pytest.approx([payoff + WAY_COUNTS * (part - payoff) for part in done])
        assert paid[seats:].tolist() == [payoff] * (MAX_SEATS - seats)


def test_those_who_race_for_the_last_places_go_on_to_the_finish():
    for match in play_deal(prepare("lemminge", ["level:3"], 4, {"board": "sprint"}, 1), 0):
        assert match.reason == "finish"


def test_the_search_beats_its_own_policy():
    # A tree that tried too much beside the policy was weaker than the policy, even at level 8.
    bout = prepare("lemminge", ["ismcts:300it", "policy"], 2, {"board": "horseshoe"}, 1)
    assert run(bout, 10, 1)[0].pairings[0].score.value >= 0.75


def test_the_policy_beats_the_greedy_player():
    wins = 0
    for seed in range(30):
        wins += GAME.outcome(played([choose, greedy], seed, "horseshoe")).winners == (0,)
        wins += GAME.outcome(played([greedy, choose], seed, "horseshoe")).winners == (1,)
    assert wins >= 36


def chosen(player, state) -> dict:
    out = np.zeros(GAME.max_actions, np.int16)
    seat = int(state.turn)
    n = GAME.kernels.legal(state, seat, out)
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(1))
    return GAME.action_to_json(state, int(player(state, seat, out, n, words)))


@pytest.mark.parametrize("player", [choose, greedy])
def test_walks_onto_the_finish(player):
    lemmings = {(0, 1): "10,12", (0, 2): "1,3", (1, 1): "11,13"}
    state = position([["swamp 3", "water 0"], []], {"swamp": ["4"]}, lemmings, open_board())
    for expected in ("card swamp 3", "lemming 2"):
        assert chosen(player, state)["type"] == as_json(expected)["type"]
        state = act(state, chosen(player, state))
    state = position([["swamp 2"], []], {"swamp": ["2"]}, {(0, 1): "10,13", (0, 2): "across"}, open_board())
    for _ in range(4):
        state = act(state, chosen(player, state))
    assert GAME.outcome(state).winners == (0,)


@pytest.mark.parametrize("player", [choose, greedy])
def test_a_bonus_tile_opens_the_way(player):
    walled = {**open_board(), **dict.fromkeys(("0,9", "1,8", "2,9", "3,8"), "water")}
    state = position([["swamp 4", "swamp 0"], []], lemmings={(0, 1): "1,7", (0, 2): "across"}, terrain=walled)
    before = int(state.distance[int(state.players[0].where[0])])
    state = act(state, "card swamp 4")
    assert chosen(player, state)["hex"] in {"1,8", "2,8", "2,9", "0,9", "0,8", "3,8"}
    state = act(state, chosen(player, state), {"type": "lemming", "lemming": 1})
    while GAME.awaiting(state) == (0,):
        state = act(state, chosen(player, state))
    assert int(state.distance[int(state.players[0].where[0])]) <= before - 3


def test_playouts_are_cut():
    assert CUT > 0
