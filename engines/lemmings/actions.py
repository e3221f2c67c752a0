"""Actions of Lemmings: from JSON and back, in words, and why one is not legal.

    {"type": "play", "card": CARD, "lemming"?, "direction"?, "lemmings"?}     the same with "type": "carry_out"
    {"type": "discard", "card": CARD}    {"type": "stop"}    {"type": "pass"}    {"type": "no_way"}

CARD is {"kind": "forward", "colour": C}, {"kind": "double_forward", "colours": [C, C]} (in the edition's order),
or {"kind": "back" | "jump" | "whoosh" | "no_way" | "chaos"}.
"""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, UnreadableAction
from engines.kernel import State
from engines.lemmings.rules import can_draw, holds, uncovered
from engines.lemmings.state import (
    AWAITED,
    BACK,
    BACKWARD,
    BURROW,
    CARRY_OUT,
    CARRYING,
    CHAOS,
    DISCARD,
    DOUBLE,
    EFFECT_BACK,
    EFFECT_CHAOS,
    EFFECT_JUMP,
    EFFECT_WHOOSH,
    FORWARD,
    JUMP,
    KIND_A,
    KIND_B,
    KIND_OF,
    LEMMINGS,
    NO_WAY,
    OVER,
    PAIRS,
    PASS,
    SAY_NO_WAY,
    STOP,
    WHOOSH,
    WINDOW,
)

_PLAIN = {"back": BACK, "jump": JUMP, "whoosh": WHOOSH, "no_way": NO_WAY, "chaos": CHAOS}
_PLAIN_NAMES = {kind: name for name, kind in _PLAIN.items()}
_TITLES = {BACK: "Back!", JUMP: "Jump!", WHOOSH: "Whoosh!", NO_WAY: "No way!", CHAOS: "Chaos"}
_DIRECTIONS = {FORWARD: "forward", BACKWARD: "back"}
_SIMPLE = {"stop": STOP, "pass": PASS, "no_way": SAY_NO_WAY}
_BASES = {"play": 0, "carry_out": CARRY_OUT, "discard": DISCARD}
_TYPES = "play, carry_out, discard, stop, pass, no_way"


# --- names ------------------------------------------------------------------------------------------------------------


def colours(edition: Edition) -> list[str]:
    """Return the lemmings' colours in the edition's order."""
    return [lemming["colour"] for lemming in edition.data["lemmings"]]


def place_name(state: State, place: int) -> str:
    """Return a place's name in a state, a plain one too: burrow, land 1 ..., water."""
    if place == BURROW:
        return "burrow"
    return f"land {place}" if place <= state.land_cards else "water"


def card_json(edition: Edition, kind: int) -> Json:
    """Return a card as JSON-able data."""
    if kind >= BACK:
        return {"kind": _PLAIN_NAMES[kind]}
    names = colours(edition)
    if kind < DOUBLE:
        return {"kind": "forward", "colour": names[kind]}
    return {"kind": "double_forward", "colours": [names[KIND_A[kind]], names[KIND_B[kind]]]}


def card_title(edition: Edition, kind: int) -> str:
    """Return a card's name for people."""
    if kind >= BACK:
        return _TITLES[kind]
    names = colours(edition)
    return f"forward {names[kind]}" if kind < DOUBLE else f"double forward {names[KIND_A[kind]]}/{names[KIND_B[kind]]}"


# --- to JSON ----------------------------------------------------------------------------------------------------------


def decode(edition: Edition, state: State, action: int) -> Json:  # noqa: ARG001
    """Return an action as JSON-able data; the exact inverse of `encode`."""
    for name, number in _SIMPLE.items():
        if action == number:
            return {"type": name}
    if action >= DISCARD:
        return {"type": "discard", "card": card_json(edition, action - DISCARD)}
    if action >= CARRY_OUT:
        return {"type": "carry_out", **effect_json(edition, action - CARRY_OUT)}
    return {"type": "play", **effect_json(edition, action)}


def effect_json(edition: Edition, effect: int) -> Json:
    """Return a card with its choices as JSON-able data."""
    names = colours(edition)
    kind = int(KIND_OF[effect])
    data: Json = {"card": card_json(edition, kind)}
    if kind < BACK:
        # A single forward card that moves its own lemming leaves nothing to say.
        if kind != effect % LEMMINGS or kind >= DOUBLE:
            data["lemming"] = names[effect % LEMMINGS]
    elif kind == BACK:
        data["lemming"] = names[effect - EFFECT_BACK]
    elif kind == JUMP:
        data["lemming"] = names[(effect - EFFECT_JUMP) // 2]
        data["direction"] = _DIRECTIONS[(effect - EFFECT_JUMP) % 2]
    elif kind == WHOOSH:
        data["lemmings"] = [names[lemming] for lemming in PAIRS[effect - EFFECT_WHOOSH]]
    return data


# --- from JSON --------------------------------------------------------------------------------------------------------


def encode(edition: Edition, state: State, data: Json) -> int:  # noqa: ARG001
    """Return the number of an action given as JSON; it need not be legal.

    Raises:
        UnreadableAction: with what would be right.
    """
    name = data.get("type")
    if not isinstance(name, str) or name not in (*_SIMPLE, *_BASES):
        raise UnreadableAction(f"type is one of {_TYPES}, not {name!r}")
    if name in _SIMPLE:
        _only(data, "type")
        return _SIMPLE[name]
    kind = _card(edition, _field(data, "card", "the card, e.g. {kind: back}"))
    if name == "discard":
        _only(data, "type", "card")
        return DISCARD + kind
    if kind == NO_WAY:
        raise UnreadableAction("No way! is said by {type: no_way}, while a card just played is being answered")
    return _BASES[name] + _effect(edition, kind, data)


def _effect(edition: Edition, kind: int, data: Json) -> int:
    """Return the number of a card with its choices."""
    if kind == CHAOS:
        _only(data, "type", "card")
        return EFFECT_CHAOS
    if kind == WHOOSH:
        _only(data, "type", "card", "lemmings")
        return EFFECT_WHOOSH + PAIRS.index(_pair(edition, data, "lemmings"))
    if kind == JUMP:
        _only(data, "type", "card", "lemming", "direction")
        direction = _field(data, "direction", "forward or back")
        for number, name in _DIRECTIONS.items():
            if direction == name:
                return EFFECT_JUMP + _colour(edition, data, "lemming") * 2 + number
        raise UnreadableAction(f"direction is forward or back, not {direction!r}")
    _only(data, "type", "card", "lemming")
    if kind == BACK:
        return EFFECT_BACK + _colour(edition, data, "lemming")
    return kind * LEMMINGS + _forward_lemming(edition, kind, data)


def _forward_lemming(edition: Edition, kind: int, data: Json) -> int:
    """Return the lemming a forward card is to move: its own unless another is named."""
    if kind >= DOUBLE:
        return _colour(edition, data, "lemming")
    if "lemming" not in data:
        return kind
    lemming = _colour(edition, data, "lemming")
    if lemming == kind:
        name = colours(edition)[kind]
        raise UnreadableAction(
            f"a forward card of {name} moves {name} by itself: leave lemming out, or name another once {name} is in the water"
        )
    return lemming


def _card(edition: Edition, data: Any) -> int:
    """Return the kind of a card given as JSON."""
    if not isinstance(data, dict):
        raise UnreadableAction("card is an object with a kind, e.g. {kind: forward, colour: red}")
    kind = data.get("kind")
    if kind == "forward":
        _only(data, "kind", "colour", where="card.")
        return _colour(edition, data, "colour", where="card.")
    if kind == "double_forward":
        _only(data, "kind", "colours", where="card.")
        return DOUBLE + PAIRS.index(_pair(edition, data, "colours", where="card."))
    if isinstance(kind, str) and kind in _PLAIN:
        _only(data, "kind", where="card.")
        return _PLAIN[kind]
    raise UnreadableAction(f"card.kind is one of forward, double_forward, {', '.join(_PLAIN)}, not {kind!r}")


def _only(data: Json, *known: str, where: str = "") -> None:
    for key in data:
        if key not in known:
            raise UnreadableAction(f"{where}{key} does not belong here; the fields are {', '.join(known)}")


def _field(data: Json, key: str, what: str, where: str = "") -> Any:
    if key not in data:
        raise UnreadableAction(f"{where}{key} is missing: {what}")
    return data[key]


def _colour(edition: Edition, data: Json, key: str, where: str = "") -> int:
    names = colours(edition)
    value = _field(data, key, f"one of {', '.join(names)}", where)
    if not isinstance(value, str) or value not in names:
        raise UnreadableAction(f"{where}{key} is one of {', '.join(names)}, not {value!r}")
    return names.index(value)


def _pair(edition: Edition, data: Json, key: str, where: str = "") -> tuple[int, int]:
    names = colours(edition)
    what = f"two different ones of {', '.join(names)}, in this order"
    value = _field(data, key, what, where)
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(name, str) and name in names for name in value):
        raise UnreadableAction(f"{where}{key} are {what}, not {value!r}")
    first, second = names.index(value[0]), names.index(value[1])
    if first >= second:
        raise UnreadableAction(f"{where}{key} are {what}, not {value!r}")
    return first, second


# --- in words ---------------------------------------------------------------------------------------------------------


def describe(edition: Edition, state: State, seat: int, action: int) -> str:  # noqa: ARG001
    """Return an action as a sentence for people."""
    if action == STOP:
        return "play no more cards this turn"
    if action == PASS:
        return "let it happen"
    if action == SAY_NO_WAY:
        return "No way!"
    if action >= DISCARD:
        return f"discard {card_title(edition, action - DISCARD)}"
    verb = "carry out" if action >= CARRY_OUT else "play"
    return f"{verb} {effect_words(edition, action % CARRY_OUT)}"


def effect_words(edition: Edition, effect: int) -> str:
    """Return a card with its choices in words."""
    data = effect_json(edition, effect)
    words = card_title(edition, int(KIND_OF[effect]))
    if "lemmings" in data:
        return f"{words}: {' and '.join(data['lemmings'])} swap places"
    if "lemming" in data:
        words += f": {data['lemming']}"
    return words + (f" {data['direction']}" if "direction" in data else "")


# --- why not ----------------------------------------------------------------------------------------------------------


def explain(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return why a readable action is not legal now."""
    phase = int(state.phase)
    if phase == OVER:
        return "the match is over"
    if phase == WINDOW:
        return _not_in_window(edition, state, seat, action)
    if action in (PASS, SAY_NO_WAY):
        return "No way! and pass answer a card that has just been played; none is being answered now"
    if seat != state.turn:
        return (
            f"it is seat {int(state.turn)}'s turn; a turn ends by itself after {int(state.cards_a_turn)} cards, "
            "with an empty hand, or with a discard"
        )
    if phase == CARRYING:
        return _not_from_chaos(edition, state, action)
    return _not_in_turn(edition, state, seat, action)


def _not_in_window(edition: Edition, state: State, seat: int, action: int) -> str:
    if seat == state.window_on:
        card = "No way!" if state.no_ways else card_title(edition, int(KIND_OF[state.effect]))
        return f"nobody answers a card of their own: the others are answering seat {seat}'s {card}"
    if state.players[seat].answer != AWAITED:
        return "seat has answered already; answers show when all are in"
    if action == SAY_NO_WAY:
        return "there is no No way! in this hand: pass"
    return "a card just played is being answered: pass, or say no_way with a No way! in hand"


def _not_from_chaos(edition: Edition, state: State, action: int) -> str:
    kind = int(state.shown[state.shown_next])
    title = card_title(edition, kind)
    if not CARRY_OUT <= action < DISCARD or KIND_OF[action - CARRY_OUT] != kind:
        return f"Chaos showed {title}, which must be carried out now"
    return effect_fault(edition, state, action - CARRY_OUT)


def _not_in_turn(edition: Edition, state: State, seat: int, action: int) -> str:
    player = state.players[seat]
    limit = int(state.hand_limit)
    if action == STOP:
        return f"a hand of {int(player.hand_n)} is more than {limit}: play a card or discard one"
    if CARRY_OUT <= action < DISCARD:
        return "no card shown by Chaos is waiting to be carried out"
    kind = action - DISCARD if action >= DISCARD else int(KIND_OF[action])
    if not holds(player, kind):
        return f"there is no {card_title(edition, kind)} in this hand"
    if action >= DISCARD:
        return f"a card is only discarded with more than {limit} in hand; {int(player.hand_n)} are held: play or stop"
    return effect_fault(edition, state, action)


def effect_fault(edition: Edition, state: State, effect: int) -> str:
    """Return why a card cannot have this effect, as the lemmings stand."""
    names = colours(edition)
    kind = int(KIND_OF[effect])
    if kind < BACK:
        return _forward_fault(edition, state, kind, effect % LEMMINGS)
    if kind == CHAOS:
        return "a Chaos shown by Chaos is skipped" if can_draw(state) else "there is no card left for Chaos to draw"
    if kind == WHOOSH:
        return _swap_fault(edition, state, *PAIRS[effect - EFFECT_WHOOSH])
    if kind == BACK:
        lemming = effect - EFFECT_BACK
        where = place_name(state, int(state.place[lemming]))
        return f"{names[lemming]} is on {where}: Back! never leads into the burrow, so only from land 2 or further"
    lemming, back = (effect - EFFECT_JUMP) // 2, (effect - EFFECT_JUMP) % 2
    where = place_name(state, int(state.place[lemming]))
    if not back:
        return f"{names[lemming]} is in the {where}: from there it jumps back only"
    if state.place[lemming] == BURROW:
        return f"{names[lemming]} is in the {where}: from there it jumps forward only"
    return f"{names[lemming]} is on {where}: nobody jumps into the burrow"


def _forward_fault(edition: Edition, state: State, kind: int, lemming: int) -> str:
    names = colours(edition)
    water = int(state.land_cards) + 1
    own = sorted({int(KIND_A[kind]), int(KIND_B[kind])})
    dry = [names[c] for c in own if state.place[c] != water]
    title = card_title(edition, kind)
    if dry:
        wet = [names[c] for c in own if state.place[c] == water]
        why = f"{' and '.join(wet)} in the water, so {title}" if wet else title
        return f"{why} moves {' or '.join(dry)}, not {names[lemming]}"
    nearest = min(int(place) for place in state.place)
    able = [names[c] for c in range(LEMMINGS) if state.place[c] == nearest]
    return (
        f"{' and '.join(names[c] for c in own)} in the water: {title} moves a lemming nearest the burrow, "
        f"which is {' or '.join(able)}, not {names[lemming]}"
    )


def _swap_fault(edition: Edition, state: State, first: int, second: int) -> str:
    names = colours(edition)
    for lemming in (first, second):
        if not uncovered(state, lemming):
            return f"{names[lemming]} has another lemming on its head: only uncovered ones swap places"
    return f"{names[first]} and {names[second]} are in the same place"
