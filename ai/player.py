"""The AI as a player: a thought about a redacted state, which anyone who has that state and the seed can have again.

A thought depends on (redacted state, seat, settings, level's temperature and blunder rate, seed, iterations) and on nothing
else; the time budget only decides how many iterations there are.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ai import ismcts, playouts
from ai.ismcts import STANDARD, Choice, Search, Settings
from ai.levels import Level, level_of
from engines.game import Game
from engines.kernel import TELL_HASH, Array, State, below, mix, next_word, seed_words

#: Mixed into the seed for draws after the search, so that they do not repeat those in it.
_AFTERWARDS = 1


@dataclass(frozen=True)
class Thought:
    """One decision of the AI, with all that is needed to have it again.

    Attributes:
        action: what it plays.
        seed: of the search and of all draws after it, 64 bits.
        iterations: how many were made; 0 for a forced decision.
        milliseconds: how long it took.
        digest: SHA-256 of the redacted state's bytes, in hex.
        choices: every action the search tried, the most visited first.
        level: the level it was had at, a whole one of the table or between two; None: a budget of its own.
    """

    action: int
    seed: int
    iterations: int
    milliseconds: float
    digest: str
    choices: tuple[Choice, ...]
    level: float | None = None

    @property
    def result(self) -> str:
        """SHA-256 in hex of all that is the same whenever the thought is had again: what went in, and all that was found."""
        found = [[choice.action, choice.visits, choice.payoff] for choice in self.choices]
        told = [self.level, self.seed, self.iterations, self.digest, self.action, found]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def digest(redacted: State) -> str:
    """Return the SHA-256 of a state's bytes, in hex."""
    return hashlib.sha256(redacted.tobytes()).hexdigest()


def check_redacted(game: Game, state: State, seat: int) -> None:
    """Make sure that a state is what a seat may know, as far as its header can tell, and that the seat must decide.

    Raises:
        ValueError: it is not.
    """
    if state.dtype != game.dtype:
        raise ValueError(f"the state is not one of {game.title}")
    if not 0 <= seat < int(state.seats):
        raise ValueError(f"there is no seat {seat}; seats are 0 to {int(state.seats) - 1}")
    others = [int(seen) for other, seen in enumerate(state.seen) if other != seat]
    if state.telling != TELL_HASH or state.log_n or any(state.log_code) or any(state.random) or any(others):
        raise ValueError(f"the state is not redacted for seat {seat}: the AI may not see it")
    if seat not in game.awaiting(state):
        raise ValueError(f"seat {seat} has nothing to decide")


def think(
    game: Game,
    redacted: State,
    seat: int,
    *,
    seed: int,
    level: float | Level | None = None,
    milliseconds: float | None = None,
    iterations: int | None = None,
    settings: Settings = STANDARD,
    imagine: Callable[[State, int, Any], None] | None = None,
    until_decided: bool = False,
) -> Thought:
    """Return what the AI plays.

    Args:
        game: the game.
        redacted: from `game.redact(state, seat)`; a real state is refused.
        seat: who decides; must be awaited.
        seed: 64 bits.
        level: 1-8 of the game's, a fraction between two, or a `Level`: its budget, temperature and blunder rate; None: plays
            as well as it can.
        milliseconds: the time budget, in place of the level's.
        iterations: exactly so many, however long they take: has a recorded thought again.
        settings: which variant of the search.
        imagine: a kernel in place of the game's `imagine`.
        until_decided: stop before the time is up if what is left cannot change the action; a level does so by itself where it
            plays what is visited most. Never with `iterations`.

    Raises:
        ValueError: the state is not redacted for the seat, the seat is not awaited, there is no such level, or no budget.
    """
    start = time.perf_counter()
    check_redacted(game, redacted, seat)
    played = level_of(game.name, level) if isinstance(level, (int, float)) else level
    if played is not None and played.inference:
        settings = replace(settings, inference=True)
    legal = game.legal(redacted, seat)
    if len(legal) == 1:
        choices, done = [Choice(legal[0], 0, 1.0, None)], 0
    else:
        search = Search(game, redacted, seat, seed, settings, imagine)
        _run(search, played, milliseconds, iterations, until_decided)
        choices, done = search.choices(), search.iterations
    action = _pick(choices, legal, seed, played)
    spent = (time.perf_counter() - start) * 1000
    # 2.0 is 2, however JSON has written it meanwhile.
    table_level = (int(level) if level == int(level) else level) if isinstance(level, (int, float)) else None
    return Thought(action, seed, done, spent, digest(redacted), tuple(choices), table_level)


def _run(search: Search, level: Level | None, milliseconds: float | None, iterations: int | None, until_decided: bool) -> None:
    """Spend the budget: exactly the iterations if given, else the time if given, else the level's."""
    if iterations is not None:
        if iterations < 1:
            raise ValueError(f"a search has at least 1 iteration, not {iterations}")
        search.run_sliced(iterations)
    elif milliseconds is not None:
        search.run_for(milliseconds, until_decided=until_decided)
    elif level is not None:
        search.run_for(level.milliseconds, level.iterations, until_decided=not (level.temperature or level.worst))
    else:
        raise ValueError("a thought needs a level, a time or a number of iterations")


def _pick(choices: Sequence[Choice], legal: Sequence[int], seed: int, level: Level | None) -> int:
    """Return the action to play: the best, or as the level errs."""
    if level is None:
        return choices[0].action
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(mix(np.uint64(seed), _AFTERWARDS)))
    error = _fraction(words)
    if error < level.blunder:
        return legal[below(words, len(legal))]
    if error < level.blunder + level.worst:
        return choices[-1].action
    if level.temperature == 0:
        return choices[0].action
    weights = [choice.share ** (1 / level.temperature) for choice in choices]
    left = _fraction(words) * sum(weights)
    for choice, weight in zip(choices, weights, strict=True):
        left -= weight
        if left < 0:
            return choice.action
    return choices[0].action


def _fraction(words: Array) -> float:
    """Return a random number in [0, 1)."""
    return (int(next_word(words)) >> 11) / (1 << 53)


def quick(game: Game, redacted: State, seat: int, seed: int) -> int:
    """Return a sensible legal action in well under a millisecond: the playout policy's, in one imagined world.

    Raises:
        ValueError: as `think`.
    """
    check_redacted(game, redacted, seat)
    out = np.zeros(game.max_actions, np.int16)
    n = int(game.kernels.legal(redacted, seat, out))
    legal = {int(action) for action in out[:n]}
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    world = game.imagine(redacted, seat, int(next_word(words)))
    action = int(playouts.find(game).choose(world, seat, out, n, words))
    return action if action in legal else min(legal)


def warm(game: Game) -> None:
    """Compile, or load from the disk cache, all that thinking about a game needs; before forking, and at the start."""
    ismcts.compiled(game.dtype)
    state = game.new(game.min_seats, {}, bytes(32))
    seat = game.awaiting(state)[0]
    redacted = game.redact(state, seat)
    search = Search(game, redacted, seat, 0)
    search.run(1)
    search.grow()
    search.choices()
    quick(game, redacted, seat, 0)
    think(game, redacted, seat, seed=0, level=1)
