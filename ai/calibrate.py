"""Find levels of even steps: each scores about two matches of three against the one below, with two seats.

`python -m ai.calibrate GAME`. Levels are of one family, by a strength of 0..1: more iterations, less temperature,
fewer blunders. The lowest is sought against the greedy player, to whom it must lose. What is printed goes into `ai/levels.py`;
`python -m benchmarks.ladder` then measures it over other deals.
"""

from __future__ import annotations

import math

import click

from ai.arena import prepare, run
from ai.levels import LEVELS, Level

#: What a level should score against the one below, and the lowest against the greedy player.
STEP = 0.67
AGAINST_GREEDY = 0.25
WEAKEST_ITERATIONS = 16
#: Strengths nearer to each other than this play alike.
CLOSE = 0.01


def level_at(strength: float, most: int, blunder: float) -> Level:
    """Return the level of a strength of 0..1.

    Args:
        strength: 0: the weakest of the family, 1: its strongest.
        most: the iterations of the strongest.
        blunder: the blunder rate of the weakest.
    """
    iterations = round(WEAKEST_ITERATIONS * (most / WEAKEST_ITERATIONS) ** strength)
    return Level(150, iterations, round(1 - strength, 2), round(blunder * (1 - strength) ** 2, 3))


def score(game: str, level: Level, rival: str, deals: int) -> float:
    """Return what a level scores against a rival in a duplicate match."""
    LEVELS[1] = level  # the arena names players by their number
    summary, _ = run(prepare(game, ["level:1", rival], 2, {}, 2), deals, 1, quiet=True)
    return summary.pairings[0].score.value


def seek(game: str, rival: str, wanted: float, low: float, family: tuple[int, float], deals: int, probes: int) -> float:
    """Return a strength above `low` that scores as wanted against a rival, by halving; 1 if the strongest scores less."""
    high = 1.0
    for _ in range(probes):
        middle = (low + high) / 2
        if score(game, level_at(middle, *family), rival, deals) < wanted:
            low = middle
        else:
            high = middle
        if high - low < CLOSE:
            break
    return (low + high) / 2


@click.command()
@click.argument("game")
@click.option("--most", default=4000, show_default=True, help="Iterations of the strongest level of the family.")
@click.option("--blunder", default=0.4, show_default=True, help="Blunder rate of the weakest.")
@click.option("--deals", default=25, show_default=True, help="How many for each probe.")
@click.option("--probes", default=5, show_default=True, help="How often the range is halved.")
@click.option("--levels", default=7, show_default=True, help="How many to find at the most.")
def main(game: str, most: int, blunder: float, deals: int, probes: int, levels: int) -> None:
    """Find the levels of GAME, from the lowest up."""
    family, strength = (most, blunder), 0.0
    rival, wanted = "greedy", AGAINST_GREEDY
    for number in range(1, levels + 1):
        strength = seek(game, rival, wanted, strength, family, deals, probes)
        found = level_at(strength, *family)
        click.echo(f"{game} level {number}: strength {strength:.3f}, {found}")
        if math.isclose(strength, 1, abs_tol=CLOSE):
            return
        LEVELS[2] = found
        rival, wanted = "level:2", STEP


if __name__ == "__main__":
    main()
