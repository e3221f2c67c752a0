"""How our search does against OpenSpiel's, playing our games through the adapter: what a researcher would have without ours.

`python -m benchmarks.openspiel_rival [GAME ...] [--milliseconds 1000] [--matches 40]`. For two, in the arena: every deal is
played twice with the seats exchanged, and the share of matches counts in which ours is placed better (equal: half). Both have
the same time, unless `--ours` gives ours another (less: where matches are long). The bot ends the simulation it is in, ours
ends early where the rest cannot change its move, and both play at once what is forced.

The bot is `open_spiel.python.algorithms.ismcts`, for its compiled bot cannot resample games written in Python: random playouts
to the end (one a simulation), UCT with the constant 1.4 for payoffs of 0..1, the most visited action. For the arena it is a
player, too: `python -m ai.arena last-lemming ismcts:1000ms benchmarks/openspiel_rival.py:Second --deals 20`; `Tenth` thinks
100 ms. Needs the extra `research`.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from ai import options
from ai.adapters import openspiel
from ai.arena import prepare, run
from ai.kept import keeping
from benchmarks.timing import verdict
from engines.game import Game
from engines.kernel import State

#: The constant before the square root of UCT.
EXPLORATION = 1.4
#: What the score of ours should be, and in which games by default.
AIM = 0.80
PLAYED = ("last-lemming", "lemminge")
SEATS = 2


class TimedBot(ismcts.ISMCTSBot):
    """OpenSpiel's bot, with a time in place of a number of simulations."""

    def __init__(self, game: Any, milliseconds: float, seed: int) -> None:
        chance = np.random.RandomState(seed % 2**32)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        super().__init__(game, evaluator, EXPLORATION, 1, random_state=chance, allow_inconsistent_action_sets=True)
        self.seconds = milliseconds / 1000

    def run_search(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions with their probabilities: the same steps as in the class below, until the time is up.

        The first simulation only opens the root and tries no action there, so that there are at least two.
        """
        deadline = time.perf_counter() + self.seconds
        self.reset()
        self._root_node = self.create_new_node(state)
        while self._root_node.total_visits < 1 or time.perf_counter() < deadline:
            self.run_simulation(self.sample_root_state(state))
        legal = state.legal_actions()
        found: list[tuple[int, float]] = self.get_final_policy(state, self.filter_illegals(self._root_node, legal))
        return found


class Tenth:
    """Thinks 100 ms a move."""

    milliseconds = 100.0

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return what OpenSpiel's bot plays from what the seat knows."""
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        state = position(game, redacted, seat, seed)
        return int(TimedBot(state.get_game(), self.milliseconds, seed).step(state))


class Second(Tenth):
    """Thinks a second a move."""

    milliseconds = 1000.0


def position(game: Game, redacted: State, seat: int, seed: int) -> Any:
    """Return an OpenSpiel position that the seat cannot tell from its own; the bot draws all others from it."""
    state = openspiel.load(game.name, int(redacted.seats)).new_initial_state()
    state.position = game.imagine(redacted, seat, seed)
    return state


#: The bot by how long it thinks.
PLAYERS = {"100": Tenth, "1000": Second}


def measure(name: str, players: tuple[str, str], matches: int, jobs: int, seed: int, file: Path | None) -> None:
    """Play the matches of a game and print what came out; the file keeps every deal."""
    ours, bot = players
    summary, _ = run(prepare(name, [ours, bot], SEATS, {}, seed), -(-matches // SEATS), jobs, quiet=False, file=file)
    score = summary.pairings[0].score
    print(f"{name}: {score.value:.1%} ({score.low:.1%} to {score.high:.1%}) of {summary.matches} matches,", end=" ")
    times = f"{summary.milliseconds[ours]:.0f} and {summary.milliseconds[bot]:.0f} ms a decision"
    print(f"{times}; {verdict(score.value, AIM)}", flush=True)


@click.command()
@options.games
@click.option("--milliseconds", type=click.Choice(list(PLAYERS)), default="1000", show_default=True, help="Of each move.")
@click.option("--ours", type=options.Budget(), help="Of each move of ours, if it is another: like 100ms.")
@click.option("--matches", type=click.IntRange(1), default=40, show_default=True, help="Of each game, at least.")
@click.option("--seed", default=1, show_default=True, help="All chance but the clock's follows from it.")
@options.jobs
@keeping
def main(
    games: tuple[str, ...], milliseconds: str, ours: str | None, matches: int, seed: int, jobs: int, file: Path | None
) -> None:
    """Let the search play OpenSpiel's bot in GAMES (Last Lemming and Lemminge by default)."""
    bot = f"{os.path.relpath(__file__)}:{PLAYERS[milliseconds].__name__}"
    for name in games or PLAYED:
        measure(name, (f"ismcts:{ours or milliseconds + 'ms'}", bot), matches, jobs, seed, file)


if __name__ == "__main__":
    main()
