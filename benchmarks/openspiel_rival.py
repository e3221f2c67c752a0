"""How our search does against OpenSpiel's, playing our games through the adapter: what a researcher would have without ours.

`python -m benchmarks.openspiel_rival [GAME ...] [--milliseconds 1000] [--matches 40]`. For two, in the adapter's own positions;
every deal is played twice with the seats exchanged, and the share of matches counts in which ours is placed better (equal:
half). Both think equally long (the bot ends the simulation it is in), and play at once what is forced.

The bot is `open_spiel.python.algorithms.ismcts`, for its compiled bot cannot resample games written in Python: random playouts
to the end (one a simulation), UCT with the constant 1.4 for payoffs of 0..1, the most visited action. For the arena it is a
player, too: `python -m ai.arena last-lemming ismcts:1000ms benchmarks/openspiel_rival.py:Second --deals 20`; `Tenth` thinks
100 ms. Needs the extra `research`.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import click
import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from ai.adapters import openspiel
from ai.player import think, warm
from ai.statistics import share
from benchmarks.timing import verdict
from engines import GAMES
from engines.game import Game
from engines.kernel import State

#: The constant before the square root of UCT.
EXPLORATION = 1.4
#: What the score of ours should be, and in which games by default.
AIM = 0.80
PLAYED = ("last-lemming", "lemminge")
SEATS = 2


class TimedBot(ismcts.ISMCTSBot):
    """OpenSpiel's bot, with a time in place of a number of simulations.

    Attributes:
        simulations: how many it has made, in all its searches.
    """

    def __init__(self, game: Any, milliseconds: float, seed: int) -> None:
        chance = np.random.RandomState(seed % 2**32)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        super().__init__(game, evaluator, EXPLORATION, 1, random_state=chance, allow_inconsistent_action_sets=True)
        self.seconds = milliseconds / 1000
        self.simulations = 0

    def run_search(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions with their probabilities: the same steps as in the class below, until the time is up.

        The first simulation only opens the root and tries no action there, so that there are at least two.
        """
        deadline = time.perf_counter() + self.seconds
        self.reset()
        self._root_node = self.create_new_node(state)
        while self._root_node.total_visits < 1 or time.perf_counter() < deadline:
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
        legal = state.legal_actions()
        found: list[tuple[int, float]] = self.get_final_policy(state, self.filter_illegals(self._root_node, legal))
        return found


class Tenth:
    """Thinks 100 ms a move."""

    milliseconds = 100.0

    def __init__(self) -> None:
        self.thoughts = 0
        self.simulations = 0

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return what OpenSpiel's bot plays from what the seat knows."""
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        state = position(game, redacted, seat, seed)
        bot = TimedBot(state.get_game(), self.milliseconds, seed)
        action = int(bot.step(state))
        self.thoughts += 1
        self.simulations += bot.simulations
        return action


class Second(Tenth):
    """Thinks a second a move."""

    milliseconds = 1000.0


def position(game: Game, redacted: State, seat: int, seed: int) -> Any:
    """Return an OpenSpiel position that the seat cannot tell from its own; the bot draws all others from it."""
    state = openspiel.load(game.name, int(redacted.seats)).new_initial_state()
    state.position = game.imagine(redacted, seat, seed)
    return state


# --- matches ----------------------------------------------------------------------------------------------------------


class Effort(NamedTuple):
    """What one side did in all its decisions with a choice.

    Attributes:
        thoughts: how many they were.
        runs: iterations of ours, simulations of the bot.
        milliseconds: how long they took.
    """

    thoughts: int
    runs: int
    milliseconds: float


class Match(NamedTuple):
    """How one match went.

    Attributes:
        score: of ours: 1 placed better, 1/2 equal, 0 worse.
        ours, bots: what the two did.
    """

    score: float
    ours: Effort
    bots: Effort


def total(efforts: Sequence[Effort]) -> str:
    """Return the means of what one side did, as text."""
    thoughts = max(sum(effort.thoughts for effort in efforts), 1)
    runs, spent = sum(effort.runs for effort in efforts), sum(effort.milliseconds for effort in efforts)
    return f"{runs / thoughts:,.1f} a move in {spent / thoughts:,.0f} ms"


def _seed(*parts: object) -> bytes:
    return hashlib.sha256(":".join(map(str, parts)).encode()).digest()


def play_match(name: str, milliseconds: float, seed: int, deal: int, our_seat: int) -> Match:
    """Play one match in the adapter's positions and return how it went."""
    game = GAMES[name]
    state = openspiel.load(name, SEATS).new_initial_state()
    state.position = game.new(SEATS, {}, _seed(seed, "deal", deal))
    efforts: list[list[Effort]] = [[], []]
    number = 0
    while not state.is_terminal():
        seat, legal = state.current_player(), state.legal_actions()
        action = legal[0]
        if len(legal) > 1:
            chance = int.from_bytes(_seed(seed, deal, our_seat, number)[:8], "little")
            action, effort = _decide(game, state, milliseconds, chance, seat == our_seat)
            efforts[seat].append(effort)
        state.apply_action(action)
        number += 1
    outcome = game.outcome(state.position)
    assert outcome is not None
    mine, other = outcome.ranking[our_seat], outcome.ranking[1 - our_seat]
    ours, bots = _sum(efforts[our_seat]), _sum(efforts[1 - our_seat])
    return Match(0.5 if mine == other else float(mine < other), ours, bots)


def _sum(efforts: Sequence[Effort]) -> Effort:
    runs, spent = sum(effort.runs for effort in efforts), sum(effort.milliseconds for effort in efforts)
    return Effort(len(efforts), runs, spent)


def _decide(game: Game, state: Any, milliseconds: float, seed: int, ours: bool) -> tuple[int, Effort]:
    """Return what our search or the bot plays, and what it did for it."""
    start, seat = time.perf_counter(), state.current_player()
    if ours:
        thought = think(game, game.redact(state.position, seat), seat, seed=seed, milliseconds=milliseconds)
        action, runs = thought.action, thought.iterations
    else:
        bot = TimedBot(state.get_game(), milliseconds, seed)
        action = int(bot.step(state))
        runs = bot.simulations
    return action, Effort(1, runs, (time.perf_counter() - start) * 1000)


def told_of(match: Match) -> dict[str, Any]:
    """Return a match as it is kept."""
    return {"score": match.score, "ours": match.ours._asdict(), "bots": match.bots._asdict()}


def play_deal(name: str, milliseconds: float, seed: int, deal: int) -> list[Match]:
    """Play one deal from both seats."""
    return [play_match(name, milliseconds, seed, deal, seat) for seat in range(SEATS)]


def play_deals(name: str, milliseconds: float, seed: int, deals: int, jobs: int) -> Iterator[list[Match]]:
    """Yield each deal's matches as they are done."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_helper, (name,)) as pool:
        for done in as_completed([pool.submit(play_deal, name, milliseconds, seed, deal) for deal in range(deals)]):
            yield done.result()


def _start_helper(name: str) -> None:
    warm(GAMES[name])


def measure(name: str, milliseconds: float, matches: int, jobs: int, seed: int, kept: Path | None) -> None:
    """Print how every deal of a game goes, and what all prove."""
    begin = time.monotonic()
    deals: list[list[Match]] = []
    wanted = -(-matches // SEATS)
    for deal in play_deals(name, milliseconds, seed, wanted, jobs):
        deals.append(deal)
        scores = " ".join(f"{match.score:g}" for match in deal)
        print(f"    {name}, {len(deals)} of {wanted} deals: {scores}; {time.monotonic() - begin:.0f} s", flush=True)
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                told = {"game": name, "milliseconds": milliseconds, "seed": seed, "matches": [told_of(match) for match in deal]}
                file.write(json.dumps(told) + "\n")
    score = share([fmean(match.score for match in deal) for deal in deals])
    ours = total([match.ours for deal in deals for match in deal])
    bots = total([match.bots for deal in deals for match in deal])
    print(f"{name}, {SEATS} seats, against OpenSpiel's bot at {milliseconds:g} ms: {score.value:.1%}", end="")
    print(f" ({score.low:.1%} to {score.high:.1%}) of {SEATS * len(deals)} matches; {verdict(score.value, AIM)}")
    print(f"    our iterations: {ours}; the bot's simulations: {bots}", flush=True)


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(GAMES)))
@click.option("--milliseconds", type=click.IntRange(1), default=1000, show_default=True, help="Of both, a move.")
@click.option("--matches", type=click.IntRange(1), default=40, show_default=True, help="Of each game, at least.")
@click.option("--seed", default=1, show_default=True, help="Deals and seeds follow from it.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--json", "kept", type=click.Path(dir_okay=False, path_type=Path), help="Add a line for each deal to this file.")
def main(games: tuple[str, ...], milliseconds: int, matches: int, seed: int, jobs: int, kept: Path | None) -> None:
    """Let the search play OpenSpiel's bot in GAMES (Last Lemming and Lemminge by default)."""
    for name in games or PLAYED:
        measure(name, milliseconds, matches, jobs, seed, kept)


if __name__ == "__main__":
    main()
