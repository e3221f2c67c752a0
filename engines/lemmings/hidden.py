"""What a seat of Lemmings cannot know (`redact`), and worlds drawn evenly from all that fit what it knows (`imagine`).

Hidden from a seat: the others' roles, their hands, the order of the draw pile, and their answers in an open window.

Before the first reshuffle all unseen cards are alike: they may lie anywhere. At a reshuffle everybody learns more: the draw
pile is made of the discards, so what is in neither is in the hands ("kept" cards). From then on a card of the draw pile
cannot be a kept one, and a hand is part kept, part drawn. When somebody plays a card of a kind of which there were kept
and piled ones, nobody else knows which it was. Evenness here is over all dealings of the cards, of which a play shows any
one in the hand with the same chance; so the origins of the plays since the reshuffle are drawn by their weight in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines import kernel
from engines.kernel import Array, State, below, helper, mix, seed_words, shuffle_words
from engines.lemmings.rules import add_card, holds, insert
from engines.lemmings.state import (
    ANSWERED,
    FROM_BEFORE,
    FROM_PILE,
    KIND_OF,
    KINDS,
    LEMMINGS,
    MAX_DECK,
    NO_WAY,
    NONE,
    OVER,
    SAID_NO_WAY,
    SAID_PASS,
    STATE,
)

#: How many guesses at the origins of plays are weighed against each other (where there is any doubt).
GUESSES = 12
#: After so many guesses none of which fits, the cards are dealt as if there had been no reshuffle.
MOST_GUESSES = 4000

# The `left` of a guess: kept cards each seat still has (0-5), then these.
_OLD, _NEW, _DOUBT = 6, 7, 8

# --- roles and answers ------------------------------------------------------------------------------------------------


@helper
def imagine_roles(state: State, seat: int) -> None:
    """Deal the five other roles evenly to the other seats (and the box)."""
    free = ((1 << LEMMINGS) - 1) & ~(1 << int(state.players[seat].role))
    n = LEMMINGS - 1
    for other in range(int(state.seats)):
        if other != seat:
            skip = below(state.random, n)
            role = 0
            while not free >> role & 1 or skip > 0:
                skip -= free >> role & 1
                role += 1
            state.players[other].role = role
            free &= ~(1 << role)
            n -= 1


@helper
def imagine_answers(state: State, seat: int) -> None:
    """Give each unrevealed answer of others: of those their imagined hand allows, each equally likely."""
    for other in range(int(state.seats)):
        if state.players[other].answer == ANSWERED and other != seat:
            said = SAID_PASS
            if holds(state.players[other], NO_WAY) and below(state.random, 2):
                said = SAID_NO_WAY
            state.players[other].answer = said


# --- cards ------------------------------------------------------------------------------------------------------------


@helper
def imagine_cards(state: State, seat: int, seed: Any) -> None:
    """Deal the unseen cards to the other hands and the draw pile, evenly over all dealings that fit."""
    old = np.zeros(KINDS, np.int64)
    new = np.zeros(KINDS, np.int64)
    left = np.zeros(9, np.int64)
    _count_unseen(state, seat, old, new)
    kept = 0
    for other in range(int(state.seats)):
        if other != seat:
            kept += int(state.players[other].kept_n)
    if kept:
        _guess_origins(state, seat, seed, old, new, left)
    else:
        _remove_plays(state, seat, new)
    _deal_kept(state, seat, old, left)
    _deal_drawn(state, seat, new, left)


@helper
def _count_unseen(state: State, seat: int, old: Array, new: Array) -> None:
    """Count kept cards (`old`) and cards off the present pile (`new`) of unknown place, the plays of others included."""
    for kind in range(KINDS):
        new[kind] = state.pile[kind]
        old[kind] = int(state.copies[kind]) - int(state.pile[kind])
    # Off the pile came what the seat has had since, less what it had kept.
    for i in range(int(state.players[seat].hand_n)):
        new[state.players[seat].hand[i]] -= 1
    for i in range(int(state.players[seat].kept_n)):
        kind = int(state.players[seat].kept[i])
        old[kind] -= 1
        new[kind] += 1
    for i in range(_entries(state)):
        kind, source = _entry(state, i)
        if source == FROM_BEFORE:
            old[kind] -= 1
        elif source == FROM_PILE or source >> 3 == seat:
            new[kind] -= 1


@helper
def _entries(state: State) -> int:
    """Return how many cards lie on the discards and on the table."""
    n = int(state.discards_n)
    if state.effect != NONE:
        n += 1 + int(state.no_ways) + int(state.shown_n)
    return n


@helper
def _entry(state: State, i: int) -> tuple[int, int]:
    """Return kind and source (see `state.py`) of the i-th card of the discards, then of the table, in order."""
    n = int(state.discards_n)
    if i < n:
        return int(state.discards[i]), int(state.discards_from[i])
    i -= n
    n = int(state.no_ways)
    stale = state.stale == 1
    if i == 0:
        return int(KIND_OF[int(state.effect)]), FROM_BEFORE if stale else int(state.turn) * 8 + int(state.table_held)
    if i <= n:
        return NO_WAY, FROM_BEFORE if stale else int(state.no_way_by[i - 1]) * 8 + int(state.no_way_held[i - 1])
    i -= n + 1
    return int(state.shown[i]), FROM_BEFORE if i < state.stale_shown else FROM_PILE


@helper
def _remove_plays(state: State, seat: int, new: Array) -> None:
    """Take the other seats' plays out of the count, all off the pile."""
    for i in range(_entries(state)):
        kind, source = _entry(state, i)
        if source >= 0 and source >> 3 != seat:
            new[kind] -= 1


@helper
def _guess_origins(state: State, seat: int, seed: Any, old: Array, new: Array, left: Array) -> None:
    """Draw which plays of others since the reshuffle were kept cards; take the plays out of the counts.

    Guesses are made play by play; how well each fits is its weight, and a Metropolis walk over them (each proposed
    independently of the last) draws one by weight. A guess can be made again from its number.
    """
    words = np.empty(4, np.uint64)
    old_then, new_then = old.copy(), new.copy()
    chosen, weight, guess = 0, 0.0, 0
    while guess < GUESSES or (weight == 0.0 and guess < MOST_GUESSES):
        seed_words(words, mix(seed, guess))
        old[:] = old_then
        new[:] = new_then
        fit = _guess(state, seat, words, old, new, left, False)
        if fit > 0.0 and _unit(state.random) * weight < fit:
            chosen, weight = guess, fit
        if left[_DOUBT] == 0:
            break
        guess += 1
    old[:] = old_then
    new[:] = new_then
    if weight > 0.0:
        seed_words(words, mix(seed, chosen))
        _guess(state, seat, words, old, new, left, True)
        return
    for kind in range(KINDS):
        new[kind] += old[kind]
        old[kind] = 0
    left[:] = 0
    _remove_plays(state, seat, new)


@helper
def _unit(words: Array) -> float:
    """Return a random number in [0, 1)."""
    return below(words, 1 << 30) / float(1 << 30)


@helper
def _guess(state: State, seat: int, words: Array, old: Array, new: Array, left: Array, keep: bool) -> float:
    """Guess the origin of each play in turn, given the guesses before; return the chance of the kinds that were seen.

    Args:
        old, new: counts of unknown cards, from which the plays are taken.
        left: filled with the kept cards each seat still holds, and whether there was any doubt.
        keep: write the plays that are guessed to be kept cards into their seats' `kept`, from its end.
    """
    left[:] = 0
    for other in range(int(state.seats)):
        if other != seat:
            left[other] = state.players[other].kept_n
            left[_OLD] += left[other]
    for kind in range(KINDS):
        left[_NEW] += new[kind]
    weight = 1.0
    for i in range(_entries(state)):
        kind, source = _entry(state, i)
        who = source >> 3
        if source < 0 or who == seat:
            continue
        # Of `held` cards left[who] are kept ones; each is any of the unknown kept, or unknown piled, cards.
        from_old = from_new = 0.0
        if old[kind] > 0:
            from_old = left[who] * old[kind] / float(left[_OLD])
        if new[kind] > 0:
            from_new = ((source & 7) - left[who]) * new[kind] / float(left[_NEW])
        if from_old > 0.0 and from_new > 0.0:
            left[_DOUBT] = 1
            is_old = _unit(words) * (from_old + from_new) < from_old
        else:
            is_old = from_old > 0.0
        weight *= from_old + from_new
        if weight <= 0.0:
            return 0.0
        if is_old:
            if keep:
                state.players[who].kept[left[who] - 1] = kind
            old[kind] -= 1
            left[who] -= 1
            left[_OLD] -= 1
        else:
            new[kind] -= 1
            left[_NEW] -= 1
    return weight


@helper
def _deal_kept(state: State, seat: int, old: Array, left: Array) -> None:
    """Deal the kept cards that are still held to the other seats, which then hold nothing else yet."""
    cards = np.empty(MAX_DECK, np.int8)
    n = _lay_out(old, cards)
    shuffle_words(state.random, cards, n)
    for other in range(int(state.seats)):
        if other == seat:
            continue
        player = state.players[other]
        wanted = int(player.hand_n)
        player.hand_n = 0
        for i in range(int(left[other])):
            n -= 1
            add_card(player, int(cards[n]))
            player.kept[i] = cards[n]
        # How many cards off the pile the hand wants, for `_deal_drawn`.
        left[other] = wanted - int(left[other])
        for i in range(1, int(player.kept_n)):
            insert(player.kept, i, int(player.kept[i]))


@helper
def _deal_drawn(state: State, seat: int, new: Array, left: Array) -> None:
    """Shuffle the cards off the pile, deal each hand what it wants, and leave the rest as the draw pile."""
    n = _lay_out(new, state.deck)
    shuffle_words(state.random, state.deck, n)
    for other in range(int(state.seats)):
        if other == seat:
            continue
        for _ in range(int(left[other])):
            n -= 1
            add_card(state.players[other], int(state.deck[n]))
            state.deck[n] = 0


@helper
def _lay_out(counts: Array, cards: Array) -> int:
    """Write out cards by how many there are of each kind; return how many."""
    n = 0
    for kind in range(KINDS):
        for _ in range(int(counts[kind])):
            cards[n] = kind
            n += 1
    return n


# --- the kernels ------------------------------------------------------------------------------------------------------


@kernel.kernel(STATE)
def redact(state: State, seat: int) -> None:
    """Forget what the seat cannot know; at the end all hands, roles and the pile are open."""
    kernel.forget_header(state, seat)
    over = state.phase == OVER
    if not over:
        for i in range(MAX_DECK):
            state.deck[i] = 0
    for other in range(int(state.seats)):
        if other == seat:
            continue
        player = state.players[other]
        player.kept[:] = 0
        if over:
            continue
        player.hand[:] = 0
        player.role = NONE
        if player.answer >= ANSWERED:
            player.answer = ANSWERED


@kernel.kernel(STATE)
def imagine(state: State, seat: int, seed: Any) -> None:
    """Fill a redacted state with one world, each that fits equally likely."""
    seed_words(state.random, seed)
    if state.phase == OVER:
        return
    imagine_roles(state, seat)
    imagine_cards(state, seat, seed)
    imagine_answers(state, seat)
