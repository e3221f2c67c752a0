"""Workers on a real store, with a clock that the test moves and AIs that do what the test needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from engines.game import Game
from engines.kernel import State
from service.matches import Matches, SetClock, Store, connect
from service.matches.advice import Ranked
from service.matches.match import Json
from service.settings import Settings
from tests.service.matches.conftest import GAMES
from worker.jobs import Desk
from worker.sweeper import Sweeper

Hint = tuple[str, int, int]


class Puppet:
    """An AI that plays its first legal action, and fails, or takes its time, as it is told."""

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.fails = False
        self.quick_fails = False
        self.warmed: list[str] = []
        self.seen: list[State] = []
        self.studied: list[tuple[int, int, int]] = []

    def warm(self, game: Game) -> None:
        self.warmed.append(game.name)

    def think(self, game: Game, redacted: State, seat: int, level: int, seed: int) -> tuple[int, Json]:
        self.seen.append(redacted)
        if self.fails:
            raise RuntimeError("no idea")
        legal = game.legal(redacted, seat)
        if len(legal) > 1:  # as a search does: nothing to think about, no time spent
            self.clock.move(0.1)
        return legal[0], {"iterations": 16, "milliseconds": 100.0, "digest": "d" * 64, "result": "e" * 64}

    def search(self, game: Game, redacted: State, seat: int, milliseconds: float, seed: int) -> tuple[list[Ranked], Json]:
        self.seen.append(redacted)
        if self.fails:
            raise RuntimeError("no idea")
        legal = game.legal(redacted, seat)
        share = 1 / len(legal)
        facts = {"iterations": 16, "milliseconds": milliseconds, "digest": "d" * 64, "result": "e" * 64}
        return [Ranked(action, share, 0.5 if len(legal) > 1 else None) for action in legal], facts

    def study(self, game: Game, redacted: State, seat: int, iterations: int, seed: int) -> tuple[list[Ranked], Json]:
        """Prefer the last legal action, and think the less of the others the lower they are."""
        self.seen.append(redacted)
        self.studied.append((seat, iterations, seed))
        if self.fails:
            raise RuntimeError("no idea")
        self.clock.move(0.5)
        legal = game.legal(redacted, seat)[::-1]
        facts = {"iterations": iterations, "milliseconds": 1.0, "digest": "d" * 64, "result": "e" * 64}
        return [Ranked(action, 1 / len(legal), 0.75 - 0.25 * n) for n, action in enumerate(legal)], facts

    def quick(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        if self.quick_fails:
            raise RuntimeError("not even that")
        return game.legal(redacted, seat)[-1]

    def budget_ms(self, game: Game, level: int) -> float:
        return 150.0


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def puppet(clock: SetClock) -> Puppet:
    return Puppet(clock)


@pytest.fixture
def asked() -> list[Hint]:
    """What workers were asked to think about and nobody has done yet."""
    return []


@pytest.fixture
def desk(redis: Redis, redis_url: str, clock: SetClock, puppet: Puppet, asked: list[Hint]) -> Iterator[Desk]:
    settings = Settings(redis_url=redis_url)
    with connect(settings) as client:
        table = Matches(Store(client, settings), GAMES, settings, clock, enqueue=lambda *hint: asked.append(hint))
        yield Desk(table, puppet)
        table.close()


@pytest.fixture
def sweeper(desk: Desk) -> Sweeper:
    return Sweeper(desk)


def work_off(desk: Desk, asked: list[Any]) -> None:
    """Do all that was asked, and what that leads to."""
    while asked:
        desk.think(*asked.pop(0))
