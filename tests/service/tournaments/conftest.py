"""The table of the matches' tests, with bots."""

from __future__ import annotations

import pytest

from service.bots import Bots, attach
from service.matches import Matches
from service.tournaments import Tournaments
from tests.service.matches.conftest import asked, clock, matches, settings, store
from tests.service.matches.test_lost_answers import behind, proxy

__all__ = ["asked", "behind", "clock", "matches", "proxy", "settings", "store"]


@pytest.fixture
def bots(matches: Matches) -> Bots:
    return attach(matches)


@pytest.fixture
def tournaments(matches: Matches, bots: Bots) -> Tournaments:
    return Tournaments(matches)
