"""Bug: a player's action of which nobody is told anything, such as a secret choice, was answered as played and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from service.matches import Matches, SetClock, Store
from service.settings import Settings
from tests.service.matches.conftest import GAMES, play_first, two_people
from tests.toy import GAME

SILENT = replace(GAME, name="silent", _events=lambda edition, state: [])


@pytest.fixture
def matches(store: Store, settings: Settings, clock: SetClock) -> Iterator[Matches]:
    table = Matches(store, {**GAMES, "silent": SILENT}, settings, clock)
    yield table
    table.close()


def test_an_action_without_an_event_is_played(matches: Matches) -> None:
    match, _ = two_people(matches, "silent")
    after = play_first(matches, match.id, 0)
    assert (after.version, after.played) == (match.version + 1, 1)
    assert matches.position(matches.get(match.id), None)["awaiting"] == [1]
    assert matches.events(match.id, None, match.version)[0]["events"] == []
