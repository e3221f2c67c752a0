"""Variants of the search that the search itself does not offer, for the arena: what they would bring, in `ai/README.md`.

`python -m ai.arena GAME benchmarks/variants.py:TreeReuse ismcts:20ms`, or `TwoRoots`. Both think `MILLISECONDS` a move.
"""

from __future__ import annotations

from collections import Counter

from ai.ismcts import Search
from engines.game import Game
from engines.kernel import State

MILLISECONDS = 20.0


class TreeReuse:
    """Goes on in the tree of its last move: the searching seat's nodes are keyed by all it has seen, and stay true.

    A thought then depends on the thoughts before it, so that no audit could have one of them again by itself.
    """

    def __init__(self) -> None:
        self._last: Search | None = None

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return the most visited action."""
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        search = Search(game, redacted, seat, seed)
        if self._last is not None:
            search.nodes, search.edges = self._last.nodes, self._last.edges
            search.book.nodes, search.book.edges = self._last.book.nodes, self._last.book.edges
        search.run_for(MILLISECONDS)
        self._last = search
        return search.choices()[0].action


class TwoRoots:
    """Searches twice from different seeds and adds up the visits: what a second free core would bring (root-parallel)."""

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return the action with most visits in both."""
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        visits: Counter[int] = Counter()
        for root in range(2):
            search = Search(game, redacted, seat, (seed + root) % 2**64)
            search.run_for(MILLISECONDS)
            for choice in search.choices():
                visits[choice.action] += choice.visits
        return max(visits, key=lambda action: (visits[action], -action))
