"""How strong the levels are: each against the one below, every deal with every rotation of seats, and Elo from that.

`python -m benchmarks.ladder [GAME ...] [--seats 2 --seats 4] [--deals 50] [--write]`. With more than two seats the two levels
take turns around the table. The lowest level has Elo 1000; an interval of a sum of differences is theirs added in squares.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from itertools import pairwise

import click

from ai.arena import Pairing, prepare, run
from ai.levels import LADDER_FILE, LEVELS
from engines import GAMES, PACKAGES

FIRST_ELO = 1000.0


def compare(game: str, seats: int, player: str, rival: str, deals: int, jobs: int) -> Pairing:
    """Return how one player does against another at a table of both."""
    players = [player if seat % 2 == 0 else rival for seat in range(seats)]
    summary, _ = run(prepare(game, players, seats, {}, 1), deals, jobs, quiet=True)
    return summary.pairings[0]


def climb(game: str, seats: int, levels: Sequence[int], deals: int, jobs: int) -> dict[str, list[float]]:
    """Print every level's score against the one below; return level -> [Elo, low, high]."""
    lowest = compare(game, seats, f"level:{levels[0]}", "greedy", deals, jobs)
    print(f"{game}, {seats} seats: level {levels[0]} scores {_percent(lowest)} against the greedy player", flush=True)
    elo, low, high = FIRST_ELO, 0.0, 0.0
    found = {str(levels[0]): [FIRST_ELO, FIRST_ELO, FIRST_ELO]}
    for below, level in pairwise(levels):
        pairing = compare(game, seats, f"level:{level}", f"level:{below}", deals, jobs)
        elo += pairing.elo.value
        low = math.hypot(low, pairing.elo.value - pairing.elo.low)
        high = math.hypot(high, pairing.elo.high - pairing.elo.value)
        found[str(level)] = [round(elo), round(elo - low), round(elo + high)]
        print(f"  level {level}: {_percent(pairing)} against level {below}; Elo {found[str(level)]}", flush=True)
    return found


def _percent(pairing: Pairing) -> str:
    score = pairing.score
    return f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%})"


@click.command()
@click.argument("games", nargs=-1)
@click.option("--seats", "tables", type=int, multiple=True, default=(2, 4), show_default=True, help="How many play.")
@click.option("--deals", default=50, show_default=True, help="How many deals for each pair of levels.")
@click.option("--top", default=max(LEVELS), show_default=True, help="The highest level to measure.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--write", is_flag=True, help=f"Write what was found to {LADDER_FILE.name}, which the service answers from.")
def main(games: tuple[str, ...], tables: tuple[int, ...], deals: int, top: int, jobs: int, write: bool) -> None:
    """Measure the levels in GAMES (all by default)."""
    levels = [level for level in sorted(LEVELS) if level <= top]
    for name in games or PACKAGES:
        for seats in tables:
            if GAMES[name].min_seats <= seats <= GAMES[name].max_seats:
                found = climb(name, seats, levels, deals, jobs)
                if write:
                    ladder = json.loads(LADDER_FILE.read_text("utf-8"))
                    ladder.setdefault(name, {})[str(seats)] = found
                    LADDER_FILE.write_text(json.dumps(ladder, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
