"""How our search does against other searches at equal time: ISMCTS with random playouts, and determinized search.

`python -m benchmarks.rivals [GAME ...] [--rival plain] [--budget 100ms] [--seats 2] [--matches 200]`. For two, every deal is
played twice with the seats exchanged, and the share of matches counts in which our search is placed better (equal: half). For
four, one of ours sits with three of the rival at every seat in turn, and its share of won matches counts, beside a quarter:
par.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from ai.arena import prepare, run
from ai.statistics import Interval
from benchmarks.timing import verdict
from engines import PACKAGES

#: What the score for two should be, and how many times par the win share for four; a rival without an aim is only reported.
FOR_TWO = {"plain": 0.60, "pimc": 0.55}
FOR_FOUR = {"plain": 1.3}


@dataclass(frozen=True)
class Table:
    """One comparison.

    Attributes:
        game: the game.
        seats: 2 or more.
        rival: the kind of search that sits on all other seats.
        budget: of each decision, of both.
    """

    game: str
    seats: int
    rival: str
    budget: str


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes:
        table: what was compared.
        matches: how many.
        score: for two the score of ours, for more its win share; 0..1.
        milliseconds: mean time of ours and of the rival a decision.
    """

    table: Table
    matches: int
    score: Interval
    milliseconds: tuple[float, float]


def measure(table: Table, matches: int, jobs: int, seed: int) -> Found:
    """Play the matches of a comparison."""
    ours, rival = f"ismcts:{table.budget}", f"{table.rival}:{table.budget}"
    summary, _ = run(prepare(table.game, [ours, rival], table.seats, {}, seed), -(-matches // table.seats), jobs, quiet=True)
    score = summary.pairings[0].score if table.seats == 2 else summary.shares[ours]
    return Found(table, summary.matches, score, (summary.milliseconds[ours], summary.milliseconds[rival]))


def report(found: Found) -> str:
    """Return what came out as a line of text."""
    table, score = found.table, found.score
    text = f"{table.game}, {table.seats} seats, against {table.rival} at {table.budget}: {score.value:.1%}"
    text += f" ({score.low:.1%} to {score.high:.1%}) of {found.matches} matches"
    if table.seats == 2:
        aim = FOR_TWO.get(table.rival)
        return text + (f"; {verdict(score.value, aim)}" if aim else "")
    times, aim = score.value * table.seats, FOR_FOUR.get(table.rival)
    return text + f", {times:.2f} times par" + (f"; {verdict(times, aim)}" if aim else "")


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--rival", "rivals", type=click.Choice(list(FOR_TWO)), multiple=True, default=tuple(FOR_TWO), help="Against whom."
)
@click.option("--budget", default="100ms", show_default=True, help="Of each move: like 100ms or 2000it.")
@click.option(
    "--seats", "counts", type=click.IntRange(2), multiple=True, default=(2, 4), show_default=True, help="How many play."
)
@click.option("--matches", type=click.IntRange(1), default=200, show_default=True, help="Of each comparison, at least.")
@click.option("--seed", default=1, show_default=True, help="All chance follows from it.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--json", "kept", type=click.Path(dir_okay=False, path_type=Path), help="Add a line for each to this file.")
def main(
    games: tuple[str, ...],
    rivals: tuple[str, ...],
    budget: str,
    counts: tuple[int, ...],
    matches: int,
    seed: int,
    jobs: int,
    kept: Path | None,
) -> None:
    """Compare the search in GAMES (all by default)."""
    for game in games or PACKAGES:
        for seats in counts:
            for rival in rivals:
                begin = time.monotonic()
                found = measure(Table(game, seats, rival, budget), matches, jobs, seed)
                print(f"{report(found)}; {time.monotonic() - begin:.0f} s", flush=True)
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(found)) + "\n")


if __name__ == "__main__":
    main()
