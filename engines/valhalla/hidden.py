"""What each seat can know: `redact`, which forgets, and `imagine`, which draws a world that fits the history (`history.py`).

[I] Worlds that fit are weighed by chance alone: every way in which the physical cards can have been drawn, and passed unseen,
is equally likely, as far as it fits; a choice that was seen says that its cards were there and nothing else. What a seat drew
itself is chance it has seen, and counts as such. Cards chosen for the battle and not yet shown are any of their owner's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines import kernel
from engines.kernel import Array, State, below, helper
from engines.kernel import kernel as compiled
from engines.valhalla.cards import (
    FULL,
    GUARD,
    HALF,
    LANES,
    ONES,
    WIDTH,
    count,
    covers,
    gains,
    hide,
    less,
    losses,
    minus,
    more,
    size,
    take,
    unknown,
    worth,
)
from engines.valhalla.history import CHANGE, CHECK, MOVE, REQUIRE
from engines.valhalla.state import (
    HISTORY,
    MAX_MOVE,
    NONE,
    PHASE_CARDS,
    PHASE_SEND,
    PILE,
    PLACES,
    STATE,
    ZONES,
    least_to_send,
    slot,
)

# --- forgetting -------------------------------------------------------------------------------------------------------


@helper
def _redact_seat(state: State, seat: int) -> None:
    """Forget another seat's hand and the cards it has not shown; a choice not known to be made goes back to the hand."""
    cards = int(state.cards[seat])
    if not (int(state.revealed) >> seat) & 1:
        battle = int(state.battle)
        for stake in range(battle):
            state.table[slot(seat, stake)] = hide(int(state.table[slot(seat, stake)]))
        cards += int(state.table[slot(seat, battle)])
        state.table[slot(seat, battle)] = 0
    state.cards[seat] = hide(cards)


@compiled(STATE)
def redact(state: State, seat: int) -> None:
    """Forget, in place, whatever the seat cannot know; places then hold so many unknown cards."""
    kernel.forget_header(state, seat)
    for other in range(int(state.seats)):
        if other != seat:
            _redact_seat(state, other)
    for place in range(PILE, ZONES):
        state.cards[place] = hide(int(state.cards[place]))
    for i in range(int(state.past_n)):
        if state.past_kind[i] == MOVE and int(state.past_from[i]) != seat and int(state.past_to[i]) != seat:
            state.past_cards[i] = hide(int(state.past_cards[i]))
    if state.phase == PHASE_CARDS and int(state.actor) != seat:
        for place in range(PLACES):
            state.picked[place] = 0
        state.last = NONE


# --- imagining: a plan, then replays of the history until one fits ----------------------------------------------------
#
# plan   (5, HISTORY) int64, for each unseen MOVE: how many cards, and what the places must hold after it so that what is
#        known of later can come true: at least and at most, in the place it leaves and the one it reaches
# most   (HISTORY,) float64: the most ways there can be for a move, whatever the moves before it were
#
# A replay draws each move among the ways that later entries allow, and is kept with the chance (ways there are) / (most
# ways), so that in the end every way to draw and pass physical cards is equally likely. That is exact. Long histories of many
# unseen moves may take too many replays: after PATIENCE of them, SAMPLES replays that fit are weighed against each other
# instead, and one is drawn by its weight, which is even only in the limit of many samples.

HOW_MANY = 0
LEAST_LEFT = 1
MOST_LEFT = 2
LEAST_THERE = 3
MOST_THERE = 4
_PLAN = 5

PATIENCE = 600
SAMPLES = 16
#: After so many replays for the samples, those there are must do.
ENOUGH = 4_000
_CHANCES = 1 << 30


@helper
def _choose_n(n: int, k: int) -> float:
    """Return the number of sets of k out of n."""
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@helper
def _ways_of(cards: int, part: int) -> float:
    """Return in how many ways the physical cards of a part can be taken from a set."""
    ways = 1.0
    for lane in range(LANES):
        ways *= _choose_n(count(cards, lane), count(part, lane))
    return ways


@helper
def _ways(cards: int, least: int, most: int, n: int, table: Array) -> float:
    """Return in how many ways n physical cards can be taken, of each value between `least` and `most`.

    Args:
        table: (LANES + 1, MAX_MOVE + 1) float64: filled with the ways for the lanes from the l-th on, by number of cards.
    """
    for k in range(n + 1):
        table[LANES, k] = 1.0 if k == 0 else 0.0
    for lane in range(LANES - 1, -1, -1):
        there, low, high = count(cards, lane), count(least, lane), count(most, lane)
        high = min(high, there)
        if high == 0:
            for k in range(n + 1):
                table[lane, k] = table[lane + 1, k] if low == 0 else 0.0
            continue
        for k in range(n + 1):
            total = 0.0
            for c in range(low, min(high, k) + 1):
                total += _choose_n(there, c) * table[lane + 1, k - c]
            table[lane, k] = total
    return table[0, n]


@helper
def _allowed(cards: int, least: int, most: int) -> int:
    """Return the cards of a set that can be the one of a move, given the bounds."""
    if least != 0:
        return cards & (less(least, ONES) * 127)
    return cards & (less(most, ONES) * 127)


@helper
def _take_between(words: Array, cards: int, least: int, most: int, n: int, table: Array) -> int:
    """Return n cards, each way counted by `_ways` (which filled `table`) equally likely."""
    taken = 0
    left = n
    for lane in range(LANES):
        there, low, high = count(cards, lane), count(least, lane), count(most, lane)
        high = min(high, there, left)
        point = below(words, _CHANCES) / _CHANCES * table[lane, left]
        c = low
        point -= _choose_n(there, c) * table[lane + 1, left - c]
        while point >= 0.0 and c < high:
            c += 1
            point -= _choose_n(there, c) * table[lane + 1, left - c]
        taken += c << (lane * WIDTH)
        left -= c
    return taken


@helper
def _by_limit(state: State, limit: int) -> int:
    """Return how many cards of each value a total value (0: any) allows."""
    if limit == 0:
        return FULL
    cards = 0
    for lane in range(int(state.values_n)):
        cards += min(127, limit // int(state.values[lane])) << (lane * WIDTH)
    return cards


@helper
def _raise(most: int, cards: int) -> int:
    """Return an upper bound of a place's cards, raised by some cards; 64 and more of a value mean: any number."""
    return less(most, FULL - cards) + cards


@helper
def _lower(most: int, cards: int) -> int:
    """Return an upper bound of a place's cards, lowered by some cards; any number stays any number."""
    return minus(most, cards) | (((most & HALF) >> 6) * 127)


@helper
def _look_back(state: State, plan: Array, least: Array, most: Array) -> bool:
    """Fill the plan, from the last entry to the first; return whether anything is unknown at all.

    Args:
        least, most: (ZONES,) int64 scratch: what each place must hold, at least and at most, before the entries behind.
    """
    anything = False
    for place in range(ZONES):
        least[place] = 0
        most[place] = FULL
    for i in range(int(state.past_n) - 1, -1, -1):
        kind, place, to = int(state.past_kind[i]), int(state.past_from[i]), int(state.past_to[i])
        cards = int(state.past_cards[i])
        plan[HOW_MANY, i] = 0
        if kind == CHANGE:
            least[place] = minus(least[place] + losses(cards), gains(cards))
            most[place] = _lower(_raise(most[place], losses(cards)), gains(cards))
        elif kind == REQUIRE:
            least[place] = more(least[place], cards)
        elif kind == CHECK:
            if to == 0:
                most[place] = most[place] & (FULL - cards)
        elif unknown(cards) == 0:
            least[place] = least[place] + cards
            most[place] = _raise(most[place], cards)
            least[to] = minus(least[to], cards)
            most[to] = _lower(most[to], cards)
        else:
            anything = True
            n = unknown(cards)
            plan[HOW_MANY, i] = n
            plan[LEAST_LEFT, i] = least[place]
            plan[MOST_LEFT, i] = most[place]
            plan[LEAST_THERE, i] = least[to]
            plan[MOST_THERE, i] = most[to]
            most[place] = _raise(most[place], n * ONES)
            least[to] = minus(least[to], n * ONES)
    return anything


@helper
def _bounds(state: State, plan: Array, i: int, there: int, arrived: int) -> tuple[int, int]:
    """Return how many of each value a move may take at least and at most; the most is -1 if it cannot be made.

    Args:
        there, arrived: what the places it leaves and reaches hold.
    """
    least = more(minus(plan[LEAST_THERE, i], arrived), minus(there, plan[MOST_LEFT, i]))
    if not covers(there, plan[LEAST_LEFT, i]) or not covers(plan[MOST_THERE, i], arrived):
        return least, -1
    most = less(there - plan[LEAST_LEFT, i], plan[MOST_THERE, i] - arrived)
    most = less(most, _by_limit(state, int(state.past_limit[i])))
    n = plan[HOW_MANY, i]
    if not covers(most, least) or size(least) > n or size(most) < n:
        return least, -1
    return least, most


@helper
def _is_free(there: int, least: int, most: int, n: int) -> bool:
    """Return whether every n cards of a set are within the bounds."""
    return least == 0 and covers(most, less(there, n * ONES))


@helper
def _look_forward(state: State, seat: int, plan: Array, most: Array, there: Array, sizes: Array, table: Array) -> None:
    """Fill `most` for the moves that are unknown, and for the seat's own draws.

    Args:
        there, sizes: (ZONES,) int64 scratch: the most of each value that a place can hold, and how many cards it does hold.
    """
    for place in range(ZONES):
        there[place] = int(state.start[place])
        sizes[place] = size(int(state.start[place]))
    for i in range(int(state.past_n)):
        kind, place, to = int(state.past_kind[i]), int(state.past_from[i]), int(state.past_to[i])
        cards = int(state.past_cards[i])
        if kind == CHANGE:
            there[place] = minus(there[place] + gains(cards), losses(cards))
            sizes[place] += size(gains(cards)) - size(losses(cards))
        elif kind == CHECK and to == 0:
            there[place] = there[place] & (FULL - cards)
        elif kind == MOVE:
            n = size(cards)
            if unknown(cards) == 0:
                most[i] = _ways_of(there[place], cards) if place == PILE and to == seat else 1.0  # 1: a choice, not chance
                there[place] = minus(there[place], cards)
                there[to] = there[to] + cards
            else:
                most[i] = _most_ways(state, plan, i, there[place], there[to], sizes[place], table)
                there[to] = _raise(there[to], less(there[place], n * ONES))
            sizes[place] -= n
            sizes[to] += n


@helper
def _most_ways(state: State, plan: Array, i: int, there: int, arrived: int, among: int, table: Array) -> float:
    """Return a bound of the ways of a move, from the most that the places can hold and the number of cards it is among."""
    n = plan[HOW_MANY, i]
    least = minus(plan[LEAST_THERE, i], arrived)
    most = less(minus(there, plan[LEAST_LEFT, i]), plan[MOST_THERE, i])
    most = less(most, _by_limit(state, int(state.past_limit[i])))
    ways = _choose_n(among, n)
    if _is_free(there, least, most, n):
        return ways
    if n == 1:
        return min(ways, float(size(_allowed(there, least, most))))
    return min(ways, _ways(there, least, most, n, table))


@helper
def _kept(words: Array, ways: float, most: float, weighed: bool) -> float:
    """Return the weight of a move with so many ways; when replays are kept by chance, 1 or (not kept) 0."""
    if ways >= most:
        return 1.0
    if weighed:
        return ways / most
    return 1.0 if below(words, _CHANCES) < ways / most * _CHANCES else 0.0


@helper
def _move(state: State, plan: Array, most: Array, i: int, weighed: bool, table: Array) -> tuple[int, float]:
    """Return the cards of an unseen move in this replay, and their weight; 0 when it cannot be made or is not kept."""
    there = int(state.cards[int(state.past_from[i])])
    least, high = _bounds(state, plan, i, there, int(state.cards[int(state.past_to[i])]))
    if high < 0:
        return 0, 0.0
    n = plan[HOW_MANY, i]
    if _is_free(there, least, high, n):
        weight = _kept(state.random, _choose_n(size(there), n), most[i], weighed)
        return (take(state.random, there, n), weight) if weight > 0.0 else (0, 0.0)
    if n == 1:
        allowed = _allowed(there, least, high)
        weight = _kept(state.random, float(size(allowed)), most[i], weighed) if allowed != 0 else 0.0
        return (take(state.random, allowed, 1), weight) if weight > 0.0 else (0, 0.0)
    ways = _ways(there, least, high, n, table)
    weight = _kept(state.random, ways, most[i], weighed) if ways > 0.0 else 0.0
    if weight == 0.0:
        return 0, 0.0
    cards = _take_between(state.random, there, least, high, n, table)
    limit = int(state.past_limit[i])
    if limit > 0 and worth(cards, state.values) > limit:
        return 0, 0.0
    return cards, weight


@helper
def _replay(state: State, plan: Array, most: Array, weighed: bool, table: Array) -> float:
    """Go through the history once, drawing what is unknown.

    Args:
        weighed: False: the replay is kept by chance; True: it is given a weight.

    Returns:
        0 if it does not fit or is not kept, else 1 or its weight.
    """
    total = 1.0
    for place in range(ZONES):
        state.cards[place] = state.start[place]
    for i in range(int(state.past_n)):
        kind, place, to = int(state.past_kind[i]), int(state.past_from[i]), int(state.past_to[i])
        cards = int(state.past_cards[i])
        there = int(state.cards[place])
        if kind == CHANGE:
            if ((there + cards + GUARD) & GUARD) != GUARD:
                return 0.0
            state.cards[place] = there + cards
        elif kind == REQUIRE:
            if not covers(there, cards):
                return 0.0
        elif kind == CHECK:
            if (there & cards != 0) != (to == 1):
                return 0.0
        else:
            if plan[HOW_MANY, i] > 0:
                cards, weight = _move(state, plan, most, i, weighed, table)
                state.past_cards[i] = cards
            elif not covers(there, cards):
                return 0.0
            else:
                weight = _kept(state.random, _ways_of(there, cards), most[i], weighed) if most[i] > 1.0 else 1.0
            total *= weight
            if total == 0.0:
                return 0.0
            state.cards[place] = there - cards
            state.cards[to] = int(state.cards[to]) + cards
    return total


@helper
def _resample(state: State, plan: Array, most: Array, table: Array) -> None:
    """Leave one of several replays that fit, drawn by its weight."""
    kept = np.empty(HISTORY + ZONES, np.int64)
    total = 0.0
    fits, tries = 0, 0
    while fits < SAMPLES and (fits == 0 or tries < ENOUGH):
        tries += 1
        weight = _replay(state, plan, most, True, table)
        if weight > 0.0:
            fits += 1
            total += weight
            if below(state.random, _CHANCES) / _CHANCES * total < weight:
                for i in range(HISTORY):
                    kept[i] = state.past_cards[i]
                for place in range(ZONES):
                    kept[HISTORY + place] = state.cards[place]
    for i in range(HISTORY):
        state.past_cards[i] = kept[i]
    for place in range(ZONES):
        state.cards[place] = kept[HISTORY + place]


@helper
def _lay_unseen(state: State, seat: int) -> None:
    """Lay out what a seat has chosen for battles and not yet shown: any of its cards, every set equally likely."""
    if state.phase != PHASE_SEND or (int(state.revealed) >> seat) & 1:
        return
    battle = int(state.battle)
    for stake in range(battle):
        cards = take(state.random, int(state.cards[seat]), unknown(int(state.table[slot(seat, stake)])))
        state.table[slot(seat, stake)] = cards
        state.cards[seat] = int(state.cards[seat]) - cards
    if not (int(state.finished) >> seat) & 1:
        return
    hand = int(state.cards[seat])
    n = size(hand)
    fewest = least_to_send(state, n)
    point = 0.0
    for k in range(fewest, min(n, int(state.most_sent)) + 1):
        point += _choose_n(n, k)
    point *= below(state.random, _CHANCES) / _CHANCES
    k = fewest
    point -= _choose_n(n, k)
    while point >= 0.0 and k < min(n, int(state.most_sent)):
        k += 1
        point -= _choose_n(n, k)
    cards = take(state.random, hand, k)
    state.table[slot(seat, battle)] = cards
    state.cards[seat] = hand - cards


@compiled(STATE)
def imagine(state: State, seat: int, seed: Any) -> None:
    """Fill a redacted state with one world, drawn evenly from all that fit (see the head of this file)."""
    kernel.seed_words(state.random, seed)
    own = int(state.cards[seat])
    plan = np.empty((_PLAN, HISTORY), np.int64)
    most = np.empty(HISTORY, np.float64)
    low = np.empty(ZONES, np.int64)
    high = np.empty(ZONES, np.int64)
    table = np.empty((LANES + 1, MAX_MOVE + 1), np.float64)
    if _look_back(state, plan, low, high):
        _look_forward(state, seat, plan, most, low, high, table)
    else:
        most[:] = 1.0
    tries = 0
    while tries < PATIENCE and _replay(state, plan, most, False, table) == 0.0:
        tries += 1
    if tries == PATIENCE:
        _resample(state, plan, most, table)
    state.cards[seat] = own
    for other in range(int(state.seats)):
        if other != seat:
            _lay_unseen(state, other)
