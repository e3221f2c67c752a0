"""How strong the search is: its share of won matches against simple players, every deal with every rotation of seats.

`python -m benchmarks.strength [GAME ...] [--budget 100ms]`. Beside it, in the same run and over the same deals, the same for
the game's one-step greedy player. Matches that nobody wins count as not won.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import click

from ai import options
from ai.arena import prepare, run
from ai.statistics import Interval
from benchmarks.timing import verdict
from engines import PACKAGES


@dataclass(frozen=True)
class Aim:
    """What the search should win.

    Attributes:
        game: the game.
        seats: how many play.
        opponent: who sits on all other seats.
        matches: over how many at least.
        share: of all matches.
    """

    game: str
    seats: int
    opponent: str
    matches: int
    share: float


AIMS = (
    Aim("last-lemming", 4, "random", 200, 0.60),
    Aim("lemminge", 2, "random", 200, 0.99),
    Aim("lemminge", 2, "greedy", 200, 0.75),
    Aim("lemmings", 4, "random", 600, 0.45),
    Aim("lemmings", 4, "idle", 600, 0.28),
    Aim("valhalla", 4, "random", 200, 0.60),
    Aim("valhalla", 4, "lowest", 200, 0.40),
    Aim("valhalla", 2, "random", 200, 0.85),
)


def win_share(aim: Aim, player: str, jobs: int, seed: int) -> tuple[Interval, float]:
    """Play the matches of an aim; return the player's win share and its mean thinking time in ms."""
    bout = prepare(aim.game, [player, aim.opponent], aim.seats, {}, seed)
    summary, _ = run(bout, -(-aim.matches // aim.seats), jobs, quiet=True)
    return summary.shares[player], summary.milliseconds[player]


def _percent(found: Interval) -> str:
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"


def measure(aim: Aim, budget: str, jobs: int, seed: int, greedy: bool) -> None:
    """Print what the search wins, and the greedy player."""
    begin = time.monotonic()
    found, spent = win_share(aim, f"ismcts:{budget}", jobs, seed)
    print(f"{aim.game}, {aim.seats} seats, against {aim.opponent}, {aim.matches} matches, {time.monotonic() - begin:.0f} s:")
    print(f"    search ({spent:.0f} ms a decision): {_percent(found)}; {verdict(found.value, aim.share)}", flush=True)
    if greedy and aim.opponent != "greedy":
        other, _ = win_share(aim, "greedy", jobs, seed)
        print(f"    greedy player: {_percent(other)}", flush=True)


@click.command()
@options.games
@options.budget("100ms")
@click.option("--greedy/--no-greedy", default=True, show_default=True, help="Measure the greedy player as well.")
@options.seed(1)
@options.jobs
def main(games: tuple[str, ...], budget: str, greedy: bool, seed: int, jobs: int) -> None:
    """Measure the search in GAMES (all by default)."""
    for aim in AIMS:
        if aim.game in (games or PACKAGES):
            measure(aim, budget, jobs, seed, greedy)


if __name__ == "__main__":
    main()
