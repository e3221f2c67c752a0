"""Determinized search (perfect-information Monte Carlo), the rival our search is measured against.

It imagines a number of worlds, searches each as if all cards lay open, and adds up the visits (Ginsberg 2001, JAIR 14; Long,
Sturtevant, Buro & Furtak 2010, AAAI). It runs the very same compiled search with the same playouts, and all worlds' trees
grow in one table: an iteration takes one of the worlds, the keys of its nodes are all seats' information together, and a world
stays the same but for the draws still to come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numba
import numpy as np

from ai.ismcts import ROOT, STANDARD, Choice, Search, Settings, key_of
from engines.game import Game
from engines.kernel import State, mix, seed_words, signatures

#: Worlds a search looks at; each gets about an equal part of the budget.
WORLDS = 32


@cache
def _one_of(game: Game, worlds: int) -> Callable[[State, int, Any], None]:
    """Return a kernel like `imagine` that fills in one of a few worlds, by its seed; which they are, `state.random` says."""
    imagine = game.kernels.imagine
    few = np.uint64(worlds)

    def one_of(state: State, seat: int, seed: Any) -> None:
        number = seed % few
        imagine(state, seat, mix(state.random[0], number))
        seed_words(state.random, seed)
        # Worlds that differ in nothing that was seen have trees of their own, too.
        state.seen[seat] = mix(state.seen[seat], number)

    compiled: Callable[[State, int, Any], None] = numba.njit(signatures(game.dtype)["imagine"], nogil=True)(one_of)
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
    one_of = _one_of(game, worlds)
    trees = Search(game, redacted, seat, seed, replace(settings, perfect=True), one_of)
    root = trees.worlds[ROOT]
    seed_words(root.random, np.uint64(seed))
    if iterations is None:
        trees.run_for(milliseconds or 0)
    else:
        trees.run_sliced(iterations)
    keys = []
    for number in range(worlds):
        world = root.copy()
        one_of(world, seat, np.uint64(number))
        keys.append(np.uint64(key_of(world, seat, 1)))
    return trees.choices(keys)
