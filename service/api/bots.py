"""Bots: their accounts, and their answers to invitations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import asking_bot, repeatable, watched
from service.api.blueprint import BOT_ONLY, Blueprint, json_response
from service.api.context import context
from service.api.cursors import cursor_field, limit_field, next_field, next_of, place_in
from service.api.inputs import Answer, Input, Whole, about
from service.api.matches import IDEMPOTENCY_KEY, VERSIONED, MatchSchema
from service.bots import SAME, Bot
from service.bots.account import ADDRESS_MAX, NAME_PATTERN
from service.matches.clock import timestamp
from service.matches.match import Json

blueprint = Blueprint("bots", __name__, url_prefix="/v1/bots", description="Bots: programs with an account and a key.")

KEY = "Its secret, told this once: send it as `Authorization: Bearer <key>`, here and wherever a seat's token goes."
SIGNS = "Signs what is sent to the webhook (Standard Webhooks, `whsec_...`); told this once."
MATCHES_MAX = "How many matches at a time it can be invited to or join."
NO_STORE = {"Cache-Control": "no-store"}
PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
#: What may be wrong with a request that only a bot makes.
BOTS_OWN = ("bad_token", "bot_key_needed", "store_unavailable")


def _games(**kwargs: Any) -> fields.List:
    described = about("Names from `GET /v1/games` that it plays, each once.")
    return fields.List(fields.String(), validate=validate.Length(min=1, max=64), **described, **kwargs)


def _webhook(**kwargs: Any) -> fields.String:
    described = about("An `https://` address that its events are sent to as well; null: none.")
    return fields.String(allow_none=True, validate=validate.Length(max=ADDRESS_MAX), **described, **kwargs)


class NewBotSchema(Input):
    """A bot to register."""

    name = fields.String(
        required=True,
        validate=validate.Regexp(NAME_PATTERN, error="Must be 3 to 32 small letters, digits and hyphens."),
        **about("Shown to everybody, and never given twice."),
    )
    games = _games(required=True)
    webhook = _webhook(load_default=None)
    matches_max = Whole(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=0),
        **about(f"{MATCHES_MAX} Without it, the most there is."),
    )


class BotChangeSchema(Input):
    """What is to be changed; the rest stays."""

    games = _games()
    webhook = _webhook()
    matches_max = Whole(validate=validate.Range(min=0), **about(MATCHES_MAX))


class BotSchema(Answer):
    """A bot, as everybody may know it."""

    name = fields.String(required=True)
    games = fields.List(fields.String(), required=True)
    created = fields.DateTime(required=True)
    matches = fields.Integer(required=True, **about("How many it has going."))


class WantedBotsSchema(Input):
    """Which bots, and where to go on in the list."""

    game = fields.String(load_default=None, **about("Only those that play this game."))
    cursor = cursor_field()
    limit = limit_field()


class BotListSchema(Answer):
    """A page of the list."""

    bots = fields.List(fields.Nested(BotSchema), required=True, **about("In the order of their names."))
    next = next_field()


class WebhookSchema(Answer):
    """A webhook, and how it is doing."""

    address = fields.String(required=True)
    failures = fields.Integer(required=True, **about("In a row, up to now."))
    trouble = fields.String(required=True, allow_none=True, **about("What went wrong the last time; null: nothing."))
    disabled = fields.DateTime(
        required=True,
        allow_none=True,
        **about("Since when nothing is sent any more, after too many failures; setting the webhook again starts it anew."),
    )


class OwnBotSchema(BotSchema):
    """A bot, as it knows itself."""

    matches_max = fields.Integer(required=True, **about(MATCHES_MAX))
    invitations = fields.Integer(required=True, **about("How many wait for its answer."))
    webhook = fields.Nested(WebhookSchema, required=True, allow_none=True)
    number = fields.Integer(required=True, **about("Of the last event in its log."))


class NewBotAnswerSchema(Answer):
    """The bot, and its secrets."""

    bot = fields.Nested(OwnBotSchema, required=True)
    key = fields.String(required=True, **about(KEY))
    webhook_secret = fields.String(required=True, allow_none=True, **about(SIGNS))


class BotChangedSchema(Answer):
    """The bot after the change."""

    bot = fields.Nested(OwnBotSchema, required=True)
    webhook_secret = fields.String(
        required=True, allow_none=True, **about(f"{SIGNS} Null if the webhook's address is what it was, or there is none.")
    )


class NewKeySchema(Answer):
    """A new key."""

    key = fields.String(required=True, **about(KEY))


class NewSecretSchema(Answer):
    """A new webhook secret."""

    webhook_secret = fields.String(required=True, **about(SIGNS))


class InvitationSchema(Answer):
    """A match that waits for the bot."""

    match = fields.Nested(MatchSchema, required=True)
    seat = fields.Integer(required=True, **about("The one that is kept for it."))
    until = fields.DateTime(required=True, allow_none=True, **about("By when it must have accepted."))


class InvitationsSchema(Answer):
    """Everything the bot is invited to."""

    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class AcceptedSchema(Answer):
    """The match, and the bot's seat in it."""

    match = fields.Nested(MatchSchema, required=True)
    seat = fields.Integer(required=True)


def shown(bot: Bot) -> Json:
    """Return what everybody is told of a bot."""
    return {**bot.to_json(), "matches": context().guests.bots.count(bot.name)[0]}


def shown_to_itself(bot: Bot) -> Json:
    """Return what a bot is told of itself."""
    going, invitations = context().guests.bots.count(bot.name)
    webhook = None if bot.webhook is None else bot.webhook.to_json()
    more = {"matches_max": bot.matches_max, "invitations": invitations, "webhook": webhook, "number": bot.number}
    return {**bot.to_json(), "matches": going, **more}


def _check_games(games: Sequence[str]) -> None:
    for game in games:
        context().matches.game(game)


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY])
@blueprint.refuses(
    "bot_name_taken", "bad_bot", "bad_webhook", "unknown_game", "bad_request_key", "store_unavailable", body=True
)
@blueprint.response(201, NewBotAnswerSchema, description="The bot and its key.")
@blueprint.arguments(NewBotSchema)
def register_bot(new: dict[str, Any]) -> Response:
    """Register a bot. Anybody may; the key in the answer is all that tells it from others."""
    _check_games(new["games"])
    bot, key = context().guests.bots.register(**new, request=repeatable("bot"))
    secret = None if bot.webhook is None else bot.webhook.secret
    body = {"bot": shown_to_itself(bot), "key": key, "webhook_secret": secret}
    return json_response(body, 201, {**NO_STORE, "Location": f"/v1/bots/{bot.name}"})


@blueprint.route("")
@blueprint.refuses("bad_cursor", "invalid_request", "store_unavailable")
@blueprint.response(200, BotListSchema, description="A page of the list.")
@blueprint.arguments(WantedBotsSchema, location="query")
def list_bots(query: dict[str, Any]) -> Response:
    """List bots by name, to find somebody to invite.

    A page may hold fewer than `limit`, even none, and yet not be the last: `next` says so.
    """
    bots, of = context().guests.bots, ("bots", query["game"])
    found, after = bots.find(query["game"], place_in(query["cursor"], *of), query["limit"])
    counts = bots.counts([bot.name for bot in found])
    entries = [{**bot.to_json(), "matches": count} for bot, count in zip(found, counts, strict=True)]
    return json_response({"bots": entries, "next": next_of(after, *of)})


@blueprint.route("/<bot>")
@blueprint.refuses("bot_not_found", "store_unavailable")
@blueprint.response(200, BotSchema, description="The bot.")
def show_bot(bot: str) -> Response:
    """Look at a bot."""
    return json_response(shown(context().guests.bots.get(bot)))


@blueprint.route("/me")
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN)
@blueprint.response(200, OwnBotSchema, description="The bot.")
def show_own_bot() -> Response:
    """Look at yourself: how many matches you have going, and how your webhook is doing."""
    return json_response(shown_to_itself(asking_bot()), headers=PRIVATE)


@blueprint.route("/me", methods=["PATCH"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN, "bad_bot", "bad_webhook", "unknown_game", body=True)
@blueprint.response(200, BotChangedSchema, description="The bot after it.")
@blueprint.arguments(BotChangeSchema)
def change_bot(change: dict[str, Any]) -> Response:
    """Change the games you play, your webhook, or how many matches you take at a time."""
    bot = asking_bot()
    _check_games(change.get("games", ()))
    chosen = {field: change.get(field, SAME) for field in ("games", "webhook", "matches_max")}
    after = context().guests.bots.update(bot, **chosen)
    fresh = after.webhook is not None and (bot.webhook is None or after.webhook.secret != bot.webhook.secret)
    secret = after.webhook.secret if fresh and after.webhook is not None else None
    return json_response({"bot": shown_to_itself(after), "webhook_secret": secret}, headers=NO_STORE)


@blueprint.route("/me", methods=["DELETE"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN)
@blueprint.response(204, description="It is gone.")
def remove_bot() -> Response:
    """Remove yourself for good: AIs play on in your seats, and your name is not given again."""
    context().invitations.retire(asking_bot())
    return Response(status=204, headers=NO_STORE)


@blueprint.route("/me/key", methods=["POST"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN)
@blueprint.response(200, NewKeySchema, description="The new key.")
def rotate_key() -> Response:
    """Get a new key. The one you send is dead at once, and streams that were opened with it end. No body is needed."""
    _, key = context().guests.bots.rotate(asking_bot())
    return json_response({"key": key}, headers=NO_STORE)


@blueprint.route("/me/webhook-secret", methods=["POST"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN, "webhook_missing")
@blueprint.response(200, NewSecretSchema, description="The new secret.")
def rotate_webhook_secret() -> Response:
    """Get a new webhook secret. For a day everything is signed with the old one as well. No body is needed."""
    bot = context().guests.bots.rotate_secret(asking_bot())
    assert bot.webhook is not None
    return json_response({"webhook_secret": bot.webhook.secret}, headers=NO_STORE)


@blueprint.route("/me/invitations")
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN, "match_outdated")
@blueprint.response(200, InvitationsSchema, description="The invitations, those that end first before the others.")
def list_invitations() -> Response:
    """See which matches wait for you."""
    matches = context().matches
    found = [
        {"match": matches.position(match, seat), "seat": seat, "until": timestamp(match.seats[seat].kept_until)}
        for match, seat in context().invitations.waiting(asking_bot())
    ]
    return json_response({"invitations": found}, headers=PRIVATE)


@blueprint.route("/me/invitations/<match_id>/acceptance", methods=["POST"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(
    *BOTS_OWN, "match_not_found", "match_outdated", "invitation_not_found", "bot_busy", "bot_does_not_play", unseated=True
)
@blueprint.response(200, AcceptedSchema, description="The match, and your seat.", headers=VERSIONED)
def accept_invitation(match_id: str) -> Response:
    """Accept an invitation; accepting once more changes nothing. No body is needed.

    The match starts when nobody else is waited for.
    """
    accepted = context().invitations.accept(asking_bot(), match_id)
    body = {"match": context().matches.position(accepted.match, accepted.seat), "seat": accepted.seat}
    return json_response(body, headers=watched(accepted.match.version))


@blueprint.route("/me/invitations/<match_id>/refusal", methods=["POST"])
@blueprint.doc(security=BOT_ONLY)
@blueprint.refuses(*BOTS_OWN, "match_not_found", "match_outdated", "invitation_not_found", unseated=True)
@blueprint.response(204, description="It is declined.")
def decline_invitation(match_id: str) -> Response:
    """Decline an invitation: the seat is open to everybody, and the others are told (`seat.declined`). No body is needed."""
    context().invitations.decline(asking_bot(), match_id)
    return Response(status=204, headers=NO_STORE)
