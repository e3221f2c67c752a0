"""Actions of Last Lemming: as JSON, as sentences, and why one is not legal now.

{"type": "put_back", "card": {"colour": "red", "value": 10}}     {"type": "play", "card": {"x": true}}
{"type": "choose", "lemming": "Nero"}                            {"type": "activate", "lemming": "Nero"}
{"type": "pick", "value": -3}    {"type": "sign", "sign": "minus"}    {"type": "way", "way": "short"}
"""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, UnreadableAction
from engines.kernel import State
from engines.last_lemming.rules import playable
from engines.last_lemming.state import (
    ACT_ACTIVATE,
    ACT_CHOOSE,
    ACT_PICK,
    ACT_PLAY,
    ACT_PUT_BACK,
    ACT_SIGN,
    ACT_WAY,
    KINDS,
    MAX_VALUE,
    NONE,
    OUT,
    PHASE_ACTIVATE,
    PHASE_CHOOSE,
    PHASE_PICK,
    PHASE_PLAY,
    PHASE_PUT_BACK,
    PHASE_SIGN,
    PHASE_WAY,
    PHASES,
    PUT_BACK,
    X,
)
from engines.last_lemming.steps import may_choose
from engines.last_lemming.track import owner

SIGN_NAMES = ("plus", "minus")
WAY_NAMES = ("long", "short")

#: Of each type of action: its one field, the first number, how many numbers, and the phase in which it can be legal.
TYPES = {
    "put_back": ("card", ACT_PUT_BACK, KINDS, PHASE_PUT_BACK),
    "play": ("card", ACT_PLAY, KINDS, PHASE_PLAY),
    "choose": ("lemming", ACT_CHOOSE, ACT_ACTIVATE - ACT_CHOOSE, PHASE_CHOOSE),
    "activate": ("lemming", ACT_ACTIVATE, ACT_SIGN - ACT_ACTIVATE, PHASE_ACTIVATE),
    "sign": ("sign", ACT_SIGN, 2, PHASE_SIGN),
    "way": ("way", ACT_WAY, 2, PHASE_WAY),
    "pick": ("value", ACT_PICK, 2 * MAX_VALUE + 1, PHASE_PICK),
}

#: What is asked in each phase.
QUESTIONS = {
    PHASE_PUT_BACK: "to put a card back",
    PHASE_PLAY: "to play a card",
    PHASE_CHOOSE: "to choose a lemming",
    PHASE_PICK: "to pick a value",
    PHASE_SIGN: "to choose the sign",
    PHASE_WAY: "to choose the way",
    PHASE_ACTIVATE: "to choose which lemming is active",
}


# --- cards and lemmings -----------------------------------------------------------------------------------------------


def card_json(edition: Edition, card: int) -> Json:
    """Return a card as clients see it."""
    if card == X:
        return {"x": True}
    cards = edition.data["cards"]
    colour, value = divmod(card, len(cards["values"]))
    return {"colour": cards["colours"][colour], "value": cards["values"][value]}


def card_name(edition: Edition, card: int) -> str:
    """Return a card's name for people."""
    if card == X:
        return "X"
    data = card_json(edition, card)
    return f"{data['colour']} {data['value']}"


def lemming_name(edition: Edition, lemming: int) -> str:
    """Return a lemming's name: its character."""
    return str(edition.data["characters"][lemming])


def _read_card(edition: Edition, data: Any) -> int:
    cards = edition.data["cards"]
    if not isinstance(data, dict):
        raise UnreadableAction('card: is {"colour": ..., "value": ...} or {"x": true}')
    if "x" in data:
        if set(data) != {"x"} or data["x"] is not True:
            raise UnreadableAction('card: an X is {"x": true}')
        return X
    if set(data) != {"colour", "value"}:
        raise UnreadableAction(f"card: has the fields {sorted(map(str, data))}; a number card has colour and value")
    colour, value = data["colour"], data["value"]
    if colour not in cards["colours"]:
        raise UnreadableAction(f"card.colour: is {colour!r}; the colours are {', '.join(cards['colours'])}")
    if not isinstance(value, int) or isinstance(value, bool) or value not in cards["values"]:
        raise UnreadableAction(f"card.value: is {value!r}; the values are {', '.join(map(str, cards['values']))}")
    return int(cards["colours"].index(colour) * len(cards["values"]) + cards["values"].index(value))


def _read_lemming(edition: Edition, state: State, data: Any) -> int:
    names = edition.data["characters"][: int(state.seats) * (2 if state.two_lemmings else 1)]
    if data not in names:
        raise UnreadableAction(f"lemming: is {data!r}; the lemmings are {', '.join(names)}")
    return int(names.index(data))


def _read_name(field: str, names: tuple[str, ...], data: Any) -> int:
    if data not in names:
        raise UnreadableAction(f"{field}: is {data!r}; it is {' or '.join(names)}")
    return names.index(data)


def _read_value(edition: Edition, data: Any) -> int:
    values = edition.data["cards"]["values"]
    if not isinstance(data, int) or isinstance(data, bool) or data not in values:
        raise UnreadableAction(f"value: is {data!r}; the values are {', '.join(map(str, values))}")
    return data + MAX_VALUE


# --- the codec --------------------------------------------------------------------------------------------------------


def encode(edition: Edition, state: State, data: Json) -> int:
    """Return the number of an action given as JSON.

    Raises:
        UnreadableAction: an unknown type, fields missing or unknown, or a value out of range.
    """
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        raise UnreadableAction(f"type: is {kind!r}; the types are {', '.join(TYPES)}")
    field, first, _, _ = TYPES[kind]
    if set(data) != {"type", field}:
        raise UnreadableAction(f"a {kind} action has the fields type and {field}, not {', '.join(sorted(map(str, data)))}")
    value = data[field]
    if field == "card":
        return first + _read_card(edition, value)
    if field == "lemming":
        return first + _read_lemming(edition, state, value)
    if field == "sign":
        return first + _read_name(field, SIGN_NAMES, value)
    if field == "way":
        return first + _read_name(field, WAY_NAMES, value)
    return first + _read_value(edition, value)


def split(action: int) -> tuple[str, int]:
    """Return an action's type and what remains of its number.

    Raises:
        ValueError: no action has that number.
    """
    for kind, (_, first, count, _) in TYPES.items():
        if first <= action < first + count:
            return kind, action - first
    raise ValueError(f"no action has the number {action}")


def decode(edition: Edition, state: State, action: int) -> Json:  # noqa: ARG001  (every game has it)
    """Return an action as JSON, the exact inverse of `encode`."""
    kind, rest = split(action)
    field = TYPES[kind][0]
    value: Any
    if field == "card":
        value = card_json(edition, rest)
    elif field == "lemming":
        value = lemming_name(edition, rest)
    elif field == "sign":
        value = SIGN_NAMES[rest]
    elif field == "way":
        value = WAY_NAMES[rest]
    else:
        value = rest - MAX_VALUE
    return {"type": kind, field: value}


def describe(edition: Edition, state: State, seat: int, action: int) -> str:  # noqa: ARG001
    """Return an action as a sentence for people, in the position before it."""
    kind, rest = split(action)
    if kind == "put_back":
        return f"Put {card_name(edition, rest)} back"
    if kind == "play":
        return f"Play {card_name(edition, rest)}"
    if kind == "choose":
        return f"Move {lemming_name(edition, rest)}"
    if kind == "activate":
        return f"Play the next act with {lemming_name(edition, rest)}"
    if kind == "pick":
        return f"Move {lemming_name(edition, int(state.lemming))} by {rest - MAX_VALUE}"
    if kind == "sign":
        n = int(state.distance) * (-1 if rest else 1)
        return f"Move {lemming_name(edition, int(state.lemming))} {abs(n)} {'forward' if n > 0 else 'backward'}"
    verb = "Push" if state.chain_n else "Move"
    name = lemming_name(edition, int(state.asked)) if state.asked != NONE else "the lemming"
    return f"{verb} {name} the {WAY_NAMES[rest]} way"


# --- why not ----------------------------------------------------------------------------------------------------------


def explain(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return why a readable action is not legal for a seat now."""
    kind, rest = split(action)
    phase = int(state.phase)
    if TYPES[kind][3] != phase:
        return f"now is the time {QUESTIONS.get(phase, PHASES[phase])}, not {QUESTIONS[TYPES[kind][3]]}"
    if kind == "put_back":
        return _why_not_put_back(edition, state, seat, rest)
    if kind == "play":
        return _why_not_play(edition, state, seat, rest)
    if kind == "choose":
        return _why_not_choose(edition, state, rest)
    if kind == "activate":
        return f"{lemming_name(edition, rest)} is not yours"
    return f"no number card in this trick has the value {rest - MAX_VALUE}"


def _holds(state: State, seat: int, card: int) -> bool:
    player = state.players[seat]
    return bool(player.x > 0) if card == X else bool(int(player.hand) >> card & 1)


def _why_not_put_back(edition: Edition, state: State, seat: int, card: int) -> str:
    name = card_name(edition, card)
    if not _holds(state, seat, card):
        return f"{name} is not in your hand"
    player = state.players[seat]
    last = int(player.put_last)
    if card > last:
        return f"cards go back in falling order, and {name} is above {card_name(edition, last)}, which you put back last"
    rest = PUT_BACK - 1 - int(player.put_n)
    return f"cards go back in falling order, and too few of yours are at or below {name} for the {rest} still to follow"


def _why_not_play(edition: Edition, state: State, seat: int, card: int) -> str:
    name = card_name(edition, card)
    if not _holds(state, seat, card):
        return f"{name} is not in your hand"
    if not int(playable(state, seat)) >> card & 1:
        colour = edition.data["cards"]["colours"][int(state.trick_colour)]
        return f"you hold {colour}, the colour of the trick: play {colour} or an X"
    return f"{name} can be played"


def _why_not_choose(edition: Edition, state: State, lemming: int) -> str:
    name = lemming_name(edition, lemming)
    seat = int(owner(state, lemming))
    if state.place[lemming] == OUT:
        return f"{name} is not in play yet"
    if state.players[seat].active != lemming:
        return f"{name} rests in this act; only active lemmings can be chosen"
    if not may_choose(state, seat):
        return f"{name} is your own; the rule card has you choose another player's lemming"
    return f"{name} can be chosen"
