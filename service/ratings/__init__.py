"""Ratings: how strong AIs and bots are at each game, from all rated matches.

No Flask in here. A match is rated if its creator did not say otherwise or choose the seed, it was played to an end, every
seat was an AI or a bot from the deal on, no two of them the same, nobody stood in for anybody, and no AI's thoughts failed.
People have no accounts, so they have no ratings either. `scale.py` is the arithmetic (OpenSkill), `ratings.py` what is kept.
"""

from service.ratings.ratings import Change, Rated, Ratings
from service.ratings.scale import NEW, Rating, after, identity, is_identity

__all__ = ["NEW", "Change", "Rated", "Rating", "Ratings", "after", "identity", "is_identity"]
