"""The rules of Last Lemming: acts, tricks, scoring, and the kernels, in the order of the rulebook.

Track and moves are in `track.py`, the rule card's steps in `steps.py`. Marks as in the rules file: [R] the rulebook, [I] our
reading where it can be read in two ways, [C] printed material (data).
"""

from __future__ import annotations

import numpy as np

from engines.kernel import ALL, Array, State, below, draw, helper, see, tell
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
    DEALT,
    EV_ACTIVATED,
    EV_DEALT,
    EV_ENDED,
    EV_FIRST,
    EV_PLAYED,
    EV_PUT_BACK,
    EV_READY,
    EV_RULE_CARD,
    EV_SCORED,
    EV_WON,
    LEMMINGS,
    LINE,
    LONG,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_VALUE,
    MAX_X,
    MINUS,
    NONE,
    OUT,
    PHASE_ACTIVATE,
    PHASE_CHOOSE,
    PHASE_OVER,
    PHASE_PICK,
    PHASE_PLAY,
    PHASE_PUT_BACK,
    PHASE_SIGN,
    PLUS,
    PUT_BACK,
    SHORT,
    STATE,
    TRICKS,
    X,
)
from engines.last_lemming.steps import (
    FROM_MOVER,
    answer,
    is_active,
    may_choose,
    offers_value,
    read_trick,
    run,
    value_of,
)
from engines.last_lemming.track import after, owner, to_line_end

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


# --- an act -----------------------------------------------------------------------------------------------------------


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


# --- putting back, and a trick -----------------------------------------------------------------------------------------


@helper
def begin_trick(state: State) -> None:
    """Let the leader play to the next trick."""
    state.phase = PHASE_PLAY
    state.turn = state.lead
    state.trick_colour = NONE
    state.tricks[int(state.trick)].lead = state.lead


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
def put_back(state: State, seat: int, card: int) -> None:
    """Put one card back, face down. [R] Nobody sees what another put back."""
    player = state.players[seat]
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


# --- the end of an act and of the match -------------------------------------------------------------------------------


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
    if action < ACT_PLAY:
        put_back(state, seat, action - ACT_PUT_BACK)
        if awaiting(state) == 0:
            begin_trick(state)

    elif action < ACT_CHOOSE:
        play_card(state, seat, action - ACT_PLAY)
        following = after(state, seat)
        if following != int(state.lead):
            state.turn = following
            return
        read_trick(state)
        winner = int(state.winner)
        tell(state, ALL, EV_WON, winner & 255, 0, 0)
        # [R] All X: nobody wins; [I] no step is carried out, and whoever led leads again.
        if winner == NONE or run(state, FROM_MOVER):
            end_trick(state)

    elif ACT_ACTIVATE <= action < ACT_SIGN:
        activate(state, seat, action - ACT_ACTIVATE)

    elif run(state, answer(state, seat, action)):
        end_trick(state)


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
