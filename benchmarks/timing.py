"""What the benchmarks share: medians, ratios, a quiet table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

#: A benchmark is one measurement, so that all can be taken in turn: it returns its figure.
Measure = Callable[[], float]


def rate(work: Callable[[], int]) -> float:
    """Return units of work a second of this thread's processor time, so that a busy machine does less harm."""
    start = time.thread_time()
    units = work()
    return units / max(time.thread_time() - start, 1e-9)


def medians(measures: Mapping[str, Measure], rounds: int) -> dict[str, float]:
    """Return the median of each, taken in turn round by round: whatever slows the machine down meets all alike."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: median(values) for name, values in found.items()}


def verdict(value: float, target: float, at_least: bool = True) -> str:
    """Return a target and whether it is met, as text."""
    met = value >= target if at_least else value <= target
    return f"{'at least' if at_least else 'at most'} {target:g}: {'met' if met else 'MISSED'}"
