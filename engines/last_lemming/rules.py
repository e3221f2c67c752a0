"""The rules of Last Lemming as kernels, in the order of the rulebook.

Marks as in the rules file: [R] the rulebook, [I] our reading where it can be read in two ways, [C] printed material (data).
"""

from __future__ import annotations

import numpy as np

from engines.kernel import ALL, Array, State, below, draw, helper, see, size, tell
from engines.kernel import kernel as compiled
from engines.last_lemming.state import (
    ACT_ACTIVATE,
    ACT_CHOOSE,
    ACT_PICK,
    ACT_PLAY,
    ACT_PUT_BACK,
    ACT_SIGN,
    ACT_WAY,
    ACTS,
    BY_COUNT,
    BY_DIFFERENCE,
    BY_LOWEST,
    BY_OWN,
    BY_PICKED,
    BY_PREVIOUS,
    BY_SECOND,
    BY_WINNER,
    CHOSEN,
    CHOSEN_OTHER,
    DEALT,
    EITHER,
    EV_ACTIVATED,
    EV_CHOSE,
    EV_DEALT,
    EV_ENDED,
    EV_FIRST,
    EV_MOVED,
    EV_PICKED,
    EV_PLAYED,
    EV_PUSHED,
    EV_PUT_BACK,
    EV_READY,
    EV_RULE_CARD,
    EV_SCORED,
    EV_SIGNED,
    EV_WENT,
    EV_WON,
    EVERYONE,
    FALL,
    FIXED,
    FOLLOWERS,
    FOREMOST,
    HIGHEST,
    LEMMINGS,
    LINE,
    LONG,
    LOWEST,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_STEPS,
    MAX_VALUE,
    MAX_X,
    MINUS,
    NEXT_AHEAD,
    NEXT_BEHIND,
    NO_STEP,
    NONE,
    OFF_COLOUR,
    OUT,
    PHASE_ACTIVATE,
    PHASE_CHOOSE,
    PHASE_OVER,
    PHASE_PICK,
    PHASE_PLAY,
    PHASE_PUT_BACK,
    PHASE_SIGN,
    PHASE_WAY,
    PLUS,
    PUT_BACK,
    REARMOST,
    SECOND,
    SHORT,
    STATE,
    STAYS,
    TRICKS,
    WINNER,
    X_PLAYERS,
    X,
)

# The lowest bit of a set below 2**62, modulo 67, names its index: 2 is a primitive root of 67.
_INDEX = np.zeros(67, np.int64)
for _i in range(62):
    _INDEX[(1 << _i) % 67] = _i


@helper
def index_of(bit: int) -> int:
    """Return the index of a set of exactly one bit, below 2**62."""
    return int(_INDEX[bit % 67])


@helper
def suit(state: State, colour: int) -> int:
    """Return the bit set of all number cards of a colour."""
    n = int(state.per_colour)
    return ((1 << n) - 1) << (colour * n)


@helper
def card_of(state: State, seat: int) -> int:
    """Return the card a seat has played in the present trick, NONE if it has not."""
    return int(state.tricks[int(state.trick)].cards[seat])


@helper
def value_of(state: State, seat: int) -> int:
    """Return the value of a seat's card in the present trick; 0 for an X and for nobody (NONE)."""
    if seat == NONE:
        return 0
    return int(state.value[card_of(state, seat)])


@helper
def after(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < int(state.seats) else 0


@helper
def owner(state: State, lemming: int) -> int:
    """Return the seat that owns a lemming."""
    seats = int(state.seats)
    return lemming if lemming < seats else lemming - seats


# --- the track and the waiting line -----------------------------------------------------------------------------------


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
    """Return where a move of n spaces from a place ends: a space, LINE, FALL or STAYS. [R] Made in full; only the end counts."""
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
    """Return the nearest occupied space ahead of or behind a place, NONE if there is none. [I] From the line, none is behind."""
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
        if end == FALL or end == LINE:
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


# --- setup and acts ---------------------------------------------------------------------------------------------------


@helper
def draw_rules(state: State, words: Array) -> None:
    """Fill the unknown places of `order` with different rule cards good for this many seats, evenly."""
    used = 0
    for act in range(ACTS):
        if state.order[act] != NONE:
            used |= 1 << int(state.order[act])
    for act in range(ACTS):
        if state.order[act] != NONE:
            continue
        free = 0
        for rule in range(int(state.rule_n)):
            if rule_fits(state, rule) and not (used >> rule) & 1:
                free += 1
        skip = below(words, free)
        for rule in range(int(state.rule_n)):
            if rule_fits(state, rule) and not (used >> rule) & 1:
                if skip == 0:
                    state.order[act] = rule
                    used |= 1 << rule
                    break
                skip -= 1


@helper
def rule_fits(state: State, rule: int) -> bool:
    """Return whether a rule card is good for this many seats."""
    return (int(state.rules[rule].players) >> int(state.seats)) & 1 == 1


@helper
def begin_act(state: State) -> None:
    """Begin an act: rule card, track, deal."""
    act = int(state.act)
    seats = int(state.seats)
    # 1. [R] Reveal the rule card; turn the track pieces to its sides.
    tell(state, ALL, EV_RULE_CARD, act, int(state.order[act]), 0)
    sides = int(state.rules[int(state.order[act])].sides)
    holes = 0
    for piece in range(MAX_PIECES):
        holes |= int(state.piece_holes[piece, (sides >> piece) & 1])
    state.holes = holes
    # 2. [R] Deal 12 cards to everyone from the shuffled pile.
    pile = np.empty(MAX_NUMBERS + MAX_X, np.int8)
    numbers = int(state.colours) * int(state.per_colour)
    n = numbers + int(state.x_cards)
    for i in range(n):
        pile[i] = i if i < numbers else X
    k = 0
    for seat in range(seats):
        player = state.players[seat]
        hand = 0
        x = 0
        for _ in range(DEALT):
            j = k + draw(state, n - k)
            card = int(pile[j])
            pile[j] = pile[k]
            k += 1
            if card == X:
                x += 1
            else:
                hand |= 1 << card
        player.hand = hand
        player.x = x
        player.away = 0
        player.away_x = 0
        player.put_n = 0
        player.put_last = X
        player.voids = 0
        tell(state, 1 << seat, EV_DEALT, seat, 0, 0)
        see(state, 1 << seat, hand)
        see(state, 1 << seat, x)
    # 3. [R] Everyone puts back 4, at the same time.
    state.phase = PHASE_PUT_BACK
    state.turn = NONE
    # 4. [R] The player at the very front of the line leads the first trick.
    state.lead = owner(state, int(state.line[0]))
    state.trick = 0
    state.trick_colour = NONE
    state.shown = 0
    state.shown_x = 0
    for i in range(TRICKS):
        trick = state.tricks[i]
        trick.lead = NONE
        trick.winner = NONE
        for seat in range(LEMMINGS):
            trick.cards[seat] = NONE
    forget_roles(state)


@helper
def forget_roles(state: State) -> None:
    """Forget what the cards of the last trick meant."""
    state.winner = NONE
    state.second = NONE
    state.low = NONE
    state.high = NONE
    state.x_players = 0
    state.followers = 0
    state.off_colour = 0
    state.count = 0
    state.step = NONE
    state.todo = 0


# --- what is legal --------------------------------------------------------------------------------------------------------


@helper
def legal_put_back(state: State, seat: int, out: Array) -> int:
    """Fill `out` with the cards a seat may put back: in falling order, so that every set is reached once."""
    player = state.players[seat]
    last = int(player.put_last)
    rest = PUT_BACK - 1 - int(player.put_n)
    if rest < 0:
        return 0
    n = 0
    lower = 0
    bits = int(player.hand)
    while bits:
        bit = bits & -bits
        card = index_of(bit)
        if card > last:
            return n
        if lower >= rest:
            out[n] = ACT_PUT_BACK + card
            n += 1
        lower += 1
        bits ^= bit
    if last == X and player.x > 0 and lower + int(player.x) - 1 >= rest:
        out[n] = ACT_PUT_BACK + X
        n += 1
    return n


@helper
def playable(state: State, seat: int) -> int:
    """Return the bit set of the number cards a seat may play. [R] Follow the trick's colour if possible; an X always may."""
    hand = int(state.players[seat].hand)
    if state.trick_colour != NONE:
        follow = hand & suit(state, int(state.trick_colour))
        if follow:
            return follow
    return hand


@helper
def legal_play(state: State, seat: int, out: Array) -> int:
    """Fill `out` with the cards a seat may play."""
    n = 0
    bits = playable(state, seat)
    while bits:
        bit = bits & -bits
        out[n] = ACT_PLAY + index_of(bit)
        n += 1
        bits ^= bit
    if state.players[seat].x > 0:
        out[n] = ACT_PLAY + X
        n += 1
    return n


@helper
def may_choose(state: State, seat: int) -> bool:
    """Return whether the trick winner may choose the active lemming of a seat in this step."""
    return seat != int(state.winner) or step_of(state).who != CHOSEN_OTHER


@helper
def offers_value(state: State, seat: int) -> bool:
    """Return whether a seat's card adds a value that can be picked: a number, not offered by a seat before."""
    card = card_of(state, seat)
    if card == X:
        return False
    for other in range(seat):
        if card_of(state, other) != X and value_of(state, other) == value_of(state, seat):
            return False
    return True


# --- a trick ----------------------------------------------------------------------------------------------------------

# Where `run` goes on: the five things that can be asked about a move come in this order.
FROM_MOVER = 0
FROM_VALUE = 1
FROM_SIGN = 2
FROM_WAY = 3
FROM_PUSH = 4


@helper
def begin_trick(state: State) -> None:
    """Let the leader play to the next trick."""
    state.phase = PHASE_PLAY
    state.turn = state.lead
    state.trick_colour = NONE
    state.tricks[int(state.trick)].lead = state.lead


@helper
def play_card(state: State, seat: int, card: int) -> None:
    """Lay one card down."""
    player = state.players[seat]
    if card == X:
        player.x = int(player.x) - 1
        state.shown_x = int(state.shown_x) + 1
    else:
        player.hand = int(player.hand) ^ (1 << card)
        state.shown = int(state.shown) | (1 << card)
        # [R] The first number card sets the trick's colour; whoever plays another has none of it.
        colour = int(state.colour[card])
        if state.trick_colour == NONE:
            state.trick_colour = colour
        elif colour != int(state.trick_colour):
            player.voids = int(player.voids) | (1 << int(state.trick_colour))
    state.tricks[int(state.trick)].cards[seat] = card
    tell(state, ALL, EV_PLAYED, seat, card, 0)


@helper
def read_trick(state: State) -> None:
    """Fix the roles that come from the cards. [I] They do not change while the steps are carried out."""
    followers = 0
    off = 0
    crosses = 0
    for seat in range(int(state.seats)):
        card = card_of(state, seat)
        if card == X:
            crosses |= 1 << seat
        elif state.colour[card] == state.trick_colour:
            followers |= 1 << seat
        else:
            off |= 1 << seat
    state.x_players = crosses
    state.off_colour = off
    state.count = size(followers)
    lowest_wins = int(state.rules[int(state.order[int(state.act)])].lowest_wins)
    winner = extreme(state, followers, lowest_wins)
    if winner == NONE:
        return
    followers ^= 1 << winner
    state.winner = winner
    state.followers = followers
    state.second = extreme(state, followers, lowest_wins)
    # `lowest` and `highest` are those that are not the winner.
    state.low = NONE if lowest_wins else extreme(state, followers, 1)
    state.high = extreme(state, followers, 0) if lowest_wins else NONE
    state.tricks[int(state.trick)].winner = winner


@helper
def extreme(state: State, seats: int, lowest: int) -> int:
    """Return the seat of a set with the highest (or lowest) card, NONE of an empty set."""
    best = NONE
    for seat in range(int(state.seats)):
        if (seats >> seat) & 1:
            if best == NONE or (value_of(state, seat) < value_of(state, best)) == (lowest == 1):
                best = seat
    return best


# --- the rule card ----------------------------------------------------------------------------------------------------


@helper
def step_of(state: State) -> State:
    """Return the step of the act's rule card that is being carried out."""
    return state.rules[int(state.order[int(state.act)])].steps[int(state.step)]


@helper
def ask(state: State, phase: int, seat: int) -> None:
    """Put a question to a seat."""
    state.phase = phase
    state.turn = seat


@helper
def decider(state: State) -> int:
    """Return who decides for the moved lemming: its owner, or the trick winner who chose it."""
    who = int(step_of(state).who)
    if who == CHOSEN or who == CHOSEN_OTHER:
        return int(state.winner)
    return owner(state, int(state.lemming))


@helper
def run(state: State, start: int) -> None:
    """Carry out the rule card's steps until somebody has to decide or the trick is over.

    Args:
        start: where to go on, one of FROM_*.
    """
    at = start
    while True:
        if at == FROM_MOVER:
            # [I] Steps in the order printed; [R] within one the trick winner moves first, then clockwise.
            found = next_mover(state)
            if found == NO_MOVER:
                end_trick(state)
                return
            if found == ASKED:
                return
            at = FROM_VALUE

        step = step_of(state)
        by = int(step.by)
        lemming = int(state.lemming)
        start_place = int(state.place[lemming])

        if at == FROM_VALUE:
            if by == NEXT_AHEAD or by == NEXT_BEHIND:
                # [R] Jumps: to the nearest occupied space; none: no move. [I] It looks at the board now, and crosses the
                # fork without choosing.
                to = jump_of(state, start_place, by)
                if to != NONE:
                    state.distance = to - start_place
                    settle(state, lemming, on_space(state, to))
                at = FROM_PUSH
            elif by == BY_PICKED:
                if pick_matters(state, lemming, int(step.sign)):
                    ask(state, PHASE_PICK, int(state.winner))
                    return
                state.distance = value_of(state, int(state.winner))
                at = FROM_SIGN
            else:
                state.distance = distance_of(state, step, owner(state, lemming))
                at = FROM_SIGN

        if at == FROM_SIGN:
            n = int(state.distance)
            if step.sign == MINUS:
                state.distance = -n
            elif step.sign == EITHER and size(ends_by_sign(state, lemming, n, EITHER)) > 1:
                ask(state, PHASE_SIGN, decider(state))
                return
            at = FROM_WAY

        if at == FROM_WAY:
            n = int(state.distance)
            if n != 0:  # [R] A move of 0: nothing happens.
                if size(ends_of(state, lemming, n)) > 1:
                    state.asked = lemming
                    ask(state, PHASE_WAY, decider(state))
                    return
                settle(state, lemming, end_of(state, start_place, n, LONG))
            at = FROM_PUSH

        if not push(state):
            return
        place_chain(state)
        at = FROM_MOVER


@helper
def push(state: State) -> bool:
    """Work out whom the end of the chain pushes, and so on; return False when the way of a pushed lemming is asked."""
    while state.chain_n > 0:
        end = int(state.ends[int(state.chain_n) - 1])
        if end == LINE or end == FALL:
            break
        pushed = standing_on(state, end)
        if pushed == NONE:
            break
        # [R] Exactly 1 space on, in the direction of the move; [I] whoever decides for the moved lemming chooses the way.
        one = 1 if state.distance > 0 else -1
        if size(ends_of(state, pushed, one)) > 1:
            state.asked = pushed
            ask(state, PHASE_WAY, decider(state))
            return False
        settle(state, pushed, end_of(state, end, one, LONG))
    return True


NO_MOVER = 0
MOVER = 1
ASKED = 2


@helper
def next_mover(state: State) -> int:
    """Find the next lemming to move, in this step or a later one: NO_MOVER, MOVER (in `lemming`) or ASKED."""
    while True:
        todo = int(state.todo)
        if todo:
            seat = int(state.winner)
            while not (todo >> seat) & 1:
                seat = after(state, seat)
            state.todo = todo & ~(1 << seat)
            state.lemming = state.players[seat].active
            return MOVER
        step = int(state.step) + 1
        if step >= MAX_STEPS or state.rules[int(state.order[int(state.act)])].steps[step].who == NO_STEP:
            return NO_MOVER
        state.step = step
        who = int(step_of(state).who)
        if who == CHOSEN or who == CHOSEN_OTHER:
            if choice_moves(state):
                ask(state, PHASE_CHOOSE, int(state.winner))
                return ASKED
        else:
            state.todo = movers(state, who)


@helper
def movers(state: State, who: int) -> int:
    """Return the bit set of the seats whose active lemmings a step moves. [I] By position: as it is when the step begins."""
    if who == X_PLAYERS:
        return int(state.x_players)
    if who == FOLLOWERS:
        return int(state.followers)
    if who == OFF_COLOUR:
        return int(state.off_colour)
    if who == EVERYONE:
        return (1 << int(state.seats)) - 1
    seat = NONE
    if who == WINNER:
        seat = int(state.winner)
    elif who == SECOND:
        seat = int(state.second)
    elif who == LOWEST:
        seat = int(state.low)
    elif who == HIGHEST:
        seat = int(state.high)
    elif who == REARMOST:
        seat = rearmost(state)
    elif who == FOREMOST:
        seat = foremost(state)
    return 0 if seat == NONE else 1 << seat


@helper
def is_active(state: State, lemming: int) -> bool:
    """Return whether a lemming plays this act. [I] Rule cards move active lemmings only."""
    return int(state.players[owner(state, lemming)].active) == lemming


@helper
def rearmost(state: State) -> int:
    """Return the owner of the last active lemming in the line, else of the one furthest back on the track."""
    for i in range(int(state.line_n) - 1, -1, -1):
        if is_active(state, int(state.line[i])):
            return owner(state, int(state.line[i]))
    return extreme_place(state, -1)


@helper
def foremost(state: State) -> int:
    """Return the owner of the active lemming furthest forward on the track, else of the first in the line."""
    seat = extreme_place(state, 1)
    if seat != NONE:
        return seat
    for i in range(int(state.line_n)):
        if is_active(state, int(state.line[i])):
            return owner(state, int(state.line[i]))
    return NONE


@helper
def extreme_place(state: State, factor: int) -> int:
    """Return the seat whose active lemming stands furthest forward (factor 1) or back (-1) on the track, NONE if none does."""
    best = NONE
    best_place = 0
    for seat in range(int(state.seats)):
        there = int(state.place[int(state.players[seat].active)])
        if there > LINE and (best == NONE or there * factor > best_place * factor):
            best = seat
            best_place = there
    return best


@helper
def distance_of(state: State, step: State, seat: int) -> int:
    """Return how far a step moves the lemming of a seat, before the sign."""
    by = int(step.by)
    if by == FIXED:
        return int(step.amount)
    if by == BY_OWN:
        return value_of(state, seat)
    if by == BY_WINNER:
        return value_of(state, int(state.winner))
    if by == BY_SECOND:
        return value_of(state, int(state.second))
    if by == BY_LOWEST:
        return value_of(state, int(state.low))
    if by == BY_DIFFERENCE:
        return value_of(state, int(state.winner)) - value_of(state, int(state.second))
    if by == BY_COUNT:
        return int(state.count)
    if by == BY_PREVIOUS and seat != int(state.lead):
        return value_of(state, seat - 1 if seat > 0 else int(state.seats) - 1)
    return 0


@helper
def choice_moves(state: State) -> bool:
    """Return whether some lemming would move if it were chosen; if none would, nobody is asked."""
    step = step_of(state)
    by = int(step.by)
    for seat in range(int(state.seats)):
        if not may_choose(state, seat):
            continue
        if by == NEXT_AHEAD or by == NEXT_BEHIND:
            if jump_of(state, int(state.place[int(state.players[seat].active)]), by) != NONE:
                return True
        elif by == BY_PICKED:
            for other in range(int(state.seats)):
                if value_of(state, other) != 0:
                    return True
        elif distance_of(state, step, seat) != 0:
            return True
    return False


@helper
def pick_matters(state: State, lemming: int, sign: int) -> bool:
    """Return whether two values that can be picked can end differently for the moved lemming, over its ways and signs."""
    ends = 0
    values = 0
    for seat in range(int(state.seats)):
        if offers_value(state, seat):
            values += 1
            ends |= ends_by_sign(state, lemming, value_of(state, seat), sign)
    return values > 1 and size(ends) > 1


# --- the end of a trick, of an act, of the match ----------------------------------------------------------------------


@helper
def end_trick(state: State) -> None:
    """Go on to the next trick. [R] The winner leads it."""
    if state.winner != NONE:
        state.lead = state.winner
    forget_roles(state)
    if state.trick < TRICKS - 1:
        state.trick = int(state.trick) + 1
        begin_trick(state)
    else:
        score(state)
        prepare(state)


@helper
def score(state: State) -> None:
    """Score an act. [R] On the track furthest forward first, then the line, front first."""
    n = 0
    for lemming in range(LEMMINGS):
        there = int(state.place[lemming])
        if there > LINE:
            at = n
            while at > 0 and int(state.place[int(state.standing[at - 1])]) < there:
                state.standing[at] = state.standing[at - 1]
                at -= 1
            state.standing[at] = lemming
            n += 1
    for i in range(int(state.line_n)):
        state.standing[n] = state.line[i]
        n += 1
    state.standing_n = n
    for i in range(n):
        lemming = int(state.standing[i])
        # [R] The last in the line earns nothing: nobody, active or resting, stands behind it.
        award = 0 if i == n - 1 and state.line_n > 0 else int(state.award[int(state.act), i])
        player = state.players[owner(state, lemming)]
        player.points = int(player.points) + award
        tell(state, ALL, EV_SCORED, lemming, i + 1, award)
    for seat in range(int(state.seats)):
        player = state.players[seat]
        player.away = 0
        player.away_x = 0
        player.voids = 0


@helper
def prepare(state: State) -> None:
    """Prepare the next act, or end the match after the last."""
    seats = int(state.seats)
    state.turn = NONE
    if state.act == ACTS - 1:
        state.phase = PHASE_OVER
        tell(state, ALL, EV_ENDED, champion(state), 0, 0)
    elif not state.two_lemmings:
        line_up(state)
    elif state.act == 0:
        # [R] Act 2 is played with the second lemmings; [I] they line up by act 1's order. The first ones rest.
        for seat in range(seats):
            state.players[seat].active = seat + seats
        line_up(state)
    else:
        # [R] Everyone chooses which lemming is active; [I] clockwise from the last act's first place.
        state.phase = PHASE_ACTIVATE
        state.turn = owner(state, int(state.standing[0]))


@helper
def activate(state: State, seat: int, lemming: int) -> None:
    """Make one of a seat's lemmings the active one of the next act."""
    tell(state, ALL, EV_ACTIVATED, seat, lemming, 0)
    state.players[seat].active = lemming
    following = after(state, seat)
    if following != owner(state, int(state.standing[0])):
        state.turn = following
    else:
        line_up(state)


@helper
def line_up(state: State) -> None:
    """Line the active lemmings up by the last act's order and begin the next act.

    [R] First place leads the line. [I] Resting lemmings in the line keep their order behind; on the track they stay.
    """
    resting = 0  # the resting lemmings of the old line, four bits each
    for i in range(int(state.line_n) - 1, -1, -1):
        if not is_active(state, int(state.line[i])):
            resting = (resting << 4) | (int(state.line[i]) + 1)
        state.line[i] = NONE
    state.line_n = 0
    for i in range(int(state.standing_n)):
        # Second lemmings were not in play before act 2: they line up where their owner's first one came in.
        lemming = int(state.players[owner(state, int(state.standing[i]))].active)
        if lemming == int(state.standing[i]) or state.place[lemming] == OUT:
            to_line_end(state, lemming)
    while resting:
        to_line_end(state, (resting & 15) - 1)
        resting >>= 4
    state.act = int(state.act) + 1
    begin_act(state)


@helper
def champion(state: State) -> int:
    """Return the seat that has won. [R] Most VP, then the better place in act 4 ([I] of the better lemming)."""
    best = NONE
    for i in range(int(state.standing_n)):
        seat = owner(state, int(state.standing[i]))
        if best == NONE or state.players[seat].points > state.players[best].points:
            best = seat
    return best


@helper
def promised(state: State, lemming: int) -> int:
    """Return the VP that a lemming would earn if the act were scored now."""
    there = int(state.place[lemming])
    ahead = 0
    if there > LINE:
        for other in range(LEMMINGS):
            if int(state.place[other]) > there:
                ahead += 1
    else:
        for other in range(LEMMINGS):
            if int(state.place[other]) > LINE:
                ahead += 1
        at = 0
        while int(state.line[at]) != lemming:
            at += 1
            ahead += 1
        if at == int(state.line_n) - 1:
            return 0
    return int(state.award[int(state.act), ahead])


# --- the kernels ------------------------------------------------------------------------------------------------------


@compiled(STATE)
def deal(state: State) -> None:
    """Set up: the first line, the rule cards, the first act."""
    seats = int(state.seats)
    # [R] A random seat leads the waiting line, the others line up behind in clockwise order.
    seat = draw(state, seats)
    tell(state, ALL, EV_FIRST, seat, 0, 0)
    for lemming in range(LEMMINGS):
        state.place[lemming] = OUT
        state.line[lemming] = NONE
        state.standing[lemming] = NONE
        state.chain[lemming] = NONE
    for _ in range(seats):
        to_line_end(state, seat)
        state.players[seat].active = seat
        seat = after(state, seat)
    # [R] Four rule cards, face down; [C] among those good for this many seats. Fixed ones are in `order` already.
    if not state.open_rules:
        for act in range(ACTS):
            state.order[act] = NONE
        draw_rules(state, state.random)
        state.reveals = 1
    state.lemming = NONE
    state.asked = NONE
    begin_act(state)


@compiled(STATE)
def awaiting(state: State) -> int:
    """Return who must decide: all that still put cards back, else whose turn it is."""
    if state.phase == PHASE_PUT_BACK:
        bits = 0
        for seat in range(int(state.seats)):
            if state.players[seat].put_n < PUT_BACK:
                bits |= 1 << seat
        return bits
    if state.phase == PHASE_OVER:
        return 0
    return 1 << int(state.turn)


@compiled(STATE)
def legal(state: State, seat: int, out: Array) -> int:
    """Fill `out` with a seat's legal actions."""
    phase = int(state.phase)
    if phase == PHASE_PUT_BACK:
        return legal_put_back(state, seat, out)
    if phase == PHASE_OVER or seat != state.turn:
        return 0
    if phase == PHASE_PLAY:
        return legal_play(state, seat, out)
    n = 0
    if phase == PHASE_CHOOSE:
        for other in range(int(state.seats)):
            if may_choose(state, other):
                out[n] = ACT_CHOOSE + int(state.players[other].active)
                n += 1
    elif phase == PHASE_ACTIVATE:
        out[0] = ACT_ACTIVATE + seat
        out[1] = ACT_ACTIVATE + seat + int(state.seats)
        n = 2
    elif phase == PHASE_PICK:
        for other in range(int(state.seats)):
            if offers_value(state, other):
                out[n] = ACT_PICK + MAX_VALUE + value_of(state, other)
                n += 1
    elif phase == PHASE_SIGN:
        out[0] = ACT_SIGN + PLUS
        out[1] = ACT_SIGN + MINUS
        n = 2
    else:
        out[0] = ACT_WAY + LONG
        out[1] = ACT_WAY + SHORT
        n = 2
    return n


@compiled(STATE)
def play(state: State, seat: int, action: int) -> None:
    """Carry out one legal action and run on to the next decision."""
    player = state.players[seat]

    if action < ACT_PLAY:  # [R] Put a card back, face down.
        card = action - ACT_PUT_BACK
        if card == X:
            player.x = int(player.x) - 1
            player.away_x = int(player.away_x) + 1
        else:
            player.hand = int(player.hand) ^ (1 << card)
            player.away = int(player.away) | (1 << card)
        player.put_last = card
        player.put_n = int(player.put_n) + 1
        tell(state, 1 << seat, EV_PUT_BACK, seat, card, 0)
        if player.put_n == PUT_BACK:
            tell(state, ALL, EV_READY, seat, 0, 0)
            if awaiting(state) == 0:
                begin_trick(state)

    elif action < ACT_CHOOSE:  # [R] Play a card.
        play_card(state, seat, action - ACT_PLAY)
        following = after(state, seat)
        if following != int(state.lead):
            state.turn = following
            return
        read_trick(state)
        winner = int(state.winner)
        tell(state, ALL, EV_WON, winner & 255, 0, 0)
        if winner == NONE:  # [R] All X: nobody wins; [I] no step is carried out; whoever led leads again.
            end_trick(state)
        else:
            run(state, FROM_MOVER)

    elif action < ACT_ACTIVATE:  # The trick winner chooses a lemming.
        lemming = action - ACT_CHOOSE
        tell(state, ALL, EV_CHOSE, seat, lemming, 0)
        state.lemming = lemming
        run(state, FROM_VALUE)

    elif action < ACT_SIGN:
        activate(state, seat, action - ACT_ACTIVATE)

    elif action < ACT_WAY:  # Forward or backward.
        sign = action - ACT_SIGN
        tell(state, ALL, EV_SIGNED, seat, sign, 0)
        if sign == MINUS:
            state.distance = -int(state.distance)
        run(state, FROM_WAY)

    elif action < ACT_PICK:  # [R] The long or the short way: of the mover, or of a lemming that is pushed.
        way = action - ACT_WAY
        lemming = int(state.asked)
        tell(state, ALL, EV_WENT, seat, way, lemming)
        n = int(state.distance)
        if state.chain_n > 0:
            n = 1 if n > 0 else -1
        settle(state, lemming, end_of(state, int(state.place[lemming]), n, way))
        state.asked = NONE
        run(state, FROM_PUSH)

    else:  # The trick winner picks a value.
        value = action - ACT_PICK - MAX_VALUE
        tell(state, ALL, EV_PICKED, seat, value, 0)
        state.distance = value
        run(state, FROM_SIGN)


@compiled(STATE)
def payoffs(state: State, out: Array) -> None:
    """Fill `out` with 1 for the winner and 0 for the others; before the end, with an estimate of the chances to win.

    The estimate: VP so far and part of what the present standing would earn, the later in the act the more; whoever is
    behind the best by some VP has a share that falls the faster the fewer acts are left.
    """
    seats = int(state.seats)
    if state.phase == PHASE_OVER:
        best = champion(state)
        for seat in range(seats):
            out[seat] = 1.0 if seat == best else 0.0
        return
    for seat in range(seats):
        out[seat] = float(state.players[seat].points)
    if state.phase != PHASE_ACTIVATE:
        part = (int(state.trick) + 1) / 10.0
        for lemming in range(LEMMINGS):
            if state.place[lemming] != OUT:
                out[owner(state, lemming)] += part * promised(state, lemming)
    top = 0.0
    for seat in range(seats):
        top = max(top, out[seat])
    width = 1.0 + 2.0 * (ACTS - int(state.act)) - int(state.trick) / 5.0
    total = 0.0
    for seat in range(seats):
        share = width / (width + top - out[seat])
        out[seat] = share * share * share
        total += out[seat]
    for seat in range(seats):
        out[seat] /= total
