"""OpenSpiel's search playing our games through the adapter: what a researcher would have without ours, as arena players.

`python -m ai.arena last-lemming ismcts:1000ms benchmarks/openspiel_rival.py:Second --deals 20`; `Tenth` thinks 100 ms. It is
`open_spiel.python.algorithms.ismcts`, for its compiled bot cannot resample games written in Python: random playouts to the end
(one a simulation), UCT with the constant 1.4 for payoffs of 0..1, the most visited action. Needs the extra `research`.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from ai.adapters import openspiel
from engines.game import Game
from engines.kernel import State

#: The constant before the square root of UCT.
EXPLORATION = 1.4


class TimedBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot, with a time in place of a number of simulations.

    Attributes:
        simulations: how many it has made, in all its searches.
    """

    def __init__(self, game: Any, milliseconds: float, seed: int) -> None:
        chance = np.random.RandomState(seed % 2**32)
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        super().__init__(game, evaluator, EXPLORATION, 1, random_state=chance, allow_inconsistent_action_sets=True)
        self.seconds = milliseconds / 1000
        self.simulations = 0

    def run_search(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions with their probabilities: the same steps as in the class below, until the time is up."""
        deadline = time.perf_counter() + self.seconds
        self.reset()
        self._root_node = self.create_new_node(state)
        while True:
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
            if time.perf_counter() >= deadline:
                break
        legal = state.legal_actions()
        found: list[tuple[int, float]] = self.get_final_policy(state, self.filter_illegals(self._root_node, legal))
        return found


class Tenth:
    """Thinks 100 ms a move."""

    milliseconds = 100.0

    def __init__(self) -> None:
        self.thoughts = 0
        self.simulations = 0

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return what OpenSpiel's bot plays from what the seat knows."""
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        state = position(game, redacted, seat, seed)
        bot = TimedBot(state.get_game(), self.milliseconds, seed)
        action = int(bot.step(state))
        self.thoughts += 1
        self.simulations += bot.simulations
        return action


class Second(Tenth):
    """Thinks a second a move."""

    milliseconds = 1000.0


def position(game: Game, redacted: State, seat: int, seed: int) -> Any:
    """Return an OpenSpiel position that the seat cannot tell from its own; the bot draws all others from it."""
    state = openspiel.load(game.name, int(redacted.seats)).new_initial_state()
    state.position = game.imagine(redacted, seat, seed)
    return state
