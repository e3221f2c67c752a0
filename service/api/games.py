"""What can be played: games, their options, editions, AI levels and rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response
from marshmallow import fields

from ai.levels import levels_of, measured
from engines.game import Game
from service.api.blueprint import Blueprint
from service.api.context import context
from service.api.inputs import Answer, about
from service.errors import Problem

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What can be played, and by which rules.")


class GameSummarySchema(Answer):
    """A game in the list."""

    name = fields.String(required=True, **about("As used in addresses and in `POST /v1/matches`."))
    title = fields.String(required=True)
    summary = fields.String(required=True)
    min_seats = fields.Integer(required=True)
    max_seats = fields.Integer(required=True)
    information = fields.String(required=True, **about("What is hidden from whom."))
    chance = fields.String(required=True, **about("Where luck comes in."))


class GameListSchema(Answer):
    """All games."""

    games = fields.List(fields.Nested(GameSummarySchema), required=True)


class EditionSummarySchema(Answer):
    """One printed set of cards and boards."""

    name = fields.String(required=True)
    digest = fields.String(required=True, **about("SHA-256 over the checked data."))


class StrengthSchema(Answer):
    """How strong a level was measured to be, beside the other levels of its game; the lowest has 1000."""

    elo = fields.Float(required=True)
    low = fields.Float(required=True, **about("Lower end of the 95 % interval."))
    high = fields.Float(required=True, **about("Upper end."))


class LevelSchema(Answer):
    """A strength of the AI in this game."""

    level = fields.Integer(required=True)
    milliseconds = fields.Float(required=True, **about("The longest it thinks about one decision."))
    iterations = fields.Integer(required=True, **about("The most it makes for one decision."))
    elo = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(StrengthSchema),
        required=True,
        **about("By number of seats, where it was measured; between them the nearest counts."),
    )


class GameSchema(GameSummarySchema):
    """Everything about one game."""

    longest = fields.Integer(required=True, **about("The most decisions a match takes, as far as measured."))
    reasons = fields.List(fields.String(), required=True, **about("Every `outcome.reason` there is."))
    options = fields.Dict(required=True, **about("JSON Schema of a match's options, with their defaults."))
    editions = fields.List(fields.Nested(EditionSummarySchema), required=True)
    levels = fields.List(fields.Nested(LevelSchema), required=True)


class EditionSchema(EditionSummarySchema):
    """One edition with all its cards and boards."""

    data = fields.Dict(required=True, **about("Cards, decks, boards and effects, as the engine reads them."))


def summary(game: Game) -> dict[str, Any]:
    """Return a game as in the list."""
    return {name: getattr(game, name) for name in GameSummarySchema().fields}


def game_of(name: str) -> Game:
    """Return the game an address names.

    Raises:
        Problem: `game_not_found`.
    """
    games = context().games
    if name not in games:
        raise Problem("game_not_found", f"there is no game {name!r}; there is {', '.join(games)}", games=list(games))
    return games[name]


@blueprint.route("")
@blueprint.refuses()
@blueprint.response(200, GameListSchema, description="Every game of this server.")
def list_games() -> dict[str, Any]:
    """List the games."""
    return {"games": [summary(game) for game in context().games.values()]}


@blueprint.route("/<game>")
@blueprint.refuses("game_not_found")
@blueprint.response(200, GameSchema, description="The game.")
def show_game(game: str) -> dict[str, Any]:
    """Show one game: options, editions, levels, ways to end."""
    found = game_of(game)
    editions = [{"name": edition.name, "digest": edition.digest} for edition in found.editions.values()]
    levels = [
        {"level": number, "milliseconds": level.milliseconds, "iterations": level.iterations, "elo": _elo(game, number)}
        for number, level in levels_of(game).items()
    ]
    return {
        **summary(found),
        "longest": found.longest,
        "reasons": found.reasons,
        "options": found.options_schema,
        "editions": editions,
        "levels": levels,
    }


def _elo(game: str, level: int) -> dict[str, Any]:
    return {seats: asdict(found[level]) for seats, found in measured(game).items() if level in found}


@blueprint.route("/<game>/rules")
@blueprint.refuses("game_not_found")
@blueprint.response(200, {"type": "string"}, content_type="text/markdown", description="The rules, as Markdown.")
def show_rules(game: str) -> Response:
    """Read a game's rules."""
    return Response(game_of(game).rules, mimetype="text/markdown")


@blueprint.route("/<game>/editions/<edition>")
@blueprint.refuses("game_not_found", "edition_not_found")
@blueprint.response(200, EditionSchema, description="The edition.")
def show_edition(game: str, edition: str) -> dict[str, Any]:
    """Read an edition: every card and board."""
    editions = game_of(game).editions
    if edition not in editions:
        known = ", ".join(sorted(editions))
        raise Problem("edition_not_found", f"{game} has no edition {edition!r}; it has {known}", editions=sorted(editions))
    found = editions[edition]
    return {"name": found.name, "digest": found.digest, "data": found.data}
