"""Last Lemming beyond the worked examples: putting back, following, questions, scoring, two lemmings, options, refusals."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engines.game import BadOption, BadSeats, IllegalAction, NotYourDecision, UnreadableAction, copy
from engines.kernel import State
from engines.last_lemming import GAME
from engines.last_lemming.rules import champion, score
from engines.last_lemming.state import ACTS, MAX_ACTIONS, NONE, OUT, PHASE_ACTIVATE, PHASE_OVER, PHASES, TRICKS
from tests.engines.last_lemming.setup import (
    EDITION,
    NAMES,
    act,
    answer,
    card,
    card_json,
    deal_to,
    fresh,
    line,
    over,
    places,
    play,
    points,
    table,
)


def to_the_end(state: State, chooser: random.Random) -> State:
    while awaited := GAME.awaiting(state):
        seat = chooser.choice(awaited)
        state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
    return state


def to_phase(state: State, phase: int, chooser: random.Random) -> State:
    while state.phase != phase:
        seat = chooser.choice(GAME.awaiting(state))
        state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
    return state


def reason(state: State, seat: int, **action: Any) -> str:
    with pytest.raises(IllegalAction) as refused:
        act(state, seat, **action)
    assert refused.value.legal == GAME.legal_json(state, seat)
    return str(refused.value)


# --- putting back -----------------------------------------------------------------------------------------------------

HAND = ("y1", "y4", "y9", "r-5", "r12", "b2", "b3", "g7", "g11", "X", "X", "X")


def putting_back(*cards: str) -> State:
    state = fresh(4)
    deal_to(state, 0, *cards)
    return state


def shown(state: State) -> list[Any]:
    return [action["card"] for action in GAME.legal_json(state, 0)]


def test_everyone_puts_back_at_the_same_time():
    state = fresh(4)
    assert GAME.awaiting(state) == (0, 1, 2, 3)
    for seat in (2, 0, 3, 1):
        for left in (3, 2, 1, 0):
            assert GAME.view(state, None)["players"][seat]["hand_size"] == 12
            state = GAME.play(state, seat, GAME.legal(state, seat)[0])
            assert (seat in GAME.awaiting(state)) == (left > 0) or GAME.awaiting(state) == (int(state.lead),)
    assert PHASES[int(state.phase)] == "play"
    assert [player["hand_size"] for player in GAME.view(state, None)["players"]] == [8] * 4


def test_cards_go_back_in_falling_order():
    state = putting_back(*HAND)
    assert shown(state) == [card_json(c) for c in (*HAND[3:9], "X")]
    state = act(state, 0, type="put_back", card={"x": True})
    assert shown(state) == [card_json(c) for c in (*HAND[2:9], "X")]
    state = act(state, 0, type="put_back", card=card_json("b3"))
    assert shown(state) == [card_json(c) for c in HAND[1:6]]
    state = act(state, 0, type="put_back", card=card_json("b2"))
    assert shown(state) == [card_json(c) for c in HAND[:5]]
    state = act(state, 0, type="put_back", card=card_json("y1"))
    assert GAME.legal(state, 0) == []
    own = GAME.view(state, 0)["own"]
    assert own["put_back"] == [card_json(c) for c in ("y1", "b2", "b3", "X")]
    assert own["hand"] == [card_json(c) for c in ("y4", "y9", "r-5", "r12", "g7", "g11", "X", "X")]


def test_every_set_is_reached_exactly_once():
    found = []

    def walk(state: State) -> None:
        legal = GAME.legal(state, 0)
        if not legal:
            player = state.players[0]
            found.append((int(player.away), int(player.away_x)))
        for action in legal:
            walk(GAME.play(state, 0, action))

    walk(putting_back("y1", "y2", "y3", "r1", "b1", "g1", "g2", *["X"] * 5))
    # 7 number cards and up to four X: C(7,4) + C(7,3) + C(7,2) + C(7,1) + 1
    assert len(found) == len(set(found)) == 35 + 35 + 21 + 7 + 1


def test_why_a_card_cannot_go_back():
    state = putting_back(*HAND)
    assert "not in your hand" in reason(state, 0, type="put_back", card=card_json("g12"))
    assert "too few" in reason(state, 0, type="put_back", card=card_json("y9"))
    state = act(state, 0, type="put_back", card=card_json("b3"))
    assert "is above blue 3" in reason(state, 0, type="put_back", card=card_json("g7"))
    assert "is above blue 3" in reason(state, 0, type="put_back", card={"x": True})
    assert "the time to put a card back" in reason(state, 0, type="play", card=card_json("y1"))


# --- playing a card ---------------------------------------------------------------------------------------------------


def test_the_first_number_sets_the_colour_and_must_be_followed_or_an_x_played():
    state = play(table(4, 1), "X")
    deal_to(state, 1, "y3", "r2", "X")
    assert len(GAME.legal(state, 1)) == 3
    state = act(state, 1, type="play", card=card_json("r2"))
    assert GAME.view(state, None)["table"]["colour"] == "red"
    deal_to(state, 2, "y3", "r5", "r7", "X")
    assert [action["card"] for action in GAME.legal_json(state, 2)] == [card_json(c) for c in ("r5", "r7", "X")]
    assert "you hold red" in reason(state, 2, type="play", card=card_json("y3"))
    assert "not in your hand" in reason(state, 2, type="play", card=card_json("b3"))
    assert "time to play a card" in reason(state, 2, type="way", way="long")
    deal_to(state, 2, "y3", "b5", "X")
    assert len(GAME.legal(state, 2)) == 3


def test_off_colour_shows_a_void_and_an_x_shows_nothing():
    state = play(table(4, 1), "y1", "r2", "X")
    voids = [player["shown_void"] for player in GAME.view(state, None)["players"]]
    assert voids == [[], ["yellow"], [], []]


def test_only_whose_turn_it_is_may_play():
    state = table(4, 1)
    with pytest.raises(NotYourDecision, match="awaited: 0"):
        GAME.play(state, 1, 0)


# --- questions --------------------------------------------------------------------------------------------------------


def test_no_way_is_asked_where_both_end_the_same():
    state = table(4, 1, {0: 6})
    state.holes = 1 << 7  # 7 and H are falls
    state = play(state, "y1", "X", "X", "X")
    assert over(state)
    assert line(state) == [1, 2, 3, 0]
    state = table(4, 1, {0: 5, 1: 6})
    state.holes = 1 << 7
    state = play(state, "y1", "X", "X", "X")
    assert over(state)
    assert places(state) == {0: 6}
    assert points(state) == [3, 2, 3, 3]


def test_a_sign_is_asked_only_if_it_matters():
    state = play(table(4, 15), "y1", "X", "X", "X")
    assert GAME.awaiting(state) == (0,)
    assert GAME.legal_json(state, 0) == [{"type": "sign", "sign": "plus"}, {"type": "sign", "sign": "minus"}]
    # 22, 16 and 10 are holes: by 12 both ways from 22 are falls
    state = table(4, 15, {0: 14})
    state.holes = int(state.holes) | 1 << 15 | 1 << 13
    assert over(play(state, "y1", "X", "X", "X"))


def test_equal_values_are_offered_once_and_one_value_is_not_asked():
    state = play(table(4, 14), "y3", "r3", "b2", "X")
    assert GAME.legal_json(state, 0) == [{"type": "pick", "value": 3}, {"type": "pick", "value": 2}]
    assert "no number card in this trick has the value 9" in reason(state, 0, type="pick", value=9)
    state = play(table(4, 14), "y3", "r3", "X", "X")
    assert over(state)
    assert places(state) == {3: 3}, "3, the rearmost, lands on 0 and pushes it into the hole at 4"
    assert line(state) == [1, 2, 0]


def test_nobody_is_asked_to_choose_if_nothing_can_move():
    state = play(table(4, 18), "y9", "X", "X", "X")  # nobody is second: by 0
    assert over(state)
    state = play(table(4, 18), "y9", "y2", "X", "X")
    assert GAME.legal_json(state, 0) == [{"type": "choose", "lemming": name} for name in NAMES[:4]]


def test_the_own_lemming_cannot_be_chosen_other():
    state = play(table(4, 8), "y3", "X", "X", "X")
    assert GAME.legal_json(state, 0) == [{"type": "choose", "lemming": name} for name in NAMES[1:4]]
    assert "is your own" in reason(state, 0, type="choose", lemming=NAMES[0])


def test_with_two_players_the_other_lemming_is_not_asked_for():
    state = play(table(2, 8, {1: 5}), "y3", "y1")
    assert over(state)
    assert places(state) == {0: 3, 1: 2}


def test_the_trick_winner_decides_for_a_chosen_lemming():
    state = play(table(4, 21, {1: 5}), "y3", "y2", "r2", "b2")
    state = answer(state, (0, "choose", NAMES[1]), (0, "pick", 3), (0, "way", "short"))
    assert places(state) == {1: 13}, "6, H, 13"


def test_a_move_of_0_pushes_nobody_and_is_not_told():
    state = play(table(4, 16, {0: 5}), "X", "X", "X", "y1")
    moved = [told.event for told in GAME.events(state) if told.event["type"] == "moved"]
    assert [event["lemming"] for event in moved] == [NAMES[3]]


# --- the fork, backward -----------------------------------------------------------------------------------------------


def test_backward_over_the_fork():
    state = play(table(3, 1, {0: 14}), "y-3", "X", "X")
    assert places(answer(state, (0, "way", "long"))) == {0: 11}
    assert places(answer(state, (0, "way", "short"))) == {0: 6}, "13, H, 6"


def test_a_push_back_from_13_goes_to_12_or_into_the_hole():
    state = play(table(3, 1, {0: 14, 1: 13}), "y-1", "X", "X")
    assert GAME.view(state, None)["move"]["asked"] == NAMES[1]
    assert places(answer(state, (0, "way", "long"))) == {0: 13, 1: 12}
    state = answer(state, (0, "way", "short"))
    assert places(state) == {0: 13}
    assert points(state) == [3, 2, 3]


def test_a_push_back_from_1_goes_to_the_end_of_the_line():
    state = play(table(3, 1, {0: 2, 1: 1}), "y-1", "X", "X")
    assert places(state) == {0: 1}
    assert line(state) == [2, 1]
    assert points(state) == [3, 3, 3]


def test_on_the_long_way_there_is_no_choice():
    assert places(play(table(3, 1, {0: 7}), "y9", "X", "X")) == {0: 16}
    assert places(play(table(3, 1, {0: 12}), "y-5", "X", "X")) == {0: 7}


def test_no_vp_is_lost_by_who_has_none():
    state = table(3, 1, {0: 23})
    state.players[0].points = 0
    assert points(play(state, "y12", "X", "X")) == [0, 3, 3]


# --- scoring ----------------------------------------------------------------------------------------------------------


def scored(state: State) -> State:
    state = copy(state)
    score(state)
    return state


def test_track_first_then_the_line_and_the_last_in_the_line_earns_nothing():
    state = scored(table(5, 1, {2: 9, 4: 20}, line=[3, 0, 1]))  # act 1: 3, 2, 1, 1, 0
    assert points(state) == [4, 3, 5, 4, 6]
    state = table(4, 1, {2: 9, 3: 20}, line=[0, 1])
    state.act = 3  # 7, 4, 2, 0
    assert points(scored(state)) == [5, 3, 7, 10]
    state.act = 0
    assert points(scored(table(3, 1, line=[2, 0, 1]))) == [4, 3, 6]


def test_on_the_track_everyone_earns():
    state = table(3, 1, {0: 3, 1: 2, 2: 1}, line=[])
    assert points(scored(state)) == [6, 4, 4]


def test_ties_go_to_the_better_place_in_act_4():
    state = table(3, 1, {1: 9}, line=[2, 0])
    state = scored(state)
    for seat in range(3):
        state.players[seat].points = 10
    state.phase, state.turn = PHASE_OVER, NONE
    assert champion(state) == 1
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranking == (3, 1, 2)
    assert outcome.winners == (1,)
    assert outcome.points == (10, 10, 10)
    assert GAME.payoffs(state) == [0.0, 1.0, 0.0]


def test_the_first_place_leads_the_next_act():
    chooser = random.Random(5)
    state = fresh(4)
    for number in range(1, ACTS):
        while int(state.act) < number:
            seat = chooser.choice(GAME.awaiting(state))
            state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
        assert line(state) == [int(lemming) for lemming in state.standing[:4]]
        assert int(state.lead) == line(state)[0]
        assert places(state) == {}
        assert GAME.awaiting(state) == (0, 1, 2, 3)


# --- two lemmings each ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_two_lemmings_each_through_all_acts(seats: int):
    chooser = random.Random(seats)
    state = fresh(seats, two_lemmings=True)
    assert [int(state.place[seats + seat]) for seat in range(seats)] == [OUT] * seats
    assert GAME.view(state, None)["lemmings"][seats]["where"] == "not_in_play"
    while int(state.act) == 0:
        before = state
        seat = chooser.choice(GAME.awaiting(state))
        state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
    # Act 2: the first lemmings rest where they are, the second ones line up in act 1's order, before those resting there.
    order = [int(lemming) for lemming in state.standing[:seats]]
    resting = [lemming for lemming in order if lemming not in places(state)]
    assert line(state) == [lemming + seats for lemming in order] + resting
    assert [int(state.players[seat].active) for seat in range(seats)] == list(range(seats, 2 * seats))
    assert before.act == 0
    for number in (2, 3):
        state = to_phase(state, PHASE_ACTIVATE, chooser)
        assert int(state.standing_n) == 2 * seats
        first = int(state.standing[0]) % seats
        at = places(state)
        waiting = line(state)
        for i in range(seats):
            seat = (first + i) % seats
            assert GAME.awaiting(state) == (seat,)
            legal = GAME.legal_json(state, seat)
            assert legal == [{"type": "activate", "lemming": NAMES[lemming]} for lemming in (seat, seat + seats)]
            assert "is not yours" in reason(state, seat, type="activate", lemming=NAMES[(seat + 1) % seats])
            state = answer(state, (seat, "activate", NAMES[seat + seats * chooser.randrange(2)]))
        assert int(state.act) == number
        chosen = [int(state.players[seat].active) for seat in range(seats)]
        standing = [int(lemming) for lemming in state.standing[: 2 * seats]]
        assert line(state)[:seats] == [lemming for lemming in standing if lemming in chosen]
        assert line(state)[seats:] == [lemming for lemming in waiting if lemming not in chosen]
        assert places(state) == {lemming: space for lemming, space in at.items() if lemming not in chosen}
        assert int(state.lead) == line(state)[0] % seats
    state = to_the_end(state, chooser)
    assert GAME.outcome(state) is not None


def test_sides_of_the_scoring_board():
    two = fresh(2)
    assert [list(row)[:4] for row in two.award] == [[3, 1, 1, 0], [4, 2, 1, 0], [5, 3, 1, 0], [7, 4, 2, 0]]
    three = fresh(3, two_lemmings=True)
    assert list(three.award[0]) == [3, 1, 1, 0, 0, 0]
    assert list(three.award[1]) == [4, 3, 2, 1, 0, 0]
    assert list(fresh(3).award[1]) == [4, 2, 1, 0, 0, 0]
    assert list(fresh(5).award[3]) == [7, 5, 4, 2, 1, 0]


def second_act(on: dict[int, int], waiting: list[int], rule: int = 1) -> State:
    """Three seats in act 2: lemmings 0-2 rest, 3-5 play."""
    state = table(3, rule, on, line=waiting, two_lemmings=True)
    for seat in range(3):
        state.players[seat].active = seat + 3
    state.act = 1
    state.order[1] = state.order[0]
    return state


def test_resting_lemmings_are_pushed_but_no_card_moves_them():
    state = play(second_act({0: 3, 1: 20}, [3, 4, 5, 2], rule=11), "y5", "y3", "r1")  # count, then the foremost by the lowest
    assert places(state) == {0: 3, 1: 20, 3: 5}, "two cards of the colour: 0's 3 to space 2; it is the foremost active: 3 more"
    state = play(second_act({0: 3, 1: 20}, [3, 4, 5, 2]), "y3", "X", "X")
    assert places(state) == {3: 3, 0: 4, 1: 20}


def test_a_resting_lemmings_fall_costs_its_owner():
    state = play(second_act({3: 23, 1: 24}, [4, 5, 0, 2]), "y1", "X", "X")
    assert places(state) == {3: 24}
    assert line(state) == [4, 5, 0, 2, 1]
    assert points(state) == [3, 2, 3]


def test_rearmost_is_the_last_active_one_in_the_line():
    state = play(second_act({}, [3, 4, 5, 0, 1, 2], rule=3), "y3", "r1", "r2")
    assert places(state) == {3: 3, 5: 2}


def test_jumps_see_resting_lemmings():
    state = play(second_act({1: 5}, [3, 4, 5, 0, 2], rule=13), "y3", "X", "X")
    assert places(state) == {3: 5, 1: 6}


def test_a_resting_lemming_in_the_line_counts_as_behind():
    state = second_act({3: 5, 4: 4}, [5, 0, 1, 2])
    assert points(scored(state)) == [3 + 4 + 1, 3 + 3 + 0, 3 + 2 + 0]


def test_resting_lemmings_cannot_be_chosen():
    state = play(second_act({1: 5}, [3, 4, 5, 0, 2], rule=21), "y3", "y2", "X")
    assert GAME.legal_json(state, 0) == [{"type": "choose", "lemming": name} for name in NAMES[3:]]
    assert "rests in this act" in reason(state, 0, type="choose", lemming=NAMES[1])
    first_act = play(table(3, 21, two_lemmings=True), "y3", "y2", "X")
    assert "not in play yet" in reason(first_act, 0, type="choose", lemming=NAMES[4])


# --- options ----------------------------------------------------------------------------------------------------------


def rule_numbers(state: State) -> list[Any]:
    return [entry["number"] for entry in GAME.view(state, None)["rule_cards"]]


def test_named_and_listed_rule_cards_are_public():
    assert rule_numbers(GAME.new(4, {"rule_cards": "first_tricks"}, bytes(32))) == [1, 2, 3, 4]
    assert rule_numbers(GAME.new(4, {"rule_cards": "first_game"}, bytes(32))) == [5, 6, 7, 8]
    assert rule_numbers(GAME.new(2, {"rule_cards": [2, 22, 5, 1]}, bytes(32))) == [2, 22, 5, 1]


def test_random_rule_cards_are_hidden_different_and_good_for_the_seats():
    for seed in range(30):
        state = GAME.new(2, {}, bytes([seed]) * 32)
        order = [int(state.rules[int(rule)].number) for rule in state.order]
        assert len(set(order)) == 4
        assert not {2, 5} & set(order)
        assert rule_numbers(state)[1:] == [None] * 3
        assert rule_numbers(GAME.redact(state, 0))[1:] == [None] * 3
        assert list(GAME.redact(state, 1).order[1:]) == [NONE] * 3


@pytest.mark.parametrize(
    ("seats", "options", "option", "said"),
    [
        (2, {"two_lemmings": False}, "two_lemmings", "always have two"),
        (4, {"two_lemmings": True}, "two_lemmings", "one lemming each"),
        (3, {"two_lemmings": 1}, "two_lemmings", "true or false"),
        (3, {"rule_cards": "second_game"}, "rule_cards", "no set"),
        (3, {"rule_cards": [1, 2, 3]}, "rule_cards", "four cards"),
        (3, {"rule_cards": [1, 2, 3, 4, 5]}, "rule_cards", "four cards"),
        (3, {"rule_cards": [1, 2, 3, 3]}, "rule_cards", "listed twice"),
        (3, {"rule_cards": [1, 2, 3, 23]}, "rule_cards", "no card 23"),
        (3, {"rule_cards": [1, 2, 3, 0]}, "rule_cards", "no card 0"),
        (3, {"rule_cards": [2, 3, 4, True]}, "rule_cards", "integer"),
        (3, {"rule_cards": [1, 2, 3, "4"]}, "rule_cards", "integer"),
        (3, {"rule_cards": 7}, "rule_cards", "list"),
        (3, {"rule_cards": None}, "rule_cards", "list"),
        (3, {"edition": "second"}, "edition", "there is"),
        (3, {"speed": 1}, "speed", "no such option"),
    ],
)
def test_bad_options_are_refused(seats: int, options: dict[str, Any], option: str, said: str):
    with pytest.raises(BadOption, match=said) as refused:
        GAME.complete_options(seats, options)
    assert refused.value.option == option


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_wrong_seat_counts_are_refused(seats: int):
    with pytest.raises(BadSeats, match="2 to 6"):
        GAME.complete_options(seats, {})


def test_two_lemmings_by_default_with_two_players_only():
    assert GAME.complete_options(2, {})["two_lemmings"] is True
    assert GAME.complete_options(3, {})["two_lemmings"] is False


def test_variants_play_every_rule_card():
    listed = {
        n for _, options in GAME.variants(EDITION) if isinstance(options["rule_cards"], list) for n in options["rule_cards"]
    }
    assert listed == set(range(1, 23))


# --- actions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"type": "jump"}, "the types are put_back, play, choose"),
        ({"card": {"x": True}}, "the types are"),
        ({"type": "play"}, "has the fields type and card"),
        ({"type": "play", "card": {"x": True}, "now": 1}, "has the fields type and card"),
        ({"type": "play", "card": "red 10"}, "card: is"),
        ({"type": "play", "card": {}}, "a number card has colour and value"),
        ({"type": "play", "card": {"x": 1}}, 'an X is {"x": true}'),
        ({"type": "play", "card": {"x": False}}, 'an X is {"x": true}'),
        ({"type": "play", "card": {"x": True, "value": 1}}, 'an X is {"x": true}'),
        ({"type": "play", "card": {"colour": "pink", "value": 1}}, "the colours are yellow, red, blue, green"),
        ({"type": "play", "card": {"colour": "red", "value": 0}}, "the values are -5, -3"),
        ({"type": "play", "card": {"colour": "red", "value": True}}, "the values are"),
        ({"type": "play", "card": {"colour": "red", "value": "10"}}, "the values are"),
        ({"type": "choose", "lemming": "Agrippina"}, "the lemmings are Kleopatra, Nero, Maximus, Hymnia$"),
        ({"type": "choose", "lemming": 2}, "the lemmings are"),
        ({"type": "activate", "lemming": None}, "the lemmings are"),
        ({"type": "pick", "value": 13}, "the values are"),
        ({"type": "pick", "value": 1.0}, "the values are"),
        ({"type": "sign", "sign": "+"}, "plus or minus"),
        ({"type": "way", "way": "middle"}, "long or short"),
    ],
)
def test_unreadable_actions_are_refused(action: dict[str, Any], said: str):
    with pytest.raises(UnreadableAction, match=said):
        GAME.action_from_json(fresh(4), action)


def test_descriptions():
    state = play(table(4, 15, {1: 14}), "y5", "y9", "r2", "X")
    assert [GAME.describe(state, 1, a) for a in GAME.legal(state, 1)] == ["Move Nero 9 forward", "Move Nero 9 backward"]
    state = answer(state, (1, "sign", "minus"))
    assert [GAME.describe(state, 1, a) for a in GAME.legal(state, 1)] == ["Move Nero the long way", "Move Nero the short way"]
    assert GAME.describe(state, 1, 60) == "Put X back"
    assert GAME.describe(state, 1, 61 + card("b-3")) == "Play blue -3"
    with pytest.raises(ValueError, match="no action"):
        GAME.describe(state, 1, 9999)


# --- sizes ------------------------------------------------------------------------------------------------------------


def test_no_play_tells_more_than_the_log_holds_nor_has_more_actions():
    chooser = random.Random(9)
    most = 0
    for seats, options in GAME.variants(EDITION):
        state = GAME.new(seats, options, bytes(32))
        while awaited := GAME.awaiting(state):
            most = max(most, int(state.log_n))
            seat = chooser.choice(awaited)
            legal = GAME.legal(state, seat)
            assert len(legal) <= MAX_ACTIONS
            state = GAME.play(state, seat, chooser.choice(legal))
    assert most <= state.log_code.shape[0]


def test_hidden_cards_of_an_act_are_forgotten_when_it_is_over():
    state = to_phase(fresh(3, two_lemmings=True), PHASE_ACTIVATE, random.Random(2))
    for seat in range(3):
        assert GAME.view(state, seat)["own"] == {"seat": seat, "hand": [], "put_back": []}
    assert len(GAME.view(state, None)["tricks_played"]) == TRICKS
    assert np.array_equal(state.players["voids"], np.zeros(6))
