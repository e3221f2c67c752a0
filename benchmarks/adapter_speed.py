"""How much faster our search is than OpenSpiel's Python ISMCTS bot in our games, through the adapter: what one had before.

`python -m benchmarks.adapter_speed [GAME ...]`. From the same positions, with random playouts to the end and one thread on both
sides. Plies are the actions played, in the tree and below it: ours are counted by the search, the bot's by its positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import fmean
from typing import Any

import click

from ai import options
from ai.adapters import openspiel
from ai.ismcts import PLAIN, Search
from ai.player import warm
from benchmarks.openspiel_rival import TimedBot, position
from benchmarks.search_speed import positions
from benchmarks.timing import medians, rate, verdict
from engines import GAMES, PACKAGES
from engines.game import Game
from engines.kernel import State

AIM = 100.0
ITERATIONS = 2000
SEATS = 2


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the actions that are applied to the adapter's positions meanwhile: the one number in the list."""
    plies = [0]
    kind: Any = openspiel.ClifftopState
    before = kind._apply_action

    def apply(state: Any, action: int) -> None:
        plies[0] += 1
        before(state, action)

    kind._apply_action = apply
    try:
        yield plies
    finally:
        kind._apply_action = before


def bot_rate(game: Game, found: list[tuple[State, int]], milliseconds: float) -> Callable[[], float]:
    """Return a measurement of the bot's plies a second, the mean of all positions."""

    def one(state: State, seat: int) -> float:
        there = position(game, game.redact(state, seat), seat, 1)
        bot = TimedBot(there.get_game(), milliseconds, 1)

        def work() -> int:
            with counted() as plies:
                bot.step(there)
            return plies[0]

        return rate(work)

    return lambda: fmean(one(state, seat) for state, seat in found)


def our_rate(game: Game, found: list[tuple[State, int]]) -> Callable[[], float]:
    """Return a measurement of our plies a second, the mean of all positions."""

    def one(state: State, seat: int) -> float:
        search = Search(game, game.redact(state, seat), seat, 1, PLAIN)

        def work() -> int:
            search.run(ITERATIONS)
            return search.plies

        return rate(work)

    return lambda: fmean(one(state, seat) for state, seat in found)


@click.command()
@options.games
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Runs of which the median is taken.")
@click.option("--milliseconds", type=click.IntRange(1), default=1000, show_default=True, help="Of the bot for each position.")
def main(games: tuple[str, ...], rounds: int, milliseconds: int) -> None:
    """Compare the search in GAMES (all by default)."""
    for name in games or PACKAGES:
        game = GAMES[name]
        warm(game)
        found = positions(game, SEATS)
        rates = medians({"ours": our_rate(game, found), "bot": bot_rate(game, found, milliseconds)}, rounds)
        ratio = rates["ours"] / rates["bot"]
        text = f"{rates['ours']:,.0f} plies a second, {rates['bot']:,.0f} through the adapter"
        print(f"{name}: {text}: {ratio:,.0f} times; {verdict(ratio, AIM)}", flush=True)


if __name__ == "__main__":
    main()
