"""Hints: asking what the search would play in the seat's place, and looking for the answer."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat, need_seat
from service.api.blueprint import SEAT_ONLY, Blueprint, json_response
from service.api.context import context
from service.api.inputs import Answer, Input, about
from service.api.matches import ActionSchema
from service.matches.advice import Hint

blueprint = Blueprint("hints", __name__, url_prefix="/v1/matches/<match_id>/hints", description="Hints.")


class HintedActionSchema(Answer):
    """An action as the search found it."""

    action = fields.Nested(ActionSchema, required=True)
    text = fields.String(required=True, **about("The same for people."))
    share = fields.Float(required=True, **about("Its part of the search, 0 to 1; the best has most."))
    payoff = fields.Float(
        required=True,
        allow_none=True,
        **about("What your seat can expect of it: 0 to 1, 1 a win; null where there was nothing to choose."),
    )


class HintThoughtSchema(Answer):
    """What is needed to have the same thought again from what your seat knew."""

    seed = fields.Integer(required=True)
    iterations = fields.Integer(required=True)
    milliseconds = fields.Float(required=True)
    digest = fields.String(required=True, **about("SHA-256 of the redacted state."))
    result = fields.String(required=True, **about("SHA-256 over all that was found."))


class HintSchema(Answer):
    """What the search would play in your seat's place, from what your seat knew at one version of the match."""

    version = fields.Integer(required=True, **about("The version of the match it is about."))
    seat = fields.Integer(required=True)
    status = fields.String(
        required=True,
        validate=validate.OneOf(["found", "thinking", "lost"]),
        **about("`thinking`: look again; `lost`: nobody thought about it in time, ask again, it is not counted twice."),
    )
    asked = fields.DateTime(required=True)
    best = fields.String(required=True, allow_none=True, **about("The best action in a plain sentence."))
    actions = fields.List(fields.Nested(HintedActionSchema), required=True, **about("The best first."))
    thought = fields.Nested(HintThoughtSchema, required=True, allow_none=True)


class HintWaitSchema(Input):
    """How long to wait for the answer."""

    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=25),
        **about("Seconds to wait for the hint before answering that it is not there yet."),
    )


LOCATION = {"Location": {"description": "Where to look for the hint.", "schema": {"type": "string"}}}


def shown(hint: Hint) -> Response:
    """Return the answer about a hint: 202 as long as somebody is to think about it."""
    body = hint.to_json(context().matches.clock.now())
    status = 202 if body["status"] == "thinking" else 200
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    return json_response(body, status, headers | {"Location": f"/v1/matches/{hint.match_id}/hints/{hint.version}"})


@blueprint.route("", methods=["POST"])
@blueprint.doc(security=SEAT_ONLY)
@blueprint.refuses(
    "match_not_found",
    "match_outdated",
    "bad_token",
    "seat_token_needed",
    "match_not_running",
    "not_your_decision",
    "hint_running",
    "hint_limit",
    "invalid_request",
    "store_unavailable",
)
@blueprint.alt_response(202, schema=HintSchema, description="It is being thought about.", headers=LOCATION, success=True)
@blueprint.response(200, HintSchema, description="The hint.", headers=LOCATION)
@blueprint.arguments(HintWaitSchema, location="query")
def ask_hint(query: dict[str, Any], match_id: str) -> Response:
    """Ask for a hint about your seat's present decision.

    It is thought about from what your seat may know, and nothing else. Asked again about the same version of the match you
    get the same hint, which is counted once.
    """
    match, asking = match_and_seat(match_id)
    seat = need_seat(asking)
    advice = context().advice
    hint = advice.ask(match.id, seat)
    return shown(advice.get(match.id, seat, hint.version, query["wait"]) if query["wait"] else hint)


@blueprint.route("/<int:version>")
@blueprint.doc(security=SEAT_ONLY)
@blueprint.refuses(
    "match_not_found", "hint_not_found", "bad_token", "seat_token_needed", "invalid_request", "store_unavailable"
)
@blueprint.alt_response(202, schema=HintSchema, description="It is being thought about.", headers=LOCATION, success=True)
@blueprint.response(200, HintSchema, description="The hint.", headers=LOCATION)
@blueprint.arguments(HintWaitSchema, location="query")
def show_hint(query: dict[str, Any], match_id: str, version: int) -> Response:
    """Look for a hint that your seat has asked for. No other seat sees it."""
    match, asking = match_and_seat(match_id)
    return shown(context().advice.get(match.id, need_seat(asking), version, query["wait"]))
