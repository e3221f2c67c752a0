"""The sweeper and bots: what was not told is told, invitations end, webhooks are asked for again."""

from __future__ import annotations

import pytest

from service.bots import BotGuests, attach
from service.matches import Match, SeatRequest, SetClock
from tests.service.bots.conftest import events
from worker.jobs import Desk
from worker.sweeper import Sweeper

ME = SeatRequest("me", "Ada")
TORTOISE = SeatRequest("bot", bot="tortoise")


@pytest.fixture
def posted() -> list[str]:
    return []


@pytest.fixture
def guests(desk: Desk, posted: list[str]) -> BotGuests:
    attach(desk.matches, posted.append).register("tortoise", ["toy"], webhook="https://bot.example/")
    assert isinstance(desk.matches.guests, BotGuests)
    return desk.matches.guests


def invite(desk: Desk) -> Match:
    return desk.matches.create("toy", {}, [ME, TORTOISE]).match


def test_what_was_not_told_is_told_by_the_sweeper(
    desk: Desk, guests: BotGuests, sweeper: Sweeper, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "tell", lambda notices: None)
    invite(desk)
    sweeper.sweep()
    assert events(guests, "tortoise") == []  # whoever has committed may be about to
    clock.move(1)
    sweeper.sweep()
    sweeper.sweep()
    assert events(guests, "tortoise") == ["invited 1"]
    assert desk.matches.store.outbox(clock.now()) == []


def test_an_invitation_ends(desk: Desk, guests: BotGuests, sweeper: Sweeper, clock: SetClock) -> None:
    match = invite(desk)
    clock.move(60 * 60 - 1)
    sweeper.sweep()
    assert desk.matches.get(match.id).seats[1].bot == "tortoise"
    clock.move(1)
    sweeper.sweep()
    after = desk.matches.get(match.id)
    assert after.open_seats() == [1]
    assert desk.matches.events(match.id, None, 1)[-1]["events"] == [
        {"type": "seat.declined", "seat": 1, "bot": "tortoise", "reason": "expired"}
    ]
    assert events(guests, "tortoise") == ["invited 1", "uninvited 2"]
    version = after.version
    sweeper.sweep()
    assert desk.matches.get(match.id).version == version
    assert desk.matches.store.due(clock.now()) == []


def test_an_accepted_invitation_does_not_end(desk: Desk, guests: BotGuests, sweeper: Sweeper, clock: SetClock) -> None:
    match = desk.matches.create("toy", {}, [ME, TORTOISE, SeatRequest("open")]).match
    desk.matches.accept(match, 1)
    clock.move(2 * 60 * 60)
    sweeper.sweep()
    assert desk.matches.get(match.id).seats[1].kind == "bot"
    assert desk.matches.store.due(clock.now()) == []


def test_webhooks_are_asked_for_again(
    desk: Desk, guests: BotGuests, sweeper: Sweeper, clock: SetClock, posted: list[str]
) -> None:
    invite(desk)
    assert posted == ["tortoise"]
    posted.clear()
    sweeper.sweep()
    assert posted == ["tortoise"]
    sweeper.sweep()
    assert posted == ["tortoise"]
    clock.move(15)
    sweeper.sweep()
    assert posted == ["tortoise"] * 2


def test_one_bot_that_cannot_be_told_does_not_stop_the_others(
    desk: Desk, guests: BotGuests, sweeper: Sweeper, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "tell", lambda notices: None)
    first, second = invite(desk), invite(desk)
    real = guests.hand_on

    def broken(notices: list) -> None:
        if notices[0].match_id == first.id:
            raise RuntimeError("no")
        real(notices)

    monkeypatch.setattr(guests, "hand_on", broken)
    clock.move(1)
    sweeper.sweep()
    assert guests.bots.invited_to("tortoise") == [second.id]
