"""The table of the matches' tests, also behind a proxy that loses answers."""

from tests.service.matches.conftest import asked, clock, matches, settings, store
from tests.service.matches.test_lost_answers import behind, proxy

__all__ = ["asked", "behind", "clock", "matches", "proxy", "settings", "store"]
