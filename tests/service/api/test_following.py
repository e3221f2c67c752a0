"""Whose turn it is, streams that begin anew, spectators who see it later, and replays."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from service import create_app
from service.api import events
from service.matches import Matches, SetClock
from service.settings import Settings
from tests.service.api.conftest import GAMES, Json, Player, Service, finish, problem
from tests.service.api.test_events import entries

# --- whose turn -------------------------------------------------------------------------------------------------------


def test_whose_turn_it_is(service: Service) -> None:
    one, two = service.table(turn_seconds=60)
    body = one.get("/turn").get_json()
    shown = one.get().get_json()
    assert body == {
        "version": shown["version"],
        "status": "running",
        "seat": 0,
        "awaiting": [0, 1],
        "your_turn": True,
        "deadline": shown["deadline"],
        "expires": shown["expires"],
    }
    assert one.get("/turn", headers={"If-None-Match": f'"{body["version"]}"'}).status_code == 304
    one.play(one.first())
    after = one.get("/turn", headers={"If-None-Match": f'"{body["version"]}"'}).get_json()
    assert (after["awaiting"], after["your_turn"], after["deadline"]) == ([1], False, None)
    assert two.get("/turn").get_json()["your_turn"] is True
    spectator = service.spectator(one.match).get("/turn").get_json()
    assert (spectator["seat"], spectator["your_turn"], spectator["deadline"]) == (None, False, None)
    finish([one, two])
    assert two.get("/turn").get_json()["awaiting"] == []
    assert service.create({"kind": "me"}, {"kind": "open"}).get("/turn").get_json()["status"] == "open"


# --- beginning anew ---------------------------------------------------------------------------------------------------


def test_a_cursor_says_of_which_match_it_is(service: Service) -> None:
    one, other = service.table()[0], service.table()[0]
    page = one.get("/events?limit=1").get_json()
    query = {"cursor": page["cursor"]}
    rest = one.get("/events", query_string=query).get_json()
    assert rest["entries"] == one.get("/events?after=1").get_json()["entries"]
    problem(other.get("/events", query_string=query), "bad_cursor")
    problem(other.get("/events", query_string=query | {"stream": 1}), "bad_cursor")
    assert one.get("/events", query_string=query | {"after": 0}).get_json()["entries"] == rest["entries"]
    problem(one.get("/events?cursor=12"), "invalid_request")
    mark = page["cursor"].split("~")[1]
    problem(one.get("/events", query_string={"cursor": f"x~{mark}"}), "bad_cursor")
    problem(one.get("/events", query_string={"cursor": f"{10**12}~{mark}"}), "bad_cursor")
    listed = service.client.get("/v1/matches?limit=1").get_json()["next"]
    problem(one.get("/events", query_string={"cursor": listed}), "bad_cursor")


def test_a_cursor_of_another_match(service: Service) -> None:
    one, two = service.table()
    version = one.get().get_json()["version"]
    refused = problem(one.get(f"/events?after={version + 1}"), "bad_cursor")
    assert refused["version"] == version
    problem(one.get(f"/events?after={version + 1}&wait=20"), "bad_cursor")
    finish([one, two])
    for query, headers in ((f"after={version + 99}", {}), ("", {"Last-Event-ID": "99"})):
        [reset] = entries(two.get(f"/events?stream=1&{query}", headers=headers))
        assert reset["event"] == "reset"
        assert json.loads(reset["data"]) == two.get().get_json()
        assert reset["id"] == str(two.get().get_json()["version"])
    assert two.get("/events?stream=1", headers={"Last-Event-ID": reset["id"]}).status_code == 204


def test_a_stream_that_is_resumed_very_late_begins_with_the_view(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = service.table()
    one.play(one.first())
    monkeypatch.setattr(events, "BEHIND_MAX", 1)
    version = one.get().get_json()["version"]
    with two.get("/events?stream=1", headers={"Last-Event-ID": str(version - 2)}) as response:
        assert b"event: reset\n" in next(response.iter_encoded())  # type: ignore[call-overload]
    finish([one, two])
    assert len(entries(two.get("/events?stream=1&after=1"))) > 2
    assert len(entries(two.get("/events?stream=1", headers={"Last-Event-ID": "1"}))) == 1


# --- spectators who see it later --------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def later(settings: Settings, redis: Redis, clock: SetClock) -> Iterator[Service]:
    """A service whose clock the test moves."""
    matches = Matches.open(settings, GAMES, clock=clock)
    yield Service(create_app(settings, GAMES, matches), matches, redis)
    matches.close()


def seen(viewer: Player) -> tuple[Json, list[Json], Json, Json]:
    record = viewer.get("/record").get_json()
    return viewer.get().get_json(), viewer.get("/events").get_json()["entries"], viewer.get("/turn").get_json(), record


def test_spectators_see_what_seats_saw_a_while_ago(later: Service, clock: SetClock) -> None:
    players = later.table(spectator_delay_seconds=30)
    spectator = later.spectator(players[0].match)
    before: list[Any] = []
    clock.move(30)
    for player in itertools.chain(players, players):
        before.append((seen(spectator), player.get().get_json()["version"]))
        player.play(player.first())
        assert seen(spectator) == before[-1][0]
        clock.move(30)
        assert seen(spectator) != before[-1][0]
        body, log, turn, record = seen(spectator)
        live = players[0].get().get_json()
        assert body["version"] == turn["version"] == record["version"] == log[-1]["version"] == live["version"]
        assert body["awaiting"] == turn["awaiting"] == live["awaiting"]
        problem(spectator.get(f"/events?after={body['version'] + 1}"), "bad_cursor")


def test_a_list_does_not_tell_when_somebody_acted(later: Service, clock: SetClock) -> None:
    one, _ = later.table(spectator_delay_seconds=30)
    clock.move(100)
    before = later.client.get("/v1/matches").get_json()
    clock.move(10)
    one.play(one.first())
    clock.move(19)
    acted = later.client.get("/v1/matches").get_json()
    clock.move(1)
    assert later.client.get("/v1/matches").get_json() != before
    assert acted["matches"][0]["expires"] < one.get().get_json()["expires"]


def test_the_end_is_told_at_once(later: Service) -> None:
    one, _ = later.table(spectator_delay_seconds=3600)
    spectator = later.spectator(one.match)
    assert spectator.get().get_json()["version"] == 1
    one.play(one.first())
    assert spectator.get().get_json()["version"] == 1
    one.post("/resignation", None)
    assert spectator.get().get_json()["outcome"]["winners"] == [1]
    assert len(entries(spectator.get("/events?stream=1"))) == 4
    assert spectator.get("/record").get_json()["seed"]


def test_a_stream_and_a_wait_hold_back_as_well(service: Service) -> None:
    one, two = service.table(spectator_delay_seconds=1.5)
    spectator = service.spectator(one.match)
    version = one.get().get_json()["version"]
    found: list[Any] = []

    def wait() -> None:
        seen = 1
        while seen < version + 1:
            response = spectator.get("?wait=20", headers={"If-None-Match": f'"{seen}"'})
            if response.status_code == 200:
                found.append(response.get_json())
                seen = found[-1]["version"]

    one.play(one.first())
    waiting = threading.Thread(target=wait)
    waiting.start()
    with spectator.get("/events?stream=1") as response:
        stream = response.iter_encoded()
        told = b""
        while f"id: {version + 1}\n".encode() not in told:
            told += next(stream)  # type: ignore[call-overload]
        assert b": here\n\n" in told
    waiting.join(30)
    assert found[-1]["view"]["players"][0]["chosen"] is True
    shown = service.matches.clock.now()
    assert shown - service.matches.get(one.match).changed >= 1500
    two.post("/resignation", None)


@pytest.mark.parametrize("delay", [-1, 86401, "1", None])
def test_delays_that_do_not_fit(service: Service, delay: Any) -> None:
    new = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "open"}], "spectator_delay_seconds": delay}
    problem(service.client.post("/v1/matches", json=new), "invalid_request")


# --- replays ----------------------------------------------------------------------------------------------------------


def test_a_replay_shows_every_version_as_every_viewer_saw_it(service: Service) -> None:
    players = service.table(3)
    viewers = [*players, service.spectator(players[0].match)]
    told: dict[tuple[int, int | None], Json] = {}

    def note() -> None:
        for viewer in viewers:
            body = viewer.get().get_json()
            told[body["version"], viewer.seat] = body

    note()
    while (shown := players[0].get().get_json())["status"] == "running":
        player = players[shown["awaiting"][0]]
        player.play(player.first())
        note()
    for (version, seat), body in told.items():
        query = "" if seat is None else f"?seat={seat}"
        replayed = service.spectator(players[0].match).get(f"/replay/{version}{query}").get_json()
        differing = {key for key in body if replayed[key] != body[key]}
        assert differing <= {"expires"}
    first = players[0].get("/replay/1?seat=0").get_json()
    assert (first["status"], first["view"]) == ("open", None)


def test_replays_that_there_are_not(service: Service) -> None:
    players = service.table()
    problem(players[0].get("/replay/1?seat=1"), "match_not_over")
    players[0].post("/resignation", None)
    last = players[0].get().get_json()["version"]
    assert players[0].get(f"/replay/{last}").get_json()["outcome"]["reason"] == "resigned"
    assert players[0].get(f"/replay/{last - 1}").get_json()["status"] == "running"
    assert problem(players[0].get(f"/replay/{last + 1}"), "version_not_found")["version"] == last
    problem(players[0].get("/replay/0"), "version_not_found")
    problem(players[0].get("/replay/1?seat=2"), "seat_not_found")
    problem(players[0].get("/replay/1?seat=x"), "invalid_request")
    problem(players[0].get("/replay/x"), "not_found")
    problem(Player(service.client, players[0].match, 0, "x").get("/replay/1"), "bad_token")
    assert players[1].get(f"/replay/{last}", headers={"If-None-Match": f'"{last}"'}).status_code == 304


def test_a_private_match_keeps_its_code_in_replays(service: Service) -> None:
    one = service.create({"kind": "me"}, {"kind": "open"}, private=True)
    code = one.get().get_json()["join_code"]
    service.client.post(f"/v1/matches/{one.match}/seats", json={"join_code": code})
    one.post("/resignation", None)
    assert code not in service.spectator(one.match).get("/replay/1?seat=0").text
