"""The rest of the rules of Lemmings: setup, turns, cards, windows, the end, refusals."""

from __future__ import annotations

import pytest

from engines.game import IllegalAction, NotYourDecision, UnreadableAction
from engines.kernel import State
from engines.lemmings import GAME
from engines.lemmings.state import CARRYING, OVER, TURN, WINDOW
from tests.engines.lemmings.positions import (
    BACK,
    BLACK,
    BLUE,
    CHAOS,
    GREEN,
    JUMP,
    NAMES,
    NO_WAY,
    RED,
    WHITE,
    WHOOSH,
    YELLOW,
    act,
    card,
    double,
    passed,
    played,
    position,
    stacks,
)


def kinds(state: State, seat: int) -> list[int]:
    return [int(kind) for kind in state.players[seat].hand[: state.players[seat].hand_n]]


def discards(state: State) -> list[int]:
    return [int(kind) for kind in state.discards[: state.discards_n]]


def events(state: State, viewer: int | None = None) -> list[dict]:
    return [told.event for told in GAME.events(state) if told.to(viewer)]


# --- setup ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_setup(seats: int):
    firsts = set()
    for number in range(20):
        state = GAME.new(seats, {}, bytes([number]) * 32)
        roles = [int(state.players[seat].role) for seat in range(seats)]
        assert len(set(roles)) == seats
        assert int(state.deck_n) == 60 - 2 * seats - 1
        assert [int(state.players[s].hand_n) for s in range(seats)] == [3 if s == state.turn else 2 for s in range(seats)]
        assert stacks(state) == {"burrow": list(NAMES)}
        assert events(state, 0)[0] == {"type": "role", "seat": 0, "role": NAMES[roles[0]]}
        assert {"type": "first_seat", "seat": int(state.turn)} in events(state)
        firsts.add(int(state.turn))
    assert len(firsts) > 1


def test_a_draw_is_shown_to_its_seat_only():
    state = act(position(3, hands=[[RED], [BACK], [BLUE]], deck=[JUMP, WHOOSH]), 0, "stop")
    drew = {"type": "drew", "seat": 1, "card": card(WHOOSH)}
    assert drew in events(state, 1)
    assert drew not in events(state, 0)
    assert {"type": "turn", "seat": 1, "cards_drawn": 1} in events(state, 0)


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_a_turn_ends_by_itself_after_two_cards():
    state = played(position(hands=[[RED, BLUE, WHITE]]), RED)
    assert int(state.turn) == 0
    assert int(played(state, BLUE).turn) == 1


def test_a_turn_ends_by_itself_with_an_empty_hand():
    assert int(played(position(hands=[[RED]]), RED).turn) == 1


def test_a_cancelled_card_counts_as_one_of_the_two():
    state = act(position(2, hands=[[RED, BLUE], [NO_WAY, BACK]], played=1), 0, "play", RED)
    state = passed(act(state, 1, "no_way"))
    assert stacks(state) == {"burrow": list(NAMES)}
    assert int(state.turn) == 1


def test_stop_as_the_only_action_is_still_awaited():
    state = position(hands=[[BACK, NO_WAY]])
    assert GAME.legal_json(state, 0) == [{"type": "stop"}]
    assert GAME.awaiting(state) == (0,)


def test_after_one_of_five_cards_stop_is_legal_and_discard_is_not():
    state = played(position(hands=[[RED, RED, BLUE, NO_WAY, BACK]]), RED)
    assert act(state, 0, "stop").turn == 1
    with pytest.raises(IllegalAction, match="only discarded with more than 4 in hand; 4 are held"):
        act(state, 0, "discard", BACK)


def test_a_discard_opens_no_window():
    state = act(position(2, hands=[[RED, RED, BLUE, WHITE, BACK], [NO_WAY]]), 0, "discard", RED)
    assert state.phase == TURN
    assert state.turn == 1


def test_equal_cards_are_one_action():
    state = position(hands=[[RED, RED, RED]])
    assert GAME.legal_json(state, 0) == [{"type": "play", "card": card(RED)}, {"type": "stop"}]


def test_an_empty_pile_is_made_of_the_discards_before_the_draw():
    state = act(position(2, hands=[[RED], [BACK]], deck=[], discards=[BLUE, WHITE]), 0, "stop")
    assert {"type": "reshuffled", "draw_pile": 2} in events(state)
    assert discards(state) == []
    assert int(state.deck_n) == 1
    assert int(state.players[1].hand_n) == 2
    assert int(state.reveals) == 1


def test_without_any_card_none_is_drawn():
    state = act(position(2, hands=[[RED], [BACK]], deck=[]), 0, "stop")
    assert kinds(state, 1) == [BACK]
    assert {"type": "turn", "seat": 1, "cards_drawn": 0} in events(state)


def test_seats_with_an_empty_hand_and_nothing_to_draw_are_passed_over():
    state = act(position(3, hands=[[RED, BLUE]], deck=[]), 0, "stop")
    assert int(state.turn) == 0
    assert int(state.turns) == 4


# --- cards ------------------------------------------------------------------------------------------------------------


def test_a_forward_card_from_the_burrow_moves_one_lemming_alone():
    state = played(position(lands=[[BLUE]], hands=[[RED, BACK]]), RED)
    assert stacks(state)["land 1"] == ["blue", "red"]
    assert {"type": "moved", "lemming": "red", "from": "burrow", "to": "land 1"} in events(state)


def test_into_the_water_all_of_them_fall():
    state = played(position(lands=[[], [], [], [RED, BLUE, WHITE]], hands=[[BLUE, BACK]]), BLUE)
    assert stacks(state)["water"] == ["blue", "white"]
    assert stacks(state)["land 4"] == ["red"]


def test_the_very_important_rule_takes_those_on_the_head_along():
    lands = [[], [YELLOW, WHITE, GREEN], [BLACK, RED]]
    state = position(lands=lands, water=[BLUE], hands=[[BLUE, BACK]])
    assert [a["lemming"] for a in GAME.legal_json(state, 0) if a.get("card") == card(BLUE)] == ["yellow", "white", "green"]
    assert stacks(played(state, BLUE, lemming="white"))["land 3"] == ["black", "red", "white", "green"]


def test_a_double_card_moves_either_of_its_two():
    pair = double(BLUE, WHITE)
    state = position(hands=[[pair, BACK]])
    assert [a.get("lemming") for a in GAME.legal_json(state, 0)] == ["blue", "white", None]
    with pytest.raises(IllegalAction, match="double forward blue/white moves blue or white, not red"):
        act(state, 0, "play", pair, lemming="red")


def test_a_double_card_with_both_in_the_water_falls_under_the_very_important_rule():
    pair = double(BLUE, WHITE)
    state = position(lands=[[RED]], water=[BLUE, WHITE], hands=[[pair, BACK]])
    assert [a.get("lemming") for a in GAME.legal_json(state, 0) if a.get("card") == card(pair)] == ["yellow", "green", "black"]


def test_back_takes_those_on_the_head_along_and_fetches_one_out_of_the_water():
    lands = [[GREEN], [RED, BLUE], [], [YELLOW]]
    state = position(lands=lands, water=[WHITE, BLACK], hands=[[BACK, NO_WAY]])
    assert stacks(played(state, BACK, lemming="red"))["land 1"] == ["green", "red", "blue"]
    assert stacks(played(state, BACK, lemming="white"))["land 4"] == ["yellow", "white"]
    with pytest.raises(IllegalAction, match="green is on land 1"):
        act(state, 0, "play", BACK, lemming="green")


def test_back_and_whoosh_without_a_choice_cannot_be_played():
    state = position(hands=[[BACK, WHOOSH]])
    assert GAME.legal_json(state, 0) == [{"type": "stop"}]
    with pytest.raises(IllegalAction, match="red is on burrow"):
        act(state, 0, "play", BACK, lemming="red")
    with pytest.raises(IllegalAction, match="yellow and red are in the same place"):
        act(state, 0, "play", WHOOSH, lemmings=["yellow", "red"])


def test_jump_goes_anywhere_but_into_the_burrow():
    state = position(lands=[[RED], [BLUE, GREEN]], water=[WHITE], hands=[[JUMP, BACK]])
    jumps = {(a["lemming"], a["direction"]) for a in GAME.legal_json(state, 0) if a.get("card") == card(JUMP)}
    forward = {(name, "forward") for name in ("yellow", "black", "red", "blue", "green")}
    assert jumps == forward | {("blue", "back"), ("green", "back"), ("white", "back")}
    assert stacks(played(state, JUMP, lemming="blue", direction="back"))["land 1"] == ["red", "blue"]
    assert stacks(played(state, JUMP, lemming="blue", direction="back"))["land 2"] == ["green"]
    assert stacks(played(state, JUMP, lemming="white", direction="back"))["land 4"] == ["white"]
    for lemming, way, why in (
        ("red", "back", "nobody jumps into the burrow"),
        ("yellow", "back", "in the burrow: from there it jumps forward only"),
        ("white", "forward", "in the water: from there it jumps back only"),
    ):
        with pytest.raises(IllegalAction, match=why):
            act(state, 0, "play", JUMP, lemming=lemming, direction=way)


def test_whoosh_may_bring_lemmings_into_burrow_and_water():
    state = position(lands=[[RED, BLUE]], water=[WHITE], hands=[[WHOOSH, BACK]])
    assert stacks(played(state, WHOOSH, lemmings=["blue", "white"])) == {
        "burrow": ["yellow", "green", "black"],
        "land 1": ["red", "white"],
        "water": ["blue"],
    }
    assert "white" in stacks(played(state, WHOOSH, lemmings=["white", "green"]))["burrow"]


def test_chaos_cannot_be_played_when_no_card_can_be_drawn():
    state = position(hands=[[CHAOS, BACK]], deck=[])
    with pytest.raises(IllegalAction, match="no card left for Chaos"):
        act(state, 0, "play", CHAOS)
    assert len(GAME.legal_json(position(hands=[[CHAOS]], deck=[], discards=[RED]), 0)) == 2


def test_chaos_reshuffles_for_its_second_card_without_the_cards_on_the_table():
    state = played(position(2, hands=[[CHAOS, BACK], [BACK]], deck=[RED], discards=[BLUE, BLUE]), CHAOS)
    assert stacks(state)["land 1"] == ["blue", "red"] or stacks(state)["land 1"] == ["red", "blue"]
    assert discards(state) == [CHAOS, RED, BLUE]
    assert int(state.deck_n) == 1


def test_chaos_shows_what_there_is():
    state = played(position(2, hands=[[CHAOS, BACK], [BACK]], deck=[RED]), CHAOS)
    assert stacks(state)["land 1"] == ["red"]
    assert discards(state) == [CHAOS, RED]


def test_a_shown_chaos_and_a_shown_card_without_a_choice_are_skipped():
    state = played(position(hands=[[CHAOS, BACK]], deck=[JUMP, BACK, CHAOS]), CHAOS)
    assert state.phase == TURN
    assert list(stacks(state)) == ["burrow"]
    assert discards(state) == [CHAOS, CHAOS, BACK]


def test_shown_cards_do_not_count_and_open_no_window_and_may_not_be_declined():
    state = played(position(hands=[[CHAOS, RED, BLUE]], deck=[JUMP, JUMP, JUMP]), CHAOS)
    assert state.phase == CARRYING
    assert GAME.silence(state, 0) is None
    for kind, why in (("stop", "Chaos showed Jump!, which must be carried out now"), ("pass", "none is being answered now")):
        with pytest.raises(IllegalAction, match=why):
            act(state, 0, kind)
    with pytest.raises(IllegalAction, match="Chaos showed Jump!"):
        act(state, 0, "carry_out", RED)
    with pytest.raises(NotYourDecision):
        act(state, 1, "carry_out", JUMP, lemming="red", direction="forward")
    view = GAME.view(state, 1)["table"]
    assert view["carrying_out"] == card(JUMP)
    assert view["shown"] == [card(JUMP)] * 2
    state = act(state, 0, "carry_out", JUMP, lemming="red", direction="forward")
    state = act(state, 0, "carry_out", JUMP, lemming="blue", direction="forward")
    assert int(state.turn) == 0
    assert int(state.played) == 1


def test_the_end_after_the_first_shown_card_skips_the_second():
    lands = [[], [], [], [RED, BLUE]]
    state = position(
        2, lands=lands, water=[YELLOW, WHITE, GREEN, BLACK], hands=[[CHAOS, BACK]], deck=[JUMP, BLUE], roles=[RED, 0]
    )
    state = played(state, CHAOS)
    assert GAME.outcome(state).winners == (0,)
    assert discards(state) == [CHAOS, BLUE, JUMP]


# --- the reaction window ----------------------------------------------------------------------------------------------


def test_all_other_seats_are_awaited_holders_or_not():
    state = act(position(4, hands=[[RED, NO_WAY], [NO_WAY], [BACK], []], turn=0), 0, "play", RED)
    assert state.phase == WINDOW
    assert GAME.awaiting(state) == (1, 2, 3)
    assert [len(GAME.legal(state, seat)) for seat in range(4)] == [0, 2, 1, 1]
    assert [GAME.silence(state, seat) is not None for seat in range(4)] == [False, True, True, True]
    assert GAME.action_to_json(state, GAME.silence(state, 1)) == {"type": "pass"}


def test_an_answer_shows_as_answered_whatever_it_is():
    state = act(position(3, hands=[[RED, BACK], [NO_WAY, BACK], [BACK]]), 0, "play", RED)
    both = [act(state, 1, answer) for answer in ("pass", "no_way")]
    for viewer in (0, 2, None):
        first, second = [(GAME.view(s, viewer), events(s, viewer), int(s.reveals)) for s in both]
        assert first == second
        assert first[1] == [{"type": "answered", "seat": 1}]
    assert [GAME.view(s, 1)["window"]["your_answer"] for s in both] == ["pass", "no_way"]
    assert both[0].seen[0] == both[1].seen[0]
    assert both[0].seen[1] != both[1].seen[1]
    with pytest.raises(NotYourDecision):
        act(both[0], 1, "no_way")


def test_a_no_way_that_does_not_count_stays_and_shows_as_a_pass():
    state = act(position(3, hands=[[RED, BACK], [NO_WAY, BACK], [NO_WAY, BACK]]), 0, "play", RED)
    state = act(state, 1, "no_way")
    both = [act(state, 2, answer) for answer in ("pass", "no_way")]
    for viewer in (0, 1, None):
        assert GAME.view(both[0], viewer) == GAME.view(both[1], viewer)
        assert events(both[0], viewer) == events(both[1], viewer)
    assert kinds(both[0], 2) == kinds(both[1], 2) == [BACK, NO_WAY]


def test_first_clockwise_counts_from_the_seat_that_is_answered():
    state = act(position(4, hands=[[NO_WAY, BACK], [NO_WAY, BACK], [RED, BACK], [BACK]], turn=2), 2, "play", RED)
    state = act(act(act(state, 0, "no_way"), 1, "no_way"), 3, "pass")
    assert GAME.view(state, None)["table"]["no_ways"] == [0]
    assert GAME.awaiting(state) == (1, 2, 3)
    with pytest.raises(NotYourDecision):
        act(state, 0, "no_way")


def test_those_that_passed_before_may_answer_a_no_way():
    state = act(position(2, hands=[[RED, NO_WAY, BACK], [NO_WAY, NO_WAY, BACK]]), 0, "play", RED)
    state = act(act(act(state, 1, "no_way"), 0, "no_way"), 1, "no_way")
    assert GAME.view(state, None)["table"]["no_ways"] == [1, 0, 1]
    state = act(state, 0, "pass")
    assert {"type": "settled", "cancelled": True} in events(state)
    assert list(stacks(state)) == ["burrow"]
    assert discards(state) == [RED, NO_WAY, NO_WAY, NO_WAY]


def test_a_no_way_may_leave_its_player_without_cards():
    state = act(position(2, hands=[[RED, BACK], [NO_WAY]]), 0, "play", RED)
    state = passed(act(state, 1, "no_way"))
    assert int(state.turn) == 0
    assert int(state.players[1].hand_n) == 0


# --- the end ----------------------------------------------------------------------------------------------------------

LAST_TWO = {"lands": [[], [], [], [RED, BLUE]], "water": [YELLOW, WHITE, GREEN, BLACK]}


def test_a_last_lemming_of_nobody_wins_for_nobody():
    state = played(position(2, **LAST_TWO, hands=[[BLUE, BACK]], roles=[BLUE, YELLOW]), BLUE)
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.ranking) == ("unowned_last", (), (1, 1))
    assert GAME.payoffs(state) == [0.0, 0.0]


def test_the_burrow_counts_as_the_ground():
    state = position(2, lands=[[], [], [], [RED]], water=[YELLOW, WHITE, GREEN, BLACK], hands=[[RED, BACK]], roles=[BLUE, RED])
    assert GAME.outcome(played(state, RED)).winners == (0,)


def test_a_cancelled_card_never_ends_a_match():
    state = act(position(2, **LAST_TWO, hands=[[RED, BACK], [NO_WAY, BACK]]), 0, "play", RED)
    state = act(act(state, 1, "no_way"), 0, "pass")
    assert GAME.outcome(state) is None


def test_everything_is_shown_at_the_end():
    state = played(position(2, **LAST_TWO, hands=[[BLUE, BACK], [JUMP]], roles=[RED, YELLOW], deck=[WHITE, BLUE]), BLUE)
    view = GAME.view(state, None)
    assert [(p["role"], p["hand"]) for p in view["players"]] == [("red", [card(BACK)]), ("yellow", [card(JUMP)])]
    assert view["draw_pile_cards"] == [card(BLUE), card(WHITE)]
    assert {"type": "was", "seat": 1, "role": "yellow"} in events(state)
    assert {"type": "over", "reason": "last_on_ground", "winner": 0} in events(state)
    with pytest.raises(NotYourDecision, match="over"):
        act(state, 0, "stop")


def test_the_guard_ends_a_match():
    state = position(2, hands=[[RED, BACK], [BACK]])
    state.turns = state.turn_limit
    outcome = GAME.outcome(act(state, 0, "stop"))
    assert (outcome.reason, outcome.winners) == ("turn_limit", ())


# --- refusals ---------------------------------------------------------------------------------------------------------


def refused(state: State, seat: int, kind: str, card_kind: int | None = None, **choices: object) -> str:
    with pytest.raises(IllegalAction) as caught:
        act(state, seat, kind, card_kind, **choices)
    assert caught.value.legal == GAME.legal_json(state, seat)
    return str(caught.value)


def test_refusals_in_a_turn():
    state = position(lands=[[BLUE]], hands=[[RED, NO_WAY]])
    assert refused(state, 0, "play", WHITE) == "there is no forward white in this hand"
    assert refused(state, 0, "no_way") == refused(state, 0, "pass")
    assert "none is being answered now" in refused(state, 0, "no_way")
    assert "no card shown by Chaos is waiting" in refused(state, 0, "carry_out", RED)
    assert "moves red, not blue" in refused(state, 0, "play", RED, lemming="blue")
    with pytest.raises(NotYourDecision, match="awaited: 0"):
        act(state, 1, "stop")


def test_refusals_in_a_window():
    state = act(position(3, hands=[[RED, NO_WAY, BLUE], [BACK], [BACK]]), 0, "play", RED)
    assert refused(state, 1, "no_way") == "there is no No way! in this hand: pass"
    assert "is being answered: pass" in refused(state, 1, "stop")
    with pytest.raises(NotYourDecision, match="awaited: 1, 2"):
        act(state, 0, "no_way")
    no_way = GAME.action_from_json(state, {"type": "no_way"})
    assert GAME.explain(GAME.edition_of(state), state, 0, no_way) == (
        "nobody answers a card of their own: the others are answering seat 0's forward red"
    )
    answered = act(state, 1, "pass")
    assert "answered already" in GAME.explain(GAME.edition_of(state), answered, 1, no_way)


def test_reasons_for_seats_that_are_not_awaited():
    edition = GAME.editions["reconstruction"]
    state = position(2, hands=[[RED, BLUE, WHITE], [BACK]])
    third = GAME.action_from_json(state, {"type": "play", "card": card(WHITE)})
    after = played(played(state, RED), BLUE)
    assert "a turn ends by itself after 2 cards" in GAME.explain(edition, after, 0, third)
    after.phase = OVER
    assert GAME.explain(edition, after, 0, third) == "the match is over"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"type": "fly"}, "type is one of play, carry_out"),
        ({"type": 3}, "type is one of"),
        ({"type": "stop", "card": {"kind": "back"}}, "card does not belong here"),
        ({"type": "play"}, "card is missing"),
        ({"type": "play", "card": "red"}, "card is an object"),
        ({"type": "play", "card": {"kind": "sideways"}}, "card.kind is one of"),
        ({"type": "play", "card": {"kind": ["back"]}}, "card.kind is one of"),
        ({"type": "play", "card": {"kind": "forward"}}, "card.colour is missing"),
        ({"type": "play", "card": {"kind": "forward", "colour": "pink"}}, "card.colour is one of yellow"),
        ({"type": "play", "card": {"kind": "forward", "colour": True}}, "card.colour is one of"),
        ({"type": "play", "card": {"kind": "forward", "colour": "red"}, "lemming": "red"}, "leave lemming out"),
        (
            {"type": "play", "card": {"kind": "double_forward", "colours": ["white", "blue"]}, "lemming": "blue"},
            "in this order",
        ),
        ({"type": "play", "card": {"kind": "double_forward", "colours": ["blue"]}, "lemming": "blue"}, "card.colours are two"),
        ({"type": "play", "card": {"kind": "double_forward", "colours": ["blue", "white"]}}, "lemming is missing"),
        ({"type": "play", "card": {"kind": "back"}}, "lemming is missing"),
        ({"type": "play", "card": {"kind": "jump"}, "lemming": "red"}, "direction is missing"),
        ({"type": "play", "card": {"kind": "jump"}, "lemming": "red", "direction": 1}, "direction is forward or back"),
        ({"type": "play", "card": {"kind": "whoosh"}, "lemmings": ["red", "red"]}, "lemmings are two different"),
        ({"type": "play", "card": {"kind": "chaos"}, "lemming": "red"}, "lemming does not belong here"),
        ({"type": "play", "card": {"kind": "no_way"}}, "said by {type: no_way}"),
        ({"type": "discard", "card": {"kind": "back", "colour": "red"}}, "card.colour does not belong here"),
    ],
)
def test_unreadable_actions(data: dict, why: str):
    with pytest.raises(UnreadableAction) as caught:
        GAME.action_from_json(position(hands=[[RED]]), data)
    assert why in str(caught.value)


def test_every_action_number_has_its_json_and_words():
    state = position(hands=[[RED]])
    for number in range(GAME.action_numbers):
        assert GAME.action_from_json(state, GAME.action_to_json(state, number)) == number
        assert GAME.describe(state, 0, number)
        assert GAME.explain(GAME.edition_of(state), state, 0, number)


def test_descriptions():
    state = position(hands=[[RED]])
    for data, words in (
        ({"type": "play", "card": card(RED)}, "play forward red"),
        ({"type": "play", "card": card(RED), "lemming": "blue"}, "play forward red: blue"),
        ({"type": "play", "card": card(JUMP), "lemming": "blue", "direction": "back"}, "play Jump!: blue back"),
        (
            {"type": "carry_out", "card": card(WHOOSH), "lemmings": ["blue", "red"]},
            "carry out Whoosh!: blue and red swap places",
        ),
        ({"type": "discard", "card": card(double(BLUE, RED))}, "discard double forward blue/red"),
        ({"type": "pass"}, "let it happen"),
    ):
        assert GAME.describe(state, 0, GAME.action_from_json(state, data)) == words


# --- what moves tell --------------------------------------------------------------------------------------------------


def test_lean_counts_places_against_the_mean():
    state = position(3, lands=[[RED, BLUE]], hands=[[RED, BACK], [NO_WAY, BACK], [NO_WAY, BACK]])
    state = act(state, 0, "play", RED)
    moved = [2, -4, 2, -4, 2, 2]
    assert state.lean[0].tolist() == moved
    state = act(act(state, 1, "no_way"), 2, "pass")
    assert state.lean[1].tolist() == [-x for x in moved]
    state = act(act(state, 2, "no_way"), 0, "pass")
    assert state.lean[2].tolist() == moved


def test_lean_of_a_swap_adds_up_to_nothing():
    state = act(position(lands=[[], [RED]], hands=[[WHOOSH, BACK]]), 0, "play", WHOOSH, lemmings=["yellow", "red"])
    assert state.lean[0].tolist() == [-12, 0, 0, 12, 0, 0]
