"""The levels of the AI, one table for every game: how long it thinks and how often it errs.

Low levels are bounded by iterations, so that they play alike on every machine; the time is then only a limit.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """How one level plays.

    Attributes:
        milliseconds: the longest it thinks about one move.
        iterations: the most iterations it makes; None: as many as the time allows.
        temperature: 0: the most visited action; t > 0: drawn with weights (visit share) ** (1 / t).
        blunder: how often it plays any legal action, 0..1.
    """

    milliseconds: float
    iterations: int | None
    temperature: float
    blunder: float


LEVELS = {
    1: Level(150, 16, 2.0, 0.35),
    2: Level(150, 40, 1.0, 0.20),
    3: Level(150, 120, 0.8, 0.12),
    4: Level(150, 400, 0.5, 0.06),
    5: Level(200, 2_000, 0.3, 0.02),
    6: Level(200, 10_000, 0.0, 0.0),
    7: Level(300, None, 0.0, 0.0),
    8: Level(950, None, 0.0, 0.0),
}


def level_of(number: int) -> Level:
    """Return a level of the table.

    Raises:
        ValueError: no such level.
    """
    if number not in LEVELS:
        raise ValueError(f"there is no level {number}; there are {min(LEVELS)} to {max(LEVELS)}")
    return LEVELS[number]
