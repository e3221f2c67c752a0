"""How Valhalla Lemmings is played on below the tree: lose the three lowest cards, or fight for a Legend that sheds more.

`lowest` always sends its lowest cards, as many as it may; `greedy` sends its highest ones when a Legend on the table sheds at
least as many cards as losing would. Both are simple players to measure the search against.
"""

from __future__ import annotations

import numba

from engines.kernel import Array, State, below, helper, signatures
from engines.kernel import kernel as compiled
from engines.valhalla.cards import LANES, count, covers, first_cards, nth, size, worth
from engines.valhalla.state import (
    BY_TOTAL,
    BY_VALUE,
    CHOOSE,
    DECLINE,
    DO_DISCARD,
    DO_DOUBLE_LOSSES,
    DO_DRAW,
    DO_PASS,
    DO_REACTIVATE,
    DO_SHIELD,
    DO_STRENGTH,
    DONE,
    NAME,
    NONE,
    PHASE_CARDS,
    PHASE_SEND,
    PHASE_TARGET,
    PHASE_VALUE,
    PLACES,
    REACTIVATE,
    READY,
    STATE,
    TAKE,
    TAKE_BACK,
    TARGET,
    TO_EACH_WITH_FEWER,
    held,
    in_hand,
    slot,
    two,
)

#: Playouts go to the end of the match: it is short.
CUT = 0

#: What shedding one card is worth; the worth of Legends below is in the same unit.
CARD = 10
_DOUBLES = 10
_WEAKENS = 12
_CHOOSES_LAST = 8
_SHIELDS = 3
_AGAIN = 8
_OTHERS_DRAW = 9
#: Of eight playouts, in how many the highest cards are sent: for a Legend worth three cards, and for others.
_FIGHTS = 6
_FIGHTS_ANYWAY = 1

LOWEST = 0
GREEDY = 1
MIXED = 2


# --- what a Legend is worth -------------------------------------------------------------------------------------------


@helper
def _cheap_cards(state: State, cards: int, total: int) -> int:
    """Return the most cards of a set with no more than a total value: the lowest."""
    some = 0
    for n in range(1, size(cards) + 1):
        more = first_cards(cards, n)
        if worth(more, state.values) > total:
            break
        some = more
    return some


@helper
def legend_worth(state: State, seat: int, kind: int) -> int:
    """Return what a Legend is worth to a seat, in tenths of a card."""
    does, by, amount = int(state.does[kind]), int(state.by[kind]), int(state.amount[kind])
    cards = int(state.cards[seat])
    if does in (DO_DISCARD, DO_PASS):
        n = min(amount, size(cards))
        if by == BY_TOTAL:
            n = size(_cheap_cards(state, cards, amount))
        elif by == BY_VALUE:
            n = 0
            for lane in range(int(state.values_n)):
                n = max(n, count(cards, lane))
        if does == DO_PASS and int(state.whom[kind]) == TO_EACH_WITH_FEWER:
            n = min(size(cards), int(state.seats) // 2)
        # Cards shed by choice are the high ones, which battles hardly shed.
        return n * CARD + (n * CARD // 4 if by != BY_TOTAL else 0)
    if does == DO_DOUBLE_LOSSES:
        return _DOUBLES
    if does == DO_STRENGTH:
        return _WEAKENS if amount < 0 else 0
    if does == DO_DRAW:
        return _OTHERS_DRAW
    if does == DO_REACTIVATE:
        return _AGAIN
    return _SHIELDS if does == DO_SHIELD else _CHOOSES_LAST


@helper
def _best_offer(state: State, seat: int) -> int:
    """Return what the best Legend on the table (two players: of this battle) is worth to a seat."""
    if two(state):
        return legend_worth(state, seat, int(state.offer[int(state.battle)]))
    best = 0
    for i in range(int(state.offers)):
        if state.offer[i] != NONE:
            best = max(best, legend_worth(state, seat, int(state.offer[i])))
    return best


# --- choosing cards ---------------------------------------------------------------------------------------------------


@helper
def _send(state: State, seat: int, legal: Array, n: int, words: Array, style: int) -> int:
    """Return the next card for the battle: of the lowest ones together, or of the highest."""
    sent = int(state.table[slot(seat, int(state.battle))])
    hand = int(state.cards[seat])
    most = int(state.most_sent)
    if size(sent) == most or hand == 0:
        return DONE
    low = first_cards(hand + sent, most)
    fights = not covers(low, sent)
    if sent == 0 and style != LOWEST:
        good = _best_offer(state, seat) >= CARD * most
        if style == GREEDY:
            fights = good
        else:
            fights = below(words, 8) < (_FIGHTS if good else _FIGHTS_ANYWAY)
    rest = hand if fights else low - sent
    # Cards are sent in falling value: where others were sent before, not all that are wanted can follow.
    best = int(legal[n - 1])
    for i in range(n):
        action = int(legal[i])
        if action != DONE and count(rest, action - CHOOSE) > 0:
            best = action
    return best


@helper
def _pick(state: State, seat: int, legal: Array, n: int) -> int:
    """Return the next card for an effect: the highest, or, for a total value, of the most cards it allows."""
    kind = int(state.kind)
    if int(state.by[kind]) == BY_TOTAL:
        cards, picked = 0, 0
        for place in range(PLACES):
            if place == 0 or int(state.where[kind]) != 0 or two(state):
                cards += held(state, seat, place)
            picked += int(state.picked[place])
        rest = _cheap_cards(state, cards, int(state.amount[kind])) - picked
        lane = nth(rest, size(rest) - 1) if rest > 0 else NONE
        for i in range(n - 1):
            if (int(legal[i]) - CHOOSE) % LANES == lane:
                return int(legal[i])
    best = int(legal[0])
    for i in range(1, n - 1):
        if (int(legal[i]) - CHOOSE) % LANES > (best - CHOOSE) % LANES:
            best = int(legal[i])
    return best


# --- other decisions --------------------------------------------------------------------------------------------------


@helper
def _open_to(state: State, seat: int) -> bool:
    """Return whether no Shield is ready before a seat."""
    ready = 0
    for i in range(int(state.saga_n)):
        ready += int(state.saga_owner[i]) == seat and state.saga_state[i] == READY
    return ready == 0


@helper
def _aim(state: State, legal: Array, n: int) -> int:
    """Return the target nearest to having no cards, of those without a Shield if there are any."""
    best, fewest = int(legal[0]), 1 << 10
    for i in range(n):
        action = int(legal[i])
        if action != DECLINE:
            left = in_hand(state, action - TARGET) + (0 if _open_to(state, action - TARGET) else 100)
            if left < fewest:
                best, fewest = action, left
    return best


@helper
def _name(state: State, seat: int, legal: Array, n: int) -> int:
    """Return the value of which there are most cards."""
    cards = int(state.cards[seat])
    for place in range(1, PLACES):
        cards += held(state, seat, place)
    best, most = int(legal[0]), 0
    for i in range(n):
        action = int(legal[i])
        if action != DECLINE and count(cards, action - NAME) > most:
            best, most = action, count(cards, action - NAME)
    return best


@helper
def _best_legend(state: State, seat: int, legal: Array, n: int) -> int:
    """Return the Legend worth most: on the table, or to be activated again."""
    best, most = int(legal[n - 1]), -1
    for i in range(n):
        action = int(legal[i])
        if action == DECLINE:
            continue
        kind = action - TAKE
        if action >= REACTIVATE:
            kind = _kind_at(state, seat, action - REACTIVATE)
        value = legend_worth(state, seat, kind)
        if value > most:
            best, most = action, value
    return best


@helper
def _kind_at(state: State, seat: int, position: int) -> int:
    """Return the kind of the Legend at a position of a seat's Saga."""
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat:
            if position == 0:
                return int(state.saga_kind[i])
            position -= 1
    return 0


@helper
def _decide(state: State, seat: int, legal: Array, n: int, words: Array, style: int) -> int:
    """Return what a player of some style does."""
    phase = int(state.phase)
    if phase == PHASE_SEND:
        return _send(state, seat, legal, n, words, style) if legal[0] != TAKE_BACK else TAKE_BACK
    if phase == PHASE_CARDS:
        return _pick(state, seat, legal, n)
    if phase == PHASE_TARGET:
        return _aim(state, legal, n)
    if phase == PHASE_VALUE:
        return _name(state, seat, legal, n)
    return _best_legend(state, seat, legal, n)


@compiled(STATE)
def choose(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the action of the playout policy."""
    return _decide(state, seat, legal, n, words, MIXED)


_player = numba.njit(signatures(STATE)["choose"], cache=True, nogil=True)


@_player
def greedy(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the action of a simple player: lowest cards, or highest for a good Legend."""
    return _decide(state, seat, legal, n, words, GREEDY)


@_player
def lowest(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the action of a simple player that always sends its lowest cards."""
    return _decide(state, seat, legal, n, words, LOWEST)


PLAYERS = {"greedy": greedy, "lowest": lowest}
