"""What the tests of search and players share: the games they run on, and positions of them."""

from __future__ import annotations

import random
from importlib.util import find_spec

import numba
import pytest

from engines import GAMES, PACKAGES
from engines.game import Game
from engines.kernel import State
from tests.toy import GAME as TOY

#: Uncompiled runs do with fewer iterations, and with the toy: a search runs the rules some hundred thousand times.
COMPILED = not numba.config.DISABLE_JIT


def games() -> list[Game]:
    """Return the toy and every registered game whose package is here."""
    return [TOY, *(GAMES[name] for name in PACKAGES if COMPILED and find_spec(PACKAGES[name]))]


def position(game: Game, plays: int, seed: int = 1, variant: int = 0) -> tuple[State, int]:
    """Return a state after so many random plays, or the last one before the end, and an awaited seat that has a choice."""
    variants = game.variants(next(iter(game.editions.values())))
    seats, options = variants[variant % len(variants)]
    chance = random.Random(seed)
    state = game.new(seats, options, seed.to_bytes(32, "little"))
    kept = None
    number = 0
    while (awaited := game.awaiting(state)) and (number <= plays or kept is None):
        choosers = [seat for seat in awaited if len(game.legal(state, seat)) > 1]
        if choosers:
            kept = (state, chance.choice(choosers))
        seat = chance.choice(awaited)
        state = game.play(state, seat, chance.choice(game.legal(state, seat)))
        number += 1
    assert kept is not None
    return kept


@pytest.fixture(params=games(), ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param
