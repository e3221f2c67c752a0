"""The rules of Lemmings in the rulebook's order: setup, a turn, the cards, the reaction window, the end; then the kernels.

[R] is the rulebook, [I] our reading of it: see the rules file. Numbers and their names: `state.py`.
"""

from __future__ import annotations

import numpy as np

from engines import kernel
from engines.kernel import ALL, Array, State, draw, helper, see, shuffle, size, tell
from engines.lemmings.state import (
    AWAITED,
    BACK,
    BACKWARD,
    BURROW,
    CARRY_OUT,
    CARRYING,
    CHAOS,
    DISCARD,
    E_ANSWERED,
    E_CARRIED_OUT,
    E_CLOSED,
    E_DISCARDED,
    E_DREW,
    E_FIRST,
    E_MOVED,
    E_NO_WAY,
    E_OVER,
    E_PLAYED,
    E_RESHUFFLED,
    E_ROLE,
    E_SHOWN,
    E_STOPPED,
    E_TURN,
    E_WAS,
    EFFECT_BACK,
    EFFECT_CHAOS,
    EFFECT_JUMP,
    EFFECT_WHOOSH,
    FORWARD,
    FROM_BEFORE,
    FROM_PILE,
    JUMP,
    KIND_A,
    KIND_B,
    KIND_OF,
    KINDS,
    LAST_ON_GROUND,
    LEMMINGS,
    MAX_LEAN,
    NO_WAY,
    NOBODY,
    NONE,
    NONE_LEFT,
    NOT_ASKED,
    OVER,
    PAIR_A,
    PAIR_B,
    PASS,
    PROSPECTS,
    SAID_NO_WAY,
    SAID_PASS,
    SAY_NO_WAY,
    STATE,
    STOP,
    TURN,
    TURN_LIMIT,
    UNOWNED_LAST,
    WHOOSH,
    WINDOW,
)

# --- setup ------------------------------------------------------------------------------------------------------------


@helper
def _set_up(state: State) -> None:
    """Set up a match: roles, deck, first seat, hands, and the first turn with its card (rules: Setup, in that order)."""
    seats = int(state.seats)
    # [R] One role each, face down; [I] the unused ones stay unseen.
    roles = np.arange(LEMMINGS)
    shuffle(state, roles, LEMMINGS)
    for seat in range(seats):
        state.players[seat].role = roles[seat]
        tell(state, 1 << seat, E_ROLE, seat, int(roles[seat]), 0)
    # [C] The deck.
    n = 0
    for kind in range(KINDS):
        state.pile[kind] = state.copies[kind]
        for _ in range(int(state.copies[kind])):
            state.deck[n] = kind
            n += 1
    state.deck_n = n
    shuffle(state, state.deck, n)
    # [R] All lemmings in the burrow.
    state.crowd[BURROW] = LEMMINGS
    state.effect = NONE
    state.winner = NONE
    # [I] The first player at random; 2 cards each, one at a time.
    first = draw(state, seats)
    tell(state, ALL, E_FIRST, first, 0, 0)
    for i in range(int(state.start_hand) * seats):
        _draw_into_hand(state, (first + i) % seats)
    state.turn = (first + seats - 1) % seats
    _next_turn(state)


# --- drawing ----------------------------------------------------------------------------------------------------------


@helper
def can_draw(state: State) -> bool:
    """Return whether any card is left to draw, in the pile or after a reshuffle."""
    return int(state.deck_n) + int(state.discards_n) > 0


@helper
def _draw(state: State) -> int:
    """Take the top card of the draw pile, reshuffled if need be; NONE if there is none (rules: A turn, 1)."""
    if state.deck_n == 0:
        _reshuffle(state)
    n = int(state.deck_n) - 1
    if n < 0:
        return NONE
    kind = int(state.deck[n])
    state.deck[n] = 0
    state.deck_n = n
    state.reveals = 1
    return kind


@helper
def _reshuffle(state: State) -> None:
    """[I] Make the discards the new draw pile, those on the table excepted; remember what everybody can then infer."""
    n = int(state.discards_n)
    if n == 0:
        return
    for kind in range(KINDS):
        state.pile[kind] = 0
    for i in range(n):
        kind = int(state.discards[i])
        state.deck[i] = kind
        state.pile[kind] = int(state.pile[kind]) + 1
        state.discards[i] = 0
        state.discards_from[i] = 0
    state.deck_n = n
    state.discards_n = 0
    shuffle(state, state.deck, n)
    for seat in range(int(state.seats)):
        state.players[seat].kept_n = state.players[seat].hand_n
        state.players[seat].kept[:] = state.players[seat].hand
    if state.effect != NONE:
        state.stale = 1
        state.stale_shown = state.shown_n
    tell(state, ALL, E_RESHUFFLED, n, 0, 0)


@helper
def insert(cards: Array, n: int, kind: int) -> None:
    """Put a card among n sorted ones."""
    i = n
    while i > 0 and cards[i - 1] > kind:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = kind


@helper
def add_card(player: State, kind: int) -> None:
    """Put a card into a hand, which stays sorted."""
    n = int(player.hand_n)
    insert(player.hand, n, kind)
    player.hand_n = n + 1


@helper
def _take_card(player: State, kind: int) -> int:
    """Take a card out of a hand and return how many the hand held with it."""
    n = int(player.hand_n)
    i = 0
    while player.hand[i] != kind:
        i += 1
    for j in range(i, n - 1):
        player.hand[j] = player.hand[j + 1]
    player.hand[n - 1] = 0
    player.hand_n = n - 1
    return n


@helper
def holds(player: State, kind: int) -> bool:
    """Return whether a hand has a card of this kind."""
    found = False
    for i in range(int(player.hand_n)):
        found = found or player.hand[i] == kind
    return found


@helper
def _draw_into_hand(state: State, seat: int) -> int:
    """Draw one card for a seat; return 1, or 0 if there is none."""
    kind = _draw(state)
    if kind == NONE:
        return 0
    add_card(state.players[seat], kind)
    tell(state, 1 << seat, E_DREW, seat, kind, 0)
    return 1


@helper
def _discard(state: State, kind: int, source: int) -> None:
    """Lay a card on the discards, with where it came from (see `state.py`)."""
    n = int(state.discards_n)
    state.discards[n] = kind
    state.discards_from[n] = source
    state.discards_n = n + 1


# --- a turn -----------------------------------------------------------------------------------------------------------


@helper
def _next_turn(state: State) -> None:
    """End the turn and begin the next in which there is something to decide (rules: A turn)."""
    state.played = 0
    while True:
        # [I] The guard: nobody wins after so many turns.
        if state.turns >= state.turn_limit:
            _finish(state, TURN_LIMIT, NONE)
            return
        state.turns = int(state.turns) + 1
        seat = (int(state.turn) + 1) % int(state.seats)
        state.turn = seat
        # 1. [R] Draw one card.
        drew = _draw_into_hand(state, seat)
        tell(state, ALL, E_TURN, seat, drew, 0)
        # [I] A turn ends by itself with an empty hand.
        if state.players[seat].hand_n > 0:
            state.phase = TURN
            return


@helper
def _go_on(state: State) -> None:
    """After a card: the turn goes on, or [I] ends by itself after two cards or with an empty hand (rules: A turn, 2)."""
    if state.played >= state.cards_a_turn or state.players[int(state.turn)].hand_n == 0:
        _next_turn(state)
    else:
        state.phase = TURN


@helper
def _turn_actions(state: State, seat: int, out: Array) -> int:
    """Fill in what the seat whose turn it is may do: play a card, then discard one or stop."""
    n = 0
    before = NONE
    hand_n = int(state.players[seat].hand_n)
    # [I] With more than four in hand one cannot stop, only play or discard one (rules: A turn, 3).
    full = hand_n > state.hand_limit
    for i in range(hand_n):
        kind = int(state.players[seat].hand[i])
        if kind != before:
            n = add_effects(state, kind, 0, out, n)
            if full:
                out[n] = DISCARD + kind
                n += 1
        before = kind
    if not full:
        out[n] = STOP
        n += 1
    return n


@helper
def _play_card(state: State, seat: int, effect: int) -> None:
    """Lay a card on the table, its choices made, and open the window on it."""
    tell(state, ALL, E_PLAYED, seat, effect, 0)
    state.table_held = _take_card(state.players[seat], int(KIND_OF[effect]))
    state.effect = effect
    # [I] A cancelled card counts as one of the two.
    state.played = int(state.played) + 1
    note_intent(state, seat, effect, 1)
    _open_window(state, seat)


# --- the cards: which effects they may have ---------------------------------------------------------------------------


@helper
def add_effects(state: State, kind: int, base: int, out: Array, n: int) -> int:
    """Append a card's legal effects to `out` as `base + effect`, rising; return the new length.

    Args:
        base: 0 to play it, CARRY_OUT if Chaos showed it (then Chaos itself has none).
        n: length of `out` before.
    """
    if kind < BACK:
        return _add_forwards(state, kind, base, out, n)
    if kind == BACK:
        # [R] Not into the burrow, so not from land 1; [I] from land 2 or further, or the water.
        for lemming in range(LEMMINGS):
            if state.place[lemming] >= BURROW + 2:
                out[n] = base + EFFECT_BACK + lemming
                n += 1
    elif kind == JUMP:
        n = _add_jumps(state, base, out, n)
    elif kind == WHOOSH:
        n = _add_swaps(state, base, out, n)
    elif kind == CHAOS and base == 0 and can_draw(state):
        out[n] = EFFECT_CHAOS
        n += 1
    # [I] No way! never outside a window: no effect of its own.
    return n


@helper
def _add_forwards(state: State, kind: int, base: int, out: Array, n: int) -> int:
    water = int(state.land_cards) + 1
    first, second = int(KIND_A[kind]), int(KIND_B[kind])
    base += kind * LEMMINGS
    dry = state.place[first] != water
    if dry:
        out[n] = base + first
        n += 1
    # [R] A double card: the player chooses; with one of the two in the water [I] it is played as the other.
    if second != first and state.place[second] != water:
        out[n] = base + second
        n += 1
        dry = True
    if dry:
        return n
    # [R] The very important rule: any other lemming nearest the burrow; [I] of a double both must be in the water.
    nearest = BURROW
    while state.crowd[nearest] == 0:
        nearest += 1
    for lemming in range(LEMMINGS):
        if state.place[lemming] == nearest:
            out[n] = base + lemming
            n += 1
    return n


@helper
def _add_jumps(state: State, base: int, out: Array, n: int) -> int:
    # [I] One place forward or back, any lemming; [R] never into the burrow. From the water only back.
    water = int(state.land_cards) + 1
    base += EFFECT_JUMP
    for lemming in range(LEMMINGS):
        place = int(state.place[lemming])
        if place < water:
            out[n] = base + lemming * 2 + FORWARD
            n += 1
        if place >= BURROW + 2:
            out[n] = base + lemming * 2 + BACKWARD
            n += 1
    return n


@helper
def uncovered(state: State, lemming: int) -> bool:
    """Return whether nobody stands on a lemming's head; [I] so always in the burrow and the water."""
    place = int(state.place[lemming])
    if place == BURROW or place > state.land_cards:
        return True
    return int(state.height[lemming]) + 1 == state.crowd[place]


@helper
def _add_swaps(state: State, base: int, out: Array, n: int) -> int:
    # [R] None that has another on its head; [I] two lemmings in different places.
    tops = 0
    for lemming in range(LEMMINGS):
        if uncovered(state, lemming):
            tops |= 1 << lemming
    base += EFFECT_WHOOSH
    for pair in range(EFFECT_CHAOS - EFFECT_WHOOSH):
        first, second = int(PAIR_A[pair]), int(PAIR_B[pair])
        if (tops >> first) & (tops >> second) & 1 and state.place[first] != state.place[second]:
            out[n] = base + pair
            n += 1
    return n


# --- the cards: what they do ------------------------------------------------------------------------------------------


@helper
def _carry_out(state: State, effect: int) -> None:
    """Carry out the effect of a card other than Chaos (rules: Cards), and tell it."""
    if effect >= EFFECT_WHOOSH:
        _swap(state, int(PAIR_A[effect - EFFECT_WHOOSH]), int(PAIR_B[effect - EFFECT_WHOOSH]))
    elif effect >= EFFECT_JUMP:
        lemming = (effect - EFFECT_JUMP) >> 1
        _jump(state, lemming, int(state.place[lemming]) + direction(effect))
    else:
        lemming = effect - EFFECT_BACK if effect >= EFFECT_BACK else effect % LEMMINGS
        _walk(state, lemming, movers(state, effect), int(state.place[lemming]) + direction(effect))


@helper
def _walk(state: State, lemming: int, bits: int, to: int) -> None:
    """[R] Move a lemming with all that stand on its head, in their order, onto the stack there; the water takes all."""
    start, low = int(state.place[lemming]), int(state.height[lemming])
    tell(state, ALL, E_MOVED, lemming, start, to)
    base = int(state.crowd[to])
    for other in range(LEMMINGS):
        if bits >> other & 1:
            state.place[other] = to
            state.height[other] = base + int(state.height[other]) - low if to <= state.land_cards else 0
    state.crowd[start] = int(state.crowd[start]) - size(bits)
    state.crowd[to] = base + size(bits)


@helper
def _jump(state: State, lemming: int, to: int) -> None:
    """[R] Move a lemming without those on its head onto the top of the stack there; [I] those on its head sink down."""
    start, low = int(state.place[lemming]), int(state.height[lemming])
    tell(state, ALL, E_MOVED, lemming, start, to)
    for other in range(LEMMINGS):
        if state.place[other] == start and state.height[other] > low:
            state.height[other] = int(state.height[other]) - 1
    state.place[lemming] = to
    state.height[lemming] = state.crowd[to] if to <= state.land_cards else 0
    state.crowd[start] = int(state.crowd[start]) - 1
    state.crowd[to] = int(state.crowd[to]) + 1


@helper
def _swap(state: State, first: int, second: int) -> None:
    """[R] Swap two uncovered lemmings; [I] each lands on top of the stack where the other stood."""
    here, low = int(state.place[first]), int(state.height[first])
    there, high = int(state.place[second]), int(state.height[second])
    tell(state, ALL, E_MOVED, first, here, there)
    tell(state, ALL, E_MOVED, second, there, here)
    state.place[first], state.height[first] = there, high
    state.place[second], state.height[second] = here, low


@helper
def _chaos(state: State) -> None:
    """Show the top two cards; a No way! among them ends it, else they are carried out in turn (rules: Chaos)."""
    state.shown_next = 0
    state.reveals = 1
    stopped = False
    for _ in range(2):
        kind = _draw(state)
        if kind != NONE:
            state.shown[int(state.shown_n)] = kind
            state.shown_n = int(state.shown_n) + 1
            # [R] First is No way!: Chaos is cancelled. Second: it cancels the first. [I] Either: nothing is carried out.
            stopped = stopped or kind == NO_WAY
    n = int(state.shown_n)
    tell(state, ALL, E_SHOWN, int(state.shown[0]), int(state.shown[1]) if n > 1 else NONE, n)
    if stopped:
        state.shown_next = n
    _go_on_with_chaos(state)


@helper
def _go_on_with_chaos(state: State) -> None:
    """Carry out the shown cards that are left, up to one with a choice to make, or to the end of Chaos."""
    seat = int(state.turn)
    out = np.empty(16, np.int16)
    while True:
        # The card before has been carried out, or this is the first: checked after each of the two.
        if state.shown_next > 0 and _check_end(state):
            return
        if state.shown_next >= state.shown_n:
            break
        n = add_effects(state, int(state.shown[int(state.shown_next)]), CARRY_OUT, out, 0)
        # [I] It may not be declined; a card with one choice is carried out unasked.
        if n > 1:
            state.phase = CARRYING
            return
        if n == 1:
            _carry_out_shown(state, seat, int(out[0]) - CARRY_OUT)
        else:
            state.shown_next = int(state.shown_next) + 1
    _clear_table(state)
    _go_on(state)


@helper
def _carry_out_shown(state: State, seat: int, effect: int) -> None:
    tell(state, ALL, E_CARRIED_OUT, seat, effect, 0)
    state.shown_next = int(state.shown_next) + 1
    _carry_out(state, effect)


# --- the reaction window ----------------------------------------------------------------------------------------------


@helper
def _open_window(state: State, seat: int) -> None:
    """Ask all seats but the one that played, holders of No way! or not (rules: The reaction window)."""
    state.phase = WINDOW
    state.window_on = seat
    for other in range(int(state.seats)):
        state.players[other].answer = NOT_ASKED if other == seat else AWAITED


@helper
def _answer(state: State, seat: int, answer: int) -> None:
    """Take one answer, told to all as 'answered' whatever it is; the last one closes the window."""
    state.players[seat].answer = answer
    tell(state, ALL, E_ANSWERED, seat, 0, 0)
    see(state, 1 << seat, answer)
    for other in range(int(state.seats)):
        if state.players[other].answer == AWAITED:
            return
    _close_window(state)


@helper
def _close_window(state: State) -> None:
    """Show the first No way! clockwise, which opens a window in turn; if all passed, the card is settled."""
    state.reveals = 1
    seats, on = int(state.seats), int(state.window_on)
    first = NONE
    for step in range(1, seats):
        seat = (on + step) % seats
        if first == NONE and state.players[seat].answer == SAID_NO_WAY:
            first = seat
    # [I] Any other No way! stays in its hand and shows as a pass.
    for seat in range(seats):
        state.players[seat].answer = NOT_ASKED
    if first == NONE:
        _settle(state)
        return
    n = int(state.no_ways)
    tell(state, ALL, E_NO_WAY, first, 0, 0)
    state.no_way_by[n] = first
    state.no_way_held[n] = _take_card(state.players[first], NO_WAY)
    state.no_ways = n + 1
    # Who stops a card serves those whom it would have hurt; who stops a No way!, those whom the card serves.
    note_intent(state, first, int(state.effect), -1 if n & 1 == 0 else 1)
    _open_window(state, first)


@helper
def _settle(state: State) -> None:
    """An odd number of No way!s cancels the card, an even number lets it happen."""
    effect = int(state.effect)
    cancelled = int(state.no_ways) & 1
    tell(state, ALL, E_CLOSED, cancelled, 0, 0)
    if cancelled:
        # A cancelled card never ends a match.
        _clear_table(state)
        _go_on(state)
    elif effect == EFFECT_CHAOS:
        _chaos(state)
    else:
        _carry_out(state, effect)
        if not _check_end(state):
            _clear_table(state)
            _go_on(state)


@helper
def _clear_table(state: State) -> None:
    """[I] Lay the card, its No way!s in order and the shown cards in order on the discards."""
    stale = int(state.stale)
    _discard(state, int(KIND_OF[int(state.effect)]), FROM_BEFORE if stale else int(state.turn) * 8 + int(state.table_held))
    for i in range(int(state.no_ways)):
        source = int(state.no_way_by[i]) * 8 + int(state.no_way_held[i])
        _discard(state, NO_WAY, FROM_BEFORE if stale else source)
        state.no_way_by[i] = 0
        state.no_way_held[i] = 0
    for i in range(int(state.shown_n)):
        _discard(state, int(state.shown[i]), FROM_BEFORE if i < state.stale_shown else FROM_PILE)
        state.shown[i] = 0
    state.effect = NONE
    state.table_held = 0
    state.no_ways = 0
    state.shown_n = 0
    state.shown_next = 0
    state.stale = 0
    state.stale_shown = 0


# --- what moves tell about roles --------------------------------------------------------------------------------------


@helper
def note_intent(state: State, seat: int, effect: int, sign: int) -> None:
    """Add to `lean[seat]` how an effect, as it stands, would serve each lemming: places lost against the mean of all six.

    One place back counts 6 for a lemming that goes it (forward -6), less the mean of all six, so that every move adds up
    to nothing. It is public: derived from public moves. `ai/playouts/lemmings.py` weighs roles by it.

    Args:
        sign: 1 for playing the card, -1 for stopping it.
    """
    if effect == EFFECT_CHAOS:
        return
    if effect >= EFFECT_WHOOSH:
        first, second = int(PAIR_A[effect - EFFECT_WHOOSH]), int(PAIR_B[effect - EFFECT_WHOOSH])
        gain = sign * LEMMINGS * (int(state.place[first]) - int(state.place[second]))
        _lean(state, seat, first, gain)
        _lean(state, seat, second, -gain)
        return
    bits = movers(state, effect)
    step = sign * direction(effect)
    mean = step * size(bits)
    for lemming in range(LEMMINGS):
        _lean(state, seat, lemming, mean - step * LEMMINGS * (bits >> lemming & 1))


@helper
def _lean(state: State, seat: int, lemming: int, gain: int) -> None:
    state.lean[seat, lemming] = min(max(int(state.lean[seat, lemming]) + gain, -MAX_LEAN), MAX_LEAN)


@helper
def movers(state: State, effect: int) -> int:
    """Return the set of lemmings that a forward card, Back! or Jump! would move, as they stand.

    [R] Those on its head too (but for Jump!); in the burrow and the water there is no order: from there it moves alone.
    """
    if effect >= EFFECT_JUMP:
        return 1 << ((effect - EFFECT_JUMP) >> 1)
    mover = effect - EFFECT_BACK if effect >= EFFECT_BACK else effect % LEMMINGS
    place, low = int(state.place[mover]), int(state.height[mover])
    bits = 1 << mover
    if place != BURROW and place <= state.land_cards:
        for other in range(LEMMINGS):
            if state.place[other] == place and state.height[other] > low:
                bits |= 1 << other
    return bits


@helper
def direction(effect: int) -> int:
    """Return by how many places a forward card, Back! or Jump! moves lemmings on: 1 or -1."""
    if effect >= EFFECT_JUMP:
        return 1 - 2 * (effect & 1)
    return -1 if effect >= EFFECT_BACK else 1


# --- the end ----------------------------------------------------------------------------------------------------------


@helper
def owner(state: State, lemming: int) -> int:
    """Return the seat that is a lemming, NONE if nobody is."""
    for seat in range(int(state.seats)):
        if state.players[seat].role == lemming:
            return seat
    return NONE


@helper
def _check_end(state: State) -> bool:
    """End the match if at most one lemming is on the ground, which is everywhere but [I] in the water (rules: End)."""
    water = int(state.land_cards) + 1
    left = LEMMINGS - int(state.crowd[water])
    if left > 1:
        return False
    _clear_table(state)
    if left == 0:
        # [R] The last ones fell together: a draw.
        _finish(state, NONE_LEFT, NONE)
        return True
    last = 0
    while state.place[last] == water:
        last += 1
    winner = owner(state, last)
    # [I] No player has that role: nobody wins.
    _finish(state, UNOWNED_LAST if winner == NONE else LAST_ON_GROUND, winner)
    return True


@helper
def _finish(state: State, reason: int, winner: int) -> None:
    """End the match and show everything: roles, hands and the draw pile."""
    state.phase = OVER
    state.reason = reason
    state.winner = winner
    state.reveals = 1
    tell(state, ALL, E_OVER, reason, winner, 0)
    if state.telling == kernel.TELL_NOTHING:
        return
    for seat in range(int(state.seats)):
        tell(state, ALL, E_WAS, seat, int(state.players[seat].role), 0)
        _see_cards(state, state.players[seat].hand, int(state.players[seat].hand_n))
    _see_cards(state, state.deck, int(state.deck_n))


@helper
def _see_cards(state: State, cards: Array, n: int) -> None:
    """Fold cards into everybody's `seen`, twelve to a code."""
    code = 0
    for i in range(n):
        code = code * KINDS + int(cards[i])
        if i % 12 == 11:
            see(state, ALL, code)
            code = 0
    see(state, ALL, code)


@helper
def prospect(state: State, place: int, height: int) -> float:
    """Return how good it is for a lemming to stand in a place at a height, see PROSPECTS."""
    return PROSPECTS[1 if height > 0 else 0, int(state.land_cards) + 1 - place]


@helper
def prospects(state: State) -> float:
    """Return the sum of all lemmings' prospects, and of nobody's."""
    total = NOBODY
    for lemming in range(LEMMINGS):
        total += prospect(state, int(state.place[lemming]), int(state.height[lemming]))
    return total


# --- the kernels: compiled when they are defined, so they come last -----------------------------------------------------


@kernel.kernel(STATE)
def deal(state: State) -> None:
    """Set up a configured match and run on to the first decision."""
    _set_up(state)


@kernel.kernel(STATE)
def awaiting(state: State) -> int:
    """Return the set of seats that must decide now: in a window all but the one that is being answered."""
    phase = int(state.phase)
    if phase == OVER:
        return 0
    if phase != WINDOW:
        return 1 << int(state.turn)
    bits = 0
    for seat in range(int(state.seats)):
        if state.players[seat].answer == AWAITED:
            bits |= 1 << seat
    return bits


@kernel.kernel(STATE)
def legal(state: State, seat: int, out: Array) -> int:
    """Fill `out` with a seat's legal actions and return how many (rules: Actions); equal cards are one action."""
    phase = int(state.phase)
    if phase == WINDOW:
        if state.players[seat].answer != AWAITED:
            return 0
        out[0] = PASS
        if not holds(state.players[seat], NO_WAY):
            return 1
        out[1] = SAY_NO_WAY
        return 2
    if phase == OVER or seat != state.turn:
        return 0
    if phase == CARRYING:
        return add_effects(state, int(state.shown[int(state.shown_next)]), CARRY_OUT, out, 0)
    return _turn_actions(state, seat, out)


@kernel.kernel(STATE)
def play(state: State, seat: int, action: int) -> None:
    """Carry out one legal action and run on to the next decision."""
    if action == PASS:
        _answer(state, seat, SAID_PASS)
    elif action == SAY_NO_WAY:
        _answer(state, seat, SAID_NO_WAY)
    elif action < CARRY_OUT:
        _play_card(state, seat, action)
    elif action < DISCARD:
        note_intent(state, seat, action - CARRY_OUT, 1)
        _carry_out_shown(state, seat, action - CARRY_OUT)
        _go_on_with_chaos(state)
    elif action < STOP:
        # A discard opens no window and ends the turn.
        kind = action - DISCARD
        held = _take_card(state.players[seat], kind)
        _discard(state, kind, seat * 8 + held)
        tell(state, ALL, E_DISCARDED, seat, kind, 0)
        _next_turn(state)
    else:
        tell(state, ALL, E_STOPPED, seat, 0, 0)
        _next_turn(state)


@kernel.kernel(STATE)
def payoffs(state: State, out: Array) -> None:
    """Fill in 1 for the winner and 0 for all others; while the match runs, each seat's estimated chance to be the last."""
    winner = int(state.winner)
    if state.phase == OVER:
        for seat in range(int(state.seats)):
            out[seat] = 1.0 if seat == winner else 0.0
        return
    total = prospects(state)
    for seat in range(int(state.seats)):
        role = int(state.players[seat].role)
        if role == NONE:
            out[seat] = 1.0 / LEMMINGS
        else:
            out[seat] = prospect(state, int(state.place[role]), int(state.height[role])) / total
