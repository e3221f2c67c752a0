"""Positions of Lemminge set up directly, and short words for playing on from them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engines.game import Json
from engines.kernel import State
from engines.lemminge import GAME
from engines.lemminge.editions import board_of
from engines.lemminge.rules import survey
from engines.lemminge.state import BEYOND, HAND, KINDS, MEADOW, NONE, VALUES

EDITION = GAME.editions["reconstruction"]
SEED = bytes(32)


def kind_of(card: str) -> int:
    """The kind of "water 1"."""
    terrain, value = card.split()
    return EDITION.data["terrains"].index(terrain) * VALUES + int(value)


def card(text: str) -> Json:
    terrain, value = text.split()
    return {"terrain": terrain, "value": int(value)}


def space(state: State, name: str) -> int:
    row, column = name.split(",")
    return board_of(EDITION, state).numbers[int(row), int(column)]


def position(
    hands: list[list[str]],
    piles: dict[str, list[str]] | None = None,
    lemmings: dict[tuple[int, int], str] | None = None,
    terrain: dict[str, str] | None = None,
    draw: list[str] | None = None,
    discards: list[str] | None = None,
    turn: int = 0,
    board: str = "horseshoe",
) -> State:
    """A position in which seat `turn` plays a card or refills.

    Args:
        hands: of each seat.
        piles: by terrain, bottom card first; the others hold their 2.
        lemmings: (seat, lemming 1 or 2) -> hex or "across"; the others are in the pen.
        terrain: hex -> terrain.
        draw: the draw pile; by default all other cards. Given, the match has no more cards than are named.
        discards: in order.
    """
    state = GAME.new(len(hands), {"board": board}, SEED)
    state.turn, state.first = turn, 0
    for seat, hand in enumerate(hands):
        kinds = sorted(kind_of(c) for c in hand)
        state.players[seat].hand_n = len(kinds)
        state.players[seat].hand[:] = kinds + [NONE] * (HAND - len(kinds))
    _set_piles(state, piles or {})
    gone = [kind_of(c) for c in discards or []]
    state.discards[: len(gone)] = gone
    state.discard_n = len(gone)
    placed = Counter(gone) + Counter(kind_of(c) for hand in hands for c in hand)
    for kind in range(KINDS):
        placed[kind] += int(state.piles[kind])
        if draw is not None:
            state.copies[kind] = placed[kind] + Counter(draw)[_name(kind)]
        state.draw_pile[kind] = int(state.copies[kind]) - placed[kind]
    assert min(state.draw_pile) >= 0
    state.draw_n = sum(int(n) for n in state.draw_pile)
    _set_lemmings(state, lemmings or {})
    for name, what in (terrain or {}).items():
        state.terrain[space(state, name)] = MEADOW if what == "meadow" else EDITION.data["terrains"].index(what)
    if terrain:
        survey(state)
    return state


def _name(kind: int) -> str:
    return f"{EDITION.data['terrains'][kind // VALUES]} {kind % VALUES}"


def _set_piles(state: State, piles: dict[str, list[str]]) -> None:
    for terrain, cards in piles.items():
        number = EDITION.data["terrains"].index(terrain)
        values = [int(c) for c in cards]
        assert values == sorted(values, reverse=True)
        for value in range(VALUES):
            state.piles[number * VALUES + value] = values.count(value)
        state.pile_top[number], state.pile_sum[number] = values[-1], sum(values)


def _set_lemmings(state: State, lemmings: dict[tuple[int, int], str]) -> None:
    for (seat, which), where in lemmings.items():
        player = state.players[seat]
        there = BEYOND if where == "across" else space(state, where)
        player.where[which - 1] = there
        player.best[which - 1] = 0 if there == BEYOND else state.distance[there]
        if there == BEYOND:
            player.across += 1
        else:
            state.occupied[there >> 5] = int(state.occupied[there >> 5]) | (1 << (there & 31))


def act(state: State, *actions: Json | str, seat: int | None = None) -> State:
    """Play actions of the seat whose turn it is; a bare word is a step in that direction, or a type without fields."""
    for action in actions:
        actor = int(state.turn) if seat is None else seat
        state = GAME.play(state, actor, GAME.action_from_json(state, as_json(action)))
    return state


def as_json(action: Json | str) -> Json:
    if not isinstance(action, str):
        return action
    if action in ("E", "NE", "NW", "W", "SW", "SE"):
        return {"type": "step", "direction": action}
    head, _, tail = action.partition(" ")
    if head in ("card", "discard"):
        return {"type": head, "card": card(tail)}
    if head == "tile":
        return {"type": "tile", "hex": tail}
    if head == "lemming":
        return {"type": "lemming", "lemming": int(tail)}
    return {"type": action}


def legal(state: State) -> list[Json]:
    return GAME.legal_json(state, int(state.turn))


def events(state: State, viewer: int | None = None) -> list[Json]:
    return [told.event for told in GAME.events(state) if told.to(viewer)]


def where(state: State, seat: int, which: int) -> Any:
    return GAME.view(state, None)["players"][seat]["lemmings"][which - 1]["at"]


def terrain_at(state: State, name: str) -> str:
    spaces: dict[str, str] = GAME.view(state, None)["spaces"]
    return spaces[name]


def open_board(board: str = "horseshoe") -> dict[str, str]:
    """Meadow everywhere, for `position(terrain=...)`."""
    state = GAME.new(2, {"board": board}, SEED)
    return dict.fromkeys(GAME.view(state, None)["spaces"], "meadow")
