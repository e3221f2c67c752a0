"""What a bot is told over all its matches, as JSON by cursor or pushed as Server-Sent Events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response, request
from marshmallow import fields, validate

from service.api.asking import asking_bot
from service.api.blueprint import BOT_ONLY, Blueprint, json_response
from service.api.bots import BOTS_OWN, PRIVATE
from service.api.context import context
from service.api.events import LAST_EVENT_ID, LIMIT_MAX, RESET, STREAM, CursorSchema, start
from service.api.inputs import Answer, about
from service.api.matches import MatchSchema
from service.bots import Bot
from service.matches.errors import BadCursor
from service.matches.notices import EVENTS
from service.matches.wire import dumps

blueprint = Blueprint("bot events", __name__, url_prefix="/v1/bots/me/events", description="Following all matches of a bot.")


class BotEventSchema(Answer):
    """Something that happened to a bot.

    `invited`, `uninvited`: a seat is kept for it, or not any more. `seated`, `left`: it sits there, or not any more. `turn`: it
    must decide. `ended`: the match is over, or was given up.
    """

    number = fields.Integer(**about("Its place in the bot's log; send it as `after` to read on."))
    id = fields.String(required=True, **about("The same however often it is told, by stream, by cursor or to the webhook."))
    type = fields.String(required=True, validate=validate.OneOf(EVENTS))
    match = fields.String(required=True)
    game = fields.String(required=True, allow_none=True, **about("Null if the match has expired."))
    version = fields.Integer(required=True, **about("The match's, when it happened."))
    seat = fields.Integer(required=True)
    until = fields.DateTime(required=True, allow_none=True, **about("Of an invitation: by when it must be accepted."))
    at = fields.DateTime(**about("When it was told."))
    position = fields.Nested(
        MatchSchema,
        required=True,
        allow_none=True,
        **about(
            "The match as the bot's seat sees it now, with its legal actions: of `invited` and `turn` as long as they are so, "
            "and of `ended`. Null: it is of the past."
        ),
    )


class StandingSchema(Answer):
    """How things stand for a bot that has missed events: the entries are as in the log, without `number` and `at`."""

    number = fields.Integer(required=True, **about("Read on from here."))
    invited = fields.List(fields.Nested(BotEventSchema), required=True)
    turns = fields.List(fields.Nested(BotEventSchema), required=True)


class BotLogSchema(Answer):
    """A part of a bot's log."""

    entries = fields.List(fields.Nested(BotEventSchema), required=True)
    number = fields.Integer(required=True, **about("Of the newest entry."))
    next = fields.Integer(required=True, **about("Send it as `after` to read on."))
    reset = fields.Nested(
        StandingSchema,
        required=True,
        allow_none=True,
        **about("If entries after `after` are not kept any more: how things stand. Then there are no `entries`."),
    )


@blueprint.route("")
@blueprint.doc(parameters=[LAST_EVENT_ID], security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN, "bad_cursor", "invalid_request")
@blueprint.alt_response(
    200,
    schema={"type": "string"},
    content_type=STREAM,
    description="The log. As a stream: one message for each entry, `id` its number, `data` the entry; a comment line as a "
    "sign of life. Without `after` or `Last-Event-ID`, or if what came after it is not kept any more, the stream begins with "
    "`event: reset`, its `data` how things stand, and goes on from there.",
    success=True,
)
@blueprint.response(200, BotLogSchema, description="The log.")
@blueprint.arguments(CursorSchema, location="query")
def list_bot_events(cursor: dict[str, Any]) -> Response:
    """Read what has happened to you in all your matches, in the order in which it was told.

    You are told each thing once, and of every decision you have. A bot that has just started best begins with a stream, or
    without `after`, and is told how things stand.
    """
    bot, feed = asking_bot(), context().feed
    after = start(cursor["after"], default=None)
    if cursor["stream"] or STREAM in request.headers.get("Accept", ""):
        return _stream(bot, after)
    if after is None or feed.missed(bot, after):
        if after is not None and after > bot.number:
            detail = f"this log is at number {bot.number}: {after} is a place in another one"
            raise BadCursor(detail, number=bot.number)
        body = {"entries": [], "number": bot.number, "next": bot.number, "reset": feed.standing(bot)}
        return json_response(body, headers=PRIVATE)
    if after == bot.number and cursor["wait"]:
        bot = feed.wait(bot, after, min(cursor["wait"], context().settings.wait_max_s))
    entries = feed.read(bot, after, min(cursor["limit"], LIMIT_MAX))
    following = entries[-1]["number"] if entries else after
    return json_response(
        {"entries": entries, "number": max(bot.number, following), "next": following, "reset": None}, headers=PRIVATE
    )


def _stream(bot: Bot, after: int | None) -> Response:
    begin = b"retry: 1000\n\n"
    if after is None or context().feed.missed(bot, after):
        begin += f"id: {bot.number}\nevent: {RESET}\ndata: ".encode() + dumps(context().feed.standing(bot)) + b"\n\n"
        after = bot.number
    headers = {**PRIVATE, "X-Accel-Buffering": "no"}
    return Response(_messages(begin, context().feed.follow(bot, after)), mimetype=STREAM, headers=headers)


def _messages(begin: bytes, entries: Iterator[dict[str, Any] | None]) -> Iterator[bytes]:
    yield begin
    for entry in entries:
        yield b": here\n\n" if entry is None else f"id: {entry['number']}\ndata: ".encode() + dumps(entry) + b"\n\n"
