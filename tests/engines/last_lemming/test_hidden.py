"""What a seat cannot know: voids are respected, and both ways of dealing bound hands are even."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from engines.game import copy
from engines.kernel import State, seed_words
from engines.last_lemming import GAME
from engines.last_lemming.hidden import TRIES, deal_unseen
from engines.last_lemming.rules import suit
from engines.last_lemming.state import PHASE_PLAY, X
from tests.engines.last_lemming import worlds
from tests.engines.last_lemming.setup import card, deal_to, fresh
from tests.engines.test_conformance import critical


def test_voids_shown_bind_every_imagined_hand():
    chooser = random.Random(11)
    bound = 0
    for seats, two in ((2, True), (3, False), (4, False), (6, False)):
        state = GAME.new(seats, {"two_lemmings": two}, bytes(32))
        while awaited := GAME.awaiting(state):
            for viewer in range(seats):
                if not state.players["voids"].any() or chooser.random() < 0.7:
                    continue
                world = GAME.imagine(GAME.redact(state, viewer), viewer, chooser.getrandbits(64))
                for seat in range(seats):
                    for colour in range(4):
                        if int(state.players[seat].voids) >> colour & 1:
                            assert not int(world.players[seat].hand) & suit(state, colour)
                            bound += 1
            seat = chooser.choice(awaited)
            state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
    assert bound > 300


def test_voids_bind_neither_cards_put_back_nor_x():
    state, seat, _ = worlds.one_bound_hand()
    known = GAME.redact(state, seat)
    drawn = [GAME.imagine(known, seat, seed) for seed in range(200)]
    yellow = suit(state, 0)
    assert any(int(world.players[1].away) & yellow for world in drawn)
    assert any(world.players[1].x for world in drawn)


def three_bound_hands() -> tuple[State, int, list[tuple[State, float]]]:
    hands = {1: 1, 2: 2, 3: 1}
    return worlds.counted(4, ["y1", "r3", "b4", *["X"] * 14], hands, {1: 0b1, 2: 0b10, 3: 0b110})


def hands_of_one_group() -> tuple[State, int, list[tuple[State, float]]]:
    """Two seats with equal voids share what their group draws, a third is bound otherwise."""
    hands = {1: 1, 2: 2, 3: 2}
    return worlds.counted(4, ["y1", "r3", "r4", *["X"] * 14], hands, {1: 0b1, 2: 0b1, 3: 0b10})


@pytest.mark.parametrize("tries", [0, TRIES])
@pytest.mark.parametrize(
    "position", [worlds.one_bound_hand, worlds.two_bound_hands, worlds.tight_bound_hands, three_bound_hands, hands_of_one_group]
)
def test_drawing_and_counting_are_both_even(position, tries: int):
    state, seat, every = position()
    weights: Counter = Counter()
    for world, weight in every:
        weights[worlds.world_key(world)] += weight
    total = sum(weights.values())
    draws = int(max(2000, 8 * total / min(weights.values())))
    known = GAME.redact(state, seat)
    found: Counter = Counter()
    for seed in range(draws):
        world = copy(known)
        seed_words(world.random, np.uint64(seed))
        deal_unseen(world, seat, tries)
        found[worlds.world_key(world)] += 1
    assert set(found) <= set(weights)
    statistic = sum((found[key] - draws * w / total) ** 2 / (draws * w / total) for key, w in weights.items())
    assert statistic < critical(len(weights) - 1)


def test_the_tightest_bonds_of_five_hands_are_kept():
    """Six seats, all dealt: five hands of five cards with five different sets of voids."""
    state = fresh(6)
    voids = {1: 0b1, 2: 0b10, 3: 0b100, 4: 0b11, 5: 0b110}
    for number in range(3):
        for seat in range(6):
            state.tricks[number].cards[seat] = X
    state.trick = 3
    state.phase, state.turn = PHASE_PLAY, 0
    deal_to(state, 0, "y1", "r1", "b1", "g1", "g2")
    state.players[0].away = sum(1 << card(text) for text in ("y2", "r2", "b2", "g3"))
    state.players[0].away_x = 0
    for seat in range(6):
        state.players[seat].put_n = 4
        state.players[seat].voids = voids.get(seat, 0)
    state.shown_x = 12
    state.shown = sum(1 << card(text) for text in ("y12", "y11", "y10", "b12", "b11", "b10"))
    known = GAME.redact(state, 0)
    for tries in (0, 1, TRIES):
        for seed in range(3):
            world = copy(known)
            seed_words(world.random, np.uint64(seed))
            deal_unseen(world, 0, tries)
            hands = [int(world.players[seat].hand) for seat in range(1, 6)]
            assert [hand.bit_count() for hand in hands] == [5] * 5
            for seat, void in voids.items():
                assert not any(hands[seat - 1] & suit(state, c) for c in range(4) if void >> c & 1)
            away = [int(world.players[seat].away) for seat in range(6)]
            everything = [*hands, int(world.players[0].hand), *away, int(state.shown)]
            assert sum(bits.bit_count() for bits in everything) == 25 + 5 + 24 + 6
            assert sum(everything) == (1 << 60) - 1, "every card is somewhere, and nowhere twice"


def test_how_far_others_have_got_with_putting_back_is_hidden():
    state = fresh(3)
    before = GAME.redact(state, 0)
    after = GAME.play(state, 1, GAME.legal(state, 1)[0])
    assert GAME.dump(GAME.redact(after, 0)) == GAME.dump(before)
    assert GAME.view(after, 0) == GAME.view(state, 0)
    assert [told.event for told in GAME.events(after) if told.to(0)] == []
