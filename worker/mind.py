"""`Mind`: the AI player as workers use it."""

from __future__ import annotations

from ai import player
from ai.levels import level_of
from engines.game import Game
from engines.kernel import State
from service.matches.advice import Ranked
from service.matches.match import Json


class Mind:
    """Thinks with `ai.player`, a level of the game's at a time."""

    def warm(self, game: Game) -> None:
        """Compile, or load from the disk cache, all that thinking about a game needs."""
        player.warm(game)

    def think(self, game: Game, redacted: State, seat: int, level: float, seed: int) -> tuple[int, Json]:
        """Return the action of a search, and what is recorded of it."""
        thought = player.think(game, redacted, seat, level=level, seed=seed)
        return thought.action, _facts(thought)

    def search(self, game: Game, redacted: State, seat: int, milliseconds: float, seed: int) -> tuple[list[Ranked], Json]:
        """Return every action the search tried, the best first, and what is needed to search again."""
        thought = player.think(game, redacted, seat, milliseconds=milliseconds, seed=seed)
        return [Ranked(choice.action, choice.share, choice.payoff) for choice in thought.choices], _facts(thought)

    def study(self, game: Game, redacted: State, seat: int, iterations: int, seed: int) -> tuple[list[Ranked], Json]:
        """Return the same as `search` after exactly so many iterations: what it finds depends on nothing else."""
        thought = player.think(game, redacted, seat, iterations=iterations, seed=seed)
        return [Ranked(choice.action, choice.share, choice.payoff) for choice in thought.choices], _facts(thought)

    def quick(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return the playout policy's action."""
        return player.quick(game, redacted, seat, seed)

    def budget_ms(self, game: Game, level: float) -> float:
        """Return the longest a level of a game thinks."""
        return level_of(game.name, level).milliseconds


def _facts(thought: player.Thought) -> Json:
    return {
        "iterations": thought.iterations,
        "milliseconds": round(thought.milliseconds, 1),
        "digest": thought.digest,
        "result": thought.result,
    }
