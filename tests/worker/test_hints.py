"""Hints: thought from what the asking seat knew, kept for that seat, counted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from engines.kernel import TELL_HASH
from service.matches import Match, SetClock, errors
from service.matches.advice import PATIENCE_MS, Advice
from service.matches.match import new_id
from tests.service.matches.conftest import GAMES, play_first, play_out, two_people
from tests.worker.conftest import Hint, Puppet
from worker.jobs import Desk
from worker.mind import Mind


@pytest.fixture
def advice(desk: Desk, wanted: list[Hint]) -> Advice:
    desk.matches.advise = lambda *hint: wanted.append(hint)
    return Advice(desk.matches)


@pytest.fixture
def wanted() -> list[Hint]:
    """The hints that workers were asked for."""
    return []


@pytest.fixture
def match(desk: Desk) -> Match:
    return two_people(desk.matches)[0]


def refused(kind: type[errors.MatchError], ask: Callable[[], object]) -> errors.MatchError:
    with pytest.raises(kind) as found:
        ask()
    return found.value


def test_a_hint_is_found_by_a_worker(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    hint = advice.ask(match.id, 0)
    assert (hint.version, hint.seat, hint.status(desk.matches.clock.now())) == (match.version, 0, "thinking")
    assert wanted == [(match.id, match.version, 0)]
    desk.hint(*wanted.pop())
    shown = advice.get(match.id, 0, match.version).to_json(desk.matches.clock.now())
    legal = desk.matches.actions(match, 0)
    assert (shown["status"], len(shown["actions"])) == ("found", len(legal))
    assert [{"action": one["action"], "text": one["text"]} for one in shown["actions"]] == legal
    assert shown["best"] == (
        f"Best: {legal[0]['text']}. The search spent 33 % of its tries on it and expects a payoff of 0.50 (1: a win)."
    )
    assert set(shown["thought"]) == {"seed", "iterations", "milliseconds", "digest", "result"}
    assert desk.matches.get(match.id) == match


def test_it_is_thought_from_what_the_seat_knows_and_no_more(
    desk: Desk, advice: Advice, match: Match, wanted: list[Hint], puppet: Puppet
) -> None:
    """What it knew when it asked: the match may have gone on, and the worker never sees it."""
    real = GAMES["toy"].load(match.state or b"")
    advice.ask(match.id, 1)
    play_first(desk.matches, match.id, 0)
    play_first(desk.matches, match.id, 1)
    desk.hint(*wanted.pop())
    (seen,) = puppet.seen
    assert GAMES["toy"].dump(seen) == GAMES["toy"].dump(GAMES["toy"].redact(real, 1))
    assert (int(seen.telling), int(seen.players[0].hand)) == (TELL_HASH, 0)


def test_a_real_search_answers(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    desk.thinker = Mind()
    desk.matches.settings = replace(desk.matches.settings, hint_ms=5)
    advice.ask(match.id, 0)
    desk.hint(*wanted.pop())
    shown = advice.get(match.id, 0, match.version).to_json(0)
    shares = [one["share"] for one in shown["actions"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1, abs=0.001)
    assert all(0 <= one["payoff"] <= 1 for one in shown["actions"])
    assert shown["thought"]["iterations"] > 0


def test_a_forced_decision_is_said_to_be_one(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    for _ in range(2):
        play_first(desk.matches, match.id, 0)
        match = play_first(desk.matches, match.id, 1)
    advice.ask(match.id, 0)
    desk.hint(*wanted.pop())
    assert str(advice.get(match.id, 0, match.version).to_json(0)["best"]).endswith("There is nothing else to do.")


def test_one_at_a_time(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    advice.ask(match.id, 0)
    assert refused(errors.HintRunning, lambda: advice.ask(match.id, 0)).extra == {"version": match.version}
    later = play_first(desk.matches, match.id, 1)  # the seat's decision is the same, its view another
    assert refused(errors.HintRunning, lambda: advice.ask(match.id, 0)).extra == {"version": match.version}
    desk.hint(*wanted.pop())
    assert advice.ask(match.id, 0).version == later.version


def test_seats_do_not_stand_in_each_others_way(advice: Advice, match: Match, wanted: list[Hint]) -> None:
    advice.ask(match.id, 0)
    advice.ask(match.id, 1)
    assert [seat for _, _, seat in wanted] == [0, 1]


def test_asked_again_it_is_the_same_hint_and_counted_once(
    desk: Desk, advice: Advice, match: Match, wanted: list[Hint], puppet: Puppet
) -> None:
    desk.matches.settings = replace(desk.matches.settings, hints_max=1)
    advice.ask(match.id, 0)
    desk.hint(*wanted.pop())
    found = advice.get(match.id, 0, match.version)
    assert advice.ask(match.id, 0) == found
    assert (wanted, len(puppet.seen)) == ([], 1)


def test_a_seat_gets_so_many_hints(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    desk.matches.settings = replace(desk.matches.settings, hints_max=1)
    advice.ask(match.id, 0)
    desk.hint(*wanted.pop())
    play_first(desk.matches, match.id, 0)
    play_first(desk.matches, match.id, 1)
    assert refused(errors.HintLimit, lambda: advice.ask(match.id, 0)).extra == {"limit": 1}
    assert advice.ask(match.id, 1).seat == 1


def test_no_hints_at_all(desk: Desk, advice: Advice, match: Match) -> None:
    desk.matches.settings = replace(desk.matches.settings, hints_max=0)
    refused(errors.HintLimit, lambda: advice.ask(match.id, 0))
    refused(errors.HintNotFound, lambda: advice.get(match.id, 0, match.version))


def test_a_lost_hint_is_asked_for_again_and_not_counted_again(
    desk: Desk, advice: Advice, match: Match, wanted: list[Hint], puppet: Puppet, clock: SetClock
) -> None:
    desk.matches.settings = replace(desk.matches.settings, hints_max=1)
    advice.ask(match.id, 0)
    puppet.fails = True
    with pytest.raises(RuntimeError, match="no idea"):
        desk.hint(*wanted.pop())
    assert advice.get(match.id, 0, match.version).status(clock.now()) == "thinking"
    clock.move(PATIENCE_MS / 1000)
    assert advice.get(match.id, 0, match.version).status(clock.now()) == "lost"
    puppet.fails = False
    assert advice.ask(match.id, 0).status(clock.now()) == "thinking"
    desk.hint(*wanted.pop())
    assert advice.get(match.id, 0, match.version).status(clock.now()) == "found"


def test_an_answer_that_comes_twice_is_kept_once(desk: Desk, advice: Advice, match: Match, puppet: Puppet) -> None:
    hint = advice.ask(match.id, 0)
    ranked, facts = puppet.search(GAMES["toy"], GAMES["toy"].load(hint.redacted or b""), 0, 1, 1)
    assert advice.answer(hint, ranked, facts)
    first = advice.get(match.id, 0, match.version)
    assert not advice.answer(hint, ranked[::-1], facts)
    assert advice.get(match.id, 0, match.version) == first
    assert first.redacted is None


def test_jobs_about_no_hint_do_nothing(desk: Desk, advice: Advice, match: Match, wanted: list[Hint], puppet: Puppet) -> None:
    desk.hint(match.id, match.version, 0)
    desk.hint(new_id(), 1, 0)
    desk.hint("no id", 1, 0)
    advice.ask(match.id, 0)
    desk.hint(*wanted[0])
    desk.hint(*wanted[0])
    assert len(puppet.seen) == 1


def test_a_seat_that_need_not_decide_gets_none(desk: Desk, advice: Advice, match: Match) -> None:
    play_first(desk.matches, match.id, 0)
    assert refused(errors.NotYourDecision, lambda: advice.ask(match.id, 0)).extra == {"awaiting": [1]}


def test_matches_that_do_not_run_give_none(desk: Desk, advice: Advice, match: Match) -> None:
    play_out(desk.matches, match.id)
    assert refused(errors.MatchNotRunning, lambda: advice.ask(match.id, 0)).extra == {"status": "over"}


def test_whoever_waits_is_told_at_once(desk: Desk, advice: Advice, match: Match, wanted: list[Hint]) -> None:
    """The wait would last longer than the test."""
    advice.ask(match.id, 0)
    found: list[str] = []

    def wait() -> None:
        found.append(advice.get(match.id, 0, match.version, 25).status(desk.matches.clock.now()))

    waiting = threading.Thread(target=wait)
    waiting.start()
    desk.hint(*wanted.pop())
    waiting.join(20)
    assert found == ["found"]
    assert advice.get(match.id, 0, match.version, 25).found is not None


def test_a_short_wait_ends(desk: Desk, advice: Advice, match: Match) -> None:
    advice.ask(match.id, 0)
    assert advice.get(match.id, 0, match.version, 0.01).status(desk.matches.clock.now()) == "thinking"
