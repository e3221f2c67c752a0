"""Seats: who may be asked for, who takes which, and the tokens that open them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from service.matches.errors import BadSeats, BadToken, UnknownLevel
from service.matches.match import Kind, Match, Seat

NAME_MAX = 40
#: The AI that plays for a player who is away or has left, unless he says which.
STAND_IN_LEVEL = 3


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


def check_name(name: str) -> str:
    """Return a player's name without blanks around it.

    Raises:
        BadSeats: too long, or with characters that cannot be shown.
    """
    name = name.strip()
    if len(name) > NAME_MAX or not name.isprintable():
        raise BadSeats(f"a name has at most {NAME_MAX} characters, all of them printable")
    return name


def check_level(level: int | None, levels: Collection[int], where: str = "") -> int:
    """Return an AI level that there is.

    Raises:
        UnknownLevel
    """
    if level is None or level not in levels:
        known = ", ".join(str(number) for number in levels)
        raise UnknownLevel(f"{where}there is no AI of level {level}; there is {known}", levels=list(levels))
    return level


def set_up(requests: Sequence[SeatRequest], levels: Collection[int], token: str | None) -> tuple[Seat, ...]:
    """Return the seats of a new match.

    Args:
        requests: as the creator asks for them.
        levels: the AI levels there are.
        token: what opens the creator's seat; None if there is none.

    Raises:
        BadSeats: a kind there is not, a second "me", a level where none belongs, or a name that cannot be.
        UnknownLevel: there is no such AI.
    """
    if sum(request.kind == "me" for request in requests) > 1:
        raise BadSeats("only one seat can be yours")
    return tuple(_seat(number, request, levels, token) for number, request in enumerate(requests))


def _seat(number: int, request: SeatRequest, levels: Collection[int], token: str | None) -> Seat:
    name = check_name(request.name)
    if request.kind != "ai" and request.level is not None:
        raise BadSeats(f"seat {number}: only an AI has a level", seat=number)
    match request.kind:
        case "me":
            assert token is not None
            hashed = hash_token(token)
            return Seat("me", name or f"Player {number + 1}", token_hash=hashed, auto_pass=request.auto_pass)
        case "open":
            return Seat("open")
        case "ai":
            return Seat("ai", name or f"AI {request.level}", check_level(request.level, levels, f"seat {number}: "))
        case _:
            raise BadSeats(f"seat {number}: a seat is me, open or ai, not {request.kind!r}", seat=number)
