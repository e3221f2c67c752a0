"""Our games as PettingZoo environments, for researchers: `env("last-lemming", seats=4)` answers an `AECEnv`.

Needs the optional extra `research` (`pettingzoo`, `gymnasium`). Agents are `seat_0`, `seat_1`, ...; of several seats that
must choose at the same time, the first acts first, without being seen. An observation is a dict: `observation`, the bytes
of the state as far as the agent can know it (`Game.redact`, without the header), and `action_mask`, where 1 means legal.
The agent's view as JSON-able data is in `infos[agent]["view"]`. Rewards: the engine's payoffs, 0..1, at the end.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from engines import GAMES
from engines.game import Game, Json
from engines.kernel import State


class ClifftopEnv(AECEnv):
    """One of our games as an AEC environment (Terry et al. 2021).

    Args:
        game: the game.
        seats: how many play; the fewest by default.
        options: match options.
        render_mode: `"ansi"` lets `render` answer the spectator's view as text; None: no rendering.

    Raises:
        engines.game.GameError: seats or options that the game does not have.
    """

    def __init__(
        self, game: Game, seats: int | None = None, options: Json | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"clifftop_{game.name.replace('-', '_')}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.game = game
        self.seats = seats or game.min_seats
        self.options = game.complete_options(self.seats, options or {})
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.agents: list[str] = []
        self._header = _header_bytes(game)
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (game.dtype.itemsize - self._header,), np.uint8),
                "action_mask": spaces.Box(0, 1, (game.action_numbers,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(game.action_numbers) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self.position: State | None = None

    def observation_space(self, agent: str) -> Any:
        """Return the agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the agent's action space: all action numbers of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Json | None = None) -> None:  # noqa: ARG002
        """Deal a new match.

        Args:
            seed: fixes this deal and, with the actions, the whole match; also of later resets without a seed.
            options: part of PettingZoo's interface; the match options were given to the environment.
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        secret = hashlib.sha256(self._random.bytes(32)).digest()
        self.position = self.game.new(self.seats, self.options, secret)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._show()
        self.agent_selection = self._next_agent()

    def step(self, action: int | None) -> None:
        """Play one action of `agent_selection`.

        Raises:
            engines.game.IllegalAction: not one that the action mask allows.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.position = self.game.play(self.position, self._seat(agent), int(action))  # type: ignore[arg-type]
        self._clear_rewards()
        if not self.game.awaiting(self.position):
            pays = self.game.payoffs(self.position)
            self.rewards = dict(zip(self.possible_agents, pays, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._show()
        self.agent_selection = self._next_agent()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know, as bytes, and its legal actions as a mask (zeros when not awaited)."""
        seat = self._seat(agent)
        known = np.frombuffer(self.game.dump(self.game.redact(self.position, seat)), np.uint8)
        mask = np.zeros(self.game.action_numbers, np.int8)
        if seat in self.game.awaiting(self.position):
            mask[self.game.legal(self.position, seat)] = 1
        return {"observation": known[self._header :].copy(), "action_mask": mask}

    def render(self) -> str | None:
        """Return the spectator's view as text in mode `ansi`."""
        return repr(self.game.view(self.position, None)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _next_agent(self) -> str:
        awaited = self.game.awaiting(self.position)
        return self.possible_agents[awaited[0]] if awaited else self.agents[0]

    def _show(self) -> None:
        self.infos = {agent: {"view": self.game.view(self.position, self._seat(agent))} for agent in self.agents}


def _header_bytes(game: Game) -> int:
    """Return how many bytes the header of every state takes (see `kernel.state_dtype`); it ends with `reveals`."""
    offset: int = game.dtype.fields["reveals"][1]  # type: ignore[index]
    return offset + 1


def env(name: str, seats: int | None = None, options: Json | None = None, render_mode: str | None = None) -> ClifftopEnv:
    """Return one of our games as a PettingZoo environment.

    Raises:
        KeyError: no such game.
        engines.game.GameError: seats or options that the game does not have.
    """
    return ClifftopEnv(GAMES[name], seats, options, render_mode)
