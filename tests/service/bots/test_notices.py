"""What bots are told: of every decision, once, whoever dies in between."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from redis import Redis

from service.bots import Bot, BotGuests
from service.bots.feed import Feed
from service.bots.inbox import KEPT
from service.matches import Match, Matches, Notice, SeatRequest, SetClock
from service.matches.errors import StoreUnavailable
from service.matches.match import bucket
from service.matches.store import outbox_key
from tests.service.bots.conftest import events
from tests.service.matches.conftest import play_first, play_out

BOTS = [SeatRequest("bot", bot="tortoise"), SeatRequest("bot", bot="hare")]


def between_bots(matches: Matches, **more: Any) -> Match:
    return matches.create("toy", {}, BOTS, accepted=True, **more).match


def left_behind(matches: Matches) -> list[Notice]:
    return matches.store.outbox(matches.clock.now())


def test_the_outbox_is_empty_once_everybody_is_told(matches: Matches, tortoise: Bot, hare: Bot) -> None:
    match = between_bots(matches)
    assert left_behind(matches) == []
    play_out(matches, match.id)
    assert left_behind(matches) == []


def test_a_decision_is_told_when_it_begins_and_not_again(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = between_bots(matches)
    match = play_first(matches, match.id, 0)
    assert match.turns[1].since == 1
    assert events(guests, "hare") == ["seated 1", "turn 1"]
    match = play_first(matches, match.id, 1)
    assert events(guests, "hare") == ["seated 1", "turn 1", f"turn {match.version}"]
    assert events(guests, "tortoise") == ["seated 1", "turn 1", f"turn {match.version}"]


def test_every_decision_of_a_match_is_told_once(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = play_out(matches, between_bots(matches).id)
    moves = matches.record(match, None)["actions"]
    for seat, name in enumerate(("tortoise", "hare")):
        log = events(guests, name)
        assert len(set(log)) == len(log)
        assert sum(entry.startswith("turn") for entry in log) == sum(move["seat"] == seat for move in moves)


def test_what_a_dead_process_had_not_told_is_told_from_the_outbox(
    matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "tell", lambda notices: None)
    match = between_bots(matches)
    assert events(guests, "tortoise") == []
    found = left_behind(matches)
    assert [notice.id for notice in sorted(found, key=Notice.order)] == [
        f"{match.id}-1-0-seated",
        f"{match.id}-1-0-turn",
        f"{match.id}-1-1-seated",
        f"{match.id}-1-1-turn",
    ]
    for _ in range(3):
        guests.hand_on(sorted(found, key=Notice.order))
    assert events(guests, "tortoise") == events(guests, "hare") == ["seated 1", "turn 1"]
    assert left_behind(matches) == []


def test_on_a_cluster_the_outbox_is_emptied_afterwards(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    guests.inbox.apart = True
    play_out(matches, between_bots(matches).id)
    assert left_behind(matches) == []


@pytest.mark.parametrize("apart", [False, True])
def test_who_dies_after_telling_and_before_saying_so_tells_nothing_twice(
    apart: bool, matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(notices: Any) -> None:
        raise StoreUnavailable("gone")

    guests.inbox.apart = True  # elsewhere both happen at once
    monkeypatch.setattr(matches.store, "handed_on", lost)
    between_bots(matches)
    monkeypatch.undo()
    assert events(guests, "hare") == ["seated 1", "turn 1"]
    assert len(left_behind(matches)) == 4
    guests.inbox.apart = apart
    guests.hand_on(left_behind(matches))
    assert events(guests, "hare") == ["seated 1", "turn 1"]
    assert left_behind(matches) == []


def test_many_tell_the_same_at_once(
    matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "tell", lambda notices: None)
    match = play_out(matches, between_bots(matches).id)
    found = left_behind(matches)
    threads = [threading.Thread(target=guests.hand_on, args=(found,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for name in ("tortoise", "hare"):
        log = events(guests, name)
        assert sorted(log) == sorted({*log})
        assert f"ended {match.version}" in log
        assert guests.bots.get(name).number == len(log)
    assert left_behind(matches) == []


def test_a_commit_that_comes_too_late_tells_nothing(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = between_bots(matches)
    late = matches.draft(match)
    late.act(0, matches.game("toy").legal(late.state, 0)[0], "player")
    play_first(matches, match.id, 0)
    play_first(matches, match.id, 1)
    before = events(guests, "tortoise")
    with pytest.raises(Exception, match="version"):
        matches.commit_for(late, 0, None)
    assert events(guests, "tortoise") == before
    assert left_behind(matches) == []


def test_a_removed_bot_is_told_nothing_more(
    matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot, redis: Redis
) -> None:
    match = between_bots(matches)
    guests.bots.remove(tortoise)
    play_out(matches, match.id)
    assert events(guests, "tortoise") == []
    assert left_behind(matches) == []
    assert [key for key in redis.keys("{bot:tortoise}*") if redis.ttl(key) == -1] == [b"{bot:tortoise}"]


def test_matches_without_bots_leave_nothing_in_the_outbox(matches: Matches, redis: Redis) -> None:
    match = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("ai", level=1)]).match
    assert not redis.exists(outbox_key(bucket(match.id)))


def test_a_stand_in_decides_untold(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = between_bots(matches, turn_seconds=5)
    handed = matches.hand_over(match.id, 1, 0, 3)
    assert handed is not None
    assert events(guests, "tortoise") == ["seated 1", "turn 1"]
    matches.lobby.change_seat(handed, 0, None, None, keep_player=False)
    assert events(guests, "tortoise") == ["seated 1", "turn 1", "turn 3"]


def test_a_log_keeps_its_newest_entries(matches: Matches, guests: BotGuests, tortoise: Bot, hare: Bot) -> None:
    match = between_bots(matches)
    for version in range(2, KEPT + 10):
        guests.inbox.take([Notice(match.id, version, 0, "turn", "tortoise")])
    kept = guests.inbox.read("tortoise", 0, 2 * KEPT)
    assert len(kept) == KEPT
    feed, bot = Feed(guests), guests.bots.get("tortoise")
    assert kept[-1].number == bot.number
    assert not feed.missed(bot, bot.number)
    assert not feed.missed(bot, kept[0].number - 1)
    assert feed.missed(bot, kept[0].number - 2)
    assert feed.missed(bot, bot.number + 1)


def test_what_was_told_is_remembered_long_enough_and_not_for_ever(
    matches: Matches, guests: BotGuests, clock: SetClock, tortoise: Bot, hare: Bot, redis: Redis
) -> None:
    match = between_bots(matches)
    again = Notice(match.id, 1, 0, "turn", "tortoise")
    clock.move(59 * 60)
    guests.inbox.take([again])
    assert events(guests, "tortoise") == ["seated 1", "turn 1"]
    clock.move(2 * 60)
    guests.inbox.take([Notice(match.id, 2, 0, "turn", "tortoise")])
    assert redis.zcard("{bot:tortoise}:told") == 1


def test_a_bot_that_is_full_of_matches_it_never_came_to_is_not(
    matches: Matches, guests: BotGuests, clock: SetClock, tortoise: Bot
) -> None:
    bots = guests.bots
    bots.update(tortoise, matches_max=1)
    assert bots.reserve("tortoise", "23456789abcdef", 1)
    clock.move(61)
    match = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("bot", bot="tortoise")]).match
    matches.accept(match, 1)
    assert [match_id for match_id, _ in bots.going("tortoise")] == [match.id]
