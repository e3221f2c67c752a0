"""All worlds of small positions of Lemminge, for the conformance suite.

They are found by dealing labelled cards in every possible way from the last moment at which everything was known, and keeping
the deals that fit what was seen since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from engines.game import copy
from engines.kernel import State
from engines.lemminge.state import HAND, NONE
from tests.engines.lemminge.positions import act, kind_of, position

World = tuple[State, float]
Deal = list[list[int]]


def census(state: State) -> tuple[int, ...]:
    """How many copies of each kind there are anywhere."""
    counts = (state.draw_pile + state.piles).tolist()
    assert sum(state.draw_pile.tolist()) == int(state.draw_n)
    for kind in state.discards[: int(state.discard_n)].tolist():
        counts[kind] += 1
    for seat in range(int(state.seats)):
        player = state.players[seat]
        for kind in player.hand[: int(player.hand_n)].tolist():
            counts[kind] += 1
    return tuple(counts)


def world_key(state: State) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(state.players[seat].hand.tolist()) for seat in range(int(state.seats)))


def small_positions() -> list[tuple[State, int, list[World]]]:
    return [_fresh_two(), _fresh_three(), _after_a_reshuffle(), _after_a_reshuffle_of_three(), _known_card_played()]


def _fresh_two() -> tuple[State, int, list[World]]:
    """Nothing known but the cards that are nowhere in sight, some of them twice."""
    state = position([["desert 4"], ["swamp 1"] * 2], draw=["swamp 1", "forest 0", "forest 0", "water 3"])
    pool = [kind_of(c) for c in ["swamp 1"] * 3 + ["forest 0"] * 2 + ["water 3"]]
    return state, 0, _worlds(state, 0, ([[], list(hand)] for hand, _ in _splits(pool, 2)))


def _fresh_three() -> tuple[State, int, list[World]]:
    """Two other hands."""
    state = position([["water 1"], ["desert 4"], ["swamp 1"] * 2], draw=["swamp 1", "forest 0", "water 3"], turn=1)
    pool = [kind_of(c) for c in ["desert 4", *["swamp 1"] * 3, "forest 0", "water 3"]]
    deals = ([[], list(one), list(two)] for one, rest in _splits(pool, 1) for two, _ in _splits(rest, 2))
    return state, 0, _worlds(state, 0, deals)


NEW = ["forest 1", "forest 1", "water 3", "swamp 0", "desert 0", "mountain 1"]


def _after_a_reshuffle() -> tuple[State, int, list[World]]:
    """The rival drew the last card, so the hand was known then; four more came off the new draw pile."""
    state = position([["water 1"], ["swamp 1"]], draw=["forest 1"], discards=NEW, turn=1)
    state = act(state, "refill", "done")
    old = [kind_of("swamp 1"), kind_of("forest 1")]
    return state, 0, _worlds(state, 0, ([[], old + list(new)] for new, _ in _splits([kind_of(c) for c in NEW], 4)))


def _after_a_reshuffle_of_three() -> tuple[State, int, list[World]]:
    """Who of two others has which of the cards known to be theirs is open; only one of them has drawn since."""
    hands = [["water 1"], ["swamp 1", "swamp 2"], ["desert 4", "water 0", "swamp 1"]]
    state = position(hands, draw=["forest 4"], discards=NEW[:5], turn=1)
    state = act(state, "refill", "done")
    return state, 0, _worlds(state, 0, _three(NEW[:5], 3, 3))


def _three(new: list[str], drawn: int, played: int) -> Iterator[Deal]:
    """Deal six known cards to the first (three) and the second of two others, and new ones to the first."""
    old = [kind_of(c) for c in ["swamp 1", "swamp 2", "desert 4", "water 0", "swamp 1", "forest 4"]]
    for one, two in _splits(old, 3):
        for more, _ in _splits([kind_of(c) for c in new], drawn):
            assert len(two) == played
            yield [[], [*one, *more], list(two)]


def _known_card_played() -> tuple[State, int, list[World]]:
    """As before, and then the third player, who has not drawn, has played one of the known cards."""
    state = _after_a_reshuffle_of_three()[0]
    state = act(state, "card desert 4")
    while int(state.turn) == 2:
        state = act(state, "tile 5,2") if state.tile != NONE else act(state, "stop")
    kind = kind_of("desert 4")
    deals = ([[], one, [c for c in two if c != kind]] for _, one, two in _three(NEW[:5], 3, 3) if kind in two)
    return state, 0, _worlds(state, 0, deals)


def _splits(cards: list[int], n: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Choose n labelled cards in every way: the chosen, and the others."""
    for chosen in combinations(range(len(cards)), n):
        yield tuple(cards[i] for i in chosen), [card for i, card in enumerate(cards) if i not in chosen]


def _worlds(state: State, seat: int, deals: Iterator[Deal]) -> list[World]:
    """Every different world of these deals, weighted by how many there are of it."""
    counts = Counter(tuple(tuple(sorted(hand)) for hand in deal) for deal in deals)
    worlds = []
    for hands, weight in counts.items():
        world = copy(state)
        for other, hand in enumerate(hands):
            if other != seat:
                world.players[other].hand[:] = list(hand) + [NONE] * (HAND - len(hand))
                assert int(world.players[other].hand_n) == len(hand)
        worlds.append((world, float(weight)))
    return worlds
