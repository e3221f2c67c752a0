"""Every game's playout policy and simple players, wherever random play may lead: they play legal actions and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ai import playouts
from engines import GAMES
from engines.game import Game
from engines.kernel import seed_words

MATCHES = 3


def kernels(game: Game) -> dict[str, Callable[..., Any]]:
    """Return a game's policies by name."""
    found = playouts.find(game)
    named = {"choose": found.choose, "uniform": found.uniform}
    return {**named, **found.players}


def positions(game: Game, seats: int) -> Iterator[tuple[Any, int]]:
    """Give every position of random matches, with a seat that must decide there."""
    for deal in range(MATCHES):
        chance = random.Random(f"{game.name} {seats} {deal}")
        state = game.new(seats, {}, chance.randbytes(32))
        while awaited := game.awaiting(state):
            seat = chance.choice(awaited)
            yield state, seat
            state = game.play(state, seat, chance.choice(game.legal(state, seat)))


@pytest.mark.parametrize("name", GAMES)
def test_a_policy_plays_legal_actions_only(name: str) -> None:
    game = GAMES[name]
    out = np.zeros(game.max_actions, np.int16)
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(5))
    for seats in range(game.min_seats, game.max_seats + 1):
        for state, seat in positions(game, seats):
            for policy, kernel in kernels(game).items():
                out.fill(-1)
                n = int(game.kernels.legal(state, seat, out))
                legal = out[:n].tolist()
                action = int(kernel(state, seat, out, n, words))
                assert action in legal, f"{policy} plays {action} of {legal}"
                assert out[:n].tolist() == legal
