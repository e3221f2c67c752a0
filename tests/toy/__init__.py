"""A tiny complete game for tests of everything that is not about one game: 2-4 seats, three cards each out of twelve.

Three rounds: all choose a card secretly and at the same time (taking back until the last has chosen), the highest card
scores one point. Most points win, shared. `bonus` doubles the last round. Undealt cards stay hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from marshmallow import Schema, fields

from engines import kernel
from engines.editions import Edition, EditionBook
from engines.game import BadOption, Game, Json, Kernels, Outcome, Told, UnreadableAction
from engines.kernel import ALL, State, helper, see, shuffle, tell
from engines.kernel import kernel as compiled

CARDS = 12
ROUNDS = 3
NONE = -1
TAKE_BACK = CARDS

PLAYER = kernel.record([("hand", "i2"), ("chosen", "i1"), ("points", "i1")])
STATE = kernel.state_dtype([("shown", "i2"), ("turn", "i1"), ("bonus", "i1"), ("players", PLAYER, (4,))], log=16)

DEALT, CHOSE, SHOWN, SCORED, TOOK_BACK = 1, 2, 3, 4, 5


@helper
def _begin(state: State) -> None:
    deck = np.arange(CARDS).astype(np.int8)
    shuffle(state, deck, CARDS)
    for seat in range(int(state.seats)):
        hand = 0
        for i in range(ROUNDS):
            hand |= 1 << int(deck[seat * ROUNDS + i])
        state.players[seat].hand = hand
        state.players[seat].chosen = NONE
        tell(state, 1 << seat, DEALT, 0, 0, 0)
        see(state, 1 << seat, hand)


@compiled(STATE)
def deal(state: State) -> None:
    _begin(state)


@compiled(STATE)
def awaiting(state: State) -> int:
    bits = 0
    if state.turn < ROUNDS:
        for seat in range(int(state.seats)):
            if state.players[seat].chosen == NONE:
                bits |= 1 << seat
    return bits


@compiled(STATE)
def legal(state: State, seat: int, out: Any) -> int:
    n = 0
    if state.turn >= ROUNDS:
        return 0
    if state.players[seat].chosen != NONE:
        out[0] = TAKE_BACK
        return 1
    hand = int(state.players[seat].hand)
    for card in range(CARDS):
        if hand >> card & 1:
            out[n] = card
            n += 1
    return n


@compiled(STATE)
def play(state: State, seat: int, action: int) -> None:
    player = state.players[seat]
    if action == TAKE_BACK:
        player.hand = int(player.hand) | (1 << int(player.chosen))
        player.chosen = NONE
        tell(state, ALL, TOOK_BACK, seat, 0, 0)
        return
    player.hand = int(player.hand) & ~(1 << action)
    player.chosen = action
    tell(state, ALL, CHOSE, seat, 0, 0)
    see(state, 1 << seat, action)
    best = 0
    for other in range(int(state.seats)):
        if state.players[other].chosen == NONE:
            return
        if state.players[other].chosen > state.players[best].chosen:
            best = other
    state.reveals = 1
    for other in range(int(state.seats)):
        tell(state, ALL, SHOWN, other, int(state.players[other].chosen), 0)
        state.shown = int(state.shown) | 1 << int(state.players[other].chosen)
        state.players[other].chosen = NONE
    gain = 2 if state.bonus and state.turn == ROUNDS - 1 else 1
    state.players[best].points = int(state.players[best].points) + gain
    state.turn = int(state.turn) + 1
    tell(state, ALL, SCORED, best, gain, 0)


UNKNOWN = -2


@compiled(STATE)
def redact(state: State, seat: int) -> None:
    kernel.forget_header(state, seat)
    for other in range(int(state.seats)):
        if other != seat:
            state.players[other].hand = 0
            if state.players[other].chosen != NONE:
                state.players[other].chosen = UNKNOWN


@compiled(STATE)
def imagine(state: State, seat: int, seed: Any) -> None:
    kernel.seed_words(state.random, seed)
    free = np.empty(CARDS, np.int8)
    n = 0
    own = int(state.players[seat].hand) | int(state.shown)
    if state.players[seat].chosen >= 0:
        own |= 1 << int(state.players[seat].chosen)
    for card in range(CARDS):
        if not own >> card & 1:
            free[n] = card
            n += 1
    kernel.shuffle_words(state.random, free, n)
    k = 0
    for other in range(int(state.seats)):
        if other == seat:
            continue
        want = ROUNDS - int(state.turn)
        hand = 0
        if state.players[other].chosen == UNKNOWN:
            state.players[other].chosen = free[k]
            k += 1
            want -= 1
        for _ in range(want):
            hand |= 1 << int(free[k])
            k += 1
        state.players[other].hand = hand


@compiled(STATE)
def payoffs(state: State, out: Any) -> None:
    top = 0
    for seat in range(int(state.seats)):
        top = max(top, int(state.players[seat].points))
    winners = 0
    for seat in range(int(state.seats)):
        winners += int(state.players[seat].points) == top
    for seat in range(int(state.seats)):
        out[seat] = 1.0 / winners if state.players[seat].points == top else 0.0


def encode(edition: Edition, state: State, data: Json) -> int:
    if data == {"type": "take_back"}:
        return TAKE_BACK
    if set(data) == {"type", "card"} and data["type"] == "choose":
        card = data["card"]
        if isinstance(card, int) and not isinstance(card, bool) and 1 <= card <= CARDS:
            return card - 1
    raise UnreadableAction("an action is {type: choose, card: 1-12} or {type: take_back}")


def decode(edition: Edition, state: State, action: int) -> Json:
    return {"type": "take_back"} if action == TAKE_BACK else {"type": "choose", "card": action + 1}


def describe(edition: Edition, state: State, seat: int, action: int) -> str:
    return "take the card back" if action == TAKE_BACK else f"choose card {action + 1}"


def explain(edition: Edition, state: State, seat: int, action: int) -> str:
    return "no card to take back" if action == TAKE_BACK else f"card {action + 1} is not in hand"


def _hand(bits: int) -> list[int]:
    return [card + 1 for card in range(CARDS) if bits >> card & 1]


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    data: Json = {"round": int(state.turn), "bonus": bool(state.bonus), "shown": _hand(int(state.shown)), "players": []}
    for seat in range(int(state.seats)):
        player = state.players[seat]
        shown: Json = {"seat": seat, "points": int(player.points), "chosen": int(player.chosen) != NONE}
        if seat == viewer:
            shown["hand"] = _hand(int(player.hand))
            shown["card"] = int(player.chosen) + 1 if player.chosen != NONE else None
        data["players"].append(shown)
    return data


def events(edition: Edition, state: State) -> list[Told]:
    told = []
    for i in range(int(state.log_n)):
        code, seats = int(state.log_code[i]), int(state.log_seats[i])
        kind, a, b = code >> 24, code >> 16 & 255, code >> 8 & 255
        if kind == DEALT:
            seat = lowest_seat(seats)
            event: Json = {"type": "dealt", "seat": seat, "hand": _hand(int(state.players[seat].hand))}
        elif kind == SHOWN:
            event = {"type": "shown", "seat": a, "card": b + 1}
        elif kind == SCORED:
            event = {"type": "scored", "seat": a, "points": b}
        else:
            event = {"type": {CHOSE: "chose", TOOK_BACK: "took_back"}[kind], "seat": a}
        told.append(Told(seats, event))
    return told


def lowest_seat(seats: int) -> int:
    return (seats & -seats).bit_length() - 1


def outcome(edition: Edition, state: State) -> Outcome | None:
    if state.turn < ROUNDS:
        return None
    points = tuple(int(state.players[s].points) for s in range(int(state.seats)))
    winners = tuple(s for s, p in enumerate(points) if p == max(points))
    ranking = tuple(1 + sum(q > p for q in points) for p in points)
    return Outcome("most_points", winners, ranking, points)


class EditionSchema(Schema):
    edition = fields.String(required=True)


def check_options(edition: Edition, seats: int, options: Mapping[str, Any]) -> Json:
    bonus = options.get("bonus", False)
    if not isinstance(bonus, bool):
        raise BadOption("bonus", "is true or false")
    return {"bonus": bonus}


def configure(state: State, edition: Edition, seats: int, options: Json) -> None:
    state.bonus = options["bonus"]


GAME = Game(
    name="toy",
    title="Toy",
    summary="Three cards, three rounds; for tests.",
    min_seats=2,
    max_seats=4,
    reasons=("most_points",),
    max_actions=CARDS,
    dtype=STATE,
    kernels=Kernels(deal, awaiting, legal, play, redact, imagine, payoffs),
    editions=EditionBook("toy", Path(__file__).parent, EditionSchema),
    options_schema={
        "type": "object",
        "properties": {
            "bonus": {"type": "boolean", "default": False},
            "edition": {"type": "string", "default": "standard"},
        },
    },
    check_options=check_options,
    variants=lambda edition: [(seats, {"bonus": bonus}) for seats in (2, 3, 4) for bonus in (False, True)],
    configure=configure,
    encode=encode,
    decode=decode,
    explain=explain,
    _describe=describe,
    _view=view,
    _events=events,
    _outcome=outcome,
    longest=100,
    action_numbers=CARDS + 1,
)
