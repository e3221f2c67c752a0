"""Cards as counts: a set of Village cards is one int64 that holds how many there are of each value.

lane    0 .. 6   how many cards of the edition's lane-th value, lowest value first; 8 bits each, at most 127
lane    7        cards that are there but not known (in a redacted state), at most 127

Sets are added and subtracted like numbers. A change may have negative lanes; it is the same sum of lanes then.
"""

from __future__ import annotations

from typing import Any

from engines.kernel import Array, below, helper

#: The most distinct values of Village cards.
LANES = 7
WIDTH = 8
#: Where the count of unknown cards is.
UNKNOWN = LANES * WIDTH
#: In every lane of known cards: 1, the most (127), the bit above, and half (added to a change, so that no lane is negative).
ONES = 0x01010101010101
FULL = 0x7F7F7F7F7F7F7F
GUARD = 0x80808080808080
HALF = 0x40404040404040
#: The most cards of one value, so that changes stay within a lane, and of all together.
MAX_OF_A_VALUE = 63
MAX_CARDS = 127

_ADD_LANES = 0x0101010101010101


@helper
def one(lane: int) -> int:
    """Return the set of one card of a value."""
    return 1 << (lane * WIDTH)


@helper
def count(cards: int, lane: int) -> int:
    """Return how many cards of a value are in the set."""
    return (cards >> (lane * WIDTH)) & 127


@helper
def size(cards: int) -> int:
    """Return how many cards there are, unknown ones included."""
    return ((int(cards) * _ADD_LANES) >> UNKNOWN) & 255


@helper
def unknown(cards: int) -> int:
    """Return how many unknown cards there are."""
    return (cards >> UNKNOWN) & 127


@helper
def hide(cards: int) -> int:
    """Return the same number of cards, all unknown."""
    return size(cards) << UNKNOWN


@helper
def covers(cards: int, part: int) -> bool:
    """Return whether the set holds the part."""
    return ((cards | GUARD) - part) & GUARD == GUARD


@helper
def more(a: int, b: int) -> int:
    """Return the larger count of every value."""
    above = ((a | GUARD) - b) & GUARD
    mask = above - (above >> 7)
    return (a & mask) | (b & (FULL ^ mask))


@helper
def less(a: int, b: int) -> int:
    """Return the smaller count of every value."""
    above = ((a | GUARD) - b) & GUARD
    mask = above - (above >> 7)
    return (b & mask) | (a & (FULL ^ mask))


@helper
def minus(a: int, b: int) -> int:
    """Return what is in the first set beyond the second."""
    return more(a, b) - b


@helper
def gains(change: int) -> int:
    """Return the positive lanes of a change."""
    return minus(change + HALF, HALF)


@helper
def losses(change: int) -> int:
    """Return the negative lanes of a change, as a set."""
    return minus(HALF, change + HALF)


@helper
def up_to(lane: int) -> int:
    """Return the mask of the lanes up to and with this one."""
    return (1 << ((lane + 1) * WIDTH)) - 1


@helper
def worth(cards: int, values: Array) -> int:
    """Return the total value of a set of known cards.

    Args:
        values: the value of each lane.
    """
    total = 0
    lane = 0
    while cards:
        total += (cards & 127) * int(values[lane])
        cards >>= WIDTH
        lane += 1
    return total


@helper
def first_cards(cards: int, n: int) -> int:
    """Return the n lowest cards of a set, or all of fewer."""
    some = 0
    for lane in range(LANES):
        c = min(count(cards, lane), n)
        some += c << (lane * WIDTH)
        n -= c
    return some


@helper
def nth(cards: int, n: int) -> int:
    """Return the lane of the n-th card of a set, the cards laid out in rising value."""
    lane = 0
    n -= cards & 127
    while n >= 0:
        cards >>= WIDTH
        lane += 1
        n -= cards & 127
    return lane


@helper
def take(words: Array, cards: int, n: int) -> int:
    """Return n cards of a set, every set of n physical cards equally likely.

    Args:
        words: a generator's four words.
        n: at most `size(cards)`.
    """
    taken = 0
    left = size(cards)
    for _ in range(n):
        card = one(nth(cards, below(words, left)))
        cards -= card
        taken += card
        left -= 1
    return taken


def pack(counts: dict[int, int], values: Any) -> int:
    """Return the set of a mapping from value to count; `values` are the edition's, rising."""
    ordered = list(values)
    return sum(n << (ordered.index(value) * WIDTH) for value, n in counts.items())
