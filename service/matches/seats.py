"""Seats: who may be asked for, who takes which, and the tokens that open them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from service.matches.errors import BadToken
from service.matches.match import Kind, Match

NAME_MAX = 40


@dataclass(frozen=True)
class SeatRequest:
    """A seat as the creator of a match asks for it.

    Attributes:
        kind: "me" (the creator), "open", "ai" or "bot".
        name: "" for a name of ours.
        level: the AI's level ("ai").
        auto_pass: see `Seat`.
    """

    kind: Kind
    name: str = ""
    level: int | None = None
    auto_pass: bool = False


def new_token() -> str:
    """Return a fresh seat token (192 random bits)."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def holder(match: Match, token: str) -> int:
    """Return the seat that a token opens; the time it takes does not depend on the token.

    Raises:
        BadToken: none.
    """
    hashed, found = hash_token(token), None
    for number, seat in enumerate(match.seats):
        if hmac.compare_digest(seat.token_hash or "", hashed):
            found = number
    if found is None:
        raise BadToken("this token opens no seat of this match")
    return found
