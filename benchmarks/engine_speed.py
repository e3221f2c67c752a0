"""How fast a game's rules run: random whole matches, compiled, and copies of its state.

`python -m benchmarks.engine_speed [GAME ...]`. Beside each figure, in the same run: random matches of hearts by OpenSpiel's
compiled random bots, and a plain copy of as many bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import click
import numba
import numpy as np
from numba import types

from ai import options
from ai.playouts import find
from benchmarks.timing import medians, rate, verdict
from engines import GAMES, PACKAGES, kernel
from engines.game import Game
from engines.kernel import Array, below, lowest, next_word, seed_words

ROUNDS = 5
MATCHES = 1500
DEALS = 8
COPIES = 2_000_000
PLAYOUTS = 300
#: Millions of actions a second, and bytes of a state: where a game's differ from the usual.
ACTIONS = {"last-lemming": 5.0}
BYTES = {"lemmings": 1024}


def play_matches(
    matches: int, telling: int, states: Array, words: Array, out: Array, awaiting: Any, legal: Any, play: Any
) -> int:
    """Play random matches from the dealt states (all but the last place of `states`) and return the number of actions."""
    work = states.shape[0] - 1
    actions = 0
    for match in range(matches):
        states[work] = states[match % work]
        state = states[work]
        state.telling = telling
        seed_words(state.random, next_word(words))
        awaited = awaiting(state)
        while awaited:
            seat = lowest(awaited)
            n = legal(state, seat, out)
            play(state, seat, int(out[below(words, n)]))
            actions += 1
            awaited = awaiting(state)
    return actions


def play_on(matches: int, states: Array, words: Array, out: Array, awaiting: Any, legal: Any, play: Any, choose: Any) -> int:
    """Play from the first of two states to the end by the playout policy, so many times; return how often."""
    for _ in range(matches):
        states[1] = states[0]
        state = states[1]
        state.telling = 0
        seed_words(state.random, next_word(words))
        awaited = awaiting(state)
        while awaited:
            seat = lowest(awaited)
            n = legal(state, seat, out)
            play(state, seat, choose(state, seat, out, n, words) if n > 1 else int(out[0]))
            awaited = awaiting(state)
    return matches


def copy_states(copies: int, states: Array) -> int:
    """Copy a state so many times, changed every time."""
    for i in range(copies):
        states[2 + (i & 1)].log_n = i & 7
        states[i & 1] = states[2 + (i & 1)]
    return copies


@cache
def compiled(dtype: np.dtype[Any]) -> tuple[Callable[..., int], Callable[..., int], Callable[..., int]]:
    """Return `play_matches`, `copy_states` and `play_on` for states of `dtype`."""
    table = kernel.signatures(dtype)
    states = types.Array(numba.from_dtype(dtype), 1, "C")
    kernels = [types.FunctionType(table[name]) for name in ("awaiting", "legal", "play")]
    i64 = types.int64
    matches = numba.njit(i64(i64, i64, states, types.uint64[::1], types.int16[::1], *kernels), nogil=True)(play_matches)
    policy = [*kernels, types.FunctionType(table["choose"])]
    on = numba.njit(i64(i64, states, types.uint64[::1], types.int16[::1], *policy), nogil=True)(play_on)
    return matches, numba.njit(i64(i64, states), nogil=True)(copy_states), on


def copy_bytes(size: int) -> int:
    """Copy plain bytes, eight states of `size` at a time, as fast as numpy can; return how many states."""
    source, target = np.zeros(8 * size, np.uint8), np.zeros(8 * size, np.uint8)
    for _ in range(COPIES // 80):
        np.copyto(target, source)
    return COPIES // 10


def matches_of(game: Game, seats: int, telling: int) -> Callable[[], int]:
    """Return a function that plays random matches and returns the number of actions."""
    states = np.zeros(DEALS + 1, game.dtype)
    for deal in range(DEALS):
        states[deal] = game.new(seats, {}, deal.to_bytes(32, "little"))
    words, out, rules = np.zeros(4, np.uint64), np.zeros(game.max_actions, np.int16), game.kernels
    seed_words(words, np.uint64(1))
    play = compiled(game.dtype)[0]
    play(1, telling, states, words, out, rules.awaiting, rules.legal, rules.play)
    return lambda: play(MATCHES, telling, states, words, out, rules.awaiting, rules.legal, rules.play)


def playouts_of(game: Game, seats: int) -> Callable[[], int]:
    """Return a function that plays from the middle of a match of the policy to its end, and returns how often."""
    choose, rules = find(game).choose, game.kernels
    words, out = np.zeros(4, np.uint64), np.zeros(game.max_actions, np.int16)
    seed_words(words, np.uint64(1))
    passed = [game.new(seats, {}, bytes(32))]
    while awaited := game.awaiting(passed[-1]):
        n = int(rules.legal(passed[-1], awaited[0], out))
        passed.append(game.play(passed[-1], awaited[0], int(choose(passed[-1], awaited[0], out, n, words))))
    states = np.zeros(2, game.dtype)
    states[0] = passed[len(passed) // 2]
    on = compiled(game.dtype)[2]
    return lambda: on(PLAYOUTS, states, words, out, rules.awaiting, rules.legal, rules.play, choose)


def openspiel_matches() -> int:
    """Play random matches of hearts with OpenSpiel's compiled random bots; return the number of actions."""
    import pyspiel

    game = pyspiel.load_game("hearts(pass_cards=false)")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(4)]
    for match in range(100):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, match)
    return 100 * 52 * 2  # 52 cards dealt one by one, then played


def measure(game: Game, rounds: int) -> None:
    """Print the figures of one game."""
    state = game.new(game.min_seats, {}, bytes(32))
    size = len(game.dump(state))
    states = np.zeros(4, game.dtype)
    copy = compiled(game.dtype)[1]
    copy(1, states)
    measures = {"hearts": lambda: rate(openspiel_matches)}
    for seats in range(game.min_seats, game.max_seats + 1):
        for name, telling in (("playout", kernel.TELL_NOTHING), ("match", kernel.TELL_LOG)):
            work = matches_of(game, seats, telling)
            measures[f"{seats} seats, {name}"] = partial(rate, work)
        ends = playouts_of(game, seats)
        measures[f"{seats} seats, policy"] = partial(rate, ends)
    measures["copy"] = lambda: 1e9 / rate(lambda: copy(COPIES, states))
    measures["bytes"] = lambda: 1e9 / rate(lambda: copy_bytes(size))
    found = medians(measures, rounds)
    peer, copied, plain = found.pop("hearts"), found.pop("copy"), found.pop("bytes")
    print(f"{game.title}: random whole matches, millions of actions a second (OpenSpiel's hearts: {peer / 1e6:.2f})")
    for name, value in found.items():
        if name.endswith("policy"):
            print(f"  {name:18} {value:7.0f} whole playouts of the policy a second from the middle of a match")
            continue
        met = verdict(value / 1e6, ACTIONS.get(game.name, 3.0))
        print(f"  {name:18} {value / 1e6:6.2f}   {value / peer:5.1f} times hearts   {met}")
    print(f"  state: {size} bytes ({verdict(size, BYTES.get(game.name, 2048), at_least=False)})")
    print(
        f"  a copy: {copied:.0f} ns ({verdict(copied, 100, at_least=False)}); {copied / plain:.2f} times as long as plain bytes"
    )


@click.command()
@options.games
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS, show_default=True, help="Runs of which the median is taken.")
def main(games: tuple[str, ...], rounds: int) -> None:
    """Measure the rules of GAMES (all by default)."""
    for name in games or PACKAGES:
        measure(GAMES[name], rounds)


if __name__ == "__main__":
    main()
