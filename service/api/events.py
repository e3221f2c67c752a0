"""Following a match: its log, as JSON by cursor or pushed as Server-Sent Events, and its record."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from flask import Response, request
from marshmallow import fields, validate

from service.api.asking import match_and_seat, seen_versions, watched
from service.api.blueprint import SEAT_OR_SPECTATOR, Blueprint, json_response
from service.api.context import context
from service.api.cursors import PATTERN, next_of, number_in
from service.api.inputs import Answer, Flag, Input, Open, about
from service.api.matches import IF_NONE_MATCH, VERSIONED, MatchSchema, shown
from service.errors import Problem
from service.matches import Match
from service.matches.errors import BadCursor
from service.matches.wire import dumps

blueprint = Blueprint("events", __name__, url_prefix="/v1/matches/<match_id>", description="Following a match.")

Default = TypeVar("Default", int, None)

STREAM = "text/event-stream"
LIMIT_MAX = 500
ENDED = "match.ended"
RESET = "reset"
#: A stream that is resumed so many versions late begins with the view instead of all that was missed.
BEHIND_MAX = 500


class EventSchema(Open):
    """Something that happened: a `type` and the facts. Those of the match begin with `match.` or `seat.`."""

    type = fields.String(required=True)


class EntrySchema(Answer):
    """What one version of the match brought, as far as you were told it."""

    version = fields.Integer(required=True)
    at = fields.DateTime(required=True)
    events = fields.List(fields.Nested(EventSchema), required=True)


class LogSchema(Answer):
    """A part of the log."""

    entries = fields.List(fields.Nested(EntrySchema), required=True)
    version = fields.Integer(required=True, **about("The match's, when it was asked."))
    next = fields.Integer(required=True, **about("Send it as `after` to read on."))
    cursor = fields.String(
        required=True, **about("The same place, which says of which match it is: send it as `cursor` instead of `after`.")
    )


class CursorSchema(Input):
    """Where to read on."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(min=0, max=2**53),
        **about("Only what came after this version; 0 for everything."),
    )
    limit = fields.Integer(
        load_default=100,
        validate=validate.Range(min=1, max=LIMIT_MAX),
        **about("The most entries to answer."),
    )
    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=25),
        **about("Seconds to wait for something after `after` if there is nothing yet."),
    )
    stream = Flag(
        load_default=False,
        **about("Answer Server-Sent Events, as `Accept: text/event-stream` does."),
    )


class LogCursorSchema(CursorSchema):
    """Where to read on in a match's log."""

    cursor = fields.String(
        load_default=None,
        validate=validate.Regexp(PATTERN, error="Must be the `cursor` of another page."),
        **about("The `cursor` of the page before, in place of `after`; one of another match is refused."),
    )


class RecordSchema(Open):
    """Everything that replays the match once it is over; before that, what you were told."""


LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The id of the last message received of a stream: as `after`, which a query overrides.",
    "schema": {"type": "string", "pattern": "^[0-9]{0,15}$"},
    "example": "12",
}


@blueprint.route("/events")
@blueprint.doc(parameters=[LAST_EVENT_ID], security=SEAT_OR_SPECTATOR)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "bad_cursor", "invalid_request", "store_unavailable")
@blueprint.alt_response(
    204, description="Of a stream: the match is over and all was received; do not connect again.", success=True
)
@blueprint.alt_response(
    200,
    schema={"type": "string"},
    content_type=STREAM,
    description="The log. As a stream: one message for each version, `id` the version, `data` the entry; a comment line as a "
    "sign of life; the last message has `event: match.ended`, then the stream ends. If `Last-Event-ID` is of another match, or "
    f"more than {BEHIND_MAX} versions old, the stream begins with `event: reset`, its `data` the match as "
    "`GET /v1/matches/{match_id}` shows it to you, and goes on from there.",
    success=True,
)
@blueprint.response(200, LogSchema, description="The log.", headers=VERSIONED)
@blueprint.arguments(LogCursorSchema, location="query")
def list_events(cursor: dict[str, Any], match_id: str) -> Response:
    """Read what has happened, in order, as far as your seat (or a spectator) was told it."""
    matches = context().matches
    match, seat = match_and_seat(match_id)
    begin = _place(cursor, match.id)
    after = start(begin, default=0)
    if cursor["stream"] or STREAM in request.headers.get("Accept", ""):
        return _stream(match, seat, after, resumed=begin is None)
    if after > match.version:
        detail = f"this match is at version {match.version}: {after} is a place in the log of another one"
        raise BadCursor(detail, version=match.version)
    if after == match.version and cursor["wait"] and match.status in ("open", "running"):
        match = matches.wait(match_id, after, min(cursor["wait"], context().settings.wait_max_s), seat, known=match)
    entries = matches.events(match_id, seat, after, cursor["limit"], match.version)
    last = entries[-1]["version"] if entries else after
    body = {"entries": entries, "version": match.version, "next": last, "cursor": next_of(last, "events", match.id)}
    return json_response(body, headers=watched(match.version))


def _place(query: dict[str, Any], match_id: str) -> int | None:
    """Return the version that `cursor`, or else `after`, says; None for neither.

    Raises:
        BadCursor: `cursor` is of another match.
    """
    return query["after"] if query["cursor"] is None else number_in(query["cursor"], "events", match_id)


def start(after: int | None, default: Default) -> int | Default:
    """Return the place after which to read: `after`, or else `Last-Event-ID`, or else the default."""
    sent = request.headers.get("Last-Event-ID")
    if after is not None:
        return after
    if not sent:
        return default
    if not (sent.isascii() and sent.isdigit() and len(sent) < 16):
        messages = {"Last-Event-ID": ["Must be the id of a message of this stream."]}
        raise Problem(
            "invalid_request", f"Last-Event-ID must be the id of a message of this stream, not {sent!r}", errors=messages
        )
    return int(sent)


def _stream(match: Match, seat: int | None, after: int, *, resumed: bool) -> Response:
    if match.status in ("over", "aborted") and after == match.version:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    start = b"retry: 1000\n\n"
    if after > match.version or (resumed and match.version - after > BEHIND_MAX):
        start += f"id: {match.version}\nevent: {RESET}\ndata: ".encode() + shown(match, seat) + b"\n\n"
        after = match.version
    entries = context().matches.follow(match.id, seat, after)
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization", "X-Accel-Buffering": "no"}
    return Response(_messages(start, entries), mimetype=STREAM, headers=headers)


def _messages(start: bytes, entries: Iterable[dict[str, Any] | None]) -> Iterator[bytes]:
    """Yield the log as Server-Sent Events, after what comes first."""
    yield start
    for entry in entries:
        if entry is None:
            yield b": here\n\n"
            continue
        name = f"event: {ENDED}\n" if any(event["type"] == ENDED for event in entry["events"]) else ""
        yield f"id: {entry['version']}\n{name}data: ".encode() + dumps(entry) + b"\n\n"


@blueprint.route("/record")
@blueprint.doc(security=SEAT_OR_SPECTATOR)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "store_unavailable")
@blueprint.response(200, RecordSchema, description="The record.", headers=VERSIONED)
def show_record(match_id: str) -> Response:
    """Read the record: once the match is over everything, its secret seed too; before that, what you were told."""
    match, seat = match_and_seat(match_id)
    return json_response(context().matches.record(match, seat), headers=watched(match.version))


class ReplaySchema(Input):
    """Through whose eyes."""

    seat = fields.Integer(
        load_default=None,
        validate=validate.Range(min=0, max=15),
        **about("The seat that is to be seen as; without it, what spectators saw."),
    )


@blueprint.route("/replay/<int:version>")
@blueprint.doc(parameters=[IF_NONE_MATCH], security=SEAT_OR_SPECTATOR)
@blueprint.refuses(
    "match_not_found",
    "version_not_found",
    "seat_not_found",
    "match_outdated",
    "bad_token",
    "match_not_over",
    "invalid_request",
    "store_unavailable",
)
@blueprint.alt_response(304, description="`If-None-Match` names this version.", headers=VERSIONED, success=True)
@blueprint.response(200, MatchSchema, description="The match as the seat saw it at this version.", headers=VERSIONED)
@blueprint.arguments(ReplaySchema, location="query")
def show_replay(query: dict[str, Any], match_id: str, version: int) -> Response:
    """Look at any version of a match that is over, as any seat; anybody may.

    Who sits where is told as it is now, deadlines are not told.
    """
    match, _ = match_and_seat(match_id)
    build = functools.partial(_replayed, version=version)
    body = context().bodies.get(f"replay {version}", match, query["seat"], build)
    if version in seen_versions():
        return Response(status=304, headers=watched(version))
    return json_response(body, headers=watched(version))


def _replayed(match: Match, seat: int | None, version: int) -> dict[str, Any]:
    return context().matches.replay(match, version, seat)
