"""Draws by agreement, and seats that pass by themselves."""

from __future__ import annotations

import pytest

from engines.records import Record, replay
from tests.service.api.conftest import GAMES, Json, Service, finish, problem

DRAWN = {"reason": "draw_agreed", "winners": [], "ranking": [1, 1]}


def test_all_must_agree(service: Service) -> None:
    players = service.table(3, draws=True)
    for number, player in enumerate(players[:2]):
        shown = player.post("/draw", None).get_json()
        assert (shown["status"], shown["draws"], shown["draw_offers"]) == ("running", True, list(range(number + 1)))
    version = players[2].get().get_json()["version"]
    assert players[1].post("/draw", None).get_json()["version"] == version  # offered already
    over = players[2].post("/draw", None).get_json()
    assert (over["status"], over["draw_offers"]) == ("over", [])
    assert over["outcome"] == {"reason": "draw_agreed", "winners": [], "ranking": [1, 1, 1]}
    events = [event["type"] for entry in players[0].get("/events").get_json()["entries"] for event in entry["events"]]
    assert events[-4:] == ["seat.draw_offered"] * 3 + ["match.ended"]
    assert service.spectator(players[0].match).get().get_json()["outcome"]["reason"] == "draw_agreed"
    problem(players[0].post("/draw", None), "match_not_running")
    problem(players[0].open("DELETE", f"/v1/matches/{players[0].match}/draw"), "match_not_running")


def test_the_record_of_a_drawn_match_replays(service: Service) -> None:
    players = service.table(draws=True)
    players[0].play(players[0].first())
    for player in players:
        player.post("/draw", None)
    record = players[0].get("/record").get_json()
    assert record["outcome"] == DRAWN
    assert len(list(replay(Record.from_json(record), GAMES))) == 2


def test_an_offer_lapses_when_its_seat_plays(service: Service) -> None:
    one, other = service.table(draws=True)
    one.post("/draw", None)
    assert other.play(other.first()).get_json()["draw_offers"] == [0]
    assert one.play(one.first()).get_json()["draw_offers"] == []
    assert other.post("/draw", None).get_json()["draw_offers"] == [1]


def test_declining_and_taking_back(service: Service) -> None:
    one, other = service.table(draws=True)
    path = f"/v1/matches/{one.match}/draw"
    problem(one.open("DELETE", path), "no_draw_offer")
    for who in (one, other):
        one.post("/draw", None)
        assert who.open("DELETE", path).get_json()["draw_offers"] == []
    problem(other.open("DELETE", path), "no_draw_offer")
    problem(service.spectator(one.match).post("/draw", None), "seat_token_needed")
    problem(service.spectator(one.match).open("DELETE", path), "seat_token_needed")


def test_ais_decline(service: Service) -> None:
    problem(service.table()[0].post("/draw", None), "no_draws")
    against = service.create({"kind": "me"}, {"kind": "ai", "level": 1}, draws=True)
    assert problem(against.post("/draw", None), "no_draws")["ai_seats"] == [1]
    one, other = service.table(draws=True)
    one.post("/draw", None)
    handed = other.open("PATCH", f"/v1/matches/{one.match}/seats/1", json={"stand_in": 1})
    assert handed.get_json()["draw_offers"] == []
    assert problem(one.post("/draw", None), "no_draws")["ai_seats"] == [1]


def test_an_offer_that_is_sent_again(service: Service) -> None:
    one, _ = service.table(draws=True)
    headers = {"Idempotency-Key": "draw"}
    first, again = (one.post("/draw", None, headers=headers).get_json() for _ in range(2))
    assert first == again


def test_a_drawn_match_can_be_played_again_with_draws(service: Service) -> None:
    one, other = service.table(draws=True)
    one.post("/draw", None)
    other.post("/draw", None)
    again = one.post("/rematch", None).get_json()["match"]
    assert (again["draws"], again["draw_offers"]) == (True, [])


def test_auto_pass_is_set_everywhere_and_told_to_its_seat_only(service: Service) -> None:
    one = service.create({"kind": "me", "auto_pass": True}, {"kind": "open"})
    other = service.client.post(f"/v1/matches/{one.match}/seats", json={"auto_pass": True}).get_json()
    assert other["match"]["auto_pass"] is True
    assert one.get().get_json()["auto_pass"] is True
    path = f"/v1/matches/{one.match}/seats/0"
    assert one.open("PATCH", path, json={"auto_pass": False}).get_json()["auto_pass"] is False
    spectator = service.spectator(one.match)
    assert spectator.get().get_json()["auto_pass"] is None
    assert "auto_pass" not in spectator.get("/events").text
    assert "seat.auto_pass" in one.get("/events").text
    version = one.get().get_json()["version"]
    assert one.open("PATCH", path, json={"auto_pass": False}).get_json()["version"] == version
    for wrong in ("yes", 1, None):
        problem(one.open("PATCH", path, json={"auto_pass": wrong}), "invalid_request")


@pytest.mark.parametrize("path", ["/draw"])
def test_no_draws_after_the_end(service: Service, path: str) -> None:
    players = service.table(draws=True)
    finish(players)
    body: Json = problem(players[0].post(path, None), "match_not_running")
    assert body["match_status"] == "over"
