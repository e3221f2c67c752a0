"""Who asks, about which version, and whether it is the same request again: the headers all match resources share."""

from __future__ import annotations

import re
from typing import Any

from flask import request

from service.api.context import context
from service.bots import Bot
from service.bots.account import KEY_PREFIX
from service.bots.errors import BotKeyNeeded
from service.errors import Problem
from service.matches import Match, Request
from service.matches.errors import BadToken, SeatTokenNeeded

_TAG = re.compile(r'(?:W/)?"([0-9]{1,18})"')


def token() -> str | None:
    """Return the bearer token of the request; None when it has no `Authorization` at all.

    Raises:
        BadToken: another scheme, or no token in it: never a spectator by mistake.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, word = header.partition(" ")
    if scheme.lower() != "bearer" or not word.strip():
        raise BadToken("the Authorization header must be: Bearer <a seat's token or a bot's key>")
    return str(word.strip())


def match_and_seat(match_id: str) -> tuple[Match, int | None]:
    """Return a match, as far as the asker may see it, and the seat whose token, or whose bot's key, the request carries.

    The seat is None for a spectator.

    Raises:
        MatchNotFound, BadToken, BotNotSeated, MatchOutdated, StoreUnavailable
    """
    matches = context().matches
    try:
        sent = token()
    except BadToken:
        matches.get(match_id)  # that there is no such match is said first
        raise
    match, seat = matches.get_with(match_id, sent)
    return matches.shown_to(match, seat), seat


def need_seat(seat: int | None) -> int:
    """Return the seat, or refuse a spectator.

    Raises:
        SeatTokenNeeded
    """
    if seat is None:
        raise SeatTokenNeeded("this takes a seat's token, sent as: Authorization: Bearer <token>")
    return seat


def asking_bot() -> Bot:
    """Return the bot whose key the request carries.

    Raises:
        BotKeyNeeded: none, or a seat's token.
        BadToken: it looks like one, and is nobody's (any more).
    """
    sent = token()
    if sent is None or not sent.startswith(KEY_PREFIX):
        raise BotKeyNeeded("this takes a bot's key, sent as: Authorization: Bearer <key>")
    return context().guests.bots.by_key(sent)


def tag(version: int) -> str:
    """Return the entity tag of a version."""
    return f'"{version}"'


def seen_versions() -> list[int]:
    """Return the versions in `If-None-Match`, rising; empty without the header. Tags that are not ours match nothing."""
    header = request.environ.get("HTTP_IF_NONE_MATCH")
    return sorted(int(number) for number in _TAG.findall(header)) if header else []


def required_version() -> int | None:
    """Return the version in `If-Match`; None without the header or for `*`.

    Raises:
        Problem: `invalid_request`, for anything but one tag of ours.
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    found = _TAG.fullmatch(header.strip())
    if found is None:
        reason = 'Must be the ETag of one version, such as "12".'
        raise Problem("invalid_request", f"If-Match: {reason}", errors={"If-Match": [reason]})
    return int(found[1])


def repeatable(scope: str) -> Request | None:
    """Return what tells a repeated request from a new one; None without an `Idempotency-Key`.

    Args:
        scope: what the request does, since the same body may mean another thing elsewhere.

    Raises:
        BadRequestKey
    """
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    return Request.of(str(key), f"{scope}\n".encode() + request.get_data())


def watched(version: int, headers: dict[str, Any] | None = None) -> dict[str, str]:
    """Return the headers of an answer that depends on the match's version and on who asks."""
    return {
        "ETag": tag(version),
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
        **(headers or {}),
    }
