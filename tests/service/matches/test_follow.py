"""Waiting for a new version, and following the log as it grows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.embedded import EmbeddedServer
from service.matches import Match, Matches, SeatRequest, Store, connect, errors
from service.matches.match import new_id
from service.settings import Settings
from tests.service.matches.conftest import GAMES, play_first, play_out, two_people


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def listened(matches: Matches) -> Any:
    """Return once the reader of news has subscribed."""
    while not matches.store.client.pubsub_numsub("clifftop:news")[0][1]:
        pass


def test_waiting_ends_with_the_next_version(matches: Matches, running: Match, pool: ThreadPoolExecutor) -> None:
    waiting = [pool.submit(matches.wait, running.id, running.version, 25) for _ in range(3)]
    listened(matches)
    after = play_first(matches, running.id, 0)
    assert [one.result(10) for one in waiting] == [after] * 3


def test_waiting_for_a_version_that_was_already_passed_returns_at_once(matches: Matches, running: Match) -> None:
    assert matches.wait(running.id, 1, 25) == running


def test_waiting_ends_when_the_time_is_over(matches: Matches, running: Match) -> None:
    assert matches.wait(running.id, running.version, 0.05) == running
    assert matches.wait(running.id, running.version, 0) == running


def test_waiting_for_more_of_a_match_that_is_over_returns_at_once(matches: Matches, running: Match) -> None:
    over = play_out(matches, running.id)
    assert matches.wait(running.id, over.version, 25) == over


def test_waiting_ends_when_the_matches_are_closed(matches: Matches, running: Match, pool: ThreadPoolExecutor) -> None:
    waiting = pool.submit(matches.wait, running.id, running.version, 25)
    listened(matches)
    matches.close()
    assert waiting.result(10) == running


def test_following_from_the_beginning_to_the_end(matches: Matches, running: Match, pool: ThreadPoolExecutor) -> None:
    followers = [pool.submit(lambda seat=seat: list(matches.follow(running.id, seat))) for seat in (0, 1, None, 0)]
    listened(matches)
    over = play_out(matches, running.id)
    for seat, follower in zip((0, 1, None, 0), followers, strict=True):
        told = [entry for entry in follower.result(20) if entry is not None]
        assert told == matches.events(running.id, seat)
        assert [entry["version"] for entry in told] == list(range(1, over.version + 1))
        assert told[-1]["events"][-1]["type"] == "match.ended"


def test_following_on_from_a_version(matches: Matches, running: Match) -> None:
    over = play_out(matches, running.id)
    assert list(matches.follow(running.id, 0, 5)) == matches.events(running.id, 0, 5)
    assert list(matches.follow(running.id, 0, over.version)) == []
    assert list(matches.follow(running.id, 0, over.version + 99)) == []


def test_following_says_that_it_lives(matches: Matches, running: Match) -> None:
    matches.settings = replace(matches.settings, stream_keepalive_s=0.05)
    stream = matches.follow(running.id, 0, running.version)
    assert [next(stream), next(stream)] == [None, None]
    play_first(matches, running.id, 0)
    told = next(stream)
    while told is None:
        told = next(stream)
    assert told["version"] == running.version + 1
    matches.close()
    assert [entry for entry in stream if entry is not None] == []


def test_a_reader_reads_an_entry_once_for_all_who_follow(
    matches: Matches, running: Match, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    real = matches.store.events

    def counted(match_id: str, after: int, limit: int = 1000) -> Any:
        read.append(after)
        return real(match_id, after, limit)

    monkeypatch.setattr(matches.store, "events", counted)
    streams = [matches.follow(running.id, None, running.version) for _ in range(5)]
    heads = [pool.submit(next, stream) for stream in streams]
    listened(matches)
    while matches.following._watch._watched[running.id].watchers < 5:
        pass
    play_first(matches, running.id, 0)
    assert {head.result(10)["version"] for head in heads} == {running.version + 1}  # type: ignore[index]
    assert len([after for after in read if after == running.version]) <= 5 * 2 + 1


def test_following_a_match_that_is_not_there(matches: Matches) -> None:
    with pytest.raises(errors.MatchNotFound):
        next(matches.follow(new_id(), None))


def test_nothing_is_watched_once_nobody_waits(matches: Matches, running: Match) -> None:
    stream = matches.follow(running.id, None)
    next(stream)
    assert list(matches.following._watch._watched) == [running.id]
    stream.close()  # type: ignore[attr-defined]
    assert matches.following._watch._watched == {}


def test_streams_outlive_the_server(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    """The server goes away while somebody follows: the stream waits, and goes on where it was."""
    with EmbeddedServer(tmp_path) as server:
        settings = Settings(redis_url=server.url, redis_timeout_s=0.5, stream_keepalive_s=0.1)
        with connect(settings) as client:
            matches = Matches(Store(client, settings), GAMES, settings)
            match, _ = two_people(matches)
            lost, told = threading.Event(), []

            def follow() -> None:
                for entry in matches.follow(match.id, None, match.version):
                    if entry is None:
                        lost.set()
                    else:
                        told.append(entry["version"])

            follower = pool.submit(follow)
            listened(matches)
            server.stop()
            lost.clear()
            assert lost.wait(10)
            server.start()
            over = play_out(matches, match.id)
            follower.result(20)
            assert told == list(range(match.version + 1, over.version + 1))


def test_a_long_log_comes_in_pages(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    import service.matches.following as following

    monkeypatch.setattr(following, "EVENTS_MAX", 3)
    match, _ = two_people(matches)
    over = play_out(matches, match.id)
    assert [entry["version"] for entry in matches.events(match.id, None, 0, 100)] == [1, 2, 3]
    followed = [entry for entry in matches.follow(match.id, None) if entry is not None]
    assert [entry["version"] for entry in followed] == list(range(1, over.version + 1))


def test_an_ai_match_can_be_followed_by_spectators(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("ai", level=1)] * 2).match
    first = next(matches.follow(match.id, None))
    assert first is not None
    assert [event["type"] for event in first["events"]] == ["match.created", "match.started"]
