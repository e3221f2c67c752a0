"""Editions and options of Last Lemming: the schema of the TOML files, what goes into a state, and what can be chosen.

Everything printed ([C] in the rules file) is data: names, colours, values, track, fork, scoring board and rule cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from engines.editions import BadEdition, Edition, EditionBook
from engines.game import BadOption, Json
from engines.kernel import State
from engines.last_lemming.state import (
    ACTS,
    BY,
    DEALT,
    LEMMINGS,
    MAX_COLOURS,
    MAX_NUMBERS,
    MAX_PIECES,
    MAX_RULES,
    MAX_SPACES,
    MAX_STEPS,
    MAX_VALUE,
    MAX_X,
    NONE,
    RULE,
    SIGNS,
    WHO,
    X,
)

MIN_SEATS = 2
MAX_SEATS = 6
MOST_AWARD = 20
JUMPS = ("next_ahead", "next_behind")
#: [R] The named sets of rule cards.
SETS = {"first_tricks": (1, 2, 3, 4), "first_game": (5, 6, 7, 8)}


# --- the schema of an edition file ------------------------------------------------------------------------------------


def _int(low: int, high: int, **kwargs: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **kwargs)


def _text(**kwargs: Any) -> fields.String:
    return fields.String(validate=validate.Length(1, 40), **kwargs)


def _different(values: list[Any]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise ValidationError(f"{value!r} is there twice")


class Cards(Schema):
    """The deck: every colour has every value once, and there are some X."""

    colours = fields.List(_text(), required=True, validate=[validate.Length(1, MAX_COLOURS), _different])
    values = fields.List(_int(-MAX_VALUE, MAX_VALUE), required=True, validate=[validate.Length(1, MAX_NUMBERS), _different])
    x = _int(0, MAX_X, required=True)

    @validates_schema(skip_on_field_errors=True)
    def enough_cards(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse more number cards than a state holds, and fewer cards than six players are dealt."""
        numbers = len(data["colours"]) * len(data["values"])
        if numbers > MAX_NUMBERS:
            raise ValidationError(f"has {numbers} number cards; at most {MAX_NUMBERS}", "values")
        if numbers + data["x"] < DEALT * MAX_SEATS:
            raise ValidationError(f"has {numbers + data['x']} cards; six players are dealt {DEALT * MAX_SEATS}", "x")


class Holes(Schema):
    """The hole spaces of a piece by side."""

    A = fields.List(_int(1, MAX_SPACES), required=True, validate=_different)
    B = fields.List(_int(1, MAX_SPACES), required=True, validate=_different)


class Fork(Schema):
    """A fork: the short way leaves at `from`, runs over the spaces of `short`, and joins at `to`."""

    leave = _int(1, MAX_SPACES, required=True, data_key="from", attribute="from")
    join = _int(3, MAX_SPACES, required=True, data_key="to", attribute="to")
    short = fields.List(
        fields.String(validate=validate.OneOf(["hole"], error="is {input!r}; the only kind of space on a short way is 'hole'")),
        required=True,
        validate=validate.Length(1, MAX_SPACES),
    )


class Piece(Schema):
    """A double-sided piece of the track."""

    first = _int(1, MAX_SPACES, required=True)
    last = _int(1, MAX_SPACES, required=True)
    holes = fields.Nested(Holes, required=True)
    fork = fields.Nested(Fork)

    @validates_schema(skip_on_field_errors=True)
    def consistent(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse spaces, holes and forks that are not on the piece."""
        first, last = data["first"], data["last"]
        if last < first:
            raise ValidationError(f"is {last}, before the first space {first}", "last")
        for side, holes in data["holes"].items():
            for hole in holes:
                if not first <= hole <= last:
                    raise ValidationError({"holes": {side: [f"{hole} is not on the piece ({first}-{last})"]}})
        if "fork" in data:
            leave, join = data["fork"]["from"], data["fork"]["to"]
            if leave < first - 1 or join > last + 1:
                raise ValidationError({"fork": {"from": [f"{leave} to {join} leaves the piece ({first}-{last})"]}})
            if join < leave + 2:
                raise ValidationError({"fork": {"to": [f"is {join}; the long way from {leave} needs a space between"]}})


class Track(Schema):
    """The track, piece by piece."""

    pieces = fields.List(fields.Nested(Piece), required=True, validate=validate.Length(1, MAX_PIECES))

    @validates_schema(skip_on_field_errors=True)
    def connected(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse gaps between the pieces, a join beyond the track, and a second fork."""
        space, forks = 0, 0
        for i, piece in enumerate(data["pieces"]):
            if piece["first"] != space + 1:
                raise ValidationError({"pieces": {i: {"first": [f"is {piece['first']}; the next space is {space + 1}"]}}})
            space = piece["last"]
            if "fork" in piece:
                forks += 1
                if forks > 1:
                    raise ValidationError({"pieces": {i: {"fork": ["is a second fork; at most one"]}}})
        for i, piece in enumerate(data["pieces"]):
            if "fork" in piece and piece["fork"]["to"] > space:
                raise ValidationError({"pieces": {i: {"fork": {"to": [f"is beyond the track of {space} spaces"]}}}})


class Step(Schema):
    """One step of a rule card: whose lemmings move, and by how much."""

    who = fields.String(required=True, validate=validate.OneOf(WHO[1:], error="is {input!r}; it can be {choices}"))
    by = fields.Raw(required=True)
    sign = fields.String(load_default="plus", validate=validate.OneOf(SIGNS, error="is {input!r}; it can be {choices}"))

    @validates_schema(skip_on_field_errors=True)
    def readable(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse unknown distances, and jumps with a sign."""
        by = data["by"]
        if isinstance(by, str):
            if by not in BY[1:]:
                raise ValidationError(f"is {by!r}; it can be {', '.join(BY[1:])}, or an integer", "by")
            if by in JUMPS and data["sign"] != "plus":
                raise ValidationError(f"is {data['sign']!r}; a jump has no sign", "sign")
        elif not isinstance(by, int) or isinstance(by, bool) or not -MAX_VALUE <= by <= MAX_VALUE:
            raise ValidationError(f"is {by!r}; an integer is from {-MAX_VALUE} to {MAX_VALUE}", "by")


class RuleCard(Schema):
    """One rule card."""

    number = _int(1, 99, required=True)
    players = fields.List(
        _int(MIN_SEATS, MAX_SEATS),
        load_default=lambda: list(range(MIN_SEATS, MAX_SEATS + 1)),
        validate=[validate.Length(1), _different],
    )
    sides = fields.String(required=True, validate=validate.Regexp("^[AB]+$", error="is {input!r}; a letter A or B a piece"))
    wins = fields.String(
        load_default="highest", validate=validate.OneOf(["highest", "lowest"], error="is {input!r}; it can be {choices}")
    )
    steps = fields.List(fields.Nested(Step), required=True, validate=validate.Length(1, MAX_STEPS))


_ACT = fields.List(_int(0, MOST_AWARD), validate=validate.Length(1, LEMMINGS))


class Scoring(Schema):
    """VP by place for each act, one table a side of the scoring board."""

    small = fields.List(_ACT, required=True, data_key="3-4", attribute="3-4", validate=validate.Length(equal=ACTS))
    large = fields.List(_ACT, required=True, data_key="5-6", attribute="5-6", validate=validate.Length(equal=ACTS))

    @validates_schema(skip_on_field_errors=True)
    def all_places(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse tables that lack places."""
        for key, places in (("3-4", 4), ("5-6", 6)):
            for act, row in enumerate(data[key]):
                if len(row) != places:
                    raise ValidationError({key: {act: [f"has {len(row)} places; this side has {places}"]}})


class EditionSchema(Schema):
    """One edition file."""

    edition = _text(required=True)
    characters = fields.List(_text(), required=True, validate=[validate.Length(equal=LEMMINGS), _different])
    start_points = _int(0, 99, required=True)
    cards = fields.Nested(Cards, required=True)
    track = fields.Nested(Track, required=True)
    scoring = fields.Nested(Scoring, required=True)
    rule_cards = fields.List(fields.Nested(RuleCard), required=True, validate=validate.Length(ACTS, MAX_RULES))


def complete(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Check what lies between the parts of an edition; return it as it is.

    Raises:
        BadEdition: sides that do not match the pieces, a number given twice, too few rule cards for some seat count.
    """
    pieces = len(data["track"]["pieces"])
    numbers: set[int] = set()
    for i, card in enumerate(data["rule_cards"]):
        if card["number"] in numbers:
            raise BadEdition(str(path), f"rule_cards.{i}.number", f"{card['number']} is there twice")
        numbers.add(card["number"])
        if len(card["sides"]) != pieces:
            raise BadEdition(str(path), f"rule_cards.{i}.sides", f"is {card['sides']!r}; the track has {pieces} pieces")
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        fitting = sum(seats in card["players"] for card in data["rule_cards"])
        if fitting < ACTS:
            raise BadEdition(str(path), "rule_cards", f"only {fitting} are good for {seats} players; a match needs {ACTS}")
    return data


EDITIONS = EditionBook("last-lemming", Path(__file__).parent / "data", EditionSchema, complete)


# --- options ----------------------------------------------------------------------------------------------------------

OPTIONS_SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "rule_cards": {
            "description": "The rule cards of acts 1 to 4: drawn at random and hidden, a named set of the rulebook, or "
            "four different card numbers of the edition, in order. Named and listed cards are public from the start.",
            "default": "random",
            "oneOf": [
                {"enum": ["random", *SETS]},
                {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 1, "maximum": 99},
                    "minItems": ACTS,
                    "maxItems": ACTS,
                    "uniqueItems": True,
                },
            ],
        },
        "two_lemmings": {
            "description": "Everyone owns two lemmings: always with 2 players, on wish with 3, never with more. "
            "Left out it is true for 2 players.",
            "type": "boolean",
            "default": False,
        },
        "edition": {
            "description": "The printed set of cards, track and rule cards to play with.",
            "type": "string",
            "default": "reconstruction",
        },
    },
}


def _check_rule_cards(edition: Edition, value: Any) -> str | list[int]:
    """Return a valid value of the option `rule_cards`."""
    if value == "random":
        return "random"
    known = {card["number"] for card in edition.data["rule_cards"]}
    names = ", ".join(repr(name) for name in ("random", *SETS))
    if isinstance(value, str):
        if value not in SETS:
            raise BadOption("rule_cards", f"{value!r} is no set; it is {names}, or a list of four card numbers")
        missing = [number for number in SETS[value] if number not in known]
        if missing:
            raise BadOption("rule_cards", f"edition {edition.name!r} has no card {missing[0]} for the set {value!r}")
        return value
    if not isinstance(value, list | tuple):
        raise BadOption("rule_cards", f"is {names}, or a list of four card numbers, not {type(value).__name__}")
    if len(value) != ACTS:
        raise BadOption("rule_cards", f"a list names four cards, one an act, not {len(value)}")
    for number in value:
        if not isinstance(number, int) or isinstance(number, bool):
            raise BadOption("rule_cards", f"a list names cards by integer numbers, not {number!r}")
        if number not in known:
            raise BadOption("rule_cards", f"edition {edition.name!r} has no card {number}; it has {sorted(known)}")
        if list(value).count(number) > 1:
            raise BadOption("rule_cards", f"card {number} is listed twice; the four must be different")
    return list(value)


def check_options(edition: Edition, seats: int, options: Mapping[str, Any]) -> Json:
    """Return the options complete with defaults.

    Raises:
        BadOption: a value that cannot be taken, with the reason.
    """
    two = options.get("two_lemmings", seats == MIN_SEATS)
    if not isinstance(two, bool):
        raise BadOption("two_lemmings", f"is true or false, not {two!r}")
    if seats == MIN_SEATS and not two:
        raise BadOption("two_lemmings", "2 players always have two lemmings each")
    if seats > 3 and two:
        raise BadOption("two_lemmings", f"{seats} players have one lemming each; two are for 2 or 3 players")
    return {"rule_cards": _check_rule_cards(edition, options.get("rule_cards", "random")), "two_lemmings": two}


def variants(edition: Edition) -> list[tuple[int, Json]]:
    """Return seat counts and options that between them use every seat count, option value and rule card."""
    tables: list[tuple[int, Json]] = [(2, {"two_lemmings": True}), (3, {"two_lemmings": True}), (3, {"two_lemmings": False})]
    tables += [(seats, {"two_lemmings": False}) for seats in (4, 5, 6)]
    numbers = [card["number"] for card in edition.data["rule_cards"]]
    found = [(seats, {**table, "rule_cards": "random"}) for seats, table in tables]
    sets: list[Any] = [name for name, cards in SETS.items() if set(cards) <= set(numbers)]
    sets += [numbers[max(0, min(i, len(numbers) - ACTS)) :][:ACTS] for i in range(0, len(numbers), ACTS)]
    for i, cards in enumerate(sets):
        seats, table = tables[i % len(tables)]
        found.append((seats, {**table, "rule_cards": cards}))
    return found


# --- tables into a state ----------------------------------------------------------------------------------------------


def configure(state: State, edition: Edition, seats: int, options: Json) -> None:
    """Write an edition's tables and the options into a zeroed state."""
    data = edition.data
    _configure_cards(state, data["cards"])
    _configure_track(state, data["track"]["pieces"])
    if "rules" not in edition.memo:
        edition.memo["rules"] = _rules(data["rule_cards"])
    state.rules[:] = edition.memo["rules"]
    state.rule_n = len(data["rule_cards"])
    two = options["two_lemmings"]
    state.two_lemmings = two
    for act in range(ACTS):
        # [R] From act 2 on, two lemmings each are all scored: on the 3-4 side for 2 players, on the 5-6 side for 3.
        lemmings = 2 * seats if two and act > 0 else seats
        row = data["scoring"]["3-4" if lemmings <= 4 else "5-6"][act]
        state.award[act, : len(row)] = row
    for seat in range(seats):
        state.players[seat].points = data["start_points"]
    cards = options["rule_cards"]
    state.open_rules = cards != "random"
    if cards != "random":
        numbers = [card["number"] for card in data["rule_cards"]]
        for act, number in enumerate(SETS.get(cards, ()) if isinstance(cards, str) else cards):
            state.order[act] = numbers.index(number)


def _configure_cards(state: State, cards: Json) -> None:
    colours, values = len(cards["colours"]), cards["values"]
    numbers = colours * len(values)
    state.colours = colours
    state.per_colour = len(values)
    state.x_cards = cards["x"]
    state.colour[:] = NONE
    state.colour[:numbers] = [card // len(values) for card in range(numbers)]
    state.value[:numbers] = values * colours
    state.value[X] = 0


def _configure_track(state: State, pieces: list[Json]) -> None:
    state.spaces = pieces[-1]["last"]
    for i, piece in enumerate(pieces):
        for side, name in enumerate("AB"):
            state.piece_holes[i, side] = sum(1 << hole for hole in piece["holes"][name])
        if "fork" in piece:
            state.fork_from = piece["fork"]["from"]
            state.fork_to = piece["fork"]["to"]
            state.fork_short = len(piece["fork"]["short"])


def _rules(cards: list[Json]) -> Any:
    """Return the table of the rule cards."""
    table = np.zeros(MAX_RULES, RULE)
    for rule, card in zip(table, cards, strict=False):
        rule["number"] = card["number"]
        rule["sides"] = sum(1 << i for i, side in enumerate(card["sides"]) if side == "B")
        rule["lowest_wins"] = card["wins"] == "lowest"
        rule["players"] = sum(1 << seats for seats in card["players"])
        for step, data in zip(rule["steps"], card["steps"], strict=False):
            by = data["by"]
            number = isinstance(by, int)
            step["who"], step["sign"] = WHO.index(data["who"]), SIGNS.index(data["sign"])
            step["by"], step["amount"] = (0, by) if number else (BY.index(by), 0)
    return table
