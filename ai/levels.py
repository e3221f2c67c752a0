"""The levels of the AI, a set for every game: how long each thinks and how often it errs, and how strong it is.

Levels are bounded by iterations, so that they play alike on every machine; the time is then only a limit. Between two levels
lie others, by their fraction: level 3.25 is a quarter of the way from 3 to 4. An Elo rating is answered by such a level.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

#: Measured by `python -m benchmarks.ladder`: game -> seats -> level -> [Elo, low, high] (95 %).
LADDER_FILE = Path(__file__).with_name("ladder.json")


@dataclass(frozen=True)
class Level:
    """How one level plays.

    Attributes:
        milliseconds: the longest it thinks about one move.
        iterations: the most iterations it makes.
        temperature: 0: the most visited action; t > 0: drawn with weights (visit share) ** (1 / t).
        blunder: how often it plays any legal action, 0..1.
        inference: whether it learns from what the others did, in games whose playout file can.
        worst: how often it plays the action that it likes least, 0..1: in games of much luck a random player wins too often to
            leave room for eight levels.
    """

    milliseconds: float
    iterations: int
    temperature: float
    blunder: float
    inference: bool = False
    worst: float = 0.0


#: The levels there are, of every game.
NUMBERS = range(1, 9)

#: The levels of a game that has no set of its own, 1 to 8.
DEFAULT = (
    Level(150, 16, 2.0, 0.35),
    Level(150, 40, 1.0, 0.20),
    Level(150, 120, 0.8, 0.12),
    Level(150, 400, 0.5, 0.06),
    Level(200, 2_000, 0.3, 0.02),
    Level(200, 10_000, 0.0, 0.0),
    Level(300, 40_000, 0.0, 0.0),
    Level(950, 200_000, 0.0, 0.0),
)

#: Game -> its levels 1 to 8, found by `python -m ai.calibrate`.
LEVELS: dict[str, tuple[Level, ...]] = {
    "last-lemming": (
        Level(150, 16, 2.0, 0.4, worst=0.6),
        Level(150, 16, 2.0, 0.86, worst=0.14),
        Level(150, 29, 1.342, 0.357),
        Level(150, 40, 0.75, 0.12),
        Level(500, 49, 0.453, 0.045),
        Level(500, 63, 0.137, 0.012),
        Level(500, 245, 0.0, 0.0),
        Level(950, 4_000, 0.0, 0.0),
    ),
    "lemminge": (
        Level(150, 66, 0.709, 0.103),
        Level(150, 74, 0.612, 0.078),
        Level(150, 81, 0.527, 0.057),
        Level(150, 90, 0.418, 0.038),
        Level(500, 102, 0.296, 0.02),
        Level(500, 116, 0.115, 0.008),
        Level(500, 321, 0.0, 0.0),
        Level(950, 2_000, 0.0, 0.0),
    ),
    "lemmings": (
        Level(150, 16, 2.0, 0.75, worst=0.25),
        Level(150, 28, 1.77, 0.61),
        Level(150, 50, 1.22, 0.306),
        Level(150, 76, 0.83, 0.15),
        Level(500, 107, 0.55, 0.068),
        Level(500, 133, 0.373, 0.032),
        Level(500, 200, 0.0, 0.0),
        Level(950, 3_000, 0.0, 0.0),
    ),
    "valhalla": (
        Level(150, 42, 1.002, 0.222),
        Level(150, 53, 0.731, 0.117),
        Level(150, 66, 0.483, 0.054),
        Level(150, 101, 0.248, 0.02),
        Level(500, 185, 0.02, 0.002),
        Level(500, 600, 0.0, 0.0),
        Level(500, 1_750, 0.0, 0.0),
        Level(950, 6_000, 0.0, 0.0),
    ),
}


def levels_of(game: str) -> Mapping[int, Level]:
    """Return the levels of a game by their numbers."""
    return dict(zip(NUMBERS, LEVELS.get(game, DEFAULT), strict=True))


def check_number(number: float) -> None:
    """Make sure that there is such a level, a whole one or one between two.

    Raises:
        ValueError: there is none.
    """
    if not NUMBERS[0] <= number <= NUMBERS[-1]:
        raise ValueError(f"there is no level {number:g}; there are {NUMBERS[0]} to {NUMBERS[-1]}")


def level_of(game: str, number: float) -> Level:
    """Return a level of a game, or one between two of them.

    Raises:
        ValueError: no such level.
    """
    check_number(number)
    levels, floor = levels_of(game), math.floor(number)
    part = number - floor
    return between(levels[floor], levels[floor + 1], part) if part else levels[floor]


def between(a: Level, b: Level, part: float) -> Level:
    """Return what lies so far (0..1) from a to b: iterations on a logarithmic scale, all else on a linear one."""

    def mixed(x: float, y: float) -> float:
        return x + (y - x) * part

    return Level(
        mixed(a.milliseconds, b.milliseconds),
        round(a.iterations ** (1 - part) * b.iterations**part),
        mixed(a.temperature, b.temperature),
        mixed(a.blunder, b.blunder),
        b.inference if part >= 0.5 else a.inference,
        mixed(a.worst, b.worst),
    )


# --- how strong they are ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rating:
    """A measured Elo rating with its 95 % interval."""

    elo: float
    low: float
    high: float


@cache
def _ladder() -> Any:
    return json.loads(LADDER_FILE.read_text("utf-8"))


def measured(game: str) -> Mapping[str, Mapping[int, Rating]]:
    """Return the ratings of a game's levels, by the numbers of seats (as text) they were measured with."""
    return {
        seats: {int(level): Rating(*values) for level, values in levels.items()}
        for seats, levels in _ladder().get(game, {}).items()
    }


def ratings(game: str, seats: int) -> Mapping[int, Rating]:
    """Return the ratings of the levels that were measured, at the number of seats nearest to the one given.

    Args:
        game: the game's name; one that was not measured has no ratings.
        seats: how many play.
    """
    found = measured(game)
    if not found:
        return {}
    return found[min(found, key=lambda count: (abs(int(count) - seats), int(count)))]


def level_for(game: str, seats: int, elo: float) -> float:
    """Return the level, in hundredths, that plays at an Elo rating; of levels found equal the highest.

    Raises:
        ValueError: no level is so weak or so strong, with the range there is; or the game was not measured.
    """
    known = ratings(game, seats)
    if not known:
        raise ValueError(f"the levels of {game} have no ratings; choose a level, {NUMBERS[0]} to {NUMBERS[-1]}")
    low, high = min(rating.elo for rating in known.values()), max(rating.elo for rating in known.values())
    if not low <= elo <= high:
        raise ValueError(f"no AI of {game} has Elo {elo:g}; with {seats} seats there are {low:.0f} to {high:.0f}")
    levels = sorted(known)
    for below, above in reversed([*pairwise(levels)]):
        a, b = known[below].elo, known[above].elo
        if a <= elo <= b:
            return round(below + ((elo - a) / (b - a) if b > a else 1.0) * (above - below), 2)
    return float(levels[-1])
