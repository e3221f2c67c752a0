"""All worlds of small positions of the toy, for the conformance suite."""

from __future__ import annotations

from itertools import combinations

from engines.game import copy
from engines.kernel import State
from tests.toy import CARDS, GAME, NONE, ROUNDS


def census(state: State) -> tuple[int, ...]:
    """Every card that is anywhere, sorted: dealt ones never appear twice."""
    cards = [c for c in range(CARDS) if int(state.shown) >> c & 1]
    for seat in range(int(state.seats)):
        player = state.players[seat]
        cards += [c for c in range(CARDS) if int(player.hand) >> c & 1]
        if player.chosen != NONE:
            cards.append(int(player.chosen))
    assert len(cards) == len(set(cards))
    return (len(cards),)


def world_key(state: State) -> tuple[int, ...]:
    return tuple(int(x) for s in range(int(state.seats)) for x in (state.players[s].hand, state.players[s].chosen))


def small_positions() -> list[tuple[State, int, list[tuple[State, float]]]]:
    fresh = GAME.new(2, {}, bytes(32))
    chosen = GAME.play(fresh, 1, GAME.legal(fresh, 1)[0])
    later = GAME.play(chosen, 0, GAME.legal(chosen, 0)[1])
    return [(state, 0, _worlds(state)) for state in (fresh, chosen, later)]


def _worlds(state: State) -> list[tuple[State, float]]:
    """Every hand, and every choice, that seat 1 of two may have."""
    taken = int(state.players[0].hand) | int(state.shown)
    if state.players[0].chosen != NONE:
        taken |= 1 << int(state.players[0].chosen)
    free = [c for c in range(CARDS) if not taken >> c & 1]
    worlds = []
    for cards in combinations(free, ROUNDS - int(state.turn)):
        for choice in cards if state.players[1].chosen != NONE else (NONE,):
            world = copy(state)
            world.players[1].hand = sum(1 << c for c in cards if c != choice)
            world.players[1].chosen = choice
            worlds.append((world, 1.0))
    return worlds
