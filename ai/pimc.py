"""Determinized search (perfect-information Monte Carlo), the rival our search is measured against.

It imagines a number of worlds, searches each as if all cards lay open, and adds up the visits (Ginsberg 2001, JAIR 14; Long,
Sturtevant, Buro & Furtak 2010, AAAI). It runs the very same compiled search with the same playouts; only the keys of the
nodes differ (all seats' information together), and a world stays the same but for the draws still to come.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numba
import numpy as np

from ai.ismcts import STANDARD, Choice, Search, Settings, ranked
from engines.game import Game
from engines.kernel import State, next_word, seed_words, signatures

#: Worlds a search looks at; each gets an equal part of the budget.
WORLDS = 32


def reseed(state: State, seat: int, seed: Any) -> None:  # noqa: ARG001
    """Keep an imagined world as it is, but draw what is still to be drawn anew (a kernel like `imagine`)."""
    seed_words(state.random, seed)


@cache
def _reseed(dtype: np.dtype[Any]) -> Callable[[State, int, Any], None]:
    compiled: Callable[[State, int, Any], None] = numba.njit(signatures(dtype)["imagine"], cache=True, nogil=True)(reseed)
    return compiled


def search(
    game: Game,
    redacted: State,
    seat: int,
    seed: int,
    *,
    milliseconds: float | None = None,
    iterations: int | None = None,
    worlds: int = WORLDS,
    settings: Settings = STANDARD,
) -> list[Choice]:
    """Return the ranked choices of a determinized search.

    Args:
        game: the game.
        redacted: the state as the seat may know it.
        seat: who searches; must be awaited.
        seed: 64 bits.
        milliseconds: the time budget for all worlds.
        iterations: the number of iterations for all worlds, in place of the time.
        worlds: how many worlds.
        settings: playouts and exploration.
    """
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    start = time.perf_counter()
    found: dict[int, tuple[int, float, float]] = {}
    for number in range(worlds):
        world = game.imagine(redacted, seat, int(next_word(words)))
        one = Search(game, world, seat, int(next_word(words)), replace(settings, perfect=True), _reseed(game.dtype))
        if iterations is not None:
            one.run(max(1, iterations * (number + 1) // worlds - iterations * number // worlds))
        else:
            spent = (time.perf_counter() - start) * 1000
            one.run_for(((milliseconds or 0) - spent) / (worlds - number))
        for choice in one.choices():
            visits, payoff, _ = found.get(choice.action, (0, 0.0, 0.0))
            payoff += choice.visits * (choice.payoff or 0.0)
            found[choice.action] = (visits + choice.visits, payoff, payoff)
    return ranked(found)
