"""The worked examples of the rules file, in its order."""

from __future__ import annotations

from engines.last_lemming import GAME
from tests.engines.last_lemming.setup import NAMES, answer, line, over, places, play, points, table


def test_1_card_01_moves_the_winner_and_the_second():
    state = play(table(3, 1), "y-3", "y10", "y5")
    assert GAME.awaiting(state) == (1,)
    long = answer(state, (1, "way", "long"))
    assert places(long) == {1: 10, 2: 5}
    short = answer(state, (1, "way", "short"))
    assert places(short) == {1: 15, 2: 5}
    assert line(short) == [0]
    assert over(short)
    assert GAME.awaiting(short) == (1,)


def test_2_landing_on_a_lemming_pushes_it():
    state = play(table(4, 1), "y3", "r3", "X", "X")
    assert places(state) == {0: 3}
    state = play(table(4, 1, {0: 3}, lead=1), "y3", "X", "X", "r1")
    assert places(state) == {1: 3, 0: 4}


def test_3_pushes_go_on_along_a_chain():
    state = play(table(4, 1, {0: 1, 1: 3, 2: 4, 3: 5}), "y2", "r1", "r2", "r3")
    assert places(state) == {0: 3, 1: 4, 2: 5, 3: 6}


def test_4_pushed_over_the_cliff():
    state = play(table(4, 1, {0: 23, 1: 24}), "y1", "r1", "X", "X")
    assert places(state) == {0: 24}
    assert line(state) == [2, 3, 1]
    assert points(state) == [3, 2, 3, 3]


def test_5_a_fall_ends_the_move():
    state = play(table(3, 1, {0: 23}), "y12", "r1", "X")
    assert places(state) == {}
    assert line(state) == [1, 2, 0]
    assert points(state) == [2, 3, 3]


def test_6_the_fork():
    state = play(table(3, 1, {0: 6}), "y2", "X", "X")
    assert places(answer(state, (0, "way", "long"))) == {0: 8}
    assert places(answer(state, (0, "way", "short"))) == {0: 13}
    state = play(table(3, 1, {0: 6}), "y1", "X", "X")
    assert places(answer(state, (0, "way", "long"))) == {0: 7}
    fallen = answer(state, (0, "way", "short"))
    assert places(fallen) == {}
    assert points(fallen) == [2, 3, 3]


def test_7_backward_to_the_line():
    state = play(table(3, 1, {0: 1}), "y-1", "r2", "X")
    assert line(state) == [1, 2, 0]
    assert points(state) == [3, 3, 3]
    state = play(table(3, 1), "y-3", "r2", "X")
    assert line(state) == [1, 2, 0]


def test_8_all_x():
    state = play(table(3, 1, {0: 5}, lead=2), "X", "X", "X")
    assert places(state) == {0: 5}
    assert over(state)
    assert GAME.awaiting(state) == (2,)
    assert GAME.view(state, None)["tricks_played"][0]["winner"] is None


def test_9_card_03_the_winner_is_also_rearmost():
    state = play(table(4, 3, {0: 10, 1: 11, 2: 12, 3: 1}, lead=3), "y2", "r1", "r2", "r3")
    assert places(state) == {0: 10, 1: 11, 2: 12, 3: 5}


def test_10_the_moved_lemmings_owner_chooses_the_way_of_all_it_pushes():
    state = play(table(3, 1, {0: 3, 1: 5, 2: 6}), "y2", "r1", "X")
    move = GAME.view(state, None)["move"]
    assert move["lemming"] == NAMES[0]
    assert move["asked"] == NAMES[2]
    assert move["settled"] == [{"lemming": NAMES[0], "to": 5}, {"lemming": NAMES[1], "to": 6}]
    assert places(state) == {0: 3, 1: 5, 2: 6}, "nothing is touched before all is worked out"
    assert places(answer(state, (0, "way", "long"))) == {0: 5, 1: 6, 2: 7}
    fallen = answer(state, (0, "way", "short"))
    assert places(fallen) == {0: 5, 1: 6}
    assert points(fallen) == [3, 3, 2]


def test_11_a_lemming_rests_on_a_hole():
    state = table(3, 4, {0: 14, 3: 16}, line=[1, 2], two_lemmings=True)  # card 04 turns piece 3 to the side with the hole at 16
    state = play(state, "y2", "r1", "r3")
    assert places(state) == {3: 16}
    assert line(state) == [1, 2, 0]
    assert points(state) == [2, 3, 3]
