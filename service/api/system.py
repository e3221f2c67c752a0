"""HealthSchema, for whatever watches the processes."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.api.blueprint import Blueprint
from service.api.context import context
from service.api.inputs import Answer

blueprint = Blueprint("system", __name__, description="Health.")


class HealthSchema(Answer):
    """A sign of life."""

    status = fields.String(required=True)


@blueprint.route("/healthz")
@blueprint.refuses(limited=False)
@blueprint.response(200, HealthSchema, description="The process is alive.")
def healthz() -> dict[str, Any]:
    """Say whether this process is alive."""
    return {"status": "alive"}


@blueprint.route("/readyz")
@blueprint.refuses("store_unavailable", limited=False)
@blueprint.response(200, HealthSchema, description="Matches can be played.")
def readyz() -> dict[str, Any]:
    """Say whether matches can be played: the store answers."""
    context().matches.ping()
    return {"status": "ready"}
