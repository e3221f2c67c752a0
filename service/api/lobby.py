"""The list of matches; beginning one early, resigning, and playing one again."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat, need_seat, repeatable, token, watched
from service.api.blueprint import SEAT_ONLY, SEAT_OR_SPECTATOR, Blueprint, json_response
from service.api.context import context
from service.api.cursors import cursor_field, limit_field, next_field, next_of, place_in
from service.api.inputs import Answer, Flag, Input, Whole, about
from service.api.matches import (
    EXPIRES,
    IDEMPOTENCY_KEY,
    RATED,
    SEEDED,
    TOURNAMENT,
    VERSIONED,
    MatchSchema,
    SeatSchema,
    SeatTakenSchema,
    taken,
)
from service.matches import Created, Played
from service.matches.errors import SeatTokenNeeded
from service.matches.index import STATUSES
from service.matches.lobby import Wanted
from service.matches.seats import STAND_IN_LEVEL, hash_token

blueprint = Blueprint("lobby", __name__, url_prefix="/v1/matches", description="Finding matches, beginning and ending them.")


class WantedSchema(Input):
    """Which matches, and where to go on in the list."""

    game = fields.String(load_default=None, **about("Only of this game."))
    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES), **about("Only with this status."))
    open_seats = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=16),
        **about("Only those in which at least so many seats can be taken."),
    )
    mine = Flag(load_default=False, **about("Only those in which the token you send opens a seat; private ones too."))
    cursor = cursor_field()
    limit = limit_field()


class SummarySchema(Answer):
    """A match as it stands in lists."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    edition = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    seat = fields.Integer(required=True, allow_none=True, **about("Yours, with `mine`."))
    open_seats = fields.List(fields.Integer(), required=True, **about("Those that can be taken."))
    turn_seconds = fields.Float(required=True, allow_none=True)
    created = fields.DateTime(required=True)
    expires = fields.DateTime(required=True, **about(EXPIRES))
    tournament = fields.String(required=True, allow_none=True, **about(TOURNAMENT))
    rated = fields.Boolean(required=True, **about(RATED))
    seeded = fields.Boolean(required=True, **about(SEEDED))
    private = fields.Boolean(required=True)
    spectator_delay_seconds = fields.Float(required=True)


class MatchListSchema(Answer):
    """A page of the list."""

    matches = fields.List(fields.Nested(SummarySchema), required=True, **about("The newest first."))
    next = next_field()


class StartSchema(Input):
    """How to begin."""

    level = Whole(load_default=STAND_IN_LEVEL, **about("Of the AIs in the empty seats."))


@blueprint.route("")
@blueprint.doc(security=SEAT_OR_SPECTATOR)
@blueprint.refuses("bad_token", "seat_token_needed", "bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, MatchListSchema, description="A page of the list.")
@blueprint.arguments(WantedSchema, location="query")
def list_matches(query: dict[str, Any]) -> Response:
    """List matches, the newest first. Private ones are shown only to those who sit there, with `mine`.

    A page may hold fewer than `limit`, even none, and yet not be the last: `next` says so.
    """
    lobby, asked = context().matches.lobby, token()
    wanted = Wanted(query["game"], query["status"], query["open_seats"])
    of = ("matches", wanted, hash_token(asked or "") if query["mine"] else None)
    after = place_in(query["cursor"], *of)
    if query["mine"]:
        if asked is None:
            raise SeatTokenNeeded("which matches are yours is known by a seat's token: Authorization: Bearer <token>")
        page = lobby.find_own(wanted, asked, after, query["limit"])
    else:
        page = lobby.find(wanted, after, query["limit"])
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    return json_response({"matches": page.matches, "next": next_of(page.after, *of)}, headers=headers)


def _played(played: Played) -> Response:
    assert played.answer is not None
    return json_response(played.answer, headers=watched(played.answer["version"]))


@blueprint.route("/<match_id>/start", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=SEAT_ONLY)
@blueprint.refuses(
    "match_not_found",
    "match_outdated",
    "bad_token",
    "seat_token_needed",
    "not_your_seat",
    "match_not_open",
    "unknown_level",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
)
@blueprint.response(200, MatchSchema, description="The match, which has begun.", headers=VERSIONED)
@blueprint.arguments(StartSchema)
def start_match(how: dict[str, Any], match_id: str) -> Response:
    """Begin a match without waiting for others: AIs take the empty seats. Any seated player may."""
    match, seat = match_and_seat(match_id)
    request = repeatable(f"start {match_id}")
    return _played(context().matches.lobby.start(match, need_seat(seat), how["level"], request))


#: Why a seat cannot resign, nor speak of a draw.
ENDING = (
    "match_not_found",
    "match_outdated",
    "bad_token",
    "seat_token_needed",
    "match_not_running",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
)


@blueprint.route("/<match_id>/resignation", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=SEAT_ONLY)
@blueprint.refuses(*ENDING)
@blueprint.response(200, MatchSchema, description="The match, which is over.", headers=VERSIONED)
def resign(match_id: str) -> Response:
    """Resign: the match is over, you are last and the others share the first place. No body is needed."""
    match, seat = match_and_seat(match_id)
    return _played(context().matches.lobby.resign(match, need_seat(seat), repeatable(f"resign {match_id}")))


@blueprint.route("/<match_id>/draw", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=SEAT_ONLY)
@blueprint.refuses(*ENDING, "no_draws")
@blueprint.response(200, MatchSchema, description="The match, which is over if all have agreed.", headers=VERSIONED)
def offer_draw(match_id: str) -> Response:
    """Offer a draw, or accept one, in a match created with `draws`. No body is needed.

    An offer stands until its seat plays or somebody declines. Once every seat has offered, the match is over and nobody has
    won. AIs decline every draw, so there are no offers while one plays.
    """
    match, seat = match_and_seat(match_id)
    return _played(context().matches.lobby.offer_draw(match, need_seat(seat), repeatable(f"draw {match_id}")))


@blueprint.route("/<match_id>/draw", methods=["DELETE"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=SEAT_ONLY)
@blueprint.refuses(*ENDING, "no_draw_offer")
@blueprint.response(200, MatchSchema, description="The match without the offers.", headers=VERSIONED)
def decline_draw(match_id: str) -> Response:
    """Take your offer of a draw back, or decline those of all others if you have made none."""
    match, seat = match_and_seat(match_id)
    return _played(context().matches.lobby.decline_draw(match, need_seat(seat), repeatable(f"decline {match_id}")))


@blueprint.route("/<match_id>/rematch", methods=["POST"])
@blueprint.doc(security=SEAT_ONLY)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "seat_token_needed", "match_not_over", "store_unavailable")
@blueprint.response(201, SeatTakenSchema, description="The new match and your seat in it.", headers=VERSIONED)
def rematch(match_id: str) -> Response:
    """Play a match again, with the same options and the seats moved on by one. There is one rematch of a match.

    The first who asks makes it, the others join it by asking as well, or by taking their seat there; it begins when all
    have. Seats are kept for them, and everybody's token opens his seat in the new match too. No body is needed.
    """
    match, asking = match_and_seat(match_id)
    seat, sent = need_seat(asking), token() or ""
    again, number, repeated = context().matches.lobby.rematch(match, seat, sent)
    return taken(Created(again, number, sent, repeated))
