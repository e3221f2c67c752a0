"""The track and the waiting line of Last Lemming: where moves end, whom they push, who falls.

Marks as in the rules file: [R] the rulebook, [I] our reading where it can be read in two ways, [C] printed material (data).
"""

from __future__ import annotations

from engines.kernel import ALL, State, helper, tell
from engines.last_lemming.state import (
    EITHER,
    EV_MOVED,
    EV_PUSHED,
    FALL,
    LEMMINGS,
    LINE,
    LONG,
    MINUS,
    NEXT_AHEAD,
    NONE,
    SHORT,
    STAYS,
)


@helper
def owner(state: State, lemming: int) -> int:
    """Return the seat that owns a lemming."""
    seats = int(state.seats)
    return lemming if lemming < seats else lemming - seats


@helper
def after(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < int(state.seats) else 0


@helper
def standing_on(state: State, space: int) -> int:
    """Return the lemming on a space of the track, NONE if it is free. [R] One lemming a space."""
    for lemming in range(LEMMINGS):
        if state.place[lemming] == space:
            return lemming
    return NONE


@helper
def to_line_end(state: State, lemming: int) -> None:
    """Append a lemming to the waiting line."""
    n = int(state.line_n)
    state.line[n] = lemming
    state.line_n = n + 1
    state.place[lemming] = LINE


@helper
def out_of_line(state: State, lemming: int) -> None:
    """Take a lemming out of the waiting line; those behind move up."""
    n = int(state.line_n)
    at = 0
    while state.line[at] != lemming:
        at += 1
    for i in range(at, n - 1):
        state.line[i] = state.line[i + 1]
    state.line[n - 1] = NONE
    state.line_n = n - 1


@helper
def crosses_fork(state: State, start: int, n: int) -> bool:
    """Return whether a move of n spaces crosses the fork, in either direction. [I] Both ways lead from `from` to `to`."""
    if state.fork_to == 0:
        return False
    if n > 0:
        return start <= int(state.fork_from) < start + n
    return n < 0 and start >= int(state.fork_to) > start + n


@helper
def on_space(state: State, space: int) -> int:
    """Return the end of a move that reaches a space. [R] Exactly on a hole: a fall. [I] Also where a lemming rests on it."""
    if space > int(state.spaces) or (int(state.holes) >> space) & 1:
        return FALL
    return space


@helper
def end_of(state: State, start: int, n: int, way: int) -> int:
    """Return where a move of n spaces from a place ends: a space, LINE, FALL or STAYS. [R] Only the end counts."""
    if n == 0:
        return start if start != LINE else STAYS
    if n < 0 and start == LINE:
        return LINE
    if way == LONG or not crosses_fork(state, start, n):
        to = start + n
    else:
        # [I] The short way is `fork_short` holes: whoever ends on one falls.
        holes = int(state.fork_short)
        if n > 0:
            past = start + n - int(state.fork_from)
            to = int(state.fork_to) + past - holes - 1
        else:
            past = int(state.fork_to) - start - n
            to = int(state.fork_from) - past + holes + 1
        if past <= holes:
            return FALL
    if to < 1:
        return LINE
    return on_space(state, to)


@helper
def jump_of(state: State, start: int, by: int) -> int:
    """Return the nearest occupied space ahead of or behind a place, else NONE. [I] From the line, none is behind."""
    best = NONE
    for lemming in range(LEMMINGS):
        there = int(state.place[lemming])
        if there > LINE:
            if by == NEXT_AHEAD:
                if there > start and (best == NONE or there < best):
                    best = there
            elif there < start and there > best:
                best = there
    return best


@helper
def ends_of(state: State, lemming: int, n: int) -> int:
    """Return the bit set of the ends that a move of n spaces can have, over its ways."""
    start = int(state.place[lemming])
    end = end_of(state, start, n, LONG)
    if end == STAYS and int(state.line[int(state.line_n) - 1]) == lemming:
        end = LINE
    ends = 1 << end
    if crosses_fork(state, start, n):
        ends |= 1 << end_of(state, start, n, SHORT)
    return ends


@helper
def ends_by_sign(state: State, lemming: int, n: int, sign: int) -> int:
    """Return the bit set of the ends of a move of n spaces over the signs a step allows, and its ways."""
    if sign == MINUS:
        return ends_of(state, lemming, -n)
    if sign == EITHER:
        return ends_of(state, lemming, n) | ends_of(state, lemming, -n)
    return ends_of(state, lemming, n)


@helper
def settle(state: State, lemming: int, end: int) -> None:
    """Add a lemming and the end of its move to the chain that is being worked out."""
    n = int(state.chain_n)
    state.chain[n] = lemming
    state.ends[n] = end
    state.chain_n = n + 1


@helper
def place_chain(state: State) -> None:
    """Place all lemmings of the chain. [I] Nothing is touched before all is worked out."""
    kind = EV_MOVED
    for i in range(int(state.chain_n)):
        lemming = int(state.chain[i])
        end = int(state.ends[i])
        start = int(state.place[lemming])
        paid = 0
        if start == LINE:
            out_of_line(state, lemming)
        if end == FALL:
            # [R] A fall: to the end of the line, and 1 VP back if the owner has one.
            player = state.players[owner(state, lemming)]
            if player.points > 0:
                player.points = int(player.points) - 1
                paid = 8
        if end in (FALL, LINE):
            to_line_end(state, lemming)
        else:
            state.place[lemming] = end
        tell(state, ALL, kind, lemming + paid, end, start)
        kind = EV_PUSHED
        state.chain[i] = NONE
        state.ends[i] = 0
    state.chain_n = 0
    state.lemming = NONE
    state.distance = 0
