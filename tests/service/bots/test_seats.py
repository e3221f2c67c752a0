"""Bots at the table: invited, seated, counted, told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.bots import Bot, BotGuests, Bots
from service.matches import Match, Matches, SeatRequest
from service.matches.errors import (
    BadSeats,
    BotDoesNotPlay,
    NoOpenSeat,
    UnknownBot,
)
from tests.service.bots.conftest import events
from tests.service.matches.conftest import play_out

ME = SeatRequest("me", "Ada")
TORTOISE = SeatRequest("bot", bot="tortoise")
HARE = SeatRequest("bot", bot="hare")


def create(matches: Matches, *seats: SeatRequest, **more: Any) -> Match:
    return matches.create("toy", {}, seats or (ME, TORTOISE), **more).match


def test_bots_that_have_agreed_sit_down_at_once(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = create(matches, TORTOISE, HARE, accepted=True)
    assert match.status == "running"
    assert [seat.to_json(n) for n, seat in enumerate(match.seats)] == [
        {"seat": 0, "kind": "bot", "name": "tortoise", "bot": "tortoise"},
        {"seat": 1, "kind": "bot", "name": "hare", "bot": "hare"},
    ]
    assert events(guests, "tortoise") == events(guests, "hare") == ["seated 1", "turn 1"]
    assert guests.bots.count("hare") == (1, 0)
    play_out(matches, match.id)
    last = events(guests, "hare")[-1]
    assert last == f"ended {matches.get(match.id).version}"
    assert guests.bots.count("hare") == (0, 0)
    assert guests.bots.going("hare") == []


def test_an_invited_bot_is_waited_for(matches: Matches, guests: BotGuests, tortoise: Bot) -> None:
    match = create(matches)
    assert match.status == "open"
    assert match.open_seats() == []
    assert match.seats[1].to_json(1) == {"seat": 1, "kind": "open", "name": "tortoise", "bot": "tortoise"}
    assert events(guests, "tortoise") == ["invited 1"]
    assert guests.bots.invited_to("tortoise") == [match.id]
    with pytest.raises(NoOpenSeat):
        matches.take_seat(match.id, "Eve")


def test_who_cannot_be_invited(matches: Matches, bots: Bots, tortoise: Bot) -> None:
    bots.register("window-only", ["window"])
    for name, error in (("nobody", UnknownBot), ("window-only", BotDoesNotPlay), ("me", UnknownBot)):
        for accepted in (False, True):
            with pytest.raises(error):
                create(matches, ME, SeatRequest("bot", bot=name), accepted=accepted)
    for wrong in (
        SeatRequest("bot"),
        SeatRequest("me", bot="tortoise"),
        replace(TORTOISE, name="Hare"),
        replace(TORTOISE, level=3),
    ):
        with pytest.raises(BadSeats):
            create(matches, wrong, SeatRequest("ai", level=1))
    with pytest.raises(BadSeats):
        create(matches, TORTOISE, TORTOISE)
    assert bots.count("tortoise") == (0, 0)
