"""A plain model of Last Lemming, written from the rules file alone: no arrays, no speed, generators for decisions.

The engine is played against it: at every decision both must await the same seats and allow the same actions, and agree on
positions, line, points and hands. Cards dealt, the first seat and the rule cards are told to the model by the engine's state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

X = ("x",)
Card = tuple
LINE, FALL = "line", "fall"
HOLE = "H"


@dataclass
class Lemming:
    owner: int
    which: int
    space: int = 0  # 0: in the line
    in_play: bool = True

    @property
    def key(self) -> tuple[int, int]:
        return self.owner, self.which


@dataclass
class Model:
    """`data` is the edition file; what chance decided (rule cards, hands, first seat) is answered from outside."""

    data: dict[str, Any]
    seats: int
    two: bool
    rule_of_act: Callable[[int], int]
    hands_of_deal: Callable[[], list[list[Card]]]
    first_seat: int
    vp: list[int] = field(default_factory=list)
    line: list[Lemming] = field(default_factory=list)
    lemmings: list[Lemming] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    active: list[int] = field(default_factory=list)
    act: int = 0
    over: bool = False
    standings: list[Lemming] = field(default_factory=list)

    # --- the match

    def run(self) -> Iterator[dict[int, list[dict]]]:
        self.vp = [self.data["start_points"]] * self.seats
        self.active = [0] * self.seats
        order = [(self.first_seat + i) % self.seats for i in range(self.seats)]
        self.lemmings = [Lemming(seat, 0) for seat in range(self.seats)]
        self.line = [self.lemming(seat, 0) for seat in order]
        for self.act in range(4):
            if self.act > 0:
                yield from self.prepare()
            yield from self.one_act()
            self.score()
        self.over = True

    def prepare(self) -> Iterator[dict[int, list[dict]]]:
        if not self.two:
            self.line = list(self.standings)
            for lemming in self.lemmings:
                lemming.space = 0
            return
        resting_line = list(self.line)
        if self.act == 1:
            starters = []
            for placed in self.standings:
                second = Lemming(placed.owner, 1)
                self.lemmings.append(second)
                starters.append(second)
            self.active = [1] * self.seats
        else:
            first = self.standings[0].owner
            for i in range(self.seats):
                seat = (first + i) % self.seats
                options = [{"type": "activate", "lemming": self.name(self.lemming(seat, w))} for w in (0, 1)]
                _, action = yield {seat: options}
                self.active[seat] = next(w for w in (0, 1) if self.name(self.lemming(seat, w)) == action["lemming"])
            starters = [lem for lem in self.standings if self.active[lem.owner] == lem.which]
        for lemming in starters:
            lemming.space = 0
        self.line = starters + [lem for lem in resting_line if lem not in starters]

    def one_act(self) -> Iterator[dict[int, list[dict]]]:
        number = self.rule_of_act(self.act)
        self.card = next(card for card in self.data["rule_cards"] if card["number"] == number)
        self.holes = set()
        for piece, side in zip(self.data["track"]["pieces"], self.card["sides"], strict=True):
            self.holes |= set(piece["holes"][side])
        self.fork = next(p["fork"] for p in self.data["track"]["pieces"] if p.get("fork"))
        self.last = self.data["track"]["pieces"][-1]["last"]
        self.hands = self.hands_of_deal()
        yield from self.put_back()
        leader = self.line[0].owner
        for _ in range(8):
            leader = yield from self.trick(leader)

    def order_of(self, card: Card) -> int:
        cards = self.data["cards"]
        if card == X:
            return 10_000
        return cards["colours"].index(card[0]) * 100 + cards["values"].index(card[1])

    def put_back(self) -> Iterator[dict[int, list[dict]]]:
        left = [4] * self.seats
        last = [10_001] * self.seats
        while any(left):
            options = {}
            for seat in range(self.seats):
                if left[seat]:
                    found = []
                    for card in set(self.hands[seat]):
                        rank = self.order_of(card)
                        rest = list(self.hands[seat])
                        rest.remove(card)
                        below = sum(self.order_of(c) <= rank for c in rest)
                        if rank <= last[seat] and below >= left[seat] - 1:
                            found.append({"type": "put_back", "card": show(card)})
                    options[seat] = found
            seat, action = yield options
            card = read(action["card"])
            self.hands[seat].remove(card)
            last[seat] = self.order_of(card)
            left[seat] -= 1

    # --- a trick

    def trick(self, leader: int) -> Iterator[dict[int, list[dict]]]:
        turn = [(leader + i) % self.seats for i in range(self.seats)]
        played: dict[int, Card] = {}
        colour = None
        for seat in turn:
            hand = self.hands[seat]
            allowed = hand
            if colour and any(card[0] == colour for card in hand if card != X):
                allowed = [card for card in hand if card == X or card[0] == colour]
            _, action = yield {seat: [{"type": "play", "card": show(card)} for card in set(allowed)]}
            card = read(action["card"])
            hand.remove(card)
            played[seat] = card
            if colour is None and card != X:
                colour = card[0]
        if colour is None:
            return leader
        followers = [seat for seat in turn if played[seat] != X and played[seat][0] == colour]
        lowest_wins = self.card.get("wins") == "lowest"
        ranked = sorted(followers, key=lambda s: played[s][1], reverse=not lowest_wins)
        self.turn, self.played, self.ranked = turn, played, ranked
        self.colour_players = followers
        self.winner = ranked[0]
        for step in self.card["steps"]:
            yield from self.step(step)
        return self.winner

    def role(self, name: str) -> int | None:
        by_value = sorted(self.ranked, key=lambda s: self.played[s][1])
        if name == "winner":
            return self.winner
        if name == "second":
            return self.ranked[1] if len(self.ranked) > 1 else None
        seat = by_value[0] if name == "lowest" else by_value[-1]
        return seat if seat != self.winner else None

    def actives(self) -> list[Lemming]:
        return [lem for lem in self.lemmings if lem.which == self.active[lem.owner]]

    def movers(self, who: str) -> list[int]:
        clockwise = [(self.winner + i) % self.seats for i in range(self.seats)]
        if who in ("winner", "second", "lowest", "highest"):
            seat = self.role(who)
            return [] if seat is None else [seat]
        colour = self.played[self.winner][0]
        tests = {
            "x_players": lambda s: self.played[s] == X,
            "followers": lambda s: s in self.ranked and s != self.winner,
            "off_colour": lambda s: self.played[s] != X and self.played[s][0] != colour,
            "all": lambda s: True,
        }
        if who in tests:
            return [seat for seat in clockwise if tests[who](seat)]
        on_track = sorted((lem for lem in self.actives() if lem.space), key=lambda lem: lem.space)
        in_line = [lem for lem in self.line if lem in self.actives()]
        if who == "rearmost":
            return [in_line[-1].owner if in_line else on_track[0].owner]
        assert who == "foremost"
        return [on_track[-1].owner if on_track else in_line[0].owner]

    def value_of(self, seat: int | None) -> int:
        return 0 if seat is None or self.played[seat] == X else self.played[seat][1]

    def amount(self, by: Any, mover: int) -> int:
        if isinstance(by, int):
            return by
        if by == "own":
            return self.value_of(mover)
        if by in ("winner", "second", "lowest"):
            return self.value_of(self.role(by))
        if by == "difference":
            second = self.role("second")
            return self.value_of(self.winner) - (self.value_of(second) if second is not None else 0)
        if by == "count":
            return len(self.ranked)
        assert by == "previous"
        place = self.turn.index(mover)
        return 0 if place == 0 else self.value_of(self.turn[place - 1])

    def step(self, step: dict[str, Any]) -> Iterator[dict[int, list[dict]]]:
        who = step["who"]
        if who in ("chosen", "chosen_other"):
            yield from self.chosen_step(step)
            return
        for seat in self.movers(who):
            yield from self.move(self.lemming(seat, self.active[seat]), step, seat)

    def picks(self) -> list[int]:
        return sorted({card[1] for card in self.played.values() if card != X})

    def chosen_step(self, step: dict[str, Any]) -> Iterator[dict[int, list[dict]]]:
        choices = self.actives()
        if step["who"] == "chosen_other":
            choices = [lem for lem in choices if lem.owner != self.winner]
        if all(not self.could_move(lem, step) for lem in choices):
            return
        lemming = choices[0]
        if len(choices) > 1:
            options = [{"type": "choose", "lemming": self.name(lem)} for lem in choices]
            _, action = yield {self.winner: options}
            lemming = next(lem for lem in choices if self.name(lem) == action["lemming"])
        yield from self.move(lemming, step, self.winner)

    def could_move(self, lemming: Lemming, step: dict[str, Any]) -> bool:
        """A jump with nobody there and a move of 0 move nothing; neither does going to the line's end for the last in it."""
        by = step["by"]
        if by in ("next_ahead", "next_behind"):
            return self.jump_end(lemming, by) is not None
        here = lemming.space or (LINE if self.line[-1] is lemming else None)
        return any(end is not None and end != here for end in self.all_ends(lemming, step))

    def all_ends(self, lemming: Lemming, step: dict[str, Any]) -> set:
        values = self.picks() if step["by"] == "picked" else [step["by"]]
        ends = set()
        for value in values:
            ends |= self.ends_of_value(lemming, step, value)
        return ends

    def ends_of_value(self, lemming: Lemming, step: dict[str, Any], by: Any) -> set:
        sign = step.get("sign", "plus")
        signs = ("plus", "minus") if sign == "either" else (sign,)
        ends = set()
        for s in signs:
            ends |= self.ends_of_sign(lemming, by, s)
        return ends

    def ends_of_sign(self, lemming: Lemming, by: Any, sign: str) -> set:
        if by in ("next_ahead", "next_behind"):
            return {self.jump_end(lemming, by)}
        n = self.amount(by, lemming.owner)
        n = -n if sign == "minus" else n
        return {self.same(lemming, end) for _, end in self.ways(lemming.space, n)}

    def same(self, lemming: Lemming, end: Any) -> Any:
        """No move ends where the lemming is; moving to the end of the line is no move for the last in it."""
        if end is None and lemming.space:
            return lemming.space
        return LINE if end is None and self.line[-1] is lemming else end

    def ways(self, space: int, n: int) -> list[tuple[str, Any]]:
        """(way, end) pairs; the end is a space, LINE, FALL, or None for no move at all."""
        if n == 0:
            return [("long", None)]
        paths = self.paths(space, 1 if n > 0 else -1)
        found = []
        for way, path in paths:
            steps = abs(n)
            if steps <= len(path):
                end = path[steps - 1]
                if end == HOLE or end in self.holes:
                    end = FALL
            else:
                end = FALL if n > 0 else LINE
            crossed = HOLE in path[:steps] if way == "short" else True
            found.append((way, end, crossed))
        if len(found) == 2 and not found[1][2]:
            found = found[:1]
        return [(way, end) for way, end, _ in found]

    def paths(self, space: int, direction: int) -> list[tuple[str, list]]:
        leave, join = self.fork["from"], self.fork["to"]
        if direction > 0:
            long = list(range(space + 1, self.last + 1))
            if space <= leave:
                short = list(range(space + 1, leave + 1)) + [HOLE] * len(self.fork["short"]) + list(range(join, self.last + 1))
                return [("long", long), ("short", short)]
            return [("long", long)]
        if space == 0:
            return [("long", [])]
        long = list(range(space - 1, 0, -1))
        if space >= join:
            short = list(range(space - 1, join - 1, -1)) + [HOLE] * len(self.fork["short"]) + list(range(leave, 0, -1))
            return [("long", long), ("short", short)]
        return [("long", long)]

    def jump_end(self, lemming: Lemming, by: str) -> Any:
        occupied = {lem.space for lem in self.lemmings if lem.space and lem is not lemming}
        if by == "next_ahead":
            ahead = [s for s in occupied if s > lemming.space]
            if not ahead:
                return None
            target = min(ahead)
        else:
            behind = [s for s in occupied if s < lemming.space]
            if not behind or not lemming.space:
                return None
            target = max(behind)
        return FALL if target in self.holes else target

    def move(self, lemming: Lemming, step: dict[str, Any], decider: int) -> Iterator[dict[int, list[dict]]]:
        by: Any = step["by"]
        if by == "picked":
            values = self.picks()
            by = values[0]
            if len(values) > 1 and len(self.all_ends(lemming, step)) > 1:
                _, action = yield {self.winner: [{"type": "pick", "value": v} for v in values]}
                by = action["value"]
        sign = step.get("sign", "plus")
        if sign == "either":
            sign = "plus"
            if len(self.ends_of_value(lemming, step, by)) > 1:
                options = [{"type": "sign", "sign": s} for s in ("plus", "minus")]
                _, action = yield {decider: options}
                sign = action["sign"]
        if by in ("next_ahead", "next_behind"):
            end = self.jump_end(lemming, by)
            direction = 1 if by == "next_ahead" else -1
        else:
            n = self.amount(by, lemming.owner)
            n = -n if sign == "minus" else n
            direction = 1 if n > 0 else -1
            ways = self.ways(lemming.space, n)
            end = ways[0][1]
            if len({e for _, e in ways}) > 1:
                _, action = yield {decider: [{"type": "way", "way": way} for way, _ in ways]}
                end = dict(ways)[action["way"]]
        if end is None:
            return
        plan: list[tuple[Lemming, Any]] = [(lemming, end)]
        moved = lemming
        while isinstance(end, int):
            here = [lem for lem in self.lemmings if lem.space == end and lem is not moved and lem is not lemming]
            if not here:
                break
            moved = here[0]
            end = yield from self.push_end(end, direction, decider)
            plan.append((moved, end))
        for piece, target in plan:
            self.place(piece, target)

    def push_end(self, space: int, direction: int, decider: int) -> Iterator[dict[int, list[dict]]]:
        ways = self.ways(space, direction)
        if len({end for _, end in ways}) > 1:
            _, action = yield {decider: [{"type": "way", "way": way} for way, _ in ways]}
            return dict(ways)[action["way"]]
        return ways[0][1]

    def place(self, lemming: Lemming, target: Any) -> None:
        if target in (LINE, FALL):
            if lemming in self.line:
                self.line.remove(lemming)
            self.line.append(lemming)
            lemming.space = 0
            if target == FALL and self.vp[lemming.owner]:
                self.vp[lemming.owner] -= 1
            return
        if lemming in self.line:
            self.line.remove(lemming)
        lemming.space = target

    # --- scoring

    def score(self) -> None:
        on_track = sorted((lem for lem in self.lemmings if lem.space), key=lambda lem: -lem.space)
        self.standings = on_track + self.line
        side = "3-4" if len(self.standings) <= 4 else "5-6"
        row = self.data["scoring"][side][self.act]
        for place, lemming in enumerate(self.standings):
            if lemming is not self.line[-1] if self.line else True:
                self.vp[lemming.owner] += row[place]

    def ranking(self) -> list[int]:
        best = [min(i for i, lem in enumerate(self.standings) if lem.owner == seat) for seat in range(self.seats)]
        order = sorted(range(self.seats), key=lambda s: (-self.vp[s], best[s]))
        return [order.index(seat) + 1 for seat in range(self.seats)]

    def lemming(self, owner: int, which: int) -> Lemming:
        return next(lem for lem in self.lemmings if lem.key == (owner, which))

    def name(self, lemming: Lemming) -> str:
        return self.data["characters"][lemming.owner + lemming.which * self.seats]


def show(card: Card) -> dict[str, Any]:
    return {"x": True} if card == X else {"colour": card[0], "value": card[1]}


def read(card: dict[str, Any]) -> Card:
    return X if card.get("x") else (card["colour"], card["value"])
