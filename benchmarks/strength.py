"""How strong the search is: its share of won matches against given opponents, every deal with every rotation of seats.

`python -m benchmarks.strength [GAME] [--seats N] [--opponent random] [--player ismcts:100ms] [--matches 200]`.
Beside it, in the same run and over the same deals, the same for the game's greedy player where it has one.
"""

from __future__ import annotations

import os
from typing import Any

import click

from ai.arena import prepare, run, table
from ai.playouts import find
from benchmarks.timing import verdict
from engines import GAMES, PACKAGES

#: What the search at 100 ms must win against three random players of four.
TARGET = 0.6


@click.command()
@click.argument("game", default=next(iter(PACKAGES)))
@click.option("--seats", default=4, show_default=True, help="How many play.")
@click.option("--player", default=None, help="Who is measured; by default ismcts with --milliseconds.")
@click.option("--milliseconds", default=100, show_default=True, help="Thinking time a move.")
@click.option("--opponent", default="random", show_default=True, help="Who sits on the other seats.")
@click.option("--matches", default=200, show_default=True, help="How many at least.")
@click.option("--target", default=TARGET, show_default=True, help="The win share to reach.")
@click.option("--seed", default=1, show_default=True, help="All chance follows from it.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
def main(game: str, seats: int, player: str | None, opponent: str, target: float, **numbers: Any) -> None:
    """Measure the search in GAME."""
    deals = -(-numbers["matches"] // seats)
    measured = player or f"ismcts:{numbers['milliseconds']}ms"
    beside = ["greedy"] if find(GAMES[game]).greedy else []
    for name in [measured, *beside]:
        bout = prepare(game, [name, opponent], seats, {}, numbers["seed"])
        summary, _ = run(bout, deals, numbers["jobs"], quiet=False)
        print(table(summary))
        found = summary.shares[name]
        print(
            f"{name}: {found.value / summary.par:.2f} times par"
            + (f"; {verdict(found.value, target)}" if name == measured else "")
        )


if __name__ == "__main__":
    main()
