"""After the match: what the search would have played, move by move."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat
from service.api.blueprint import SEAT_OR_SPECTATOR, Blueprint, json_response
from service.api.context import context
from service.api.hints import HintedActionSchema, HintThoughtSchema
from service.api.inputs import Answer, Input, about

blueprint = Blueprint("analysis", __name__, url_prefix="/v1/matches/<match_id>/analysis", description="After the match.")

#: Seconds until there is something new to see of an analysis that is going on.
LOOK_AGAIN_S = 2
STATUS = fields.String(
    required=True,
    validate=validate.OneOf(["found", "thinking"]),
    **about("`thinking`: what is there so far; look again after `Retry-After` seconds, which also has it go on if it stopped."),
)


class AnalysedMoveSchema(Answer):
    """A move, and what the search would have played from what its seat knew."""

    number = fields.Integer(required=True, **about("The move's, as in the record: 1 for the match's first."))
    by = fields.String(required=True, **about("Who chose it, as in the record."))
    legal = fields.Integer(required=True, **about("How many actions there were to choose from."))
    played = fields.Nested(
        HintedActionSchema, required=True, **about("The move; an action with a small `share` was tried a few times only.")
    )
    best = fields.Nested(HintedActionSchema, required=True, **about("What the search would have played."))
    agrees = fields.Boolean(required=True, **about("Whether that is the same."))
    loss = fields.Float(
        required=True,
        allow_none=True,
        **about(
            "Expected payoff of `best` less that of `played`, both as the same search found them, and never below 0; null if "
            "the search did not try the move at all."
        ),
    )
    thought = fields.Nested(HintThoughtSchema, required=True)


class AnalysedSeatSchema(Answer):
    """The moves of one seat, as far as they have been looked at."""

    seat = fields.Integer(required=True)
    status = STATUS
    done = fields.Integer(required=True, **about("How many decisions have been looked at."))
    of = fields.Integer(
        required=True, allow_none=True, **about("Of how many; forced moves are none. Null until they have been counted.")
    )
    left_out = fields.Integer(required=True, **about("How many more there were, which are not looked at."))
    mean_loss = fields.Float(required=True, allow_none=True, **about("Over the moves so far."))
    agreed = fields.Float(required=True, allow_none=True, **about("The share of moves that the search would have played too."))
    worst = fields.List(fields.Integer(), required=True, **about("Numbers of the moves with the greatest loss, worst first."))
    moves = fields.List(fields.Nested(AnalysedMoveSchema), required=True)


class AnalysisSchema(Answer):
    """What the search would have played in a match that is over."""

    status = STATUS
    done = fields.Integer(required=True, **about("How many decisions of these seats have been looked at."))
    of = fields.Integer(required=True, allow_none=True, **about("Of how many; null until they have been counted."))
    seats = fields.List(fields.Nested(AnalysedSeatSchema), required=True)


class AnalysisQuerySchema(Input):
    """Whose moves, and how long to wait."""

    seat = fields.Integer(
        load_default=None,
        validate=validate.Range(min=0, max=15),
        **about("The seat whose moves are looked at; without it, every seat's."),
    )
    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=25),
        **about("Seconds to wait for the whole analysis before what is there is answered."),
    )


LOOK_AGAIN = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


@blueprint.route("")
@blueprint.doc(security=SEAT_OR_SPECTATOR)
@blueprint.refuses(
    "match_not_found",
    "seat_not_found",
    "match_outdated",
    "bad_token",
    "match_not_over",
    "invalid_request",
    "store_unavailable",
)
@blueprint.alt_response(
    202, schema=AnalysisSchema, description="What is there so far; it goes on.", headers=LOOK_AGAIN, success=True
)
@blueprint.response(200, AnalysisSchema, description="The whole analysis.")
@blueprint.arguments(AnalysisQuerySchema, location="query")
def show_analysis(query: dict[str, Any], match_id: str) -> Response:
    """Look at what the search would have played in a match that is over, and what each move gave away; anybody may.

    Every decision is searched from what its seat knew then, and nothing else, with a fixed number of iterations and a seed that
    follows from the match and the move. The first to ask has it begin; what has been found is kept as long as the match.
    """
    match, _ = match_and_seat(match_id)
    found = [seen.to_json() for seen in context().analyses.ask(match, query["seat"], query["wait"])]
    counts = [seat["of"] for seat in found]
    complete = all(seat["status"] == "found" for seat in found)
    body = {
        "status": "found" if complete else "thinking",
        "done": sum(seat["done"] for seat in found),
        "of": None if None in counts else sum(counts),
        "seats": found,
    }
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if complete:
        return json_response(body, 200, headers)
    return json_response(body, 202, headers | {"Retry-After": str(LOOK_AGAIN_S)})
