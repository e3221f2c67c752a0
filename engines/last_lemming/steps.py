"""What the cards of a trick mean, and the steps of a rule card, carried out by one interpreter over the edition's tables."""

from __future__ import annotations

from engines.kernel import ALL, State, helper, size, tell
from engines.last_lemming.state import (
    ACT_ACTIVATE,
    ACT_CHOOSE,
    ACT_PICK,
    ACT_SIGN,
    ACT_WAY,
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
    EITHER,
    EV_CHOSE,
    EV_PICKED,
    EV_SIGNED,
    EV_WENT,
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
    PHASE_CHOOSE,
    PHASE_PICK,
    PHASE_SIGN,
    PHASE_WAY,
    REARMOST,
    SECOND,
    WINNER,
    X_PLAYERS,
    X,
)
from engines.last_lemming.track import (
    after,
    end_of,
    ends_by_sign,
    ends_of,
    jump_of,
    on_space,
    owner,
    place_chain,
    settle,
    standing_on,
)


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
        if (seats >> seat) & 1 and (best == NONE or (value_of(state, seat) < value_of(state, best)) == (lowest == 1)):
            best = seat
    return best


# Where `run` goes on: what can be asked about a move comes in this order.
FROM_MOVER = 0
FROM_VALUE = 1
FROM_SIGN = 2
FROM_WAY = 3
FROM_PUSH = 4


@helper
def step_of(state: State) -> State:
    """Return the step of the act's rule card that is being carried out."""
    return state.rules[int(state.order[int(state.act)])].steps[int(state.step)]


@helper
def ask(state: State, phase: int, seat: int) -> bool:
    """Put a question to a seat; return False: the steps are not done."""
    state.phase = phase
    state.turn = seat
    return False


@helper
def decider(state: State) -> int:
    """Return who decides for the moved lemming: its owner, or the trick winner who chose it."""
    who = int(step_of(state).who)
    if who in (CHOSEN, CHOSEN_OTHER):
        return int(state.winner)
    return owner(state, int(state.lemming))


@helper
def run(state: State, start: int) -> bool:
    """Carry out the rule card's steps; return True when all are done, False when somebody has to decide first.

    Args:
        start: where to go on, one of FROM_*.
    """
    at = start
    while True:
        if at == FROM_MOVER:
            # [I] Steps in the order printed; [R] within one the trick winner moves first, then clockwise.
            found = next_mover(state)
            if found != MOVER:
                return found == NO_MOVER
            at = FROM_VALUE

        step = step_of(state)
        lemming = int(state.lemming)
        place = int(state.place[lemming])

        if at == FROM_VALUE:
            at = FROM_SIGN
            if step.by in (NEXT_AHEAD, NEXT_BEHIND):
                # [R] Jumps: to the nearest occupied space; none: no move. [I] It looks at the board now, and crosses the
                # fork without choosing.
                to = jump_of(state, place, int(step.by))
                if to != NONE:
                    state.distance = to - place
                    settle(state, lemming, on_space(state, to))
                at = FROM_PUSH
            elif step.by != BY_PICKED:
                state.distance = distance_of(state, step, owner(state, lemming))
            elif pick_matters(state, lemming, int(step.sign)):
                return ask(state, PHASE_PICK, int(state.winner))
            else:
                state.distance = value_of(state, int(state.winner))

        if at == FROM_SIGN:
            at = FROM_WAY
            n = int(state.distance)
            if step.sign == MINUS:
                state.distance = -n
            elif step.sign == EITHER and size(ends_by_sign(state, lemming, n, EITHER)) > 1:
                return ask(state, PHASE_SIGN, decider(state))

        if at == FROM_WAY:
            at = FROM_PUSH
            n = int(state.distance)
            if size(ends_of(state, lemming, n)) > 1:
                state.asked = lemming
                return ask(state, PHASE_WAY, decider(state))
            if n != 0:  # [R] A move of 0: nothing happens.
                settle(state, lemming, end_of(state, place, n, LONG))

        if not push(state):
            return ask(state, PHASE_WAY, decider(state))
        place_chain(state)
        at = FROM_MOVER


@helper
def answer(state: State, seat: int, action: int) -> int:
    """Take the answer to a question about a move; return where `run` goes on."""
    if action < ACT_ACTIVATE:  # The trick winner chooses a lemming.
        state.lemming = action - ACT_CHOOSE
        tell(state, ALL, EV_CHOSE, seat, int(state.lemming), 0)
        return FROM_VALUE

    if action >= ACT_PICK:  # The trick winner picks a value.
        state.distance = action - ACT_PICK - MAX_VALUE
        tell(state, ALL, EV_PICKED, seat, int(state.distance), 0)
        return FROM_SIGN

    if action < ACT_WAY:  # Forward or backward.
        if action - ACT_SIGN == MINUS:
            state.distance = -int(state.distance)
        tell(state, ALL, EV_SIGNED, seat, action - ACT_SIGN, 0)
        return FROM_WAY

    # [R] The long or the short way: of the mover (nothing is settled yet), or of a lemming that is pushed.
    way = action - ACT_WAY
    lemming = int(state.asked)
    n = int(state.distance)
    if state.chain_n > 0:
        n = 1 if n > 0 else -1
    settle(state, lemming, end_of(state, int(state.place[lemming]), n, way))
    state.asked = NONE
    tell(state, ALL, EV_WENT, seat, way, lemming)
    return FROM_PUSH


@helper
def push(state: State) -> bool:
    """Work out whom the end of the chain pushes, and so on; return False when the way of a pushed lemming is asked."""
    while state.chain_n > 0:
        end = int(state.ends[int(state.chain_n) - 1])
        if end in (LINE, FALL):
            break
        pushed = standing_on(state, end)
        if pushed == NONE:
            break
        # [R] Exactly 1 space on, in the direction of the move; [I] whoever decides for the moved lemming chooses the way.
        one = 1 if state.distance > 0 else -1
        if size(ends_of(state, pushed, one)) > 1:
            state.asked = pushed
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
        if who in (CHOSEN, CHOSEN_OTHER):
            only = only_choice(state)
            if only != NONE:
                state.lemming = state.players[only].active
                return MOVER
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
def only_choice(state: State) -> int:
    """Return the one seat whose lemming may be chosen, NONE if there are several. [I] One answer is no question."""
    if int(state.seats) == 2 and step_of(state).who == CHOSEN_OTHER:
        return after(state, int(state.winner))
    return NONE


@helper
def choice_moves(state: State) -> bool:
    """Return whether some lemming would move if it were chosen; if none would, nobody is asked."""
    step = step_of(state)
    by = int(step.by)
    for seat in range(int(state.seats)):
        if not may_choose(state, seat):
            continue
        if by in (NEXT_AHEAD, NEXT_BEHIND):
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


@helper
def may_choose(state: State, seat: int) -> bool:
    """Return whether the trick winner may choose the active lemming of a seat in this step."""
    return seat != int(state.winner) or step_of(state).who != CHOSEN_OTHER


@helper
def offers_value(state: State, seat: int) -> bool:
    """Return whether a seat's card adds a value that can be picked: a number, not offered by a seat before."""
    new = card_of(state, seat) != X
    for other in range(seat):
        if card_of(state, other) != X and value_of(state, other) == value_of(state, seat):
            new = False
    return new
