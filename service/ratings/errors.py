"""What can go wrong with ratings."""

from __future__ import annotations

from service.matches.errors import MatchError


class RatingNotFound(MatchError):
    """The entrant has no rating at this game."""

    code = "rating_not_found"
