"""The worked examples of the rules of Lemminge, one test each."""

from __future__ import annotations

import pytest

from engines.game import IllegalAction
from tests.engines.lemminge.positions import GAME, act, events, legal, open_board, position, terrain_at, where


def test_1_a_card_on_top_moves_by_the_sum_of_the_pile():
    state = position([["water 1"], []], piles={"water": ["2"]})
    state = act(state, "card water 1")
    assert GAME.view(state, 0)["turn"]["points"] == 3
    assert GAME.view(state, 0)["turn"]["phase"] == "lemming"


def test_2_a_higher_card_starts_the_pile_anew_and_brings_a_tile():
    state = position([["water 4"], []], piles={"water": ["2", "1"]}, lemmings={(0, 1): "3,5"})
    assert terrain_at(state, "3,6") == "forest"
    state = act(state, "card water 4")
    view = GAME.view(state, 0)
    assert view["discard_pile"] == [{"terrain": "water", "value": 2}, {"terrain": "water", "value": 1}]
    assert view["piles"][1] == {"terrain": "water", "cards": [{"terrain": "water", "value": 4}], "top": 4, "sum": 4}
    assert view["turn"]["tile"] == "water"
    state = act(state, "tile 3,6")
    assert GAME.view(state, 0)["turn"]["points"] == 4
    state = act(state, "lemming 1", "E")
    assert where(state, 0, 1) == "3,6"
    assert terrain_at(state, "3,6") == "water"


def test_3_seven_points_three_steps_and_a_push_leave_two():
    state = position([["swamp 3"], []], piles={"swamp": ["4"]}, lemmings={(0, 1): "1,3", (1, 1): "1,7"}, terrain=open_board())
    state = act(state, "card swamp 3")
    assert state.points == 7
    state = act(state, "lemming 1", "E", "E", "E")
    assert state.points == 4
    state = act(state, "E")
    assert state.points == 2
    assert (where(state, 0, 1), where(state, 1, 1)) == ("1,7", "1,8")


def test_4_a_row_is_not_pushed_off_the_board_but_over_the_finish_line():
    pile = {"swamp": ["4"]}
    at_the_edge = {(0, 1): "1,12", (1, 1): "1,13", (1, 2): "1,14"}
    state = act(position([["swamp 3"], []], pile, at_the_edge, open_board()), "card swamp 3", "lemming 1")
    with pytest.raises(IllegalAction, match="the push E from 1,12 would leave the board"):
        act(state, "E")
    at_the_line = {(0, 1): "9,12", (1, 1): "10,13", (1, 2): "11,13"}
    state = act(position([["swamp 3"], []], pile, at_the_line, open_board()), "card swamp 3", "lemming 1", "SE")
    assert (where(state, 0, 1), where(state, 1, 1), where(state, 1, 2)) == ("10,13", "11,13", "across")
    assert state.points == 4


def test_5_one_point_is_not_enough_to_push():
    lemmings = {(0, 1): "1,3", (1, 1): "1,4"}
    state = act(position([["swamp 1"], []], {"swamp": ["0"]}, lemmings, open_board()), "card swamp 1", "tile 0,3", "lemming 1")
    assert state.points == 1
    with pytest.raises(IllegalAction, match="too few points: the step costs 2"):
        act(state, "E")


def test_6_no_desert_tiles_a_meadow_tile_no_meadow_tiles_none():
    state = position([["desert 4"], []])
    state.tiles_left[4] = 0
    after = act(state, "card desert 4")
    assert GAME.view(after, 0)["turn"]["tile"] == "meadow"
    assert after.tiles_left[5] == 5
    state.tiles_left[5] = 0
    after = act(state, "card desert 4")
    assert GAME.view(after, 0)["turn"]["tile"] is None
    assert GAME.view(after, 0)["turn"]["phase"] == "lemming"


def test_7_a_pile_with_both_zeros_keeps_one_when_the_draw_pile_runs_out():
    state = position([[], []], piles={"forest": ["3", "2", "1", "0", "0"]}, draw=["water 1"])
    state = act(state, "refill", "done")
    assert {"type": "kept_zero", "terrain": "forest", "discarded": 4} in events(state)
    assert GAME.view(state, 0)["piles"][0]["cards"] == [{"terrain": "forest", "value": 0}]
    assert int(state.players[0].hand_n) == 5


def test_8_a_player_pushed_across_is_placed_ahead_of_the_one_who_pushed():
    lemmings = {(0, 1): "across", (0, 2): "10,13", (1, 1): "across", (1, 2): "11,13"}
    state = position([["swamp 3"], ["water 1"], []], {"swamp": ["4"]}, lemmings, open_board())
    state = act(state, "card swamp 3", "lemming 2", "SE", "SE")
    assert GAME.outcome(state).ranking == (2, 1, 3)
    assert GAME.outcome(state).reason == "finish"


def test_9_leaving_the_pen_the_player_says_from_which_cell_and_so_where_a_lemming_is_pushed():
    state = position([["mountain 2"], []], lemmings={(1, 1): "11,2"})
    state = act(state, "card mountain 2", "lemming 1")
    steps = [{"type": "step", "direction": "NE", "from": "12,2"}, {"type": "step", "direction": "NW", "from": "12,3"}]
    assert all(step in legal(state) for step in steps)
    assert [where(act(state, step), 1, 1) for step in steps] == ["10,3", "10,2"]
    empty = act(position([["mountain 2"], []]), "card mountain 2", "lemming 1")
    assert all(step in legal(empty) for step in steps)
