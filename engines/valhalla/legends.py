"""What Legends do: one interpreter of the edition's table of effects (rules file, "Legends").

`begin` starts the effect of a kind for `state.actor` and leaves `state.phase` at the decision it needs, or at SETTLED when it
is done; `pick_card`, `name_target`, `name_value` and `reactivate` carry on from a decision.
"""

from __future__ import annotations

from engines.kernel import ALL, State, draw, helper, see, tell
from engines.valhalla.cards import FULL, LANES, WIDTH, count, nth, one, size, up_to, worth
from engines.valhalla.history import changed, checked, moved
from engines.valhalla.state import (
    AGAIN,
    ANYWHERE,
    APPLYING,
    BY_CARDS,
    BY_LOSSES,
    BY_TOTAL,
    BY_VALUE,
    CHOOSE,
    DO_CHOOSE_LAST,
    DO_DISCARD,
    DO_DOUBLE_LOSSES,
    DO_DRAW,
    DO_PASS,
    DO_REACTIVATE,
    DO_SHIELD,
    DO_STRENGTH,
    EV_DECLINED,
    EV_DISCARDED,
    EV_DREW,
    EV_DREW_CARDS,
    EV_NAMED,
    EV_PASSED,
    EV_PASSED_CARDS,
    EV_PASSED_STAKE,
    EV_REACTIVATED,
    EV_SHIELDED,
    EV_TARGETED,
    FROM_BATTLE,
    FROM_HAND,
    IN_BATTLE,
    IN_HAND,
    LOSSES,
    NONE,
    PASSING,
    PHASE_CARDS,
    PHASE_REACTIVATE,
    PHASE_TARGET,
    PHASE_VALUE,
    PILE,
    PLACES,
    PLAIN,
    READY,
    RESERVE,
    SAW_CHOICE,
    SAW_QUESTION,
    SETTLED,
    TO_CHOSEN,
    TO_EACH_WITH_FEWER,
    TO_FEWEST,
    TO_LEFT,
    TO_OTHERS,
    TURNED,
    WAITING,
    held,
    in_hand,
    seat_at,
    slot,
    two,
)

#: How many cards fit in one event, at three bits each.
_IN_AN_EVENT = 5


# --- telling and moving cards -----------------------------------------------------------------------------------------


@helper
def tell_cards(state: State, seats: int, kind: int, a: int, cards: int) -> None:
    """Tell a set of cards, five an event: each card's lane + 1 in three bits, highest value first. Also tells an empty set."""
    while True:
        some = 0
        for _ in range(min(size(cards), _IN_AN_EVENT)):
            lane = nth(cards, size(cards) - 1)
            cards -= one(lane)
            some = some * 8 + lane + 1
        tell(state, seats, kind, a, some >> 8, some & 255)
        if cards == 0:
            return


@helper
def draw_from(state: State, place: int, n: int) -> int:
    """Return n random cards of a place (all, if there are fewer), which still lie there."""
    cards = int(state.cards[place])
    left = size(cards)
    drawn = 0
    for _ in range(min(n, left)):
        card = one(nth(cards, draw(state, left)))
        cards -= card
        drawn += card
        left -= 1
    return drawn


@helper
def draw_cards(state: State, seat: int, place: int, n: int) -> None:
    """[R] A seat draws random cards from the discard pile or its Reserves; only it sees them."""
    drawn = draw_from(state, place, n)
    if drawn == 0:
        return
    moved(state, place, seat, drawn, 0)
    state.cards[place] = int(state.cards[place]) - drawn
    state.cards[seat] = int(state.cards[seat]) + drawn
    tell(state, ALL, EV_DREW, seat, size(drawn), 1 if place >= RESERVE else 0)
    tell_cards(state, 1 << seat, EV_DREW_CARDS, seat, drawn)


@helper
def discard(state: State, seat: int, place: int, cards: int) -> None:
    """[R] A seat discards cards face up onto the pile."""
    if cards == 0:
        return
    if place == FROM_HAND:
        changed(state, seat, -cards)
        state.cards[seat] = int(state.cards[seat]) - cards
    else:
        at = place_on_table(state, seat, place)
        state.table[at] = int(state.table[at]) - cards
    changed(state, PILE, cards)
    state.cards[PILE] = int(state.cards[PILE]) + cards
    tell_cards(state, ALL, EV_DISCARDED, seat + 16 * place, cards)


@helper
def place_on_table(state: State, seat: int, place: int) -> int:
    """Return where on the table the cards of FROM_BATTLE (or a stake further) lie."""
    return slot(seat, int(state.battle) + place) if two(state) else seat


# --- Sagas ------------------------------------------------------------------------------------------------------------


@helper
def nth_of_saga(state: State, seat: int, position: int) -> int:
    """Return the index, among all Legends taken, of the one at a position of a seat's Saga; NONE if there is none."""
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat:
            if position == 0:
                return i
            position -= 1
    return NONE


@helper
def count_applying(state: State, seat: int, does: int) -> int:
    """Return how many Legends with such an effect apply to a seat in this battle."""
    n = 0
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat and int(state.does[int(state.saga_kind[i])]) == does:
            n += state.saga_state[i] == APPLYING or state.saga_state[i] == AGAIN
    return n


@helper
def can_reactivate(state: State, seat: int, i: int) -> bool:
    """Return whether the i-th Legend taken can be activated again: another kind of the own Saga, the leftmost of equals."""
    kind = int(state.saga_kind[i])
    if int(state.saga_owner[i]) != seat or int(state.does[kind]) == DO_REACTIVATE:
        return False
    for j in range(i):
        if int(state.saga_owner[j]) == seat and int(state.saga_kind[j]) == kind and state.saga_state[j] == state.saga_state[i]:
            return False
    return True


@helper
def shielded(state: State, seat: int) -> bool:
    """Return whether a ready Shield cancels a negative effect for the seat. [R] It is turned over; [I] the leftmost first."""
    if not state.negative[int(state.kind)]:
        return False
    position = 0
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat:
            if state.saga_state[i] == READY:
                state.saga_state[i] = TURNED
                tell(state, ALL, EV_SHIELDED, seat, position, 0)
                return True
            position += 1
    return False


# --- beginning --------------------------------------------------------------------------------------------------------


@helper
def begin(state: State, kind: int) -> None:
    """Activate a kind of Legend for `state.actor`."""
    state.kind = kind
    state.target = NONE
    state.phase = SETTLED
    does = int(state.does[kind])
    if does == DO_DISCARD:
        _begin_discard(state, kind)
    elif does == DO_PASS:
        _begin_pass(state, kind)
    elif does == DO_DRAW:
        _begin_draw(state, kind)
    elif does == DO_REACTIVATE:
        for i in range(int(state.saga_n)):
            if can_reactivate(state, int(state.actor), i):
                _ask(state, PHASE_REACTIVATE)
                return


@helper
def _ask(state: State, phase: int) -> None:
    """Go to a decision of `state.actor`, which all see it is asked."""
    state.phase = phase
    see(state, ALL, ((SAW_QUESTION << 8 | phase) << 8 | int(state.actor)) << 8 | int(state.kind))


@helper
def _begin_discard(state: State, kind: int) -> None:
    if int(state.by[kind]) == BY_VALUE:
        if all_selectable(state) != 0:
            _ask(state, PHASE_VALUE)
    else:
        ask_cards(state)


@helper
def _begin_pass(state: State, kind: int) -> None:
    """[I] No target is asked for with an empty hand."""
    seat = int(state.actor)
    hand = in_hand(state, seat)
    if hand == 0:
        return
    whom = int(state.whom[kind])
    if whom == TO_LEFT:
        state.target = (seat + 1) % int(state.seats)
        ask_cards(state)
    elif whom == TO_CHOSEN:
        _ask(state, PHASE_TARGET)
    elif whom == TO_FEWEST:
        one_only = fewest(state, seat)
        if size_of_set(one_only) == 1:
            state.target = lowest_seat(one_only)
            ask_cards(state)
        else:
            _ask(state, PHASE_TARGET)
    else:
        queue = 0
        for other in range(int(state.seats)):
            if other != seat and in_hand(state, other) < hand:
                queue |= 1 << other
        state.queue = queue
        state.phase = PASSING


@helper
def size_of_set(seats: int) -> int:
    """Return how many seats are in a set."""
    n = 0
    while seats:
        n += seats & 1
        seats >>= 1
    return n


@helper
def lowest_seat(seats: int) -> int:
    """Return the lowest seat of a non-empty set."""
    seat = 0
    while not (seats >> seat) & 1:
        seat += 1
    return seat


@helper
def fewest(state: State, seat: int) -> int:
    """Return the set of the other seats with the fewest cards in hand."""
    least, seats = 1 << 10, 0
    for other in range(int(state.seats)):
        if other != seat:
            n = in_hand(state, other)
            if n < least:
                least, seats = n, 0
            if n == least:
                seats |= 1 << other
    return seats


@helper
def _begin_draw(state: State, kind: int) -> None:
    """[R] In turn order. [I] No target is asked for when the pile is empty."""
    seat = int(state.actor)
    if state.cards[PILE] == 0:
        return
    if int(state.whom[kind]) == TO_OTHERS:
        for k in range(int(state.seats)):
            other = seat_at(state, k)
            if other != seat:
                _make_draw(state, other)
    elif two(state):
        _make_draw(state, 1 - seat)
    else:
        _ask(state, PHASE_TARGET)


@helper
def _make_draw(state: State, seat: int) -> None:
    if state.cards[PILE] != 0 and not shielded(state, seat):
        draw_cards(state, seat, PILE, int(state.amount[int(state.kind)]))


# --- choosing cards for an effect -------------------------------------------------------------------------------------


@helper
def _may_use(state: State, place: int) -> bool:
    """Return whether the present effect reaches a place. [R] Two players: later stakes count as in the hand."""
    where = int(state.where[int(state.kind)])
    if two(state) or where == ANYWHERE:
        return True
    return (place == FROM_HAND and where == IN_HAND) or (place == FROM_BATTLE and where == IN_BATTLE)


@helper
def _wanted(state: State) -> int:
    """Return the values (lanes of 127) of which the present effect allows one more card, whatever its actor holds."""
    kind = int(state.kind)
    by, amount = int(state.by[kind]), int(state.amount[kind])
    picked = int(state.picked[0]) + int(state.picked[1]) + int(state.picked[2])
    if by == BY_CARDS and size(picked) >= amount:
        return 0
    rest = amount - worth(picked, state.values) if by == BY_TOTAL else 127
    # [R] Two players: "one of the cards you have in this battle" is any card equal to one just taken back.
    limited = by == BY_LOSSES or (two(state) and int(state.where[kind]) == IN_BATTLE)
    limit = int(state.lost) if by == BY_LOSSES else int(state.back)
    values = 0
    for lane in range(int(state.values_n)):
        if int(state.values[lane]) <= rest and (not limited or count(limit, lane) > count(picked, lane)):
            values |= 127 << (lane * WIDTH)
    return values


@helper
def selectable(state: State, place: int) -> int:
    """Return the cards of a place that may be picked next: in falling value, then by place."""
    if not _may_use(state, place):
        return 0
    cards = held(state, int(state.actor), place) - int(state.picked[place])
    last = int(state.last)
    if last != NONE:
        lane = last % LANES if place >= last // LANES else last % LANES - 1
        cards &= up_to(lane)
    return cards & _wanted(state)


@helper
def all_selectable(state: State) -> int:
    """Return, for effects on all cards of a value, the cards they can reach (of any value)."""
    seat = int(state.actor)
    cards = 0
    for place in range(PLACES):
        if _may_use(state, place):
            cards += held(state, seat, place)
    if two(state) and int(state.where[int(state.kind)]) == IN_BATTLE:
        return int(state.back)
    return cards


@helper
def _any_selectable(state: State) -> bool:
    return selectable(state, 0) != 0 or selectable(state, 1) != 0 or selectable(state, 2) != 0


@helper
def ask_cards(state: State) -> bool:
    """Ask `state.actor` for cards, if there are any to pick; return whether it was asked."""
    for place in range(PLACES):
        state.picked[place] = 0
    state.last = NONE
    asked = _any_selectable(state)
    # Whether it is asked tells all what is in the hand, unless open cards, or the hand's size, tell it anyway.
    hidden = _may_use(state, FROM_HAND) and int(state.where[int(state.kind)]) != IN_BATTLE
    if hidden and selectable(state, 1) == 0 and selectable(state, 2) == 0:
        values = _wanted(state)
        if values != FULL & up_to(int(state.values_n) - 1):
            checked(state, int(state.actor), values, asked)
    if asked:
        _ask(state, PHASE_CARDS)
    return asked


@helper
def pick_card(state: State, action: int) -> None:
    """Pick one card more for the effect; carry it out when no other can be picked."""
    place, lane = (action - CHOOSE) // LANES, (action - CHOOSE) % LANES
    state.picked[place] = int(state.picked[place]) + one(lane)
    state.last = action
    see(state, 1 << int(state.actor), SAW_CHOICE << 8 | action)
    if not _any_selectable(state):
        finish_cards(state)


@helper
def finish_cards(state: State) -> None:
    """Discard or pass what was picked."""
    seat, kind = int(state.actor), int(state.kind)
    does = int(state.does[kind])
    state.phase = SETTLED
    if does == DO_DOUBLE_LOSSES:
        state.phase = LOSSES
    elif does == DO_PASS and int(state.whom[kind]) == TO_EACH_WITH_FEWER:
        state.phase = PASSING
    if state.picked[0] == 0 and state.picked[1] == 0 and state.picked[2] == 0:
        tell(state, ALL, EV_DECLINED, seat, kind, 0)
    elif does != DO_PASS:
        for place in range(PLACES):
            discard(state, seat, place, int(state.picked[place]))
    elif not shielded(state, int(state.target)):
        for place in range(PLACES):
            _pass(state, seat, int(state.target), place, int(state.picked[place]))
    for place in range(PLACES):
        state.picked[place] = 0
    state.last = NONE


@helper
def _pass(state: State, giver: int, receiver: int, place: int, cards: int) -> None:
    """[R] Seen by giver and receiver only; from an open stake by all."""
    if cards == 0:
        return
    if place == FROM_HAND:
        kind = int(state.kind)
        if two(state):
            changed(state, giver, -cards)
            changed(state, receiver, cards)
        else:
            moved(state, giver, receiver, cards, int(state.amount[kind]) if int(state.by[kind]) == BY_TOTAL else 0)
        state.cards[giver] = int(state.cards[giver]) - cards
        tell(state, ALL, EV_PASSED, giver, receiver, size(cards))
        tell_cards(state, 1 << giver | 1 << receiver, EV_PASSED_CARDS, giver + 16 * receiver, cards)
    else:
        changed(state, receiver, cards)
        at = place_on_table(state, giver, place)
        state.table[at] = int(state.table[at]) - cards
        tell_cards(state, ALL, EV_PASSED_STAKE, giver + 16 * place, cards)
    state.cards[receiver] = int(state.cards[receiver]) + cards


@helper
def pass_next(state: State) -> None:
    """Ask for the cards for the next seat, in turn order from the First Player, of those to be passed any."""
    for k in range(int(state.seats)):
        other = seat_at(state, k)
        if (int(state.queue) >> other) & 1:
            state.queue = int(state.queue) & ~(1 << other)
            state.target = other
            if ask_cards(state):
                return
    state.phase = SETTLED


# --- other decisions --------------------------------------------------------------------------------------------------


@helper
def may_target(state: State) -> int:
    """Return the set of seats that may be chosen as the target."""
    seat, kind = int(state.actor), int(state.kind)
    if int(state.does[kind]) == DO_PASS and int(state.whom[kind]) == TO_FEWEST:
        return fewest(state, seat)
    return ((1 << int(state.seats)) - 1) & ~(1 << seat)


@helper
def may_decline_target(state: State) -> bool:
    """Return whether no target need be chosen. [I] Where passing is optional; not who has the fewest, nor who draws."""
    kind = int(state.kind)
    return int(state.does[kind]) == DO_PASS and int(state.whom[kind]) == TO_CHOSEN


@helper
def name_target(state: State, target: int) -> None:
    """Choose the target of the effect."""
    seat, kind = int(state.actor), int(state.kind)
    state.target = target
    tell(state, ALL, EV_TARGETED, seat, target, kind)
    state.phase = SETTLED
    if int(state.does[kind]) == DO_DRAW:
        _make_draw(state, target)
    else:
        ask_cards(state)


@helper
def name_value(state: State, lane: int) -> None:
    """[R] Discard all cards of a value, from wherever the effect reaches."""
    seat, kind = int(state.actor), int(state.kind)
    tell(state, ALL, EV_NAMED, seat, lane, kind)
    state.phase = SETTLED
    mask = 127 << (lane * WIDTH)
    if two(state) and int(state.where[kind]) == IN_BATTLE:
        discard(state, seat, FROM_HAND, int(state.back) & mask)
        return
    for place in range(PLACES):
        if _may_use(state, place):
            discard(state, seat, place, held(state, seat, place) & mask)
    if _may_use(state, FROM_HAND):
        checked(state, seat, mask, False)


@helper
def reactivate(state: State, position: int) -> None:
    """[R] Activate a Legend of the own Saga again."""
    seat = int(state.actor)
    i = nth_of_saga(state, seat, position)
    kind = int(state.saga_kind[i])
    tell(state, ALL, EV_REACTIVATED, seat, position, kind)
    state.phase = SETTLED
    # [I] One that applies in this very battle waits again, and is not turned over.
    if state.saga_state[i] == APPLYING or state.saga_state[i] == AGAIN:
        state.saga_state[i] = AGAIN
    else:
        state.saga_state[i] = when_activated(state, kind)
    begin(state, kind)


@helper
def when_activated(state: State, kind: int) -> int:
    """Return how a Legend lies in the Saga once it has been activated."""
    does = int(state.does[kind])
    if does == DO_SHIELD:
        return READY
    if does in (DO_DOUBLE_LOSSES, DO_CHOOSE_LAST, DO_STRENGTH):
        return WAITING
    return PLAIN


@helper
def decline(state: State) -> None:
    """Choose no target, no value, or no Legend."""
    state.phase = SETTLED
    tell(state, ALL, EV_DECLINED, int(state.actor), int(state.kind), 0)
