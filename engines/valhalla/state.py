"""The state of Valhalla Lemmings: one record, with every number in it named.

Village cards of one value are alike: a set of them is one number (see `cards.py`). They lie in nine unseen places
(`state.cards`): the hands, the discard pile and, with two players, the Reserves; and on the table (`state.table`): one place a
seat, or three a seat with two players (its stakes). Cards on the table are secret until the seat's bit is in `revealed`.

actions   first  how many
CHOOSE        0        21   a card: place * 7 + lane; places: hand; battle or next stake; stake after that
DONE         21         1   no more cards
TAKE_BACK    22         1   choose the cards for the battle again
DECLINE      23         1   no target, no value, no Legend
TAKE         24        20   a Legend on the table, by kind
TARGET       44         6   a seat
NAME         50         7   a value, by lane
REACTIVATE   57        54   a Legend of the own Saga, by its position in it
"""

from __future__ import annotations

from engines import kernel
from engines.kernel import State, helper
from engines.valhalla.cards import LANES, size

NONE = -1
MAX_SEATS = kernel.MAX_SEATS

# --- sizes (an edition beyond them is refused) ------------------------------------------------------------------------

MAX_KINDS = 20
MAX_LEGENDS = 54
MAX_OFFER = 6
MAX_STAKES = 3
#: The most cards in a battle, and of one draw or pass: five fit in an event, fifteen in the counting of ways.
MAX_SENT = 5
MAX_MOVE = 15
#: Entries of what is remembered, see `history.py`.
HISTORY = 78
#: The most events of one play: see `test_the_log_is_large_enough`.
LOG = 60

# --- places -----------------------------------------------------------------------------------------------------------

#: In `state.cards`: hands at 0..5.
PILE = 6
RESERVE = 7  # of seat 0; of seat 1 one further
ZONES = 9

#: From where a card is chosen.
FROM_HAND = 0
FROM_BATTLE = 1  # with two players: from the next stake
PLACES = 3

# --- actions ----------------------------------------------------------------------------------------------------------

CHOOSE = 0
DONE = CHOOSE + PLACES * LANES
TAKE_BACK = DONE + 1
DECLINE = TAKE_BACK + 1
TAKE = DECLINE + 1
TARGET = TAKE + MAX_KINDS
NAME = TARGET + MAX_SEATS
REACTIVATE = NAME + LANES
ACTIONS = REACTIVATE + MAX_LEGENDS
#: The most a seat can have at once: every Legend of its Saga, or none.
MAX_ACTIONS = MAX_LEGENDS + 1

# --- phases -----------------------------------------------------------------------------------------------------------

OVER = 0
# decisions
PHASE_SEND = 1
PHASE_LEGEND = 2
PHASE_TARGET = 3
PHASE_CARDS = 4
PHASE_VALUE = 5
PHASE_REACTIVATE = 6
# steps that run by themselves
ARRIVE = 7
CHARGE = 8
BATTLE = 9
LOSSES = 10
WON = 11
PASSING = 12
SETTLED = 13
BATTLE_OVER = 14
TURN_OVER = 15

#: Names of the decisions in views.
PHASES = ("over", "send", "take_legend", "target", "cards", "value", "reactivate")

# --- Legends: the vocabulary of effects -------------------------------------------------------------------------------

DO_DISCARD = 0
DO_PASS = 1
DO_DRAW = 2
DO_DOUBLE_LOSSES = 3
DO_CHOOSE_LAST = 4
DO_STRENGTH = 5
DO_REACTIVATE = 6
DO_SHIELD = 7

BY_CARDS = 0
BY_TOTAL = 1
BY_VALUE = 2
BY_LOSSES = 3  # as many as were lost, of the same values

IN_HAND = 0
IN_BATTLE = 1
ANYWHERE = 2

TO_FEWEST = 0
TO_EACH_WITH_FEWER = 1
TO_LEFT = 2
TO_CHOSEN = 3
TO_OTHERS = 4

#: How a Legend lies in a Saga. AGAIN: it applies in this battle and, activated again meanwhile, waits for the next one too.
PLAIN = 0
READY = 1
WAITING = 2
APPLYING = 3
AGAIN = 4
TURNED = 5

# --- how a match ends -------------------------------------------------------------------------------------------------

REASONS = ("win", "shared", "both_lose", "exhausted", "guard")
WIN, SHARED, BOTH_LOSE, EXHAUSTED, GUARDED = range(5)

# --- events: number, then what a, b, c hold ---------------------------------------------------------------------------

EV_FIRST = 1  # seat
EV_FIRST_LEGEND = 2  # seat, kind
EV_TURN = 3  # first player, turn (low byte), turn (high byte)
EV_ARRIVED = 4  # index, kind
EV_CHOSE = 5  # seat
EV_TOOK_BACK = 6  # seat
EV_STAKED = 7  # seat, stake, how many
EV_SHOWN = 8  # seat + 16 * stake, cards
EV_TOOK = 9  # seat, kind, index
EV_RETURNED = 10  # seat, stake, how many
EV_LOST = 11  # seat, stake, how many
EV_TIED = 12  # battle, kind
EV_TARGETED = 13  # seat, target, kind
EV_DECLINED = 14  # seat, kind
EV_NAMED = 15  # seat, lane
EV_DISCARDED = 16  # seat + 16 * place, cards
EV_PASSED = 17  # giver, receiver, how many
EV_PASSED_CARDS = 18  # giver + 16 * receiver, cards
EV_PASSED_STAKE = 19  # giver + 16 * place, cards
EV_DREW = 20  # seat, how many, 1 from the Reserves
EV_DREW_CARDS = 21  # seat, cards
EV_SHIELDED = 22  # seat, position
EV_REACTIVATED = 23  # seat, position, kind
EV_OVER = 24  # reason, winners
# folded into the hashes only
SAW_CHOICE = 25
SAW_QUESTION = 26

# --- the record -------------------------------------------------------------------------------------------------------

STATE = kernel.state_dtype(
    [
        ("cards", "i8", (ZONES,)),  # what lies in each place
        ("table", "i8", (MAX_SEATS,)),  # see `slot`
        ("picked", "i8", (PLACES,)),  # chosen so far for the present effect, by place
        ("lost", "i8"),  # the cards that `actor` has just lost in the battle
        ("back", "i8"),  # two players: the battle cards that the winner has just taken back
        ("start", "i8", (ZONES,)),  # what all knew to lie in each place when the history began
        ("past_cards", "i8", (HISTORY,)),
        ("strength", "i2", (MAX_SEATS,)),
        ("turn", "i2"),
        ("turn_limit", "i2"),
        ("past_kind", "i1", (HISTORY,)),
        ("past_from", "i1", (HISTORY,)),
        ("past_to", "i1", (HISTORY,)),
        ("past_limit", "i1", (HISTORY,)),
        ("past_n", "i1"),
        # the edition's tables
        ("values", "i1", (LANES,)),
        ("values_n", "i1"),
        ("legends_a_turn", "i1"),
        ("most_sent", "i1"),
        ("reserve_draw", "i1"),
        ("does", "i1", (MAX_KINDS,)),
        ("by", "i1", (MAX_KINDS,)),
        ("amount", "i1", (MAX_KINDS,)),
        ("where", "i1", (MAX_KINDS,)),
        ("whom", "i1", (MAX_KINDS,)),
        ("negative", "i1", (MAX_KINDS,)),
        ("kinds", "i1"),
        # Legends
        ("deck", "i1", (MAX_KINDS,)),  # how many of each kind are in the shuffled deck
        ("under", "i1", (MAX_LEGENDS,)),  # kinds put under the deck, first in first out
        ("under_n", "i1"),
        ("saga_kind", "i1", (MAX_LEGENDS,)),  # all Sagas in one, in the order in which the Legends were taken
        ("saga_owner", "i1", (MAX_LEGENDS,)),
        ("saga_state", "i1", (MAX_LEGENDS,)),
        ("saga_n", "i1"),
        ("offer", "i1", (MAX_OFFER,)),  # kinds on the table, NONE where taken
        ("offers", "i1"),
        # where the turn has got to
        ("phase", "i1"),
        ("first", "i1"),
        ("battles", "i1"),  # of this turn; 1 with more than two players
        ("battle", "i1"),  # two players: the stake being chosen, the battle being settled
        ("choosing", "i1"),  # bit set: who chooses cards for a battle now
        ("finished", "i1"),  # bit set: who of them has chosen
        ("revealed", "i1"),  # bit set: whose cards on the table are open
        ("taken", "i1"),  # bit set: who took a Legend in this turn
        ("losers", "i1"),  # bit set: who loses this battle
        ("winner", "i1"),  # two players: of this battle
        ("actor", "i1"),  # whose single decision it is
        ("taking", "i1"),  # the kind of the Legend being taken, NONE while there is none
        ("kind", "i1"),  # the kind of the effect being carried out
        ("target", "i1"),
        ("queue", "i1"),  # bit set: who is still to be passed a card
        ("cursor", "i1"),  # place in turn order of the loser being dealt with
        ("doubles", "i1"),  # effects of double losses still to be asked of that loser
        ("last", "i1"),  # the CHOOSE action last picked for the effect
        # the end
        ("reason", "i1"),
        ("winners", "i1"),
    ],
    log=LOG,
)


# --- small readings of it ---------------------------------------------------------------------------------------------


@helper
def two(state: State) -> bool:
    """Return whether it is the game for two."""
    return int(state.seats) == 2


@helper
def slot(seat: int, battle: int) -> int:
    """Return the place on the table of a seat's cards for a battle (0 with more than two players)."""
    return seat + 2 * battle


@helper
def seat_at(state: State, k: int) -> int:
    """Return the k-th seat in turn order, the First Player being the 0th."""
    return (int(state.first) + k) % int(state.seats)


@helper
def in_hand(state: State, seat: int) -> int:
    """Return how many cards count as in a seat's hand; with two players those staked on later battles do."""
    n = size(int(state.cards[seat]))
    if two(state):
        for battle in range(int(state.battle) + 1, int(state.battles)):
            n += size(int(state.table[slot(seat, battle)]))
    return n


@helper
def held(state: State, seat: int, place: int) -> int:
    """Return the cards a seat has in a place that effects choose from."""
    if place == FROM_HAND:
        return int(state.cards[seat])
    if two(state):
        battle = int(state.battle) + place
        return int(state.table[slot(seat, battle)]) if battle < int(state.battles) else 0
    return int(state.table[seat]) if place == FROM_BATTLE else 0


@helper
def legends_of(state: State, seat: int) -> int:
    """Return how many Legends are in a seat's Saga."""
    n = 0
    for i in range(int(state.saga_n)):
        n += int(state.saga_owner[i]) == seat
    return n


@helper
def deck_size(state: State) -> int:
    """Return how many Legends are left in the deck."""
    n = int(state.under_n)
    for kind in range(int(state.kinds)):
        n += int(state.deck[kind])
    return n


@helper
def least_to_send(state: State, hand: int) -> int:
    """Return how many cards a seat must choose for a battle, at the least, that has so many in hand.

    [R] At least one; two players: staking none is allowed with two cards or fewer.
    """
    if two(state):
        return 0 if hand <= 2 else 1
    return 1 if hand > 0 else 0
