"""Ratings: who plays a game how well."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields

from service.api.blueprint import Blueprint, json_response
from service.api.context import context
from service.api.cursors import cursor_field, limit_field, next_field, next_of, number_in, place_in
from service.api.games import game_of
from service.api.inputs import Answer, Input, about
from service.matches.errors import BadCursor
from service.ratings.ratings import is_place

blueprint = Blueprint(
    "ratings", __name__, url_prefix="/v1/games/<game>/ratings", description="How strong AIs and bots are at a game."
)


class PageSchema(Input):
    """Which part of a list."""

    cursor = cursor_field()
    limit = limit_field(50)


class RatingSchema(Answer):
    """What is known of an entrant's strength (OpenSkill, Plackett-Luce); a new one has 25, give or take 25/3."""

    mu = fields.Float(required=True, **about("The mean."))
    sigma = fields.Float(required=True, **about("The standard deviation."))
    interval = fields.List(fields.Float(), required=True, **about("95 % interval: from, to."))
    matches = fields.Integer(required=True, **about("How many matches it comes from."))


class RatedSchema(RatingSchema):
    """An entrant in the ranking."""

    rank = fields.Integer(required=True, **about("1 the best; in order of `mu - 3 sigma`."))
    who = fields.String(required=True, **about("`ai:<level>` or `bot:<name>`."))


class RankingSchema(Answer):
    """A page of the ranking."""

    ratings = fields.List(fields.Nested(RatedSchema), required=True, **about("The best first."))
    next = next_field()


class EntrantPlaceSchema(Answer):
    """Who played, and how it ended for him."""

    who = fields.String(required=True)
    rank = fields.Integer(required=True)


class ChangeSchema(Answer):
    """What a match changed."""

    match = fields.String(required=True)
    at = fields.DateTime(required=True)
    entrants = fields.List(fields.Nested(EntrantPlaceSchema), required=True, **about("In order of seats."))
    before = fields.Nested(RatingSchema, required=True)
    after = fields.Nested(RatingSchema, required=True)


class RatedHistorySchema(RatedSchema):
    """An entrant's rating and how it came about."""

    history = fields.List(fields.Nested(ChangeSchema), required=True, **about("The newest first."))
    next = next_field()


@blueprint.route("")
@blueprint.refuses("game_not_found", "bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, RankingSchema, description="A page of the ranking.")
@blueprint.arguments(PageSchema, location="query")
def list_ratings(query: dict[str, Any], game: str) -> Response:
    """Rank the AIs and bots that have played rated matches of a game.

    A match is rated unless its creator says otherwise or chooses the seed, if every seat is an AI or a bot from the deal to
    the end, all of them different, and none stood in for another. People have no accounts and are not rated.
    """
    name = game_of(game).name
    after = place_in(query["cursor"], "ratings", name)
    if after is not None and not is_place(after):
        raise BadCursor("this is no place in a ranking; begin again without a cursor")
    found, more = context().ratings.ranking(name, after, query["limit"])
    body = {"ratings": [one.to_json() for one in found], "next": next_of(found[-1].place if more else None, "ratings", name)}
    return json_response(body, headers={"Cache-Control": "no-cache"})


@blueprint.route("/<who>")
@blueprint.refuses("game_not_found", "rating_not_found", "bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, RatedHistorySchema, description="The rating and a page of its history.")
@blueprint.arguments(PageSchema, location="query")
def show_rating(query: dict[str, Any], game: str, who: str) -> Response:
    """Show an entrant's rating at a game, and every change of it: the match, before and after."""
    name, ratings = game_of(game).name, context().ratings
    rated = ratings.of(name, who)
    before = number_in(query["cursor"], "rating", name, who)
    found = ratings.history(name, who, before, query["limit"])
    last = found[-1].number if len(found) == query["limit"] and found[-1].number > 1 else None
    body = {**rated.to_json(), "history": [one.data for one in found], "next": next_of(last, "rating", name, who)}
    return json_response(body, headers={"Cache-Control": "no-cache"})
