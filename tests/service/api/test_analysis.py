"""The analysis over HTTP: begun by whoever asks first, answered as far as it is, refused."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from service import openapi
from service.matches import queue
from service.matches.advice import Ranked
from service.matches.analysis import Analyses, judged
from tests.service.api.conftest import GAMES, Player, Service, finish, problem

DOCUMENT = json.loads(openapi.FILE.read_text("utf-8"))
THOUGHT = {"seed": 1, "iterations": 16, "milliseconds": 1.0, "digest": "d" * 64, "result": "e" * 64}


@pytest.fixture
def players(service: Service) -> list[Player]:
    players = service.table(2)
    finish(players)
    return players


def look(service: Service, match_id: str, seat: int, most: int = 99) -> None:
    """Do a worker's part."""
    game, analyses = GAMES["toy"], Analyses(service.matches)
    match, work = service.matches.get(match_id), analyses.hold(match_id, seat)
    assert work is not None
    every = list(analyses.decisions(match, seat))
    work.keep({"of": len(every), "left_out": 0})
    for one in every[:most]:
        redacted = game.redact(one.state, seat)
        ranked = [Ranked(action, 1 / one.legal, 0.5) for action in game.legal(redacted, seat)]
        work.keep({str(one.move.number): judged(game, one, redacted, ranked, THOUGHT)})
    work.keep({"complete": 1} if most >= len(every) else {}, go="away")


def check(body: object) -> None:
    Draft202012Validator({"$ref": "#/components/schemas/Analysis", **DOCUMENT}).validate(body)


def test_begun_going_on_and_found(service: Service, players: list[Player]) -> None:
    one = players[0]
    begun = one.get("/analysis?seat=0")
    assert (begun.status_code, begun.headers["Retry-After"]) == (202, "2")
    body = begun.get_json()
    check(body)
    assert (body["status"], body["done"], body["of"]) == ("thinking", 0, None)
    look(service, one.match, 0, 1)
    body = one.get("/analysis?seat=0").get_json()
    check(body)
    assert (body["status"], body["done"], body["of"], len(body["seats"][0]["moves"])) == ("thinking", 1, 2, 1)
    look(service, one.match, 0)
    found = one.get("/analysis?seat=0&wait=1")
    assert found.status_code == 200
    check(found.get_json())
    (seat,) = found.get_json()["seats"]
    assert (seat["seat"], seat["status"], seat["mean_loss"], seat["agreed"]) == (0, "found", 0, 1)
    assert service.spectator(one.match).get("/analysis?seat=0").get_json() == found.get_json()


def test_every_seat_without_one_named(service: Service, players: list[Player]) -> None:
    match = players[0].match
    assert [seat["seat"] for seat in players[1].get("/analysis").get_json()["seats"]] == [0, 1]
    assert service.redis.llen(f"rq:queue:{queue.ADVICE}") == 2
    look(service, match, 0)
    assert players[1].get("/analysis").status_code == 202
    look(service, match, 1)
    body = players[1].get("/analysis").get_json()
    assert (body["status"], body["done"], body["of"]) == ("found", 4, 4)
    assert service.redis.llen(f"rq:queue:{queue.ADVICE}") == 2


def test_a_hint_goes_before_all_analyses(service: Service, players: list[Player]) -> None:
    players[0].get("/analysis")
    service.table()[0].post("/hints", None)
    first, *_ = service.redis.lrange(f"rq:queue:{queue.ADVICE}", 0, 0)
    assert first.decode().startswith("hint-")


def test_refusals(service: Service, players: list[Player]) -> None:
    one = players[0]
    assert problem(one.get("/analysis?seat=2"), "seat_not_found")["seats"] == 2
    for query in ("seat=x", "seat=-1", "wait=99", "move=1"):
        problem(one.get(f"/analysis?{query}"), "invalid_request")
    problem(Player(service.client, one.match, 0, "x").get("/analysis"), "bad_token")
    problem(Player(service.client, "23456789abcdef").get("/analysis"), "match_not_found")
    running = service.table()[0]
    assert problem(running.get("/analysis"), "match_not_over")["match_status"] == "running"
    waiting = service.create({"kind": "me"}, {"kind": "open"})
    assert problem(waiting.get("/analysis"), "match_not_over")["match_status"] == "open"
