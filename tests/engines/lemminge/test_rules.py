"""What the worked examples leave out: setup, refilling, the end, refusals, knowledge and the estimate."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines.game import BadOption, IllegalAction, UnreadableAction, copy
from engines.kernel import TELL_LOG, State
from engines.lemminge.rules import DEAREST, MEADOW_PRICE, TERRAIN_PRICE, survey
from engines.lemminge.state import BEYOND, KINDS, LOG, MAX_SPACES, MEADOW, OVER, STATE
from tests.engines.lemminge.positions import (
    GAME,
    SEED,
    act,
    card,
    events,
    kind_of,
    legal,
    open_board,
    position,
    terrain_at,
    where,
)

PILE = {"swamp": ["4"]}


def random_match(seed: int, seats: int, board: str = "sprint"):
    """Every state of a random match."""
    chooser = random.Random(seed)
    state = GAME.new(seats, {"board": board}, bytes([seed] * 32))
    yield state
    while awaited := GAME.awaiting(state):
        state = GAME.play(state, awaited[0], chooser.choice(GAME.legal(state, awaited[0])))
        yield state


# --- setup ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "hands"), [(2, [5, 6]), (3, [4, 5, 6]), (4, [3, 4, 5, 6]), (5, [2, 3, 4, 5, 6])])
def test_hands_in_turn_order(seats: int, hands: list[int]):
    for seed in range(4):
        state = GAME.new(seats, {}, bytes([seed] * 32))
        first = int(state.first)
        assert GAME.awaiting(state) == (first,)
        assert [int(state.players[(first + i) % seats].hand_n) for i in range(seats)] == hands


def test_setup_lies_open():
    state = GAME.new(3, {}, SEED)
    view = GAME.view(state, None)
    assert [pile["cards"] for pile in view["piles"]] == [[card(f"{pile['terrain']} 2")] for pile in view["piles"]]
    assert view["tiles_left"] == {"forest": 3, "water": 3, "mountain": 3, "swamp": 3, "desert": 3, "meadow": 6}
    assert view["draw_pile"] == 50 - 4 - 5 - 6
    assert all(
        lemming == {"lemming": i + 1, "at": "pen", "distance": 25} for i, lemming in enumerate(view["players"][0]["lemmings"])
    )


@pytest.mark.parametrize(("board", "spaces", "steps", "on_meadow"), [("horseshoe", 122, 25, 42), ("sprint", 68, 15, 25)])
def test_boards_are_as_long_as_the_rules_say(board: str, spaces: int, steps: int, on_meadow: int):
    state = GAME.new(2, {"board": board}, SEED)
    assert (int(state.spaces), int(state.pen_distance)) == (spaces, steps)
    meadow = {n for n in range(spaces) if state.terrain[n] == MEADOW}
    reached = {int(n) for row in state.near[MAX_SPACES:] for n in row} & meadow
    walked = 1
    while not any(BEYOND in state.near[n] for n in reached):
        reached |= {int(there) for n in reached for there in state.near[n]} & meadow
        walked += 1
    assert walked + 1 == on_meadow


def test_the_start_player_is_drawn():
    assert {int(GAME.new(4, {}, bytes([seed] * 32)).first) for seed in range(30)} == {0, 1, 2, 3}


def test_the_board_option():
    assert GAME.complete_options(2, {}) == {"board": "horseshoe", "edition": "reconstruction"}
    with pytest.raises(BadOption, match="there is no board 'moon'; there is horseshoe, sprint"):
        GAME.complete_options(2, {"board": "moon"})


# --- moving -----------------------------------------------------------------------------------------------------------


def test_an_equal_card_goes_on_top():
    state = act(position([["water 2"], []]), "card water 2")
    assert state.points == 4


def test_terrain_of_the_card_or_meadow():
    state = act(position([["forest 2"], []], lemmings={(0, 1): "3,5"}), "card forest 2", "lemming 1")
    assert [terrain_at(state, name) for name in ("3,6", "2,6", "2,5", "3,4")] == ["forest", "meadow", "swamp", "meadow"]
    assert [step.get("direction") for step in legal(state)] == ["E", "NE", "W", None]
    state = act(state, "W")
    with pytest.raises(IllegalAction, match="3,3 is water; the card allows forest and meadow"):
        act(state, "W")


def test_the_turn_ends_by_itself_without_points():
    state = act(position([["water 0"], ["water 1"]], {"water": ["0"]}, {(0, 1): "3,5"}), "card water 0")
    assert GAME.awaiting(state) == (1,)
    state = position([["water 1"], []], {"water": ["0"]}, {(0, 1): "3,5"})
    state = act(state, "card water 1", "tile 0,3", "lemming 1", "W")
    assert where(state, 0, 1) == "3,4"
    assert int(state.turn) == 1


def test_stopping_is_allowed_before_and_after_naming_a_lemming():
    state = act(position([["water 1"], []]), "card water 1")
    assert int(act(state, "stop").turn) == 1
    assert int(act(state, "lemming 1", "stop").turn) == 1


def test_only_lemmings_with_a_legal_step_are_offered():
    state = position([["swamp 3"], []], PILE, {(0, 1): "across"})
    state = act(state, "card swamp 3")
    assert legal(state) == [{"type": "lemming", "lemming": 2}, {"type": "stop"}]
    with pytest.raises(IllegalAction, match="lemming 1 is across"):
        act(state, "lemming 1")


def test_a_lemming_shut_in_is_not_offered():
    around = dict.fromkeys(("0,8", "0,9", "1,7", "1,9", "2,8", "2,9"), "water")
    state = position([["swamp 3"], []], PILE, {(0, 1): "1,8", (0, 2): "5,1"}, {**open_board(), **around})
    state = act(state, "card swamp 3")
    assert {"type": "lemming", "lemming": 1} not in legal(state)
    with pytest.raises(
        IllegalAction, match=r"lemming 1 \(on 1,8\) has no legal step with 7 movement points; lemming 2 has one"
    ):
        act(state, "lemming 1")


def test_pushed_lemmings_land_on_any_terrain_and_one_may_push_ones_own():
    terrain = {**open_board(), "1,5": "water"}
    state = position([["swamp 3"], []], PILE, {(0, 1): "1,3", (0, 2): "1,4"}, terrain)
    state = act(state, "card swamp 3", "lemming 1", "E")
    assert where(state, 0, 2) == "1,5"
    assert events(state)[:2] == [
        {"type": "moved", "seat": 0, "lemming": 1, "from": "1,3", "to": "1,4"},
        {"type": "pushed", "seat": 0, "lemming": 2, "from": "1,4", "to": "1,5"},
    ]
    with pytest.raises(IllegalAction, match="1,5 is water"):
        act(state, "E")


def test_nobody_is_pushed_into_the_pen():
    state = position([["swamp 3"], []], PILE, {(0, 1): "10,2", (1, 1): "11,1"}, open_board())
    state = act(state, "card swamp 3", "lemming 1")
    with pytest.raises(IllegalAction, match="the push SW from 10,2 would leave the board"):
        act(state, "SW")


def test_pushing_across_does_not_end_the_move_and_crossing_does():
    lemmings = {(0, 1): "10,13", (0, 2): "11,13"}
    state = position([["swamp 3"], ["water 1"], ["water 1"]], PILE, lemmings, open_board())
    state = act(state, "card swamp 3", "lemming 1", "SE")
    assert where(state, 0, 2) == "across"
    assert int(state.turn) == 0
    state = act(state, "NW", "SE", "SE")
    assert GAME.view(state, None)["players"][0]["place"] == 1
    assert int(state.turn) == 1


def test_a_step_out_of_the_pen_never_crosses():
    state = position([["swamp 3"], []], PILE)
    assert all(-2 not in row for row in state.near[MAX_SPACES:])


def test_steps_need_the_pen_cell_in_the_pen_and_only_there():
    state = act(position([["mountain 2"], []]), "card mountain 2", "lemming 1")
    with pytest.raises(IllegalAction, match=r"say from which pen cell it steps \(12,2, 12,3\)"):
        act(state, "NE")
    state = act(state, {"type": "step", "direction": "NE", "from": "12,2"})
    with pytest.raises(IllegalAction, match="the lemming is on 11,2, no longer in the pen"):
        act(state, {"type": "step", "direction": "NE", "from": "12,2"})
    with pytest.raises(IllegalAction, match="there is no space SW of 11,2"):
        act(state, "SW")


# --- tiles ------------------------------------------------------------------------------------------------------------


def test_a_tile_on_a_tile_puts_the_old_one_out_of_the_game():
    state = position([["water 4", "forest 4"], ["forest 3", "desert 4"]])
    state = act(state, "card water 4", "tile 3,5", "stop", "card desert 4", "tile 3,5")
    assert {"type": "placed", "seat": 1, "tile": "desert", "hex": "3,5", "replaced": "water"} in events(state)
    view = GAME.view(state, None)
    assert view["tiles"] == [
        {"tile": "water", "hex": "3,5", "seat": 0, "turn": 1, "on_board": False},
        {"tile": "desert", "hex": "3,5", "seat": 1, "turn": 2, "on_board": True},
    ]
    assert terrain_at(state, "3,5") == "desert"
    assert view["tiles_left"]["water"] == 2


def test_a_tile_goes_on_any_space_also_under_a_lemming():
    state = act(position([["water 4"], []], lemmings={(1, 1): "3,5"}), "card water 4")
    assert legal(state) == [{"type": "tile", "hex": name} for name in GAME.view(state, None)["spaces"]]
    assert where(act(state, "tile 3,5"), 1, 1) == "3,5"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("12,2", "is a pen cell"),
        ("12,14", "is beyond the finish line"),
        ("5,8", "is not on the board"),
        ("40,3", "is not on the board"),
    ],
)
def test_a_tile_goes_nowhere_else(name: str, what: str):
    state = act(position([["water 4"], []]), "card water 4")
    with pytest.raises(IllegalAction, match=f"{name} {what}: a bonus tile goes on a space") as refused:
        act(state, f"tile {name}")
    assert len(refused.value.legal) == 122


# --- refilling --------------------------------------------------------------------------------------------------------


def test_refilling_discards_in_the_order_chosen_and_draws_up_to_six():
    state = position([["water 1", "forest 3", "forest 3"], []])
    state = act(state, "refill", "discard forest 3", "discard water 1")
    assert GAME.view(state, None)["discard_pile"] == [card("forest 3"), card("water 1")]
    with pytest.raises(IllegalAction, match="water 1 is not in hand"):
        act(state, "discard water 1")
    before = int(state.draw_n)
    state = act(state, "done")
    assert state.players[0].hand_n == 6
    assert state.draw_n == before - 5
    assert state.reveals == 1
    assert {"type": "refilled", "seat": 0, "cards": 5} in events(state)
    assert not any(event["type"] == "drew" for event in events(state, 1))
    assert sum(event["type"] == "drew" for event in events(state, 0)) == 5


def test_a_full_hand_may_pass_and_an_empty_one_must_refill():
    full = position([["water 1"] * 3 + ["forest 1"] * 3, []])
    state = act(full, "refill", "done")
    assert (int(state.turn), state.draw_n) == (1, full.draw_n)
    assert legal(position([[], []])) == [{"type": "refill"}]
    assert legal(act(position([[], []]), "refill")) == [{"type": "done"}]


def test_the_draw_pile_is_renewed_only_when_a_card_is_needed():
    hand = ["water 1", "water 3"]
    state = position([hand, hand], draw=["forest 1"] * 4, discards=["swamp 0", "swamp 1"])
    state = act(state, "refill", "done")
    assert (state.draw_n, state.discard_n) == (0, 2)
    state = act(state, "refill", "discard water 1", "done")
    assert {"type": "reshuffled", "cards": 3} in events(state)
    assert (state.draw_n, state.discard_n, state.players[1].hand_n) == (0, 0, 4)


def test_drawing_stops_when_both_piles_are_empty():
    state = act(position([["water 1"], []], draw=[]), "refill", "done")
    assert state.players[0].hand_n == 1
    assert {"type": "refilled", "seat": 0, "cards": 0} in events(state)


def test_two_zeros_alone_give_one_away():
    state = act(position([[], []], piles={"desert": ["0", "0"]}, draw=[]), "refill", "done")
    assert GAME.view(state, 0)["players"][0]["hand"] == [card("desert 0")]


# --- the end ----------------------------------------------------------------------------------------------------------


def test_two_players_the_first_with_both_across_wins():
    state = position([["swamp 3"], ["water 1"]], PILE, {(0, 1): "across", (0, 2): "11,13"}, open_board())
    state = act(state, "card swamp 3", "lemming 2", "SE")
    assert GAME.outcome(state).to_json() == {"reason": "finish", "winners": [0], "ranking": [1, 2]}
    assert GAME.payoffs(state) == [1.0, 0.0]
    assert GAME.view(state, None)["turn"]["seat"] is None


def test_who_is_done_discards_the_hand_and_takes_no_more_turns():
    lemmings = {(0, 1): "across", (0, 2): "11,13"}
    hands = [["swamp 3", "water 1", "forest 4", "water 0"], ["water 1"], ["water 1"]]
    state = act(position(hands, PILE, lemmings, open_board()), "card swamp 3", "lemming 2", "SE")
    assert GAME.view(state, None)["discard_pile"] == [card("forest 4"), card("water 0"), card("water 1")]
    assert state.reveals == 1
    assert int(state.turn) == 1
    state = act(state, "refill", "done", "refill", "done")
    assert int(state.turn) == 1


def test_the_match_ends_in_mid_move():
    lemmings = {(0, 1): "10,13", (1, 1): "across", (1, 2): "11,13", (2, 1): "across", (2, 2): "across"}
    state = position([["swamp 3"], ["water 1"], []], PILE, lemmings, open_board())
    state.done_n = 1
    state.players[2].place = 1
    state = act(state, "card swamp 3", "lemming 1", "SE")
    assert GAME.outcome(state).ranking == (3, 2, 1)
    assert GAME.payoffs(state) == [0.0, 0.5, 1.0]


def stalemate(lemmings: dict[tuple[int, int], str], seats: int) -> State:
    state = position([["water 0"]] + [[]] * (seats - 1), lemmings=lemmings, terrain=open_board())
    state.quiet = 59
    return act(state, "refill", "done")


def test_the_stalemate_guard_ranks_by_lemmings_across_then_distance():
    state = stalemate({(0, 1): "across", (1, 1): "11,13", (1, 2): "11,14", (2, 1): "11,13", (2, 2): "11,12"}, 4)
    assert GAME.outcome(state).to_json() == {"reason": "stalemate", "winners": [0], "ranking": [1, 2, 2, 4]}
    assert GAME.payoffs(state) == [1.0, 0.5, 0.5, 0.0]


def test_players_already_done_stay_ahead_in_a_stalemate():
    state = position([["water 1"]] * 3, lemmings={(0, 1): "across", (1, 1): "across", (1, 2): "across"})
    state.done_n = 1
    state.players[1].place = 1
    state.quiet = 59
    assert GAME.outcome(act(state, "refill", "done")).ranking == (2, 1, 3)


def test_progress_is_coming_nearer_than_ever_also_by_being_pushed():
    state = position([["swamp 3", "swamp 0"], ["water 1"]], PILE, {(0, 1): "9,12", (1, 1): "10,13"}, open_board())
    state.quiet = 59
    state.players[0].best[0] = 1
    pushed = act(state, "card swamp 3", "lemming 1", "SE", "stop")
    assert pushed.quiet == 0
    state.players[1].best[0] = 1
    assert GAME.outcome(act(state, "card swamp 3", "lemming 1", "SE", "stop")).reason == "stalemate"


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_things_done_at_the_wrong_time():
    state = position([["water 1"], []])
    for action, wanted in (
        ("done", "play a card or refill"),
        ("E", "play a card or refill"),
        ("tile 3,5", "play a card or refill"),
    ):
        with pytest.raises(IllegalAction, match=f"not now: {wanted}"):
            act(state, action)
    with pytest.raises(IllegalAction, match="not now: discard cards, or say done and draw"):
        act(act(state, "refill"), "card water 1")
    with pytest.raises(IllegalAction, match="not now: name a lemming, or stop"):
        act(act(state, "card water 1"), "E")
    with pytest.raises(IllegalAction, match="not now: step on, or stop"):
        act(act(state, "card water 1", "lemming 1"), "lemming 2")
    with pytest.raises(IllegalAction, match="water 3 is not in hand") as refused:
        act(state, "card water 3")
    assert refused.value.legal == [{"type": "card", "card": card("water 1")}, {"type": "refill"}]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"type": "jump"}, "type is one of card, refill, discard, done, tile, lemming, step, stop, not 'jump'"),
        ({"type": "card"}, "card is missing; card has card"),
        ({"type": "refill", "cards": []}, "there is no cards in refill"),
        ({"type": "card", "card": "water 1"}, "card is {terrain, value}"),
        ({"type": "card", "card": {"terrain": "lava", "value": 1}}, "card.terrain is one of forest, water"),
        ({"type": "card", "card": {"terrain": "water", "value": True}}, "card.value is a whole number from 0 to 4, not True"),
        ({"type": "discard", "card": {"terrain": "water", "value": 5}}, "card.value is a whole number from 0 to 4, not 5"),
        ({"type": "tile", "hex": "3, 5"}, 'hex is "row,column"'),
        ({"type": "tile", "hex": [3, 5]}, 'hex is "row,column"'),
        ({"type": "lemming", "lemming": 0}, "lemming is a whole number from 1 to 2, not 0"),
        ({"type": "step", "direction": "N"}, "direction is one of E, NE, NW, W, SW, SE, not 'N'"),
        ({"type": "step", "direction": "E", "from": "3,5"}, "a pen cell, one of 12,2, 12,3, not 3,5"),
    ],
)
def test_unreadable_actions(data: dict, reason: str):
    with pytest.raises(UnreadableAction, match=reason.replace("{", r"\{").replace("}", r"\}")):
        GAME.action_from_json(position([["water 1"], []]), data)


# --- what is seen and known -------------------------------------------------------------------------------------------


def test_remaining_cards_are_what_the_rules_say():
    state = position([["water 1", "water 1"], ["forest 4"]], discards=["desert 0"])
    for viewer, hand in ((None, []), (0, ["water 1"] * 2), (1, ["forest 4"])):
        counts = Counter({kind: int(state.copies[kind]) - int(state.piles[kind]) for kind in range(KINDS)})
        counts -= Counter(kind_of(c) for c in [*hand, "desert 0"])
        shown = GAME.view(state, viewer)["remaining"]
        assert [count for terrain in shown.values() for count in terrain] == [counts[kind] for kind in range(KINDS)]
        assert list(shown) == ["forest", "water", "mountain", "swamp", "desert"]


def test_hands_are_private():
    state = position([["water 1"], ["forest 4"]])
    assert GAME.view(state, 0)["players"][0]["hand"] == [card("water 1")]
    assert "hand" not in GAME.view(state, 0)["players"][1]
    assert all("hand" not in player for player in GAME.view(state, None)["players"])


def test_two_players_know_the_rivals_hand_after_the_draw_pile_ran_out():
    state = position([["water 1"], ["swamp 1"]], draw=["forest 4"], discards=["desert 0"] * 2 + ["desert 1"] * 5, turn=1)
    state = act(state, "refill", "done")
    for seed in range(20):
        world = GAME.imagine(GAME.redact(state, 0), 0, seed)
        hand = [int(kind) for kind in world.players[1].hand]
        assert kind_of("swamp 1") in hand
        assert kind_of("forest 4") in hand


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_what_is_known_of_hands_is_always_true(seats: int):
    checked = 0
    for seed in range(2):
        for state in random_match(seed, seats):
            for seat in range(seats):
                player = state.players[seat]
                others = [other for other in range(seats) if other != seat]
                held = Counter(int(k) for other in others for k in state.players[other].hand if k >= 0)
                known = Counter({kind: int(n) for kind, n in enumerate(player.known) if n})
                assert known <= held
                assert sum(known.values()) <= sum(int(state.players[other].kept) for other in others)
                checked += bool(known)
    assert checked > 50


@pytest.mark.parametrize("seats", [2, 5])
def test_no_play_tells_more_than_the_log_holds(seats: int):
    most = max(int(state.log_n) for seed in range(2) for state in random_match(seed, seats))
    assert most <= LOG
    assert int(GAME.new(5, {}, SEED).log_n) == LOG


# --- the estimate -----------------------------------------------------------------------------------------------------


def test_the_state_is_small():
    assert STATE.itemsize <= 2048


def test_cheapest_ways_stay_right_under_bonus_tiles():
    for n, state in enumerate(random_match(3, 3)):
        if n % 10 == 0:
            fresh = copy(state)
            fresh.way[: int(state.spaces)] = DEAREST
            survey(fresh)
            assert (fresh.way == state.way).all()
    assert MEADOW_PRICE < TERRAIN_PRICE


def test_the_estimate_favours_who_is_ahead():
    ahead = position([["water 1"], ["water 1"], ["water 1"]], lemmings={(0, 1): "across", (1, 1): "1,7"}, turn=2)
    pays = GAME.payoffs(ahead)
    assert pays[0] > pays[1] > pays[2]
    assert sum(pays) == pytest.approx(1.5)
    done = copy(ahead)
    done.players[0].across, done.players[0].place = 2, 1
    assert GAME.payoffs(done)[0] == 1.0
    assert done.phase != OVER
    assert done.telling == TELL_LOG
