"""How a match is played on below the tree: one file a game, named like its package under `engines/`.

A file has the kernel `choose(state, seat, legal, n, words) -> action`, and `CUT`. Some have `PLAYERS`, simple players by name
(kernels of the same signature; `greedy` looks one step ahead), `CUT_A_SEAT`, constants of the tree (`EXPLORATION`, `WIDENING`,
`HURRY`, see `ai/ismcts.py`), `INFER`, a kernel in place of the game's `imagine` that learns from the others' moves, and
`SHAPE`, a kernel `shape(state, paid)` that changes the payoffs at the end of a playout towards what is wanted besides winning.
A game without a file is played on at random to the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import numba
import numpy as np

from engines import PACKAGES
from engines.game import Game
from engines.kernel import Array, State, below, signatures

#: What a file may have besides, each in lower case a field of `Playouts`.
_MORE = ("CUT_A_SEAT", "EXPLORATION", "WIDENING", "HURRY", "PLAYERS", "INFER", "SHAPE")
#: (state, seat, legal, n, words) -> action.
Choose: TypeAlias = Callable[[State, int, Array, int, Array], int]


@dataclass(frozen=True)
class Playouts:
    """How one game is played on below the tree.

    Attributes:
        choose: the game's own policy (`uniform` if it has none).
        uniform: every legal action equally likely.
        unshaped: leaves the payoffs as they are.
        players: simple players by name, to measure against.
        infer: in place of `imagine`, worlds weighted by how likely the others' moves are in them; None if the game has none.
        cut: after how many plies a playout is cut and the payoffs are estimated; 0: never.
        cut_a_seat: so many plies more for every seat.
        shape: changes the payoffs, 0..1 a seat, towards what is wanted besides winning; `unshaped` if the game has none.
        exploration, widening, hurry: of the search's tree, see `ai.ismcts.Settings`.
    """

    choose: Choose
    uniform: Choose
    unshaped: Callable[[State, Any], None]
    shape: Callable[[State, Any], None]
    cut: int
    players: Mapping[str, Choose] = field(default_factory=dict)
    infer: Callable[[State, int, Any], None] | None = None
    cut_a_seat: int = 0
    exploration: float = 0.7
    widening: float = math.inf
    hurry: float = 0.0


def choose_uniformly(state: State, seat: int, legal: Array, n: int, words: Array) -> int:  # noqa: ARG001
    """Return one of the n legal actions, every one equally likely."""
    return int(legal[below(words, n)])


@cache
def _uniform(dtype: np.dtype[Any]) -> Choose:
    compiled: Choose = numba.njit(signatures(dtype)["choose"], cache=True, nogil=True)(choose_uniformly)
    return compiled


def leave(state: State, paid: Array) -> None:
    """Leave the payoffs as they are."""


@cache
def _unshaped(dtype: np.dtype[Any]) -> Callable[[State, Any], None]:
    compiled: Callable[[State, Any], None] = numba.njit(signatures(dtype)["payoffs"], cache=True, nogil=True)(leave)
    return compiled


@cache
def find(game: Game) -> Playouts:
    """Return how a game is played on: from `ai/playouts/<package>.py`, or at random if there is no such file."""
    uniform, unshaped = _uniform(game.dtype), _unshaped(game.dtype)
    package = PACKAGES.get(game.name, "").rpartition(".")[2]
    name = f"{__name__}.{package}"
    if not package or find_spec(name) is None:
        return Playouts(uniform, uniform, unshaped, unshaped, 0)
    module = import_module(name)
    more = {name.lower(): getattr(module, name) for name in _MORE if hasattr(module, name)}
    return Playouts(module.choose, uniform, unshaped, more.pop("shape", unshaped), int(module.CUT), **more)
