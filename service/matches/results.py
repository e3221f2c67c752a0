"""What creating, joining and playing answer."""

from __future__ import annotations

from dataclasses import dataclass

from service.matches.match import Json, Match


@dataclass(frozen=True)
class Created:
    """A match and the seat its asker got in it.

    Attributes:
        match: as it is now.
        seat, token: the seat and what opens it; None for a match created without a seat of the creator's.
        repeated: the request had been granted before.
    """

    match: Match
    seat: int | None = None
    token: str | None = None
    repeated: bool = False


@dataclass(frozen=True)
class Played:
    """What came of a played sequence.

    Attributes:
        match: the match after it.
        version: the version it made (of a dry run: the present one).
        repeated: the request had been granted before.
        answer: the asker's `position` just after it; of a dry run None. A repeated request gets the very same again
            while it is the seat's latest, later the present position.
    """

    match: Match
    version: int
    repeated: bool = False
    answer: Json | None = None
