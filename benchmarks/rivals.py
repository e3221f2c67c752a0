"""How our search does against other searches at equal time: ISMCTS with random playouts, and determinized search.

`python -m benchmarks.rivals [GAME ...] [--rival plain] [--budget 100ms] [--seats 2] [--matches 200]`. For two, every deal is
played twice with the seats exchanged, and the share of matches counts in which our search is placed better (equal: half). For
more, one of ours sits with three of the rival at every seat in turn, and its share of won matches counts, beside par: a
quarter for four. Where an option makes another mode of play, that is compared as well: a table of its own in `MODES`.
It is the same time for both, unless `--ours` gives our search another (less: where matches are long); a tree search ends early
where the rest of it cannot change the move, the plain one too. `pimc` has all that ours has but the tree over information sets;
`random-pimc` is as unimproved as `plain` is.
"""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click

from ai import options
from ai.arena import prepare, run
from ai.kept import keeping
from ai.statistics import Interval
from benchmarks.timing import verdict
from engines import PACKAGES
from engines.game import Json

#: The rivals, as the arena spells them with a budget.
RIVALS = {
    "plain": "plain:{}",
    "pimc": "pimc:{}",
    "random-pimc": "pimc:{}:exploration=0.7:widening=inf:hurry=0:policy=false:shaped=false:cut=0",
}
#: What the score for two should be, and how many times par the win share for four; a rival without an aim is only reported.
FOR_TWO = {"plain": 0.60, "pimc": 0.55, "random-pimc": 0.55}
FOR_FOUR = {"plain": 1.3}


@dataclass(frozen=True)
class Mode:
    """One way a game is played; decks, editions and boards are none.

    Attributes:
        game: the game.
        seats: 2 or more.
        options: match options.
        label: what it is called; empty: as the game is usually played.
    """

    game: str
    seats: int
    options: Json = field(default_factory=dict)
    label: str = ""


MODES = (
    *(Mode(game, seats) for game in PACKAGES for seats in (2, 4)),
    # For two it is always so, for three on wish, for more never.
    Mode("last-lemming", 3, {"two_lemmings": True}, "two lemmings each"),
)


@dataclass(frozen=True)
class Table:
    """One comparison.

    Attributes:
        mode: what is played.
        rival: the kind of search that sits on all other seats.
        budget: of each decision of the rival.
        ours: of each decision of ours.
    """

    mode: Mode
    rival: str
    budget: str
    ours: str


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


def measure(table: Table, matches: int, jobs: int, seed: int, file: Path | None) -> Found:
    """Play the matches of a comparison; the file keeps every deal."""
    mode, ours = table.mode, f"ismcts:{table.ours}"
    rival = RIVALS[table.rival].format(table.budget)
    bout = prepare(mode.game, [ours, rival], mode.seats, mode.options, seed)
    summary, _ = run(bout, -(-matches // mode.seats), jobs, file=file)
    score = summary.pairings[0].score if mode.seats == 2 else summary.shares[ours]
    return Found(table, summary.matches, score, (summary.milliseconds[ours], summary.milliseconds[rival]))


def report(found: Found) -> str:
    """Return what came out as a line of text."""
    table, mode, score = found.table, found.table.mode, found.score
    name = f"{mode.game}, {mode.seats} seats" + (f", {mode.label}" if mode.label else "")
    less = f", ours at {table.ours}" if table.ours != table.budget else ""
    text = f"{name}, against {table.rival} at {table.budget}{less}: {score.value:.1%}"
    text += f" ({score.low:.1%} to {score.high:.1%}) of {found.matches} matches"
    if mode.seats == 2:
        return text + f"; {verdict(score.value, FOR_TWO[table.rival])}"
    times, low, high = (part * mode.seats for part in (score.value, score.low, score.high))
    aim = FOR_FOUR.get(table.rival) if mode.seats == 4 else None
    return text + f", {times:.2f} times par ({low:.2f} to {high:.2f})" + (f"; {verdict(times, aim)}" if aim else "")


@click.command()
@options.games
@click.option("--rival", "rivals", type=click.Choice(list(RIVALS)), multiple=True, default=tuple(RIVALS), help="Against whom.")
@options.budget("100ms")
@click.option("--ours", type=options.Budget(), help="Of each move of ours, if it is another.")
@click.option("--seats", "counts", type=click.IntRange(2), multiple=True, help="Only modes for so many (all by default).")
@click.option("--matches", type=click.IntRange(1), default=200, show_default=True, help="Of each comparison, at least.")
@options.seed(1)
@options.jobs
@click.option("--json", "path", type=options.OutFile(), help="Add a line for each to this file.")
@keeping
def main(
    games: tuple[str, ...],
    rivals: tuple[str, ...],
    budget: str,
    ours: str | None,
    counts: tuple[int, ...],
    matches: int,
    seed: int,
    jobs: int,
    path: Path | None,
    file: Path | None,
) -> None:
    """Compare the search in GAMES (all by default)."""
    wanted = [mode for mode in MODES if mode.game in (games or PACKAGES) and mode.seats in (counts or (mode.seats,))]
    if not wanted:
        known = " or ".join(str(seats) for seats in sorted({mode.seats for mode in MODES if mode.game in (games or PACKAGES)}))
        raise click.UsageError(f"{', '.join(games) or 'every game'} is compared with {known} seats")
    for mode, rival in itertools.product(wanted, rivals):
        begin = time.monotonic()
        found = measure(Table(mode, rival, budget, ours or budget), matches, jobs, seed, file)
        print(f"{report(found)}; {time.monotonic() - begin:.0f} s", flush=True)
        if path is not None:
            with path.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(found)) + "\n")


if __name__ == "__main__":
    main()
