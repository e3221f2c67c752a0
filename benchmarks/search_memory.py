"""How much memory a search takes: at the most, and over a thousand thoughts in one process.

`python -m benchmarks.search_memory [GAME ...]`. Each figure is measured in a fresh process, once what is compiled has been
loaded, as the growth of the memory that is resident (Linux): the peak while one search runs until its tree is full or the time
is up, and from the 100th thought to the last, in matches that the playout policy plays.

A full tree takes what it takes however it came about; playouts are cut after one ply, so that it is full before the time is up.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import click

from ai import options
from ai.ismcts import Search, Settings
from ai.player import quick, think, warm
from benchmarks.timing import verdict
from engines import GAMES, PACKAGES
from engines.game import Game
from engines.kernel import State

T = TypeVar("T")

MEGABYTE = 1 << 20
#: The most one search may take, and what the process may grow by over all later thoughts, in MB.
MOST = 64.0
GROWTH = 1.0
SETTLED = 100
#: How a tree is filled, and how many iterations at a time.
FILLING = Settings(cut=1, widening=math.inf)
STEP = 20_000


def resident() -> float:
    """Return the process's resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def forget_peak() -> None:
    """Let the peak begin anew: a process inherits its parent's, and loading what is compiled may have had a higher one."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")


def peak() -> float:
    """Return the most that has been resident since `forget_peak`, in MB."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


def choices(game: Game) -> Iterator[tuple[State, int]]:
    """Yield redacted states with a choice, and the seat that has it, of match after match of the playout policy."""
    for match in itertools.count():
        state = game.new(game.min_seats, {}, match.to_bytes(32, "little"))
        number = 0
        while awaited := game.awaiting(state):
            seat = awaited[0]
            redacted = game.redact(state, seat)
            if len(game.legal(state, seat)) > 1:
                yield redacted, seat
            number += 1
            state = game.play(state, seat, quick(game, redacted, seat, number))


def one_search(name: str, seconds: float) -> tuple[float, float, int, int]:
    """Return the peak's growth in MB, the search's own account of it, its nodes and edges."""
    game = GAMES[name]
    warm(game)
    redacted, seat = next(choices(game))
    forget_peak()
    before = resident()
    deadline = time.monotonic() + seconds
    search = Search(game, redacted, seat, 1, FILLING)
    while search.book.edges < FILLING.most_edges and time.monotonic() < deadline:
        search.run(STEP)
    search.choices()
    return max(0.0, peak() - before), search.nbytes / MEGABYTE, int(search.book.nodes), int(search.book.edges)


def many_thoughts(name: str, thoughts: int, iterations: int) -> float:
    """Return by how many MB the process has grown from an early thought to the last."""
    game = GAMES[name]
    warm(game)
    settled = 0.0
    for number, (redacted, seat) in enumerate(itertools.islice(choices(game), thoughts)):
        think(game, redacted, seat, seed=number, iterations=iterations)
        if number + 1 == min(SETTLED, thoughts):
            settled = resident()
    return resident() - settled


def _alone(work: Callable[..., T], *args: object) -> T:
    """Return what a function returns in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


@click.command()
@options.games
@click.option("--seconds", type=click.FloatRange(0.1), default=60.0, show_default=True, help="The longest of the one search.")
@click.option("--thoughts", type=click.IntRange(2), default=1000, show_default=True, help="How many in one process.")
@click.option("--iterations", type=click.IntRange(1), default=2000, show_default=True, help="Of each of them.")
def main(games: tuple[str, ...], seconds: float, thoughts: int, iterations: int) -> None:
    """Measure the search in GAMES (all by default)."""
    for name in games or PACKAGES:
        grown, told, nodes, edges = _alone(one_search, name, seconds)
        print(f"{name}: one search of {nodes:,} nodes and {edges:,} edges took {grown:.1f} MB", end="")
        full = "full" if edges == FILLING.most_edges else "not yet full"
        print(f" ({told:.1f} MB by its own account; {full}); {verdict(grown, MOST, at_least=False)}", flush=True)
        growth = _alone(many_thoughts, name, thoughts, iterations)
        print(f"    {thoughts:,} thoughts: {growth:+.2f} MB; {verdict(growth, GROWTH, at_least=False)}", flush=True)


if __name__ == "__main__":
    main()
