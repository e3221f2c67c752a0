"""Tournaments and ratings as workers and sweepers see to them."""

from __future__ import annotations

import pytest

from service.bots import attach
from service.matches import SetClock
from service.ratings import Ratings
from service.tournaments import Entrant, Tournament
from tests.worker.conftest import Hint, work_off
from worker import jobs
from worker.jobs import Desk
from worker.sweeper import Sweeper

AIS = [Entrant("ai", level) for level in (1, 2, 3)]


def played(desk: Desk, asked: list[Hint], settled: list[str], tournament: Tournament) -> Tournament:
    """Do all that workers are asked to do, until nothing more is."""
    while asked or settled:
        work_off(desk, asked)
        while settled:
            desk.settle(settled.pop(0))
    return desk.tournaments.get(tournament.id)


@pytest.fixture
def settled(desk: Desk) -> list[str]:
    """Matches whose end workers were asked to see to."""
    settled: list[str] = []
    desk.matches.settle = settled.append
    return settled


def test_jobs_alone_play_a_tournament_to_its_end(desk: Desk, asked: list[Hint], settled: list[str]) -> None:
    made, _ = desk.tournaments.create("toy", {}, AIS, rounds=2)
    desk.tournaments.advance(made.id)
    over = played(desk, asked, settled, made)
    assert (over.status, over.done, over.void) == ("over", 6, 0)
    rated = Ratings(desk.matches).ranking("toy")[0]
    assert sum(one.rating.matches for one in rated) == 12
    assert desk.matches.due() == []


def test_sweepers_alone_as_well(desk: Desk, sweeper: Sweeper, asked: list[Hint], clock: SetClock) -> None:
    """Every job that sees to an end is lost."""
    made, _ = desk.tournaments.create("toy", {}, AIS, at_once=1)
    for _ in range(20):
        clock.move(6)
        sweeper.go_on()
        work_off(desk, asked)
        clock.move(3)
        sweeper.sweep()
    over = desk.tournaments.get(made.id)
    assert (over.status, over.done) == ("over", 3)
    assert sum(one.rating.matches for one in Ratings(desk.matches).ranking("toy")[0]) == 6
    assert desk.matches.due() == []


def test_an_end_that_is_seen_to_often_counts_once(desk: Desk, asked: list[Hint], settled: list[str]) -> None:
    made, _ = desk.tournaments.create("toy", {}, AIS[:2])
    desk.tournaments.advance(made.id)
    work_off(desk, asked)
    ended = settled[0]
    for _ in range(3):
        desk.settle(ended)
    over = desk.tournaments.get(made.id)
    assert (over.status, over.standings[0].matches) == ("over", 1)
    assert Ratings(desk.matches).of("toy", "ai:1").rating.matches == 1
    desk.settle("no such match")


def test_a_bot_that_does_not_answer_is_played_for(
    desk: Desk, sweeper: Sweeper, asked: list[Hint], settled: list[str], clock: SetClock
) -> None:
    attach(desk.matches).register("tortoise", ["toy"])
    made, _ = desk.tournaments.create("toy", {}, [AIS[0], Entrant("bot", bot="tortoise")], turn_seconds=5)
    desk.tournaments.advance(made.id)
    for _ in range(5):
        work_off(desk, asked)
        clock.move(6)
        sweeper.sweep()
    over = played(desk, asked, settled, made)
    assert (over.status, over.done, over.void) == ("over", 1, 0)
    assert Ratings(desk.matches).of("toy", "bot:tortoise").rating.matches == 1


def test_the_jobs(desk: Desk, asked: list[Hint], settled: list[str]) -> None:
    jobs.install(desk)
    made, _ = desk.tournaments.create("toy", {}, AIS[:2])
    jobs.tournament(made.id)
    work_off(desk, asked)
    jobs.settle(settled.pop())
    assert desk.tournaments.get(made.id).status == "over"
    jobs.tournament("gone")
