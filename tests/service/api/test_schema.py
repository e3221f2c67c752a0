"""Requests made from the OpenAPI document itself, fitting and not: every answer must be one the document promises."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from redis import Redis
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service import openapi
from service.matches import is_id
from service.settings import Settings
from tests.service.api.conftest import GAMES, Player, finish, opened
from tests.service.api.test_bots import ME, TORTOISE, register

EXAMPLES = int(os.environ.get("CLIFFTOP_TEST_EXAMPLES", "25"))


def closed(schema: Any) -> Any:
    """Return a schema in which every object that says its fields has no others: nothing undocumented may be answered."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "properties" in result and isinstance(result["properties"], dict) and result.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def spec() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(openapi.text(GAMES))
    document["components"]["schemas"] = closed(document["components"]["schemas"])
    for item in document["paths"].values():
        for method, operation in item.items():
            for response in operation["responses"].values() if method != "parameters" else ():
                if "text/event-stream" in response.get("content", {}):
                    response["content"]["text/event-stream"]["schema"] = MESSAGE
    return document


#: What every message of a stream is, as these tests read one; the document can only say that a stream is text.
MESSAGE = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9]+$"},
        "event": {"type": "string"},
        "data": {"type": "string", "pattern": "^[{]"},
        "retry": {},
    },
    "additionalProperties": False,
}


class Present:
    """The application of the present test; requests are made for a document, not for an application."""

    app: Flask

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        return self.app(environ, start_response)


#: Complaints about what a schema cannot say: which characters are printable, and quotes in headers.
UNSAYABLE = "printable|If-Match"
PRESENT = Present()
DOCUMENT = schemathesis.openapi.from_dict(spec())
DOCUMENT.app = PRESENT
DOCUMENT.config.generation.modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@pytest.fixture(scope="module")
def viewers(redis_url: str) -> Iterator[list[Player]]:
    """Everybody who may look at a running, an open and an ended match."""
    chosen = Settings(redis_url=redis_url, wait_max_s=0.05, stream_keepalive_s=0.05)
    with Redis.from_url(redis_url) as redis, opened(chosen, redis) as service:
        redis.flushall()
        running, ended = service.table(3), service.table(2)
        finish(ended)
        waiting = service.create({"kind": "me"}, {"kind": "open"})
        delayed = service.table(spectator_delay_seconds=3600)[0]
        viewers = [*running, ended[0], waiting, delayed]
        viewers += [service.spectator(player.match) for player in (running[0], ended[0], waiting, delayed)]
        PRESENT.app = service.app
        yield viewers


def fits(case: Case) -> bool:
    """Return whether the request was made to fit the document."""
    return case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE


def misread(body: dict[str, Any]) -> bool:
    """Return whether a refusal says that the request does not fit, for a reason that the document says."""
    return body["code"] in ("invalid_request", "malformed_json", "unsupported_media_type") and not re.search(
        UNSAYABLE, str(body)
    )


@DOCUMENT.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)
def test_every_answer_is_promised(case: Case, viewers: list[Player]) -> None:
    viewer = viewers[zlib.crc32(repr((case.body, case.query)).encode()) % len(viewers)]
    if is_id(case.path_parameters.get("match_id", "")):
        case.path_parameters["match_id"] = viewer.match
    headers = {"Authorization": f"Bearer {viewer.token}"} if viewer.token and fits(case) else None
    response = case.call(headers=headers)
    # A request may fit the document and yet be refused for what it means (an illegal action, an unknown level), so the
    # check that whatever fits is accepted is made here: it may not be refused as unfitting.
    case.validate_response(response, headers=headers, excluded_checks=[positive_data_acceptance])
    if fits(case) and response.status_code in (400, 415, 422):
        assert not misread(response.json()), response.text


def test_every_answer_to_a_bot_is_promised(redis_url: str) -> None:
    chosen = Settings(redis_url=redis_url, wait_max_s=0.05, stream_keepalive_s=0.05)
    with Redis.from_url(redis_url) as redis, opened(chosen, redis) as service:
        redis.flushall()
        PRESENT.app = service.app
        bot = register(service, "tortoise", webhook="https://bot.example/")
        playing, ended, declined = (service.create(ME, TORTOISE).match for _ in range(3))
        for match in (playing, ended):
            bot.accept(match)
        bot.at(ended).post("/resignation", None)
        bot.decline(declined)
        waiting = service.create(ME, TORTOISE, {"kind": "open"}).match
        for method, path, parameters in [
            ("GET", "/v1/bots/me", {}),
            ("GET", "/v1/bots", {}),
            ("GET", "/v1/bots?game=toy", {}),
            ("GET", "/v1/bots/{bot}", {"bot": "tortoise"}),
            ("GET", "/v1/bots/me/invitations", {}),
            ("GET", "/v1/bots/me/events", {}),
            ("GET", "/v1/bots/me/events?after=0", {}),
            ("POST", "/v1/bots/me/webhook-secret", {}),
            ("POST", "/v1/bots/me/invitations/{match_id}/acceptance", {"match_id": waiting}),
            ("POST", "/v1/bots/me/invitations/{match_id}/refusal", {"match_id": waiting}),
            ("POST", "/v1/bots/me/key", {}),
        ]:
            route, _, query = path.partition("?")
            operation = DOCUMENT[route][method]
            case = operation.Case(path_parameters=parameters, query=dict([query.split("=")]) if query else {})
            response = case.call(headers=bot.headers())
            case.validate_response(response, headers=bot.headers())
            assert response.status_code == (404 if path.endswith("refusal") else 200), response.text
            if path.endswith("after=0"):
                assert {entry["type"] for entry in response.json()["entries"]} == {
                    "invited",
                    "uninvited",
                    "seated",
                    "turn",
                    "ended",
                }
