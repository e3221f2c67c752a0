"""One job: lease, load, redact, think, play."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ai.audit import audit, verify
from engines.kernel import TELL_HASH
from service.matches import Match, SeatRequest, SetClock
from service.matches.match import new_id
from tests.service.matches.conftest import GAMES, play_first
from tests.worker.conftest import Hint, Puppet, work_off
from worker.jobs import Desk
from worker.mind import Mind


def against_ai(desk: Desk, game: str = "toy", ais: int = 1) -> Match:
    seats = [SeatRequest("me", "Ada"), *[SeatRequest("ai", level=3)] * ais]
    return desk.matches.create(game, {}, seats).match


def moves(desk: Desk, match: Match) -> list[tuple[int, int, str]]:
    """Return (version, seat, by) of every action."""
    entries = desk.matches.store.events(match.id, 0)
    return [(entry.version, move.seat, move.by) for entry in entries for move in entry.moves]


def test_a_match_of_a_person_and_ais_goes_to_its_end(desk: Desk, asked: list[Hint]) -> None:
    match = against_ai(desk, ais=3)
    work_off(desk, asked)
    while desk.matches.get(match.id).status == "running":
        play_first(desk.matches, match.id, 0)
        work_off(desk, asked)
    assert len(moves(desk, match)) == 12
    record = desk.matches.record(desk.matches.get(match.id), None)
    thoughts = [move.get("thought") for move in record["actions"]]
    assert [thought is None for thought in thoughts] == [move["seat"] == 0 for move in record["actions"]]
    assert json.loads(json.dumps(record)) == record
    facts = {"level", "seed", "after", "iterations", "milliseconds", "digest", "result"}
    assert set(next(filter(None, thoughts))) == facts


def test_a_match_of_ais_is_played_in_one_go(desk: Desk, asked: list[Hint]) -> None:
    """What follows from a thought and is an AI's again is thought about in the same job, while it is quick."""
    match = desk.matches.create("toy", {}, [SeatRequest("ai", level=1)] * 2).match
    assert len(asked) == 2
    desk.think(*asked.pop(0))  # seat 0 chooses; seat 1's decision has a job of its own
    desk.think(*asked.pop(0))  # seat 1 chooses, both choose anew: one here, one in a job
    while asked:
        desk.think(*asked.pop(0))
    assert desk.matches.get(match.id).status == "over"
    assert len(moves(desk, match)) == 6


def test_a_long_chain_is_left_to_other_jobs(desk: Desk, asked: list[Hint], puppet: Puppet, clock: SetClock) -> None:
    desk.matches.create("toy", {}, [SeatRequest("ai", level=1)] * 2)
    first, second = asked
    asked.clear()
    desk.think(*first)
    clock.move(10)
    slow = puppet.think

    def slower(*arguments: object) -> object:
        clock.move(2)
        return slow(*arguments)  # type: ignore[arg-type]

    puppet.think = slower  # type: ignore[method-assign,assignment]
    desk.think(*second)
    assert sorted(seat for _, _, seat in asked) == [0, 1]


def test_the_ai_sees_what_its_seat_knows_and_no_more(desk: Desk, asked: list[Hint], puppet: Puppet) -> None:
    match = against_ai(desk)
    work_off(desk, asked)
    (seen,) = puppet.seen
    real = GAMES["toy"].load(match.state or b"")
    assert GAMES["toy"].dump(seen) == GAMES["toy"].dump(GAMES["toy"].redact(real, 1))
    assert (int(seen.telling), int(seen.players[0].hand)) == (TELL_HASH, 0)


def test_a_job_that_runs_twice_plays_once(desk: Desk, asked: list[Hint], clock: SetClock) -> None:
    match = against_ai(desk)
    (hint,) = asked
    desk.think(*hint)
    desk.think(*hint)
    clock.move(60)
    desk.think(*hint)
    assert moves(desk, match) == [(2, 1, "ai")]


def test_a_thought_that_comes_too_late_is_not_played(desk: Desk, asked: list[Hint], puppet: Puppet, clock: SetClock) -> None:
    """The first worker hangs until its lease is over, a second one plays, then the first wakes up."""
    match = against_ai(desk)
    (hint,) = asked
    real = puppet.think

    def hang(*arguments: object) -> object:
        puppet.think = real  # type: ignore[method-assign]
        clock.move(30)
        desk.think(*hint)
        return real(*arguments)  # type: ignore[arg-type]

    puppet.think = hang  # type: ignore[method-assign,assignment]
    desk.think(*hint)
    assert moves(desk, match) == [(2, 1, "ai")]


def test_a_match_of_real_thoughts_is_reproduced_by_its_record(desk: Desk, asked: list[Hint]) -> None:
    """The AIs choose at the same time: what one had seen is not the match just before its move."""
    desk.thinker = mind = Mind()
    match = against_ai(desk, ais=3)
    others: list[Hint] = []

    class Interrupted(Mind):
        def think(self, *arguments: Any) -> Any:
            found = mind.think(*arguments)
            if others:
                desk.think(*others.pop())
            return found

    while (match := desk.matches.get(match.id)).status == "running":
        desk.thinker = Interrupted()
        others[:] = asked[1:]
        while asked:
            desk.think(*asked.pop(0))
        play_first(desk.matches, match.id, 0)
    record = json.loads(json.dumps(desk.matches.record(match, None)))
    assert verify(record, GAMES) == []
    verdicts = [(move.by, move.verdict, move.reason) for move in audit(record, GAMES)]
    assert verdicts.count(("ai", "reproduced", "")) == 9
    assert verdicts.count(("player", "no thought", "")) == 3
    assert any(move["number"] - move["thought"]["after"] > 1 for move in record["actions"] if "thought" in move)


def test_a_decision_that_is_held_is_left_alone(desk: Desk, asked: list[Hint], puppet: Puppet) -> None:
    match = against_ai(desk)
    assert desk.matches.lease(match.id, 1, 1, 1000) is not None
    work_off(desk, asked)
    assert puppet.seen == []
    assert desk.matches.get(match.id).version == 1


def test_hints_about_nothing_do_nothing(desk: Desk, asked: list[Hint], puppet: Puppet) -> None:
    match = against_ai(desk)
    desk.think(new_id(), 1, 0)
    desk.think("no id", 1, 0)
    desk.think(match.id, 1, 0)  # a person's seat
    desk.think(match.id, 7, 1)  # no such decision
    desk.think(match.id, 1, 5)  # no such seat
    assert puppet.seen == []
    assert desk.matches.store.leased(match.id, 1, 1) == (0, 0)


def test_a_failed_thought_gives_its_lease_back(desk: Desk, asked: list[Hint], puppet: Puppet, clock: SetClock) -> None:
    match = against_ai(desk)
    puppet.fails = True
    with pytest.raises(RuntimeError, match="no idea"):
        desk.think(*asked.pop())
    assert desk.matches.store.leased(match.id, 1, 1) == (0, 1)
    assert [due.seat for due in desk.matches.due()] == [1]


def test_all_games_are_warmed_before_the_first_job(desk: Desk, puppet: Puppet) -> None:
    desk.warm()
    assert puppet.warmed == ["toy", "window"]


def test_an_answer_in_a_reaction_window_takes_as_long_whatever_the_seat_holds(
    desk: Desk, asked: list[Hint], clock: SetClock
) -> None:
    """In the last round there is one card, so nothing to think about; in the rounds before there is."""
    match = against_ai(desk, "window")
    took, choices = [], []
    while match.status == "running":
        began = match.turns[1].began
        choices.append(len(desk.matches.position(match, 1)["legal_actions"]))
        work_off(desk, asked)
        took.append(desk.matches.store.events(match.id, match.version)[0].at - began)
        match = play_first(desk.matches, match.id, 0)
    assert choices == [3, 2, 1]
    assert took == [desk.matches.settings.reaction_ai_ms] * 3


def test_an_answer_that_starts_late_takes_the_whole_budget_whatever_the_seat_holds(
    desk: Desk, asked: list[Hint], clock: SetClock
) -> None:
    match = against_ai(desk, "window")
    took = []
    while match.status == "running":
        clock.move(5)  # the job waited in the queue
        started = clock.now()
        work_off(desk, asked)
        took.append(desk.matches.store.events(match.id, match.version)[0].at - started)
        match = play_first(desk.matches, match.id, 0)
    assert took == [200] * 3
