"""The client library repeats a command whose answer was lost. Whatever was lost, it happened once and is answered the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from redis import Redis

from service.matches import Matches, Request, SeatRequest, SetClock, Store, connect
from service.settings import Settings
from tests.service.matches.conftest import GAMES, two_people
from tests.service.matches.proxy import Proxy


@pytest.fixture
def proxy(redis: Redis, redis_url: str, tmp_path: Path) -> Iterator[Proxy]:
    proxy = Proxy(Path(unquote(redis_url.removeprefix("unix://"))), tmp_path / "s")
    yield proxy
    proxy.close()


@pytest.fixture
def behind(proxy: Proxy, clock: SetClock) -> Iterator[Matches]:
    """A table whose store is behind the proxy, its scripts known to the server."""
    settings = Settings(redis_url=proxy.url)
    with connect(settings) as client:
        table = Matches(Store(client, settings), GAMES, settings, clock)
        match = table.create("toy", {}, [SeatRequest("ai", level=1), SeatRequest("me")]).match
        lease = table.lease(match.id, 0, 1, 1000)
        assert lease is not None
        table.release(lease)
        yield table


@pytest.mark.parametrize("lost", [1, 2])
def test_a_move_is_played_once(behind: Matches, proxy: Proxy, lost: int) -> None:
    match, _ = two_people(behind)
    action = behind.position(match, 0)["legal_actions"][0]
    proxy.drop_answers(lost)
    played = behind.play(match.id, 0, [action])
    assert proxy.dropped == lost
    assert (played.version, played.repeated) == (3, False)
    assert behind.get(match.id) == played.match
    assert [move.seat for entry in behind.store.events(match.id, 2) for move in entry.moves] == [0]


def test_a_move_with_a_request_key_is_played_once(behind: Matches, proxy: Proxy) -> None:
    match, _ = two_people(behind)
    action = behind.position(match, 0)["legal_actions"][0]
    proxy.drop_answers(1)
    first = behind.play(match.id, 0, [action], request=Request.of("key", b"body"))
    again = behind.play(match.id, 0, [action], request=Request.of("key", b"body"))
    assert (first.version, first.repeated, again.version, again.repeated) == (3, False, 3, True)
    assert again.answer == first.answer
    assert behind.get(match.id).version == 3


def test_a_lost_answer_is_told_from_a_conflict_even_if_others_commit_in_between(behind: Matches, proxy: Proxy) -> None:
    match, _ = two_people(behind)
    commit, between = behind.store._commit, []

    def late(**arguments: object) -> object:
        """Run the command, lose its answer, let the other seat play, and run it again, as the library would."""
        if not between:
            between.append(commit(**arguments))
            behind.play(match.id, 1, [behind.position(match, 1)["legal_actions"][0]])
        return commit(**arguments)

    behind.store.__dict__["_commit"] = late
    played = behind.play(match.id, 0, [behind.position(match, 0)["legal_actions"][0]])
    assert played.version == 3
    assert behind.get(match.id).version == 4
    assert [move.seat for entry in behind.store.events(match.id, 2) for move in entry.moves] == [0, 1]


def test_a_seat_is_taken_once(behind: Matches, proxy: Proxy) -> None:
    match = behind.create("toy", {}, [SeatRequest("open"), SeatRequest("open"), SeatRequest("open")]).match
    proxy.drop_answers(1)
    taken = behind.take_seat(match.id, "Ada")
    assert proxy.dropped == 1
    assert behind.get(match.id).open_seats() == [1, 2]
    assert behind.who(behind.get(match.id), taken.token) == 0


def test_a_match_is_created_once(behind: Matches, proxy: Proxy) -> None:
    proxy.drop_answers(1)
    created = behind.create("toy", {}, [SeatRequest("me"), SeatRequest("open")])
    assert proxy.dropped == 1
    assert behind.get(created.match.id) == created.match


def test_a_lease_is_counted_once(behind: Matches, proxy: Proxy) -> None:
    match = behind.create("toy", {}, [SeatRequest("ai", level=1), SeatRequest("me")]).match
    proxy.drop_answers(1)
    lease = behind.lease(match.id, 0, 1, 1000)
    assert proxy.dropped == 1
    assert lease is not None
    assert lease.tries == 1
