"""What a seat or a spectator may see, the events of the last play, and how the match ended."""

from __future__ import annotations

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


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    board = board_of(edition, state)
    names = terrain_names(edition)
    return {
        "board": _board(edition, board),
        "spaces": {name: names[terrain] for name, terrain in zip(board.names, state.terrain.tolist(), strict=False)},
        "tiles": _tiles(state, board, names),
        "tiles_left": dict(zip(names, state.tiles_left.tolist(), strict=True)),
        "piles": _piles(edition, state),
        "discard_pile": [card_json(edition, kind) for kind in _discards(state)],
        "draw_pile": int(state.draw_n),
        "remaining": remaining(edition, state, viewer),
        "turn": _turn(edition, state),
        "first_seat": int(state.first),
        "turns_without_progress": int(state.quiet),
        "stalemate_turns": int(state.quiet_limit),
        "players": [_player(edition, state, board, seat, viewer) for seat in range(int(state.seats))],
    }


def _board(edition: Edition, board: Board) -> Json:
    letters = dict(zip(edition.data["letters"], edition.data["terrains"], strict=True))
    legend = {**letters, ".": "meadow", ">": "pen", "!": "beyond the finish line", "#": "no space"}
    return {"name": board.name, "rows": [" ".join(row) for row in board.rows], "legend": legend}


def _tiles(state: State, board: Board, names: list[str]) -> list[Json]:
    """Return the bonus tiles in the order placed; a tile with another one placed on it later has left the game."""
    n = int(state.tile_n)
    kinds, spaces = state.tile_kind[:n].tolist(), state.tile_space[:n].tolist()
    seats, turns = state.tile_seat[:n].tolist(), state.tile_turn[:n].tolist()
    return [
        {
            "tile": names[kinds[i]],
            "hex": board.names[spaces[i]],
            "seat": seats[i],
            "turn": turns[i],
            "on_board": spaces[i] not in spaces[i + 1 :],
        }
        for i in range(n)
    ]


def _piles(edition: Edition, state: State) -> list[Json]:
    """Return the terrain piles, each with its cards from the bottom up."""
    counts, tops, sums = state.piles.tolist(), state.pile_top.tolist(), state.pile_sum.tolist()
    piles = []
    for terrain, name in enumerate(edition.data["terrains"]):
        kinds = range((terrain + 1) * VALUES - 1, terrain * VALUES - 1, -1)
        cards = [card_json(edition, kind) for kind in kinds for _ in range(counts[kind])]
        piles.append({"terrain": name, "cards": cards, "top": tops[terrain], "sum": sums[terrain]})
    return piles


def _discards(state: State) -> list[int]:
    kinds: list[int] = state.discards[: int(state.discard_n)].tolist()
    return kinds


def _hand(state: State, seat: int) -> list[int]:
    player = state.players[seat]
    kinds: list[int] = player.hand[: int(player.hand_n)].tolist()
    return kinds


def remaining(edition: Edition, state: State, viewer: int | None) -> list[Json]:
    """Return the cards not known to be elsewhere: all less the discard pile, the terrain piles and the viewer's hand."""
    counts = (state.copies - state.piles).tolist()
    for kind in _discards(state) + ([] if viewer is None else _hand(state, viewer)):
        counts[kind] -= 1
    return [{**card_json(edition, kind), "count": count} for kind, count in enumerate(counts) if count]


def _turn(edition: Edition, state: State) -> Json:
    names = terrain_names(edition)
    ground, tile, mover = int(state.ground), int(state.tile), int(state.mover)
    return {
        "number": int(state.turns),
        "seat": None if state.phase == OVER else int(state.turn),
        "phase": PHASES[int(state.phase)],
        "terrain": None if ground == NONE else names[ground],
        "points": int(state.points),
        "tile": None if tile == NONE else names[tile],
        "lemming": None if mover == NONE else mover + 1,
        "discarded": int(state.drawing),
    }


def _player(edition: Edition, state: State, board: Board, seat: int, viewer: int | None) -> Json:
    player = state.players[seat]
    data: Json = {
        "seat": seat,
        "hand_size": int(player.hand_n),
        "lemmings": [_lemming(board, which, here) for which, here in enumerate(player.where.tolist())],
        "across": int(player.across),
        "place": int(player.place) or None,
    }
    if seat == viewer:
        data["hand"] = [card_json(edition, kind) for kind in _hand(state, seat)]
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
    told = []
    for i in range(int(state.log_n)):
        code = int(state.log_code[i])
        event = _event(edition, state, code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255)
        told.append(Told(int(state.log_seats[i]) & 255, event))
    return told


def _event(edition: Edition, state: State, kind: int, a: int, b: int, c: int) -> Json:
    """Return one event; what a, b and c are is listed beside the numbers in `state.py`."""
    board = board_of(edition, state)
    names = terrain_names(edition)
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
