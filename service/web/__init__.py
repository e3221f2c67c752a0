"""The pages people see: the front page, the problem codes, and the API documentation, which works without the internet."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from apispec import APISpec
from flask import Blueprint, Flask, Response, render_template, request, send_from_directory

from service.api.context import context
from service.errors import PROBLEMS
from service.openapi import document, examples, opening

blueprint = Blueprint("web", __name__)

#: Pages take nothing from other addresses. (Swagger UI styles its elements inline.)
_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"


def _swagger_ui() -> Path:
    """Return the folder of the Swagger UI distribution that comes with the wheel `flask-swagger-ui`."""
    found = find_spec("flask_swagger_ui")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "dist"


def _page(template: str, **facts: Any) -> Response:
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    return Response(render_template(template, **facts), mimetype="text/html", headers=headers)


@blueprint.get("/")
def index() -> Response:
    """Show what this is, the games, and how to start a match."""
    games = context().games
    first = next(iter(games.values()))
    facts = {
        "games": list(games.values()),
        "root": request.host_url.rstrip("/"),
        "create": json.dumps(opening(first)),
        "action": json.dumps(next(iter(examples(first).values()))),
    }
    return _page("index.html", **facts)


@blueprint.get("/problems")
def problems() -> Response:
    """Show every problem code."""
    return _page("problems.html", problems=PROBLEMS)


@blueprint.get("/docs")
def docs() -> Response:
    """Show the API documentation."""
    return _page("docs.html")


@blueprint.get("/docs/<path:name>")
def docs_asset(name: str) -> Response:
    """Send a file of Swagger UI."""
    return send_from_directory(_swagger_ui(), name, max_age=86400)


def install(app: Flask, spec: APISpec) -> None:
    """Register the pages and `/openapi.json`."""
    app.register_blueprint(blueprint)

    @cache
    def text() -> str:
        return json.dumps(document(spec, app.extensions["clifftop"].games), ensure_ascii=False)

    @app.get("/openapi.json")
    def _openapi() -> Response:
        return Response(text(), mimetype="application/json", headers={"Cache-Control": "no-cache"})
