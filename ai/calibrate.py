"""Find eight levels of even steps by measuring a curve of strength, with two seats.

`python -m ai.calibrate GAME --json curve.json`. A path of players leads from the strongest by one that plays at random to one
that mostly plays what it likes least: first fewer iterations, then more temperature and blunders as well. Neighbours on it play
each other; where one wins too often to measure by, a player between them is put in. Their Elo differences, summed, are the
curve; levels are placed on it from the top down, a step apart. What is printed goes into `LEVELS` of `ai/levels.py`;
`python -m benchmarks.ladder` then measures it over other deals.

The file has every pairing as soon as it is measured: the same command goes on where it was interrupted, and `--curve` places
levels by a file without measuring.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import click

from ai import options, playouts
from ai.arena import load_game, prepare, run
from ai.contestants import PLAY_MS
from ai.levels import NUMBERS, Level, between
from ai.statistics import elo
from engines.game import GameError

#: Iterations are divided by so much from player to player, while they are at least `FEW`.
DIVISOR = 4
FEW = 50
#: Then temperature and blunder rate rise, while iterations fall to the fewest.
ERRORS = (
    (0.3, 0.02),
    (0.5, 0.05),
    (0.7, 0.1),
    (0.9, 0.17),
    (1.1, 0.26),
    (1.4, 0.38),
    (1.7, 0.52),
    (2.0, 0.7),
    (2.0, 0.85),
    (2.0, 1.0),
)
FEWEST = 16
#: At last it plays what it likes least so often, and else at random.
WORST = (0.2, 0.4, 0.6, 0.8)
#: A score above this says little about the difference: a player between the two is put in, at most so many times over.
EXTREME = 0.85
HALVINGS = 3
#: Pairings with more iterations than this get fewer deals.
MANY = 1000
#: The rival that the lowest level must lose to.
GREEDY = "greedy"
#: The curve is measured as far down as the levels need, and by so much of their range further.
SPARE = 0.1
#: The time limit of the levels 1 to 7, in ms; the iterations should take less.
LIMITS = (150, 150, 150, 150, 500, 500, 500)
#: Elo of the lowest level, here and in the ladder.
FIRST_ELO = 1000.0


# --- the path ---------------------------------------------------------------------------------------------------------


def path_of(top: int) -> list[Level]:
    """Return the players from the strongest, of so many iterations, by one that plays at random to one that mostly loses."""
    strong = [top]
    while strong[-1] // DIVISOR >= FEW:
        strong.append(strong[-1] // DIVISOR)
    weak = [
        Level(PLAY_MS, round(strong[-1] * (FEWEST / strong[-1]) ** (number / len(ERRORS))), *errors)
        for number, errors in enumerate(ERRORS, 1)
    ]
    worst = [Level(PLAY_MS, FEWEST, ERRORS[-1][0], round(1 - rate, 3), worst=rate) for rate in WORST]
    return [Level(PLAY_MS, iterations, 0.0, 0.0) for iterations in strong] + weak + worst


def mixed(a: Level, b: Level, part: float) -> Level:
    """Return what lies so far (0..1) from a to b, in numbers that can be spelled."""
    found = between(a, b, part)
    rounded = {name: round(getattr(found, name), 3) for name in ("temperature", "blunder", "worst")}
    return replace(found, **rounded)


def spelling(level: Level) -> str:
    """Return how the arena names a player of the path."""
    worst = f":{level.worst:.3f}" if level.worst else ""
    return f"play:{level.iterations}it:{level.temperature:.3f}:{level.blunder:.3f}{worst}"


# --- measuring --------------------------------------------------------------------------------------------------------


class NotMeasured(LookupError):
    """A pairing that is not in the file, and must not be measured."""


@dataclass(frozen=True)
class Settings:
    """What a measured curve depends on.

    Attributes:
        game: the game's name, or its package.
        top: iterations of the strongest player.
        deals: how many for a pairing; each is played with both rotations.
        top_deals: the most for a pairing with more than `MANY` iterations.
        seed: all chance follows from it.
    """

    game: str
    top: int
    deals: int
    top_deals: int
    seed: int


@dataclass(frozen=True)
class Duel:
    """How a player did against a rival.

    Attributes:
        player, rival: spellings.
        score: of the player, 0..1, in matches that place one better than the other, and its 95 % interval, `low` to `high`.
        matches: how many.
        milliseconds: mean thinking time of the player a decision.
    """

    player: str
    rival: str
    score: float
    low: float
    high: float
    matches: int
    milliseconds: float


def compare(settings: Settings, player: str, rival: str, deals: int, jobs: int) -> Duel:
    """Play duplicate matches and return how the player did."""
    summary, _ = run(prepare(settings.game, [player, rival], 2, {}, settings.seed), deals, jobs, quiet=True)
    score = summary.pairings[0].better
    spent = round(summary.milliseconds[player], 2)
    return Duel(player, rival, score.value, score.low, score.high, summary.matches, spent)


class Measurement:
    """The pairings of a curve, kept in a file as they are measured.

    Args:
        settings: what it is about.
        file: where the pairings are kept; what is there is not measured again. None: nowhere.
        jobs: processes to measure with; 0: do not measure.

    Raises:
        ValueError: the file has pairings of other settings.
    """

    def __init__(self, settings: Settings, file: Path | None, jobs: int) -> None:
        self.settings = settings
        self._file = file
        self._jobs = jobs
        self._duels: dict[tuple[str, str], Duel] = {}
        if file is not None and file.exists():
            kept, duels = load(file)
            if kept != settings:
                raise ValueError(f"{file} was measured with {kept}, not {settings}")
            self._duels = {(duel.player, duel.rival): duel for duel in duels}

    def duel(self, player: Level, rival: Level | str) -> Duel:
        """Return how a player does against another, measured now unless it was before.

        Raises:
            NotMeasured: it was not, and must not be now.
        """
        names = (spelling(player), rival if isinstance(rival, str) else spelling(rival))
        if names not in self._duels:
            if not self._jobs:
                raise NotMeasured(f"{names[0]} was not measured against {names[1]}")
            self._duels[names] = compare(self.settings, *names, self._deals(player, rival), self._jobs)
            self._keep()
            click.echo(_told(self._duels[names]))
        return self._duels[names]

    def _deals(self, player: Level, rival: Level | str) -> int:
        most = max(player.iterations, rival.iterations if isinstance(rival, Level) else 0)
        return min(self.settings.deals, self.settings.top_deals) if most > MANY else self.settings.deals

    def _keep(self) -> None:
        if self._file is not None:
            data = {"settings": asdict(self.settings), "pairings": [asdict(duel) for duel in self._duels.values()]}
            fresh = self._file.with_name(self._file.name + ".new")
            fresh.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
            fresh.replace(self._file)


def load(file: Path) -> tuple[Settings, list[Duel]]:
    """Return what a file of a measurement holds.

    Raises:
        ValueError: it is no such file.
    """
    try:
        data: Any = json.loads(file.read_text("utf-8"))
        return Settings(**data["settings"]), [Duel(**pairing) for pairing in data["pairings"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{file} is no curve that was measured: {error}") from error


def _told(duel: Duel) -> str:
    score = f"{duel.score:.1%} ({duel.low:.1%} to {duel.high:.1%}) in {duel.matches} matches, {elo(duel.score):+.0f} Elo"
    return f"{duel.player} against {duel.rival}: {score}; {duel.milliseconds:.2f} ms a move"


# --- the curve --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """Strength along a path.

    Attributes:
        points: players, the strongest first.
        elos: of each, beside that of the first; none is above the one before.
    """

    points: Sequence[Level]
    elos: Sequence[float]

    @property
    def range(self) -> float:
        """How many Elo points lie between its ends."""
        return self.elos[0] - self.elos[-1]

    def at(self, wanted: float) -> Level:
        """Return the player with this Elo, the one that thinks least if there are several; the last if none is so weak."""
        for (a, above), (b, below) in pairwise(zip(self.points, self.elos, strict=True)):
            if below < wanted <= above:
                return mixed(a, b, (above - wanted) / (above - below))
        return self.points[-1]


def measure(measurement: Measurement, enough: float) -> Curve:
    """Return the curve of a path, with players put in wherever neighbours are too far apart.

    Args:
        measurement: what plays, or has played.
        enough: the Elo range after which nothing weaker is measured. A curve that was measured may also end before.

    Raises:
        NotMeasured: nothing was measured, and must not be now.
    """
    path = path_of(measurement.settings.top)
    steps = [(path[0], 0.0)]
    for a, b in pairwise(path):
        if sum(lost for _, lost in steps) > enough:
            break
        try:
            steps += _steps(measurement, a, b, HALVINGS)
        except NotMeasured:
            if len(steps) == 1:
                raise
            break
    points = [level for level, _ in steps]
    return Curve(points, falling([0.0 - lost for lost in accumulate(lost for _, lost in steps)]))


def _steps(measurement: Measurement, a: Level, b: Level, halvings: int) -> list[tuple[Level, float]]:
    """Return the players after a as far as b, each with the Elo points by which it is below the one before."""
    score = measurement.duel(a, b).score
    middle = mixed(a, b, 0.5)
    if score <= EXTREME or not halvings or middle in (a, b):
        return [(b, elo(score))]
    return [step for pair in ((a, middle), (middle, b)) for step in _steps(measurement, *pair, halvings - 1)]


def falling(values: Sequence[float]) -> list[float]:
    """Return the nearest values, by their squares, of which none is above the one before."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = value, 1
        while pools and pools[-1][0] < mean:
            before, n = pools.pop()
            mean, count = (before * n + mean * count) / (n + count), n + count
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]


# --- the levels -------------------------------------------------------------------------------------------------------


def placed(curve: Curve, step: float, top_ms: float) -> list[Level]:
    """Return levels 1 to 8, each a step in Elo above the one below; 8 is the first of the curve."""
    wanted = [curve.elos[0] - step * (NUMBERS[-1] - number) for number in NUMBERS[:-1]]
    found = [curve.at(value) for value in wanted] + [curve.points[0]]
    return [replace(level, milliseconds=limit) for level, limit in zip(found, (*LIMITS, top_ms), strict=True)]


def rows(game: str, levels: Sequence[Level], step: float) -> str:
    """Return levels as they are written in `ai/levels.py`, with the Elo they should have; the lowest has 1000."""
    lines = [
        f"        Level({level.milliseconds:g}, {level.iterations:_}, {level.temperature}, {level.blunder}"
        f"{f', worst={level.worst}' if level.worst else ''}),  # Elo {FIRST_ELO + step * above:.0f}"
        for above, level in enumerate(levels)
    ]
    return "\n".join([f'    "{game}": (', *lines, "    ),"])


def tell_greedy(measurement: Measurement, lowest: Level) -> None:
    """Print what the greedy player scores against the lowest level."""
    try:
        score = 1 - measurement.duel(replace(lowest, milliseconds=PLAY_MS), GREEDY).score
        verdict = "" if score > 0.5 else ": level 1 is too strong"
        click.echo(f"{GREEDY} scores {score:.1%} against level 1{verdict}")
    except NotMeasured as error:
        click.echo(str(error))


# --- the command ------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("game")
@click.option("--top", type=click.IntRange(200), default=4000, show_default=True, help="Iterations of level 8.")
@click.option(
    "--milliseconds", type=click.IntRange(1, 999), default=950, show_default=True, help="Level 8's time limit; not measured by."
)
@click.option("--step", type=click.FloatRange(1), default=120.0, show_default=True, help="Elo from level to level.")
@click.option("--deals", type=click.IntRange(1), default=100, show_default=True, help="For each pairing, in both rotations.")
@click.option(
    "--top-deals", type=click.IntRange(1), default=50, show_default=True, help=f"The most, with over {MANY} iterations."
)
@options.seed(3)
@options.jobs
@click.option("--json", "kept", type=options.OutFile(), help="Keep pairings in this file, and go on from it.")
@click.option(
    "--curve", "known", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Measure nothing: use this file."
)
def main(
    game: str,
    top: int,
    milliseconds: int,
    step: float,
    deals: int,
    top_deals: int,
    seed: int,
    jobs: int,
    kept: Path | None,
    known: Path | None,
) -> None:
    """Find the levels of GAME. With --curve, --top, --deals, --top-deals and --seed are those of the file."""
    try:
        settings = load(known)[0] if known else Settings(game, top, deals, top_deals, seed)
        measurement = Measurement(settings, known or kept, 0 if known else jobs)
        if settings.game != game:
            raise ValueError(f"{known} is a curve of {settings.game}")
        load_game(game)
        curve = measure(measurement, (1 + SPARE) * step * (len(NUMBERS) - 1))
    except (GameError, ValueError, NotMeasured) as error:
        raise click.UsageError(str(error)) from error
    for level, value in zip(curve.points, curve.elos, strict=True):
        click.echo(f"{value:+7.0f} Elo  {spelling(level)}")
    if not curve.range:
        raise click.ClickException("the strongest does no better than chance: play more deals")
    if curve.range < step * (len(NUMBERS) - 1):
        step = curve.range / (len(NUMBERS) - 1)
        click.echo(f"the curve has only {curve.range:.0f} Elo: levels are {step:.0f} apart")
    levels = placed(curve, step, milliseconds)
    if GREEDY in playouts.find(load_game(game)).players:
        tell_greedy(measurement, levels[0])
    click.echo(rows(load_game(game).name, levels, step))


if __name__ == "__main__":
    main()
