"""The rules of Valhalla Lemmings as kernels, in the rulebook's order; what Legends do is in `legends.py`.

A match runs through phases: decisions, at which `play` stops, and steps that run by themselves.

three to six   ARRIVE  SEND (all at once; Lem Tzu after)  CHARGE and LEGEND, effect, SETTLED for each Legend  LOSSES  TURN_OVER
two            ARRIVE  SEND for each stake  BATTLE  LOSSES  WON, effect, SETTLED  BATTLE_OVER for each battle  TURN_OVER
"""

from __future__ import annotations

from engines.kernel import ALL, Array, State, draw, helper, see, tell
from engines.kernel import kernel as compiled
from engines.valhalla.cards import LANES, count, one, size, worth
from engines.valhalla.history import changed
from engines.valhalla.legends import (
    all_selectable,
    ask_cards,
    begin,
    can_reactivate,
    count_applying,
    decline,
    draw_cards,
    finish_cards,
    may_decline_target,
    may_target,
    name_target,
    name_value,
    pass_next,
    pick_card,
    reactivate,
    selectable,
    size_of_set,
    tell_cards,
    when_activated,
)
from engines.valhalla.state import (
    AGAIN,
    APPLYING,
    ARRIVE,
    BATTLE,
    BATTLE_OVER,
    BOTH_LOSE,
    CHARGE,
    CHOOSE,
    DECLINE,
    DO_CHOOSE_LAST,
    DO_DOUBLE_LOSSES,
    DO_STRENGTH,
    DONE,
    EV_ARRIVED,
    EV_CHOSE,
    EV_FIRST,
    EV_FIRST_LEGEND,
    EV_LOST,
    EV_OVER,
    EV_RETURNED,
    EV_SHOWN,
    EV_STAKED,
    EV_TIED,
    EV_TOOK,
    EV_TOOK_BACK,
    EV_TURN,
    EXHAUSTED,
    GUARDED,
    LOSSES,
    MAX_OFFER,
    MAX_STAKES,
    NAME,
    NONE,
    OVER,
    PASSING,
    PHASE_CARDS,
    PHASE_LEGEND,
    PHASE_SEND,
    PHASE_TARGET,
    PHASE_VALUE,
    PILE,
    PLACES,
    PLAIN,
    REACTIVATE,
    RESERVE,
    SAW_CHOICE,
    SETTLED,
    SHARED,
    STATE,
    TAKE,
    TAKE_BACK,
    TARGET,
    TURN_OVER,
    TURNED,
    WAITING,
    WIN,
    WON,
    ZONES,
    deck_size,
    least_to_send,
    legends_of,
    seat_at,
    slot,
    two,
)

# --- setup ------------------------------------------------------------------------------------------------------------


@helper
def _set_up(state: State) -> None:
    """Deal hands, the First Player and a first Legend each."""
    for place in range(ZONES):
        state.cards[place] = state.start[place]
    state.taking = NONE
    state.last = NONE
    for i in range(MAX_OFFER):
        state.offer[i] = NONE
    state.first = draw(state, int(state.seats))
    tell(state, ALL, EV_FIRST, int(state.first), 0, 0)
    # [R] Face up, not activated. [I] So a Shield is not ready.
    for k in range(int(state.seats)):
        seat = seat_at(state, k)
        kind = _reveal_legend(state)
        _add_to_saga(state, seat, kind, PLAIN)
        tell(state, ALL, EV_FIRST_LEGEND, seat, kind, 0)
    state.phase = ARRIVE


@helper
def _reveal_legend(state: State) -> int:
    """Take the deck's top Legend: a random one of those shuffled; when they are gone, the first that was put under the deck."""
    left = deck_size(state) - int(state.under_n)
    if left > 0:
        n = draw(state, left)
        kind = 0
        n -= int(state.deck[0])
        while n >= 0:
            kind += 1
            n -= int(state.deck[kind])
        state.deck[kind] = int(state.deck[kind]) - 1
        return kind
    kind = int(state.under[0])
    n = int(state.under_n) - 1
    for i in range(n):
        state.under[i] = state.under[i + 1]
    state.under[n] = 0
    state.under_n = n
    return kind


@helper
def _add_to_saga(state: State, seat: int, kind: int, how: int) -> None:
    n = int(state.saga_n)
    state.saga_kind[n] = kind
    state.saga_owner[n] = seat
    state.saga_state[n] = how
    state.saga_n = n + 1


# --- 1. the Legends arrive --------------------------------------------------------------------------------------------


@helper
def _arrive(state: State) -> None:
    """[R] Reveal Legends. [I] Too few left: what there is, also none; two players then fight fewer battles, or it is over."""
    n = min(int(state.legends_a_turn), deck_size(state))
    if two(state) and n == 0:
        _end_by_cards(state, EXHAUSTED)
        return
    state.turn = int(state.turn) + 1
    tell(state, ALL, EV_TURN, int(state.first), int(state.turn) & 255, int(state.turn) >> 8)
    for i in range(MAX_OFFER):
        state.offer[i] = NONE
    for i in range(n):
        kind = _reveal_legend(state)
        state.offer[i] = kind
        tell(state, ALL, EV_ARRIVED, i, kind, 0)
    state.offers = n
    state.taken = 0
    state.revealed = 0
    state.finished = 0
    state.battle = 0
    state.battles = n if two(state) else 1
    everyone = (1 << int(state.seats)) - 1
    state.choosing = everyone
    if not two(state):
        _begin_battle(state)
        early = everyone & ~_choosing_last(state)
        state.choosing = early if early != 0 else 1 << int(state.first)
    state.phase = PHASE_SEND


@helper
def _begin_battle(state: State) -> None:
    """[I] A Legend that waits for the next battle applies in this one."""
    for i in range(int(state.saga_n)):
        if state.saga_state[i] == WAITING:
            state.saga_state[i] = APPLYING


@helper
def _end_battle(state: State) -> None:
    """[I] What applied in this battle is turned over, also without effect, unless it was activated again meanwhile."""
    for i in range(int(state.saga_n)):
        if state.saga_state[i] == APPLYING:
            state.saga_state[i] = TURNED
        elif state.saga_state[i] == AGAIN:
            state.saga_state[i] = WAITING


@helper
def _choosing_last(state: State) -> int:
    """Return the set of seats that choose after all others and see what those sent."""
    seats = 0
    for i in range(int(state.saga_n)):
        if state.saga_state[i] == APPLYING and int(state.does[int(state.saga_kind[i])]) == DO_CHOOSE_LAST:
            seats |= 1 << int(state.saga_owner[i])
    return seats


# --- 2. prepare -------------------------------------------------------------------------------------------------------


@helper
def _send(state: State, seat: int, action: int) -> None:
    """[R] Choose cards secretly; take the choice back until the last has chosen."""
    at = slot(seat, int(state.battle))
    if action == TAKE_BACK:
        state.finished = int(state.finished) & ~(1 << seat)
        state.cards[seat] = int(state.cards[seat]) + int(state.table[at])
        state.table[at] = 0
        tell(state, ALL, EV_TOOK_BACK, seat, 0, 0)
    elif action == DONE:
        state.finished = int(state.finished) | (1 << seat)
        tell(state, ALL, EV_CHOSE, seat, 0, 0)
        if int(state.finished) == int(state.choosing):
            state.reveals = 1
            if two(state):
                _all_have_staked(state)
            else:
                _all_have_sent(state)
    else:
        card = one(action - CHOOSE)
        state.cards[seat] = int(state.cards[seat]) - card
        state.table[at] = int(state.table[at]) + card
        see(state, 1 << seat, SAW_CHOICE << 8 | action)


@helper
def _all_have_sent(state: State) -> None:
    """[R] All reveal. [C] Lem Tzu: then its owner chooses and reveals at once; several in turn order."""
    for k in range(int(state.seats)):
        seat = seat_at(state, k)
        if (int(state.choosing) >> seat) & 1:
            _show(state, seat)
    state.finished = 0
    for k in range(int(state.seats)):
        seat = seat_at(state, k)
        if not (int(state.revealed) >> seat) & 1:
            state.choosing = 1 << seat
            return
    state.choosing = 0
    # [I] Strength is fixed at the reveal.
    for seat in range(int(state.seats)):
        state.strength[seat] = _strength(state, seat)
    state.phase = CHARGE


@helper
def _show(state: State, seat: int) -> None:
    """Show what a seat has sent, or all it has staked."""
    cards = 0
    for battle in range(int(state.battles)):
        cards += int(state.table[slot(seat, battle)])
    changed(state, seat, -cards)
    state.revealed = int(state.revealed) | (1 << seat)
    for battle in range(int(state.battles)):
        tell_cards(state, ALL, EV_SHOWN, seat + 16 * battle, int(state.table[slot(seat, battle)]))


@helper
def _strength(state: State, seat: int) -> int:
    """Return a seat's strength in the present battle. [C] Lemfenrir lowers it, also below zero."""
    total = worth(int(state.table[slot(seat, int(state.battle))]), state.values)
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat and state.saga_state[i] == APPLYING:
            kind = int(state.saga_kind[i])
            if int(state.does[kind]) == DO_STRENGTH:
                total += int(state.amount[kind])
    return total


@helper
def _all_have_staked(state: State) -> None:
    """[R] Two players: a stake's size is known once both have chosen; the values of all stakes after the last."""
    battle = int(state.battle)
    for k in range(2):
        seat = seat_at(state, k)
        tell(state, ALL, EV_STAKED, seat, battle, size(int(state.table[slot(seat, battle)])))
    state.finished = 0
    state.battle = battle + 1
    if battle + 1 < int(state.battles):
        return
    for k in range(2):
        _show(state, seat_at(state, k))
    state.choosing = 0
    state.battle = 0
    state.phase = BATTLE


# --- 3. charge (three to six players) ---------------------------------------------------------------------------------


@helper
def _charge(state: State) -> None:
    """[R] The strongest of those without a Legend takes one. Ties: the First Player, or else the nearest clockwise."""
    kinds = 0
    for i in range(int(state.offers)):
        if state.offer[i] != NONE:
            kinds |= 1 << int(state.offer[i])
    best = NONE
    for k in range(int(state.seats)):
        seat = seat_at(state, k)
        if not (int(state.taken) >> seat) & 1 and (best == NONE or state.strength[seat] > state.strength[best]):
            best = seat
    if kinds == 0 or best == NONE:
        _begin_losses(state, ((1 << int(state.seats)) - 1) & ~int(state.taken))
        return
    state.actor = best
    if size_of_set(kinds) > 1:
        state.phase = PHASE_LEGEND
        return
    kind = 0
    while not (kinds >> kind) & 1:
        kind += 1
    _take_legend(state, kind)


@helper
def _take_legend(state: State, kind: int) -> None:
    """[R] Choose a Legend and activate it; [R] it is put into the Saga after that, see `_settle`."""
    for i in range(int(state.offers)):
        if int(state.offer[i]) == kind:
            state.offer[i] = NONE
            tell(state, ALL, EV_TOOK, int(state.actor), kind, i)
            break
    state.taking = kind
    begin(state, kind)


@helper
def _settle(state: State) -> None:
    """[R] Put the Legend at the right of the Saga; then (three to six players) take the battle cards back into hand."""
    seat, kind = int(state.actor), int(state.taking)
    _add_to_saga(state, seat, kind, when_activated(state, kind))
    state.taking = NONE
    if two(state):
        state.phase = BATTLE_OVER
        return
    state.taken = int(state.taken) | (1 << seat)
    _return(state, seat)
    state.phase = CHARGE


@helper
def _return(state: State, seat: int) -> None:
    """Take the battle cards back into hand."""
    at = slot(seat, int(state.battle))
    cards = int(state.table[at])
    tell(state, ALL, EV_RETURNED, seat, int(state.battle), size(cards))
    changed(state, seat, cards)
    state.table[at] = 0
    state.cards[seat] = int(state.cards[seat]) + cards


# --- 4. losses, and the end of the turn -------------------------------------------------------------------------------


@helper
def _begin_losses(state: State, losers: int) -> None:
    state.losers = losers
    state.cursor = NONE
    state.doubles = 0
    state.phase = LOSSES


@helper
def _losses(state: State) -> None:
    """[R] In turn order losers discard their battle cards; then, by Lemmerlino, as many more of their values if they like."""
    if state.doubles > 0:
        state.doubles = int(state.doubles) - 1
        ask_cards(state)
        return
    state.cursor = int(state.cursor) + 1
    if int(state.cursor) == int(state.seats):
        state.lost = 0
        state.phase = WON if two(state) else TURN_OVER
        return
    seat = seat_at(state, int(state.cursor))
    if (int(state.losers) >> seat) & 1:
        _lose(state, seat)


@helper
def _lose(state: State, seat: int) -> None:
    """Discard a loser's battle cards and get its further losses ready."""
    at = slot(seat, int(state.battle))
    cards = int(state.table[at])
    tell(state, ALL, EV_LOST, seat, int(state.battle), size(cards))
    changed(state, PILE, cards)
    state.table[at] = 0
    state.cards[PILE] = int(state.cards[PILE]) + cards
    state.lost = cards
    state.doubles = count_applying(state, seat, DO_DOUBLE_LOSSES)
    state.actor = seat
    if state.doubles > 0:
        for kind in range(int(state.kinds)):
            if int(state.does[kind]) == DO_DOUBLE_LOSSES:
                state.kind = kind
                break


@helper
def _turn_over(state: State) -> None:
    """[R] First Player passes clockwise. Three to six players: whoever has no cards wins, checked once a turn."""
    if two(state):
        for k in range(2):
            seat = seat_at(state, k)
            draw_cards(state, seat, RESERVE + seat, int(state.reserve_draw))
    else:
        _end_battle(state)
        empty = 0
        for seat in range(int(state.seats)):
            if state.cards[seat] == 0:
                empty |= 1 << seat
        if empty != 0:
            _end(state, _most_legends(state, empty), WIN)
            return
    state.first = seat_at(state, 1)
    state.phase = ARRIVE
    if int(state.turn) >= int(state.turn_limit):
        _end_by_cards(state, GUARDED)


@helper
def _most_legends(state: State, seats: int) -> int:
    """[R] Return those of a set of seats with the most Legends; the first one counts."""
    most, best = -1, 0
    for seat in range(int(state.seats)):
        if (seats >> seat) & 1:
            n = legends_of(state, seat)
            if n > most:
                most, best = n, 0
            if n == most:
                best |= 1 << seat
    return best


@helper
def _end_by_cards(state: State, reason: int) -> None:
    """[I] The guard, and the end of the Legends with two: fewest Village cards, Reserves too; then the most Legends."""
    fewest, seats = 1 << 10, 0
    for seat in range(int(state.seats)):
        n = size(int(state.cards[seat]))
        if two(state):
            n += size(int(state.cards[RESERVE + seat]))
        if n < fewest:
            fewest, seats = n, 0
        if n == fewest:
            seats |= 1 << seat
    _end(state, _most_legends(state, seats), reason)


@helper
def _end(state: State, winners: int, reason: int) -> None:
    """[R] Still equal: a shared win; with two, both lose."""
    if size_of_set(winners) > 1:
        if two(state):
            winners, reason = 0, BOTH_LOSE
        elif reason == WIN:
            reason = SHARED
    state.winners = winners
    state.reason = reason
    state.phase = OVER
    tell(state, ALL, EV_OVER, reason, winners, 0)


# --- two players: battles from left to right --------------------------------------------------------------------------


@helper
def _battle(state: State) -> None:
    """[R] The higher sum wins the Legend and takes its cards back; equal: both lose. [I] Strength is what lies there now."""
    _begin_battle(state)
    for seat in range(2):
        state.strength[seat] = _strength(state, seat)
    state.winner = NONE
    if state.strength[0] != state.strength[1]:
        state.winner = 0 if state.strength[0] > state.strength[1] else 1
        at = slot(int(state.winner), int(state.battle))
        state.back = state.table[at]
        _return(state, int(state.winner))
        _begin_losses(state, 1 << (1 - int(state.winner)))
    else:
        _begin_losses(state, 3)


@helper
def _won(state: State) -> None:
    """[R] Then the Legend takes effect; after a tie it goes under the deck."""
    kind = int(state.offer[int(state.battle)])
    if state.winner != NONE:
        state.actor = state.winner
        state.offer[int(state.battle)] = NONE
        tell(state, ALL, EV_TOOK, int(state.winner), kind, int(state.battle))
        state.taking = kind
        begin(state, kind)
        return
    state.offer[int(state.battle)] = NONE
    state.under[int(state.under_n)] = kind
    state.under_n = int(state.under_n) + 1
    tell(state, ALL, EV_TIED, int(state.battle), kind, 0)
    state.phase = BATTLE_OVER


@helper
def _battle_over(state: State) -> None:
    """[R] After every battle: no cards in hand, none on later stakes, no Reserves wins."""
    _end_battle(state)
    state.back = 0
    state.battle = int(state.battle) + 1
    empty = 0
    for seat in range(2):
        left = int(state.cards[seat]) + int(state.cards[RESERVE + seat])
        for battle in range(int(state.battle), int(state.battles)):
            left += int(state.table[slot(seat, battle)])
        if left == 0:
            empty |= 1 << seat
    state.phase = BATTLE if int(state.battle) < int(state.battles) else TURN_OVER
    if empty != 0:
        _end(state, _most_legends(state, empty), WIN)


# --- the steps that run by themselves ---------------------------------------------------------------------------------


@helper
def _run(state: State) -> None:
    """Go on to the next decision, or the end."""
    while state.phase >= ARRIVE:
        phase = int(state.phase)
        if phase == ARRIVE:
            _arrive(state)
        elif phase == CHARGE:
            _charge(state)
        elif phase == BATTLE:
            _battle(state)
        elif phase == LOSSES:
            _losses(state)
        elif phase == WON:
            _won(state)
        elif phase == PASSING:
            pass_next(state)
        elif phase == SETTLED:
            _settle(state)
        elif phase == BATTLE_OVER:
            _battle_over(state)
        elif phase == TURN_OVER:
            _turn_over(state)


# --- legal actions --------------------------------------------------------------------------------------------------------


@helper
def _legal_to_send(state: State, seat: int, out: Array) -> int:
    """[R] One to three cards, in falling value; two players may stake none with two cards or fewer in hand."""
    if not (int(state.choosing) >> seat) & 1:
        return 0
    if (int(state.finished) >> seat) & 1:
        out[0] = TAKE_BACK
        return 1
    sent = int(state.table[slot(seat, int(state.battle))])
    hand = int(state.cards[seat])
    n = 0
    if size(sent) < int(state.most_sent):
        top = lowest_sent(state, sent)
        for lane in range(top + 1):
            if count(hand, lane) > 0:
                out[n] = CHOOSE + lane
                n += 1
    if size(sent) >= least_to_send(state, size(hand) + size(sent)):
        out[n] = DONE
        n += 1
    return n


@helper
def lowest_sent(state: State, sent: int) -> int:
    """Return the lane of the lowest card sent so far, the highest lane there is when none is."""
    for lane in range(int(state.values_n)):
        if count(sent, lane) > 0:
            return lane
    return int(state.values_n) - 1


@helper
def _legal_to_take(state: State, out: Array) -> int:
    n = 0
    kinds = 0
    for i in range(int(state.offers)):
        kind = int(state.offer[i])
        if kind != NONE and not (kinds >> kind) & 1:
            kinds |= 1 << kind
            out[n] = TAKE + kind
            n += 1
    return n


@helper
def _legal_to_pick(state: State, out: Array) -> int:
    n = 0
    for place in range(PLACES):
        cards = selectable(state, place)
        for lane in range(int(state.values_n)):
            if count(cards, lane) > 0:
                out[n] = CHOOSE + place * LANES + lane
                n += 1
    out[n] = DONE
    return n + 1


@helper
def _legal_to_reactivate(state: State, seat: int, out: Array) -> int:
    n, position = 0, 0
    for i in range(int(state.saga_n)):
        if int(state.saga_owner[i]) == seat:
            if can_reactivate(state, seat, i):
                out[n] = REACTIVATE + position
                n += 1
            position += 1
    return n


# --- an estimate -------------------------------------------------------------------------------------------------------


#: What a quarter of a point of value leaves of a seat's chance; fitted on how matches of the playout policy ended. What the
#: cards are worth tells nearly all: low ones are lost at once, high ones win and come back.
_A_QUARTER = 0.963
#: Beyond so many quarters a chance is as good as none.
_HOPELESS = 400


@helper
def _estimate(state: State, out: Array) -> None:
    """Share one win out by how far each seat still is from having no cards: fewer and cheaper cards are nearer."""
    least = _burden(state, 0)
    for seat in range(1, int(state.seats)):
        least = min(least, _burden(state, seat))
    total = 0.0
    for seat in range(int(state.seats)):
        chance = 1.0
        for _ in range(min(_burden(state, seat) - least, _HOPELESS)):
            chance *= _A_QUARTER
        out[seat] = chance
        total += chance
    for seat in range(int(state.seats)):
        out[seat] /= total


@helper
def _burden(state: State, seat: int) -> int:
    """Return what a seat still has to get rid of, in quarters of a point: a quarter a card, and its value."""
    cards = int(state.cards[seat])
    if two(state):
        cards += int(state.cards[RESERVE + seat])
        for stake in range(MAX_STAKES):
            cards += int(state.table[slot(seat, stake)])
    else:
        cards += int(state.table[seat])
    return size(cards) + 4 * worth(cards, state.values)


# --- the kernels -------------------------------------------------------------------------------------------------------


@compiled(STATE)
def deal(state: State) -> None:
    """From the configured tables to the first decision."""
    _set_up(state)
    _run(state)


@compiled(STATE)
def awaiting(state: State) -> int:
    """Return the set of seats that must decide now."""
    if state.phase == OVER:
        return 0
    if state.phase == PHASE_SEND:
        return int(state.choosing) & ~int(state.finished)
    return 1 << int(state.actor)


@compiled(STATE)
def legal(state: State, seat: int, out: Array) -> int:
    """Fill `out` with the seat's legal actions."""
    phase = int(state.phase)
    if phase == PHASE_SEND:
        return _legal_to_send(state, seat, out)
    if phase == OVER or seat != int(state.actor):
        return 0
    if phase == PHASE_LEGEND:
        return _legal_to_take(state, out)
    if phase == PHASE_CARDS:
        return _legal_to_pick(state, out)
    n = 0
    if phase == PHASE_TARGET:
        seats = may_target(state)
        for other in range(int(state.seats)):
            if (seats >> other) & 1:
                out[n] = TARGET + other
                n += 1
        if not may_decline_target(state):
            return n
    elif phase == PHASE_VALUE:
        cards = all_selectable(state)
        for lane in range(int(state.values_n)):
            if count(cards, lane) > 0:
                out[n] = NAME + lane
                n += 1
    else:
        n = _legal_to_reactivate(state, seat, out)
    out[n] = DECLINE
    return n + 1


@compiled(STATE)
def play(state: State, seat: int, action: int) -> None:
    """Carry out one legal action and run on to the next decision."""
    phase = int(state.phase)
    if phase == PHASE_SEND:
        _send(state, seat, action)
    elif phase == PHASE_LEGEND:
        _take_legend(state, action - TAKE)
    elif action == DECLINE:
        decline(state)
    elif action == DONE:
        finish_cards(state)
    elif phase == PHASE_CARDS:
        pick_card(state, action)
    elif phase == PHASE_TARGET:
        name_target(state, action - TARGET)
    elif phase == PHASE_VALUE:
        name_value(state, action - NAME)
    else:
        reactivate(state, action - REACTIVATE)
    _run(state)


@compiled(STATE)
def payoffs(state: State, out: Array) -> None:
    """Return 1 for a win, its share for a shared one, 0 for all others; before the end, an estimate."""
    n = int(state.seats)
    if state.phase != OVER:
        _estimate(state, out)
        return
    winners = size_of_set(int(state.winners))
    for seat in range(n):
        out[seat] = 1.0 / winners if (int(state.winners) >> seat) & 1 else 0.0
