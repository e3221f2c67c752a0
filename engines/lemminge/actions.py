"""Actions as JSON and back, in words, and why one is not legal now."""

from __future__ import annotations

import re
from typing import Any

from engines.editions import Edition
from engines.game import Json, UnreadableAction
from engines.kernel import State
from engines.lemminge.boards import FINISH_LETTER, NAMES, PEN_LETTER, Board, Cell, hex_name
from engines.lemminge.editions import board_of, terrain_names
from engines.lemminge.rules import can_step, is_occupied
from engines.lemminge.state import (
    BEYOND,
    CARD_OR_REFILL,
    DIRECTIONS,
    DISCARD,
    DISCARDS,
    DONE,
    GO,
    LEMMING,
    LEMMINGS,
    MAX_SIDE,
    MAX_SPACES,
    MEADOW,
    MOVE,
    OFF,
    PEN,
    PEN_GO,
    PLAY_CARD,
    PUT,
    PUT_END,
    PUT_NOWHERE,
    REFILL,
    STEP,
    STOP,
    TILE,
    VALUES,
)

#: The fields of each type of action; a step off a pen cell also has `from`.
FIELDS = {
    "card": {"card"},
    "refill": set(),
    "discard": {"card"},
    "done": set(),
    "tile": {"hex"},
    "lemming": {"lemming"},
    "step": {"direction"},
    "stop": set(),
}
PLAIN = {"refill": REFILL, "done": DONE, "stop": STOP}


# --- JSON -> number ---------------------------------------------------------------------------------------------------


def encode(edition: Edition, state: State, data: Json) -> int:
    """Return the number of an action.

    Raises:
        UnreadableAction: not an action of this game; says what would be right.
    """
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise UnreadableAction(f"type is one of {', '.join(FIELDS)}, not {kind!r}")
    optional = {"from"} if kind == "step" else set()
    _check_fields(data, {"type", *FIELDS[kind]}, optional)
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in ("card", "discard"):
        return (PLAY_CARD if kind == "card" else DISCARD) + _card(edition, data["card"])
    if kind == "tile":
        return _put(board_of(edition, state), data["hex"])
    if kind == "lemming":
        return MOVE + _whole(data["lemming"], "lemming", 1, LEMMINGS) - 1
    return _go(board_of(edition, state), data)


def _check_fields(data: Json, needed: set[str], optional: set[str]) -> None:
    for name in sorted(needed - data.keys()):
        raise UnreadableAction(f"{name} is missing; {data['type']} has {', '.join(sorted(needed))}")
    for name in sorted(str(name) for name in data if name not in needed | optional):
        raise UnreadableAction(f"there is no {name} in {data['type']}; it has {', '.join(sorted(needed | optional))}")


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise UnreadableAction(f"{name} is a whole number from {least} to {most}, not {value!r}")
    return value


def _card(edition: Edition, card: Any) -> int:
    names = edition.data["terrains"]
    if not isinstance(card, dict) or set(card) != {"terrain", "value"}:
        raise UnreadableAction(f"card is {{terrain, value}}, not {card!r}")
    if not isinstance(card["terrain"], str) or card["terrain"] not in names:
        raise UnreadableAction(f"card.terrain is one of {', '.join(names)}, not {card['terrain']!r}")
    return int(names.index(card["terrain"]) * VALUES + _whole(card["value"], "card.value", 0, VALUES - 1))


def _cell(value: Any, name: str) -> Cell:
    if not isinstance(value, str) or not re.fullmatch(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)", value, re.ASCII):
        raise UnreadableAction(f'{name} is "row,column", both from 0 to {MAX_SIDE - 1}, not {value!r}')
    row, column = value.split(",")
    return int(row), int(column)


def _put(board: Board, value: Any) -> int:
    cell = _cell(value, "hex")
    if cell in board.numbers:
        return PUT + board.numbers[cell]
    return PUT_NOWHERE + cell[0] * MAX_SIDE + cell[1]


def _go(board: Board, data: Json) -> int:
    if data["direction"] not in NAMES:
        raise UnreadableAction(f"direction is one of {', '.join(NAMES)}, not {data['direction']!r}")
    direction = NAMES.index(data["direction"])
    if "from" not in data:
        return GO + direction
    cell = _cell(data["from"], "from")
    if cell not in board.pens:
        names = ", ".join(hex_name(pen) for pen in board.pens)
        raise UnreadableAction(f"from is only for steps out of the pen: a pen cell, one of {names}, not {hex_name(cell)}")
    return PEN_GO + board.pens.index(cell) * DIRECTIONS + direction


# --- number -> JSON ---------------------------------------------------------------------------------------------------


def decode(edition: Edition, state: State, action: int) -> Json:
    """Return an action as clients send it; the inverse of `encode`."""
    for name, number in PLAIN.items():
        if action == number:
            return {"type": name}
    if action < REFILL:
        name, kind = ("card", action - PLAY_CARD) if action < DISCARD else ("discard", action - DISCARD)
        return {"type": name, "card": card_json(edition, kind)}
    if action < GO:
        return {"type": "lemming", "lemming": action - MOVE + 1}
    if action < PEN_GO:
        return {"type": "step", "direction": NAMES[action - GO]}
    board = board_of(edition, state)
    if action < PUT:
        cell, direction = divmod(action - PEN_GO, DIRECTIONS)
        return {"type": "step", "direction": NAMES[direction], "from": hex_name(board.pens[cell])}
    return {"type": "tile", "hex": hex_name(_tile_cell(board, action))}


def _tile_cell(board: Board, action: int) -> Cell:
    if action < PUT_END:
        return board.spaces[action - PUT]
    row, column = divmod(action - PUT_NOWHERE, MAX_SIDE)
    return row, column


def card_json(edition: Edition, kind: int) -> Json:
    """Return a card as JSON."""
    return {"terrain": edition.data["terrains"][kind // VALUES], "value": kind % VALUES}


def card_name(edition: Edition, kind: int) -> str:
    """Return a card in words."""
    return f"{edition.data['terrains'][kind // VALUES]} {kind % VALUES}"


# --- in words ---------------------------------------------------------------------------------------------------------


def describe(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return an action as a sentence for people, in the position before it."""
    if action < DISCARD:
        return _describe_card(edition, state, action - PLAY_CARD)
    if action < REFILL:
        return f"discard {card_name(edition, action - DISCARD)}"
    if action == REFILL:
        return "refill the hand"
    if action == DONE:
        return "discard no more and draw up to 6"
    if action == STOP:
        return "stop"
    if action < GO:
        return f"move lemming {action - MOVE + 1} ({_standing(edition, state, seat, action - MOVE)})"
    board = board_of(edition, state)
    if action < PUT:
        return _describe_step(board, state, seat, action)
    tile = terrain_names(edition)[int(state.tile)]
    return f"place the {tile} tile on {hex_name(_tile_cell(board, action))}"


def _describe_card(edition: Edition, state: State, kind: int) -> str:
    terrain, value = divmod(kind, VALUES)
    name = card_name(edition, kind)
    if value <= state.pile_top[terrain]:
        return f"play {name} on its pile: {_points(int(state.pile_sum[terrain]) + value)}"
    return f"play {name} and start the pile anew: {_points(value)} and a bonus tile, if there is one left"


def _points(points: int) -> str:
    return f"{points} movement point{'' if points == 1 else 's'}"


def _standing(edition: Edition, state: State, seat: int, which: int) -> str:
    here = int(state.players[seat].where[which])
    if here == PEN:
        return "in the pen"
    return "across" if here == BEYOND else f"on {board_of(edition, state).names[here]}"


def _step_from(state: State, seat: int, action: int) -> tuple[int, int]:
    """Return where a step begins (space, or MAX_SPACES + pen cell) and its direction."""
    if action >= PEN_GO:
        cell, direction = divmod(action - PEN_GO, DIRECTIONS)
        return MAX_SPACES + cell, direction
    return int(state.players[seat].where[int(state.mover)]), action - GO


def _row(state: State, here: int, direction: int) -> tuple[int, int]:
    """Return how many lemmings a step would push, and where the front one would go."""
    pushed, there = 0, int(state.near[here, direction])
    while there >= 0 and is_occupied(state, there):
        pushed += 1
        there = int(state.near[there, direction])
    return pushed, there


def _describe_step(board: Board, state: State, seat: int, action: int) -> str:
    here, direction = _step_from(state, seat, action)
    there = int(state.near[here, direction])
    text = f"step {NAMES[direction]}"
    if here >= MAX_SPACES:
        text += f" out of the pen cell {hex_name(board.pens[here - MAX_SPACES])}"
    if there == BEYOND:
        return f"{text} across the finish line"
    text += f" to {board.names[there]}"
    pushed, front = _row(state, here, direction)
    if pushed:
        text += f", pushing {pushed} lemming{'' if pushed == 1 else 's'}"
        text += ", the front one across the finish line" if front == BEYOND else ""
    return text


# --- why not ----------------------------------------------------------------------------------------------------------

#: What a seat must do in each phase.
WANTED = {
    CARD_OR_REFILL: "play a card or refill",
    DISCARDS: "discard cards, or say done and draw",
    TILE: "place the bonus tile",
    LEMMING: "name a lemming, or stop",
    STEP: "step on, or stop",
}


def explain(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return why a readable action is not legal now."""
    phase = int(state.phase)
    if phase not in _phases_of(action):
        return f"not now: {WANTED[phase]}"
    board = board_of(edition, state)
    if action < REFILL:
        kind = action - PLAY_CARD if action < DISCARD else action - DISCARD
        return f"{card_name(edition, kind)} is not in hand"
    if action < GO:
        return _explain_lemming(edition, state, seat, action - MOVE)
    if action < PUT:
        return _explain_step(edition, state, seat, action)
    return _explain_tile(board, action)


def _phases_of(action: int) -> tuple[int, ...]:
    if action < DISCARD or action == REFILL:
        return (CARD_OR_REFILL,)
    if action < REFILL or action == DONE:
        return (DISCARDS,)
    if action == STOP:
        return (LEMMING, STEP)
    if action < GO:
        return (LEMMING,)
    return (STEP,) if action < PUT else (TILE,)


def _explain_lemming(edition: Edition, state: State, seat: int, which: int) -> str:
    if state.players[seat].where[which] == BEYOND:
        return f"lemming {which + 1} is across the finish line already"
    other = 1 - which
    text = f"lemming {which + 1} ({_standing(edition, state, seat, which)}) has no legal step with {_points(int(state.points))}"
    return text + (f"; lemming {other + 1} has one" if can_step(state, seat, other) else "")


def _explain_tile(board: Board, action: int) -> str:
    cell = _tile_cell(board, action)
    letter = board.letter(cell)
    what = {PEN_LETTER: "is a pen cell", FINISH_LETTER: "is beyond the finish line"}.get(letter, "is not on the board")
    return f"{hex_name(cell)} {what}: a bonus tile goes on a space"


def _explain_step(edition: Edition, state: State, seat: int, action: int) -> str:
    board = board_of(edition, state)
    where = int(state.players[seat].where[int(state.mover)])
    if action < PEN_GO and where == PEN:
        cells = ", ".join(hex_name(cell) for cell in board.pens)
        return f"the lemming is in the pen: say from which pen cell it steps ({cells})"
    if action >= PEN_GO and where != PEN:
        return f"the lemming is on {board.names[where]}, no longer in the pen"
    here, direction = _step_from(state, seat, action)
    start = board.pens[here - MAX_SPACES] if here >= MAX_SPACES else board.spaces[here]
    there = int(state.near[here, direction])
    if there == OFF:
        return f"there is no space {NAMES[direction]} of {hex_name(start)}"
    terrain = int(state.terrain[there]) if there >= 0 else MEADOW
    if terrain not in (MEADOW, int(state.ground)):
        names = terrain_names(edition)
        return f"{board.names[there]} is {names[terrain]}; the card allows {names[int(state.ground)]} and meadow"
    pushed, front = _row(state, here, direction)
    if front == OFF:
        return f"the push {NAMES[direction]} from {hex_name(start)} would leave the board"
    return f"too few points: the step costs {1 + pushed} (1, and 1 for each lemming pushed), {int(state.points)} left"
