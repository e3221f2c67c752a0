"""The history: what moved unseen, and what all have seen since, as far as it tells what is where.

At the start all hands are known, and nearly everything after it is seen by all. What is not, is remembered: `state.start` is
what all know to have lain in each place before the first unseen move, and the entries after it say, in order:

CHANGE    place, cards            cards left the place or came to it, seen by all (a set with negative lanes); it had them
REQUIRE   place, cards            the place held at least these (shown in battle, then taken back)
CHECK     place, values, 0 or 1   whether it held any card of these values (whether its owner was asked for one)
MOVE      from, to, cards         drawn at random or passed: seen by the owners of both places only
"""

from __future__ import annotations

import numpy as np

from engines.kernel import TELL_NOTHING, State, helper
from engines.valhalla.cards import ONES, covers, first_cards, gains, losses, minus, more, size
from engines.valhalla.state import HISTORY, MAX_MOVE, NONE, PILE, ZONES, slot

CHANGE = 0
REQUIRE = 1
CHECK = 2
MOVE = 3
GONE = 4  # on its way out


@helper
def _append(state: State, kind: int, origin: int, to: int, cards: int, limit: int) -> None:
    """Write an entry."""
    i = int(state.past_n)
    state.past_kind[i] = kind
    state.past_from[i] = origin
    state.past_to[i] = to
    state.past_cards[i] = cards
    state.past_limit[i] = limit
    state.past_n = i + 1


@helper
def _remove(state: State, index: int) -> None:
    """Take an entry out."""
    n = int(state.past_n) - 1
    for i in range(index, n):
        state.past_kind[i] = state.past_kind[i + 1]
        state.past_from[i] = state.past_from[i + 1]
        state.past_to[i] = state.past_to[i + 1]
        state.past_cards[i] = state.past_cards[i + 1]
        state.past_limit[i] = state.past_limit[i + 1]
    state.past_n = n
    _append(state, 0, 0, 0, 0, 0)
    state.past_n = n


@helper
def _make_room(state: State) -> None:
    """When the history is full, write it more briefly; if that does not help, begin it anew."""
    if int(state.past_n) >= HISTORY:
        tidy(state)
        if int(state.past_n) >= HISTORY:
            forget(state)


@helper
def tidy(state: State) -> None:
    """Write the history more briefly without changing what anyone can know.

    What all are sure of needs no entry; and what all are sure a place could lose, it may lose after cards have come to it.
    """
    sure = np.empty(ZONES, np.int64)
    for place in range(ZONES):
        sure[place] = int(state.start[place])
    for i in range(int(state.past_n)):
        kind, place = int(state.past_kind[i]), int(state.past_from[i])
        cards, known = int(state.past_cards[i]), int(sure[place])
        if kind == CHANGE:
            if covers(known, losses(cards)) and _put_off(state, i):
                state.past_kind[i] = GONE
            else:
                sure[place] = more(known, losses(cards)) + cards
        elif kind == REQUIRE:
            if covers(known, cards):
                state.past_kind[i] = GONE
            sure[place] = more(known, cards)
        elif kind == CHECK:
            if known & cards != 0:
                state.past_kind[i] = GONE
        else:
            sure[place] = minus(known, size(cards) * ONES)
    for i in range(int(state.past_n) - 1, -1, -1):
        if state.past_kind[i] == GONE:
            _remove(state, i)


@helper
def _put_off(state: State, i: int) -> bool:
    """Let a CHANGE happen with the place's next one, if only cards come to it in between; return whether it did."""
    place, change = int(state.past_from[i]), int(state.past_cards[i])
    after = i + 1
    while after < int(state.past_n):
        kind, mine = int(state.past_kind[after]), int(state.past_from[after]) == place
        if mine and kind == CHANGE:
            break
        if mine and kind in (MOVE, CHECK):
            return False
        after += 1
    if after == int(state.past_n):
        return False
    for j in range(i + 1, after):
        if state.past_kind[j] == REQUIRE and int(state.past_from[j]) == place:
            state.past_cards[j] = minus(int(state.past_cards[j]) + losses(change), gains(change))
    state.past_cards[after] = int(state.past_cards[after]) + change
    return True


@helper
def forget(state: State) -> None:
    """Begin the history anew: as if all cards out of sight had just been dealt, and everyone had seen their own.

    Every world that fitted still fits, but others do too. See the tests for how long a match must be to come to this.
    """
    for i in range(HISTORY):
        state.past_kind[i] = 0
        state.past_from[i] = 0
        state.past_to[i] = 0
        state.past_cards[i] = 0
        state.past_limit[i] = 0
    state.past_n = 0
    total = 0
    for place in range(ZONES):
        state.start[place] = 0
        total += out_of_sight(state, place)
    state.start[PILE] = total
    for place in range(ZONES):
        cards = out_of_sight(state, place) if place != PILE else 0
        while cards != 0:
            some = first_cards(cards, MAX_MOVE)
            _append(state, MOVE, PILE, place, some, 0)
            cards -= some


@helper
def out_of_sight(state: State, place: int) -> int:
    """Return what lies in a place; what a seat has chosen for battles and not shown belongs to its hand."""
    cards = int(state.cards[place])
    if place < int(state.seats) and not (int(state.revealed) >> place) & 1:
        for battle in range(int(state.battles)):
            cards += int(state.table[slot(place, battle)])
    return cards


# All of these are called just before the cards move.


@helper
def moved(state: State, origin: int, to: int, cards: int, limit: int) -> None:
    """Remember cards that go from one place to another, seen by the owners of the two only.

    Args:
        limit: the total value that they may have at most (0: any), which all know.
    """
    if state.telling != TELL_NOTHING:
        _make_room(state)
        _append(state, MOVE, origin, to, cards, limit)


@helper
def checked(state: State, place: int, values: int, there: bool) -> None:
    """Remember that all learn whether there is any card of these values (lanes of 127) in the place."""
    if state.telling == TELL_NOTHING:
        return
    for i in range(int(state.past_n)):
        if int(state.past_kind[i]) == MOVE and (int(state.past_from[i]) == place or int(state.past_to[i]) == place):
            _make_room(state)
            _append(state, CHECK, place, 1 if there else 0, values, 0)
            return


@helper
def changed(state: State, place: int, change: int) -> None:
    """Remember what comes to a place, or leaves it (negative), before the eyes of all.

    Changes since the last unseen move of the place are one entry, with a REQUIRE before it for what it must have held in
    between; before the first unseen move everything is known, and the change goes into `start`.
    """
    if state.telling == TELL_NOTHING or change == 0:
        return
    _make_room(state)
    at, before = NONE, NONE
    i = int(state.past_n) - 1
    while i >= 0:
        kind = int(state.past_kind[i])
        mine = int(state.past_from[i]) == place
        if mine and kind == CHANGE:
            at = i
        elif mine and kind == REQUIRE:
            before = i
        elif (mine and kind == CHECK) or (kind == MOVE and (mine or int(state.past_to[i]) == place)):
            break
        i -= 1
    if i < 0:
        state.start[place] = int(state.start[place]) + change
    elif at == NONE:
        _append(state, CHANGE, place, 0, change, 0)
    else:
        _merge(state, place, change, at, before)


@helper
def _merge(state: State, place: int, change: int, at: int, before: int) -> None:
    """Add a change to the entry `at`, keeping what the place must have held in the entry `before` or a new one."""
    total = int(state.past_cards[at]) + change
    needed = losses(int(state.past_cards[at]))
    if covers(losses(total), needed):
        state.past_cards[at] = total
    elif before != NONE:
        state.past_cards[before] = more(int(state.past_cards[before]), needed)
        state.past_cards[at] = total
        if total == 0:
            _remove(state, at)
    else:
        state.past_kind[at] = REQUIRE
        state.past_cards[at] = needed
        if total != 0:
            _append(state, CHANGE, place, 0, total, 0)
