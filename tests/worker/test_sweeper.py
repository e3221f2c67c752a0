"""No turn is ever lost: the sweeper looks after what is due."""

from __future__ import annotations

import pytest
from redis import Redis

from service.matches import Match, Request, SeatRequest, SetClock, errors
from service.matches.draft import HEAD_START_MS
from tests.service.matches.conftest import play_first, play_out, two_people
from tests.worker.conftest import Hint, Puppet, work_off
from tests.worker.test_jobs import against_ai, moves
from worker.jobs import Desk
from worker.sweeper import AGAIN_MAX_MS, STAND_IN_LEVEL, Sweeper


def lost(asked: list[Hint]) -> Hint:
    """Lose the only job there is."""
    (hint,) = asked
    asked.clear()
    return hint


# AI seats


def test_a_job_that_was_lost_is_asked_for_again(sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    match = against_ai(desk)
    hint = lost(asked)
    sweeper.sweep()
    assert asked == []  # its head start is not over
    clock.move(HEAD_START_MS / 1000)
    sweeper.sweep()
    sweeper.sweep()
    assert asked == [hint]
    work_off(desk, asked)
    assert moves(desk, match) == [(2, 1, "ai")]


def test_a_killed_workers_lease_ends_and_the_match_goes_on(
    sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock
) -> None:
    match = against_ai(desk)
    hint = lost(asked)
    assert desk.matches.lease(match.id, 1, 1, 5000) is not None  # and then the worker dies
    for _ in range(4):
        clock.move(1)
        sweeper.sweep()
        assert asked == []
    clock.move(1)
    sweeper.sweep()
    assert asked == [hint]
    work_off(desk, asked)
    assert moves(desk, match) == [(2, 1, "ai")]


def test_after_three_tries_a_quick_move_is_played(
    sweeper: Sweeper, desk: Desk, asked: list[Hint], puppet: Puppet, clock: SetClock
) -> None:
    match = against_ai(desk)
    puppet.fails = True
    for _ in range(30):
        for hint in list(asked):
            asked.remove(hint)
            with pytest.raises(RuntimeError):
                desk.think(*hint)
        clock.move(1)
        sweeper.sweep()
    assert len(puppet.seen) == 3
    assert moves(desk, match) == [(2, 1, "fallback")]
    assert (
        desk.matches.store.events(match.id, 1)[0].moves[0].action
        == desk.matches.games["toy"].legal(desk.matches.games["toy"].load(match.state or b""), 1)[-1]
    )


def test_after_three_killed_workers_a_quick_move_is_played(
    sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock
) -> None:
    match = against_ai(desk)
    for _ in range(20):
        for hint in list(asked):
            asked.remove(hint)
            desk.matches.lease(hint[0], hint[2], hint[1], 1000)
        clock.move(1)
        sweeper.sweep()
    assert moves(desk, match) == [(2, 1, "fallback")]


def test_a_quick_move_is_also_played_by_a_job_that_comes_fourth(desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    match = against_ai(desk)
    for _ in range(3):
        desk.matches.lease(match.id, 1, 1, 1000)
        clock.move(1)
    work_off(desk, asked)
    assert moves(desk, match) == [(2, 1, "fallback")]


def test_when_even_the_quick_move_fails_any_legal_one_is_played(
    sweeper: Sweeper, desk: Desk, puppet: Puppet, clock: SetClock
) -> None:
    match = against_ai(desk)
    puppet.quick_fails = True
    for _ in range(3):
        desk.matches.lease(match.id, 1, 1, 1000)
        clock.move(1)
    clock.move(60)
    sweeper.sweep()
    assert moves(desk, match) == [(2, 1, "fallback")]


def test_a_long_queue_is_not_flooded(sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    against_ai(desk)
    for _ in range(600):
        clock.move(1)
        sweeper.sweep()
    assert len(asked) <= 600_000 / AGAIN_MAX_MS + 10


def test_two_sweepers_ask_once(sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    against_ai(desk)
    asked.clear()
    clock.move(60)
    seen = desk.matches.due()
    for due in (*seen, *seen):
        sweeper._look(due)
    assert len(asked) == 1


def test_what_has_expired_is_forgotten(sweeper: Sweeper, desk: Desk, redis: Redis, clock: SetClock) -> None:
    match = against_ai(desk)
    for name in redis.scan_iter(f"*match:{match.id}*"):
        redis.delete(name)
    clock.move(60)
    sweeper.sweep()
    clock.move(600)
    assert desk.matches.due() == []


def test_a_match_that_cannot_be_played_does_not_stop_the_others(
    sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = against_ai(desk), against_ai(desk)
    (name,) = redis.scan_iter(f"*match:{broken.id}")
    redis.hset(name, "live", "not JSON")
    asked.clear()
    clock.move(60)
    sweeper.sweep()
    assert asked == [(whole.id, 1, 1)]
    assert broken.id in caplog.text
    sweeper.sweep()
    assert caplog.text.count(broken.id) == 1


# Reaction windows


def test_silence_in_a_reaction_window_is_answered(sweeper: Sweeper, desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, "window", reaction_seconds=5)
    assert desk.matches.position(match, 0)["deadline"] == "2027-01-15T08:00:05.000Z"
    lowest = desk.matches.position(match, 1)["legal_actions"][0]
    play_first(desk.matches, match.id, 0)
    clock.move(4.9)
    sweeper.sweep()
    assert moves(desk, match) == [(3, 0, "player")]
    clock.move(0.1)
    sweeper.sweep()
    assert moves(desk, match) == [(3, 0, "player"), (4, 1, "clock")]
    assert desk.matches.store.events(match.id, 3)[0].moves[0].data == lowest


def test_a_reaction_window_goes_through_by_itself(sweeper: Sweeper, desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, "window")
    for _ in range(3 * 8 + 1):
        clock.move(1)
        sweeper.sweep()
    assert desk.matches.get(match.id).status == "over"
    assert [by for _, _, by in moves(desk, match)] == ["clock"] * 6


def test_a_seat_may_be_passed_at_once_when_it_can_do_nothing_else(desk: Desk, asked: list[Hint]) -> None:
    created = desk.matches.create("window", {}, [SeatRequest("me"), SeatRequest("open")])
    desk.matches.take_seat(created.match.id, auto_pass=True)
    for _ in range(2):
        for seat in (0, 1):
            play_first(desk.matches, created.match.id, seat)
    over = play_first(desk.matches, created.match.id, 0)
    assert [(seat, by) for _, seat, by in moves(desk, over)][-2:] == [(1, "auto"), (0, "player")]
    assert over.status == "over"


# Turn clocks


@pytest.mark.parametrize("on_timeout", ["ai", "move", "resign"])
def test_nothing_happens_before_the_time_is_over(sweeper: Sweeper, desk: Desk, clock: SetClock, on_timeout: str) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30, on_timeout=on_timeout)  # type: ignore[arg-type]
    clock.move(29)
    sweeper.sweep()
    assert desk.matches.get(match.id) == match
    assert desk.matches.position(match, 1)["deadline"] == "2027-01-15T08:00:30.000Z"
    assert desk.matches.position(match, None)["deadline"] is None


def test_a_quick_move_is_played_when_the_time_is_over(sweeper: Sweeper, desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30, on_timeout="move")
    play_first(desk.matches, match.id, 0)
    clock.move(30)
    sweeper.sweep()
    assert moves(desk, match) == [(3, 0, "player"), (4, 1, "clock")]
    assert desk.matches.get(match.id).turns[1].deadline == clock.now() + 30_000


def test_who_resigns_by_time_is_last(sweeper: Sweeper, desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30, on_timeout="resign")
    play_first(desk.matches, match.id, 0)
    clock.move(30)
    sweeper.sweep()
    over = desk.matches.get(match.id)
    shown = desk.matches.position(over, None)
    assert shown["outcome"] == {"reason": "time_over", "winners": [0], "ranking": [1, 2]}
    assert (shown["status"], shown["awaiting"]) == ("over", [])
    told = desk.matches.events(match.id, 0, 3)[0]["events"]
    assert told == [{"type": "seat.resigned", "seat": 1}, {"type": "match.ended", "outcome": shown["outcome"]}]
    assert desk.matches.record(over, None)["outcome"] == shown["outcome"]
    with pytest.raises(errors.MatchNotRunning):
        play_first_of(desk, match)


def play_first_of(desk: Desk, match: Match) -> None:
    desk.matches.play(match.id, 1, [desk.matches.position(match, 1)["legal_actions"][0]])


def test_an_ai_takes_over_until_the_player_is_back(sweeper: Sweeper, desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30, on_timeout="ai")
    play_first(desk.matches, match.id, 0)
    clock.move(30)
    sweeper.sweep()
    handed = desk.matches.get(match.id)
    assert handed.seats[1].stand_in == STAND_IN_LEVEL
    assert asked == [(match.id, handed.version, 1)]
    assert desk.matches.position(handed, None)["seats"][1]["stand_in"] == STAND_IN_LEVEL
    work_off(desk, asked)
    assert moves(desk, match)[:2] == [(3, 0, "player"), (5, 1, "ai")]
    play_first(desk.matches, match.id, 0)
    asked.clear()
    back = desk.matches.get(match.id)
    assert back.seats[1].stand_in == STAND_IN_LEVEL
    returned = desk.matches.play(
        match.id, 1, [desk.matches.position(back, 1)["legal_actions"][0]], request=Request.of("1", b"")
    )
    assert returned.match.seats[1].stand_in is None
    assert desk.matches.events(match.id, 0, returned.version - 1)[0]["events"][0] == {"type": "seat.returned", "seat": 1}


def test_taking_back_does_not_wind_the_clock_up_again(desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30)
    deadline = match.turns[0].deadline
    clock.move(20)
    play_first(desk.matches, match.id, 0)
    again = play_first(desk.matches, match.id, 0)
    assert (again.version, again.turns[0].deadline) == (4, deadline)
    assert (again.turns[0].due, again.turns[1].due) == (deadline, deadline)


def test_each_decision_has_its_own_time(desk: Desk, clock: SetClock) -> None:
    match, _ = two_people(desk.matches, turn_seconds=30)
    clock.move(20)
    play_first(desk.matches, match.id, 0)
    after = play_first(desk.matches, match.id, 1)
    assert [turn.deadline for turn in after.turns] == [clock.now() + 30_000] * 2
    over = play_out(desk.matches, match.id)
    assert [turn.due for turn in over.turns] == [None, None]
    clock.move(60)
    assert desk.matches.due() == []
