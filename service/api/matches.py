"""Creating matches and looking at them."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.asking import match_and_seat, repeatable, seen_versions, token, watched
from service.api.blueprint import SEAT_OR_SPECTATOR, Blueprint, json_response
from service.api.context import context
from service.api.inputs import Answer, Input, Number, Open, Plain, Text, Whole, YesNo, about
from service.matches import Created, Match, SeatRequest
from service.matches.checks import EXPIRY_MAX_S, EXPIRY_MIN_S, SPECTATOR_DELAY_MAX_S
from service.matches.index import STATUSES
from service.matches.seats import NAME_MAX

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="Matches: creating, looking, waiting.")

NAME = "Shown to everybody."
PASSING = "Pass at once in a reaction window when the seat can only pass. It shows, by its speed."
EXPIRES = "When the match is forgotten if nothing happens."
RATED = "Whether it counts for ratings, if only AIs and bots, all different, play it from the deal to the end."
TOURNAMENT = "The tournament it belongs to."
SEEDED = "The creator chose the seed, and so can know every card."


class SeatWishSchema(Input):
    """A seat as the creator of a match asks for it."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(["me", "open", "ai", "bot"]),
        **about(
            "`me`: yours, at most once; `open`: for whoever takes it; `ai`: an AI plays, of `level` or `elo`; `bot`: the bot "
            "of that name is invited."
        ),
    )
    name = Text(load_default="", validate=validate.Length(max=NAME_MAX), **about(NAME))
    level = Whole(load_default=None, **about("Strength of the AI; `GET /v1/games/{game}` lists them."))
    elo = Number(load_default=None, allow_none=True, **about("The same as an Elo rating, within the range of the levels'."))
    auto_pass = YesNo(
        load_default=False,
        **about(PASSING),
    )
    bot = fields.String(
        load_default=None, allow_none=True, validate=validate.Length(max=40), **about("Name of the bot that is invited.")
    )


class NewMatchSchema(Input):
    """A match to create."""

    game = fields.String(required=True, **about("Its name from `GET /v1/games`."))
    seats = fields.List(
        fields.Nested(SeatWishSchema),
        required=True,
        validate=validate.Length(min=1, max=16),
        **about("One for each place at the table, in order of seats."),
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        **about("The game's options; what is left out has its default."),
    )
    turn_seconds = Number(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=1, max=86400 * 30),
        **about("How long a player has for a decision; without it, as long as it takes."),
    )
    on_timeout = fields.String(
        load_default="ai",
        validate=validate.OneOf(["ai", "move", "resign"]),
        **about("When the time is up: an AI takes the seat over, one quick move is made, or the seat resigns."),
    )
    reaction_seconds = Number(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=1, max=3600),
        **about("How long a player has in a reaction window; silence is a pass."),
    )

    rated = YesNo(
        load_default=None,
        allow_none=True,
        **about("Whether it counts for ratings; without it, it does unless you choose the `seed`."),
    )
    seed = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Regexp("^[0-9a-f]{64}$", error="Must be 64 hexadecimal digits, in small letters."),
        **about("The deal's secret seed, in a match that is not rated: whoever knows it can know every card. For tests."),
    )
    private = YesNo(
        load_default=False,
        **about("Not listed, and a seat is only for those who know the `join_code` that is answered."),
    )
    spectator_delay_seconds = Number(
        load_default=0,
        validate=validate.Range(min=0, max=SPECTATOR_DELAY_MAX_S),
        **about("How much later than the seats spectators see what happens, until the match is over."),
    )
    draws = YesNo(
        load_default=False,
        **about("Whether the players may agree on a draw, in which nobody wins. AIs decline every draw."),
    )
    expiry_seconds = Whole(
        load_default=None,
        allow_none=True,
        validate=validate.Range(min=EXPIRY_MIN_S, max=EXPIRY_MAX_S),
        **about("How long the match is kept after its last change until it is over, if shorter than usual; see `expires`."),
    )


class SeatSchema(Answer):
    """Who sits in a seat."""

    seat = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["me", "open", "ai", "bot"]))
    name = fields.String(required=True)
    level = Plain(**about("Of an AI; between two levels where it was asked for by Elo."))
    elo = Plain(**about("What an AI was asked for by."))
    stand_in = fields.Integer(**about("Level of the AI that plays while the seat's player is away."))
    bot = fields.String(**about("Name of the bot that sits here; of an open seat, of the bot that is invited to it."))


class OutcomeSchema(Answer):
    """How a match ended."""

    reason = fields.String(required=True, **about("One of the game's `reasons`, or `resigned`, `time_over` or `draw_agreed`."))
    winners = fields.List(fields.Integer(), required=True, **about("Seats; several share the win, none if nobody won."))
    ranking = fields.List(fields.Integer(), required=True, **about("Place of each seat, 1 the best."))
    points = fields.List(fields.Integer(), **about("Of each seat, where the game has points."))


class ActionSchema(Open):
    """One decision in a game: a `type` and what it takes. Each game has its own; `legal_actions` lists those you may send.

    Send an action back exactly as it came.
    """

    type = fields.String(required=True, **about("What kind of decision it is."))


class MatchSchema(Answer):
    """A match as the asking seat, or a spectator, may see it."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    edition = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), required=True, **about("The game's, complete."))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    version = fields.Integer(required=True, **about("Counts the changes of the match; also its `ETag`."))
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    seat = fields.Integer(required=True, allow_none=True, **about("Yours; null for a spectator."))
    auto_pass = fields.Boolean(
        required=True, allow_none=True, **about("Whether your seat passes by itself; null for a spectator.")
    )
    awaiting = fields.List(fields.Integer(), required=True, **about("Seats that must decide now."))
    deadline = fields.DateTime(
        required=True,
        allow_none=True,
        **about("By when your seat must have decided; null: no hurry."),
    )
    view = fields.Dict(
        required=True,
        allow_none=True,
        **about("The game as you may see it; null before the deal."),
    )
    legal_actions = fields.List(
        fields.Nested(ActionSchema),
        required=True,
        **about("What your seat may do now."),
    )
    outcome = fields.Nested(OutcomeSchema, required=True, allow_none=True)
    turn_seconds = fields.Float(required=True, allow_none=True)
    on_timeout = fields.String(required=True)
    reaction_seconds = fields.Float(required=True)
    seed_hash = fields.String(required=True, **about("SHA-256 of the secret seed the deal comes from; the record shows it."))
    created = fields.DateTime(required=True)
    changed = fields.DateTime(required=True)
    expires = fields.DateTime(required=True, **about(EXPIRES))
    tournament = fields.String(required=True, allow_none=True, **about(TOURNAMENT))
    rated = fields.Boolean(required=True, **about(RATED))
    seeded = fields.Boolean(required=True, **about(SEEDED))
    private = fields.Boolean(required=True, **about("Whether it takes a code to join."))
    join_code = fields.String(
        required=True, allow_none=True, **about("For others who shall join; told to seats while the match is open.")
    )
    spectator_delay_seconds = fields.Float(required=True, **about("How much later spectators see what happens."))
    draws = fields.Boolean(required=True, **about("Whether the players may agree on a draw."))
    draw_offers = fields.List(fields.Integer(), required=True, **about("Seats that offer a draw now."))
    rematch = fields.String(required=True, allow_none=True, **about("The match that is played again for this one."))
    rematch_of = fields.String(required=True, allow_none=True, **about("The match it is played again for."))


class TurnSchema(Answer):
    """Whose turn it is."""

    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    seat = fields.Integer(required=True, allow_none=True, **about("Yours; null for a spectator."))
    awaiting = fields.List(fields.Integer(), required=True, **about("Seats that must decide now."))
    your_turn = fields.Boolean(required=True, **about("Whether yours is one of them."))
    deadline = fields.DateTime(required=True, allow_none=True, **about("By when your seat must have decided; null: no hurry."))
    expires = fields.DateTime(required=True, **about(EXPIRES))


class SeatTakenSchema(Answer):
    """A match and the seat you got in it."""

    match = fields.Nested(MatchSchema, required=True)
    seat = fields.Integer(required=True, allow_none=True, **about("Yours; null if you asked for none."))
    token = fields.String(
        required=True,
        allow_none=True,
        **about(
            "Your seat's secret, told this once: send it as `Authorization: Bearer <token>`. Null for a bot, whose key it is."
        ),
    )
    join_code = fields.String(
        required=True, allow_none=True, **about("What others need to join a private match; null for a public one.")
    )


class WaitSchema(Input):
    """How long to wait for something new."""

    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=25),
        **about("With `If-None-Match`: seconds to wait for a newer version before 304 is answered."),
    )


IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "description": "The `ETag` of the version you know: 304 if there is none newer.",
    "schema": {"type": "string"},
    "example": '"12"',
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "Your name for this request, at most 200 characters (16 or more without a seat token): sent again with the "
    "same body it is granted once and answered the same.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
}
VERSIONED = {
    "ETag": {"description": "The version, quoted.", "schema": {"type": "string"}},
    "Vary": {"description": "`Authorization`.", "schema": {"type": "string"}},
}


def shown(match: Match, seat: int | None) -> bytes:
    """Return the body that shows a match to a seat (None: a spectator)."""
    here = context()
    return here.bodies.get("match", match, seat, here.matches.position)


def taken(created: Created) -> Response:
    """Return the answer to whoever has just created a match or taken a seat."""
    matches, match = context().matches, created.match
    body = {"match": matches.position(match, created.seat), "seat": created.seat, "token": created.token}
    body["join_code"] = match.join_code
    where = {"Location": f"/v1/matches/{match.id}", "Cache-Control": "no-store"}
    return json_response(body, 201, watched(match.version, where))


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[IDEMPOTENCY_KEY], security=[{}, {"bot": []}])
@blueprint.refuses(
    "unknown_game",
    "bad_options",
    "bad_seats",
    "unknown_level",
    "unknown_bot",
    "bot_does_not_play",
    "bot_busy",
    "bad_token",
    "bad_request_key",
    "request_reused",
    "store_unavailable",
    body=True,
)
@blueprint.response(
    201, SeatTakenSchema, description="The match, and your seat and its token if you asked for one.", headers=VERSIONED
)
@blueprint.arguments(NewMatchSchema)
def create_match(new: dict[str, Any]) -> Response:
    """Create a match.

    It starts at once when no seat is open, else when the last open seat is taken. Bots are invited, and the match waits for
    their answers; the seat of a bot that declines, or does not answer in time, is open to everybody. With a bot's key, `me`
    is the bot.
    """
    creator = context().matches.bot_of(token())
    created = context().matches.create(
        new["game"],
        new["options"],
        [SeatRequest(**seat) for seat in new["seats"]],
        turn_seconds=new["turn_seconds"],
        on_timeout=new["on_timeout"],
        reaction_seconds=new["reaction_seconds"],
        seed=None if new["seed"] is None else bytes.fromhex(new["seed"]),
        rated=new["rated"],
        private=new["private"],
        spectator_delay_seconds=new["spectator_delay_seconds"],
        expiry_seconds=new["expiry_seconds"],
        draws=new["draws"],
        request=repeatable("create"),
        creator=creator,
    )
    return taken(created)


@blueprint.route("/<match_id>")
@blueprint.doc(parameters=[IF_NONE_MATCH], security=SEAT_OR_SPECTATOR)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "invalid_request", "store_unavailable")
@blueprint.alt_response(304, description="Nothing newer than `If-None-Match`.", headers=VERSIONED, success=True)
@blueprint.response(200, MatchSchema, description="The match as you may see it.", headers=VERSIONED)
@blueprint.arguments(WaitSchema, location="query")
def show_match(query: dict[str, Any], match_id: str) -> Response:
    """Look at a match: as your seat with its token, as a spectator without.

    With `?wait=25` and `If-None-Match` the answer comes as soon as there is a newer version.
    """
    match, seat = match_and_seat(match_id)
    seen = seen_versions()
    if match.version in seen and query["wait"]:
        seconds = min(query["wait"], context().settings.wait_max_s)
        match = context().matches.wait(match_id, match.version, seconds, seat, known=match)
    if match.version in seen:
        return Response(status=304, headers=watched(match.version))
    return json_response(shown(match, seat), headers=watched(match.version))


@blueprint.route("/<match_id>/turn")
@blueprint.doc(parameters=[IF_NONE_MATCH], security=SEAT_OR_SPECTATOR)
@blueprint.refuses("match_not_found", "match_outdated", "bad_token", "store_unavailable")
@blueprint.alt_response(304, description="Nothing newer than `If-None-Match`.", headers=VERSIONED, success=True)
@blueprint.response(200, TurnSchema, description="Whose turn it is.", headers=VERSIONED)
def show_turn(match_id: str) -> Response:
    """Ask whose turn it is: cheap, for those who ask again and again."""
    match, seat = match_and_seat(match_id)
    if match.version in seen_versions():
        return Response(status=304, headers=watched(match.version))
    here = context()
    return json_response(here.bodies.get("turn", match, seat, here.matches.turn), headers=watched(match.version))
