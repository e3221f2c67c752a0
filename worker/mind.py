"""`Mind`: the AI player as workers use it."""

from __future__ import annotations

from ai import player
from ai.levels import level_of
from engines.game import Game
from engines.kernel import State
from service.matches.match import Json


class Mind:
    """Thinks with `ai.player`, a level of the table at a time."""

    def warm(self, game: Game) -> None:
        """Compile, or load from the disk cache, all that thinking about a game needs."""
        player.warm(game)

    def think(self, game: Game, redacted: State, seat: int, level: int, seed: int) -> tuple[int, Json]:
        """Return the action of a search, and what is recorded of it."""
        thought = player.think(game, redacted, seat, level=level, seed=seed)
        facts = {"iterations": thought.iterations, "milliseconds": round(thought.milliseconds, 1), "digest": thought.digest}
        return thought.action, facts

    def quick(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return the playout policy's action."""
        return player.quick(game, redacted, seat, seed)

    def budget_ms(self, level: int) -> float:
        """Return the longest a level thinks."""
        return level_of(level).milliseconds
