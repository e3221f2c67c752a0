"""Limits: how often somebody may ask. Every answer says how he stands with them, and a refusal which it was."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from flask import Flask, Response, g, request

from service.errors import Problem
from service.limits import Limiter, Standing, whose
from service.matches.errors import StoreUnavailable

log = logging.getLogger(__name__)

#: What only few may be made of in an hour, by the limit's name.
MADE = {"matches.create_match": "matches", "bots.register_bot": "bots"}


def install(app: Flask, limiter: Limiter) -> None:
    """Count every request to the API; nothing is done if there are no limits."""
    if not limiter.limits:
        return

    @app.before_request
    def _count() -> None:
        if not request.path.startswith("/v1/"):
            return
        try:
            g.standings = limiter.count(_asker())
        except StoreUnavailable as error:  # what is asked for will not be had either, and is refused by itself
            log.warning("a request is not counted: %s", error)
            return
        refused = [standing for standing in g.standings if not standing.allowed]
        if refused:
            raise _too_many(max(refused, key=lambda standing: standing.wait_s))

    @app.after_request
    def _tell(response: Response) -> Response:
        standings: Sequence[Standing] = g.get("standings", ())
        if standings:
            response.headers["RateLimit-Policy"] = ", ".join(_policy(standing) for standing in standings)
            response.headers["RateLimit"] = ", ".join(_standing(standing) for standing in standings)
        return response


def _asker() -> dict[str, str]:
    """Return for each limit who asks. A key counts as it is sent, so that nobody uses up another's by its name."""
    address = whose(request.remote_addr)
    who = {"address": address}
    sent = request.environ.get("HTTP_AUTHORIZATION")
    if sent is not None:
        who["key"] = sent
    if request.endpoint in MADE:
        who[MADE[request.endpoint]] = address
    return who


def _too_many(standing: Standing) -> Problem:
    limit = standing.limit
    time = "minute" if limit.window_s == 60 else "hour"
    detail = f"the limit {limit.name!r} is {limit.most} a {time}; try again in {standing.wait_s} s"
    headers = {"Retry-After": str(standing.wait_s)}
    return Problem("rate_limited", detail, headers, limit=limit.name, retry_after_s=standing.wait_s)


def _policy(standing: Standing) -> str:
    return f'"{standing.limit.name}";q={standing.limit.most};w={standing.limit.window_s}'


def _standing(standing: Standing) -> str:
    return f'"{standing.limit.name}";r={standing.left};t={standing.wait_s}'
