"""How long after a person's commit is the AI's answer visible, beyond the time it thought?

A real server, one real worker process and this process as the API: each round plays one action for a person in a match
against one AI, and waits, as a long poll does, for the version with the AI's answer. What is printed is the time from just
before the person's commit to that version being loaded here, less the milliseconds of thinking that the record shows.

    python benchmarks/answer_latency.py [--game last-lemming] [--answers 100] [--level 1]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines import PACKAGES, Registry  # noqa: E402
from service.embedded import EmbeddedServer  # noqa: E402
from service.matches import Match, Matches, SeatRequest  # noqa: E402
from service.settings import Settings  # noqa: E402

LIMIT_MS = 30.0
GAMES = Registry({**PACKAGES, "toy": "tests.toy"})


def work(url: str, game: str) -> None:
    """Be the worker process."""
    from worker.main import main

    main(Settings(redis_url=url), Registry({game: {**PACKAGES, "toy": "tests.toy"}[game]}))


def start(matches: Matches, game: str, level: int) -> Match:
    """Return a match of a person, two AIs where a game needs three seats, waiting for the person."""
    seats = [SeatRequest("me")] + [SeatRequest("ai", level=level)] * (matches.games[game].min_seats - 1)
    return matches.create(game, {}, seats).match


def until_mine(matches: Matches, match: Match) -> Match:
    """Return the match when the person is awaited and all AIs have done what they could before, or when it is over."""
    while match.status == "running":
        awaited = matches.position(match, 0)["awaiting"]
        if awaited == [0]:
            return match
        match = matches.wait(match.id, match.version, 10)
    return match


def answer(matches: Matches, match: Match) -> tuple[Match, float | None]:
    """Play one action for the person; return the match after it, and the milliseconds of the first AI answer to it."""
    action = matches.position(match, 0)["legal_actions"][0]
    begin = time.perf_counter()
    played = matches.play(match.id, 0, [action]).match
    if not matches.thinkers(played):
        return played, None
    after = matches.wait(match.id, played.version, 10)
    spent = (time.perf_counter() - begin) * 1000
    move = matches.store.events(match.id, played.version, 1)[0].moves[0]
    assert move.thought is not None, "a quick move is no answer"
    return after, spent - move.thought["milliseconds"]


def measure(url: str, game: str, answers: int, level: int) -> list[float]:
    """Return the milliseconds of so many answers."""
    matches = Matches.open(Settings(redis_url=url), GAMES)
    found: list[float] = []
    match = start(matches, game, level)
    while len(found) < answers:
        match = until_mine(matches, match)
        if match.status != "running":
            match = start(matches, game, level)
            continue
        match, spent = answer(matches, match)
        if spent is not None:
            found.append(spent)
    matches.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=next(iter(PACKAGES)))
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--work", metavar="URL", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        work(asked.work, asked.game)
        return
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        command = [sys.executable, __file__, "--work", server.url, "--game", asked.game]
        with subprocess.Popen(command) as worker:
            try:
                measure(server.url, asked.game, 10, asked.level)  # the worker starts and compiles
                found = sorted(measure(server.url, asked.game, asked.answers, asked.level))
            finally:
                worker.terminate()
    median, late = statistics.median(found), found[int(len(found) * 0.95)]
    print(f"{asked.game}: answer beyond thinking: median {median:.1f} ms, 95 % {late:.1f} ms, {len(found)} answers")
    print(f"ratio to the limit of {LIMIT_MS:.0f} ms: {median / LIMIT_MS:.2f}")


if __name__ == "__main__":
    main()
