"""Legal actions, and playing them."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat, need_seat, repeatable, required_version, seen_versions, watched
from service.api.blueprint import SEAT_ONLY, Blueprint, json_response
from service.api.context import context
from service.api.inputs import Answer, Flag, Input, Whole, about
from service.api.matches import IDEMPOTENCY_KEY, IF_NONE_MATCH, VERSIONED, ActionSchema, MatchSchema
from service.matches import Match
from service.matches.match import Json

blueprint = Blueprint("actions", __name__, url_prefix="/v1/matches/<match_id>/actions", description="Playing.")

#: The longest sequence; no turn of any game takes as many decisions.
SEQUENCE_MAX = 64


class LegalActionSchema(Answer):
    """An action you may play now."""

    action = fields.Nested(ActionSchema, required=True)
    text = fields.String(required=True, **about("The same for people."))


class LegalActionsSchema(Answer):
    """Everything your seat may do now."""

    version = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    actions = fields.List(fields.Nested(LegalActionSchema), required=True)


class SequenceSchema(Input):
    """One action or a whole sequence, played all or nothing."""

    actions = fields.List(
        fields.Raw(allow_none=True),  # read by the game, so that whatever is no action gets the same answer
        required=True,
        validate=validate.Length(min=1, max=SEQUENCE_MAX),
        **about("In order; each as it came in `legal_actions`."),
    )
    version = Whole(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0),
        **about("The version you decided on: refused if your present decision began later. `If-Match` says the same."),
    )


class PlayModeSchema(Input):
    """How to play."""

    dry_run = Flag(load_default=False, **about("Only say whether the sequence would be played."))


class DryRunSchema(Answer):
    """The sequence is legal."""

    legal = fields.Boolean(required=True)
    version = fields.Integer(required=True)


IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "description": "The `ETag` of the version you decided on, as `version` in the body.",
    "schema": {"type": "string"},
    "example": '"12"',
}


@blueprint.route("")
@blueprint.doc(parameters=[IF_NONE_MATCH], security=SEAT_ONLY)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "seat_token_needed", "store_unavailable")
@blueprint.alt_response(304, description="Nothing newer than `If-None-Match`.", headers=VERSIONED, success=True)
@blueprint.response(
    200, LegalActionsSchema, description="The legal actions; none when your seat has nothing to decide.", headers=VERSIONED
)
def list_actions(match_id: str) -> Response:
    """List what your seat may do now, each with a sentence for people."""
    match, asking = match_and_seat(match_id)
    seat = need_seat(asking)
    if match.version in seen_versions():
        return Response(status=304, headers=watched(match.version))
    return json_response(context().bodies.get("actions", match, seat, _listed), headers=watched(match.version))


def _listed(match: Match, seat: int | None) -> Json:
    return {"version": match.version, "seat": seat, "actions": context().matches.actions(match, need_seat(seat))}


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY, IF_MATCH], security=SEAT_ONLY)
@blueprint.refuses(
    "match_not_found",
    "match_outdated",
    "bad_token",
    "seat_token_needed",
    "match_not_running",
    "not_your_decision",
    "stale_version",
    "unreadable_action",
    "illegal_action",
    "reveals",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
)
@blueprint.response(
    200,
    {"anyOf": [MatchSchema, DryRunSchema]},
    description="The match after it; of a dry run only that the sequence is legal.",
    headers=VERSIONED,
)
@blueprint.arguments(SequenceSchema)
@blueprint.arguments(PlayModeSchema, location="query")
def play_actions(sequence: dict[str, Any], mode: dict[str, Any], match_id: str) -> Response:
    """Play one action or a sequence, all or nothing.

    Each action is checked after the earlier ones. A sequence may not go on after an action that shows something new or
    ends your turn, and a dry run never tells the position after: nobody peeks.
    """
    matches = context().matches
    match, seat = match_and_seat(match_id)
    version = _decided_on(sequence["version"])
    request = repeatable(f"play {match_id}")
    played = matches.play(
        match_id, seat, sequence["actions"], version=version, request=request, dry_run=mode["dry_run"], known=match
    )
    if played.answer is None:
        return json_response({"legal": True, "version": played.version}, headers=watched(played.version))
    return json_response(played.answer, headers=watched(played.answer["version"]))


def _decided_on(in_body: int | None) -> int | None:
    """Return the version that the body or `If-Match` names; of two, the older, for neither may be stale."""
    named = [version for version in (in_body, required_version()) if version is not None]
    return min(named, default=None)
