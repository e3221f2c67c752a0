"""How playouts play Last Lemming: sensibly and fast, looking at one trick at a time.

A card is worth where its lemming would end if the trick were over with the cards on the table and this one. Of the cards
dealt, those go back that are worth least under the act's rule card.
"""

from __future__ import annotations

import numba

from engines.kernel import Array, State, below, helper, signatures
from engines.kernel import kernel as compiled
from engines.last_lemming.rules import index_of
from engines.last_lemming.state import (
    ACT_ACTIVATE,
    ACT_CHOOSE,
    ACT_PICK,
    ACT_PLAY,
    ACT_SIGN,
    ACT_WAY,
    BY_COUNT,
    BY_DIFFERENCE,
    BY_LOWEST,
    BY_PICKED,
    BY_PREVIOUS,
    BY_SECOND,
    BY_WINNER,
    CHOSEN,
    CHOSEN_OTHER,
    EITHER,
    EVERYONE,
    FALL,
    FIXED,
    FOLLOWERS,
    FOREMOST,
    HIGHEST,
    LINE,
    LONG,
    LOWEST,
    MAX_STEPS,
    MAX_VALUE,
    MINUS,
    NEXT_AHEAD,
    NEXT_BEHIND,
    NO_STEP,
    NONE,
    OFF_COLOUR,
    PHASE_ACTIVATE,
    PHASE_CHOOSE,
    PHASE_PICK,
    PHASE_PLAY,
    PHASE_PUT_BACK,
    PHASE_SIGN,
    PUT_BACK,
    REARMOST,
    SECOND,
    SHORT,
    STATE,
    STAYS,
    WINNER,
    X_PLAYERS,
    X,
)
from engines.last_lemming.steps import card_of, distance_of, foremost, rearmost, step_of
from engines.last_lemming.track import crosses_fork, end_of, jump_of, on_space, owner

#: Plies a seat after which a playout is cut and `payoffs` estimates: about an act, for the luck of later deals says nothing.
CUT = 0
CUT_A_SEAT = 10
#: One playout action in so many is any legal one.
WILD = 8
#: What a fall is worth, in spaces (the line is worth 0); what the winner's other powers are.
FALL_WORTH = -6
POWER_WORTH = 2
#: How much an X is worth keeping, as a value.
KEEP_X = 5


# --- what ends are worth ----------------------------------------------------------------------------------------------


@helper
def worth(end: int) -> int:
    """Return what standing at the end of a move is worth, in spaces."""
    if end == FALL:
        return FALL_WORTH
    return 0 if end == STAYS else end


@helper
def worth_of(state: State, place: int, n: int) -> int:
    """Return what a move of n spaces is worth, by the better way."""
    best = worth(end_of(state, place, n, LONG))
    if crosses_fork(state, place, n):
        best = max(best, worth(end_of(state, place, n, SHORT)))
    return best


# --- cards ------------------------------------------------------------------------------------------------------------


@helper
def read_table(state: State, seat: int, card: int, colour: int, factor: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return how the trick stands once a seat has played a card.

    Args:
        colour: the trick's.
        factor: 1 where the highest wins, -1 where the lowest does.

    Returns:
        The winner and its value, the second and its value, the last in the colour and its value (seats NONE, values 0 where
        there is none), how many cards of the colour there are, and how many seats still play.
    """
    winner, best, second, second_value, last, last_value = NONE, 0, NONE, 0, NONE, 0
    count = 0
    later = 0
    for other in range(int(state.seats)):
        played = card if other == seat else card_of(state, other)
        if played == NONE:
            later += 1
        elif played != X and int(state.colour[played]) == colour:
            value = int(state.value[played])
            count += 1
            if winner == NONE or value * factor > best * factor:
                second, second_value = winner, best
                winner, best = other, value
            elif second == NONE or value * factor > second_value * factor:
                second, second_value = other, value
            if last == NONE or value * factor < last_value * factor:
                last, last_value = other, value
    if last == winner:
        last, last_value = NONE, 0
    return winner, best, second, second_value, last, last_value, count, later


@helper
def worth_of_card(state: State, seat: int, card: int) -> int:
    """Return what playing a card is worth: where the own lemming ends if the trick is over with it, twice the spaces."""
    rule = state.rules[int(state.order[int(state.act)])]
    factor = -1 if rule.lowest_wins else 1
    colour = int(state.trick_colour)
    if colour == NONE:
        colour = int(state.colour[card])
    winner, best, second, second_value, last, last_value, count, later = read_table(state, seat, card, colour, factor)
    place = int(state.place[int(state.players[seat].active)])
    total = 2 * place
    if winner == NONE:  # only X so far: worth keeping for later, the less the fewer still play
        return total + later
    for i in range(MAX_STEPS):
        step = rule.steps[i]
        who = int(step.who)
        by = int(step.by)
        # Whether the step moves the own lemming.
        mine = who == EVERYONE
        if who == NO_STEP:
            break
        if who == WINNER:
            mine = winner == seat
        elif who == SECOND:
            mine = second == seat
        elif who == LOWEST:
            mine = last == seat and factor > 0
        elif who == HIGHEST:
            mine = last == seat and factor < 0
        elif who == X_PLAYERS:
            mine = card == X
        elif who == FOLLOWERS:
            mine = winner != seat and card != X and int(state.colour[card]) == colour
        elif who == OFF_COLOUR:
            mine = card != X and int(state.colour[card]) != colour
        elif who == REARMOST:
            mine = rearmost(state) == seat
        elif who == FOREMOST:
            mine = foremost(state) == seat
        elif who in (CHOSEN, CHOSEN_OTHER) and winner == seat:
            mine = who == CHOSEN
            total += POWER_WORTH
        if not mine:
            continue
        # How far.
        n = int(state.value[card])
        if by == FIXED:
            n = int(step.amount)
        elif by == BY_WINNER:
            n = best
        elif by == BY_SECOND:
            n = second_value
        elif by == BY_LOWEST:
            n = last_value if factor > 0 else 0
        elif by == BY_PICKED:
            n = max(n, best)
        elif by == BY_DIFFERENCE:
            n = best - second_value
        elif by == BY_COUNT:
            n = count
        elif by == BY_PREVIOUS:
            n = 0
            if seat != int(state.lead):
                n = int(state.value[card_of(state, seat - 1 if seat > 0 else int(state.seats) - 1)])
        # What the move is worth.
        if by in (NEXT_AHEAD, NEXT_BEHIND):
            to = jump_of(state, place, by)
            gain = worth(on_space(state, to)) - place if to != NONE else 0
        elif step.sign == MINUS:
            gain = worth_of(state, place, -n) - place
        else:
            gain = worth_of(state, place, n) - place
            if step.sign == EITHER:
                gain = max(gain, worth_of(state, place, -n) - place)
        if who == CHOSEN:
            gain = max(gain, 0)
        # Somebody who still plays may take the winner's place: half the gain for each.
        total += (2 * gain) >> later if who in (WINNER, SECOND, CHOSEN) and gain > 0 else 2 * gain
    return total


@helper
def keep(state: State, card: int) -> int:
    """Return how much a card is worth keeping: high ones, or low ones where the lowest wins."""
    if card == X:
        return KEEP_X
    value = int(state.value[card])
    return -value if state.rules[int(state.order[int(state.act)])].lowest_wins else value


@helper
def card_to_put_back(state: State, seat: int) -> int:
    """Return the next card of those worth keeping least, in falling order."""
    player = state.players[seat]
    last = int(player.put_last)
    wanted = PUT_BACK - int(player.put_n)
    cards = int(player.hand) & ((2 << last) - 1) if last < X else int(player.hand)
    spare_x = int(player.x) if last == X else 0
    # An X goes back first, if fewer than the wanted number cards are worth less.
    if spare_x > 0 and less_worth(state, cards, KEEP_X, X) < wanted:
        return X
    chosen = NONE
    bits = cards
    while bits:
        bit = bits & -bits
        card = index_of(bit)
        bits ^= bit
        if less_worth(state, cards, keep(state, card), card) + (spare_x if keep(state, card) > KEEP_X else 0) < wanted:
            chosen = card
    return chosen


@helper
def less_worth(state: State, cards: int, worth_keeping: int, card: int) -> int:
    """Return how many cards of a set are worth less than one; of equal ones the lower counts as less."""
    n = 0
    while cards:
        bit = cards & -cards
        other = index_of(bit)
        cards ^= bit
        value = keep(state, other)
        if value < worth_keeping or (value == worth_keeping and other < card):
            n += 1
    return n


# --- questions about moves --------------------------------------------------------------------------------------------


@helper
def worth_of_answer(state: State, seat: int, action: int) -> int:
    """Return what the answer to a question about a move is worth to a seat, in spaces."""
    phase = int(state.phase)
    if phase == PHASE_ACTIVATE:
        # The one further forward rests, and scores where it is.
        return -int(state.place[action - ACT_ACTIVATE])
    lemming = int(state.lemming)
    if phase == PHASE_CHOOSE:
        lemming = action - ACT_CHOOSE
    elif action < ACT_PICK and phase != PHASE_SIGN:
        lemming = int(state.asked)
    place = int(state.place[lemming])
    n = int(state.distance)
    if phase == PHASE_CHOOSE:
        step = step_of(state)
        if step.by in (NEXT_AHEAD, NEXT_BEHIND):
            to = jump_of(state, place, int(step.by))
            n = to - place if to != NONE else 0
        elif step.by == BY_PICKED:
            n = 3
        else:
            n = distance_of(state, step, owner(state, lemming))
        end = worth_of(state, place, n)
    elif phase == PHASE_PICK:
        end = worth_of(state, place, action - ACT_PICK - MAX_VALUE)
    elif phase == PHASE_SIGN:
        end = worth_of(state, place, -n if action - ACT_SIGN == MINUS else n)
    else:
        if state.chain_n > 0:
            n = 1 if n > 0 else -1
        end = worth(end_of(state, place, n, action - ACT_WAY))
    gain = end - max(place, LINE)
    return gain if owner(state, lemming) == seat else -gain


# --- the policies -----------------------------------------------------------------------------------------------------


@helper
def best_action(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the action worth most in this trick; of equal ones a random one of the first in a random rotation."""
    phase = int(state.phase)
    if phase == PHASE_PUT_BACK:
        return card_to_put_back(state, seat)
    start = below(words, n)
    best = int(legal[start])
    best_worth = -1000
    for i in range(n):
        action = int(legal[start + i - n if start + i >= n else start + i])
        if phase == PHASE_PLAY:
            value = worth_of_card(state, seat, action - ACT_PLAY)
        else:
            value = worth_of_answer(state, seat, action)
        if value > best_worth:
            best_worth = value
            best = action
    return best


@compiled(STATE)
def choose(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return a playout action: mostly the best of this trick, now and then any."""
    if n == 1:
        return int(legal[0])
    if below(words, WILD) == 0:
        return int(legal[below(words, n)])
    return best_action(state, seat, legal, n, words)


@numba.njit(signatures(STATE)["choose"], cache=True, nogil=True)
def greedy(state: State, seat: int, legal: Array, n: int, words: Array) -> int:
    """Return the best action of this trick by itself: the player of the rules file's "What play looks like"."""
    return int(best_action(state, seat, legal, n, words))


PLAYERS = {"greedy": greedy}
