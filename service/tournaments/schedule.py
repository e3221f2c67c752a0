"""`Schedule`: which match of a tournament is which, from its number alone; pure arithmetic.

Every round, every combination of as many entrants as there are seats plays once, or, with duplicate deals, once in every
rotation of the seats with the same cards: then luck is the same for everybody and cancels out.

    number = (round * combinations + combination) * rotations + rotation
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations


@dataclass(frozen=True)
class Pairing:
    """One match.

    Attributes:
        number: from 0.
        round: from 0.
        deal: matches with the same number have the same cards.
        seating: which entrant sits in each seat.
    """

    number: int
    round: int
    deal: int
    seating: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """All matches.

    Attributes:
        entrants, seats, rounds: how many.
        duplicate: whether each deal is played in every rotation of the seats.
    """

    entrants: int
    seats: int
    rounds: int
    duplicate: bool

    @property
    def total(self) -> int:
        """How many matches there are."""
        return self.rounds * math.comb(self.entrants, self.seats) * self._rotations

    @property
    def _rotations(self) -> int:
        return self.seats if self.duplicate else 1

    def pairing(self, number: int) -> Pairing:
        """Return a match; without duplicate deals the seats rotate from round to round and from combination to combination."""
        deal, rotation = divmod(number, self._rotations)
        which, combination = divmod(deal, math.comb(self.entrants, self.seats))
        chosen = _combinations(self.entrants, self.seats)[combination]
        turned = rotation if self.duplicate else (which + combination) % self.seats
        return Pairing(number, which, deal, chosen[turned:] + chosen[:turned])


@lru_cache(maxsize=64)
def _combinations(entrants: int, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(range(entrants), seats))
