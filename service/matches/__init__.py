"""Matches in Redis: creating, joining, playing, showing and following them.

No Flask in here, no HTTP numbers, and no game by name. `Store` is the only writer of a match; `Matches` is the only
way to it for the API and the workers, and `Matches.position` the only place that builds what a viewer is shown.
"""

from service.matches.clock import Clock, SetClock
from service.matches.errors import MatchError
from service.matches.events import Entry, Move
from service.matches.match import Match, Seat, Turn, is_id
from service.matches.notices import Notice
from service.matches.requests import Request
from service.matches.results import Created, Played
from service.matches.seats import SeatRequest
from service.matches.store import Due, Lease, Store, connect
from service.matches.table import Matches

__all__ = [
    "Clock",
    "Created",
    "Due",
    "Entry",
    "Lease",
    "Match",
    "MatchError",
    "Matches",
    "Move",
    "Notice",
    "Played",
    "Request",
    "Seat",
    "SeatRequest",
    "SetClock",
    "Store",
    "Turn",
    "connect",
    "is_id",
]
