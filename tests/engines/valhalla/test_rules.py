"""Everything of the rules beyond the worked examples: setup, turns, each kind of Legend, the ends, refusals, editions."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from engines.editions import BadEdition, EditionBook
from engines.game import BadOption, BadSeats, Game, IllegalAction, NotYourDecision, UnreadableAction, chance_key
from engines.valhalla import GAME, editions, hidden, history
from engines.valhalla.state import HISTORY, PILE, RESERVE
from tests.engines.valhalla.table import choose, do, hand, legal, saga, send, table, told
from tests.engines.valhalla.worlds import census

DATA = Path(editions.__file__).parent / "data" / "reconstruction.toml"


def view(state, viewer=None):
    return GAME.view(state, viewer)


def new(seats, seed=b"s"):
    return GAME.new(seats, {}, seed * 32)


def phase(state):
    return view(state)["phase"]


# --- setup ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "cards", "pile", "legends"), [(2, 10, 20, 3), (3, 11, 27, 1), (4, 10, 20, 2), (5, 10, 10, 2), (6, 10, 5, 3)]
)
def test_setup(seats, cards, pile, legends):
    state = new(seats)
    seen = view(state)
    assert [player["hand_size"] for player in seen["players"]] == [cards] * seats
    assert seen["discard_pile"] == pile
    assert len(seen["legends"]) == legends
    assert [player["legends"] for player in seen["players"]] == [1] * seats
    assert seen["legend_deck"] == (44 if seats > 2 else 44 - 9) - seats - legends
    assert all(entry["state"] is None for player in seen["players"] for entry in player["saga"])


def test_three_players_have_one_more_5():
    assert hand(new(3), 0) == [5, 5, 3, 3, 2, 2, 1, 1, 1, 1, 1]


def test_two_players_have_reserves_and_not_all_legends():
    state = new(2)
    assert [player["reserves"] for player in view(state)["players"]] == [10, 10]
    for name in ("Lem Tzu", "Lemmingetorige", "Lemmattila", "Lemmodino"):
        kind = [legend["name"] for legend in GAME.edition_of(state).data["legends"]].index(name)
        assert state.deck[kind] == 0


def test_six_players_have_the_neutral_cards_as_the_pile():
    state = new(6)
    assert int(state.cards[PILE]) == 3 + (1 << 8) + (1 << 24)


def test_the_first_player_is_drawn_at_random():
    assert {int(new(3, bytes([n])).first) for n in range(12)} == {0, 1, 2}


# --- choosing cards ---------------------------------------------------------------------------------------------------


def test_all_choose_at_the_same_time_and_may_take_back_until_the_last_has_chosen():
    state = new(3)
    assert GAME.awaiting(state) == (0, 1, 2)
    state = do(choose(state, 1, 5, 3), 1, "done")
    assert GAME.awaiting(state) == (0, 2)
    assert legal(state, 1) == [{"type": "take_back"}]
    assert view(state)["players"][1]["hand_size"] == 11
    assert hand(state, 1) == [5, 3, 2, 2, 1, 1, 1, 1, 1]
    state = do(state, 1, "take_back")
    assert GAME.awaiting(state) == (0, 1, 2)
    assert len(hand(state, 1)) == 11


def test_done_is_asked_for_even_after_the_third_card():
    state = choose(new(3), 0, 5, 3, 1)
    assert legal(state, 0) == [{"type": "done"}]


def test_two_players_stake_sizes_are_seen_once_both_have_chosen_and_values_only_at_the_end():
    state = new(2)
    state = do(choose(state, 0, 5, 1), 0, "done")
    assert view(state, 1)["players"][0]["stakes"][0] is None
    assert view(state, 1)["players"][0]["hand_size"] == 10
    state = send(state, {1: [1]})
    assert view(state, 1)["players"][0]["stakes"][0] == {"size": 2, "cards": None}
    assert view(state, 1)["players"][0]["hand_size"] == 8
    assert view(state, 0)["own"]["chosen"][0] == [5, 1]
    assert told(state, 1, "shown") == []


def test_lem_tzu_chooses_after_all_others_have_revealed():
    hands = [[5, 3], [3, 2], [2, 1]]
    state = table(3, hands, ["Lemfenrir"], sagas={1: [("Lem Tzu", "waiting")]})
    assert GAME.awaiting(state) == (0, 2)
    assert GAME.legal(state, 1) == []
    state = send(state, {0: [5], 2: [2]})
    assert view(state, 1)["players"][0]["battle"] == [5]
    assert GAME.awaiting(state) == (1,)
    assert legal(state, 0) == []
    state = send(state, {1: [3]})
    assert saga(state, 1) == [("Lem Tzu", "turned_over")]


def test_several_lem_tzu_choose_in_turn_order_each_seeing_those_before():
    tzu = [("Lem Tzu", "waiting")]
    state = table(3, [[5, 3], [3, 2], [2, 1]], ["Lemfenrir"], sagas={0: tzu, 1: tzu, 2: tzu}, first=1)
    for seat in (1, 2, 0):
        assert GAME.awaiting(state) == (seat,)
        shown = [player["battle"] is not None for player in view(state)["players"]]
        assert sum(shown) == (1, 2, 0).index(seat)
        state = send(state, {seat: [hand(state, seat)[0]]})


# --- charge, losses, the end ------------------------------------------------------------------------------------------


def test_winners_take_in_order_and_take_their_cards_back_losers_discard():
    hands = [[5, 3], [5, 2], [2, 1], [1, 1]]
    state = table(4, hands, ["Lemfenrir", "Lemmhilde's Shield"])
    state = send(state, {0: [3], 1: [5], 2: [2], 3: [1]})
    assert view(state)["decision"] == {"seat": 1, "legend": None, "target": None}
    state = do(state, 1, "take", legend="Lemmhilde's Shield")
    assert saga(state, 1)[-1] == ("Lemmhilde's Shield", "ready")
    assert saga(state, 0)[-1] == ("Lemfenrir", "waiting")
    assert hand(state, 0) == [5, 3]
    assert hand(state, 2) == [1]
    assert view(state)["first_player"] == 1
    assert view(state)["discard_pile"] == 2


def test_equal_legends_on_the_table_are_no_choice():
    state = table(4, [[5, 3]] * 4, ["Lemfenrir", "Lemfenrir"])
    state = send(state, {0: [3], 1: [5], 2: [3], 3: [3]})
    assert [event["seat"] for event in told(state, None, "took_legend")] == [1, 0]


def test_without_legends_everyone_loses():
    state = table(3, [[5, 3], [5, 2], [2, 1]], [])
    state = send(state, {0: [5], 1: [5], 2: [2]})
    assert [len(hand(state, seat)) for seat in range(3)] == [1, 1, 1]
    state = send(state, {0: [3], 1: [2], 2: [1]})
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.ranking) == ("shared", (0, 1, 2), (1, 1, 1))
    assert GAME.payoffs(state) == pytest.approx([1 / 3] * 3)


def test_whoever_has_no_cards_wins_and_legends_break_ties():
    sagas = {1: ["Lemfenrir", "Lemfenrir"]}
    state = table(3, [[5, 3], [2], [1]], ["Lemfenrir"], sagas=sagas)
    state = send(state, {0: [5], 1: [2], 2: [1]})
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.ranking) == ("win", (1,), (2, 1, 2))


def test_no_cards_in_mid_turn_wins_nothing():
    """Seat 0 sends its last card, but wins a Legend and takes it back."""
    state = table(3, [[5], [2, 1], [1, 1]], ["Lemfenrir"])
    state = send(state, {0: [5], 1: [2], 2: [1]})
    assert GAME.outcome(state) is None
    assert hand(state, 0) == [5]


def test_the_guard_ends_a_match_by_fewest_cards_then_legends():
    state = table(3, [[5, 3, 1], [5, 2, 1], [5, 5, 5, 5]], ["Lemfenrir"], turn=199)
    state = send(state, {0: [3], 1: [2], 2: [5]})
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners) == ("guard", (0, 1))


def test_two_players_run_out_of_legends():
    state = table(2, [[5, 3, 3], [2, 1, 1, 1]], ["Lemfenrir"], reserves=[[1], [1]])
    state = send(state, {0: [5], 1: [1]})
    outcome = GAME.outcome(state)
    # Four cards each, Reserves included; seat 0 has two Legends.
    assert (outcome.reason, outcome.winners) == ("exhausted", (0,))
    state = table(2, [[5, 3, 3], [2, 1, 1]], ["Lemfenrir"], reserves=[[1], [1]])
    state = send(state, {0: [5], 1: [1]})
    assert GAME.outcome(state).winners == (1,)


def test_two_players_both_lose():
    state = table(2, [[1], [1]], ["Lemfenrir"])
    state = send(state, {0: [1], 1: [1]})
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners, outcome.ranking) == ("both_lose", (), (1, 1))
    assert GAME.payoffs(state) == [0, 0]


def test_two_players_the_end_is_checked_after_every_battle():
    state = table(2, [[1], [5, 5, 5]], ["Lemfenrir"] * 3)
    state = send(send(send(state, {0: [1], 1: [5]}), {0: [], 1: [5]}), {0: [], 1: [5]})
    outcome = GAME.outcome(state)
    assert (outcome.reason, outcome.winners) == ("win", (0,))
    assert len(told(state, None, "took_legend")) == 1


def test_two_players_draw_up_to_five_of_their_reserves_at_the_end_of_a_turn():
    state = table(2, [[3, 3, 2], [5, 1, 1]], ["Lemfenrir"] * 6, reserves=[[1, 1], [2, 2, 2, 3, 3, 3]])
    state = send(send(send(state, {0: [3], 1: [1]}), {0: [3], 1: [1]}), {0: [2], 1: [5]})
    assert [player["reserves"] for player in view(state)["players"]] == [0, 1]
    drawn = told(state, 0, "drew_cards")
    assert [event["seat"] for event in drawn] == [0]
    assert {event["count"] for event in told(state, 0, "drew")} == {2, 5}


def test_two_players_next_battle_waits_into_the_next_turn():
    state = table(2, [[5, 1], [3, 3, 2]], ["Lemserker"] * 2 + ["Lemfenrir"] + ["Lemserker"] * 3, reserves=[[1] * 5, [1] * 5])
    state = send(send(send(state, {0: [], 1: [3]}), {0: [], 1: []}), {0: [5], 1: []})
    while phase(state) == "cards":
        state = do(state, view(state)["decision"]["seat"], "done")
    assert saga(state, 0)[-1] == ("Lemfenrir", "waiting")


# --- Legends ----------------------------------------------------------------------------------------------------------


def three(legend, hands=((5, 5, 3, 2, 1), (3, 1, 1), (2, 2, 1)), pile=(), sagas=None, more=("Lemfenrir",), sent=None):
    """Three players, seat 0 wins the Legend."""
    state = table(3, hands, [legend, *more], pile, sagas=sagas)
    return send(state, sent or {0: [5], 1: [1], 2: [1]})


def test_hood_with_equals_asks_for_the_target_and_never_offers_oneself():
    state = three("Lemming Hood")
    assert legal(state, 0) == [{"type": "target", "seat": 1}, {"type": "target", "seat": 2}]
    with pytest.raises(IllegalAction, match="oneself"):
        do(state, 0, "target", seat=0)
    with pytest.raises(IllegalAction, match="needs a target"):
        do(state, 0, "decline")


def test_hood_total_is_at_most_4():
    state = do(three("Lemming Hood", ((5, 5, 3, 3, 1), (3, 1, 1), (2, 2, 1))), 0, "target", seat=1)
    state = choose(state, 0, 3)
    with pytest.raises(IllegalAction, match=r"worth 6; Lemming Hood allows 4"):
        choose(state, 0, 3)
    with pytest.raises(IllegalAction, match="worth 8"):
        choose(state, 0, 5)
    state = choose(state, 0, 1)
    assert hand(state, 1) == [3, 3, 1, 1]


def test_hood_with_only_5s_passes_nothing_and_all_know_why():
    state = do(three("Lemming Hood", ((5, 5, 5), (3, 1, 1), (2, 2, 1))), 0, "target", seat=1)
    assert phase(state) == "send"
    assert told(state, None, "passed") == []


def test_who_sent_their_last_cards_has_the_fewest():
    state = three("Lemming Hood", ((5, 5, 3), (1,), (2, 2, 1)), sent={0: [5], 1: [1], 2: [2]})
    assert view(state)["decision"]["target"] == 1


def test_getorige_takes_from_hand_or_battle_up_to_the_number_of_players():
    state = three("Lemmingetorige", ((3, 2, 1, 1), (3, 1, 1), (2, 2, 1)), sent={0: [3], 1: [1], 2: [1]})
    assert {(a.get("card"), a.get("from")) for a in legal(state, 0)} == {
        (2, "hand"), (1, "hand"), (3, "battle"), (None, None)
    }  # fmt: skip
    state = choose(state, 0, 2, 1)
    assert hand(state, 0) == [3, 1]


def test_lemmerlino_counts_only_without_a_legend_and_is_turned_over_either_way():
    state = three("Lemfenrir", sagas={0: [("Lemmerlino", "waiting")]})
    assert saga(state, 0)[0] == ("Lemmerlino", "turned_over")
    assert phase(state) == "send"


def test_lemmerlino_asks_nobody_who_has_none_of_the_values():
    state = three("Lemfenrir", sagas={1: [("Lemmerlino", "waiting")]}, hands=((5, 5), (3, 1), (2, 2, 1)))
    assert phase(state) == "send"


def test_two_lemmerlinos_are_asked_one_after_the_other():
    state = three("Lemfenrir", ((5, 5), (1, 1, 1, 1), (2, 2, 1)), sagas={1: [("Lemmerlino", "waiting")] * 2})
    state = choose(state, 1, 1)
    assert phase(state) == "cards"
    state = choose(state, 1, 1)
    assert hand(state, 1) == [1]


def test_sferatu_activates_the_first_legend_and_turned_ones_but_no_sferatu():
    sagas = {0: ["Lemragnar", "Lemsferatu", ("Lemmhilde's Shield", "turned_over"), ("Lemfenrir", "turned_over")]}
    state = three("Lemsferatu", sagas=sagas)
    assert [action.get("position") for action in legal(state, 0)] == [0, 2, 3, None]
    shield = do(state, 0, "reactivate", position=2)
    assert saga(shield, 0)[2:] == [("Lemmhilde's Shield", "ready"), ("Lemfenrir", "turned_over"), ("Lemsferatu", None)]
    fenrir = do(state, 0, "reactivate", position=3)
    assert saga(fenrir, 0)[3] == ("Lemfenrir", "waiting")
    ragnar = choose(do(state, 0, "reactivate", position=0), 0, 5, 3)
    assert hand(ragnar, 0) == [5, 2, 1]
    assert saga(do(state, 0, "decline"), 0)[-1] == ("Lemsferatu", None)
    with pytest.raises(IllegalAction, match="no Legend at position 7"):
        do(state, 0, "reactivate", position=7)
    with pytest.raises(IllegalAction, match="another of its effect"):
        do(state, 0, "reactivate", position=1)


def test_sferatu_without_anything_to_activate_is_skipped():
    state = three("Lemsferatu", sagas={0: ["Lemsferatu"]})
    assert saga(state, 0) == [("Lemsferatu", None), ("Lemsferatu", None)]


def test_equal_legends_in_the_same_state_are_one_action_the_leftmost():
    sagas = {0: [("Lemfenrir", "turned_over"), "Lemfenrir", ("Lemfenrir", "turned_over")]}
    state = three("Lemsferatu", sagas=sagas)
    assert [action.get("position") for action in legal(state, 0)] == [0, 1, None]
    with pytest.raises(IllegalAction, match="further left"):
        do(state, 0, "reactivate", position=2)


def test_a_next_battle_legend_activated_again_in_its_battle_waits_again():
    state = three("Lemsferatu", sagas={0: [("Lemfenrir", "waiting")]}, sent={0: [5, 5], 1: [1], 2: [1]})
    assert view(state)["players"][0]["saga"][0] == {"legend": "Lemfenrir", "state": "waiting", "applies_now": True}
    state = do(state, 0, "reactivate", position=0)
    assert saga(state, 0)[0] == ("Lemfenrir", "waiting")


def test_a_shield_stops_passing_after_the_giver_has_chosen_unseen():
    state = three("Lemloki", sagas={1: [("Lemmhilde's Shield", "ready")]})
    state = choose(do(state, 0, "target", seat=1), 0, 5)
    assert hand(state, 0) == [5, 5, 3, 2, 1]
    assert told(state, None, "shielded") == [{"type": "shielded", "seat": 1, "position": 0}]
    assert told(state, None, "passed") == []


def test_a_shield_is_kept_when_nothing_would_move():
    state = three("Lemloki", sagas={1: [("Lemmhilde's Shield", "ready")]})
    state = do(do(state, 0, "target", seat=1), 0, "done")
    assert saga(state, 1) == [("Lemmhilde's Shield", "ready")]
    state = three("LemHighlander", sagas={1: [("Lemmhilde's Shield", "ready")]})
    assert saga(state, 1) == [("Lemmhilde's Shield", "ready")]


def test_the_leftmost_ready_shield_first():
    shields = [("Lemmhilde's Shield", "turned_over"), ("Lemmhilde's Shield", "ready"), ("Lemmhilde's Shield", "ready")]
    state = three("LemHighlander", pile=(1, 1), sagas={1: shields})
    assert [how for _, how in saga(state, 1)] == ["turned_over", "turned_over", "ready"]


def test_highlander_goes_in_turn_order_while_the_pile_lasts():
    state = table(3, [[5, 5], [1, 1], [1, 1]], ["LemHighlander"] * 2, [2], first=2)
    state = send(state, {0: [5], 1: [1], 2: [1]})
    assert [event["seat"] for event in told(state, None, "drew")] == [2]


def test_lemminathor_discards_all_of_a_value_from_hand_and_battle():
    state = three("Lemminathor", sent={0: [5, 1], 1: [1], 2: [1]})
    assert {action.get("value") for action in legal(state, 0)} == {1, 2, 3, 5, None}
    after = do(state, 0, "value", value=5)
    assert hand(after, 0) == [3, 2, 1]
    assert hand(do(state, 0, "decline"), 0) == [5, 5, 3, 2, 1]


def test_lemminathor_offers_only_values_one_has():
    state = three("Lemminathor", ((5, 5, 3), (1, 1), (1, 1)))
    with pytest.raises(IllegalAction, match="you have no 2"):
        do(state, 0, "value", value=2)


def test_lemmattila_passes_a_card_or_none_to_each_with_fewer():
    state = three("Lemmattila", ((5, 5, 3, 2, 1), (3, 1, 1), (2, 2, 2, 2, 2, 1)))
    assert view(state)["decision"] == {"seat": 0, "legend": "Lemmattila", "target": 1}
    state = choose(state, 0, 5)
    assert phase(state) == "send"
    assert hand(state, 1) == [5, 3, 1]


def test_lemmattila_goes_round_from_the_first_player():
    state = table(4, [[5, 5, 3, 2, 1], [3, 1], [1, 1], [2, 1]], ["Lemmattila", "Lemfenrir"], first=2)
    state = send(state, {0: [5], 1: [1], 2: [1], 3: [1]})
    state = do(state, 0, "take", legend="Lemmattila")
    targets = []
    while phase(state) == "cards":
        targets.append(view(state)["decision"]["target"])
        state = do(state, 0, "done")
    assert targets == [2, 3, 1]


def test_lemmodino_passes_two_to_the_left():
    state = table(3, [[1, 1], [1, 1], [5, 3, 2]], ["Lemmodino"] * 2)
    state = send(state, {0: [1], 1: [1], 2: [5]})
    state = choose(state, 2, 3, 2)
    assert hand(state, 0) == [3, 2, 1]


def test_lemragnar_discards_two_from_hand_not_from_battle():
    state = three("Lemragnar")
    with pytest.raises(IllegalAction, match="hand, not from the battle"):
        choose(state, 0, 5, source="battle")
    state = choose(state, 0, 5, 3)
    assert hand(state, 0) == [5, 2, 1]


def test_lemserker_discards_one_from_the_battle():
    state = three("Lemserker", sent={0: [5, 3], 1: [1], 2: [1]})
    with pytest.raises(IllegalAction, match="battle, not from the hand"):
        choose(state, 0, 5)
    state = choose(state, 0, 3, source="battle")
    assert hand(state, 0) == [5, 5, 2, 1]


def test_two_players_lemserker_takes_any_card_equal_to_one_taken_back():
    state = table(2, [[5, 3, 3, 1], [2, 2, 2, 2]], ["Lemserker", "Lemfenrir", "Lemfenrir"] * 2, reserves=[[1], [1]])
    state = send(send(send(state, {0: [3], 1: [2]}), {0: [3], 1: [2]}), {0: [1], 1: [2]})
    assert legal(state, 0) == [
        {"type": "choose", "card": 3, "from": "hand"},
        {"type": "choose", "card": 3, "from": "stake 0"},
        {"type": "done"},
    ]
    with pytest.raises(IllegalAction, match="taken back: 3"):
        choose(state, 0, 5)
    state = choose(state, 0, 3, source="stake 0")
    # Its second stake is empty now: 0 against 2.
    assert told(state, None, "took_legend")[0]["seat"] == 1


def test_lemkyrie_must_have_a_target_and_draws_three():
    state = three("Lemkyrie", pile=(1, 2, 3, 5))
    assert legal(state, 0) == [{"type": "target", "seat": 1}, {"type": "target", "seat": 2}]
    state = do(state, 0, "target", seat=2)
    assert len(hand(state, 2)) == 5
    assert told(state, 0, "drew_cards") == []
    assert told(state, 2, "drew_cards")[0]["seat"] == 2


def test_lemkyrie_asks_nobody_when_the_pile_is_empty():
    assert phase(three("Lemkyrie")) == "send"


def test_two_players_lemkyrie_has_only_one_target():
    state = table(2, [[5, 3], [1, 1]], ["Lemkyrie", "Lemfenrir", "Lemfenrir"], [2, 2, 2], reserves=[[1], [1]])
    state = send(send(send(state, {0: [5], 1: [1]}), {0: [], 1: []}), {0: [], 1: []})
    assert told(state, None, "drew")[0] == {"type": "drew", "seat": 1, "count": 3, "source": "discard_pile"}


def test_loki_may_be_declined_and_passing_none_is_allowed_after_the_target():
    state = three("Lemloki")
    assert {"type": "decline"} in legal(state, 0)
    assert phase(do(state, 0, "decline")) == "send"
    asked = do(state, 0, "target", seat=1)
    assert {"type": "done"} in legal(asked, 0)


def test_an_empty_hand_asks_for_no_target():
    state = three("Lemloki", ((5,), (1, 1), (1, 1)), more=("Lemfenrir",))
    assert phase(state) == "send"


def test_fenrir_lowers_the_next_strength():
    state = three("Lemmhilde's Shield", sagas={0: [("Lemfenrir", "waiting")]}, sent={0: [5], 1: [1], 2: [1]})
    assert told(state, None, "took_legend")[0]["seat"] == 1


def test_two_players_passed_cards_from_a_stake_are_seen_by_all():
    state = table(2, [[5, 3, 2, 2], [1, 1, 1, 1]], ["Lemloki", "Lemfenrir", "Lemfenrir"], reserves=[[1], [1]])
    state = send(send(send(state, {0: [5], 1: [1]}), {0: [3], 1: [1]}), {0: [2], 1: [1]})
    state = do(state, 0, "target", seat=1)
    state = choose(state, 0, 3, source="stake 0")
    assert told(state, None, "passed_from_stake") == [{"type": "passed_from_stake", "seat": 0, "from": "stake 0", "cards": [3]}]


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_refusals_while_choosing_for_a_battle():
    state = table(3, [[5, 3, 3, 1, 1], [1, 1], [1, 1]], ["Lemfenrir"])
    with pytest.raises(IllegalAction, match="there is no 2 in your hand") as refused:
        choose(state, 0, 2)
    assert {"type": "choose", "card": 5, "from": "hand"} in refused.value.legal
    with pytest.raises(IllegalAction, match="at least 1 card must be sent"):
        do(state, 0, "done")
    with pytest.raises(IllegalAction, match="no more than 3"):
        choose(state, 0, 5, 3, 3, 1)
    with pytest.raises(IllegalAction, match="falling value"):
        choose(state, 0, 3, 5)
    with pytest.raises(IllegalAction, match="not finished choosing"):
        do(state, 0, "take_back")
    with pytest.raises(IllegalAction, match="chosen from the hand"):
        choose(state, 0, 1, source="battle")
    with pytest.raises(IllegalAction, match="now is the time to choose cards"):
        do(state, 0, "take", legend="Lemfenrir")
    chosen = send(state, {0: [5]})
    with pytest.raises(IllegalAction, match="take the choice back"):
        choose(chosen, 0, 3)


def test_a_legend_not_on_the_table_and_taking_back_after_the_reveal():
    state = table(4, [[5, 3], [1, 1], [1, 1], [1, 1]], ["Lemfenrir", "Lemragnar"])
    state = send(state, {0: [5], 1: [1], 2: [1], 3: [1]})
    with pytest.raises(IllegalAction, match="Lem Tzu is not on the table") as refused:
        do(state, 0, "take", legend="Lem Tzu")
    assert refused.value.legal == [{"type": "take", "legend": "Lemfenrir"}, {"type": "take", "legend": "Lemragnar"}]
    with pytest.raises(IllegalAction, match="after the reveal"):
        do(state, 0, "take_back")
    with pytest.raises(NotYourDecision):
        do(state, 1, "take_back")


@pytest.mark.parametrize(
    "data",
    [
        {"type": "choose", "card": 4, "from": "hand"},
        {"type": "choose", "card": True, "from": "hand"},
        {"type": "choose", "card": 1},
        {"type": "choose", "card": 1, "from": "stake 0"},
        {"type": "done", "card": 1},
        {"type": "take", "legend": "Nobody"},
        {"type": "take", "legend": 3},
        {"type": "target", "seat": 3},
        {"type": "value", "value": 4},
        {"type": "reactivate", "position": -1},
        {"type": "fight"},
    ],
)
def test_unreadable_actions(data):
    with pytest.raises(UnreadableAction):
        GAME.action_from_json(new(3), data)


def test_seats_and_options():
    for seats in (1, 7):
        with pytest.raises(BadSeats):
            GAME.complete_options(seats, {})
    with pytest.raises(BadOption):
        GAME.complete_options(3, {"edition": "none"})
    with pytest.raises(BadOption):
        GAME.complete_options(3, {"speed": 1})


# --- what is remembered -----------------------------------------------------------------------------------------------


def random_states(seats, matches):
    for n in range(matches):
        chooser = random.Random(n)
        state = new(seats, bytes([n + 1]))
        number = 0
        while awaited := GAME.awaiting(state):
            yield state
            seat = chooser.choice(awaited)
            number += 1
            state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)), chance_key(bytes(32), "m", number))


def fits(state):
    """Whether a real state's own history is one that `imagine` would accept."""
    world = GAME.load(GAME.dump(state))
    plan = np.zeros((5, HISTORY), np.int64)
    ones = np.ones(HISTORY)
    before = [int(history.out_of_sight(state, place)) for place in range(9)]
    assert hidden._replay(world, plan, ones, True, np.zeros((8, 16))) == 1
    return [int(x) for x in world.cards] == before


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_history_leads_to_what_there_is(seats):
    for state in random_states(seats, 2):
        assert fits(state)


def test_a_tidied_history_leads_there_too_and_is_shorter():
    before, after = 0, 0
    for n, state in enumerate(random_states(5, 2)):
        if n % 9 == 0:
            tidy = GAME.load(GAME.dump(state))
            history.tidy(tidy)
            assert fits(tidy)
            before, after = before + int(state.past_n), after + int(tidy.past_n)
    assert after < before


def test_a_forgotten_history_still_holds_the_own_hand_and_the_numbers():
    for n, state in enumerate(random_states(4, 1)):
        if n % 25 == 0:
            blank = GAME.load(GAME.dump(state))
            history.forget(blank)
            assert fits(blank)
            assert int(blank.past_n) <= 8
            for seat in range(4):
                world = GAME.imagine(GAME.redact(blank, seat), seat, n)
                assert GAME.view(world, seat) == GAME.view(state, seat)
                assert census(world) == census(state)


def test_a_card_passed_and_not_seen_since_is_in_that_hand():
    state = three("Lemloki", ((5, 5, 3, 2, 1), (3, 1, 1), (2, 2, 1)))
    state = choose(do(state, 0, "target", seat=1), 0, 5)
    known = GAME.redact(state, 0)
    for seed in range(30):
        assert 5 in hand(GAME.imagine(known, 0, seed), 1)
    other = GAME.redact(state, 2)
    assert {tuple(hand(GAME.imagine(other, 2, seed), 1)) for seed in range(60)} == {
        (5, 3, 1), (3, 3, 1), (3, 2, 1), (3, 1, 1)
    }  # fmt: skip


def test_the_log_is_large_enough():
    """The longest single plays: everyone draws for every Legend, the turn ends, and the next begins."""
    pile = [1] * 5 + [2] * 5 + [3] * 5
    state = table(6, [[5, 3, 2, 1, 1]] * 6, ["LemHighlander"] * 6, pile)
    state = send(state, {seat: [5, 3, 2] for seat in range(6)})
    assert 50 <= int(state.log_n) <= state.log_code.shape[0]


# --- editions ---------------------------------------------------------------------------------------------------------


def edition_with(folder, old, new, name="mine"):
    """Load the reconstruction with a piece of its text replaced."""
    text = DATA.read_text("utf-8").replace('edition = "reconstruction"', f'edition = "{name}"')
    assert old in text
    path = folder / f"{name}.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return EditionBook("valhalla", folder, editions.EditionSchema).load(path)


BAD = [
    ("clans = 6", "clans = 5", "clans", "6"),
    ("{ 1 = 5, 2 = 2, 3 = 2, 5 = 1 }", "{ 1 = 5, 2 = 0 }", "clan", ""),
    ("{ 1 = 5, 2 = 2, 3 = 2, 5 = 1 }", "{ 1 = 5, 2 = 2, 3 = 2, 5 = 1, 100 = 1 }", "clan", "values are 1 to 99"),
    ("{ 1 = 5, 2 = 2, 3 = 2, 5 = 1 }", "{ 1 = 11, 5 = 1 }", "clan", "at most 63"),
    ("{ 1 = 5, 2 = 2, 3 = 2, 5 = 1 }", "{ 1 = 9, 2 = 7, 3 = 7, 5 = 1 }", "clan", "at most 127"),
    ("three_player_extra = 5", "three_player_extra = 4", "three_player_extra", "not three"),
    ("neutral = [1, 1, 1, 2, 5]", "neutral = [6, 7, 8, 9, 10]", "neutral", "at most 7"),
    ("{ 2 = 3, 3 = 1, 4 = 2, 5 = 2, 6 = 3 }", "{ 2 = 3, 3 = 1, 4 = 2, 5 = 2 }", "legends_a_turn", "2 to 6"),
    ("{ 2 = 3, 3 = 1, 4 = 2, 5 = 2, 6 = 3 }", "{ 2 = 4, 3 = 1, 4 = 2, 5 = 2, 6 = 3 }", "legends_a_turn.2", "at most 3"),
    ("max_cards_in_battle = 3", "max_cards_in_battle = 6", "max_cards_in_battle", ""),
    ("turn_limit = 200", "turn_limit = 200\nmore = 1", "more", ""),
    ('name = "Lem Tzu"', 'name = "Lemloki"', "legends.14.name", "already"),
    ("copies = 2", "copies = 20", "legends", "there must be 6 to 54"),
    ('{ do = "pass", to = "left", cards = 2 }', '{ do = "pass", to = "right", cards = 2 }', "legends.9.effect.to", "one of"),
    ('{ do = "pass", to = "left", cards = 2 }', '{ do = "pass", to = "left" }', "legends.9.effect.cards", "exactly one"),
    ('{ do = "pass", to = "left", cards = 2 }', '{ do = "pass", cards = 2 }', "legends.9.effect.to", "missing"),
    ('{ do = "shield" }', '{ do = "shield", cards = 1 }', "legends.4.effect.cards", "does not belong"),
    ('{ do = "shield" }', '{ do = "dance" }', "legends.4.effect.do", "one of"),
    ('{ do = "shield" }', '{ do = "next_battle", what = "choose_last" }', "legends.4.two_players", "must be false"),
    ('{ do = "shield" }', '{ do = "shield" }\nnegative = true', "legends.4.negative", "negative"),
    ('what = "strength", amount = -5', 'what = "strength"', "legends.13.effect.amount", "missing"),
    ('max_total = "players"', 'max_total = "seats"', "legends.1.effect.max_total", "players"),
    ('{ do = "reactivate" }', '{ do = "draw", who = "others", cards = 1 }\nnegative = true', "legends", "unseen"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), BAD, ids=[f"{key}-{n}" for n, (_, _, key, _) in enumerate(BAD)])
def test_bad_editions_are_refused_with_file_key_and_reason(tmp_path, old, new, key, reason):
    if key == "legends" and "unseen" in reason:
        old, new = 'copies = 3\nsource = "rulebook"\neffect = { do = "reactivate" }', f'copies = 7\nsource = ""\neffect = {new}'
    with pytest.raises(BadEdition) as refused:
        edition_with(tmp_path, old, new)
    assert refused.value.file == str(tmp_path / "mine.toml")
    assert refused.value.key.startswith(key)
    assert reason in refused.value.reason


def game_with(folder, *changes):
    text = DATA.read_text("utf-8").replace('edition = "reconstruction"', 'edition = "mine"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "mine.toml").write_text(text, "utf-8")
    shutil.copy(DATA, folder / "reconstruction.toml")
    book = EditionBook("valhalla", folder, editions.EditionSchema)
    return Game(**{**{f: getattr(GAME, f) for f in Game.__dataclass_fields__}, "editions": book})


def test_an_edition_with_a_new_kind_of_legend_needs_no_code(tmp_path):
    """Lemthor: discard three cards from hand or battle; Lemhel: pass cards worth 6 to a player of your choice."""
    new = """
[[legends]]
name = "Lemthor"
copies = 1
effect = { do = "discard", cards = 3, where = "any" }
[[legends]]
name = "Lemhel"
copies = 1
effect = { do = "pass", to = "chosen", max_total = 6 }
negative = true
"""
    game = game_with(tmp_path, ("turn_limit = 200\n", "turn_limit = 200\n" + new))
    state = table(3, [[5, 3, 2, 1], [1, 1], [1, 1]], ["Lemthor"] * 2, options={"edition": "mine"}, game=game)
    state = send(state, {0: [5, 3], 1: [1], 2: [1]}, game=game)
    state = choose(choose(state, 0, 5, source="battle", game=game), 0, 2, 1, game=game)
    assert hand(state, 0, game) == [3]
    state = table(3, [[5, 3, 3, 1], [1, 1], [1, 1]], ["Lemhel"] * 2, options={"edition": "mine"}, game=game)
    state = send(state, {0: [5], 1: [1], 2: [1]}, game=game)
    state = choose(do(state, 0, "target", game=game, seat=1), 0, 3, 3, game=game)
    assert hand(state, 1, game) == [3, 3, 1]


def test_other_card_values_need_no_code(tmp_path):
    """A clan of seven values, all of them in the pile too."""
    game = game_with(tmp_path, ("{ 1 = 5, 2 = 2, 3 = 2, 5 = 1 }", "{ 1 = 2, 2 = 1, 3 = 1, 5 = 1, 7 = 1, 11 = 1, 13 = 1 }"))
    chooser = random.Random(5)
    for seats in range(2, 7):
        state = game.new(seats, {"edition": "mine"}, bytes(32))
        total = census(state)
        while awaited := game.awaiting(state):
            seat = chooser.choice(awaited)
            state = game.play(state, seat, chooser.choice(game.legal(state, seat)))
        assert census(state) == total
        assert game.outcome(state) is not None


def test_reserves_of_two_players_are_a_clan_each():
    state = new(2)
    assert int(state.cards[RESERVE]) == int(state.start[0])
