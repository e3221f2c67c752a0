"""What a seat or a spectator may see, the events of the last play, and how the match ended."""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, Outcome, Told
from engines.kernel import State
from engines.lemminge.actions import card_json
from engines.lemminge.boards import Board, hex_name
from engines.lemminge.editions import board_of, terrain_names
from engines.lemminge.state import (
    ARRIVED,
    BEYOND,
    CARD_OR_REFILL,
    CHOSE,
    DISCARDED,
    DISCARDS,
    DREW,
    ENDED,
    FINISH,
    HANDED,
    KEPT_ZERO,
    LEMMING,
    LEMMINGS,
    MAX_SPACES,
    MOVED,
    NEW_PILE,
    NONE,
    OVER,
    PEN,
    PLACED,
    PLAYED,
    PUSHED,
    REFILLED,
    REFILLING,
    RESHUFFLED,
    STALEMATE,
    STARTED,
    STEP,
    STOPPED,
    TILE,
    TURN,
    VALUES,
)
from engines.plain import plain

REASONS = {FINISH: "finish", STALEMATE: "stalemate"}
PHASES = {
    OVER: "over",
    CARD_OR_REFILL: "card_or_refill",
    DISCARDS: "discards",
    TILE: "tile",
    LEMMING: "lemming",
    STEP: "step",
}


# --- the view ---------------------------------------------------------------------------------------------------------


#: Tables of the state that no view needs.
TABLES = frozenset({"near", "way", "distance", "occupied"})


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    s = plain(state, TABLES)
    board = board_of(edition, state)
    names = terrain_names(edition)
    return {
        "board": _board(edition, board),
        "spaces": {name: names[terrain] for name, terrain in zip(board.names, s.terrain, strict=False)},
        "tiles": _tiles(s, board, names),
        "tiles_left": dict(zip(names, s.tiles_left, strict=True)),
        "piles": [_pile(s, terrain, name) for terrain, name in enumerate(edition.data["terrains"])],
        "discard_pile": [card_json(edition, kind) for kind in s.discards[: s.discard_n]],
        "draw_pile": s.draw_n,
        "remaining": _remaining(edition, s, viewer),
        "turn": _turn(names, s),
        "first_seat": s.first,
        "turns_without_progress": s.quiet,
        "stalemate_turns": s.quiet_limit,
        "players": [_player(edition, s, board, seat, viewer) for seat in range(s.seats)],
    }


def _board(edition: Edition, board: Board) -> Json:
    letters = dict(zip(edition.data["letters"], edition.data["terrains"], strict=True))
    legend = {**letters, ".": "meadow", ">": "pen", "!": "beyond the finish line", "#": "no space"}
    return {"name": board.name, "rows": [" ".join(row) for row in board.rows], "legend": legend}


def _tiles(s: Any, board: Board, names: list[str]) -> list[Json]:
    """Return the bonus tiles in the order placed; a tile with another one placed on it later has left the game."""
    return [
        {
            "tile": names[s.tile_kind[i]],
            "hex": board.names[s.tile_space[i]],
            "seat": s.tile_seat[i],
            "turn": s.tile_turn[i],
            "on_board": s.tile_space[i] not in s.tile_space[i + 1 : s.tile_n],
        }
        for i in range(s.tile_n)
    ]


def _pile(s: Any, terrain: int, name: str) -> Json:
    """Return a terrain pile with its cards from the bottom up."""
    values = range(VALUES - 1, -1, -1)
    cards = [{"terrain": name, "value": value} for value in values for _ in range(s.piles[terrain * VALUES + value])]
    return {"terrain": name, "cards": cards, "top": s.pile_top[terrain], "sum": s.pile_sum[terrain]}


def _remaining(edition: Edition, s: Any, viewer: int | None) -> Json:
    """Return the cards not known to be elsewhere, by terrain, how many of each value from 0.

    They are all cards less the discard pile, the terrain piles and the viewer's hand.
    """
    counts = [copies - played for copies, played in zip(s.copies, s.piles, strict=True)]
    elsewhere = s.discards[: s.discard_n]
    if viewer is not None:
        elsewhere = elsewhere + s.players[viewer].hand[: s.players[viewer].hand_n]
    for kind in elsewhere:
        counts[kind] -= 1
    return {name: counts[i * VALUES : (i + 1) * VALUES] for i, name in enumerate(edition.data["terrains"])}


def _turn(names: list[str], s: Any) -> Json:
    return {
        "number": s.turns,
        "seat": None if s.phase == OVER else s.turn,
        "phase": PHASES[s.phase],
        "terrain": None if s.ground == NONE else names[s.ground],
        "points": s.points,
        "tile": None if s.tile == NONE else names[s.tile],
        "lemming": None if s.mover == NONE else s.mover + 1,
        "discarded": s.drawing,
    }


def _player(edition: Edition, s: Any, board: Board, seat: int, viewer: int | None) -> Json:
    player = s.players[seat]
    data: Json = {
        "seat": seat,
        "hand_size": player.hand_n,
        "lemmings": [_lemming(board, which, here) for which, here in enumerate(player.where)],
        "across": player.across,
        "place": player.place or None,
    }
    if seat == viewer:
        data["hand"] = [card_json(edition, kind) for kind in player.hand[: player.hand_n]]
    return data


def _lemming(board: Board, which: int, here: int) -> Json:
    distance = board.pen_distance if here == PEN else 0 if here == BEYOND else board.distance[here]
    return {"lemming": which + 1, "at": _place(board, here), "distance": distance}


def _place(board: Board, here: int) -> str:
    """Return where a lemming stands: a hex, `pen` or `across`."""
    return "pen" if here == PEN else "across" if here == BEYOND else board.names[here]


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play told to whom, decoded from the log."""
    board, names, n = board_of(edition, state), terrain_names(edition), int(state.log_n)
    codes, seats = state.log_code[:n].tolist(), state.log_seats[:n].tolist()
    return [
        Told(told & 255, _event(edition, board, names, code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255))
        for told, code in zip(seats, codes, strict=True)
    ]


def _event(edition: Edition, board: Board, names: list[str], kind: int, a: int, b: int, c: int) -> Json:
    """Return one event; what a, b and c are is listed beside the numbers in `state.py`."""
    if kind in _BY_SEAT:
        name, field = _BY_SEAT[kind]
        return {"type": name, "seat": a, field: b} if field else {"type": name, "seat": a}
    if kind in (DREW, DISCARDED):
        return {"type": "drew" if kind == DREW else "discarded", "seat": a, "card": card_json(edition, b)}
    if kind == PLAYED:
        return {"type": "played", "seat": a, "card": card_json(edition, b), "points": c}
    if kind == NEW_PILE:
        return {"type": "new_pile", "terrain": names[a], "discarded": b, "tile": None if c == 255 else names[c]}
    if kind == PLACED:
        replaced = None if c == 255 else names[c]
        return {"type": "placed", "seat": a // 8, "tile": names[a % 8], "hex": board.names[b], "replaced": replaced}
    if kind == KEPT_ZERO:
        return {"type": "kept_zero", "terrain": names[a], "discarded": b}
    if kind == RESHUFFLED:
        return {"type": "reshuffled", "cards": a}
    if kind == ENDED:
        return {"type": "ended", "reason": REASONS[a]}
    data: Json = {"type": _BY_LEMMING[kind], "seat": a // LEMMINGS, "lemming": a % LEMMINGS + 1}
    if kind != CHOSE:
        start = hex_name(board.pens[c - MAX_SPACES]) if c >= MAX_SPACES else board.names[c]
        data |= {"from": start, "to": _place(board, b if b < MAX_SPACES else BEYOND)}
    return data


_BY_SEAT = {
    STARTED: ("started", ""),
    HANDED: ("handed", "cards"),
    STOPPED: ("stopped", ""),
    REFILLING: ("refilling", ""),
    REFILLED: ("refilled", "cards"),
    ARRIVED: ("arrived", "place"),
    TURN: ("turn", ""),
}
_BY_LEMMING = {CHOSE: "chose", MOVED: "moved", PUSHED: "pushed"}


# --- the outcome ------------------------------------------------------------------------------------------------------


def outcome(_edition: Edition, state: State) -> Outcome | None:
    """Return how the match ended, None while it runs."""
    if state.phase != OVER:
        return None
    ranking = tuple(int(state.players[seat].place) for seat in range(int(state.seats)))
    winners = tuple(seat for seat, place in enumerate(ranking) if place == 1)
    return Outcome(REASONS[int(state.reason)], winners, ranking)
