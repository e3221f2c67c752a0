"""The rules of Lemminge, in the order of the rulebook: setup, a turn (move or refill), the empty draw pile, the end.

The comments name the paragraphs of the rules: [R] the rulebook says it, [I] our reading of it, [C] printed material.
"""

from __future__ import annotations

import math
from typing import Any

from engines.kernel import ALL, State, draw, helper, tell
from engines.kernel import kernel as compiled
from engines.lemminge.state import (
    ARRIVED,
    BEYOND,
    CARD_OR_REFILL,
    CHOSE,
    DIRECTIONS,
    DISCARD,
    DISCARDED,
    DISCARDS,
    DONE,
    DREW,
    ENDED,
    FINISH,
    GO,
    HAND,
    HANDED,
    KEPT_ZERO,
    KINDS,
    LEMMING,
    LEMMINGS,
    MAX_SPACES,
    MEADOW,
    MOVE,
    MOVED,
    NEW_PILE,
    NONE,
    OFF,
    OVER,
    PEN,
    PEN_GO,
    PLACED,
    PLAY_CARD,
    PLAYED,
    PUSHED,
    PUT,
    REFILL,
    REFILLED,
    REFILLING,
    RESHUFFLED,
    STALEMATE,
    STARTED,
    STATE,
    STEP,
    STOP,
    STOPPED,
    TERRAINS,
    TILE,
    TURN,
    VALUES,
)

#: [R] The value of the card that starts each terrain's pile.
FIRST_VALUE = 2
#: [R] Copies of a zero that must lie open in a pile for it to be given up when the draw pile is empty.
ZEROS = 2
#: Price of entering a meadow and of entering a terrain, on the cheapest way (`state.way`); prices end at DEAREST.
MEADOW_PRICE = 2
TERRAIN_PRICE = 3
DEAREST = 127
# The estimate, in these prices, as fitted to 4,000 matches of the playout policy against itself: what having the turn is worth,
# a card in hand, a movement point; and the lead that wins six matches of seven, which grows with the way both have left.
TEMPO = 4.0
CARD_WORTH = 1.5
POINT_WORTH = 1.6
SURE_LEAD = 6.0
SURE_LEAD_GROWS = 0.085
SURE_LEAD_MOST = 18.0


# --- hands, piles and the draw pile -----------------------------------------------------------------------------------


@helper
def add_to_hand(player: Any, kind: int) -> None:
    """Put a card into a hand, which stays sorted."""
    i = int(player.hand_n)
    player.hand_n = i + 1
    while i > 0 and player.hand[i - 1] > kind:
        player.hand[i] = player.hand[i - 1]
        i -= 1
    player.hand[i] = kind


@helper
def take_from_hand(state: State, seat: int, kind: int) -> None:
    """Take a card out of a hand for all to see; the others now know that much less of what is still in hands."""
    player = state.players[seat]
    n = int(player.hand_n) - 1
    i = 0
    while player.hand[i] != kind:
        i += 1
    for k in range(i, n):
        player.hand[k] = player.hand[k + 1]
    player.hand[n] = NONE
    player.hand_n = n
    player.kept = min(int(player.kept), n)
    for other in range(int(state.seats)):
        if other != seat and state.players[other].known[kind] > 0:
            state.players[other].known[kind] -= 1


@helper
def discard(state: State, kind: int) -> None:
    """Put a card on the discard pile."""
    n = int(state.discard_n)
    state.discards[n] = kind
    state.discard_n = n + 1


@helper
def draw_card(state: State) -> int:
    """Take a random card off the draw pile, which is not empty; only now is its order decided."""
    n = int(state.draw_n)
    rest = draw(state, n)
    kind = 0
    while rest >= state.draw_pile[kind]:
        rest -= int(state.draw_pile[kind])
        kind += 1
    state.draw_pile[kind] -= 1
    state.draw_n = n - 1
    return kind


@helper
def start_pile(state: State, kind: int) -> None:
    """Start a terrain pile with one card."""
    terrain = kind // VALUES
    value = kind - terrain * VALUES
    state.piles[kind] += 1
    state.pile_top[terrain] = value
    state.pile_sum[terrain] = value


@helper
def discard_pile_but(state: State, terrain: int, kept: int) -> int:
    """Discard a terrain pile, bottom card (the highest) first, but the last `kept` cards; return how many went."""
    left = -kept
    for value in range(VALUES):
        left += int(state.piles[terrain * VALUES + value])
    gone = 0
    for value in range(VALUES - 1, -1, -1):
        kind = terrain * VALUES + value
        while state.piles[kind] > 0 and gone < left:
            state.piles[kind] -= 1
            discard(state, kind)
            gone += 1
    return gone


# --- setup ------------------------------------------------------------------------------------------------------------


@helper
def begin_turn(state: State, seat: int) -> None:
    """The next turn: its seat plays a card or refills."""
    state.turn = seat
    state.turns += 1
    state.progress = 0
    state.ground = NONE
    state.points = 0
    state.mover = NONE
    state.drawing = 0
    state.phase = CARD_OR_REFILL


@compiled(STATE)
def deal(state: State) -> None:
    """From configured tables and random words to the first decision."""
    seats = int(state.seats)
    # [R] All lemmings in the pen.
    for seat in range(seats):
        player = state.players[seat]
        for i in range(HAND):
            player.hand[i] = NONE
        for which in range(LEMMINGS):
            player.where[which] = PEN
            player.best[which] = state.pen_distance
    # [R] One "2" of each terrain starts that terrain's pile. The others are the draw pile.
    for kind in range(KINDS):
        state.draw_pile[kind] = state.copies[kind]
        state.draw_n += state.copies[kind]
    for terrain in range(TERRAINS):
        kind = terrain * VALUES + FIRST_VALUE
        state.draw_pile[kind] -= 1
        state.draw_n -= 1
        start_pile(state, kind)
    # [R] Start player at random. Hands in turn order: the last gets 6, each before one card less.
    first = draw(state, seats)
    state.first = first
    tell(state, ALL, STARTED, first, 0, 0)
    for i in range(seats):
        seat = (first + i) % seats
        n = HAND + 1 - seats + i
        tell(state, ALL, HANDED, seat, n, 0)
        for _ in range(n):
            kind = draw_card(state)
            add_to_hand(state.players[seat], kind)
            tell(state, 1 << seat, DREW, seat, kind, 0)
    state.tile = NONE
    begin_turn(state, first)


# --- what may be done -------------------------------------------------------------------------------------------------


@helper
def step_cost(state: State, here: int, direction: int, ground: int, points: int) -> int:
    """Return what a step costs, 0 when it is not allowed.

    Args:
        here: the space the mover stands on, or MAX_SPACES + the pen cell it leaves.
        ground: terrain of the card played.
        points: movement points left.
    """
    there = int(state.near[here, direction])
    # [R] Leaving over the finish line costs 1 as any step.
    if there == BEYOND:
        return 1 if points > 0 else 0
    if there == OFF:
        return 0
    # [R] Meadow or the card's terrain, as it is now; [I] the mover itself, even when it pushes.
    terrain = int(state.terrain[there])
    if terrain != MEADOW and terrain != ground:
        return 0
    # [R] 1, and 1 for each lemming pushed: the whole row in that direction, over any terrain, also across the finish line,
    # but never off the board [R] nor into the pen [I].
    cost = 1
    while there >= 0 and is_occupied(state, there):
        cost += 1
        there = int(state.near[there, direction])
    return cost if there != OFF and cost <= points else 0


@helper
def is_occupied(state: State, space: int) -> bool:
    """Return whether a lemming stands on a space."""
    return (int(state.occupied[space >> 5]) >> (space & 31)) & 1 != 0


@helper
def can_step(state: State, seat: int, which: int) -> bool:
    """Return whether a lemming has a legal step."""
    here = int(state.players[seat].where[which])
    ground, points = int(state.ground), int(state.points)
    if here >= 0:
        for direction in range(DIRECTIONS):
            if step_cost(state, here, direction, ground, points):
                return True
    elif here == PEN:
        for cell in range(MAX_SPACES, MAX_SPACES + int(state.pens)):
            for direction in range(DIRECTIONS):
                if step_cost(state, cell, direction, ground, points):
                    return True
    return False


@helper
def put_steps(state: State, seat: int, which: int, out: Any) -> int:
    """Fill `out` with a lemming's legal steps; return how many."""
    here = int(state.players[seat].where[which])
    ground, points = int(state.ground), int(state.points)
    n = 0
    if here >= 0:
        for direction in range(DIRECTIONS):
            if step_cost(state, here, direction, ground, points):
                out[n] = GO + direction
                n += 1
    elif here == PEN:
        # [I] Both ways onto one space are offered.
        for cell in range(int(state.pens)):
            for direction in range(DIRECTIONS):
                if step_cost(state, MAX_SPACES + cell, direction, ground, points):
                    out[n] = PEN_GO + cell * DIRECTIONS + direction
                    n += 1
    return n


@helper
def put_hand(player: Any, base: int, out: Any) -> int:
    """Fill `out` with one action for each different card of a hand; return how many."""
    n = 0
    last = NONE
    for i in range(int(player.hand_n)):
        kind = int(player.hand[i])
        if kind != last:
            out[n] = base + kind
            n += 1
        last = kind
    return n


@compiled(STATE)
def awaiting(state: State) -> int:
    """Return the bit set of the seats that must decide now."""
    return 0 if state.phase == OVER else 1 << int(state.turn)


@compiled(STATE)
def legal(state: State, seat: int, out: Any) -> int:
    """Fill `out` with a seat's legal actions; return how many."""
    phase = int(state.phase)
    if phase == OVER or seat != state.turn:
        return 0
    if phase == CARD_OR_REFILL:
        # [R] Any hand card, or refill: also with 6 cards; with an empty hand it is the only choice.
        n = put_hand(state.players[seat], PLAY_CARD, out)
        out[n] = REFILL
        return n + 1
    if phase == DISCARDS:
        # [R] Any number of hand cards, also none, also all.
        n = put_hand(state.players[seat], DISCARD, out)
        out[n] = DONE
        return n + 1
    if phase == TILE:
        # [R] On any space of the board, also under a lemming, also on another tile.
        n = int(state.spaces)
        for space in range(n):
            out[space] = PUT + space
        return n
    # [R] Fewer spaces than points are allowed; [I] none at all is allowed.
    n = 0
    if phase == LEMMING:
        # [I] Only lemmings with a legal step are offered.
        for which in range(LEMMINGS):
            if can_step(state, seat, which):
                out[n] = MOVE + which
                n += 1
    else:
        n = put_steps(state, seat, int(state.mover), out)
    out[n] = STOP
    return n + 1


# --- a turn -----------------------------------------------------------------------------------------------------------


@helper
def play_card(state: State, seat: int, kind: int) -> None:
    """Play a card on its terrain's pile; it gives the movement points, and a tile if it starts the pile anew."""
    terrain = kind // VALUES
    value = kind - terrain * VALUES
    take_from_hand(state, seat, kind)
    state.ground = terrain
    if value <= state.pile_top[terrain]:
        # [R] Not above the top card: on top of it. Points: the sum of the whole pile.
        state.piles[kind] += 1
        state.pile_top[terrain] = value
        state.pile_sum[terrain] += value
        state.points = state.pile_sum[terrain]
        tell(state, ALL, PLAYED, seat, kind, int(state.points))
        begin_move(state, seat)
        return
    # [R] Above it: the old pile is discarded, the card starts a new one. Points: its value.
    gone = discard_pile_but(state, terrain, 0)
    start_pile(state, kind)
    state.points = value
    tell(state, ALL, PLAYED, seat, kind, value)
    # [R] A bonus tile of that terrain; none left: a meadow tile; none left: no tile.
    tile = terrain
    if state.tiles_left[tile] == 0:
        tile = MEADOW
    if state.tiles_left[tile] == 0:
        tell(state, ALL, NEW_PILE, terrain, gone, 255)
        begin_move(state, seat)
        return
    state.tiles_left[tile] -= 1
    tell(state, ALL, NEW_PILE, terrain, gone, tile)
    # [R] It is placed at once; [I] placing is compulsory, before the lemming is chosen.
    state.tile = tile
    state.phase = TILE


@helper
def place_tile(state: State, seat: int, space: int) -> None:
    """Place the bonus tile. [I] A lemming standing there is unaffected."""
    n = int(state.tile_n)
    replaced = 255
    for i in range(n):
        if state.tile_space[i] == space:
            replaced = int(state.tile_kind[i])
    tile = int(state.tile)
    state.tile_kind[n] = tile
    state.tile_space[n] = space
    state.tile_seat[n] = seat
    state.tile_turn[n] = state.turns
    state.tile_n = n + 1
    state.tile = NONE
    change_terrain(state, space, tile)
    tell(state, ALL, PLACED, seat * 8 + tile, space, replaced)
    begin_move(state, seat)


@helper
def begin_move(state: State, seat: int) -> None:
    """The seat names a lemming; [I] the turn ends by itself when neither has a legal step."""
    state.phase = LEMMING
    for which in range(LEMMINGS):
        if can_step(state, seat, which):
            return
    end_turn(state, seat)


@helper
def step(state: State, seat: int, action: int) -> None:
    """One step of the mover, with all it pushes; then what follows from crossing or from having no step left."""
    which = int(state.mover)
    # [I] In the pen a lemming stands on no particular cell: its first step names one, and a direction.
    if action >= PEN_GO:
        here = (action - PEN_GO) // DIRECTIONS
        direction = action - PEN_GO - here * DIRECTIONS
        here += MAX_SPACES
    else:
        here = int(state.players[seat].where[which])
        direction = action - GO
    cost = step_cost(state, here, direction, int(state.ground), int(state.points))
    moved = seat * LEMMINGS + which
    if here < MAX_SPACES:
        state.occupied[here >> 5] = int(state.occupied[here >> 5]) & ~(1 << (here & 31))
    # [R] The mover steps onto the space, whoever stands there moves one on in the same direction, and so on.
    kind = MOVED
    crossed = NONE
    while moved != NONE:
        there = int(state.near[here, direction])
        pushed = NONE
        if there == BEYOND:
            crossed = moved
        elif is_occupied(state, there):
            pushed = lemming_on(state, there)
        put_lemming(state, moved, there)
        tell(state, ALL, kind, moved, there, here)
        kind = PUSHED
        moved = pushed
        here = there
    if crossed != NONE:
        arrive(state, crossed // LEMMINGS)
        if state.phase == OVER:
            return
    # [I] The mover's own crossing ends the move, nobody else's; so does having no legal step left.
    state.points -= cost
    state.phase = STEP
    if not can_step(state, seat, which):
        end_turn(state, seat)


@helper
def lemming_on(state: State, space: int) -> int:
    """Return the lemming on an occupied space."""
    for seat in range(int(state.seats)):
        for which in range(LEMMINGS):
            if state.players[seat].where[which] == space:
                return seat * LEMMINGS + which
    return NONE


@helper
def put_lemming(state: State, lemming: int, there: int) -> None:
    """Put a lemming on a space or beyond the finish line, and note whether that is nearer than ever before."""
    seat = lemming // LEMMINGS
    which = lemming - seat * LEMMINGS
    player = state.players[seat]
    player.where[which] = there
    distance = 0
    if there >= 0:
        distance = int(state.distance[there])
        state.occupied[there >> 5] = int(state.occupied[there >> 5]) | (1 << (there & 31))
    # [I] Progress: any lemming, moved or pushed, comes nearer than it ever was.
    if distance < player.best[which]:
        player.best[which] = distance
        state.progress = 1


@helper
def refill(state: State, seat: int) -> None:
    """Draw up to 6; what was discarded lies on the discard pile already."""
    player = state.players[seat]
    drawn = 0
    while player.hand_n < HAND:
        if state.draw_n == 0:
            renew_draw_pile(state)
            # [I] Both empty, after the zeros: drawing stops and the hand stays smaller.
            if state.draw_n == 0:
                break
        kind = draw_card(state)
        add_to_hand(player, kind)
        tell(state, 1 << seat, DREW, seat, kind, 0)
        drawn += 1
    tell(state, ALL, REFILLED, seat, drawn, 0)


# --- draw pile empty --------------------------------------------------------------------------------------------------


@helper
def renew_draw_pile(state: State) -> None:
    """[I] Called when a card must be drawn and none is there, not when the last one has been drawn."""
    # [R] Every terrain pile on which both zeros lie open gives all its cards but one zero to the discard pile.
    for terrain in range(TERRAINS):
        if state.piles[terrain * VALUES] >= ZEROS:
            gone = discard_pile_but(state, terrain, 1)
            state.pile_sum[terrain] = 0
            tell(state, ALL, KEPT_ZERO, terrain, gone, 0)
    # [R] Then the discard pile becomes the draw pile.
    n = int(state.discard_n)
    if n == 0:
        return
    for i in range(n):
        state.draw_pile[int(state.discards[i])] += 1
        state.discards[i] = 0
    state.discard_n = 0
    state.draw_n = n
    state.reveals = 1
    tell(state, ALL, RESHUFFLED, n, 0, 0)
    remember_hands(state)


@helper
def remember_hands(state: State) -> None:
    """With the draw pile just empty, every seat knows the other hands together: keep that for `imagine`."""
    seats = int(state.seats)
    for seat in range(seats):
        player = state.players[seat]
        player.kept = player.hand_n
        for kind in range(KINDS):
            player.known[kind] = 0
        for other in range(seats):
            if other != seat:
                for i in range(int(state.players[other].hand_n)):
                    player.known[int(state.players[other].hand[i])] += 1


# --- the end ----------------------------------------------------------------------------------------------------------


@helper
def arrive(state: State, seat: int) -> None:
    """A lemming has crossed; with the second its player is done."""
    player = state.players[seat]
    player.across += 1
    if player.across < LEMMINGS:
        return
    # [R] Places go by the order in which the second lemmings cross.
    place = int(state.done_n) + 1
    state.done_n = place
    player.place = place
    tell(state, ALL, ARRIVED, seat, place, 0)
    # [R] A player who is done takes no more turns; the hand goes to the discard pile, by terrain, then value.
    if state.seats > 2:
        while player.hand_n > 0:
            kind = int(player.hand[0])
            take_from_hand(state, seat, kind)
            discard(state, kind)
            state.reveals = 1
            tell(state, ALL, DISCARDED, seat, kind, 0)
    # [R] Two players: the first with both across wins at once. More: all but one are done, [I] even in mid-move.
    if place == int(state.seats) - 1:
        for other in range(int(state.seats)):
            if state.players[other].place == 0:
                state.players[other].place = place + 1
        end_match(state, FINISH)


@helper
def end_turn(state: State, seat: int) -> None:
    """The turn is over: count turns without progress, then the next player who is not done."""
    state.quiet = 0 if state.progress else int(state.quiet) + 1
    # [I] Stalemate guard.
    if state.quiet >= state.quiet_limit:
        for other in range(int(state.seats)):
            if state.players[other].across < LEMMINGS:
                state.players[other].place = stalemate_place(state, other)
        end_match(state, STALEMATE)
        return
    seats = int(state.seats)
    seat = (seat + 1) % seats
    while state.players[seat].across == LEMMINGS:
        seat = (seat + 1) % seats
    begin_turn(state, seat)
    tell(state, ALL, TURN, seat, 0, 0)


@helper
def end_match(state: State, reason: int) -> None:
    """Nobody decides any more."""
    state.phase = OVER
    state.reason = reason
    tell(state, ALL, ENDED, reason, 0, 0)


@helper
def stalemate_place(state: State, seat: int) -> int:
    """[I] Behind the players already done: by lemmings across, then by the sum of the distances left; equal players share."""
    place = 1
    across, left = int(state.players[seat].across), distance_left(state, seat)
    for other in range(int(state.seats)):
        others = int(state.players[other].across)
        if others > across or (others == across and distance_left(state, other) < left):
            place += 1
    return place


@helper
def distance_left(state: State, seat: int) -> int:
    """Return the sum of the distances of a seat's lemmings."""
    left = 0
    for which in range(LEMMINGS):
        here = int(state.players[seat].where[which])
        if here >= 0:
            left += int(state.distance[here])
        elif here == PEN:
            left += int(state.pen_distance)
    return left


# --- the cheapest way --------------------------------------------------------------------------------------------------


@helper
def price_from(state: State, here: int) -> int:
    """Return the price of the cheapest way across by way of one of the neighbours, DEAREST when there is none."""
    best = DEAREST
    for direction in range(DIRECTIONS):
        there = int(state.near[here, direction])
        if there == BEYOND:
            return MEADOW_PRICE
        if there >= 0:
            price = int(state.way[there]) + (MEADOW_PRICE if state.terrain[there] == MEADOW else TERRAIN_PRICE)
            best = min(best, price)
    return best


@helper
def survey(state: State) -> None:
    """Bring every space's `way` up to date: sweeps to and fro until nothing changes."""
    n = int(state.spaces)
    changed = True
    while changed:
        changed = False
        for i in range(2 * n):
            space = i if i < n else 2 * n - 1 - i
            price = price_from(state, space)
            if price != state.way[space]:
                state.way[space] = price
                changed = True


@helper
def change_terrain(state: State, space: int, terrain: int) -> None:
    """Change a space's terrain, and the ways that lead over it."""
    if state.terrain[space] == terrain:
        return
    state.terrain[space] = terrain
    for direction in range(DIRECTIONS):
        there = int(state.near[space, direction])
        if there >= 0 and price_from(state, there) != state.way[there]:
            survey(state)
            return


@helper
def way_left(state: State, seat: int) -> int:
    """Return the price of the cheapest ways across of a seat's lemmings, together."""
    left = 0
    for which in range(LEMMINGS):
        here = int(state.players[seat].where[which])
        if here >= 0:
            left += int(state.way[here])
        elif here == PEN:
            left += way_from_pen(state)
    return left


@helper
def way_from_pen(state: State) -> int:
    """Return the price of the cheapest way across from the pen."""
    best = DEAREST
    for cell in range(MAX_SPACES, MAX_SPACES + int(state.pens)):
        best = min(best, price_from(state, cell))
    return best


@helper
def result(state: State, seat: int) -> float:
    """Return a place as 0..1, from last to first; equal players get the mean of the places they share."""
    seats = int(state.seats)
    behind = 0.0
    for other in range(seats):
        if other != seat:
            if state.players[other].place > state.players[seat].place:
                behind += 1.0
            elif state.players[other].place == state.players[seat].place:
                behind += 0.5
    return behind / (seats - 1)


# --- one action -------------------------------------------------------------------------------------------------------


@compiled(STATE)
def play(state: State, seat: int, action: int) -> None:
    """Carry out one legal action and run on to the next decision."""
    # Move: a card, perhaps a tile, a lemming, its steps.
    if action < DISCARD:
        play_card(state, seat, action - PLAY_CARD)
    elif action >= PUT:
        place_tile(state, seat, action - PUT)
    elif action >= GO:
        step(state, seat, action)
    elif action >= MOVE:
        state.mover = action - MOVE
        state.phase = STEP
        tell(state, ALL, CHOSE, seat * LEMMINGS + action - MOVE, 0, 0)
    elif action == STOP:
        tell(state, ALL, STOPPED, seat, 0, 0)
        end_turn(state, seat)
    # Refill: discard, then draw.
    elif action == REFILL:
        state.phase = DISCARDS
        tell(state, ALL, REFILLING, seat, 0, 0)
    elif action == DONE:
        refill(state, seat)
        end_turn(state, seat)
    else:
        kind = action - DISCARD
        take_from_hand(state, seat, kind)
        discard(state, kind)
        state.drawing += 1
        tell(state, ALL, DISCARDED, seat, kind, 0)


# --- payoffs and the estimate -----------------------------------------------------------------------------------------


@helper
def chance_ahead(state: State, seat: int, other: int) -> float:
    """Return the estimated chance that a seat will end ahead of another."""
    if state.players[seat].place > 0 or state.players[other].place > 0:
        first = state.players[other].place == 0 or 0 < state.players[seat].place < state.players[other].place
        return 1.0 if first else 0.0
    mine, others = race_left(state, seat), race_left(state, other)
    lead = (others - mine) / min(SURE_LEAD + SURE_LEAD_GROWS * (mine + others), SURE_LEAD_MOST)
    return 0.5 + 0.5 * lead / math.sqrt(1.0 + lead * lead)


@helper
def race_left(state: State, seat: int) -> float:
    """Return the cheapest way left, less what the cards in hand are worth, and the turn as far as it is still to come."""
    hand = int(state.players[seat].hand_n)
    left = float(way_left(state, seat))
    if seat == state.turn:
        phase = int(state.phase)
        if phase == CARD_OR_REFILL:
            left -= TEMPO
        elif phase == DISCARDS:
            hand = HAND
            left += TEMPO
        else:
            left += TEMPO - POINT_WORTH * int(state.points)
    return max(left - CARD_WORTH * hand, 0.0)


@compiled(STATE)
def payoffs(state: State, out: Any) -> None:
    """Fill `out` with 0..1 a seat: the result when over, before that an estimate in the same scale.

    The estimate: for each pair of seats, who is ahead on the cheapest way across, as a share of the way that is left.
    """
    seats = int(state.seats)
    if state.phase == OVER:
        for seat in range(seats):
            out[seat] = result(state, seat)
        return
    for seat in range(seats):
        out[seat] = 0.0
    for seat in range(seats):
        for other in range(seat):
            chance = chance_ahead(state, seat, other)
            out[seat] += chance / (seats - 1)
            out[other] += (1.0 - chance) / (seats - 1)
