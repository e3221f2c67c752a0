"""How Lemmings is played on below the search's tree, two simple players to measure against, and guesses at roles.

All judge an effect by the estimate of `payoffs`: the prospect of one's own lemming's place, as a part of all lemmings'.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from engines import kernel
from engines.kernel import MAX_SEATS, Array, State, below, helper, signatures, size
from engines.lemmings.hidden import imagine_answers, imagine_cards
from engines.lemmings.rules import direction, movers, prospect, prospects
from engines.lemmings.state import (
    CARRY_OUT,
    DISCARD,
    EFFECT_BACK,
    EFFECT_CHAOS,
    EFFECT_JUMP,
    EFFECT_WHOOSH,
    LEMMINGS,
    NONE,
    OVER,
    PAIR_A,
    PAIR_B,
    PASS,
    STATE,
    WINDOW,
)

#: After so many plies a playout is cut and `payoffs` estimates.
CUT = 60
#: Out of so many decisions one is made at random in a playout.
_RANDOM = 8


@helper
def after(state: State, role: int, effect: int, total: float) -> float:
    """Return a lemming's part of all prospects after an effect (Chaos: as now); 1 or 0 if the match then is over.

    Args:
        total: `prospects(state)`.
    """
    place, height = int(state.place[role]), int(state.height[role])
    if effect >= EFFECT_WHOOSH:
        if effect != EFFECT_CHAOS:
            first, second = int(PAIR_A[effect - EFFECT_WHOOSH]), int(PAIR_B[effect - EFFECT_WHOOSH])
            other = second if role == first else first if role == second else role
            place, height = int(state.place[other]), int(state.height[other])
        return prospect(state, place, height) / total
    water = int(state.land_cards) + 1
    bits = movers(state, effect)
    jump = effect >= EFFECT_JUMP
    mover = (effect - EFFECT_JUMP) >> 1 if jump else effect - EFFECT_BACK if effect >= EFFECT_BACK else effect % LEMMINGS
    start, low = int(state.place[mover]), int(state.height[mover])
    to = start + direction(effect)
    base = int(state.crowd[to])
    for lemming in range(LEMMINGS):
        here, up = int(state.place[lemming]), int(state.height[lemming])
        there, higher = here, up
        if bits >> lemming & 1:
            there, higher = to, base + up - low if to < water else 0
        elif jump and here == start and up > low:
            higher = up - 1
        else:
            continue
        total += prospect(state, there, higher) - prospect(state, here, up)
        if lemming == role:
            place, height = there, higher
    left = LEMMINGS - int(state.crowd[water]) + (size(bits) if start == water else -size(bits) if to == water else 0)
    if left <= 1:
        return 1.0 if left == 1 and place < water else 0.0
    return prospect(state, place, height) / total


@helper
def _best(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the action with the best position one effect ahead; of equals any, each equally likely."""
    role = int(state.players[seat].role)
    total = prospects(state)
    now = prospect(state, int(state.place[role]), int(state.height[role])) / total
    if state.phase == WINDOW:
        happens = after(state, role, int(state.effect), total)
        # With an even number of No way!s so far the card happens unless stopped.
        gain = now - happens if int(state.no_ways) & 1 == 0 else happens - now
        return int(legal[1]) if n > 1 and gain > 0.0 else PASS
    best, best_value, equals = int(legal[0]), -1.0, 0
    for i in range(n):
        action = int(legal[i])
        value = after(state, role, action % CARRY_OUT, total) if action < DISCARD else now
        if value > best_value + 1e-9:
            best, best_value, equals = action, value, 1
        elif value > best_value - 1e-9:
            equals += 1
            if below(words, equals) == 0:
                best = action
    return best


@helper
def _moves(state: State, action: int, role: int) -> bool:
    """Return whether an action plays or carries out a card that moves a lemming."""
    if action >= DISCARD:
        return False
    effect = action % CARRY_OUT
    if effect >= EFFECT_WHOOSH:
        if effect == EFFECT_CHAOS:
            return False
        return role == PAIR_A[effect - EFFECT_WHOOSH] or role == PAIR_B[effect - EFFECT_WHOOSH]
    return (movers(state, effect) >> role) & 1 == 1


# --- the policies -----------------------------------------------------------------------------------------------------

_policy = numba.njit(signatures(STATE)["choose"], cache=True, nogil=True)


@_policy
def choose(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return an action for a playout: mostly the best one effect ahead, now and then any."""
    if below(words, _RANDOM) == 0:
        return int(legal[below(words, n)])
    return _best(state, seat, legal, n, words)


@_policy
def greedy(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the best action one effect ahead (the one-card-lookahead player of the rules file's figures)."""
    return _best(state, seat, legal, n, words)


@_policy
def idle(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return any action that leaves one's own lemming where it is, each equally likely; any at all if all move it."""
    role = int(state.players[seat].role)
    able = 0
    for i in range(n):
        if not _moves(state, int(legal[i]), role):
            able += 1
    if able == 0:
        return int(legal[below(words, n)])
    skip = below(words, able)
    for i in range(n):
        if not _moves(state, int(legal[i]), role):
            if skip == 0:
                return int(legal[i])
            skip -= 1
    return int(legal[0])


# --- guesses at roles -------------------------------------------------------------------------------------------------
#
# Who is which lemming shows in what they did. The model: each place by which a seat's public moves served a lemming, above
# the mean of all six (`state.lean`, in sixths of a place), makes it (1 + strength) ** 6 times as likely that the seat is that
# lemming. Strength 0 is no guess at all: `imagine`.

#: What fits players that look one card ahead well, and ones that merely never move their own lemming best.
STRENGTH = 0.12
#: No lemming is ruled out: the least weight, the likeliest lemming of a seat having 1.
_LEAST = 1e-6


@helper
def likelihood(state: State, seat: int, lemming: int, strength: float) -> float:
    """Return how well a seat's public moves fit its being a lemming, the best-fitting lemming having 1."""
    best = int(state.lean[seat, 0])
    for other in range(1, LEMMINGS):
        best = max(best, int(state.lean[seat, other]))
    # A power by squaring, the same on every machine.
    exponent = best - int(state.lean[seat, lemming])
    factor, result = 1.0 / (1.0 + strength), 1.0
    while exponent:
        if exponent & 1:
            result *= factor
        factor *= factor
        exponent >>= 1
    return max(result, _LEAST)


@helper
def _guess_roles(state: State, seat: int, strength: float) -> None:
    """Deal the other seats' roles by weight, jointly: the product of their likelihoods.

    `ways[roles]`: the summed weight of all ways in which the seats so far hold exactly that set of roles.
    """
    own = 1 << int(state.players[seat].role)
    seats = int(state.seats)
    ways = np.zeros(1 << LEMMINGS)
    ways[own] = 1.0
    weights = np.empty((MAX_SEATS, LEMMINGS))
    held = 1
    for other in range(seats):
        if other == seat:
            continue
        for role in range(LEMMINGS):
            weights[other, role] = likelihood(state, other, role, strength)
        for roles in range(1 << LEMMINGS):
            if size(roles) == held and roles & own and ways[roles] > 0.0:
                for role in range(LEMMINGS):
                    if not roles >> role & 1:
                        ways[roles | 1 << role] += ways[roles] * weights[other, role]
        held += 1
    roles = _drawn_set(state, ways, held)
    for other in range(seats - 1, -1, -1):
        if other != seat:
            role = _drawn_role(state, ways, weights, other, roles, own)
            state.players[other].role = role
            roles &= ~(1 << role)


@helper
def _unit(words: Array) -> float:
    """Return a random number in [0, 1)."""
    return below(words, 1 << 30) / float(1 << 30)


@helper
def _drawn_set(state: State, ways: Array, held: int) -> int:
    """Draw the set of all roles that are held, by its weight."""
    total = 0.0
    for roles in range(1 << LEMMINGS):
        if size(roles) == held:
            total += ways[roles]
    rest = _unit(state.random) * total
    found = 0
    for roles in range(1 << LEMMINGS):
        if size(roles) == held and ways[roles] > 0.0 and rest >= 0.0:
            found = roles
            rest -= ways[roles]
    return found


@helper
def _drawn_role(state: State, ways: Array, weights: Array, other: int, roles: int, own: int) -> int:
    """Draw a seat's role out of a set that it and the seats before it hold, by its weight."""
    rest = _unit(state.random) * ways[roles]
    found = NONE
    for role in range(LEMMINGS):
        if roles & ~own & 1 << role and (found == NONE or rest >= 0.0):
            found = role
            rest -= ways[roles & ~(1 << role)] * weights[other, role]
    return found


@numba.njit(types.void(*signatures(STATE)["imagine"].args, types.float64), cache=True, nogil=True)
def guess(state: State, seat: int, seed: Any, strength: float) -> None:
    """Fill a redacted state with one world as `imagine` does, but with roles weighed by what their players did.

    Args:
        strength: how much a place counts, 0 or more, see above.
    """
    kernel.seed_words(state.random, seed)
    if state.phase == OVER:
        return
    _guess_roles(state, seat, strength)
    imagine_cards(state, seat, seed)
    imagine_answers(state, seat)


@numba.njit(signatures(STATE)["imagine"], cache=True, nogil=True)
def guess_by_moves(state: State, seat: int, seed: Any) -> None:
    """Fill a redacted state as `guess` does with STRENGTH: a kernel to search with in place of `imagine`."""
    guess(state, seat, seed, STRENGTH)


PLAYERS = {"greedy": greedy, "idle": idle}
INFER = guess_by_moves
#: Guesses at roles with a strength of one's own: (state, seat, seed, strength).
GUESS = guess
