"""Positions for the tests of Lemmings: set up directly, with names for lemmings, cards and actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.game import Json
from engines.kernel import TELL_LOG, State
from engines.lemmings import GAME
from engines.lemmings.actions import card_json
from engines.lemmings.editions import configure
from engines.lemmings.rules import add_card
from engines.lemmings.state import BACK, CHAOS, JUMP, LEMMINGS, NO_WAY, NONE, PAIRS, STATE, WHOOSH

EDITION = GAME.editions["reconstruction"]
NAMES = ("yellow", "blue", "white", "red", "green", "black")
YELLOW, BLUE, WHITE, RED, GREEN, BLACK = range(6)
#: Forward cards have their lemming's number.
__all__ = ["BACK", "CHAOS", "JUMP", "NO_WAY", "WHOOSH"]


def double(first: int, second: int) -> int:
    """The kind of a double forward card."""
    return LEMMINGS + PAIRS.index((first, second))


def position(
    seats: int = 3,
    *,
    lands: Sequence[Sequence[int]] = (),
    water: Sequence[int] = (),
    hands: Sequence[Sequence[int]] = (),
    roles: Sequence[int] = (),
    deck: Sequence[int] = (BACK, BACK, BACK, BACK),
    discards: Sequence[int] = (),
    turn: int = 0,
    played: int = 0,
) -> State:
    """A running match in which it is a seat's turn and it has drawn.

    Args:
        lands: the stacks on land 1, 2 ..., the lowest first; whoever is nowhere is in the burrow.
        deck: the top card last.
        discards: as if seat 0 had played them, one held at a time.
    """
    state = np.zeros(1, STATE)[0]
    state.edition = EDITION.word
    state.seats = seats
    state.telling = TELL_LOG
    configure(state, EDITION, seats, {})
    for place, stack in enumerate(lands, 1):
        for height, lemming in enumerate(stack):
            state.place[lemming], state.height[lemming] = place, height
    for lemming in water:
        state.place[lemming] = state.land_cards + 1
    for lemming in range(LEMMINGS):
        state.crowd[state.place[lemming]] += 1
    for seat in range(seats):
        state.players[seat].role = roles[seat] if roles else seat
        for kind in hands[seat] if seat < len(hands) else ():
            add_card(state.players[seat], kind)
    state.deck[: len(deck)] = deck
    state.deck_n = len(deck)
    state.discards[: len(discards)] = discards
    state.discards_from[: len(discards)] = 1
    state.discards_n = len(discards)
    state.copies[:] = np.bincount([*deck, *discards, *(kind for hand in hands for kind in hand)], minlength=26)
    state.pile[:] = state.copies
    state.turn, state.played, state.turns = turn, played, 1
    state.effect = state.winner = NONE
    state.random[:] = (1, 2, 3, 4)
    return state


def stacks(state: State) -> dict[str, list[str]]:
    """The lemmings of each place that has any, the lowest first."""
    places = GAME.view(state, None)["places"]
    return {place["place"]: place["lemmings"] for place in places if place["lemmings"]}


def card(kind: int) -> Json:
    return card_json(EDITION, kind)


def act(state: State, seat: int, kind: str, card_kind: int | None = None, **choices: object) -> State:
    """Play one action, given as a client would."""
    data: Json = {"type": kind, **choices}
    if card_kind is not None:
        data["card"] = card(card_kind)
    return GAME.play(state, seat, GAME.action_from_json(state, data))


def passed(state: State) -> State:
    """All pass until no window is open."""
    while state.phase == 1:
        state = act(state, GAME.awaiting(state)[0], "pass")
    return state


def played(state: State, kind: int, **choices: object) -> State:
    """The seat whose turn it is plays a card, and all let it happen."""
    return passed(act(state, int(state.turn), "play", kind, **choices))
