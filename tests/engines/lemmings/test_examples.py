"""The worked examples of the rules file, one test each."""

from __future__ import annotations

import pytest

from engines.game import IllegalAction
from engines.lemmings import GAME
from engines.lemmings.state import CARRYING
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
    card,
    double,
    played,
    position,
    stacks,
)

STACK = [[], [RED, BLUE, WHITE], [GREEN]]


def test_1_forward_takes_those_on_the_head_along():
    after = played(position(lands=STACK, hands=[[BLUE, BACK]]), BLUE)
    assert stacks(after)["land 2"] == ["red"]
    assert stacks(after)["land 3"] == ["green", "blue", "white"]


def test_2_jump_leaves_those_on_the_head_behind():
    after = played(position(lands=STACK, hands=[[JUMP, BACK]]), JUMP, lemming="red", direction="forward")
    assert stacks(after)["land 2"] == ["blue", "white"]
    assert stacks(after)["land 3"] == ["green", "red"]


def test_3_whoosh_swaps_uncovered_lemmings_only():
    state = position(lands=STACK, hands=[[WHOOSH, BACK]])
    after = played(state, WHOOSH, lemmings=["yellow", "white"])
    assert stacks(after)["land 2"] == ["red", "blue", "yellow"]
    assert "white" in stacks(after)["burrow"]
    with pytest.raises(IllegalAction, match="red has another lemming on its head"):
        act(state, 0, "play", WHOOSH, lemmings=["yellow", "red"])


def test_4_a_forward_card_of_a_drowned_lemming_moves_one_nearest_the_burrow():
    state = position(lands=[[RED, YELLOW], [WHITE]], water=[BLUE], hands=[[BLUE, BACK]])
    for able in ("green", "black"):
        assert stacks(played(state, BLUE, lemming=able))["land 1"] == ["red", "yellow", able]
    for unable in ("red", "white"):
        with pytest.raises(IllegalAction, match="nearest the burrow, which is green or black"):
            act(state, 0, "play", BLUE, lemming=unable)
    with pytest.raises(IllegalAction, match="nearest the burrow"):
        act(state, 0, "play", BLUE)


def test_5_a_double_card_with_one_of_its_two_in_the_water_is_played_as_the_other():
    pair = double(BLUE, WHITE)
    state = position(lands=[[WHITE]], water=[BLUE], hands=[[pair, BACK]])
    assert stacks(played(state, pair, lemming="white"))["land 2"] == ["white"]
    for other in ("blue", "red"):
        with pytest.raises(IllegalAction, match="blue in the water, so double forward blue/white moves white"):
            act(state, 0, "play", pair, lemming=other)


def test_6_back_never_leads_into_the_burrow():
    state = position(lands=[[RED], [BLUE]], hands=[[BACK, JUMP]])
    with pytest.raises(IllegalAction, match="red is on land 1"):
        act(state, 0, "play", BACK, lemming="red")
    assert stacks(played(state, BACK, lemming="blue"))["land 1"] == ["red", "blue"]


def test_7_the_last_two_on_the_ground():
    state = position(
        2,
        lands=[[], [], [], [RED, BLUE]],
        water=[YELLOW, WHITE, GREEN, BLACK],
        hands=[[RED, BLUE, BACK]],
        roles=[RED, YELLOW],
    )
    fell = GAME.outcome(played(state, RED))
    assert (fell.reason, fell.winners, fell.ranking) == ("none_left", (), (1, 1))
    last = GAME.outcome(played(state, BLUE))
    assert (last.reason, last.winners, last.ranking) == ("last_on_ground", (0,), (1, 2))


@pytest.mark.parametrize("shown", [[RED, NO_WAY], [NO_WAY, RED]])
def test_8_chaos_is_cancelled_by_a_shown_no_way(shown: list[int]):
    state = position(hands=[[CHAOS, BACK]], deck=[BACK, *reversed(shown)])
    after = played(state, CHAOS)
    assert list(stacks(after)) == ["burrow"]
    assert GAME.view(after, None)["discards"] == [card(kind) for kind in (CHAOS, *shown)]
    assert {"type": "shown", "cards": [card(kind) for kind in shown]} in [told.event for told in GAME.events(after)]


def test_8_chaos_carries_out_the_first_then_the_second_as_its_player_chooses():
    state = position(lands=[[], [BLUE], [WHITE]], hands=[[CHAOS, BACK]], deck=[BACK, BACK, RED])
    after = played(state, CHAOS)
    assert stacks(after)["land 1"] == ["red"]
    assert after.phase == CARRYING
    assert GAME.awaiting(after) == (0,)
    assert {a["lemming"] for a in GAME.legal_json(after, 0)} == {"blue", "white"}
    done = act(after, 0, "carry_out", BACK, lemming="white")
    assert stacks(done)["land 2"] == ["blue", "white"]
    assert GAME.awaiting(done) == (0,)


def test_9_the_first_no_way_clockwise_counts_and_can_be_answered():
    state = position(3, hands=[[RED, NO_WAY, BACK], [NO_WAY, BACK], [NO_WAY, BACK]])
    state = act(state, 0, "play", RED)
    state = act(act(state, 2, "no_way"), 1, "no_way")
    view = GAME.view(state, 2)
    assert view["table"]["no_ways"] == [1]
    assert [player["hand_size"] for player in view["players"]] == [2, 1, 2]
    assert view["window"]["awaited"] == [0, 2]
    state = act(act(state, 0, "no_way"), 2, "pass")
    state = act(act(state, 1, "pass"), 2, "pass")
    assert stacks(state)["land 1"] == ["red"]
    assert GAME.view(state, None)["discards"] == [card(kind) for kind in (RED, NO_WAY, NO_WAY)]


def test_10_five_in_hand_play_or_discard():
    state = position(hands=[[RED, RED, BLUE, NO_WAY, BACK]])
    with pytest.raises(IllegalAction, match="a hand of 5 is more than 4: play a card or discard one"):
        act(state, 0, "stop")
    after = act(state, 0, "discard", NO_WAY)
    assert int(after.turn) == 1
    assert int(after.players[0].hand_n) == 4
    assert GAME.view(after, None)["discards"] == [card(NO_WAY)]
