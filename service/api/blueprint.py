"""What all blueprints share: reading bodies and queries by schema, and documenting every answer and refusal.

flask-smorest collects the OpenAPI document from the decorators; reading is our own, because a body must be told apart as
too large, not JSON, and not fitting, each with its own problem, and because the play endpoint is counted in microseconds.
"""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import flask_smorest
from flask import Response, request
from marshmallow import Schema, ValidationError

from service import errors
from service.errors import PROBLEMS, Problem
from service.matches.wire import dumps

View = TypeVar("View", bound=Callable[..., Any])

#: The OpenAPI security of an operation that seats and spectators may use, and of one for seats only; a bot's key opens the
#: seat the bot has.
SEAT_OR_SPECTATOR: list[dict[str, list[str]]] = [{}, {"seat": []}, {"bot": []}]
SEAT_ONLY: list[dict[str, list[str]]] = [{"seat": []}, {"bot": []}]
#: And of one for bots only.
BOT_ONLY: list[dict[str, list[str]]] = [{"bot": []}]

RETRY_AFTER = {"Retry-After": "Seconds to wait."}
RATE_LIMIT = {
    "RateLimit-Policy": "Where there are limits: each with its name, how many (`q`) in how many seconds (`w`).",
    "RateLimit": "Where there are limits: of each how many are left (`r`), and when they are back, in seconds (`t`).",
}
_ALWAYS = ("internal_error",)
_WITH_BODY = ("malformed_json", "body_too_large", "unsupported_media_type", "invalid_request")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise ValueError(f"{text} is out of range")
    return number


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


def parse_json(raw: bytes) -> Any:
    """Return what a body says.

    Raises:
        Problem: `malformed_json`; also for NaN, numbers beyond a double, unpaired surrogates and nesting without end.
    """
    try:
        data = _STRICT.decode(raw.decode())
        if b"\\u" in raw:
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise Problem("malformed_json", f"the body is not JSON: {reason}") from None
    return data


def read_body() -> Any:
    """Return the JSON body of the request.

    Raises:
        Problem: `unsupported_media_type`, `malformed_json`. (`body_too_large` comes from reading itself.)
    """
    raw = request.get_data()
    if not request.is_json:
        sent = request.mimetype or "nothing"
        raise Problem("unsupported_media_type", f"the body must be sent as application/json, not as {sent}")
    return parse_json(raw)


def load(schema: Schema, data: Any, where: str) -> Any:
    """Return data checked by a schema.

    Raises:
        Problem: `invalid_request`, with `errors` by field.
    """
    try:
        return schema.load(data)
    except ValidationError as error:
        messages = error.messages if isinstance(error.messages, dict) else {"_schema": error.messages}
        raise Problem("invalid_request", f"the {where} does not fit: {_first(messages)}", errors=messages) from None


def _first(messages: Any, path: str = "") -> str:
    """Return the first complaint of a marshmallow message tree as `path: reason`."""
    if isinstance(messages, Mapping):
        key, inner = next(iter(messages.items()))
        return _first(inner, path if key == "_schema" else f"{path}.{key}".lstrip("."))
    reason = str(messages[0] if isinstance(messages, list) else messages)
    return f"{path}: {reason}" if path else reason


class _Reader:
    """Stands where flask-smorest expects a webargs parser."""

    DEFAULT_VALIDATION_STATUS = 422

    def use_args(self, schema: type[Schema], *, location: str) -> Callable[[View], View]:
        """Return a decorator that passes the read body or query as the last positional argument."""
        instance = schema()
        read = self._json if location == "json" else self._query(instance)

        def decorate(view: View) -> View:
            @functools.wraps(view)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                return view(*args, read(instance), **kwargs)

            return cast(View, wrapper)

        return decorate

    @staticmethod
    def _json(schema: Schema) -> Any:
        return load(schema, read_body(), "body")

    @staticmethod
    def _query(schema: Schema) -> Callable[[Schema], Any]:
        defaults = schema.load({})

        def read(schema: Schema) -> Any:
            return load(schema, request.args.to_dict(), "query") if request.query_string else defaults

        return read


class Blueprint(flask_smorest.Blueprint):
    """A flask-smorest blueprint with our reader and our way to document refusals."""

    ARGUMENTS_PARSER = _Reader()

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register a view; its function's name is the operation's id."""

        def decorate(view: View) -> View:
            named = self.doc(operationId=view.__name__)(view)
            return cast(View, super(Blueprint, self).route(rule, **options)(named))

        return decorate

    @staticmethod
    def doc(*, parameters: Sequence[Mapping[str, Any]] = (), **kwargs: Any) -> Callable[[View], View]:
        """Describe an operation; `parameters` come beside those that `arguments` describes."""
        described = flask_smorest.Blueprint.doc(**kwargs)

        def decorate(view: View) -> View:
            wrapper = described(view)
            if parameters:
                wrapper._apidoc.setdefault("arguments", {}).setdefault("parameters", []).extend(copy.deepcopy(list(parameters)))
            return cast(View, wrapper)

        return decorate

    def refuses(self, *codes: str, body: bool = False, unseated: bool = False, limited: bool = True) -> Callable[[View], View]:
        """Document every problem an operation answers with.

        Args:
            codes: of `PROBLEMS`; what any operation can answer is added, and what any operation of a match can.
            body: whether the operation reads a body.
            unseated: whether a bot may do it that has no seat in the match.
            limited: whether it is counted against limits.
        """
        added = ["bot_not_seated"] if {"match_not_found", "bad_token"} <= {*codes} and not unseated else []
        added += ["rate_limited"] if limited else []
        every = [*codes, *added, *_ALWAYS, *(code for code in _WITH_BODY if body and code not in codes)]
        by_status: dict[int, list[str]] = {}
        for code in every:
            by_status.setdefault(PROBLEMS[code].status, []).append(code)
        responses = {str(status): _documented(status, by_status[status]) for status in sorted(by_status)}
        return self.doc(responses=responses)


def _documented(status: int, codes: list[str]) -> dict[str, Any]:
    """Return the OpenAPI response of one status with an example for each code."""
    examples = {
        code: {
            "summary": PROBLEMS[code].title,
            "value": {
                "type": f"/problems#{code}",
                "title": PROBLEMS[code].title,
                "status": status,
                "detail": PROBLEMS[code].meaning,
                "code": code,
            },
        }
        for code in codes
    }
    headers = {401: {"WWW-Authenticate": "Says `Bearer`."}, 429: RETRY_AFTER | RATE_LIMIT, 503: RETRY_AFTER}.get(status, {})
    return {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].meaning}" for code in codes),
        "content": {errors.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}},
        "headers": {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()},
    }


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a body that is JSON-able already as a response, without a schema."""
    raw = body if isinstance(body, bytes) else dumps(body)
    return Response(raw, status, headers, content_type="application/json")
