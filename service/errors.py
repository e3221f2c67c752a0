"""Every refusal the service makes: one table of stable codes, answered as RFC 9457 `application/problem+json`.

`service/matches` raises `MatchError`s that know a code and no HTTP; here each code gets its status and title. Nothing an
unforeseen exception says ever reaches a client.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from service.matches.errors import MatchError

log = logging.getLogger(__name__)

Json: TypeAlias = Mapping[str, Any]

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True)
class Kind:
    """One kind of refusal.

    Attributes:
        status: the HTTP status it is answered with.
        title: what it is, the same for every occurrence.
        meaning: when it happens and what to do, for the page of problems and the OpenAPI document.
    """

    status: int
    title: str
    meaning: str


#: Every code there is. A code keeps its meaning for good; `detail` says what was wrong this time.
PROBLEMS: dict[str, Kind] = {
    # The request as such
    "bad_request": Kind(400, "Bad request", "The request is not valid HTTP for this service."),
    "malformed_json": Kind(400, "Malformed JSON", "The body is not JSON (RFC 8259) in UTF-8."),
    "not_found": Kind(404, "Not found", "There is nothing at this address; `/docs` lists what there is."),
    "method_not_allowed": Kind(405, "Method not allowed", "The address exists; the `Allow` header lists its methods."),
    "body_too_large": Kind(413, "Body too large", "No body may be larger than `limit_bytes`."),
    "unsupported_media_type": Kind(415, "Unsupported media type", "Bodies are sent as `Content-Type: application/json`."),
    "invalid_request": Kind(
        422, "Invalid request", "A body, query or header that does not fit its schema; `errors` names each field and why."
    ),
    "request_reused": Kind(
        422, "Idempotency key reused", "This `Idempotency-Key` was used for another request; take a fresh one."
    ),
    "bad_request_key": Kind(
        422, "Bad idempotency key", "An `Idempotency-Key` has 1 to 200 characters, and at least 16 where no seat token is sent."
    ),
    "rate_limited": Kind(
        429, "Too many requests", "A limit was reached; `limit` says which. Try again after `Retry-After` seconds."
    ),
    "internal_error": Kind(500, "Internal error", "A fault of the service, which has been logged. Nothing was half-written."),
    "store_unavailable": Kind(
        503, "Store unavailable", "The store does not answer. Nothing was half-written; try again after `Retry-After` seconds."
    ),
    # Games
    "game_not_found": Kind(404, "Game not found", "No game has this name; `GET /v1/games` lists them."),
    "edition_not_found": Kind(404, "Edition not found", "The game has no such edition; `GET /v1/games/{game}` lists them."),
    "rating_not_found": Kind(
        404, "Rating not found", "Nobody of this name (`ai:<level>`, `bot:<name>`) has played a rated match of this game."
    ),
    # Creating a match and taking seats
    "unknown_game": Kind(422, "Unknown game", "No game has this name; `GET /v1/games` lists them."),
    "bad_options": Kind(422, "Bad options", "An option the game does not have, or a value it cannot take; `option` names it."),
    "bad_seats": Kind(422, "Bad seats", "A number or a kind of seats the game or the service does not take."),
    "unknown_level": Kind(422, "Unknown level", "No AI has this level; `GET /v1/games/{game}` lists them."),
    "no_open_seat": Kind(409, "No open seat", "Every seat of the match is taken."),
    "seat_taken": Kind(409, "Seat taken", "Somebody already has this seat."),
    "match_not_open": Kind(409, "Match not open", "The match has begun or was given up; `match_status` says which."),
    "join_code_needed": Kind(403, "Join code needed", "The match is private: send its `join_code`."),
    "bad_join_code": Kind(403, "Bad join code", "This is not the code of this private match."),
    "too_many_guesses": Kind(
        429, "Too many guesses", "Join codes of this match were tried too often; try again after `Retry-After` seconds."
    ),
    # Who asks
    "match_not_found": Kind(404, "Match not found", "No match has this id, or it has expired."),
    "bad_token": Kind(
        401,
        "Bad token",
        "The `Authorization` header holds no token of this match or tournament, and no valid key of a bot.",
    ),
    "bot_key_needed": Kind(401, "Bot key needed", "Only a bot can do this: send its key as `Authorization: Bearer <key>`."),
    "bot_not_seated": Kind(
        403, "Bot not seated", "The key is a bot's that has no seat in this match and is not invited to it."
    ),
    "seat_token_needed": Kind(
        401, "Seat token needed", "Only a seat can do this: send its token as `Authorization: Bearer <token>`."
    ),
    "not_your_seat": Kind(403, "Not your seat", "The token is another seat's."),
    "seat_not_found": Kind(404, "Seat not found", "The match has no such seat; `seats` says how many it has."),
    "match_outdated": Kind(
        410, "Match outdated", "The match was begun with another release of its game or edition and cannot be read any more."
    ),
    # Bots
    "bot_not_found": Kind(404, "Bot not found", "There is no bot of this name, or it was removed."),
    "bot_name_taken": Kind(409, "Bot name taken", "There is or was a bot of this name; names are given once."),
    "bad_bot": Kind(422, "Bad bot", "A name, games or a limit that a bot cannot have; `field` says which."),
    "bad_webhook": Kind(
        422,
        "Bad webhook",
        "Webhooks are sent to `https://` addresses on the public internet (and others where that is allowed).",
    ),
    "webhook_missing": Kind(409, "No webhook", "The bot has no webhook; set one with `PATCH /v1/bots/me`."),
    "unknown_bot": Kind(422, "Unknown bot", "No bot has the name given for a seat; `bot` is the name."),
    "bot_does_not_play": Kind(422, "Bot does not play this", "The bot plays other games; `games` lists them."),
    "bot_busy": Kind(409, "Bot busy", "The bot has as many matches or invitations as it takes at a time, `limit` of them."),
    "bot_seated": Kind(409, "Bot seated already", "A bot has one seat in a match at most; `seat` is the one it has."),
    "invitation_not_found": Kind(404, "Invitation not found", "The bot is not invited to this match, or not any more."),
    # Following
    "bad_cursor": Kind(
        422,
        "Bad cursor",
        "A place in another log, which has not come so far (`version`, of a bot's log `number`, is the newest), or in another "
        "list or one with other filters; begin again without.",
    ),
    "version_not_found": Kind(404, "Version not found", "The match never was at this version; `version` is the newest."),
    "match_not_over": Kind(
        409, "Match not over", "Only once a match has been played to its end; `match_status` says how it is."
    ),
    # Playing
    "match_not_running": Kind(409, "Match not running", "The match waits for players or has ended; `match_status` says which."),
    "not_your_decision": Kind(409, "Not your decision", "The seat has nothing to decide now; `awaiting` lists who has."),
    "stale_version": Kind(
        409, "Stale version", "The seat's present decision began later, at `since`: read the match again and decide anew."
    ),
    "unreadable_action": Kind(
        422,
        "Unreadable action",
        "Not an action of this game: something is missing, unknown or out of range; `index` is its place.",
    ),
    "illegal_action": Kind(
        422, "Illegal action", "The rules do not allow this action now; `legal_actions` lists what they allow."
    ),
    "reveals": Kind(
        422,
        "Sequence goes too far",
        "An earlier action shows something new or ends the seat's turn; send the rest after it.",
    ),
    # Tournaments
    "tournament_not_found": Kind(404, "Tournament not found", "No tournament has this id, or it has expired."),
    "tournament_token_needed": Kind(
        401, "Tournament token needed", "Only its creator can do this, with the token that creating it answered."
    ),
    "tournament_not_running": Kind(
        409, "Tournament not running", "The tournament is over or was aborted; `match_status` says which."
    ),
    "bad_entrants": Kind(
        422, "Bad entrants", "Too few for the seats of a match, twice the same, or not an AI or a bot; `entrant` says which."
    ),
    "tournament_too_large": Kind(
        422, "Tournament too large", "It would have `matches` matches, and may have `limit`: fewer entrants, or fewer rounds."
    ),
    "too_many_tournaments": Kind(429, "Too many tournaments", "As many tournaments are running as may, `limit` of them."),
    # Draws
    "no_draws": Kind(
        409, "No draws", "The match was created without `draws`, or an AI plays (`ai_seats`), which declines every draw."
    ),
    "no_draw_offer": Kind(409, "No draw offered", "Nobody has offered a draw, or the offers have lapsed."),
    # Hints
    "hint_running": Kind(
        409, "Hint running", "A hint for the seat is being thought about; `version` says where to look for it."
    ),
    "hint_limit": Kind(429, "No hints left", "The seat has had all the hints it gets in this match, `limit` of them."),
    "hint_not_found": Kind(
        404, "Hint not found", "The seat has asked for no hint about this version of the match, or it has expired."
    ),
}

_BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
}


class Problem(Exception):
    """A refusal made by the HTTP layer itself.

    Args:
        code: one of `PROBLEMS`.
        detail: what was wrong this time, a sentence.
        headers: extra headers of the answer.
        **extra: further members of the answer.
    """

    def __init__(self, code: str, detail: str, headers: Json | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.headers = headers or {}
        self.extra = extra


def answer(
    code: str, detail: str, extra: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Return one problem as a response."""
    kind = PROBLEMS[code]
    body = {
        "type": f"/problems#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
        **(extra or {}),
    }
    response = Response(json.dumps(body, separators=(",", ":")), kind.status, mimetype=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    if kind.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="seat"'
    if kind.status == 503:
        response.headers["Retry-After"] = "1"
    response.headers.update(headers or {})
    return response


def install(app: Flask) -> None:
    """Let every error of `app` be answered as a problem."""

    @app.errorhandler(Problem)
    def _problem(error: Problem) -> Response:
        return answer(error.code, error.detail, error.extra, error.headers)

    @app.errorhandler(MatchError)
    def _match_error(error: MatchError) -> Response:
        # A match's `status` is not the answer's.
        extra = {"match_status" if name == "status" else name: value for name, value in error.extra.items()}
        later = error.extra.get("retry_after_s")
        return answer(error.code, error.detail, extra, None if later is None else {"Retry-After": str(later)})

    @app.errorhandler(HTTPException)
    def _http_error(error: HTTPException) -> Response:
        return _from_werkzeug(app, error)

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        return answer("internal_error", "the service could not answer this request; the fault has been logged")


def _from_werkzeug(app: Flask, error: HTTPException) -> Response:
    """Return the problem that an error of Flask or Werkzeug means."""
    status = error.code or 500
    if status < 400:  # a redirect
        return cast(Response, error.get_response())
    code = _BY_STATUS.get(status, "bad_request" if status < 500 else "internal_error")
    headers = {name: ", ".join(sorted(value.split(", "))) for name, value in error.get_headers() if name == "Allow"}
    if code == "body_too_large":
        limit = app.config["MAX_CONTENT_LENGTH"]
        return answer(code, f"a body may have {limit} bytes at most", {"limit_bytes": limit})
    if code == "not_found":
        return answer(code, "there is nothing at this address; /docs lists what there is")
    if code == "method_not_allowed":
        return answer(
            code, f"this address does not take {request.method}; it takes {headers.get('Allow', 'nothing')}", None, headers
        )
    return answer(code, PROBLEMS[code].meaning, None, headers)
