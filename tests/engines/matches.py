"""Random matches for tests: reproducible, of any game, and their digests (also as a command, for other numba modes).

`python -m tests.engines.matches <game>` prints a digest of every state of one match a variant.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from engines.game import Game, Json, chance_key
from engines.kernel import State
from engines.records import Record

MATCH = "conformance"


@dataclass(frozen=True)
class Step:
    """A state, and the action that led from it to the next (None at the end)."""

    state: State
    seat: int | None
    action: int | None


def seed_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def variants(game: Game) -> list[tuple[int, Json]]:
    return game.variants(game.editions[game.options_schema["properties"]["edition"]["default"]])


def random_match(game: Game, seats: int, options: Json, seed: str) -> Iterator[Step]:
    """Play one random match to the end; any awaited seat may act, and seats that may take back sometimes do."""
    chooser = random.Random(seed)
    secret = seed_of(seed)
    state = game.new(seats, options, secret, MATCH)
    number = 0
    while awaited := game.awaiting(state):
        seat = chooser.choice(awaited)
        if len(awaited) < seats and chooser.random() < 0.05:
            free = [s for s in range(seats) if s not in awaited and game.legal(state, s)]
            seat = chooser.choice(free) if free else seat
        action = chooser.choice(game.legal(state, seat))
        yield Step(state, seat, action)
        number += 1
        state = game.play(state, seat, action, chance_key(secret, MATCH, number))
    yield Step(state, None, None)


def record_of(game: Game, seats: int, options: Json, seed: str, steps: list[Step]) -> Record:
    actions = tuple((s.seat, game.action_to_json(s.state, s.action)) for s in steps if s.seat is not None)
    edition = game.edition_of(steps[0].state)
    return Record(game.name, edition.digest, game.complete_options(seats, options), seats, MATCH, seed_of(seed), actions)


def digest(game: Game, state: State) -> str:
    return hashlib.sha256(game.dump(state)).hexdigest()[:16]


def digests(game: Game, matches: int) -> list[str]:
    """One digest over all states, redactions, imagined worlds and payoffs of a match; for up to `matches` variants."""
    found = []
    every = variants(game)
    for index in sorted({i * len(every) // matches for i in range(matches)}):
        seats, options = every[index]
        total = hashlib.sha256(json.dumps([seats, options]).encode())
        for n, step in enumerate(random_match(game, seats, options, f"digest {index}")):
            total.update(game.dump(step.state))
            if n % 4 == 0:
                seat = n // 4 % seats
                known = game.redact(step.state, seat)
                total.update(game.dump(known))
                total.update(game.dump(game.imagine(known, seat, n)))
                total.update(repr([round(p, 9) for p in game.payoffs(step.state)]).encode())
        found.append(total.hexdigest())
    return found


if __name__ == "__main__":
    from tests.engines.conftest import REGISTRY

    print("\n".join(digests(REGISTRY[sys.argv[1]], int(sys.argv[2]))))
