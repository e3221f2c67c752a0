"""Every rule card of the reconstruction edition, its outcome worked out by hand from the rules file.

Four seats; the lead is seat 0 unless said. Holes in the comments are those of the card's sides; H, between 6 and 13, always.
"""

from __future__ import annotations

from tests.engines.last_lemming.setup import NAMES, answer, line, over, places, play, points, table


def test_card_01_winner_and_second_by_their_own():
    state = play(table(4, 1, {1: 13}), "y2", "y9", "y4", "r12")
    assert places(state) == {1: 22, 2: 4}
    assert line(state) == [0, 3]


def test_card_02_winner_and_lowest_by_their_own():
    state = play(table(4, 2, {3: 5}), "y4", "y9", "r12", "y-1")
    state = answer(state, (1, "way", "long"))
    assert places(state) == {1: 9, 3: 4}


def test_card_03_rearmost_is_the_last_in_the_line():  # hole 22
    state = play(table(4, 3, {0: 20, 1: 1}, line=[3, 2]), "y3", "y1", "r3", "y-5")
    assert places(state) == {0: 23, 1: 1, 2: 3}
    assert line(state) == [3]


def test_card_03_who_falls_moves_again_from_the_line():  # hole 22
    state = play(table(4, 3, {0: 20}, line=[1, 3, 2]), "y2", "y1", "r3", "y-5")
    assert places(state) == {0: 2}, "the winner falls into 22, is the last in the line, and moves 2 again"
    assert line(state) == [1, 3, 2]
    assert points(state) == [2, 3, 3, 3]


def test_card_04_x_players_by_2():  # hole 16
    state = play(table(4, 4, {0: 14, 1: 1}), "X", "y5", "X", "y2")
    assert places(state) == {1: 6, 2: 2}
    assert line(state) == [3, 0]
    assert points(state) == [2, 3, 3, 3]


def test_card_05_followers_by_their_own():  # hole 4
    state = play(table(4, 5), "y8", "y12", "y3", "r9")
    assert places(state) == {2: 3}
    state = answer(state, (0, "way", "short"))
    assert places(state) == {0: 13, 2: 3}
    assert line(state) == [1, 3]


def test_card_06_difference_then_off_colour():  # hole 10
    state = play(table(4, 6, {3: 13}), "y7", "y11", "r4", "b-3")
    assert places(state) == {1: 5, 2: 4, 3: 13}, "1 moves 4, 2 lands on 4 and pushes it; 3 may fall into 10 or go over H to 5"
    state = answer(state, (3, "way", "short"))
    assert places(state) == {3: 5, 1: 4, 2: 3}


def test_card_06_without_a_second_the_difference_is_the_winners_value():
    state = play(table(4, 6), "y5", "X", "X", "X")
    assert places(state) == {0: 5}


def test_card_07_the_lowest_wins():  # hole 22
    state = play(table(4, 7, {2: 1}), "y5", "y-1", "y9", "X")
    state = answer(state, (2, "way", "long"))
    assert places(state) == {1: 4, 2: 10}
    assert int(state.lead) == 1


def test_card_08_the_winner_moves_another_back():  # hole 4
    state = play(table(4, 8, {3: 7}), "y6", "y2", "y1", "X")
    assert places(state) == {0: 6, 3: 7}
    state = answer(state, (0, "choose", NAMES[3]))
    assert places(state) == {0: 6}
    assert line(state) == [1, 2, 3]
    assert points(state) == [3, 3, 3, 2]


def test_card_09_second_by_the_winners_value():  # holes 16, 22
    state = play(table(4, 9, {2: 1, 3: 2}), "y3", "y8", "X", "y5")
    state = answer(state, (3, "way", "short"))
    assert places(state) == {3: 15}
    assert line(state) == [0, 1, 2]
    assert points(state) == [3, 3, 3, 3]


def test_card_10_winner_and_lowest_exchange_values():  # holes 4, 22
    state = play(table(4, 10, {0: 1}), "y9", "y4", "X", "r12")
    state = answer(state, (1, "way", "long"))
    assert places(state) == {0: 5, 1: 9}


def test_card_10_alone_the_winner_does_not_move():
    state = play(table(4, 10), "y9", "r4", "X", "r12")
    assert over(state)
    assert places(state) == {}


def test_card_11_count_and_the_foremost():  # holes 10, 22
    state = play(table(4, 11, {3: 20}), "y2", "y7", "y5", "r3")
    assert places(state) == {1: 3}
    assert line(state) == [0, 2, 3]
    assert points(state) == [3, 3, 3, 2]


def test_card_12_x_players_by_the_card_before():  # holes 10, 16
    state = play(table(4, 12, {3: 7}, lead=1), "y4", "X", "y6", "X")
    assert places(state) == {3: 13, 0: 6, 2: 4}


def test_card_12_nothing_is_before_the_leader():
    state = play(table(4, 12), "X", "y3", "r2", "r1")
    assert places(state) == {1: 3}
    assert over(state)


def test_card_13_winner_jumps_ahead():  # holes 4, 16
    state = play(table(4, 13, {0: 5, 2: 9}), "y10", "y3", "r1", "X")
    assert places(state) == {0: 9, 2: 10, 1: 3}


def test_card_14_winner_picks_a_value():  # holes 4, 10
    state = play(table(4, 14), "y11", "y-3", "r7", "X")
    state = answer(state, (0, "pick", 7), (0, "way", "long"))
    assert places(state) == {0: 7, 3: 3}
    assert line(state) == [1, 2]


def test_card_15_winner_chooses_the_sign():  # holes 10, 16, 22
    asked = play(table(4, 15, {1: 14}), "y5", "y9", "r2", "X")
    state = answer(asked, (1, "sign", "minus"), (1, "way", "long"))
    assert places(state) == {1: 5, 2: 2}
    state = answer(asked, (1, "sign", "minus"), (1, "way", "short"))
    assert places(state) == {2: 2}, "14, 13, H, 6 .. 1 are eight spaces back: the ninth is the line"
    assert line(state) == [0, 3, 1]
    state = answer(asked, (1, "sign", "plus"))
    assert places(state) == {1: 23, 2: 2}


def test_card_16_all_by_their_own():  # holes 4, 16, 22
    state = play(table(4, 16), "y1", "y2", "X", "r5")
    assert places(state) == {1: 2, 3: 5, 0: 1}
    assert line(state) == [2]


def test_card_17_the_lowest_wins_and_jumps():  # holes 4, 10, 22
    state = play(table(4, 17, {2: 6, 3: 8}), "y-5", "y8", "X", "y3")
    state = answer(state, (0, "way", "short"))
    assert places(state) == {0: 6, 3: 8}, "0 jumps onto 6 and pushes 2 into H"
    state = answer(state, (1, "way", "long"))
    assert places(state) == {0: 6, 1: 8, 3: 9}
    assert line(state) == [2]
    assert points(state) == [3, 3, 2, 3]


def test_card_18_a_chosen_lemming_by_the_seconds_value():  # holes 4, 10, 16
    state = play(table(4, 18, {3: 12}), "y9", "y6", "y2", "X")
    state = answer(state, (0, "choose", NAMES[3]))
    assert places(state) == {2: 18, 3: 19}


def test_card_19_the_foremost_goes_back():  # holes 10, 16, 22
    state = play(table(4, 19, {1: 3, 3: 20}), "y4", "y7", "X", "r9")
    state = answer(state, (1, "way", "short"))
    assert places(state) == {1: 15, 3: 13, 2: 1}


def test_card_20_winner_and_second_exchange_values_and_off_colour_goes_back():  # holes 4, 10, 16, 22
    state = play(table(4, 20, {2: 9}), "y8", "y5", "r3", "X")
    state = answer(state, (1, "way", "short"))
    assert places(state) == {0: 5, 1: 13, 2: 6}


def test_card_21_a_chosen_lemming_by_a_picked_value():  # holes 4, 10, 16, 22
    state = play(table(4, 21, {1: 7, 3: 21}), "y12", "y2", "X", "r-5")
    state = answer(state, (0, "choose", NAMES[3]), (0, "pick", 2))
    assert places(state) == {3: 23, 2: 7, 1: 8}


def test_card_22_the_lowest_wins_followers_by_the_card_before():  # holes 10, 22
    state = play(table(4, 22), "y6", "y1", "y9", "X")
    assert places(state) == {1: 3, 2: 1}
    state = answer(state, (2, "sign", "plus"), (2, "way", "short"))
    assert places(state) == {1: 3, 2: 15}
    assert line(state) == [0, 3]
