"""A table for each test: a real store, two toy games, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from engines.game import Game
from service.matches import Match, Matches, SeatRequest, SetClock, Store, connect
from service.settings import Settings
from tests.toy import GAME, NONE, TAKE_BACK


def _lowest(edition: Any, state: Any, seat: int) -> int | None:
    """Return the lowest card in hand where a seat still has to choose: so the toy becomes one of reaction windows only."""
    if state.turn >= 3 or state.players[seat].chosen != NONE:
        return None
    hand = int(state.players[seat].hand)
    return (hand & -hand).bit_length() - 1


WINDOW = replace(GAME, name="window", _silence=_lowest)
GAMES: dict[str, Game] = {"toy": GAME, "window": WINDOW}


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(redis_url=redis_url)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def store(redis: Redis, settings: Settings) -> Iterator[Store]:
    with connect(settings) as client:
        yield Store(client, settings)


@pytest.fixture
def asked() -> list[tuple[str, int, int]]:
    """What workers were asked to think about."""
    return []


@pytest.fixture
def matches(store: Store, settings: Settings, clock: SetClock, asked: list[tuple[str, int, int]]) -> Iterator[Matches]:
    table = Matches(store, GAMES, settings, clock, enqueue=lambda *hint: asked.append(hint))
    yield table
    table.close()


@pytest.fixture
def running(matches: Matches) -> Match:
    """A running match of two people."""
    return two_people(matches)[0]


def two_people(matches: Matches, game: str = "toy", **options: Any) -> tuple[Match, list[str]]:
    """Return a running match of two people and their tokens."""
    first = matches.create(game, {}, [SeatRequest("me", "Ada"), SeatRequest("open")], **options)
    second = matches.take_seat(first.match.id, "Bob")
    assert first.token is not None
    assert second.token is not None
    return second.match, [first.token, second.token]


def play_first(matches: Matches, match_id: str, seat: int) -> Match:
    """Play a seat's first legal action."""
    match = matches.get(match_id)
    return matches.play(match_id, seat, [matches.position(match, seat)["legal_actions"][0]]).match


def play_out(matches: Matches, match_id: str) -> Match:
    """Play a match of people to its end."""
    match = matches.get(match_id)
    while match.status == "running":
        for seat in matches.position(match, None)["awaiting"]:
            match = play_first(matches, match_id, seat)
    return match


TAKE_IT_BACK = {"type": "take_back"}
assert GAME.action_to_json(GAME.new(2, {}, bytes(32)), TAKE_BACK) == TAKE_IT_BACK
