"""Editions of Lemminge: the schema of their TOML files, the options, and the tables they put into a state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates, validates_schema

from engines.editions import BadEdition, Edition, EditionBook
from engines.game import BadOption, Json
from engines.kernel import State
from engines.lemminge.boards import LETTERS, MEADOW_LETTER, Board, read_boards
from engines.lemminge.rules import DEAREST, FIRST_VALUE, ZEROS, survey
from engines.lemminge.state import HAND, MAX_CARDS, MAX_SPACES, MAX_TILES, MEADOW, OFF, SEATS, TERRAINS, VALUES

DATA = Path(__file__).parent / "data"
OWN_BOARDS = DATA / "boards"
#: [R] There is meadow on every board, and in every edition it is called so.
MEADOW_NAME = "meadow"


# --- the schema -------------------------------------------------------------------------------------------------------


class BonusTiles(Schema):
    """How many bonus tiles there are."""

    per_terrain = fields.Integer(required=True, strict=True, validate=validate.Range(min=0, max=MAX_TILES))
    meadow = fields.Integer(required=True, strict=True, validate=validate.Range(min=0, max=MAX_TILES))

    @validates_schema
    def _not_too_many(self, data: Json, **_: Any) -> None:
        total = TERRAINS * data["per_terrain"] + data["meadow"]
        if total > MAX_TILES:
            raise ValidationError(f"are {total} tiles in all; the maximum is {MAX_TILES}")


class EditionSchema(Schema):
    """An edition file; `letters` (of the terrains on the boards) are their names' initials unless given."""

    edition = fields.String(required=True)
    terrains = fields.List(fields.String(validate=validate.Length(min=1)), required=True)
    letters = fields.List(fields.String(validate=validate.Length(equal=1)))
    default_board = fields.String(required=True)
    stalemate_turns = fields.Integer(required=True, strict=True, validate=validate.Range(min=1, max=10_000))
    cards = fields.Dict(fields.String(), fields.Integer(strict=True, validate=validate.Range(min=0)), required=True)
    bonus_tiles = fields.Nested(BonusTiles, required=True)

    @validates("terrains")
    def _five(self, terrains: list[str], **_: Any) -> None:
        if len(terrains) != TERRAINS or len({*terrains, MEADOW_NAME}) != TERRAINS + 1:
            raise ValidationError(f"are {TERRAINS} different names, meadow not among them")

    @validates("cards")
    def _cards(self, cards: dict[str, int], **_: Any) -> None:
        values = [str(value) for value in range(VALUES)]
        if sorted(cards) != values:
            raise ValidationError(f"has one count for each value {', '.join(values)}, not for {', '.join(sorted(cards))}")
        if cards["0"] != ZEROS:
            raise ValidationError(f"every terrain has {ZEROS} zeros: the rules name both, not {cards['0']}")
        if cards[str(FIRST_VALUE)] < 1:
            raise ValidationError(f"every terrain needs a {FIRST_VALUE}: it starts the pile")
        total = TERRAINS * sum(cards.values())
        if total > MAX_CARDS:
            raise ValidationError(f"are {total} cards in all; the maximum is {MAX_CARDS}")
        hands = sum(HAND - i for i in range(SEATS))
        if total < TERRAINS + hands:
            raise ValidationError(f"are {total} cards in all; {TERRAINS} piles and {SEATS} hands need {TERRAINS + hands}")


def complete(path: Path, data: Json) -> Json:
    """Return an edition's data with its boards: those in `boards/` beside the file, or the game's own if there are none.

    Raises:
        BadEdition: letters that cannot be told apart, a bad board, or no such default board.
    """
    letters = data.setdefault("letters", [name[0].upper() for name in data["terrains"]])
    if len({*letters, *LETTERS}) != TERRAINS + len(LETTERS):
        raise BadEdition(str(path), "letters", f"are {TERRAINS} different ones, none of {' '.join(LETTERS)}, not {letters}")
    beside = path.parent / "boards"
    data["boards"] = read_boards(beside if beside.is_dir() else OWN_BOARDS, letters)
    if data["default_board"] not in data["boards"]:
        names = ", ".join(data["boards"]) or "none"
        raise BadEdition(str(path), "default_board", f"there is no board {data['default_board']!r}; there is {names}")
    return data


EDITIONS = EditionBook("lemminge", DATA, EditionSchema, complete)


# --- options ----------------------------------------------------------------------------------------------------------

OPTIONS_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "board": {
            "type": "string",
            "default": "horseshoe",
            "description": "The board: one of the edition's; left out, the edition's default board.",
        },
        "edition": {
            "type": "string",
            "default": "reconstruction",
            "description": "The printed set of cards, tiles and boards.",
        },
    },
    "additionalProperties": False,
}


def check_options(edition: Edition, _seats: int, options: Mapping[str, Any]) -> Json:
    """Return the options complete with defaults.

    Raises:
        BadOption: no such board.
    """
    board = options.get("board", edition.data["default_board"])
    if not isinstance(board, str) or board not in edition.data["boards"]:
        names = ", ".join(edition.data["boards"])
        raise BadOption("board", f"there is no board {board!r}; there is {names}")
    return {"board": board}


def variants(edition: Edition) -> list[tuple[int, Json]]:
    """Return (seats, options) pairs with every seat count on every board."""
    return [(seats, {"board": board}) for board in edition.data["boards"] for seats in range(2, SEATS + 1)]


# --- the tables of a state --------------------------------------------------------------------------------------------


def boards_of(edition: Edition) -> list[Board]:
    """Return an edition's boards in the order in which states number them."""
    boards: list[Board] | None = edition.memo.get("boards")
    if boards is None:
        data = edition.data["boards"]
        boards = [Board(name, tuple(tuple(row) for row in data[name])) for name in sorted(data)]
        edition.memo["boards"] = boards
    return boards


def board_of(edition: Edition, state: State) -> Board:
    """Return the board a match is played on."""
    return boards_of(edition)[int(state.board)]


def terrain_names(edition: Edition) -> list[str]:
    """Return the names of the terrains as numbered, meadow last."""
    return [*edition.data["terrains"], MEADOW_NAME]


def printed_terrain(edition: Edition, letter: str) -> int:
    """Return the terrain a letter of a board stands for."""
    letters: list[str] = edition.data["letters"]
    return MEADOW if letter == MEADOW_LETTER else letters.index(letter)


def configure(state: State, edition: Edition, _seats: int, options: Json) -> None:
    """Write cards, tiles and the board into a zeroed state."""
    data = edition.data
    state.quiet_limit = data["stalemate_turns"]
    state.copies[:] = [data["cards"][str(value)] for value in range(VALUES)] * TERRAINS
    state.tiles_left[:] = [data["bonus_tiles"]["per_terrain"]] * TERRAINS + [data["bonus_tiles"]["meadow"]]
    number = sorted(data["boards"]).index(options["board"])
    board = boards_of(edition)[number]
    spaces, pens = len(board.spaces), len(board.pens)
    state.board, state.spaces, state.pens, state.pen_distance = number, spaces, pens, board.pen_distance
    state.near[:] = OFF
    state.near[:spaces] = board.near[:spaces]
    state.near[MAX_SPACES : MAX_SPACES + pens] = board.near[spaces:]
    state.distance[:spaces] = board.distance
    state.terrain[:spaces] = [printed_terrain(edition, board.letter(cell)) for cell in board.spaces]
    state.way[:spaces] = DEAREST
    survey(state)
