"""The state of a match of Lemminge, and the numbers of its cards, spaces, actions and events.

Cards of the same terrain and value cannot be told apart, so a card is its *kind*: `terrain * VALUES + value`. Terrain piles and
the draw pile are counts per kind: in a terrain pile no card lies on a lower one, so its order is known, the highest at the
bottom; the draw pile has no order until a card is drawn. Hands are sorted kinds; only the discard pile keeps an order.

The spaces of a board are numbered row by row as its text file has them, pen cells after MAX_SPACES. `near` names the
neighbour in each direction:

      NW  NE            0 E    1 NE   2 NW
    W   x   E           3 W    4 SW   5 SE
      SW  SE
"""

from __future__ import annotations

from engines import kernel

SEATS = 5
LEMMINGS = 2
TERRAINS = 5
VALUES = 5
KINDS = TERRAINS * VALUES
HAND = 6
DIRECTIONS = 6

# Maxima of an edition and its boards; `editions.py` refuses what is beyond them.
MAX_SPACES = 126
MAX_PENS = 6
MAX_CARDS = 80
MAX_TILES = 32
OCCUPIED = (MAX_SPACES + 31) // 32

#: The terrain that everyone may always enter; terrain tiles are counted by terrain, meadow tiles come last.
MEADOW = TERRAINS

#: No card, no tile, no lemming.
NONE = -1

# Where a lemming stands when not on a space, and what `near` names where there is no space.
PEN = -1
BEYOND = -2
OFF = -3

# What the seat whose turn it is must decide (`phase`), in the order of a turn.
OVER, CARD_OR_REFILL, DISCARDS, TILE, LEMMING, STEP = range(6)

# Why a match ended (`reason`).
RUNNING, FINISH, STALEMATE = range(3)

#   from  to   action                             phase
#      0  24   play a card of this kind           CARD_OR_REFILL
#     25  49   discard a card of this kind        DISCARDS
#     50       refill                             CARD_OR_REFILL
#     51       done (discarding; then draw)       DISCARDS
#     52       stop                               LEMMING, STEP
#     53  54   move lemming 1, 2                  LEMMING
#     55  60   step in a direction                STEP
#     61  96   step off a pen cell in a direction STEP
#     97 222   put the tile on this space         TILE
#   1000 10999 put it on a cell that is no space  never legal: it is named so that the refusal can say what is there
PLAY_CARD = 0
DISCARD = PLAY_CARD + KINDS
REFILL = DISCARD + KINDS
DONE = REFILL + 1
STOP = DONE + 1
MOVE = STOP + 1
GO = MOVE + LEMMINGS
PEN_GO = GO + DIRECTIONS
PUT = PEN_GO + MAX_PENS * DIRECTIONS
PUT_END = PUT + MAX_SPACES
PUT_NOWHERE = 1000
#: Rows and columns of a board file, at the most.
MAX_SIDE = 100
MAX_ACTIONS = MAX_SPACES

# Events: number, and what a, b and c are. A lemming is `seat * LEMMINGS + 0 or 1`.
STARTED = 1  # seat
HANDED = 2  # seat, cards
DREW = 3  # seat, kind (to that seat only)
PLAYED = 4  # seat, kind, points
NEW_PILE = 5  # terrain, cards of the old pile, tile taken (255: none left)
PLACED = 6  # seat * 8 + tile, space, tile replaced (255: none)
CHOSE = 7  # lemming
MOVED = 8  # lemming, to, from (MAX_SPACES + pen cell out of the pen)
PUSHED = 9  # lemming, to, from
STOPPED = 10  # seat
REFILLING = 11  # seat
DISCARDED = 12  # seat, kind
KEPT_ZERO = 13  # terrain, cards that went to the discard pile
RESHUFFLED = 14  # cards
REFILLED = 15  # seat, cards drawn
ARRIVED = 16  # seat, place
TURN = 17  # seat
ENDED = 18  # reason

#: The most events one play tells: the deal to five seats tells 1 + 5 + 20.
LOG = 26

PLAYER = kernel.record(
    [
        ("hand", "i1", (HAND,)),  # kinds, rising, NONE after the last; all NONE when redacted
        ("hand_n", "i1"),
        ("where", "i1", (LEMMINGS,)),  # space, PEN or BEYOND
        ("best", "i1", (LEMMINGS,)),  # the smallest distance ever reached
        ("across", "i1"),  # lemmings beyond the finish line
        ("place", "i1"),  # 0 while it is open
        ("known", "i1", (KINDS,)),  # copies this seat knows to be in the others' hands, since the last reshuffle
        ("kept", "i1"),  # how many cards of this hand may have been there at the last reshuffle
    ]
)

STATE = kernel.state_dtype(
    [
        ("occupied", "i8", (OCCUPIED,)),  # the spaces lemmings stand on, 32 to a word
        ("turns", "i2"),  # the number of the turn, from 1
        ("quiet", "i2"),  # turns in a row without progress
        ("quiet_limit", "i2"),
        ("tile_turn", "i2", (MAX_TILES,)),  # bonus tiles in the order placed: when, what, where, by whom
        ("tile_kind", "i1", (MAX_TILES,)),
        ("tile_space", "i1", (MAX_TILES,)),
        ("tile_seat", "i1", (MAX_TILES,)),
        ("tile_n", "i1"),
        # the turn
        ("phase", "i1"),
        ("turn", "i1"),  # whose turn it is
        ("first", "i1"),  # who began
        ("ground", "i1"),  # terrain of the card played, NONE before
        ("points", "i1"),  # movement points left
        ("tile", "i1"),  # bonus tile to be placed, NONE
        ("mover", "i1"),  # 0 or 1, NONE before it is named
        ("drawing", "i1"),  # cards discarded in this refill
        ("progress", "i1"),  # 1: a lemming came nearer than ever before, in this turn
        ("done_n", "i1"),  # seats with both lemmings across
        ("reason", "i1"),
        # cards
        ("copies", "i1", (KINDS,)),  # the edition's cards
        ("draw_pile", "i1", (KINDS,)),  # copies of each kind
        ("draw_n", "i1"),
        ("piles", "i1", (KINDS,)),
        ("pile_top", "i1", (TERRAINS,)),
        ("pile_sum", "i1", (TERRAINS,)),
        ("discards", "i1", (MAX_CARDS,)),  # in the order discarded
        ("discard_n", "i1"),
        ("tiles_left", "i1", (TERRAINS + 1,)),
        # the board
        ("board", "i1"),  # its index among the edition's boards by name
        ("spaces", "i1"),
        ("pens", "i1"),
        ("pen_distance", "i1"),
        ("near", "i1", (MAX_SPACES + MAX_PENS, DIRECTIONS)),
        ("terrain", "i1", (MAX_SPACES,)),  # now, bonus tiles counting
        ("distance", "i1", (MAX_SPACES,)),  # fewest steps across, whatever the terrain and the lemmings
        ("way", "i1", (MAX_SPACES,)),  # price of the cheapest way across, see `rules.survey`
        ("players", PLAYER, (SEATS,)),
    ],
    log=LOG,
)
