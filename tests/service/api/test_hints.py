"""Hints over HTTP: asked for, looked for, refused; and nobody else's."""

from __future__ import annotations

import json

import pytest

from service.matches import queue
from service.matches.advice import Advice, Ranked
from tests.service.api.conftest import GAMES, Player, Service, finish, problem

THOUGHT = {"seed": 1, "iterations": 16, "milliseconds": 1.0, "digest": "d" * 64, "result": "e" * 64}


@pytest.fixture
def players(service: Service) -> list[Player]:
    return service.table(3)


def think(service: Service, player: Player, version: int) -> None:
    """Do a worker's part."""
    advice = Advice(service.matches)
    assert player.seat is not None
    hint = advice.get(player.match, player.seat, version)
    legal = GAMES["toy"].legal(GAMES["toy"].load(hint.redacted or b""), player.seat)
    advice.answer(hint, [Ranked(action, 1 / len(legal), 0.25) for action in legal], THOUGHT)


def test_ask_look_and_find(service: Service, players: list[Player]) -> None:
    one = players[0]
    asked = one.post("/hints", None)
    version = one.get().get_json()["version"]
    where = f"/v1/matches/{one.match}/hints/{version}"
    assert (asked.status_code, asked.headers["Location"]) == (202, where)
    body = asked.get_json()
    assert (body["status"], body["version"], body["seat"], body["actions"], body["best"]) == ("thinking", version, 0, [], None)
    assert one.get(f"/hints/{version}").get_json() == body
    think(service, one, version)
    found = one.get(f"/hints/{version}")
    assert (found.status_code, found.get_json()["status"]) == (200, "found")
    shown = one.get().get_json()
    assert [item["action"] for item in found.get_json()["actions"]] == shown["legal_actions"]
    assert found.get_json()["best"].startswith("Best: choose card ")
    again = one.post("/hints?wait=5", None)
    assert (again.status_code, again.get_json()) == (200, found.get_json())
    assert shown["version"] == version


def test_the_job_goes_into_a_queue_of_its_own(service: Service, players: list[Player]) -> None:
    players[0].post("/hints", None)
    assert service.redis.llen(f"rq:queue:{queue.ADVICE}") == 1
    assert service.redis.llen(f"rq:queue:{queue.NAME}") == 0


def test_a_hint_is_its_seats_alone(service: Service, players: list[Player]) -> None:
    one, two, _ = players
    version = one.post("/hints", None).get_json()["version"]
    think(service, one, version)
    problem(two.get(f"/hints/{version}"), "hint_not_found")
    problem(service.spectator(one.match).get(f"/hints/{version}"), "seat_token_needed")
    problem(service.spectator(one.match).post("/hints", None), "seat_token_needed")
    problem(Player(service.client, one.match, 0, "x").get(f"/hints/{version}"), "bad_token")
    problem(Player(service.client, one.match, 0, "x").post("/hints", None), "bad_token")
    problem(Player(service.client, "23456789abcdef", 0, "x").post("/hints", None), "match_not_found")


def test_others_cannot_tell_that_one_was_asked_for(service: Service, players: list[Player]) -> None:
    one, two, _ = players
    before = [two.get(path).data for path in ("", "/events", "/record")]
    version = one.post("/hints", None).get_json()["version"]
    think(service, one, version)
    assert [two.get(path).data for path in ("", "/events", "/record")] == before


def test_refusals(service: Service, players: list[Player]) -> None:
    one, two, _ = players
    version = one.post("/hints", None).get_json()["version"]
    assert problem(one.post("/hints", None), "hint_running")["version"] == version
    problem(two.get("/hints/99"), "hint_not_found")
    problem(two.post("/hints?wait=99", None), "invalid_request")
    two.play(two.first())
    assert problem(two.post("/hints", None), "not_your_decision")["awaiting"] == [0, 2]
    finish(players)
    assert problem(two.post("/hints", None), "match_not_running")["match_status"] == "over"
    waiting = service.create({"kind": "me"}, {"kind": "open"})
    assert problem(waiting.post("/hints", None), "match_not_running")["match_status"] == "open"


def test_a_hint_shows_no_card_of_another_seat(service: Service, players: list[Player]) -> None:
    one = players[0]
    version = one.post("/hints", None).get_json()["version"]
    think(service, one, version)
    own = set(one.get().get_json()["view"]["players"][0]["hand"])
    cards = {item["action"]["card"] for item in one.get(f"/hints/{version}").get_json()["actions"]}
    assert cards == own
    kept = [service.redis.hgetall(key) for key in service.redis.scan_iter("*hint*")]
    assert "redacted" not in json.dumps([[field.decode() for field in hash_] for hash_ in kept])


def test_a_seat_gets_so_many(service: Service, players: list[Player]) -> None:
    object.__setattr__(service.matches.settings, "hints_max", 1)
    one = players[0]
    think(service, one, one.post("/hints", None).get_json()["version"])
    for player in players:
        player.play(player.first())
    body = problem(one.post("/hints", None), "hint_limit")
    assert body["limit"] == 1
