"""Editions of Lemmings: the schema of their TOML files, and how one is written into a state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from marshmallow import Schema, ValidationError, fields, validate

from engines.editions import Edition, EditionBook
from engines.game import Json
from engines.kernel import MAX_SEATS, State
from engines.lemmings.state import (
    BACK,
    CHAOS,
    JUMP,
    KINDS,
    LEMMINGS,
    MAX_CARDS_A_TURN,
    MAX_DECK,
    MAX_HAND_LIMIT,
    MAX_LAND_CARDS,
    MAX_NO_WAYS,
    MAX_TURN_LIMIT,
    NO_WAY,
    PAIRS,
    WHOOSH,
)

# --- the schema -------------------------------------------------------------------------------------------------------


class Count(fields.Integer):
    """A whole number within limits; `true` is none."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(required=True, strict=True, validate=validate.Range(least, most))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool):
            raise ValidationError("is a whole number, not true or false")
        return super()._deserialize(value, attr, data, **kwargs)


class Copies(fields.Field[Any]):
    """Copies of a card: one number for every kind of it, or a table by name."""

    def __init__(self) -> None:
        super().__init__(required=True, validate=self._check)

    @staticmethod
    def _check(value: Any) -> None:
        counts = list(value.values()) if isinstance(value, Mapping) else [value]
        if any(not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MAX_DECK for count in counts):
            raise ValidationError(f"is a number of copies from 0 to {MAX_DECK}, or a table of such numbers by name")


class LemmingSchema(Schema):
    """One lemming."""

    colour = fields.String(required=True, validate=validate.Regexp(r"^[a-z]+$", error="is a word of small letters"))
    name = fields.String(required=True, validate=validate.Length(min=1, max=40))


class DeckSchema(Schema):
    """How many cards of each kind."""

    forward = Copies()
    double_forward = Copies()
    back = Count(0, MAX_DECK)
    jump = Count(0, MAX_DECK)
    whoosh = Count(0, MAX_DECK)
    no_way = Count(0, MAX_NO_WAYS)
    chaos = Count(0, MAX_DECK)


class EditionSchema(Schema):
    """A whole file."""

    edition = fields.String(required=True)
    land_cards = Count(1, MAX_LAND_CARDS)
    hand_limit = Count(1, MAX_HAND_LIMIT)
    cards_a_turn = Count(1, MAX_CARDS_A_TURN)
    turn_limit = Count(1, MAX_TURN_LIMIT)
    start_hand = Count(0, MAX_HAND_LIMIT)
    lemmings = fields.List(fields.Nested(LemmingSchema), required=True, validate=validate.Length(equal=LEMMINGS))
    deck = fields.Nested(DeckSchema, required=True)


# --- what a schema cannot check ---------------------------------------------------------------------------------------


def complete(path: Path, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
    """Check across keys and write the deck out as `copies` of each kind of card.

    Raises:
        ValidationError: with the key and what would be right.
    """
    for key in ("colour", "name"):
        values = [lemming[key] for lemming in data["lemmings"]]
        for i, value in enumerate(values):
            if value in values[:i]:
                raise ValidationError({"lemmings": {i: {key: [f"{value!r} is already another lemming's"]}}})
    if data["start_hand"] > data["hand_limit"]:
        raise ValidationError({"start_hand": [f"is at most hand_limit, {data['hand_limit']}"]})
    data["copies"] = copies = _copies(data)
    total, least = sum(copies), MAX_SEATS * data["start_hand"] + 1
    if not least <= total <= MAX_DECK:
        raise ValidationError({"deck": [f"has {total} cards; {least} (every start hand and one) to {MAX_DECK} are playable"]})
    return data


def _copies(data: Mapping[str, Any]) -> list[int]:
    """Return how many cards of each kind there are, in the order of `state.py`."""
    deck = data["deck"]
    colours = [lemming["colour"] for lemming in data["lemmings"]]
    pairs = [f"{colours[a]}-{colours[b]}" for a, b in PAIRS]
    counts = [0] * KINDS
    counts[:BACK] = _by_name("forward", deck["forward"], colours) + _by_name("double_forward", deck["double_forward"], pairs)
    for kind, key in ((BACK, "back"), (JUMP, "jump"), (WHOOSH, "whoosh"), (NO_WAY, "no_way"), (CHAOS, "chaos")):
        counts[kind] = deck[key]
    return counts


def _by_name(key: str, value: Any, names: list[str]) -> list[int]:
    """Return one number for each name, from one number for all or a table (missing names: none)."""
    if not isinstance(value, dict):
        return [value] * len(names)
    for name in value:
        if name not in names:
            raise ValidationError({"deck": {key: {name: [f"is none of {', '.join(names)}"]}}})
    return [value.get(name, 0) for name in names]


EDITIONS = EditionBook("lemmings", Path(__file__).parent / "data", EditionSchema, complete)


# --- a match's options and tables -------------------------------------------------------------------------------------

OPTIONS_SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "edition": {
            "type": "string",
            "default": "reconstruction",
            "description": "The printed set of cards: the name of a data file.",
        },
    },
}


def check_options(edition: Edition, seats: int, options: Mapping[str, Any]) -> Json:  # noqa: ARG001
    """Return the options but the edition: there are none."""
    return {}


def variants(edition: Edition) -> list[tuple[int, Json]]:
    """Return (seats, options) pairs that use every number of seats."""
    return [(seats, {"edition": edition.name}) for seats in range(2, MAX_SEATS + 1)]


def configure(state: State, edition: Edition, seats: int, options: Json) -> None:  # noqa: ARG001
    """Write an edition's tables into a zeroed state."""
    data = edition.data
    state.copies[:] = np.array(data["copies"], np.int8)
    for key in ("land_cards", "hand_limit", "cards_a_turn", "start_hand", "turn_limit"):
        setattr(state, key, data[key])
