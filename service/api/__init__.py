"""The HTTP face: one blueprint and its schemas a resource; all it knows of matches it asks `service.matches.Matches`.

Views read, ask, and answer; no rule of a game, no Redis and no search in here. Refusals are in `service/errors.py`.
"""

from __future__ import annotations

from typing import Any

import flask_smorest
from apispec import APISpec
from flask import Flask
from marshmallow import fields

from service.api import (
    actions,
    analysis,
    bot_events,
    bots,
    events,
    games,
    hints,
    lobby,
    matches,
    ratings,
    seats,
    system,
    tournaments,
)
from service.api.inputs import Open, about

VERSION = "1"

_DESCRIPTION = """\
Four lemming card games over HTTP, with AI opponents.

* **Create** a match with `POST /v1/matches`; the answer holds your seat's token.
* **Look** with `GET /v1/matches/{match_id}`: with the token as your seat, without as a spectator.
  `legal_actions` are what you may do now.
* **Play** one of them, as it came, with `POST /v1/matches/{match_id}/actions`.
* **Wait** with `?wait=25` and `If-None-Match`, or follow `/events`.
* **Bots** register with `POST /v1/bots`, are invited by name to matches, and follow all of them with
  `GET /v1/bots/me/events`, or have a webhook called. Their key works wherever a seat's token does.

Where limits are set, every answer says in `RateLimit` how you stand with them, and one too many is refused with 429
`rate_limited`: `key` (requests with one key or token a minute), `address` (requests from one address a minute), `matches`
and `bots` (those created from one address an hour).

Every refusal is an `application/problem+json` answer with a stable `code`; `/problems` lists them all.
Unknown fields are refused. An address that does not exist is answered 404 `not_found`, a method that it does not
take 405 `method_not_allowed`.
"""


class ProblemSchema(Open):
    """A refusal (RFC 9457)."""

    type = fields.String(required=True, metadata={"description": "Where the code is explained.", "format": "uri-reference"})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, **about("What was wrong this time."))
    code = fields.String(required=True, **about("Stable, for programs."))
    errors = fields.Dict(**about("`invalid_request`: complaints by field."))
    legal_actions = fields.List(
        fields.Nested(matches.ActionSchema),
        **about("`illegal_action`: what is legal."),
    )
    version = fields.Integer(**about("The match's version."))
    retry_after_s = fields.Integer(**about("`too_many_guesses`, `rate_limited`: seconds to wait, as `Retry-After`."))


class Api(flask_smorest.Api):
    """flask-smorest, with the refusals left to `service.errors`."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """Register none: `service.errors.install` has done it."""


def install(app: Flask) -> APISpec:
    """Register every blueprint and answer the OpenAPI document they make."""
    app.config.update(API_TITLE="Clifftop", API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    options: dict[str, Any] = {
        "info": {"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": "/"}],
    }
    api = Api(app, spec_kwargs=options)
    scheme = {"type": "http", "scheme": "bearer", "description": "A seat's token, from creating a match or taking a seat."}
    api.spec.components.security_scheme("seat", scheme)
    scheme = {
        "type": "http",
        "scheme": "bearer",
        "description": "A bot's key, from `POST /v1/bots`; it opens its seats as well.",
    }
    api.spec.components.security_scheme("bot", scheme)
    scheme = {"type": "http", "scheme": "bearer", "description": "A tournament's token, from creating it."}
    api.spec.components.security_scheme("tournament", scheme)
    every = (games, ratings, matches, lobby, seats, actions, hints, events, analysis, bots, bot_events, tournaments, system)
    for module in every:
        api.register_blueprint(module.blueprint)
    return api.spec
