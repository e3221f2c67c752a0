"""Tournaments: creating, watching and aborting them."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import repeatable, token
from service.api.blueprint import Blueprint, json_response
from service.api.context import context
from service.api.cursors import cursor_field, limit_field, next_field, next_of, number_in, place_in
from service.api.inputs import Answer, Input, Number, Text, Whole, YesNo, about
from service.api.matches import IDEMPOTENCY_KEY
from service.api.ratings import RatingSchema
from service.matches.checks import TURN_SECONDS_MAX
from service.matches.seats import NAME_MAX
from service.tournaments import Entrant
from service.tournaments.tournament import STATUSES
from service.tournaments.tournaments import ENTRANTS_MAX, ROUNDS_MAX

blueprint = Blueprint("tournaments", __name__, url_prefix="/v1/tournaments", description="Everybody against everybody.")

CREATOR_ONLY: list[dict[str, list[str]]] = [{"tournament": []}]
MATCH_STATUSES = ("waiting", "running", "over", "void")


class EntrantSchema(Input):
    """Who shall play."""

    kind = fields.String(required=True, validate=validate.OneOf(["ai", "bot"]))
    level = Whole(load_default=None, allow_none=True, **about("Of an AI; `GET /v1/games/{game}` lists them."))
    bot = fields.String(load_default=None, allow_none=True, validate=validate.Length(max=NAME_MAX), **about("A bot's name."))


class NewTournamentSchema(Input):
    """A tournament to create."""

    game = fields.String(required=True, **about("Its name from `GET /v1/games`."))
    entrants = fields.List(
        fields.Nested(EntrantSchema),
        required=True,
        validate=validate.Length(min=2, max=ENTRANTS_MAX),
        **about("Who plays, each once, and at least as many as there are seats in a match."),
    )
    name = Text(load_default="", validate=validate.Length(max=NAME_MAX), **about("Shown to everybody."))
    options = fields.Dict(
        keys=fields.String(), load_default=dict, **about("The game's options; what is left out has its default.")
    )
    seats = Whole(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=1, max=16),
        **about("In each match; without it, as few as the game is played with."),
    )
    rounds = Whole(
        load_default=1,
        validate=validate.Range(min=1, max=ROUNDS_MAX),
        **about("How often every combination of entrants plays."),
    )
    duplicate = YesNo(
        load_default=False,
        **about(
            "Play every deal once in each rotation of the seats, so that luck cancels out. With a bot among the entrants the "
            "matches do not count for ratings then, for a bot could remember the cards."
        ),
    )
    at_once = Whole(
        load_default=2, validate=validate.Range(min=1, max=1000), **about("How many matches are played at the same time.")
    )
    turn_seconds = Number(
        load_default=30,
        validate=validate.Range(min=1, max=TURN_SECONDS_MAX),
        **about("How long a bot has for a decision; then a quick move is made for it."),
    )
    rated = YesNo(load_default=True, **about("Whether the matches count for ratings."))


class ShownEntrantSchema(Answer):
    """An entrant."""

    who = fields.String(required=True, **about("`ai:<level>` or `bot:<name>`."))
    kind = fields.String(required=True, validate=validate.OneOf(["ai", "bot"]))
    level = fields.Integer()
    bot = fields.String()


class ProgressSchema(Answer):
    """How many matches there are."""

    total = fields.Integer(required=True)
    begun = fields.Integer(required=True)
    over = fields.Integer(required=True, **about("Played to an end."))
    void = fields.Integer(required=True, **about("Ended without a result: aborted, lost, or a bot had gone."))


class ScoreSchema(Answer):
    """What an entrant has scored."""

    place = fields.Integer(required=True, **about("By points, then by payoffs."))
    who = fields.String(required=True)
    matches = fields.Integer(required=True)
    wins = fields.Integer(required=True, **about("Alone or shared."))
    points = fields.Float(required=True, **about("One for every opponent beaten, half a one for a shared place."))
    mean_rank = fields.Float(required=True, allow_none=True, **about("1 the best."))
    mean_payoff = fields.Float(required=True, allow_none=True, **about("1: won alone, 0: nothing of the win."))
    payoff_interval = fields.List(
        fields.Float(), required=True, allow_none=True, **about("95 % interval of the mean payoff: from, to.")
    )
    rating = fields.Nested(RatingSchema, required=True, **about("From the matches of this tournament alone."))


class TournamentSummarySchema(Answer):
    """A tournament as it stands in lists."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    game = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), required=True)
    entrants = fields.List(fields.Nested(ShownEntrantSchema), required=True)
    seats = fields.Integer(required=True)
    rounds = fields.Integer(required=True)
    duplicate = fields.Boolean(required=True)
    at_once = fields.Integer(required=True)
    turn_seconds = fields.Float(required=True)
    rated = fields.Boolean(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    matches = fields.Nested(ProgressSchema, required=True)
    created = fields.DateTime(required=True)
    ended = fields.DateTime(required=True, allow_none=True)
    expires = fields.DateTime(required=True, **about("When it is forgotten if nothing happens."))


class TournamentSchema(TournamentSummarySchema):
    """A tournament and its standings."""

    standings = fields.List(fields.Nested(ScoreSchema), required=True, **about("The best first."))


class CreatedTournamentSchema(Answer):
    """A new tournament."""

    tournament = fields.Nested(TournamentSchema, required=True)
    token = fields.String(
        required=True, **about("Told this once: `Authorization: Bearer <token>` lets you, and nobody else, abort it.")
    )


class TournamentsWantedSchema(Input):
    """Which tournaments, and where to go on in the list."""

    game = fields.String(load_default=None, **about("Only of this game."))
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES), **about("Only with this status."))
    cursor = cursor_field()
    limit = limit_field()


class TournamentListSchema(Answer):
    """A page of the list."""

    tournaments = fields.List(fields.Nested(TournamentSummarySchema), required=True, **about("The newest first."))
    next = next_field()


class TournamentPageSchema(Input):
    """Which part of the list."""

    cursor = cursor_field()
    limit = limit_field(50, 500)


class ResultSchema(Answer):
    """How a match of a tournament ended."""

    reason = fields.String(required=True)
    winners = fields.List(fields.Integer(), required=True)
    ranking = fields.List(fields.Integer(), required=True, **about("Place of each seat, 1 the best."))
    points = fields.List(fields.Integer())
    payoffs = fields.List(fields.Float(), required=True, **about("Of each seat: 1: won alone, 0: nothing of the win."))
    actions = fields.Integer(required=True, **about("How many were played."))


class TournamentMatchSchema(Answer):
    """A match of a tournament."""

    number = fields.Integer(required=True, **about("From 0."))
    round = fields.Integer(required=True, **about("From 0."))
    deal = fields.Integer(required=True, **about("Matches with the same number have the same cards."))
    match = fields.String(required=True, allow_none=True, **about("Its id; null until it is made."))
    seats = fields.List(fields.String(), required=True, **about("Who sits where."))
    status = fields.String(required=True, validate=validate.OneOf(MATCH_STATUSES))
    result = fields.Nested(ResultSchema, required=True, allow_none=True)


class TournamentMatchesSchema(Answer):
    """A page of the matches."""

    matches = fields.List(fields.Nested(TournamentMatchSchema), required=True, **about("In order of their numbers."))
    next = next_field()


FRESH = {"Cache-Control": "no-cache"}


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY])
@blueprint.refuses(
    "unknown_game",
    "bad_options",
    "bad_seats",
    "bad_entrants",
    "unknown_level",
    "unknown_bot",
    "bot_does_not_play",
    "tournament_too_large",
    "too_many_tournaments",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
)
@blueprint.response(201, CreatedTournamentSchema, description="The tournament, which has begun, and its creator's token.")
@blueprint.arguments(NewTournamentSchema)
def create_tournament(new: dict[str, Any]) -> Response:
    """Create a tournament. It begins at once, and workers play it to its end.

    Every round, every combination of as many entrants as there are seats plays a match, or with `duplicate` one in each
    rotation of the seats. Bots sit down without being asked, and play as in any other match.
    """
    tournaments = context().tournaments
    made, secret = tournaments.create(
        new.pop("game"),
        new.pop("options"),
        [Entrant(**entrant) for entrant in new.pop("entrants")],
        request=repeatable("tournament"),
        **new,
    )
    headers = {"Location": f"/v1/tournaments/{made.id}", "Cache-Control": "no-store"}
    return json_response({"tournament": tournaments.show(made), "token": secret}, 201, headers)


@blueprint.route("")
@blueprint.refuses("bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, TournamentListSchema, description="A page of the list.")
@blueprint.arguments(TournamentsWantedSchema, location="query")
def list_tournaments(query: dict[str, Any]) -> Response:
    """List tournaments, the newest first. A page may hold fewer than `limit` and yet not be the last: `next` says so."""
    of = ("tournaments", query["game"], query["status"])
    page = context().tournaments.find(query["game"], query["status"], place_in(query["cursor"], *of), query["limit"])
    return json_response({"tournaments": page.entries, "next": next_of(page.after, *of)}, headers=FRESH)


@blueprint.route("/<tournament_id>")
@blueprint.refuses("tournament_not_found", "store_unavailable")
@blueprint.response(200, TournamentSchema, description="The tournament.")
def show_tournament(tournament_id: str) -> Response:
    """Look at a tournament: how far it is, and the standings."""
    tournaments = context().tournaments
    return json_response(tournaments.show(tournaments.get(tournament_id)), headers=FRESH)


@blueprint.route("/<tournament_id>", methods=["DELETE"])
@blueprint.doc(security=CREATOR_ONLY)
@blueprint.refuses(
    "tournament_not_found", "tournament_token_needed", "bad_token", "tournament_not_running", "store_unavailable"
)
@blueprint.response(200, TournamentSchema, description="The tournament, which is aborted.")
def abort_tournament(tournament_id: str) -> Response:
    """Abort a tournament, and the matches that are being played. What has been played stays."""
    tournaments = context().tournaments
    aborted = tournaments.abort(tournaments.get(tournament_id), token())
    return json_response(tournaments.show(aborted), headers=FRESH)


@blueprint.route("/<tournament_id>/matches")
@blueprint.refuses("tournament_not_found", "bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, TournamentMatchesSchema, description="A page of the matches.")
@blueprint.arguments(TournamentPageSchema, location="query")
def list_tournament_matches(query: dict[str, Any], tournament_id: str) -> Response:
    """List a tournament's matches, those to come as well."""
    tournaments = context().tournaments
    tournament = tournaments.get(tournament_id)
    of = ("tournament matches", tournament.id)
    page = tournaments.matches_of(tournament, number_in(query["cursor"], *of), query["limit"])
    return json_response({"matches": page.entries, "next": next_of(page.after, *of)}, headers=FRESH)
