"""How matches of the search against itself end: by their game's own end, or by the guard against endless play.

`python -m benchmarks.self_play [GAME ...] [--budget 200it] [--matches 400]`.
"""

from __future__ import annotations

from collections import Counter

import click

from ai import options
from ai.arena import prepare, run
from benchmarks.timing import verdict
from engines import GAMES

#: Of each game's matches at most this part may end so.
GUARDS = {"lemminge": ("stalemate", 0.005), "valhalla": ("guard", 0.01)}


@click.command()
@options.games
@options.budget("200it")
@click.option("--matches", type=click.IntRange(1), default=400, show_default=True, help="How many for each number of seats.")
@options.jobs
def main(games: tuple[str, ...], budget: str, matches: int, jobs: int) -> None:
    """Count how matches of GAMES end (by default of those that have a guard)."""
    for name in games or GUARDS:
        game = GAMES[name]
        for seats in range(game.min_seats, game.max_seats + 1):
            bout = prepare(name, [f"ismcts:{budget}"], seats, {}, 1)
            _, played = run(bout, -(-matches // seats), jobs, quiet=True)
            ends = Counter(match.reason for match in played)
            text = ", ".join(f"{end} {count}" for end, count in ends.most_common())
            guard, most = GUARDS.get(name, ("", 1.0))
            told = f"; {guard}: {verdict(ends[guard] / len(played), most, at_least=False)}" if guard else ""
            print(f"{name}, {seats} seats, {len(played)} matches: {text}{told}", flush=True)


if __name__ == "__main__":
    main()
