"""How fast the search is, beside OpenSpiel's compiled ISMCTS bot on its own card games, in the same run.

`python -m benchmarks.search_speed [GAME ...]`.

A ply is one action played, in the tree or below it; chance is not counted on our side. Ours are counted by the search.
OpenSpiel's bot with its random-rollout evaluator (one rollout) plays every simulation from the position to the end of the
match and tells no count, so its plies are taken as simulations times the mean length of random matches from that position,
chance counted: exact for hearts and oh_hell, whose matches all have one length, nearly so for euchre. Drawing the hidden
cards is not counted as plies on either side, its time is.

Of ours the mean over three positions of a match counts, of OpenSpiel's the fastest of three. The target is for random
playouts on both sides (`plain`); with a playout policy a ply costs more, and is worth more.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any

import click

from ai import options
from ai.ismcts import PLAIN, STANDARD, Search, Settings
from ai.player import warm
from benchmarks.timing import medians, rate, verdict
from engines import GAMES, PACKAGES
from engines.game import Game
from engines.kernel import State

PEERS = ("hearts", "oh_hell", "euchre")
ROUNDS = 5
#: How far into a match the positions are.
PARTS = (0.0, 0.4, 0.8)
ITERATIONS = 4000
SIMULATIONS = 1500
#: How many times the plies of which peer a game's search should make: with random playouts on both sides.
AIMS = {"last-lemming": ("hearts", 4.0), "lemminge": ("hearts", 2.5), "lemmings": ("oh_hell", 2.5), "valhalla": ("euchre", 2.5)}


def random_match(game: Game, seats: int) -> Iterator[tuple[State, int]]:
    """Play one random match and yield every state, and a seat that is awaited there."""
    chance = random.Random(seats)
    state = game.new(seats, {}, seats.to_bytes(32, "little"))
    while awaited := game.awaiting(state):
        seat = chance.choice(awaited)
        yield state, seat
        state = game.play(state, seat, chance.choice(game.legal(state, seat)))


def positions(game: Game, seats: int) -> list[tuple[State, int]]:
    """Return positions with a choice, spread over a match."""
    found = [(state, seat) for state, seat in random_match(game, seats) if len(game.legal(state, seat)) > 1]
    return [found[int(part * (len(found) - 1))] for part in PARTS]


def search_rate(game: Game, seats: int, settings: Settings, unit: str) -> Callable[[], float]:
    """Return a measurement of our plies or iterations a second, the mean of all positions."""

    def one(state: State, seat: int) -> float:
        search = Search(game, game.redact(state, seat), seat, 1, settings)

        def work() -> int:
            search.run(ITERATIONS)
            return int(getattr(search, unit))

        return rate(work)

    found = positions(game, seats)
    return lambda: fmean(one(state, seat) for state, seat in found)


def peer_positions(name: str) -> list[Any]:
    """Return positions with a choice of an OpenSpiel game, spread over a match."""
    import pyspiel

    chance = random.Random(1)
    state = pyspiel.load_game(name).new_initial_state()
    found = []
    while not state.is_terminal():
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            found.append(state.clone())
        state.apply_action(_any_action(state, chance))
    return [found[int(part * (len(found) - 1))] for part in PARTS]


def _any_action(state: Any, chance: random.Random) -> int:
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return chance.choices(actions, weights)[0]
    return chance.choice(state.legal_actions())


def mean_length(state: Any, matches: int = 60) -> float:
    """Return how many actions random matches from a position of OpenSpiel's take to the end."""
    chance = random.Random(2)
    total = 0
    for _ in range(matches):
        played = state.clone()
        while not played.is_terminal():
            played.apply_action(_any_action(played, chance))
            total += 1
    return total / matches


def peer_rate(name: str, by_length: bool) -> Callable[[], float]:
    """Return a measurement of OpenSpiel's plies (or simulations) a second, the fastest of all positions."""
    import pyspiel

    found = [(state, mean_length(state) if by_length else 1.0) for state in peer_positions(name)]

    def one(state: Any, length: float) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(1, evaluator, 2.0, SIMULATIONS, -1, final, False, False)

        def work() -> int:
            bot.step(state)
            return SIMULATIONS

        return rate(work) * length

    return lambda: max(one(state, length) for state, length in found)


def measure(games: list[str], rounds: int) -> None:
    """Print the figures of all games and peers."""
    measures: dict[str, Callable[[], float]] = {}
    for name in PEERS:
        measures[f"OpenSpiel {name}"] = peer_rate(name, by_length=True)
        measures[f"OpenSpiel {name}, iterations"] = peer_rate(name, by_length=False)
    for name in games:
        game = GAMES[name]
        warm(game)
        for seats in range(game.min_seats, game.max_seats + 1):
            for variant, settings in (("", STANDARD), (", plain", PLAIN)):
                measures[f"{name} {seats}{variant}"] = search_rate(game, seats, settings, "plies")
                measures[f"{name} {seats}{variant}, iterations"] = search_rate(game, seats, settings, "iterations")
    found = medians(measures, rounds)
    print("millions of plies a second, thousands of iterations a second; how many times the peers' plies")
    peers = [found[f"OpenSpiel {name}"] for name in PEERS]
    for name, value in found.items():
        if not name.endswith("iterations"):
            text = f"{name:28} {value / 1e6:6.2f} {found[name + ', iterations'] / 1e3:7.1f}"
            if not name.startswith("OpenSpiel"):
                times = [value / peer for peer in peers]
                text += "  " + " ".join(f"{peer}: {t:.1f}" for peer, t in zip(PEERS, times, strict=True))
                peer, aim = AIMS.get(name.split()[0], ("hearts", 2.5))
                text += f"  {peer} {verdict(value / found[f'OpenSpiel {peer}'], aim)}" if name.endswith("plain") else ""
            print(text)


@click.command()
@options.games
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS, show_default=True, help="Runs of which the median is taken.")
def main(games: tuple[str, ...], rounds: int) -> None:
    """Measure the search in GAMES (all by default)."""
    measure(list(games or PACKAGES), rounds)


if __name__ == "__main__":
    main()
