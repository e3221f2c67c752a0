"""The record of a match of Lemmings, and the names of its numbers.

Places, in running order (`land_cards` = 4):

    0       1 ... 4        5
    burrow  land 1 ... 4   water

Kinds of card:

    0-5      6-20                                21     22     23       24       25
    forward  double forward, pairs 01 02 ... 45  Back!  Jump!  Whoosh!  No way!  Chaos

Effects (a card with its choices):

    0-125                          126-131           132-143                              144-158              159
    forward kinds: kind * 6 +      Back!: lemming    Jump!: lemming * 2 + direction       Whoosh!: the pair    Chaos
    the lemming that is moved                        (0 forward, 1 back)

Actions:

    0-159            160-319                        320-345              346   347   348
    play the effect  carry out (shown by Chaos)     discard (the kind)   stop  pass  No way!

Who a discard came from (`discards_from`): 0-47 = seat * 8 + cards it held with this one; or FROM_PILE, FROM_BEFORE.
"""

from __future__ import annotations

import numpy as np

from engines import kernel

NONE = -1

# --- sizes: an edition beyond them is refused -------------------------------------------------------------------------

LEMMINGS = 6
MAX_LAND_CARDS = 6
MAX_HAND_LIMIT = 6
MAX_CARDS_A_TURN = 6
MAX_DECK = 90
MAX_NO_WAYS = 12
MAX_TURN_LIMIT = 10_000
HAND_SLOTS = 8
MAX_LEAN = 30_000

# --- places -----------------------------------------------------------------------------------------------------------

BURROW = 0

# --- kinds of card ----------------------------------------------------------------------------------------------------

DOUBLE = 6
BACK = 21
JUMP = 22
WHOOSH = 23
NO_WAY = 24
CHAOS = 25
KINDS = 26

PAIRS = [(a, b) for a in range(LEMMINGS) for b in range(a + 1, LEMMINGS)]
#: The two lemmings of each pair.
PAIR_A = np.array([a for a, _ in PAIRS], np.int8)
PAIR_B = np.array([b for _, b in PAIRS], np.int8)
#: The one or two lemmings of each forward kind.
KIND_A = np.array([*range(LEMMINGS), *PAIR_A], np.int8)
KIND_B = np.array([*range(LEMMINGS), *PAIR_B], np.int8)

# --- effects and actions ----------------------------------------------------------------------------------------------

EFFECT_BACK = 126
EFFECT_JUMP = 132
EFFECT_WHOOSH = 144
EFFECT_CHAOS = 159
EFFECTS = 160
FORWARD, BACKWARD = 0, 1

CARRY_OUT = 160
DISCARD = 320
STOP = 346
PASS = 347
SAY_NO_WAY = 348
ACTIONS = 349
#: 15 swaps, 12 jumps, 6 backs, then four forward cards of at most 5 lemmings and 7 discards.
MAX_ACTIONS = 64

#: The card of each effect.
KIND_OF = np.array(
    [e // LEMMINGS for e in range(EFFECT_BACK)]
    + [BACK] * (EFFECT_JUMP - EFFECT_BACK)
    + [JUMP] * (EFFECT_WHOOSH - EFFECT_JUMP)
    + [WHOOSH] * (EFFECT_CHAOS - EFFECT_WHOOSH)
    + [CHAOS],
    np.int8,
)

# --- phases, answers, reasons -----------------------------------------------------------------------------------------

TURN = 0  # the seat whose turn it is plays, discards or stops
WINDOW = 1  # all seats but one answer the card just played
CARRYING = 2  # the player of Chaos chooses how the next shown card is carried out
OVER = 3

NOT_ASKED = 0
AWAITED = 1
ANSWERED = 2  # another seat's, unrevealed: what a redacted state keeps
SAID_PASS = 3
SAID_NO_WAY = 4

RUNNING = 0
LAST_ON_GROUND = 1
UNOWNED_LAST = 2
NONE_LEFT = 3
TURN_LIMIT = 4
REASONS = ("last_on_ground", "unowned_last", "none_left", "turn_limit")

#: A discard that Chaos showed: it came off the draw pile, from nobody's hand.
FROM_PILE = -1
#: A discard that lay on the table when the discards were last shuffled: neither in a hand nor in the pile then.
FROM_BEFORE = -2

#: Relative chance of a lemming to be the last on the ground, by how many places it is from the water: for one that stands on
#: nobody's head, and one that does. Fitted by the matches a one-card-lookahead player wins with it, against players of its
#: kind, random ones and ones that never move their own lemming. In the water: it may come back.
PROSPECTS = np.array(
    [[0.15, 1.4, 1.3, 1.6, 2.0, 2.5, 3.0, 3.5], [0.15, 0.4, 0.9, 1.4, 1.7, 2.5, 3.0, 3.5]],
)
#: The same for nobody: the last ones fall together.
NOBODY = 1.9

# --- events: kind, a, b, c --------------------------------------------------------------------------------------------

E_ROLE = 1  # (to its seat) seat, role
E_FIRST = 2  # seat
E_DREW = 3  # (to its seat) seat, kind
E_TURN = 4  # seat, 1 if it drew a card
E_RESHUFFLED = 5  # cards
E_PLAYED = 6  # seat, effect
E_ANSWERED = 7  # seat
E_NO_WAY = 8  # seat
E_CLOSED = 9  # 1 if the card is cancelled
E_SHOWN = 10  # kind, kind or NONE, how many
E_CARRIED_OUT = 11  # seat, effect
E_MOVED = 12  # lemming, place before, place after
E_DISCARDED = 13  # seat, kind
E_STOPPED = 14  # seat
E_OVER = 15  # reason, winner or NONE
E_WAS = 16  # seat, role

#: The deal tells most: 6 roles, the first seat, 6 hands of 6, the first turn and its card.
LOG = 48

# --- the record -------------------------------------------------------------------------------------------------------

PLAYER = kernel.record(
    [
        ("hand", "i1", (HAND_SLOTS,)),  # kinds, rising; 0 beyond hand_n
        ("kept", "i1", (HAND_SLOTS,)),  # the hand when the discards were last shuffled, rising
        ("hand_n", "i1"),
        ("kept_n", "i1"),
        ("role", "i1"),  # the lemming this player is; NONE: unknown (redacted)
        ("answer", "i1"),  # in a window, see above
    ]
)

STATE = kernel.state_dtype(
    [
        # running score of how each seat's public moves served each lemming, see `rules.note_intent`
        ("lean", "i2", (kernel.MAX_SEATS, LEMMINGS)),
        ("turns", "i2"),  # begun so far, this one included
        ("turn_limit", "i2"),
        ("effect", "i2"),  # of the card on the table, NONE without one
        ("players", PLAYER, (kernel.MAX_SEATS,)),
        # tables of the edition
        ("copies", "i1", (KINDS,)),
        ("land_cards", "i1"),
        ("hand_limit", "i1"),
        ("cards_a_turn", "i1"),
        ("start_hand", "i1"),
        # cards
        ("deck", "i1", (MAX_DECK,)),  # kinds, the top last; 0 beyond deck_n
        ("discards", "i1", (MAX_DECK,)),  # kinds, the newest last
        ("discards_from", "i1", (MAX_DECK,)),
        ("deck_n", "i1"),
        ("discards_n", "i1"),
        ("pile", "i1", (KINDS,)),  # how many of each kind the draw pile was made of
        # lemmings
        ("place", "i1", (LEMMINGS,)),
        ("height", "i1", (LEMMINGS,)),  # in the stack, 0 the lowest; always 0 in the burrow and the water
        ("crowd", "i1", (MAX_LAND_CARDS + 2,)),  # how many lemmings are in each place
        # the turn
        ("phase", "i1"),
        ("turn", "i1"),  # whose it is
        ("played", "i1"),  # cards this turn
        # the table
        ("table_held", "i1"),  # cards the player held with this one
        ("window_on", "i1"),  # the seat whose card or No way! is being answered
        ("no_way_by", "i1", (MAX_NO_WAYS,)),
        ("no_way_held", "i1", (MAX_NO_WAYS,)),
        ("no_ways", "i1"),
        ("shown", "i1", (2,)),
        ("shown_n", "i1"),
        ("shown_next", "i1"),
        ("stale", "i1"),  # 1: the discards were shuffled while this card lay on the table
        ("stale_shown", "i1"),  # and so many shown cards with it
        # the end
        ("reason", "i1"),
        ("winner", "i1"),
    ],
    log=LOG,
)
