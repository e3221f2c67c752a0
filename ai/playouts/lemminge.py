"""Playouts of Lemminge: a player that walks the cheapest way with the cards in hand, and a one-step greedy one.

Both look one turn ahead: a flood from a lemming over the spaces that a card lets it enter with its points finds how near to
the finish it comes. `choose` measures by the cheapest way (`state.way`: meadow is cheaper than terrain, for which a card is
needed), minds the piles it leaves to the others and refills in time; `greedy` measures by plain distance, no more.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from engines.kernel import Array, State, below, helper, signatures
from engines.kernel import kernel as compiled
from engines.lemminge.rules import MEADOW_PRICE, TEMPO, is_occupied, race_left, step_cost, way_from_pen
from engines.lemminge.state import (
    BEYOND,
    CARD_OR_REFILL,
    DIRECTIONS,
    DISCARD,
    DISCARDS,
    DONE,
    GO,
    LEMMING,
    LEMMINGS,
    MAX_SPACES,
    MEADOW,
    MOVE,
    NONE,
    OFF,
    PEN,
    PEN_GO,
    PUT,
    REFILL,
    STATE,
    STOP,
    TERRAINS,
    TILE,
    VALUES,
)

#: After so many plies (two to three turns) a playout is cut and estimated.
CUT = 16
#: A turn is half a dozen small decisions, most of them poor: the policy's comes first, others where a node is visited often.
WIDENING = 0.1
EXPLORATION = 0.04
#: Without these two a leader who wins anyway puts it off, turn by turn, until the guard against a stalemate ends the match.
#: What a payoff loses for each turn until a playout is cut, and (see `shape`) how much the way behind counts there.
HURRY = 0.03
WAY_COUNTS = 0.5

# What `choose` weighs, in the prices of `state.way` (a step on meadow is 2, on terrain 3); found by matches of variants.
#: What a point of a pile that the next player can use costs.
LEFT_TO_OTHERS = 0.25
#: In 11ths: how many of a terrain's cards fit on a pile with this top card.
FITTING = (2, 5, 8, 10, 11)
#: The least gain for which a card is played, by the number of cards in hand; below it the hand is refilled.
LEAST_GAIN = (0, 10, 8, 6, 4, 3, 2)
#: Cards that gain no more are discarded when refilling.
WEAK = 8
#: What a step brings nearer at the most, in prices and in steps; prices count as if terrain were no dearer than meadow, which
#: may overlook a way that is a little better.
STEP_BRINGS = (MEADOW_PRICE, 1)

# The flood's scratch: for each space, and again for each with the bonus tile used up on the way: points left on arrival plus
# one (0: not reached), the first action of the way there, the space the tile went on. Then the queue, and what was found.
LAYER = MAX_SPACES
POINTS = 0
FIRST = POINTS + 2 * LAYER
JOKER = FIRST + 2 * LAYER
QUEUE = JOKER + 2 * LAYER
QUEUED = 512
HUGE = 1000
FOUND_FIRST = QUEUE + QUEUED
FOUND_JOKER = FOUND_FIRST + 1
NEAREST = FOUND_JOKER + 1
WORK = NEAREST + 1


# --- how far a lemming comes ------------------------------------------------------------------------------------------


@helper
def measure(state: State, here: int, plain: int) -> int:
    """Return how far from being across a space is: steps if `plain`, else the price of the cheapest way."""
    return int(state.distance[here]) if plain else int(state.way[here])


@helper
def measure_at(state: State, here: int, plain: int) -> int:
    """Return how far from being across a lemming is, wherever it stands."""
    if here >= 0:
        return measure(state, here, plain)
    if here == BEYOND:
        return 0
    if plain:
        return int(state.pen_distance)
    return way_from_pen(state)


@helper
def best_gain(state: State, seat: int, which: int, tile: int, points: int, plain: int, floor: int, work: Array) -> int:
    """Return how much nearer a lemming can come, `floor` if it is not more than that.

    If it is more, `work[FOUND_FIRST]` is the first action of the way and `work[FOUND_JOKER]` the space that the bonus tile
    must lie on for it (NONE: it may lie anywhere); else `work[FOUND_FIRST]` is NONE.

    Args:
        tile: the terrain of the card, plus TERRAINS if there is a bonus tile to be placed.
        points: movement points.
        plain: 1: measure in steps, 0: by the price of the cheapest way.
        floor: what is of no interest, 0 or more.
        work: scratch.
    """
    here = int(state.players[seat].where[which])
    start = measure_at(state, here, plain)
    work[FOUND_FIRST] = NONE
    work[FOUND_JOKER] = NONE
    if points == 0 or start <= floor:
        return floor
    if here >= 0 and state.distance[here] == 1:
        for direction in range(DIRECTIONS):
            if state.near[here, direction] == BEYOND:
                work[FOUND_FIRST] = GO + direction
        return start
    # Twice the measure, plus one if the bonus tile is used: of two equal ways the one that leaves it free.
    work[NEAREST] = 2 * (start - floor)
    most = STEP_BRINGS[plain] * points
    walk_down(state, here, tile, points, plain, work)
    if start - work[NEAREST] // 2 < min(most, start):
        flood(state, here, tile, points, plain, work)
    return start - int(work[NEAREST]) // 2


@helper
def walk_down(state: State, here: int, tile: int, points: int, plain: int, work: Array) -> None:
    """Walk from space to free space, always to the neighbour nearest to the finish, and note how near that comes."""
    ground = tile if tile < TERRAINS else tile - TERRAINS
    first = NONE
    if here == PEN:
        for cell in range(int(state.pens)):
            for direction in range(DIRECTIONS):
                if step_cost(state, MAX_SPACES + cell, direction, ground, 1) == 1:
                    there = int(state.near[MAX_SPACES + cell, direction])
                    if here == PEN or measure(state, there, plain) < measure(state, here, plain):
                        here = there
                        first = PEN_GO + cell * DIRECTIONS + direction
        if here == PEN:
            return
        points -= 1
    while points > 0 and state.distance[here] > 1:
        best, lowest = NONE, measure(state, here, plain)
        for direction in range(DIRECTIONS):
            there = int(state.near[here, direction])
            if there >= 0 and measure(state, there, plain) < lowest and step_cost(state, here, direction, ground, 1) == 1:
                best, lowest = direction, measure(state, there, plain)
        if best == NONE:
            break
        here = int(state.near[here, best])
        points -= 1
        if first == NONE:
            first = GO + best
    note(state, here, 0, points, first, NONE, plain, work)


@helper
def note(state: State, space: int, used: int, left: int, first: int, joker: int, plain: int, work: Array) -> None:
    """Note a space that can be reached if it is the nearest so far; with a point left at the line, across is nearer still."""
    near = 0 if left > 0 and state.distance[space] == 1 else 2 * measure(state, space, plain)
    if near + used < work[NEAREST]:
        work[NEAREST] = near + used
        work[FOUND_FIRST] = first
        work[FOUND_JOKER] = joker


@helper
def flood(state: State, here: int, tile: int, points: int, plain: int, work: Array) -> None:
    """Find all spaces a lemming can reach from a space or the pen, but those from which it cannot come nearer than noted."""
    for i in range(2 * LAYER if tile >= TERRAINS else LAYER):
        work[POINTS + i] = 0
    end = 0
    if here == PEN:
        for cell in range(int(state.pens)):
            end = spread(state, MAX_SPACES + cell, PEN_GO + cell * DIRECTIONS, 0, points, tile, plain, work, end)
    else:
        work[POINTS + here] = points + 1
        end = spread(state, here, GO, here, points, tile, plain, work, end)
    begin = 0
    while begin < end:
        at = int(work[QUEUE + begin])
        begin += 1
        left = int(work[POINTS + at]) - 1
        end = spread(state, at - LAYER if at >= LAYER else at, NONE, at, left, tile, plain, work, end)


@helper
def spread(state: State, here: int, first: int, at: int, left: int, tile: int, plain: int, work: Array, end: int) -> int:
    """Spread the flood to the neighbours of a space (or pen cell); return the new end of the queue.

    Args:
        here: the space, or MAX_SPACES + pen cell.
        first: the action of direction 0 when the way begins here, else NONE.
        at: the place of `here` in the scratch.
        left: points left.
        tile, plain, work: as for `best_gain`.
        end: of the queue.
    """
    ground = tile if tile < TERRAINS else tile - TERRAINS
    used = 1 if at >= LAYER else 0
    for direction in range(DIRECTIONS):
        there = int(state.near[here, direction])
        if there < 0:
            continue
        uses = used
        terrain = int(state.terrain[there])
        if terrain != MEADOW and terrain != ground:
            if tile < TERRAINS or used:
                continue
            uses = 1
        to = there + LAYER if uses else there
        rest = left - 1
        if is_occupied(state, there):
            rest = left - push_cost(state, there, direction)
        if rest < 0 or rest + 1 <= work[POINTS + to]:
            continue
        work[POINTS + to] = rest + 1
        work[FIRST + to] = first + direction if first != NONE else work[FIRST + at]
        if uses:
            work[JOKER + to] = work[JOKER + at] if used else there
        note(state, there, uses, rest, int(work[FIRST + to]), int(work[JOKER + to]) if uses else NONE, plain, work)
        if rest > 0 and end < QUEUED and 2 * (measure(state, there, plain) - STEP_BRINGS[plain] * rest) < work[NEAREST]:
            work[QUEUE + end] = to
            end += 1
    return end


@helper
def push_cost(state: State, there: int, direction: int) -> int:
    """Return what stepping onto an occupied space costs; more than there are points when the row cannot be pushed."""
    cost = 1
    while there >= 0 and is_occupied(state, there):
        cost += 1
        there = int(state.near[there, direction])
    return cost if there != OFF else HUGE


# --- the five decisions -----------------------------------------------------------------------------------------------


@helper
def card_gain(state: State, seat: int, kind: int, plain: int, floor: int, work: Array) -> int:
    """Return how much nearer the better of two lemmings can come with a card, `floor` if not more than that."""
    terrain = kind // VALUES
    value = kind - terrain * VALUES
    tile, points = terrain, value
    if value <= state.pile_top[terrain]:
        points += int(state.pile_sum[terrain])
    elif state.tiles_left[terrain] > 0 or state.tiles_left[MEADOW] > 0:
        tile += TERRAINS
    if (STEP_BRINGS[plain] + 1 - plain) * points <= floor:
        return floor
    best = best_gain(state, seat, 0, tile, points, plain, floor, work)
    return best_gain(state, seat, 1, tile, points, plain, best, work)


@helper
def left_behind(state: State, kind: int) -> float:
    """Return how many more points the card's pile offers to the next player than before, as far as cards fit on it."""
    terrain = kind // VALUES
    value = kind - terrain * VALUES
    top, total = int(state.pile_top[terrain]), int(state.pile_sum[terrain])
    after = total + value if value <= top else value
    return (after * FITTING[value] - total * FITTING[top]) / 11.0


@helper
def longest(state: State, seat: int) -> int:
    """Return the price of the cheapest way of the lemming that is further behind: no card need gain more than that."""
    where = state.players[seat].where
    return max(measure_at(state, int(where[0]), 0), measure_at(state, int(where[1]), 0))


@helper
def card_or_refill(state: State, seat: int, legal: Array, n: int, words: Array, plain: int, work: Array) -> int:
    """Return the card that brings most, or refill when it does not bring enough."""
    best, best_worth = REFILL, 0.0
    if not plain:
        best_worth = min(LEAST_GAIN[int(state.players[seat].hand_n)], longest(state, seat)) - 0.5
    skip = below(words, n)
    for i in range(n - 1):
        kind = int(legal[(i + skip) % (n - 1)])
        cost = 0.0 if plain else LEFT_TO_OTHERS * left_behind(state, kind)
        floor = max(int(best_worth + cost), 0)
        gain = card_gain(state, seat, kind, plain, floor, work)
        if gain > floor and gain - cost > best_worth:
            best, best_worth = kind, gain - cost
    return best


@helper
def place(state: State, seat: int, legal: Array, n: int, words: Array, plain: int, work: Array) -> int:
    """Return the space for the bonus tile that lets a lemming come nearest; else one in the way of a rival."""
    best, joker = 0, NONE
    for which in range(LEMMINGS):
        gain = best_gain(state, seat, which, int(state.ground) + TERRAINS, int(state.points), plain, best, work)
        if gain > best:
            best, joker = gain, int(work[FOUND_JOKER])
    if joker != NONE:
        return PUT + joker
    if not plain and state.tile != MEADOW:
        other = (seat + 1 + below(words, int(state.seats) - 1)) % int(state.seats)
        here = int(state.players[other].where[below(words, LEMMINGS)])
        if here >= 0:
            for direction in range(DIRECTIONS):
                there = int(state.near[here, direction])
                if there >= 0 and state.terrain[there] == MEADOW and state.way[there] < state.way[here]:
                    return PUT + there
    return int(legal[below(words, n)])


@helper
def lemming(state: State, seat: int, words: Array, plain: int, work: Array) -> int:
    """Return the lemming that can come nearest, or stop."""
    skip = below(words, LEMMINGS)
    best, action = 0, STOP
    for i in range(LEMMINGS):
        which = (i + skip) % LEMMINGS
        gain = best_gain(state, seat, which, int(state.ground), int(state.points), plain, best, work)
        if gain > best:
            best, action = gain, MOVE + which
    return action


@helper
def go(state: State, seat: int, plain: int, work: Array) -> int:
    """Return the first step of the way that leads nearest, or stop."""
    best_gain(state, seat, int(state.mover), int(state.ground), int(state.points), plain, 0, work)
    first = int(work[FOUND_FIRST])
    return STOP if first == NONE else first


@helper
def discards(state: State, seat: int, legal: Array, n: int, plain: int, work: Array) -> int:
    """Return a card that brings no lemming (much) nearer, or done."""
    weak = 0 if plain else min(WEAK, longest(state, seat) - 1)
    for i in range(n - 1):
        if card_gain(state, seat, int(legal[i]) - DISCARD, plain, weak, work) == weak:
            return int(legal[i])
    return DONE


@helper
def look_ahead(state: State, seat: int, legal: Array, n: int, words: Array, plain: int) -> int:
    """Return an action that looks one turn ahead."""
    work = np.empty(WORK, np.int16)
    phase = int(state.phase)
    if phase == CARD_OR_REFILL:
        return card_or_refill(state, seat, legal, n, words, plain, work)
    if phase == DISCARDS:
        return discards(state, seat, legal, n, plain, work)
    if phase == TILE:
        return place(state, seat, legal, n, words, plain, work)
    if phase == LEMMING:
        return lemming(state, seat, words, plain, work)
    return go(state, seat, plain, work)


@compiled(STATE)
def choose(state: State, seat: int, legal: Array, n: int, words: Any) -> int:
    """Return one of the n legal actions, as the playout policy likes it."""
    return look_ahead(state, seat, legal, n, words, 0)


@numba.njit(signatures(STATE)["choose"], cache=True, nogil=True)
def greedy(state: State, seat: int, legal: Array, n: int, words: Any) -> int:
    """Return one of the n legal actions: whatever brings the seat's lemmings furthest now."""
    return look_ahead(state, seat, legal, n, words, 1)


@numba.njit(signatures(STATE)["payoffs"], cache=True, nogil=True)
def shape(state: State, paid: Array) -> None:
    """Draw everyone on to the finish: the part of the way across that is behind is `WAY_COUNTS` of what the search seeks.

    It counts for itself, next to the payoff: who is sure to win, or races for the last places, has little else to gain.
    """
    whole = LEMMINGS * (way_from_pen(state) + TEMPO)
    for seat in range(int(state.seats)):
        left = min(race_left(state, seat) / whole, 1.0)
        paid[seat] = (1.0 - WAY_COUNTS) * paid[seat] + WAY_COUNTS * (1.0 - left)


PLAYERS = {"greedy": greedy}
SHAPE = shape
