"""What a seat of Last Lemming cannot know: forgetting it, and imagining it anew.

Hidden from a seat are the other hands, the cards others put back, the undealt cards and, when they are random, the rule
cards of later acts. What it knows of them: the cards it has seen, and that a seat that played off colour has held none of
the trick's colour since (`voids`), which binds the cards still in hand, neither those put back nor those played before.

Dealing is even over all ways to lay the unseen cards, X told apart, on the unseen places:

1. Seats that have shown voids draw first. Only how many cards of each colour go to them matters for the others, so *colour
   counts* are drawn: seats with equal voids form a group, groups draw one after the other from what is left, and the draw
   is accepted with the product of C(left, size) / C(most, size), `most` being the most cards a group could have found left.
   An accepted draw has every deal equally likely. With one group every draw is accepted.
2. After `TRIES` refused draws the counts are drawn by counting exactly: a table of the number of ways to fill what each
   group still needs from the colours still to come.
3. All the other places are filled from the shuffled rest.
"""

from __future__ import annotations

import numpy as np

from engines.kernel import Array, State, below, forget_header, helper, seed_words
from engines.kernel import kernel as compiled
from engines.last_lemming.rules import draw_rules, index_of
from engines.last_lemming.state import (
    ACTS,
    DEALT,
    MAX_COLOURS,
    MAX_NUMBERS,
    MAX_X,
    NONE,
    PHASE_PUT_BACK,
    PUT_BACK,
    STATE,
    TRICKS,
    X,
)

#: Draws of colour counts that may be refused before they are counted exactly.
TRIES = 64
#: Groups of seats with equal voids: at most the other seats.
MAX_GROUPS = 5
#: Classes of cards that voids tell apart: the colours, and X.
MAX_CLASSES = MAX_COLOURS + 1


@helper
def in_hand(state: State, seat: int) -> int:
    """Return how many cards a seat holds, from what everyone sees (12 while it puts back, 8 once it is ready)."""
    if state.phase == PHASE_PUT_BACK:
        return DEALT - PUT_BACK if state.players[seat].put_n == PUT_BACK else DEALT
    n = DEALT - PUT_BACK
    for trick in range(TRICKS):
        if state.tricks[trick].cards[seat] != NONE:
            n -= 1
    return n


@helper
def deal_unseen(state: State, seat: int, tries: int) -> None:
    """Deal the cards a seat has not seen to the other seats, evenly over all that fit the voids shown."""
    words = state.random
    pool = np.empty(MAX_NUMBERS + MAX_X, np.int8)
    n = gather(state, seat, pool)
    free = 0  # seats that have shown no void, or hold nothing that one could bind
    bound = 0
    for other in range(int(state.seats)):
        if other != seat:
            if state.players[other].voids and in_hand(state, other) > 0:
                bound |= 1 << other
            else:
                free |= 1 << other
    if bound:
        n = deal_bound(state, bound, pool, n, tries)
    k = 0
    for other in range(int(state.seats)):
        player = state.players[other]
        if (free >> other) & 1:
            k = take_hand(player, words, pool, k, n, in_hand(state, other))
        if other != seat and player.put_n == PUT_BACK:
            for _ in range(PUT_BACK):
                card = take(words, pool, k, n)
                k += 1
                if card == X:
                    player.away_x = int(player.away_x) + 1
                else:
                    player.away = int(player.away) | (1 << card)


@helper
def gather(state: State, seat: int, pool: Array) -> int:
    """Fill `pool` with the cards a seat has not seen, colour by colour, X last; return how many."""
    own = state.players[seat]
    numbers = int(state.colours) * int(state.per_colour)
    bits = ((1 << numbers) - 1) & ~(int(own.hand) | int(own.away) | int(state.shown))
    n = 0
    while bits:
        bit = bits & -bits
        pool[n] = index_of(bit)
        n += 1
        bits ^= bit
    for _ in range(int(state.x_cards) - int(own.x) - int(own.away_x) - int(state.shown_x)):
        pool[n] = X
        n += 1
    return n


@helper
def take(words: Array, pool: Array, k: int, n: int) -> int:
    """Move a random card of pool[k:n] to place k and return it."""
    j = k + below(words, n - k)
    card = int(pool[j])
    pool[j] = pool[k]
    pool[k] = card
    return card


@helper
def take_hand(player: State, words: Array, pool: Array, k: int, n: int, count: int) -> int:
    """Deal a hand of `count` random cards of pool[k:n]; return the new k."""
    hand = 0
    x = 0
    for _ in range(count):
        card = take(words, pool, k, n)
        k += 1
        if card == X:
            x += 1
        else:
            hand |= 1 << card
    player.hand = hand
    player.x = x
    return k


# --- hands bound by voids ---------------------------------------------------------------------------------------------


@helper
def deal_bound(state: State, bound: int, pool: Array, n: int, tries: int) -> int:
    """Deal the hands of the seats in the set `bound`; keep the other cards in `pool` and return how many they are."""
    words = state.random
    classes = int(state.colours) + 1
    # The groups, those with the fewest cards to choose from first.
    voids = np.empty(MAX_GROUPS, np.int64)
    need = np.empty(MAX_GROUPS, np.int64)
    counts = np.empty(MAX_CLASSES, np.int64)
    takes = np.empty((MAX_GROUPS, MAX_CLASSES), np.int64)
    count_classes(state, pool, n, counts, classes)
    groups = group(state, bound, counts, classes, voids, need)
    if not draw_counts(words, groups, voids, need, counts, classes, takes, tries):
        count_exactly(words, groups, voids, need, counts, classes, takes)
    # Each class is shuffled; groups take theirs from the front, the rest stays in the pool.
    cards = np.empty((MAX_GROUPS, MAX_NUMBERS + MAX_X), np.int8)
    dealt = np.zeros(MAX_GROUPS, np.int64)
    rest = 0
    first = 0
    for c in range(classes):
        last = first + int(counts[c])
        k = first
        for g in range(groups):
            for _ in range(int(takes[g, c])):
                cards[g, dealt[g]] = take(words, pool, k, last)
                dealt[g] += 1
                k += 1
        for i in range(k, last):
            pool[rest] = pool[i]
            rest += 1
        first = last
    for g in range(groups):
        k = 0
        for seat in range(int(state.seats)):
            if (bound >> seat) & 1 and int(state.players[seat].voids) == voids[g]:
                k = take_hand(state.players[seat], words, cards[g], k, int(dealt[g]), in_hand(state, seat))
    return rest


@helper
def count_classes(state: State, pool: Array, n: int, counts: Array, classes: int) -> None:
    """Fill `counts` with the number of cards of each colour, and of X, in pool[:n]."""
    for c in range(classes):
        counts[c] = 0
    for i in range(n):
        counts[classes - 1 if pool[i] == X else int(state.colour[int(pool[i])])] += 1


@helper
def group(state: State, bound: int, counts: Array, classes: int, voids: Array, need: Array) -> int:
    """Fill `voids` and `need` (cards wanted) by group, those with the smallest choice first; return how many groups."""
    groups = 0
    for seat in range(int(state.seats)):
        if not (bound >> seat) & 1:
            continue
        void = int(state.players[seat].voids)
        g = 0
        while g < groups and voids[g] != void:
            g += 1
        if g < groups:
            need[g] += in_hand(state, seat)
            continue
        g = groups
        groups += 1
        while g > 0 and choice(counts, classes, int(voids[g - 1])) > choice(counts, classes, void):
            voids[g] = voids[g - 1]
            need[g] = need[g - 1]
            g -= 1
        voids[g] = void
        need[g] = in_hand(state, seat)
    return groups


@helper
def choice(counts: Array, classes: int, void: int) -> int:
    """Return how many cards of the counted classes are of none of the void colours."""
    total = 0
    for c in range(classes):
        if not (void >> c) & 1:
            total += int(counts[c])
    return total


@helper
def draw_counts(
    words: Array, groups: int, voids: Array, need: Array, counts: Array, classes: int, takes: Array, tries: int
) -> bool:
    """Draw how many cards of each class go to each group, by drawing and refusing; return False after `tries` refusals."""
    left = np.empty(MAX_CLASSES, np.int64)
    most = np.empty(MAX_GROUPS, np.int64)
    for g in range(groups):
        most[g] = choice(counts, classes, int(voids[g]))
        for before in range(g):
            # Of an earlier group's cards at least this many are also of this group's choice.
            elsewhere = choice(counts, classes, int(voids[before])) - choice(counts, classes, int(voids[before] | voids[g]))
            most[g] -= max(0, int(need[before]) - elsewhere)
    for _ in range(tries):
        for c in range(classes):
            left[c] = counts[c]
        g = 0
        while g < groups and draw_group(words, int(voids[g]), int(need[g]), int(most[g]), left, classes, takes[g]):
            g += 1
        if g == groups:
            return True
    return False


@helper
def draw_group(words: Array, void: int, need: int, most: int, left: Array, classes: int, taken: Array) -> bool:
    """Draw a group's cards, by class, out of `left`; return False if the draw is refused."""
    found = choice(left, classes, void)
    if found < most:
        for i in range(need):
            if below(words, most - i) >= found - i:
                return False
    for c in range(classes):
        taken[c] = 0
    for i in range(need):
        r = below(words, found - i)
        c = 0
        while (void >> c) & 1 or r >= left[c]:
            if not (void >> c) & 1:
                r -= int(left[c])
            c += 1
        left[c] -= 1
        taken[c] += 1
    return True


@helper
def count_exactly(words: Array, groups: int, voids: Array, need: Array, counts: Array, classes: int, takes: Array) -> None:
    """Draw how many cards of each class go to each group, by counting all ways.

    ways[c, t] = the number of ways to fill what is still needed, numbered t, from the classes c and later:
    ways[c, t] = sum over takes k of class c of  counts[c]! / (k_1! .. k_g! (counts[c] - sum k)!)  *  ways[c + 1, t - k].
    """
    factorial = np.empty(MAX_NUMBERS + MAX_X + 1, np.float64)
    factorial[0] = 1.0
    for i in range(1, MAX_NUMBERS + MAX_X + 1):
        factorial[i] = factorial[i - 1] * i
    stride = np.empty(MAX_GROUPS, np.int64)
    total = 1
    for g in range(groups):
        stride[g] = total
        total *= int(need[g]) + 1
    ways = np.zeros((MAX_CLASSES + 1, total), np.float64)
    ways[classes, 0] = 1.0
    limit = np.empty(MAX_GROUPS, np.int64)
    k = np.empty(MAX_GROUPS, np.int64)
    for c in range(classes - 1, -1, -1):
        for t in range(total):
            set_limit(limit, t, c, groups, voids, need, stride)
            k[:] = 0
            more = True
            while more:
                ways[c, t] += orders(factorial, k, groups, int(counts[c])) * ways[c + 1, t - offset(k, groups, stride)]
                more = next_takes(k, limit, groups, int(counts[c]))
    t = total - 1
    for c in range(classes):
        set_limit(limit, t, c, groups, voids, need, stride)
        k[:] = 0
        r = fraction(words) * ways[c, t]
        more = True
        while more and r >= 0.0:
            weight = orders(factorial, k, groups, int(counts[c])) * ways[c + 1, t - offset(k, groups, stride)]
            if weight > 0.0:
                r -= weight
                for g in range(groups):
                    takes[g, c] = k[g]
            more = next_takes(k, limit, groups, int(counts[c]))
        for g in range(groups):
            t -= int(takes[g, c]) * int(stride[g])


@helper
def set_limit(limit: Array, t: int, c: int, groups: int, voids: Array, need: Array, stride: Array) -> None:
    """Fill `limit` with the most cards of class c each group can take when t numbers what they still need."""
    for g in range(groups):
        limit[g] = 0 if (int(voids[g]) >> c) & 1 else (t // int(stride[g])) % (int(need[g]) + 1)


@helper
def next_takes(k: Array, limit: Array, groups: int, most: int) -> bool:
    """Step to the next takes within the limits and together at most `most`; return False after the last."""
    total = 0
    for g in range(groups):
        total += int(k[g])
    for g in range(groups):
        if k[g] < limit[g] and total < most:
            k[g] += 1
            return True
        total -= int(k[g])
        k[g] = 0
    return False


@helper
def offset(k: Array, groups: int, stride: Array) -> int:
    """Return by how much takes lower the number of what is still needed."""
    total = 0
    for g in range(groups):
        total += int(k[g]) * int(stride[g])
    return total


@helper
def orders(factorial: Array, k: Array, groups: int, n: int) -> float:
    """Return the number of ways to give k[g] of n different cards to each group g."""
    ways = factorial[n]
    for g in range(groups):
        ways /= factorial[k[g]]
        n -= int(k[g])
    return float(ways / factorial[n])


@helper
def fraction(words: Array) -> float:
    """Return a random number in [0, 1) with 53 bits."""
    return (below(words, 1 << 26) * 134217728 + below(words, 1 << 27)) / 9007199254740992.0


# --- the kernels ------------------------------------------------------------------------------------------------------


@compiled(STATE)
def redact(state: State, seat: int) -> None:
    """Forget, in place, whatever a seat cannot know."""
    forget_header(state, seat)
    for other in range(int(state.seats)):
        if other == seat:
            continue
        player = state.players[other]
        player.hand = 0
        player.x = 0
        player.away = 0
        player.away_x = 0
        player.put_last = X
        if player.put_n < PUT_BACK:  # how far it has got is hidden until it is ready
            player.put_n = 0
    if not state.open_rules:
        for act in range(int(state.act) + 1, ACTS):
            state.order[act] = NONE


@compiled(STATE)
def imagine(state: State, seat: int, seed: object) -> None:
    """Fill a redacted state with one world, drawn evenly from all that fit what the seat has seen."""
    seed_words(state.random, seed)
    draw_rules(state, state.random)
    own = state.players[seat]
    if int(own.put_n) < PUT_BACK or own.away or own.away_x:  # else the act is over, and all cards are back
        deal_unseen(state, seat, TRIES)
