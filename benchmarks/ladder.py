"""How strong the levels are: each against the one below, every deal with every rotation of seats, and Elo from that.

`python -m benchmarks.ladder [GAME ...] [--seats 2 --seats 4] [--deals 50] [--top-deals 25] [--write]`. With more than two seats
the two levels take turns around the table. Only matches count that place one better than the other: in Lemmings two weak
players often both lose. The lowest level has Elo 1000; an interval of a sum of differences is theirs added in squares. A level
that scored less than half against the one below is given its Elo: more thought does not play worse, and the score is noise.
`--write` keeps a game's levels at a number of seats as soon as all of them are measured: until then, and if it is interrupted,
the file has what it had.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ai import options
from ai.arena import Pairing, prepare, run
from ai.calibrate import FIRST_ELO, GREEDY, MANY
from ai.kept import keeping
from ai.levels import LADDER_FILE, NUMBERS, levels_of
from ai.statistics import elo as elo_of
from engines import GAMES, PACKAGES


@dataclass(frozen=True)
class Rung:
    """A level as measured at a number of seats.

    Attributes:
        pairing: against the level below; the lowest: against the greedy player.
        matches: how many.
        rating: Elo, low, high.
    """

    pairing: Pairing
    matches: int
    rating: list[float]


@dataclass(frozen=True)
class Plan:
    """How much is played: deals for a pairing, deals for one with many iterations, processes, a file to keep every deal in."""

    deals: int
    top_deals: int
    jobs: int
    file: Path | None = None


def compare(
    game: str, seats: int, player: str, rival: str, deals: int, jobs: int, file: Path | None = None
) -> tuple[Pairing, int]:
    """Return how one player does against another at a table of both, and in how many matches."""
    players = [player if seat % 2 == 0 else rival for seat in range(seats)]
    summary, _ = run(prepare(game, players, seats, {}, 1), deals, jobs, file=file)
    return summary.pairings[0], summary.matches


def climb(game: str, seats: int, levels: Sequence[int], plan: Plan) -> dict[int, Rung]:
    """Print every level's score against the one below, and return what was measured."""
    print(f"{game}, {seats} seats", flush=True)
    elo, low, high = FIRST_ELO, 0.0, 0.0
    found: dict[int, Rung] = {}
    for level, rival in zip(levels, [GREEDY, *(f"level:{below}" for below in levels)], strict=False):
        many = levels_of(game)[level].iterations > MANY
        deals = plan.top_deals if many else plan.deals
        pairing, matches = compare(game, seats, f"level:{level}", rival, deals, plan.jobs, plan.file)
        if rival != GREEDY:
            gap = pairing.better.map(elo_of)
            elo += max(gap.value, 0.0)
            low = math.hypot(low, gap.value - gap.low)
            high = math.hypot(high, gap.high - gap.value)
        found[level] = Rung(pairing, matches, [round(elo), round(elo - low), round(elo + high)])
        print(
            f"  level {level}: {_percent(pairing)} against {rival} in {matches} matches; Elo {_elo(found[level])}", flush=True
        )
    return found


def _percent(pairing: Pairing) -> str:
    score = pairing.better
    return f"{100 * score.value:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f})"


def _elo(rung: Rung) -> str:
    elo, low, high = rung.rating
    return f"{elo} ({low} to {high})"


def table(game: str, found: dict[int, dict[int, Rung]]) -> str:
    """Return what was measured of a game as Markdown: a row a level, two columns for each number of seats."""
    heads = "".join(f" {seats} seats: against the one below | Elo (95 %) |" for seats in found)
    lines = [f"| level | budget |{heads}", "|---|---|" + "---|---|" * len(found)]
    for number in next(iter(found.values())):
        cells = "".join(f" {_cell(rungs[number], number)} | {_elo(rungs[number])} |" for rungs in found.values())
        lines.append(f"| {number} | {_budget(game, number)} |{cells}")
    return "\n".join(lines)


def _cell(rung: Rung, number: int) -> str:
    rival = "" if rung.pairing.rival == f"level:{number - 1}" else f" against {rung.pairing.rival}"
    return f"{_percent(rung.pairing)} of {rung.matches}{rival}"


def _budget(game: str, number: int) -> str:
    level = levels_of(game)[number]
    errs = f", temperature {level.temperature:g}, blunders {100 * level.blunder:g} %" if level.temperature else ""
    worst = f", its worst {100 * level.worst:g} %" if level.worst else ""
    return f"{level.iterations:,} iterations, at most {level.milliseconds:g} ms{errs}{worst}"


def write(game: str, seats: int, found: dict[int, Rung]) -> None:
    """Put a game's measured levels in place of those in the file, which others may have written to meanwhile."""
    ladder = json.loads(LADDER_FILE.read_text("utf-8"))
    ladder.setdefault(game, {})[str(seats)] = {str(level): rung.rating for level, rung in found.items()}
    fresh = LADDER_FILE.with_suffix(".new")
    fresh.write_text(json.dumps(ladder, indent=1) + "\n", "utf-8")
    fresh.replace(LADDER_FILE)


@click.command()
@options.games
@click.option(
    "--seats", "tables", type=click.IntRange(2), multiple=True, default=(2, 4), show_default=True, help="How many play."
)
@click.option("--deals", type=click.IntRange(1), default=50, show_default=True, help="How many for each pair of levels.")
@click.option(
    "--top-deals", type=click.IntRange(1), show_default="as --deals", help=f"How many where a level has over {MANY} iterations."
)
@click.option(
    "--top", type=click.IntRange(1, NUMBERS[-1]), default=NUMBERS[-1], show_default=True, help="The highest level to measure."
)
@options.jobs
@click.option(
    "--write", "keep", is_flag=True, help=f"Write what was found to {LADDER_FILE.name}, which the service answers from."
)
@keeping
def main(
    games: tuple[str, ...],
    tables: tuple[int, ...],
    deals: int,
    top_deals: int | None,
    top: int,
    jobs: int,
    keep: bool,
    file: Path | None,
) -> None:
    """Measure the levels in GAMES (all by default)."""
    if keep and top < NUMBERS[-1]:
        raise click.UsageError("--write needs all levels: leave --top away")
    plan = Plan(deals, top_deals or deals, jobs, file)
    for name in games or PACKAGES:
        found: dict[int, dict[int, Rung]] = {}
        for seats in tables:
            if GAMES[name].min_seats <= seats <= GAMES[name].max_seats:
                found[seats] = climb(name, seats, NUMBERS[:top], plan)
                if keep:
                    write(name, seats, found[seats])
        if found:
            print(f"\n{name}; of how many matches, and 95 % intervals\n\n{table(name, found)}\n", flush=True)


if __name__ == "__main__":
    main()
