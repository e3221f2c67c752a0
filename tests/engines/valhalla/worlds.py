"""All worlds of small positions of Valhalla Lemmings, listed card by card, for the conformance suite.

`Worlds` moves physical cards about in plain Python: every way in which they can be drawn or passed unseen is one world of
weight 1; what is seen throws out the worlds it does not fit. It knows nothing of `history.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from engines.game import copy
from engines.kernel import State, seed_words
from engines.valhalla import GAME
from engines.valhalla.cards import count
from engines.valhalla.state import LANES, MAX_SEATS, PILE, RESERVE, ZONES
from tests.engines.valhalla.table import cards_of, choose, do, hand, send, table, told

World = tuple[tuple[int, ...], ...]


def census(state: State) -> tuple[int, ...]:
    """How many cards of each value and how many Legends there are, wherever they lie."""
    cards = sum(int(x) for x in state.cards) + sum(int(x) for x in state.table)
    legends = int(state.deck.sum()) + int(state.under_n) + int(state.saga_n) + (state.taking >= 0)
    legends += sum(int(kind) >= 0 for kind in state.offer)
    return (*(int(count(cards, lane)) for lane in range(LANES)), int(legends))


def world_key(state: State) -> tuple[int, ...]:
    """All that can be hidden: the cards of every place, chosen and staked ones too."""
    return (*(int(x) for x in state.cards), *(int(x) for x in state.table))


class Worlds:
    """The worlds that fit what a seat has seen, each a tuple of places (sorted values), with how often it came about.

    Places: as in `state.cards`; cards open on the table are nowhere.
    """

    def __init__(self, places: Sequence[Sequence[int]]) -> None:
        self.all: Counter[World] = Counter({tuple(tuple(sorted(place)) for place in places): 1})

    def _each(self, step: Callable[[list[list[int]]], list[list[list[int]]]]) -> Worlds:
        found: Counter[World] = Counter()
        for world, weight in self.all.items():
            for after in step([list(place) for place in world]):
                found[tuple(tuple(sorted(place)) for place in after)] += weight
        self.all = found
        assert found, "nothing fits: the script does not say what happened"
        return self

    def unseen(self, origin: int, to: int, n: int, limit: int = 99) -> Worlds:
        """n physical cards go from one place to another: any of them."""

        def step(world):
            ways = []
            for chosen in combinations(range(len(world[origin])), n):
                if sum(world[origin][i] for i in chosen) <= limit:
                    after = [list(place) for place in world]
                    after[to] += [world[origin][i] for i in chosen]
                    after[origin] = [card for i, card in enumerate(world[origin]) if i not in chosen]
                    ways.append(after)
            return ways

        return self._each(step)

    def drew(self, seat: int, cards: Sequence[int]) -> Worlds:
        """The observer drew just these: as many ways as there are physical cards of those values."""

        def step(world):
            ways = []
            for chosen in combinations(range(len(world[PILE])), len(cards)):
                if sorted(world[PILE][i] for i in chosen) == sorted(cards):
                    after = [list(place) for place in world]
                    after[seat] += cards
                    after[PILE] = [card for i, card in enumerate(world[PILE]) if i not in chosen]
                    ways.append(after)
            return ways

        return self._each(step)

    def left(self, place: int, *cards: int) -> Worlds:
        """These cards left a place before the eyes of the observer."""

        def step(world):
            for card in cards:
                if card not in world[place]:
                    return []
                world[place].remove(card)
            return [world]

        return self._each(step)

    def came(self, place: int, *cards: int) -> Worlds:
        """These cards came to a place before the eyes of the observer."""

        def step(world):
            world[place] += cards
            return [world]

        return self._each(step)

    def only(self, fits: Callable[[list[list[int]]], bool]) -> Worlds:
        """Something else was learnt."""
        return self._each(lambda world: [world] if fits(world) else [])

    def states(self, state: State) -> list[tuple[State, float]]:
        """The worlds as states, those with cards chosen for battle in `table` split off by `chosen`."""
        found = []
        for world, weight in self.all.items():
            filled = copy(state)
            for place, cards in enumerate(world[:ZONES]):
                if place < int(state.seats) or place >= PILE:
                    filled.cards[place] = cards_of(cards)
            for at, cards in enumerate(world[ZONES:]):
                filled.table[at] = cards_of(cards)
            found.append((filled, float(weight)))
        return found


def places(seats: int, hands, pile=(), reserves=((), ()), on_table: bool = False):
    """The places of a world: hands, empty ones up to six, the pile, the Reserves, and the table if cards lie there unseen."""
    rest = [[]] * (MAX_SEATS - seats)
    return [*hands, *rest, pile, *reserves, *([[]] * MAX_SEATS if on_table else [])]


Position = tuple[State, int, list[tuple[State, float]]]

#: (seats, seed) of random matches that are followed until enough is hidden, see `followed`.
FOLLOWED = [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (3, 4), (4, 1), (4, 2), (5, 1), (6, 1)]


def small_positions() -> list[Position]:
    scripted = [draws(), a_passed_card(), a_total(), shown_void(), chosen_cards(), two_players(), own_draw_counts()]
    return scripted + [followed(seats, seed) for seats, seed in FOLLOWED]


def draws() -> Position:
    """Highlander: others draw one each; one of them then shows a card it cannot have had before, and loses it."""
    hands = [[5, 5, 3], [1, 1, 2, 2], [1, 2, 2, 1]]
    pile = [1, 1, 2, 3, 3, 5]
    state = table(3, hands, ["LemHighlander", "Lemfenrir"], pile)
    state.random[:] = _words_where(state, lambda s: told(s, 1, "drew_cards")[0]["cards"] == [3], {0: [5], 1: [1], 2: [1]})
    state = send(state, {0: [5], 1: [1], 2: [1]})
    worlds = Worlds(places(3, hands, pile)).left(1, 1).left(2, 1)
    worlds.unseen(PILE, 1, 1).unseen(PILE, 2, 1).came(PILE, 1, 1)
    drawn = [card for card in (3, 5) if card in hand(state, 1)]
    if drawn:
        state = send(state, {0: [5], 1: [drawn[0]], 2: [2]})
        worlds.left(0, 5).left(1, drawn[0]).left(2, 2).came(0, 5).came(PILE, drawn[0], 2)
    return state, 0, worlds.states(state)


def a_passed_card() -> Position:
    """Seat 0 passes a 5 to seat 1, who passes a card unseen to seat 2, who passes one unseen back."""
    hands = [[5, 5, 3, 3], [5, 3, 1, 1, 2, 2], [5, 3, 1, 1, 2]]
    state = table(3, hands, ["Lemloki"] * 4)
    worlds = Worlds(places(3, hands))
    sent = {0: [5, 3], 1: [1], 2: [1]}
    state = do(send(state, sent), 0, "target", seat=1)
    state = choose(state, 0, 5)
    worlds.left(0, 5, 3).left(1, 1).left(2, 1).left(0, 5).came(1, 5)
    _settle(state, worlds, sent)
    sent = {0: [3], 1: [5, 1], 2: [1]}
    state = do(send(state, sent), 1, "target", seat=2)
    state = choose(state, 1, 5)
    worlds.left(0, 3).left(1, 5, 1).left(2, 1).unseen(1, 2, 1)
    _settle(state, worlds, sent)
    sent = {0: [3], 1: [1], 2: [5, 2]}
    state = do(send(state, sent), 2, "target", seat=1)
    state = choose(state, 2, 3)
    worlds.left(0, 3).left(1, 1).left(2, 5, 2).unseen(2, 1, 1)
    _settle(state, worlds, sent)
    return state, 0, worlds.states(state)


def _settle(state: State, worlds: Worlds, sent) -> Worlds:
    """Give the winners of the last battle their cards back and lay the losers' on the pile, as the log says."""
    events = [event.event for event in GAME.events(state)]
    back = {event["seat"] for event in events if event["type"] == "returned"}
    for seat, cards in sent.items():
        worlds.came(seat if seat in back else PILE, *cards)
    return worlds


def a_total() -> Position:
    """Lemming Hood after an unseen draw: two cards of at most 4 together go unseen to the seat with the fewest."""
    hands = [[5, 5, 5], [5, 1], [2, 2], [5, 5, 5]]
    pile = [1, 2, 3, 5, 1]
    state = table(4, hands, ["Lemkyrie", "Lemming Hood"], pile)
    state = send(state, {0: [5, 5], 1: [5], 2: [2], 3: [5, 5, 5]})
    state = do(state, 3, "take", legend="Lemkyrie")
    state.random[:] = _words_where(
        state, lambda s: sum(sorted(hand(s, 0))[:2]) <= 4, None, lambda s: do(s, 3, "target", seat=0)
    )
    state = do(state, 3, "target", seat=0)
    worlds = Worlds(places(4, hands, pile)).left(0, 5, 5).left(1, 5).left(2, 2).left(3, 5, 5, 5).unseen(PILE, 0, 3)
    worlds.came(3, 5, 5, 5)
    # Seat 0 takes the last Legend; seats 1 and 2 have one card each: it chooses seat 2.
    state = do(state, 0, "target", seat=2)
    for value in reversed(sorted(hand(state, 0))[:2]):
        state = choose(state, 0, value)
    if GAME.view(state, None)["phase"] == "cards":
        state = do(state, 0, "done")
    assert told(state, None, "passed") == [{"type": "passed", "seat": 0, "to": 2, "count": 2}]
    worlds.only(lambda world: any(card <= 4 for card in world[0])).unseen(0, 2, 2, limit=4)
    worlds.came(0, 5, 5).came(PILE, 5, 2)
    return state, 3, worlds.states(state)


def shown_void() -> Position:
    """Lemmerlino: seat 1 loses a 1 and is not asked for more, so it has no 1, whatever it drew before."""
    hands = [[5, 5, 5], [5, 1], [3, 3, 1], [2, 2, 2]]
    pile = [1, 1, 2, 2, 3, 3, 5]
    state = table(4, hands, ["Lemkyrie", "Lemfenrir"], pile, sagas={1: [("Lemmerlino", "waiting")]})
    state = send(state, {0: [5], 1: [1], 2: [3], 3: [2]})
    state = do(state, 0, "take", legend="Lemkyrie")

    def not_asked(s: State) -> bool:
        return GAME.view(s, None)["phase"] == "send"

    state.random[:] = _words_where(state, not_asked, None, lambda s: do(s, 0, "target", seat=1))
    state = do(state, 0, "target", seat=1)
    worlds = Worlds(places(4, hands, pile)).left(0, 5).left(1, 1).left(2, 3).left(3, 2).unseen(PILE, 1, 3)
    worlds.only(lambda world: 1 not in world[1]).came(0, 5).came(2, 3).came(PILE, 1, 2)
    return state, 3, worlds.states(state)


def chosen_cards() -> Position:
    """Two seats have chosen one to three cards, a third has only begun: any of their cards, from a hand with unseen ones."""
    hands = [[5, 5, 5], [2, 1], [1, 1]]
    pile = [1, 3]
    state = table(3, hands, ["Lemkyrie", "Lemfenrir", "Lemfenrir"], pile)
    state = send(state, {0: [5], 1: [1], 2: [1]})
    state = do(state, 0, "target", seat=1)
    worlds = Worlds(places(3, hands, pile, on_table=True)).left(0, 5).left(1, 1).left(2, 1).unseen(PILE, 1, 2)
    worlds.came(0, 5).came(PILE, 1, 1)
    state = choose(state, 2, 1)
    state = send(state, {1: hand(state, 1)[:2]})
    before = Counter(worlds.all)
    total: Counter[World] = Counter()
    for n in (1, 2, 3):
        worlds.all = Counter(before)
        total += worlds.unseen(1, ZONES + 1, n).all
    worlds.all = total
    return state, 0, worlds.states(state)


def two_players() -> Position:
    """Seat 1 has drawn three of its Reserves, staked two cards and one card, and chosen the third stake."""
    hands = [[5, 3], [3]]
    reserves = [[], [1, 1, 2, 5]]
    state = table(2, hands, ["Lemfenrir", "Lemfenrir", "Lemfenrir"] * 2, [2, 2], reserves=reserves)
    state.reserve_draw = 3
    state = send(send(send(state, {0: [5], 1: []}), {0: [], 1: []}), {0: [], 1: []})
    worlds = Worlds(places(2, hands, [2, 2], reserves, on_table=True)).unseen(RESERVE + 1, 1, 3)
    # Stakes lie in the order seat 0, seat 1 of each battle: those of seat 1 are 1, 3, 5.
    state = send(state, {1: hand(state, 1)[:1], 0: [5]})
    state = send(state, {1: hand(state, 1)[-1:], 0: [3]})
    state = send(state, {1: hand(state, 1)[:1]})
    worlds.unseen(1, ZONES + 1, 1).unseen(1, ZONES + 3, 1)
    worlds.left(0, 5, 3).came(ZONES, 5).came(ZONES + 2, 3)
    before = Counter(worlds.all)
    total: Counter[World] = Counter()
    for n in (0, 1, 2):
        worlds.all = Counter(before)
        total += worlds.unseen(1, ZONES + 5, n).all
    worlds.all = total
    return state, 0, worlds.states(state)


def own_draw_counts() -> Position:
    """Seat 1 draws three unseen, then seat 0 draws two 1s itself: that many 1s were left makes seat 1's fewer likelier."""
    hands = [[3, 2, 1], [2, 2, 2], [5, 5, 5]]
    pile = [1, 1, 1, 1, 2, 3, 3, 5]
    state = table(3, hands, ["Lemkyrie", "Lemkyrie", "Lemfenrir"], pile)
    state = send(state, {0: [1], 1: [2], 2: [5]})
    state = do(state, 2, "target", seat=1)
    worlds = Worlds(places(3, hands, pile)).left(0, 1).left(1, 2).left(2, 5).unseen(PILE, 1, 3)
    worlds.came(2, 5).came(PILE, 1, 2)
    sent = {0: [2], 1: [hand(state, 1)[-1]], 2: [5, 5]}
    state = send(state, sent)
    state = do(state, 2, "target", seat=0)
    drawn = told(state, 0, "drew_cards")[0]["cards"]
    worlds.left(0, 2).left(1, *sent[1]).left(2, 5, 5).drew(0, drawn).came(2, 5, 5).came(PILE, 2, *sent[1])
    return state, 0, worlds.states(state)


class Follower:
    """Makes `Worlds` out of nothing but the events that a seat is told, whatever happens."""

    def __init__(self, seat: int, worlds: Worlds) -> None:
        self.seat = seat
        self.worlds = worlds
        self.table: dict[tuple[int, int], list[int]] = {}
        self.battle = 0
        self.limit = 99
        self.hood: int | None = None  # who has taken a Lemming Hood and shown no sign yet of being asked for cards
        self.unknown: tuple[int, int, int] | None = None  # a move whose cards the seat may be told next

    def follow(self, state: State) -> None:
        for event in GAME.events(state):
            if event.to(self.seat):
                self._one(event.event)
        self._seen(None)

    def _seen(self, cards: list[int] | None) -> None:
        """The move told of last: with these cards, or (None) unseen."""
        if self.unknown is None:
            return
        (origin, to, n), self.unknown = self.unknown, None
        if cards is None:
            self.worlds.unseen(origin, to, n, self.limit if origin < PILE else 99)
        elif origin == PILE:
            self.worlds.drew(to, cards)
        else:
            self.worlds.left(origin, *cards).came(to, *cards)

    def _one(self, event) -> None:
        kind, seat = event["type"], event.get("seat", 0)
        if kind in ("passed_cards", "drew_cards"):
            self._seen(event["cards"])
            return
        self._seen(None)
        if kind in ("took_legend", "reactivated"):
            hood = event["legend"] == "Lemming Hood"
            self.limit, self.hood = (4, seat) if hood else (99, None)
        elif kind == "passed":
            self.hood = None
            self.unknown = (seat, event["to"], event["count"])
        elif kind == "drew":
            self.unknown = (PILE if event["source"] == "discard_pile" else RESERVE + seat, seat, event["count"])
        elif kind in ("declined", "shielded"):
            if self.hood is not None:
                giver = self.hood
                self.worlds.only(lambda world: min(world[giver]) <= 4)
            self.hood = None
        elif kind == "shown":
            self.table[seat, event["battle"]] = list(event["cards"])
            self.worlds.left(seat, *event["cards"])
        elif kind == "returned":
            if self.hood == seat:
                self.worlds.only(lambda world: min(world[seat], default=5) > 4)
                self.hood = None
            self.battle = event["battle"]
            self.worlds.came(seat, *self.table.pop((seat, self.battle)))
        elif kind == "lost":
            self.battle = event["battle"]
            self.worlds.came(PILE, *self.table.pop((seat, self.battle)))
        elif kind in ("discarded", "passed_from_stake"):
            self._open(event)

    def _open(self, event) -> None:
        """Cards that all see go from a hand or from the table."""
        seat, cards, source = event["seat"], event["cards"], event["from"]
        if source == "hand":
            self.worlds.left(seat, *cards)
        else:
            at = self.battle + 1 + int(source[-1]) if source.startswith("stake") else 0
            for card in cards:
                self.table[seat, at].remove(card)
        self.worlds.came(PILE if event["type"] == "discarded" else 1 - seat, *cards)


#: Legends for followed matches: all that move cards unseen, and some that do not.
LEGENDS = ["Lemloki", "LemHighlander", "Lemkyrie", "Lemming Hood", "Lemragnar", "Lemserker", "Lemmhilde's Shield", "Lemsferatu"]
MANY = ["Lemmattila", "Lemmodino"]


def followed(seats: int, seed: int) -> Position:
    """A random match from small hands, followed by a seat that hears the events, to a turn with 12 to 150 worlds."""
    for attempt in range(1000):
        chooser = random.Random(1000 * seed + attempt)
        hands = [[chooser.choice((1, 1, 2, 3, 5)) for _ in range(chooser.choice((5, 6)))] for _ in range(seats)]
        pile = [chooser.choice((1, 1, 2, 3, 5)) for _ in range(6)]
        reserves = [[chooser.choice((1, 2, 3, 5)) for _ in range(7)] for _ in range(2)] if seats == 2 else [[], []]
        deck = LEGENDS if seats == 2 else LEGENDS + MANY
        state = table(seats, hands, chooser.choices(deck, k=40), pile, reserves=reserves)
        seed_words(state.random, attempt)
        observer = Follower(chooser.randrange(seats), Worlds(places(seats, hands, pile, reserves)))
        while awaited := GAME.awaiting(state):
            seat = chooser.choice(awaited)
            state = GAME.play(state, seat, chooser.choice(GAME.legal(state, seat)))
            observer.follow(state)
            worlds = observer.worlds.all
            if len(worlds) > 400:
                break
            fresh = GAME.view(state, None)["phase"] == "send" and not state.table.any() and state.turn > 2
            if fresh and 12 <= len(worlds) <= 150 and sum(worlds.values()) < 9000 * min(worlds.values()):
                return state, observer.seat, observer.worlds.states(state)
    raise AssertionError("no such match")


def _words_where(state: State, fits, sent, act=None):
    """Return random words with which the play that follows comes out in a certain way."""
    for seed in range(1, 2000):
        trial = copy(state)
        seed_words(trial.random, seed)
        if fits(act(trial) if act else send(trial, sent)):
            return trial.random.copy()
    raise AssertionError("no such draw")
