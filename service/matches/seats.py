"""Seats: who may be asked for, who takes which, and the tokens that open them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from service.matches.errors import BadSeats, UnknownLevel
from service.matches.match import BOT_OPENER, Kind, Match, Seat

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
        elo: how strong the AI shall be, instead of a level ("ai").
        auto_pass: see `Seat`.
        bot: the bot's name ("bot").
    """

    kind: Kind
    name: str = ""
    level: int | None = None
    elo: float | None = None
    auto_pass: bool = False
    bot: str | None = None


def bot_opener(bot: str) -> str:
    """Return what stands in place of a token's hash where a bot sits: no token's hash looks like it."""
    return BOT_OPENER + bot


def seat_opened_by(match: Match, opener: str) -> int | None:
    """Return the seat that something opens, None if it opens none; the time it takes does not depend on it.

    Args:
        match: the match.
        opener: a token's hash, or `bot_opener`.
    """
    found = None
    for number, seat in enumerate(match.seats):
        if hmac.compare_digest(seat.token_hash or "", opener):
            found = number
    return found


def new_token() -> str:
    """Return a fresh seat token (192 random bits)."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


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


@dataclass(frozen=True)
class Terms:
    """What the seats of a new match are made from, apart from the wishes.

    Attributes:
        levels: the AI levels there are.
        level_for: the level, whole or between two, that plays at an Elo rating; raises `ValueError` with the range there is.
        opener: what opens the creator's seat; None if he has none.
        bot: the creator, if it is one.
        kept_until: until when bots may accept, in ms; None: they have agreed and sit down at once.
    """

    levels: Collection[int]
    level_for: Callable[[float], float]
    opener: str | None
    bot: str | None = None
    kept_until: int | None = None


def set_up(requests: Sequence[SeatRequest], terms: Terms) -> tuple[Seat, ...]:
    """Return the seats of a new match as its creator asks for them.

    Raises:
        BadSeats: a kind there is not, a second "me" or the same bot again, something that does not belong to the kind, or a
            name that cannot be.
        UnknownLevel: there is no such AI.
    """
    if sum(request.kind == "me" for request in requests) > 1:
        raise BadSeats("only one seat can be yours")
    seats = tuple(_seat(number, request, terms) for number, request in enumerate(requests))
    bots = [seat.bot for seat in seats if seat.bot is not None]
    if len(set(bots)) < len(bots):
        raise BadSeats("a bot can have only one seat in a match")
    return seats


def _seat(number: int, request: SeatRequest, terms: Terms) -> Seat:
    name = check_name(request.name)
    if request.kind != "ai" and (request.level is not None or request.elo is not None):
        raise BadSeats(f"seat {number}: only an AI has a level or an Elo rating", seat=number)
    if (request.kind == "bot") != (request.bot is not None):
        raise BadSeats(f'seat {number}: the name of a bot belongs to a seat of the kind "bot", in "bot"', seat=number)
    match request.kind:
        case "me":
            return player_seat(number, name, terms.opener or "", terms.bot, auto_pass=request.auto_pass)
        case "open":
            return Seat("open")
        case "ai":
            return _ai_seat(number, name, request, terms)
        case "bot" if request.bot is not None and not name:
            opener = bot_opener(request.bot)
            if terms.kept_until is None:
                return Seat("bot", request.bot, token_hash=opener)
            return Seat("open", request.bot, token_hash=opener, kept_until=terms.kept_until)
        case "bot":
            raise BadSeats(f"seat {number}: a bot is shown by its own name", seat=number)
        case _:
            raise BadSeats(f"seat {number}: a seat is me, open, ai or bot, not {request.kind!r}", seat=number)


def _ai_seat(number: int, name: str, request: SeatRequest, terms: Terms) -> Seat:
    where = f"seat {number}: "
    if request.elo is None:
        return Seat("ai", name or f"AI {request.level}", check_level(request.level, terms.levels, where))
    if request.level is not None:
        raise BadSeats(f"{where}an AI has a level or an Elo rating, not both", seat=number)
    try:
        level = terms.level_for(request.elo)
    except ValueError as error:
        raise UnknownLevel(f"{where}{error}", levels=list(terms.levels)) from error
    return Seat("ai", name or f"AI {request.elo:g}", level, elo=request.elo)


def player_seat(number: int, name: str, opener: str, bot: str | None, *, auto_pass: bool) -> Seat:
    """Return a seat with somebody in it who has come himself: a person, or a bot, which is shown by its own name."""
    if bot is not None:
        return Seat("bot", bot, token_hash=bot_opener(bot), auto_pass=auto_pass)
    return Seat("me", name or f"Player {number + 1}", token_hash=opener, auto_pass=auto_pass)
