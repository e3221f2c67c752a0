"""Tournaments: every combination of entrants plays, so and so many rounds, and a table says who is how good.

No Flask in here. `schedule.py` says which match is which, from its number alone; `store.py` keeps what has been played;
`tournaments.py` makes the matches and takes up their results. The matches are ordinary ones, played by the workers. Whoever
advances a tournament may be killed at any moment: a match's id comes from its number, so it is made once, and its result is
taken up once.
"""

from service.tournaments.tournament import Entrant, Standing, Tournament
from service.tournaments.tournaments import Listed, Tournaments

__all__ = ["Entrant", "Listed", "Standing", "Tournament", "Tournaments"]
