"""Our games as OpenSpiel games, for researchers: `load("last-lemming", seats=4)` answers a `pyspiel.Game`.

Needs the optional extra `research` (`open_spiel`). One explicit chance node at the root picks the deal, and with it every
later draw, among `deals` equally likely seeds. Simultaneous choices are asked one seat after the other; a seat does not see
what the others chose, so the information sets are the same. Taking a choice back is left out: in a sequential form it would
be a move out of turn. Returns are the engines' payoffs, 0..1 a seat; what is constant-sum in one game is not in another, so
the games are declared general-sum.

OpenSpiel's own ISMCTS bot for Python games (`open_spiel.python.algorithms.ismcts`) plays them; its compiled bot cannot
resample games written in Python.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel

from engines import GAMES
from engines.game import Game, Json
from engines.kernel import State

#: How many deals the root chance node chooses from, unless told otherwise.
DEALS = 1000
#: What a decision's number is bounded by where a game does not say how long it may last.
LONGEST = 100_000


def short_name(name: str) -> str:
    """Return the name OpenSpiel knows one of our games by."""
    return "clifftop_" + name.replace("-", "_")


def game_type(game: Game) -> pyspiel.GameType:
    """Return what OpenSpiel wants to know of a game when it is registered."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game.name),
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"players": game.min_seats, "options": "{}", "deals": DEALS},
    )


@dataclass(frozen=True)
class Setting:
    """What all positions of one OpenSpiel game share; a copied position goes on sharing it."""

    game: Game
    seats: int
    options: Json
    deals: int

    def __deepcopy__(self, memo: dict[int, Any]) -> Setting:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _setting, (self.game.name, self.seats, self.options, self.deals)


#: The games adapted so far, by name, so that positions can be pickled.
_ADAPTED: dict[str, Game] = {}


def _setting(name: str, seats: int, options: Json, deals: int) -> Setting:
    return Setting(_ADAPTED.get(name) or GAMES[name], seats, options, deals)


def game_class(game: Game) -> type[Any]:
    """Return the `pyspiel.Game` class for one of our games, to be registered or built.

    Its parameters: `players` (seats), `options` (the match options as JSON text) and `deals`.
    """
    kind = game_type(game)
    _ADAPTED[game.name] = game

    class ClifftopGame(pyspiel.Game):
        """One of our games in OpenSpiel's form."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = dict(params or {})
            seats = int(given.get("players", game.min_seats))
            options = game.complete_options(seats, json.loads(given.get("options", "{}")))
            self.setting = Setting(game, seats, options, int(given.get("deals", DEALS)))
            info = pyspiel.GameInfo(
                num_distinct_actions=game.action_numbers,
                max_chance_outcomes=self.setting.deals,
                num_players=seats,
                min_utility=0.0,
                max_utility=1.0,
                max_game_length=game.longest or LONGEST,
            )
            super().__init__(kind, info, given)

        def new_initial_state(self) -> Any:
            """Return the position before the deal: a chance node."""
            return ClifftopState(self, self.setting)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """Return an observer of views as strings (there are no tensors)."""
            return Observer(iig_obs_type, params)

    return ClifftopGame


class Observer:
    """What a seat may see, as text."""

    def __init__(self, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters, not {params}")
        self.kind = kind
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensors: there are none."""

    def string_from(self, state: Any, player: int) -> str:
        """Return the seat's view as JSON text."""
        return str(state.observation_string(player))


class ClifftopState(pyspiel.State):
    """A position of one of our games; `position` is the engine's state, None before the deal."""

    def __init__(self, spiel_game: Any, setting: Setting) -> None:
        super().__init__(spiel_game)
        self._setting = setting
        self.position: State | None = None

    def current_player(self) -> int:
        """Return the seat to decide (of several at the same time the first), chance before the deal, or terminal."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        awaited = self._setting.game.awaiting(self.position)
        return int(awaited[0]) if awaited else int(pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, equally likely."""
        deals = self._setting.deals
        return [(deal, 1.0 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        if player < 0 or self.position is None:
            return []
        return sorted(self._setting.game.legal(self.position, player))

    def _apply_action(self, action: int) -> None:
        game = self._setting.game
        if self.position is None:
            seed = hashlib.sha256(f"deal {action}".encode()).digest()
            self.position = game.new(self._setting.seats, self._setting.options, seed)
        else:
            self.position = game.play(self.position, self.current_player(), action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0 or self.position is None:
            return f"deal {action}"
        return json.dumps(self._setting.game.action_to_json(self.position, action), sort_keys=True)

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.position is not None and not self._setting.game.awaiting(self.position)

    def returns(self) -> list[float]:
        """Return the payoffs of a finished match, zeros before."""
        if not self.is_terminal():
            return [0.0] * self._setting.seats
        return list(self._setting.game.payoffs(self.position))

    def __str__(self) -> str:
        """Return what a spectator sees, and how far it is: for people, not a key."""
        if self.position is None:
            return "before the deal"
        return json.dumps(self._setting.game.view(self.position, None), sort_keys=True) + f" {self.history()}"

    def information_state_string(self, player: int | None = None) -> str:
        """Return a key of all that a seat has been shown: its `seen` hash and its view."""
        seat = self.current_player() if player is None else player
        if self.position is None:
            return f"{seat} before the deal"
        return f"{seat} {int(self.position.seen[seat]):016x} {self.observation_string(seat)}"

    def observation_string(self, player: int | None = None) -> str:
        """Return what a seat sees now, as JSON text."""
        seat = self.current_player() if player is None else player
        if self.position is None:
            return "before the deal"
        return json.dumps(self._setting.game.view(self.position, seat), sort_keys=True)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ClifftopState:
        """Return a position drawn evenly from those that the seat cannot tell from this one.

        Args:
            player: the seat.
            sampler: numbers in [0, 1), the only source of chance.
        """
        again = self.clone()
        if self.position is not None:
            game = self._setting.game
            seed = int(sampler() * (1 << 32)) << 32 | int(sampler() * (1 << 32))
            again.position = game.imagine(game.redact(self.position, player), player, seed)
        return again


def load(name: str, seats: int | None = None, options: Json | None = None, deals: int = DEALS) -> Any:
    """Return one of our games as a `pyspiel.Game`.

    Args:
        name: our name, e.g. `last-lemming`.
        seats: how many play; the fewest by default.
        options: match options.
        deals: how many deals the root chance node chooses from.

    Raises:
        KeyError: no such game.
        engines.game.GameError: seats or options that the game does not have.
    """
    game = GAMES[name]
    params = {"players": seats or game.min_seats, "options": json.dumps(options or {}), "deals": deals}
    return game_class(game)(params)


def register() -> None:
    """Register all games with OpenSpiel, for `pyspiel.load_game("clifftop_last_lemming(players=4)")`."""
    known = set(pyspiel.registered_names())
    for game in GAMES.values():
        if short_name(game.name) not in known:
            pyspiel.register_game(game_type(game), game_class(game))


__all__ = ["DEALS", "ClifftopState", "Observer", "game_class", "load", "register", "short_name"]
