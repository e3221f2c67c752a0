"""`Reading`: a state of a game, and what has been asked about it already."""

from __future__ import annotations

from functools import cached_property

from engines.game import Game, Outcome
from engines.kernel import State


class Reading:
    """A state, of which everything is asked once: a call into compiled code costs as much as a hundred lines here.

    Args:
        game: the game.
        state: must not change any more.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self._legal: dict[int, list[int]] = {}

    @cached_property
    def awaiting(self) -> tuple[int, ...]:
        """The seats that must decide now, rising."""
        return self.game.awaiting(self.state)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended by the game's own rules; None while it runs."""
        return self.game.outcome(self.state)

    def legal(self, seat: int) -> list[int]:
        """Return a seat's legal actions."""
        known = self._legal.get(seat)
        if known is None:
            known = self._legal[seat] = self.game.legal(self.state, seat)
        return known
