"""Last Lemming's state: constants with names, the numbers of actions and events, and the record.

Cards are numbered in the order in which the edition lists them, colour by colour, then X:

    card    0 .. 14   15 .. 29   30 .. 44   45 .. 59   60
            yellow    red        blue       green      X          (reconstruction edition)

A set of number cards is a bit set over 0..59; X, of which there are several, are counted beside it.

Lemmings are numbered by character: seat s owns lemming s and, with two lemmings each, lemming s + seats.

Places of a lemming, and ends of a move:

    -1 OUT    not in play (the second lemmings in act 1)
     0 LINE   in the waiting line; as the end of a move: at the very end of the line
     1..59    a space of the track
    60 FALL   (ends only) beyond the cliff or on a hole: the end of the line, and 1 VP
    61 STAYS  (ends only, when two answers are compared) where it is in the line
"""

from __future__ import annotations

from engines import kernel

# Sizes: the first five are the rulebook's, the rest are the most an edition may have.
ACTS = 4
TRICKS = 8
DEALT = 12
PUT_BACK = 4
LEMMINGS = 6
MAX_NUMBERS = 60
MAX_X = 60
MAX_COLOURS = 6
MAX_VALUE = 60
MAX_SPACES = 59
MAX_PIECES = 6
MAX_RULES = 32
MAX_STEPS = 3

X = 60
KINDS = 61
NONE = -1

OUT = -1
LINE = 0
FALL = 60
STAYS = 61

LONG = 0
SHORT = 1

# Phases: what is to be decided.
PHASE_PUT_BACK = 0
PHASE_PLAY = 1
PHASE_CHOOSE = 2
PHASE_PICK = 3
PHASE_SIGN = 4
PHASE_WAY = 5
PHASE_ACTIVATE = 6
PHASE_OVER = 7
PHASES = ("put_back", "play", "choose", "pick", "sign", "way", "activate", "over")

# Actions: one range of numbers each.
#
#     action             numbers        meaning
#     put_back           0 ..  60       + card
#     play              61 .. 121       + card
#     choose           122 .. 127       + lemming
#     activate         128 .. 133       + lemming
#     sign             134, 135         + PLUS or MINUS
#     way              136, 137         + LONG or SHORT
#     pick             138 .. 258       + value + MAX_VALUE
ACT_PUT_BACK = 0
ACT_PLAY = ACT_PUT_BACK + KINDS
ACT_CHOOSE = ACT_PLAY + KINDS
ACT_ACTIVATE = ACT_CHOOSE + LEMMINGS
ACT_SIGN = ACT_ACTIVATE + LEMMINGS
ACT_WAY = ACT_SIGN + 2
ACT_PICK = ACT_WAY + 2
ACTIONS = ACT_PICK + 2 * MAX_VALUE + 1
#: The most legal actions a seat can have: twelve different cards to put back first, less the three lowest; eight to play.
MAX_ACTIONS = 9

# Rule cards: who moves, by how much, and the sign.
WHO = (
    "",
    "winner",
    "second",
    "lowest",
    "highest",
    "x_players",
    "followers",
    "off_colour",
    "all",
    "rearmost",
    "foremost",
    "chosen",
    "chosen_other",
)
(
    NO_STEP,
    WINNER,
    SECOND,
    LOWEST,
    HIGHEST,
    X_PLAYERS,
    FOLLOWERS,
    OFF_COLOUR,
    EVERYONE,
    REARMOST,
    FOREMOST,
    CHOSEN,
    CHOSEN_OTHER,
) = range(13)
BY = (
    "",
    "own",
    "winner",
    "second",
    "lowest",
    "picked",
    "difference",
    "count",
    "previous",
    "next_ahead",
    "next_behind",
)
FIXED, BY_OWN, BY_WINNER, BY_SECOND, BY_LOWEST, BY_PICKED, BY_DIFFERENCE, BY_COUNT, BY_PREVIOUS, NEXT_AHEAD, NEXT_BEHIND = (
    range(11)
)
SIGNS = ("plus", "minus", "either")
PLUS, MINUS, EITHER = range(3)

# Events (`tell`): the number, and what a, b, c are.
EV_FIRST = 1  # seat that leads the first line
EV_RULE_CARD = 2  # act, index of the rule card
EV_DEALT = 3  # seat; to that seat only, its hand is seen beside
EV_PUT_BACK = 4  # seat, card; to that seat only
EV_READY = 5  # seat that has put back all its cards
EV_PLAYED = 6  # seat, card
EV_WON = 7  # seat that won the trick (255: nobody)
EV_CHOSE = 8  # seat, lemming
EV_PICKED = 9  # seat, value
EV_SIGNED = 10  # seat, PLUS or MINUS
EV_WENT = 11  # seat, LONG or SHORT, lemming
EV_MOVED = 12  # lemming (+ 8: its owner put 1 VP back), end, place before
EV_PUSHED = 13  # the same of a pushed lemming
EV_SCORED = 14  # lemming, place (1 the first), VP
EV_ACTIVATED = 15  # seat, lemming
EV_ENDED = 16  # winner

STEP = kernel.record([("who", "i1"), ("by", "i1"), ("amount", "i1"), ("sign", "i1")])

#: `sides`: bit p set when piece p lies with side B up. `players`: bit n set when it is good for n seats.
RULE = kernel.record(
    [("number", "i1"), ("sides", "i1"), ("lowest_wins", "i1"), ("players", "i1"), ("steps", STEP, (MAX_STEPS,))]
)

PLAYER = kernel.record(
    [
        ("hand", "i8"),  # bit set of the number cards in hand
        ("away", "i8"),  # bit set of the number cards put back
        ("points", "i2"),  # VP
        ("x", "i1"),  # X in hand
        ("away_x", "i1"),  # X put back
        ("put_n", "i1"),  # cards put back so far, 0..4
        ("put_last", "i1"),  # the last one
        ("voids", "i1"),  # bit set of the colours it has shown to hold none of
        ("active", "i1"),  # its lemming that plays this act
    ]
)

TRICK = kernel.record([("cards", "i1", (LEMMINGS,)), ("lead", "i1"), ("winner", "i1")])

STATE = kernel.state_dtype(
    [
        # Tables, from the edition and the options
        ("piece_holes", "i8", (MAX_PIECES, 2)),  # bit set of spaces by side
        ("rules", RULE, (MAX_RULES,)),
        ("value", "i1", (KINDS,)),  # of each card, X 0
        ("colour", "i1", (KINDS,)),  # of each card, X NONE
        ("award", "i1", (ACTS, LEMMINGS)),  # VP by act and place
        ("rule_n", "i1"),
        ("colours", "i1"),
        ("per_colour", "i1"),
        ("x_cards", "i1"),
        ("spaces", "i1"),
        ("fork_from", "i1"),
        ("fork_to", "i1"),  # 0: no fork
        ("fork_short", "i1"),  # holes on the short way
        ("two_lemmings", "i1"),
        ("open_rules", "i1"),  # 1: the rule cards of later acts are public
        # The match
        ("holes", "i8"),  # bit set of this act's hole spaces
        ("shown", "i8"),  # bit set of the number cards played in this act
        ("shown_x", "i1"),  # X played in this act
        ("players", PLAYER, (LEMMINGS,)),
        ("order", "i1", (ACTS,)),  # rule card of each act; NONE unknown (redacted)
        ("act", "i1"),  # 0..3
        ("phase", "i1"),
        ("turn", "i1"),  # who decides (NONE: several, or nobody)
        ("place", "i1", (LEMMINGS,)),  # of each lemming
        ("line", "i1", (LEMMINGS,)),  # lemmings in the waiting line, front first
        ("line_n", "i1"),
        ("standing", "i1", (LEMMINGS,)),  # lemmings by place in the last scoring
        ("standing_n", "i1"),
        ("tricks", TRICK, (TRICKS,)),
        ("trick", "i1"),  # the present one, 0..7
        ("lead", "i1"),
        ("trick_colour", "i1"),  # NONE: none yet
        # What the cards of a finished trick mean, while its steps are carried out
        ("winner", "i1"),
        ("second", "i1"),
        ("low", "i1"),
        ("high", "i1"),
        ("x_players", "i1"),  # bit sets of seats
        ("followers", "i1"),
        ("off_colour", "i1"),
        ("count", "i1"),
        # The move being worked out
        ("step", "i1"),
        ("todo", "i1"),  # bit set of the seats whose lemmings still move in this step
        ("lemming", "i1"),  # the one moved
        ("distance", "i1"),
        ("asked", "i1"),  # the lemming whose way is asked
        ("chain", "i1", (LEMMINGS,)),  # lemmings whose ends are settled: the moved one, then those pushed
        ("ends", "i1", (LEMMINGS,)),
        ("chain_n", "i1"),
    ],
    # One play tells at the most: the card and who won; three steps of six moves with six lemmings each; six scores, the end
    # or an activation, the next rule card and six hands.
    log=2 + MAX_STEPS * LEMMINGS * LEMMINGS + LEMMINGS + 2 + LEMMINGS,
)
