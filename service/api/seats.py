"""Taking seats, renaming their players, handing them over, and leaving them."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat, repeatable, token, watched
from service.api.blueprint import SEAT_ONLY, SEAT_OR_SPECTATOR, Blueprint, json_response
from service.api.context import context
from service.api.inputs import Input, Text, Whole, YesNo, about
from service.api.matches import IDEMPOTENCY_KEY, NAME, PASSING, VERSIONED, MatchSchema, SeatTakenSchema, shown, taken
from service.matches.lobby import need_own
from service.matches.seats import NAME_MAX, STAND_IN_LEVEL

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches/<match_id>/seats", description="Joining a match.")

#: What may be wrong with a seat's own affairs.
SEATED = (
    "match_not_found",
    "seat_not_found",
    "match_outdated",
    "bad_token",
    "seat_token_needed",
    "not_your_seat",
    "store_unavailable",
)


class SeatTakingSchema(Input):
    """Who sits down, and where."""

    name = Text(load_default="", validate=validate.Length(max=NAME_MAX), **about(NAME))
    seat = Whole(load_default=None, allow_none=True, **about("Which open seat; without it, the first."))
    auto_pass = YesNo(
        load_default=False,
        **about(PASSING),
    )
    join_code = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=40),
        **about("Of a private match; it may be tried a few times a minute."),
    )


class SeatChangeSchema(Input):
    """What is to be changed; the rest stays."""

    name = Text(validate=validate.Length(max=NAME_MAX), **about(NAME))
    stand_in = Whole(
        allow_none=True,
        **about("A level: an AI plays for you until you take the seat back, with null or by playing an action."),
    )
    auto_pass = YesNo(**about(PASSING))


class LeavingSchema(Input):
    """How a seat is left."""

    level = fields.Integer(load_default=STAND_IN_LEVEL, **about("Of the AI that goes on playing if the match has begun."))


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=SEAT_OR_SPECTATOR)
@blueprint.refuses(
    "match_not_found",
    "match_outdated",
    "bad_token",
    "join_code_needed",
    "bad_join_code",
    "too_many_guesses",
    "no_open_seat",
    "seat_taken",
    "bot_seated",
    "bot_busy",
    "bot_does_not_play",
    "bad_seats",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
    unseated=True,
)
@blueprint.response(201, SeatTakenSchema, description="The match, your seat and its token.", headers=VERSIONED)
@blueprint.arguments(SeatTakingSchema)
def take_seat(wish: dict[str, Any], match_id: str) -> Response:
    """Take an open seat; the match starts when it was the last.

    A token of the match that is played again here takes the seat that is kept for it. Any other token of this match makes
    no difference: a further seat is taken. A bot takes a seat with its key; the one it is invited to, if it is.
    """
    matches, sent = context().matches, token()
    kept = None if sent is None else matches.claim_seat(match_id, sent)
    bot, again = matches.bot_of(sent), repeatable(f"take {match_id}")
    return taken(kept or matches.take_seat(match_id, request=again, bot=bot, **wish))


@blueprint.route("/<int:seat>", methods=["PATCH"])
@blueprint.doc(security=SEAT_ONLY)
@blueprint.refuses(*SEATED, "match_not_running", "unknown_level", "bad_seats", body=True)
@blueprint.response(200, MatchSchema, description="The match after it.", headers=VERSIONED)
@blueprint.arguments(SeatChangeSchema)
def change_seat(change: dict[str, Any], match_id: str, seat: int) -> Response:
    """Rename yourself, hand your seat over to an AI, take it back, or have it pass by itself.

    What is left of your time goes on meanwhile.
    """
    match, own = match_and_seat(match_id)
    after = context().matches.lobby.change_seat(
        match,
        need_own(match, own, seat),
        change.get("name"),
        change.get("stand_in"),
        keep_player="stand_in" not in change,
        auto_pass=change.get("auto_pass"),
    )
    return json_response(shown(after, seat), headers=watched(after.version))


@blueprint.route("/<int:seat>", methods=["DELETE"])
@blueprint.doc(security=SEAT_ONLY)
@blueprint.refuses(*SEATED, "match_not_running", "unknown_level", "invalid_request")
@blueprint.response(200, MatchSchema, description="The match as spectators see it.", headers=VERSIONED)
@blueprint.arguments(LeavingSchema, location="query")
def leave_seat(query: dict[str, Any], match_id: str, seat: int) -> Response:
    """Leave for good: before the match has begun your seat is open again, later an AI has it.

    Your token opens nothing here any more. An open match that its last player leaves is given up.
    """
    match, own = match_and_seat(match_id)
    matches = context().matches
    left = matches.lobby.leave(match, need_own(match, own, seat), query["level"])
    seen = matches.shown_to(left, None)
    return json_response(shown(seen, None), headers=watched(seen.version))
