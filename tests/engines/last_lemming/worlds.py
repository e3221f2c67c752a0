"""All worlds of small positions of Last Lemming, by plain counting, for the conformance suite.

The positions are late tricks of a small deck: most of the cards count as played already, so that few are unseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial

from engines.game import copy
from engines.kernel import State
from engines.last_lemming import GAME
from engines.last_lemming.state import DEALT, NONE, PHASE_ACTIVATE, PHASE_PUT_BACK, PUT_BACK, TRICKS, X
from tests.engines.last_lemming.setup import card, deal_to, table


def census(state: State) -> tuple[int, ...]:
    """Every card that is in a hand, put back or played in this act, counted; none is there twice."""
    seats = range(int(state.seats))
    numbers, x = int(state.shown), int(state.shown_x)
    total = numbers.bit_count() + x
    played = [sum(int(trick.cards[seat]) != NONE for trick in state.tricks) for seat in seats]
    assert sum(played) == total
    for seat in seats:
        player = state.players[seat]
        for bits in (int(player.hand), int(player.away)):
            assert not numbers & bits
            numbers |= bits
        x += int(player.x) + int(player.away_x)
        own = (int(player.hand) | int(player.away)).bit_count() + int(player.x) + int(player.away_x)
        # After the scoring the cards are back on the pile.
        assert own + played[seat] == DEALT or (own == 0 and played[seat] == TRICKS)
    assert numbers < 1 << int(state.colours) * int(state.per_colour)
    assert x <= int(state.x_cards)
    return (int(state.colours), int(state.per_colour), int(state.x_cards))


def world_key(state: State) -> tuple[int, ...]:
    """The hidden cards, and the rule cards to come."""
    players = [state.players[seat] for seat in range(int(state.seats))]
    hands = [int(n) for p in players for n in (p.hand, p.x, p.away, p.away_x)]
    return (*hands, *(int(rule) for rule in state.order))


@dataclass(frozen=True)
class Slot:
    """A place for unseen cards: a hand, what a seat put back, or the undealt rest (seat NONE)."""

    seat: int
    away: bool
    cards: int
    voids: int = 0


def fillings(state: State, numbers: list[int], x: int, slots: list[Slot]) -> Iterator[tuple[State, float]]:
    """Every way to lay number cards and X on the slots, weighted with the ways to lay the X, told apart."""
    assert len(numbers) + x == sum(slot.cards for slot in slots)

    def lay(rest: list[int], filled: list[list[int]]) -> Iterator[list[list[int]]]:
        if not rest:
            yield filled
            return
        for i, slot in enumerate(slots):
            if len(filled[i]) < slot.cards and not slot.voids >> int(state.colour[rest[0]]) & 1:
                yield from lay(rest[1:], [*filled[:i], [*filled[i], rest[0]], *filled[i + 1 :]])

    for filled in lay(numbers, [[] for _ in slots]):
        world = copy(state)
        weight = float(factorial(x))
        for slot, cards in zip(slots, filled, strict=True):
            crosses = slot.cards - len(cards)
            weight /= factorial(crosses)
            if slot.seat == NONE:
                continue
            player = world.players[slot.seat]
            bits = sum(1 << number for number in cards)
            if slot.away:
                player.away, player.away_x = bits, crosses
            else:
                player.hand, player.x = bits, crosses
        yield world, weight


def position(seats: int, own: list[str], unseen: list[str], hands: dict[int, int], voids: dict[int, int]) -> State:
    """A late trick of an act, seen by seat 0: it holds `own`, all cards but those and the unseen ones have been shown."""
    state = table(seats, 1)
    left = max(hands.values())
    for n in range(TRICKS - left):
        for seat in range(seats):
            state.tricks[n].cards[seat] = X
    state.trick = TRICKS - left
    for seat, cards in hands.items():
        if cards < left:  # has played to this trick
            state.tricks[TRICKS - left].cards[seat] = X
        state.players[seat].voids = voids.get(seat, 0)
    numbers = [number for number in map(card, unseen) if number != X]
    deal_to(state, 0, *own)
    state.players[0].away, state.players[0].away_x = 0, PUT_BACK
    state.shown = ((1 << 60) - 1) & ~sum(1 << number for number in numbers) & ~int(state.players[0].hand)
    state.x_cards = 40
    state.shown_x = 40 - unseen.count("X") - int(state.players[0].x) - PUT_BACK
    return state


def counted(
    seats: int, unseen: list[str], hands: dict[int, int], voids: dict[int, int]
) -> tuple[State, int, list[tuple[State, float]]]:
    """A position, the seat, and all its worlds: hands bound by voids, four cards put back a seat, the rest undealt."""
    state = position(seats, ["g12"], unseen, hands, voids)
    numbers = [number for number in map(card, unseen) if number != X]
    slots = [Slot(seat, False, cards, voids.get(seat, 0)) for seat, cards in hands.items()]
    slots += [Slot(seat, True, PUT_BACK) for seat in hands]
    rest = len(unseen) - sum(slot.cards for slot in slots)
    slots.append(Slot(NONE, True, rest))
    return state, 0, list(fillings(state, numbers, unseen.count("X"), slots))


def one_bound_hand() -> tuple[State, int, list[tuple[State, float]]]:
    """Two cards without yellow, which may have been put back or undealt."""
    return counted(2, ["y1", "y2", "r3", "r4", "b5", "X", "X", "X"], {1: 2}, {1: 0b1})


def two_bound_hands() -> tuple[State, int, list[tuple[State, float]]]:
    """One holds no yellow, one no red: what the one draws changes what is left for the other."""
    unseen = ["y1", "y2", "r3", "r4", *["X"] * 9]
    return counted(3, unseen, {1: 2, 2: 2}, {1: 0b1, 2: 0b10})


def tight_bound_hands() -> tuple[State, int, list[tuple[State, float]]]:
    """Three hands, two of them bound, and hardly an X: few deals fit."""
    unseen = ["y1", "y2", "r3", *["X"] * 12]
    return counted(4, unseen, {1: 1, 2: 1, 3: 1}, {1: 0b10, 2: 0b1})


def putting_back() -> tuple[State, int, list[tuple[State, float]]]:
    """Seat 1 is ready, seat 2 may have put back any number of cards already: twelve cards are unknown of it either way."""
    state = table(3, 1)
    state.phase, state.turn = PHASE_PUT_BACK, NONE
    unseen = ["y1", "r3", "b4"]
    deal_to(state, 0, "g12", *["X"] * 11)
    state.players[0].put_n = state.players[2].put_n = 0
    state.players[2].put_last = X
    deal_to(state, 2, *["X"] * 12)
    state.shown = ((1 << 60) - 1) & ~sum(1 << card(text) for text in unseen) & ~int(state.players[0].hand)
    crosses = 12 + 12 + 1 - len(unseen)
    state.x_cards = 60
    state.shown_x = 60 - 11 - crosses
    slots = [Slot(1, False, 8), Slot(1, True, 4), Slot(2, False, 12), Slot(NONE, True, 1)]
    return state, 0, list(fillings(state, [card(text) for text in unseen], crosses, slots))


def rule_cards_to_come() -> tuple[State, int, list[tuple[State, float]]]:
    """Between acts 3 and 4 of two players: only the last rule card is unknown, one of those good for two and not yet seen."""
    state = GAME.new(2, {}, bytes(32))
    state.act = 2
    state.phase, state.turn = PHASE_ACTIVATE, 0
    for seat in (0, 1):
        player = state.players[seat]
        player.hand = player.x = 0
        player.put_n = PUT_BACK
    worlds = []
    for rule in range(int(state.rule_n)):
        if rule not in state.order[:3] and int(state.rules[rule].players) >> 2 & 1:
            world = copy(state)
            world.order[3] = rule
            worlds.append((world, 1.0))
    return state, 0, worlds


def small_positions() -> list[tuple[State, int, list[tuple[State, float]]]]:
    return [one_bound_hand(), two_bound_hands(), tight_bound_hands(), putting_back(), rule_cards_to_come()]
