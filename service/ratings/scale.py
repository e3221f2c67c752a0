"""The scale: OpenSkill's Plackett-Luce model (Joshy 2024; Weng & Lin 2011), each entrant a team of one.

A rating is a normal distribution over a strength that nobody knows: `mu` is its mean, `sigma` its standard deviation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from service.matches import Seat
from service.matches.match import Json

#: Half of the 95 % interval of a normal distribution, in standard deviations.
INTERVAL = 1.96
#: A rating's place in lists is that of the strength that the entrant almost certainly has.
CAUTION = 3.0

_MODEL = PlackettLuce()
_IDENTITY = re.compile(r"(ai:[1-9][0-9]?|bot:[a-z][a-z0-9-]{1,30}[a-z0-9])")


@dataclass(frozen=True)
class Rating:
    """What is known of an entrant's strength.

    Attributes:
        mu, sigma: see above; a new entrant has 25 and 25/3.
        matches: how many rated matches it comes from.
    """

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    matches: int = 0

    @property
    def cautious(self) -> float:
        """The strength it is ranked by: `mu - 3 sigma`."""
        return self.mu - CAUTION * self.sigma

    def to_json(self) -> Json:
        """Return the rating with its 95 % interval."""
        half = INTERVAL * self.sigma
        interval = [round(self.mu - half, 4), round(self.mu + half, 4)]
        return {"mu": round(self.mu, 4), "sigma": round(self.sigma, 4), "interval": interval, "matches": self.matches}


NEW = Rating()


def after(before: Sequence[Rating], ranking: Sequence[int]) -> list[Rating]:
    """Return the ratings of a match's entrants after it.

    Args:
        before: in order of seats.
        ranking: the place of each seat, 1 the best; equal places are a tie.
    """
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in ranking])
    return [Rating(team[0].mu, team[0].sigma, old.matches + 1) for team, old in zip(rated, before, strict=True)]


def identity(seat: Seat) -> str | None:
    """Return under which name a seat's player is rated: `ai:3`, `bot:tortoise`; None: people and AIs by Elo are not."""
    if seat.kind == "ai":
        return f"ai:{seat.level}" if seat.elo is None else None
    return f"bot:{seat.bot}" if seat.kind == "bot" else None


def is_identity(text: str) -> bool:
    """Return whether a text can be such a name; they become keys, so nothing else may pass."""
    return _IDENTITY.fullmatch(text) is not None
