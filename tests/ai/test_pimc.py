"""Determinized search, the rival."""

from __future__ import annotations

import numpy as np
import pytest

from ai import pimc
from engines import GAMES, PACKAGES


def first_decision(game):
    """The state of a new match at the first decision with several actions, as its seat may know it; and the seat."""
    state = game.new(3, {}, bytes([7] * 32))
    while len(legal := game.legal(state, game.awaiting(state)[0])) == 1:
        state = game.play(state, game.awaiting(state)[0], legal[0])
    seat = game.awaiting(state)[0]
    return game.redact(state, seat), seat


@pytest.mark.parametrize("name", PACKAGES)
def test_every_iteration_goes_into_the_tree_of_one_of_the_worlds(name: str):
    game = GAMES[name]
    redacted, seat = first_decision(game)
    before = redacted.tobytes()
    found = pimc.search(game, redacted, seat, 2**64 - 5, iterations=200)
    assert redacted.tobytes() == before
    assert {choice.action for choice in found} <= set(game.legal(redacted, seat))
    # All roots together: none is overlooked, and none is another one's.
    assert sum(choice.visits for choice in found) == 200
    assert sum(choice.share for choice in found) == pytest.approx(1)
    assert all(0 <= choice.payoff <= 1 for choice in found)
    assert pimc.search(game, redacted, seat, 2**64 - 5, iterations=200) == found
    assert pimc.search(game, redacted, seat, 6, iterations=200) != found


def test_one_search_grows_the_trees_of_all_worlds(monkeypatch: pytest.MonkeyPatch):
    # A search for each of them cost so much that a fifth of the iterations was left in 100 ms.
    searches = []

    class Counted(pimc.Search):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            searches.append(self)

    monkeypatch.setattr(pimc, "Search", Counted)
    redacted, seat = first_decision(GAMES["lemminge"])
    for budget in ({"milliseconds": 1}, {"iterations": 100}):
        found = pimc.search(GAMES["lemminge"], redacted, seat, 5, **budget)
        assert sum(choice.visits for choice in found) == searches[-1].iterations > 0
    assert len(searches) == 2


def test_there_are_so_many_worlds_and_no_more():
    game = GAMES["last-lemming"]
    redacted, seat = first_decision(game)
    one_of = pimc._one_of(game, 3)
    worlds = []
    for seed in range(12):
        world = redacted.copy()
        one_of(world, seat, np.uint64(seed))
        # All fields but what is still to be drawn.
        worlds.append({name: np.asarray(world[name]).tobytes() for name in game.dtype.names if name != "random"})
    assert worlds == worlds[:3] * 4
    for field in ("players", "seen"):
        assert len({world[field] for world in worlds}) == 3
