"""Analyses: every decision of a seat searched from what it knew, kept, taken up again, and refused before the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from redis import Redis

from engines.game import IllegalAction
from service.matches import Match, SeatRequest, SetClock, errors
from service.matches.analysis import HELD_MS, PATIENCE_MS, Analyses, Seen, seed_of
from service.matches.match import new_id
from tests.service.matches.conftest import GAMES, TAKE_IT_BACK, play_out, two_people
from tests.worker.conftest import Puppet
from worker.jobs import Desk
from worker.mind import Mind

Asked = tuple[str, int]


@pytest.fixture
def wanted() -> list[Asked]:
    """The analyses that workers were asked for."""
    return []


@pytest.fixture
def analyses(desk: Desk, wanted: list[Asked]) -> Analyses:
    desk.matches.analyse = lambda *job: wanted.append(job)
    return Analyses(desk.matches)


@pytest.fixture
def match(desk: Desk) -> Match:
    """A match that is over: three rounds of two people, each the first legal action; the third card is forced."""
    return play_out(desk.matches, two_people(desk.matches)[0].id)


def work_off(desk: Desk, wanted: list[Asked]) -> None:
    while wanted:
        desk.analyse(*wanted.pop(0))


def refused(kind: type[errors.MatchError], ask: Callable[[], object]) -> errors.MatchError:
    with pytest.raises(kind) as found:
        ask()
    return found.value


def test_every_decision_of_a_seat_is_looked_at(desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked]) -> None:
    (begun,) = analyses.ask(match, 0)
    assert begun == Seen(0)
    assert wanted == [(match.id, 0)]
    work_off(desk, wanted)
    (seen,) = analyses.ask(match, 0)
    shown = seen.to_json()
    assert (shown["status"], shown["done"], shown["of"], shown["left_out"]) == ("found", 2, 2, 0)
    moves = {move.number: move for entry in desk.matches.log(match) for move in entry.moves}
    for found, legal, loss in zip(shown["moves"], (3, 2), (0.5, 0.25), strict=True):
        move = moves[found["number"]]
        assert (move.seat, found["played"]["action"], found["by"]) == (0, move.data, "player")
        assert (found["legal"], found["loss"], found["agrees"]) == (legal, loss, False)
        assert found["best"]["payoff"] - found["played"]["payoff"] == loss
        assert found["best"]["text"].startswith("choose card ")
    assert (shown["mean_loss"], shown["agreed"]) == (0.375, 0.0)
    assert shown["worst"] == [found["number"] for found in shown["moves"]]
    assert desk.matches.get(match.id) == match


def test_it_is_thought_from_what_the_seat_knew_and_comes_out_the_same_anywhere(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], puppet: Puppet
) -> None:
    analyses.ask(match, 1)
    work_off(desk, wanted)
    decisions = list(analyses.decisions(match, 1))
    known = [GAMES["toy"].dump(GAMES["toy"].redact(one.state, 1)) for one in decisions]
    assert [GAMES["toy"].dump(state) for state in puppet.seen] == known
    iterations = desk.matches.settings.analysis_iterations
    assert puppet.studied == [(1, iterations, seed_of(match.id, one.move.number)) for one in decisions]
    assert len({seed for _, _, seed in puppet.studied}) == len(decisions)


def test_few_iterations_are_still_enough_to_try_every_action(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], puppet: Puppet
) -> None:
    desk.matches.settings = replace(desk.matches.settings, analysis_iterations=16)
    analyses.ask(match, 0)
    work_off(desk, wanted)
    assert [iterations for _, iterations, _ in puppet.studied] == [120, 80]


def test_a_real_search_answers(desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked]) -> None:
    desk.thinker = Mind()
    desk.matches.settings = replace(desk.matches.settings, analysis_iterations=64)
    analyses.ask(match, None)
    work_off(desk, wanted)
    for seen in analyses.ask(match, None):
        assert seen.complete
        for found in seen.moves:
            assert 0 <= found["loss"] <= 1
            assert found["agrees"] == (found["best"]["action"] == found["played"]["action"])
            assert found["thought"]["iterations"] == max(64, 40 * found["legal"])


def test_all_seats_at_once_and_what_is_there_is_not_done_again(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], puppet: Puppet
) -> None:
    analyses.ask(match, 0)
    work_off(desk, wanted)
    analyses.ask(match, None)
    assert wanted == [(match.id, 1)]
    work_off(desk, wanted)
    assert [seen.complete for seen in analyses.ask(match, None)] == [True, True]
    assert (wanted, len(puppet.seen)) == ([], 4)


def test_asked_twice_it_is_done_once(desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked]) -> None:
    analyses.ask(match, 0)
    analyses.ask(match, 0)
    assert wanted == [(match.id, 0)]


def test_jobs_that_come_twice_do_not_do_the_same_twice(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], puppet: Puppet
) -> None:
    analyses.ask(match, 0)
    held = analyses.hold(match.id, 0)
    assert held is not None
    desk.analyse(*wanted[0])
    assert puppet.seen == []
    held.keep({}, go="away")
    desk.analyse(*wanted[0])
    desk.analyse(*wanted[0])
    assert len(puppet.seen) == 2
    assert not held.keep({"7": {}})
    assert [found["number"] for found in analyses.load(match.id, 0).moves] != [7]


def test_a_long_match_is_looked_at_by_several_jobs(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.jobs.SLICE_OF_ANALYSIS_MS", 1)
    analyses.ask(match, 0)
    desk.analyse(*wanted.pop())
    (seen,) = analyses.ask(match, 0)
    assert (len(seen.moves), seen.of, seen.complete) == (1, 2, False)
    assert wanted == [(match.id, 0)]
    work_off(desk, wanted)
    assert analyses.load(match.id, 0).complete


def test_a_worker_that_died_is_replaced_when_somebody_asks_again(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], puppet: Puppet, clock: SetClock
) -> None:
    analyses.ask(match, 0)
    puppet.fails = True
    with pytest.raises(RuntimeError, match="no idea"):
        desk.analyse(*wanted.pop())
    analyses.ask(match, 0)
    assert wanted == []
    clock.move(HELD_MS / 1000)
    puppet.fails = False
    analyses.ask(match, 0)
    assert wanted == [(match.id, 0)]
    work_off(desk, wanted)
    assert analyses.load(match.id, 0).complete


def test_a_lost_job_is_asked_for_again(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], clock: SetClock
) -> None:
    analyses.ask(match, 0)
    wanted.clear()
    clock.move(HELD_MS / 1000)
    analyses.ask(match, 0)
    assert wanted == []
    clock.move((PATIENCE_MS - HELD_MS) / 1000)
    analyses.ask(match, 0)
    work_off(desk, wanted)
    assert analyses.load(match.id, 0).complete


def test_so_many_moves_and_no_more(desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked]) -> None:
    desk.matches.settings = replace(desk.matches.settings, analysis_moves_max=1)
    analyses.ask(match, 0)
    work_off(desk, wanted)
    (seen,) = analyses.ask(match, 0)
    assert (seen.complete, len(seen.moves), seen.of, seen.left_out) == (True, 1, 1, 1)


def test_a_seat_that_never_had_a_choice(desk: Desk, analyses: Analyses, wanted: list[Asked]) -> None:
    match, _ = two_people(desk.matches)
    over = desk.matches.lobby.resign(match, 1).match
    analyses.ask(over, None)
    work_off(desk, wanted)
    for seen in analyses.ask(over, None):
        shown = seen.to_json()
        assert (shown["status"], shown["done"], shown["of"], shown["moves"]) == ("found", 0, 0, [])
        assert (shown["mean_loss"], shown["agreed"], shown["worst"]) == (None, None, [])


def test_a_choice_taken_back_was_one(desk: Desk, analyses: Analyses, wanted: list[Asked]) -> None:
    match, _ = two_people(desk.matches)
    card = desk.matches.position(match, 0)["legal_actions"][1]
    for action in (card, TAKE_IT_BACK):
        desk.matches.play(match.id, 0, [action])
    over = play_out(desk.matches, match.id)
    analyses.ask(over, 0)
    work_off(desk, wanted)
    found = analyses.load(over.id, 0).moves
    assert found[0]["played"]["action"] == card
    assert TAKE_IT_BACK not in [move["played"]["action"] for move in found]  # all one could do: no decision


def test_matches_that_are_not_over_are_not_analysed(desk: Desk, analyses: Analyses, wanted: list[Asked]) -> None:
    running, _ = two_people(desk.matches)
    assert refused(errors.MatchNotOver, lambda: analyses.ask(running, 0)).extra == {"status": "running"}
    waiting = desk.matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open")]).match
    assert refused(errors.MatchNotOver, lambda: analyses.ask(waiting, None)).extra == {"status": "open"}
    assert wanted == []


def test_a_seat_there_is_not(analyses: Analyses, match: Match) -> None:
    assert refused(errors.SeatNotFound, lambda: analyses.ask(match, 2)).extra == {"seats": 2}


def test_a_match_played_by_other_rules(
    desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(errors.MatchOutdated, lambda: analyses.ask(replace(match, layout="other"), 0))
    analyses.ask(match, 0)

    def other(*_: object) -> None:
        raise IllegalAction("the rules have changed")

    monkeypatch.setattr(type(GAMES["toy"]), "play", other)
    work_off(desk, wanted)
    refused(errors.MatchOutdated, lambda: analyses.ask(match, 0))


def test_jobs_about_nothing_do_nothing(desk: Desk, analyses: Analyses, match: Match, puppet: Puppet) -> None:
    desk.analyse(match.id, 0)
    desk.analyse(new_id(), 0)
    desk.analyse("no id", 0)
    assert puppet.seen == []
    assert analyses.load(match.id, 0) == Seen(0)


def test_it_is_kept_as_long_as_the_match(desk: Desk, analyses: Analyses, match: Match, redis: Redis) -> None:
    analyses.ask(match, 0)
    (key,) = redis.scan_iter("*analysis*")
    assert 0 < redis.ttl(key) <= desk.matches.settings.over_expiry_s


def test_whoever_waits_is_told_at_once(desk: Desk, analyses: Analyses, match: Match, wanted: list[Asked]) -> None:
    """The wait would last longer than the test."""
    analyses.ask(match, 0)
    found: list[bool] = []
    waiting = threading.Thread(target=lambda: found.append(analyses.ask(match, 0, 25)[0].complete))
    waiting.start()
    work_off(desk, wanted)
    waiting.join(20)
    assert found == [True]
    assert not analyses.ask(match, 1, 0.01)[0].complete
