"""Editions and options of Valhalla Lemmings: the schema of the TOML files, what goes into a state, and what can be chosen.

Everything printed ([C] in the rules file) is data: card values and counts, kinds of Legends and what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from engines.editions import Edition, EditionBook
from engines.game import BadOption, Json
from engines.kernel import State
from engines.valhalla.cards import LANES, MAX_CARDS, MAX_OF_A_VALUE, pack
from engines.valhalla.state import (
    ANYWHERE,
    BY_CARDS,
    BY_LOSSES,
    BY_TOTAL,
    BY_VALUE,
    DO_CHOOSE_LAST,
    DO_DISCARD,
    DO_DOUBLE_LOSSES,
    DO_DRAW,
    DO_PASS,
    DO_REACTIVATE,
    DO_SHIELD,
    DO_STRENGTH,
    HISTORY,
    IN_BATTLE,
    IN_HAND,
    MAX_KINDS,
    MAX_LEGENDS,
    MAX_MOVE,
    MAX_OFFER,
    MAX_SENT,
    MAX_STAKES,
    PILE,
    RESERVE,
    TO_CHOSEN,
    TO_EACH_WITH_FEWER,
    TO_FEWEST,
    TO_LEFT,
    TO_OTHERS,
)

MIN_SEATS = 2
MAX_SEATS = 6
#: Clans dealt with two players: a hand and the Reserves each.
CLANS_FOR_TWO = 4
MAX_VALUE = 99
MAX_TURNS = 1000
#: The most cards of one draw: they are told in one event.
MAX_DRAW = 5
#: Entries a full history keeps free for what all see between unseen moves: two a place.
_OPEN_ENTRIES = 2 * (MAX_SEATS + 1)

WHERES = {"hand": IN_HAND, "battle": IN_BATTLE, "any": ANYWHERE}
RECEIVERS = {"fewest": TO_FEWEST, "each_with_fewer": TO_EACH_WITH_FEWER, "left": TO_LEFT, "chosen": TO_CHOSEN}
DRAWERS = {"others": TO_OTHERS, "chosen": TO_CHOSEN}
NEXT_BATTLE = {"double_losses": DO_DOUBLE_LOSSES, "choose_last": DO_CHOOSE_LAST, "strength": DO_STRENGTH}

#: Of each kind of effect: the keys it must have, and those of which it has exactly one.
SHAPES: dict[str, tuple[set[str], set[str]]] = {
    "discard": ({"where"}, {"cards", "max_total", "all_of_value"}),
    "pass": ({"to"}, {"cards", "max_total"}),
    "draw": ({"who", "cards"}, set()),
    "next_battle": ({"what"}, set()),
    "reactivate": (set(), set()),
    "shield": (set(), set()),
}


# --- the schema of an edition file ------------------------------------------------------------------------------------


def _int(low: int, high: int, **kwargs: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **kwargs)


def _one_of(names: Any, **kwargs: Any) -> fields.String:
    known = list(names)
    error = f"is {{input!r}}; it is one of {', '.join(known)}"
    return fields.String(validate=validate.OneOf(known, error=error), **kwargs)


class _Number(fields.Integer):
    """A whole number as a TOML key, which is text."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not isinstance(value, str) or not value.isascii() or not value.isdigit():
            raise ValidationError(f"{value!r} is no whole number")
        return int(value)


class _MaxTotal(fields.Field):
    """A number, or "players"."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if value == "players" or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 127):
            return value
        raise ValidationError(f'is {value!r}; it is a number from 1 to 127, or "players"')


class Effect(Schema):
    """What a kind of Legend does, in the vocabulary of the rules file."""

    do = _one_of(SHAPES, required=True)
    cards = _int(1, MAX_DRAW)
    max_total = _MaxTotal()
    all_of_value = fields.Boolean(truthy={True}, falsy=set())
    where = _one_of(WHERES)
    to = _one_of(RECEIVERS)
    who = _one_of(DRAWERS)
    what = _one_of(NEXT_BATTLE)
    amount = _int(-100, 100)

    @validates_schema(skip_on_field_errors=True)
    def has_its_shape(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse keys that the kind of effect lacks or does not know."""
        do = data["do"]
        needed, choice = SHAPES[do]
        if data.get("what") == "strength" and do == "next_battle":
            needed = {*needed, "amount"}
        keys = set(data) - {"do"}
        for key in sorted(needed - keys):
            raise ValidationError(f"is missing; {do} needs it", key)
        for key in sorted(keys - needed - choice):
            raise ValidationError(
                f"does not belong to {do}, which has {', '.join(sorted(needed | choice)) or 'nothing else'}", key
            )
        if choice and len(keys & choice) != 1:
            raise ValidationError(f"{do} has exactly one of {', '.join(sorted(choice))}", min(keys & choice or choice))


class Legend(Schema):
    """A kind of Legend."""

    name = fields.String(required=True, validate=validate.Length(1, 40))
    copies = _int(1, MAX_LEGENDS, required=True)
    source = fields.String(load_default="")
    two_players = fields.Boolean(load_default=True, truthy={True}, falsy={False})
    effect = fields.Nested(Effect, required=True)
    negative = fields.Boolean(load_default=False, truthy={True}, falsy={False})

    @validates_schema(skip_on_field_errors=True)
    def fits_the_game(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse marks that the rules give no meaning."""
        effect = data["effect"]
        if data["negative"] and effect["do"] not in ("pass", "draw"):
            raise ValidationError("only effects that pass or draw cards can be negative", "negative")
        if data["two_players"] and effect.get("what") == "choose_last":
            raise ValidationError("must be false: with two players nobody can choose last", "two_players")


class EditionSchema(Schema):
    """A whole file."""

    edition = fields.String(required=True)
    clan = fields.Dict(keys=_Number(), values=_int(1, MAX_OF_A_VALUE), required=True, validate=validate.Length(1, LANES))
    clans = _int(MAX_SEATS, 20, required=True)
    three_player_extra = fields.Integer(strict=True, required=True)
    neutral = fields.List(_int(1, MAX_VALUE), required=True)
    legends_a_turn = fields.Dict(keys=_Number(), values=_int(1, MAX_OFFER), required=True)
    max_cards_in_battle = _int(1, MAX_SENT, required=True)
    reserve_draw = _int(1, MAX_MOVE, required=True)
    turn_limit = _int(1, MAX_TURNS, required=True)
    legends = fields.List(fields.Nested(Legend), required=True, validate=validate.Length(1, MAX_KINDS))

    @validates_schema(skip_on_field_errors=True)
    def village(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse Village cards that do not suffice, or are too many or too different for a state."""
        for value in data["clan"]:
            if not 1 <= value <= MAX_VALUE:
                raise ValidationError(f"has the value {value}; values are 1 to {MAX_VALUE}", "clan")
        extra, clans = data["three_player_extra"], data["clans"]
        if (clans - 3) * data["clan"].get(extra, 0) < 3:
            raise ValidationError(
                f"is {extra}; the clans unused with three players have not three of that value", "three_player_extra"
            )
        if len(all_values(data)) > LANES:
            raise ValidationError(
                f"there are {len(all_values(data))} different values of Village cards; at most {LANES}", "neutral"
            )
        total = 0
        for value in all_values(data):
            n = clans * data["clan"].get(value, 0) + data["neutral"].count(value)
            total += n
            if n > MAX_OF_A_VALUE:
                raise ValidationError(f"there are {n} Village cards of value {value}; at most {MAX_OF_A_VALUE}", "clan")
        if total > MAX_CARDS:
            raise ValidationError(f"there are {total} Village cards; at most {MAX_CARDS}", "clan")

    @validates_schema(skip_on_field_errors=True)
    def legends_arriving(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse turns without Legends, or with more than there are players to take them."""
        turns = data["legends_a_turn"]
        if set(turns) != set(range(MIN_SEATS, MAX_SEATS + 1)):
            raise ValidationError(f"has the numbers of players {sorted(turns)}; it needs 2 to 6", "legends_a_turn")
        for seats, n in turns.items():
            most = MAX_STAKES if seats == 2 else seats
            if n > most:
                raise ValidationError({"legends_a_turn": {str(seats): [f"is {n}; at most {most}"]}})

    @validates_schema(skip_on_field_errors=True)
    def legend_deck(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse decks too large for a state, too small for a first Legend each, or with too much to remember."""
        names = [legend["name"] for legend in data["legends"]]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ValidationError({"legends": {i: {"name": [f"there already is a Legend {name!r}"]}}})
        copies = sum(legend["copies"] for legend in data["legends"])
        if not MAX_SEATS <= copies <= MAX_LEGENDS:
            raise ValidationError(f"there are {copies} Legends; there must be {MAX_SEATS} to {MAX_LEGENDS}", "legends")
        if sum(legend["copies"] for legend in data["legends"] if legend["two_players"]) < 2:
            raise ValidationError("two players need two Legends at the least", "legends")
        for i, legend in enumerate(data["legends"]):
            effect = legend["effect"]
            if effect["do"] == "pass" and "max_total" in effect:
                total = effect["max_total"] if effect["max_total"] != "players" else MAX_SEATS
                n = total // min(all_values(data))
                if n > MAX_MOVE:
                    raise ValidationError(
                        {"legends": {i: {"effect": {"max_total": [f"lets {n} cards be passed at once; at most {MAX_MOVE}"]}}}}
                    )
        moves = max(unseen_moves(data, seats) for seats in range(MIN_SEATS, MAX_SEATS + 1))
        if moves > HISTORY - _OPEN_ENTRIES:
            raise ValidationError(
                f"cards could be passed and drawn unseen {moves} times in a match; at most {HISTORY - _OPEN_ENTRIES}", "legends"
            )


def all_values(data: Mapping[str, Any]) -> list[int]:
    """Return the different values of an edition's Village cards, rising."""
    return sorted({*data["clan"], *data["neutral"]})


def unseen_moves(data: Mapping[str, Any], seats: int) -> int:
    """Return how often cards can go somewhere unseen in one match: the most that the Legends can do, each activated once."""
    most, total, again = 0, 0, 0
    for legend in data["legends"]:
        effect = legend["effect"]
        if seats == 2 and not legend["two_players"]:
            continue
        many = effect.get("to") == "each_with_fewer" or effect.get("who") == "others"
        moves = (seats - 1 if many else 1) if effect["do"] in ("pass", "draw") else 0
        most = max(most, moves)
        total += legend["copies"] * moves
        again += legend["copies"] if effect["do"] == "reactivate" else 0
    reserves = 2 * -(-sum(data["clan"].values()) // data["reserve_draw"]) if seats == 2 else 0
    return total + again * most + reserves


EDITIONS = EditionBook("valhalla", Path(__file__).parent / "data", EditionSchema)


# --- options ----------------------------------------------------------------------------------------------------------

OPTIONS_SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "edition": {
            "type": "string",
            "default": "reconstruction",
            "description": "The printed set of Village cards and Legends.",
        },
    },
}


def check_options(edition: Edition, seats: int, options: Mapping[str, Any]) -> Json:  # noqa: ARG001
    """Return the options complete with defaults: there are none but the edition, which `Game` checks."""
    for name in options:
        if name != "edition":
            raise BadOption(name, "there is no such option")
    return {}


def variants(edition: Edition) -> list[tuple[int, Json]]:  # noqa: ARG001
    """Return every number of seats."""
    return [(seats, {}) for seats in range(MIN_SEATS, MAX_SEATS + 1)]


# --- into a state -----------------------------------------------------------------------------------------------------


def configure(state: State, edition: Edition, seats: int, options: Json) -> None:  # noqa: ARG001
    """Write the edition's tables into a zeroed state, and into `start` where the Village cards lie before the first turn."""
    data = edition.data
    values = all_values(data)
    state.values[: len(values)] = values
    state.values_n = len(values)
    state.legends_a_turn = data["legends_a_turn"][seats]
    state.most_sent = data["max_cards_in_battle"]
    state.reserve_draw = data["reserve_draw"]
    state.turn_limit = data["turn_limit"]
    state.kinds = len(data["legends"])
    for kind, legend in enumerate(data["legends"]):
        _configure_legend(state, kind, legend, seats)
    clan = pack(data["clan"], values)
    clans = data["clans"]
    for seat in range(seats):
        state.start[seat] = clan
    if seats == 2:
        # [R] Another clan each as Reserves; [I] the other clans are the discard pile.
        state.start[RESERVE] = state.start[RESERVE + 1] = clan
        state.start[PILE] = (clans - CLANS_FOR_TWO) * clan
    elif seats == MAX_SEATS:
        # [R] With six players the neutral cards are the discard pile.
        state.start[PILE] = sum(pack({value: 1}, values) for value in data["neutral"])
    else:
        state.start[PILE] = (clans - seats) * clan
    if seats == 3:
        # [R] Three players have one more 5 each, from an unused clan.
        extra = pack({data["three_player_extra"]: 1}, values)
        for seat in range(seats):
            state.start[seat] += extra
        state.start[PILE] -= 3 * extra


def _configure_legend(state: State, kind: int, legend: Json, seats: int) -> None:
    """Write one kind's row: what it does, by what measure, how much, where, to whom, and how many are in the deck."""
    effect = legend["effect"]
    does = {
        "discard": DO_DISCARD,
        "pass": DO_PASS,
        "draw": DO_DRAW,
        "reactivate": DO_REACTIVATE,
        "shield": DO_SHIELD,
    }
    state.does[kind] = NEXT_BATTLE[effect["what"]] if effect["do"] == "next_battle" else does[effect["do"]]
    if "cards" in effect:
        state.by[kind], state.amount[kind] = BY_CARDS, effect["cards"]
    elif "max_total" in effect:
        total = effect["max_total"]
        state.by[kind], state.amount[kind] = BY_TOTAL, seats if total == "players" else total
    elif "all_of_value" in effect:
        state.by[kind] = BY_VALUE
    elif effect.get("what") == "double_losses":
        state.by[kind] = BY_LOSSES
    elif effect.get("what") == "strength":
        state.amount[kind] = effect["amount"]
    state.where[kind] = WHERES[effect.get("where", "hand")]
    state.whom[kind] = {**RECEIVERS, **DRAWERS}[effect.get("to", effect.get("who", "chosen"))]
    state.negative[kind] = legend["negative"]
    state.deck[kind] = legend["copies"] if seats > 2 or legend["two_players"] else 0
