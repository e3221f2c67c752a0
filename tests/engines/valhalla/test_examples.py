"""The worked examples of the rules file, by their numbers and the rules they show."""

from __future__ import annotations

import pytest

from engines.game import IllegalAction
from engines.valhalla import GAME
from tests.engines.valhalla.table import choose, do, hand, legal, saga, send, table, told


def names(state, seat):
    return [action["legend"] for action in legal(state, seat)]


def test_1_ties_go_to_the_nearest_clockwise_from_the_first_player():
    """Five players, strengths 8, 5, 5, ...: the second winner is the 5 nearest clockwise after the First Player."""
    hands = [[5, 5, 5]] * 5
    for first, second in ((2, 3), (4, 1)):
        state = table(5, hands, ["Lemfenrir", "Lemmhilde's Shield"] * 3, first=first)
        for seat in range(5):
            state.cards[seat] = state.start[seat] = 0
        for seat, values in enumerate([[1, 2], [5], [5, 3], [5], [1]]):
            _give(state, seat, [*values, 1])
        state = send(state, {0: [2, 1], 1: [5], 2: [5, 3], 3: [5], 4: [1]})
        assert GAME.view(state, None)["players"][2]["strength"] == 8
        state = do(state, 2, "take", legend="Lemfenrir")
        took = told(state, None, "took_legend")
        assert [event["seat"] for event in took] == [2, second]


def _give(state, seat, values):
    from tests.engines.valhalla.table import cards_of

    state.cards[seat] = state.start[seat] = cards_of(values)


def test_2_lemming_hood_passes_four_to_the_seat_with_the_fewest():
    hands = [[5, 3, 2, 1, 1, 3], [2, 2, 2, 2], [1, 1, 1], [3, 3, 3, 3]]
    state = table(4, hands, ["Lemming Hood", "Lemfenrir"])
    state = send(state, {0: [5, 3], 1: [2], 2: [1], 3: [3]})
    state = do(state, 0, "take", legend="Lemming Hood")
    assert GAME.view(state, None)["decision"] == {"seat": 0, "legend": "Lemming Hood", "target": 2}
    state = choose(state, 0, 2, 1, 1)
    assert hand(state, 0) == [5, 3, 3]
    assert hand(state, 2) == [2, 1, 1, 1, 1]
    assert told(state, 2, "passed_cards") == [{"type": "passed_cards", "seat": 0, "to": 2, "cards": [2, 1, 1]}]
    assert told(state, 1, "passed_cards") == []
    assert told(state, 1, "passed") == [{"type": "passed", "seat": 0, "to": 2, "count": 3}]


def test_3_lemmingetorige_discards_a_card_just_played():
    hands = [[5, 3, 3], [1, 2], [1, 2], [1, 2], [1, 2]]
    state = table(5, hands, ["Lemmingetorige", "Lemfenrir"])
    state = send(state, {0: [5], 1: [1], 2: [1], 3: [1], 4: [1]})
    state = do(state, 0, "take", legend="Lemmingetorige")
    state = choose(state, 0, 5, source="battle")
    assert hand(state, 0) == [3, 3]
    assert GAME.view(state, None)["discard_pile"] == 1 + 3


@pytest.mark.parametrize(
    ("sent", "rest", "more"), [([3], [5, 3, 3], [3]), ([2, 1], [5, 2, 2, 1, 1], [2, 1])], ids=["one 3", "1 and 2"]
)
def test_4_lemmerlino_doubles_the_losses(sent, rest, more):
    hands = [[5, 5, 5], sent + rest, [5, 5, 5]]
    state = table(3, hands, ["Lemfenrir"] * 2, sagas={1: [("Lemmerlino", "waiting")]})
    state = send(state, {0: [5, 5], 1: sent, 2: [5]})
    assert GAME.view(state, None)["decision"] == {"seat": 1, "legend": "Lemmerlino", "target": None}
    state = choose(state, 1, *more)
    assert sorted(hand(state, 1)) == sorted(_without(rest, more))
    assert saga(state, 1) == [("Lemmerlino", "turned_over")]


def _without(cards, gone):
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def test_5_a_shield_stops_the_first_highlander_and_is_turned_over():
    hands = [[5, 5, 5], [1, 1, 2], [1, 1, 2]]
    state = table(3, hands, ["LemHighlander"] * 3, [1, 1, 1, 1, 1], sagas={1: [("Lemmhilde's Shield", "ready")]})
    state = send(state, {0: [5], 1: [1], 2: [1]})
    assert len(hand(state, 1)) == 2
    assert len(hand(state, 2)) == 3
    assert told(state, None, "shielded") == [{"type": "shielded", "seat": 1, "position": 0}]
    assert saga(state, 1) == [("Lemmhilde's Shield", "turned_over")]
    state = send(state, {0: [5], 1: [1], 2: [1]})
    assert len(hand(state, 1)) == 2


def test_6_two_players_lemminathor_discards_from_later_stakes():
    hands = [[5, 3, 1, 1, 1, 1], [2, 2, 2, 2]]
    state = table(2, hands, ["Lemminathor", "Lemfenrir", "Lemfenrir"] * 2, reserves=[[1], [1]])
    state = send(state, {0: [5], 1: [2]})
    state = send(state, {0: [3, 1], 1: [2]})
    state = send(state, {0: [1, 1], 1: [2]})
    assert {"type": "value", "value": 1} in legal(state, 0)
    state = do(state, 0, "value", value=1)
    shown = told(state, None, "discarded")
    assert [(event["from"], event["cards"]) for event in shown] == [("hand", [1]), ("stake 0", [1]), ("stake 1", [1, 1])]
    # The second battle is 3 against 2, the third 0 against 2.
    assert [event["seat"] for event in told(state, None, "took_legend")] == [0, 1]


def test_7_two_players_staking_nothing():
    state = table(2, [[5, 3, 1], [2, 1]], ["Lemfenrir"] * 6)
    assert {"type": "done"} not in legal(state, 0)
    assert {"type": "done"} in legal(state, 1)
    with pytest.raises(IllegalAction, match="more than 2 cards in hand"):
        do(state, 0, "done")


def test_8_two_players_a_tie_goes_under_the_deck():
    state = table(2, [[5, 3, 1, 1], [5, 2, 2, 2]], ["Lemragnar", "Lemfenrir", "Lemfenrir", "Lemserker"])
    state = send(send(send(state, {0: [5], 1: [5]}), {0: [3], 1: [2]}), {0: [1], 1: [2]})
    assert told(state, None, "tied") == [{"type": "tied", "battle": 0, "legend": "Lemragnar"}]
    assert told(state, None, "lost")[:2] == [
        {"type": "lost", "seat": 0, "battle": 0, "count": 1},
        {"type": "lost", "seat": 1, "battle": 0, "count": 1},
    ]
    # The next turn has the two Legends that are left: the deck's, then the one put under it.
    assert GAME.view(state, None)["legends"] == ["Lemserker", "Lemragnar"]


def test_9_a_winner_who_has_taken_back_has_the_card_in_hand_again():
    """Six players: the first winner has taken back a 1; the second winner's Lemmattila counts it."""
    hands = [[5, 1], [5, 2, 2], [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]
    state = table(6, hands, ["Lemfenrir", "Lemmattila", "Lemmhilde's Shield"] * 2)
    state = send(state, {0: [5, 1], 1: [5], 2: [1], 3: [1], 4: [1], 5: [1]})
    state = do(state, 0, "take", legend="Lemfenrir")
    assert len(hand(state, 0)) == 2
    state = do(state, 1, "take", legend="Lemmattila")
    # Seat 1 has two cards in hand; seat 0 has two again, so nobody has fewer.
    assert told(state, None, "passed") == []
    assert GAME.view(state, None)["phase"] == "send" or GAME.view(state, None)["decision"]["seat"] != 1


def test_10_two_players_lemfenrir_makes_nothing_worth_minus_five():
    state = table(2, [[2, 2], [2, 2]], ["Lemserker"] * 6, sagas={0: [("Lemfenrir", "waiting")]}, reserves=[[1], [1]])
    state = send(send(send(state, {0: [], 1: []}), {0: [], 1: []}), {0: [], 1: []})
    # -5 loses against 0; the later battles are 0 against 0.
    assert [(event["seat"], event["index"]) for event in told(state, None, "took_legend")] == [(1, 0)]
    assert len(told(state, None, "tied")) == 2
