"""Taking seats."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import validate

from service.api.asking import repeatable
from service.api.blueprint import Blueprint
from service.api.context import context
from service.api.inputs import Input, Text, Whole, YesNo, about
from service.api.matches import IDEMPOTENCY_KEY, NAME, VERSIONED, SeatTakenSchema, taken
from service.matches.seats import NAME_MAX

blueprint = Blueprint("seats", __name__, url_prefix="/v1/matches/<match_id>/seats", description="Joining a match.")


class SeatTakingSchema(Input):
    """Who sits down, and where."""

    name = Text(load_default="", validate=validate.Length(max=NAME_MAX), **about(NAME))
    seat = Whole(load_default=None, allow_none=True, **about("Which open seat; without it, the first."))
    auto_pass = YesNo(
        load_default=False,
        **about("Pass at once in a reaction window when the seat can only pass. It shows, by its speed."),
    )


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY])
@blueprint.refuses(
    "match_not_found",
    "match_outdated",
    "no_open_seat",
    "seat_taken",
    "bad_seats",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
)
@blueprint.response(201, SeatTakenSchema, description="The match, your seat and its token.", headers=VERSIONED)
@blueprint.arguments(SeatTakingSchema)
def take_seat(wish: dict[str, Any], match_id: str) -> Response:
    """Take an open seat; the match starts when it was the last."""
    created = context().matches.take_seat(
        match_id, wish["name"], seat=wish["seat"], auto_pass=wish["auto_pass"], request=repeatable(f"take {match_id}")
    )
    return taken(created)
