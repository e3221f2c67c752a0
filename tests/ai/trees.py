"""Search trees frozen as files: `python -m tests.ai.trees` writes them anew, to be read before they are committed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from ai.ismcts import EMPTY, NONE, PLAIN, Search
from engines.game import Game
from tests.ai.conftest import games, position

FOLDER = Path(__file__).parent / "trees"

#: Name of each tree: plays before it, iterations, settings. One file a game and tree. Playouts are random, so that a better
#: playout policy needs no new files.
TREES = {
    "start": (0, 60, PLAIN),
    "later": (4, 40, replace(PLAIN, cut=3, exploration=1.4)),
    "small": (2, 80, replace(PLAIN, most_edges=12)),
}


def tree(search: Search) -> list[dict[str, Any]]:
    """Return a whole tree as JSON: its nodes, and their edges, in the order they came."""
    nodes = []
    for node in search.nodes:
        if node.key != EMPTY:
            edges = []
            edge = int(node.first)
            while edge != NONE:
                item = search.edges[edge]
                edges.append([edge, int(item.action), int(item.visits), int(item.available), float(item.payoff)])
                edge = int(item.next)
            nodes.append({"key": f"{int(node.key):016x}", "visits": int(node.visits), "edges": edges[::-1]})
    return sorted(nodes, key=lambda node: node["edges"][0][0])


def grow(game: Game, name: str) -> list[dict[str, Any]]:
    """Return the tree of that name."""
    plays, iterations, settings = TREES[name]
    state, seat = position(game, plays)
    search = Search(game, game.redact(state, seat), seat, 42, settings)
    search.run(iterations)
    return tree(search)


def path(game: Game, name: str) -> Path:
    """Return the file of a tree."""
    return FOLDER / f"{game.name}-{name}.json"


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for game in games():
        for name in TREES:
            lines = ",\n".join(json.dumps(node) for node in grow(game, name))
            path(game, name).write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
