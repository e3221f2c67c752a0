"""Determinized search, the rival."""

from __future__ import annotations

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


@pytest.mark.parametrize("milliseconds", [1, 30])
def test_thinks_about_all_worlds_for_as_long_as_it_is_given(milliseconds: int):
    redacted, seat = first_decision(GAMES["lemminge"])
    found = pimc.search(GAMES["lemminge"], redacted, seat, 5, milliseconds=milliseconds)
    assert sum(choice.visits for choice in found) >= 16
