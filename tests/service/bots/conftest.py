"""A table with bots: a real store, the toy game, a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.bots import Bot, BotGuests, Bots, attach
from service.matches import Matches, SetClock, Store
from service.settings import Settings
from tests.service.matches.conftest import GAMES, asked, clock, settings, store

__all__ = ["asked", "clock", "settings", "store"]


@pytest.fixture
def posted() -> list[str]:
    """The bots whose webhooks workers were asked to look at."""
    return []


@pytest.fixture
def matches(
    store: Store, settings: Settings, clock: SetClock, asked: list[tuple[str, int, int]], posted: list[str]
) -> Iterator[Matches]:
    table = Matches(store, GAMES, settings, clock, enqueue=lambda *hint: asked.append(hint))
    attach(table, post=posted.append)
    yield table
    table.close()


@pytest.fixture
def guests(matches: Matches) -> BotGuests:
    assert isinstance(matches.guests, BotGuests)
    return matches.guests


@pytest.fixture
def bots(guests: BotGuests) -> Bots:
    return guests.bots


@pytest.fixture
def tortoise(bots: Bots) -> Bot:
    return bots.register("tortoise", ["toy"])[0]


@pytest.fixture
def hare(bots: Bots) -> Bot:
    return bots.register("hare", ["toy"])[0]


def events(guests: BotGuests, name: str, after: int = 0) -> list[str]:
    """Return what stands in a bot's log, in short."""
    return [f"{told.notice.event} {told.notice.version}" for told in guests.inbox.read(name, after, 1000)]
