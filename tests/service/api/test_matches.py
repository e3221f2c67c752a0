"""Creating matches, taking seats, looking and waiting."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from service.api.matches import MatchSchema
from tests.service.api.conftest import Json, Player, Service, finish, problem

ME: Json = {"kind": "me", "name": "Ada"}
OPEN: Json = {"kind": "open"}
AI: Json = {"kind": "ai", "level": 3}


# --- creating ---------------------------------------------------------------------------------------------------------


def test_created_with_a_seat_and_its_token(service: Service) -> None:
    response = service.client.post("/v1/matches", json={"game": "toy", "seats": [ME, AI, OPEN], "options": {"bonus": True}})
    assert response.status_code == 201
    body = response.get_json()
    match = body["match"]
    assert response.headers["Location"] == f"/v1/matches/{match['id']}"
    assert response.headers["ETag"] == '"1"'
    assert response.headers["Cache-Control"] == "no-store"
    assert (body["seat"], match["seat"], match["status"], match["view"]) == (0, 0, "open", None)
    assert match["options"] == {"bonus": True, "edition": "standard"}
    assert [seat["kind"] for seat in match["seats"]] == ["me", "ai", "open"]
    assert match["seats"][1]["level"] == 3
    assert len(body["token"]) >= 32


def test_starts_at_once_without_open_seats(service: Service) -> None:
    body = service.client.post("/v1/matches", json={"game": "toy", "seats": [AI, AI]}).get_json()
    assert (body["match"]["status"], body["seat"], body["token"]) == ("running", None, None)


BAD: list[tuple[Json, str, str]] = [
    ({"game": "chess", "seats": [ME, AI]}, "unknown_game", "chess"),
    ({"game": "toy", "seats": [ME]}, "bad_seats", "2 to 4"),
    ({"game": "toy", "seats": [ME] + [AI] * 4}, "bad_seats", "2 to 4"),
    ({"game": "toy", "seats": [ME, ME]}, "bad_seats", "only one"),
    ({"game": "toy", "seats": [ME, {"kind": "ai"}]}, "unknown_level", "1, 2"),
    ({"game": "toy", "seats": [ME, {"kind": "ai", "level": 99}]}, "unknown_level", "99"),
    ({"game": "toy", "seats": [ME, {"kind": "ai", "elo": 1200}]}, "unknown_level", "no ratings"),
    ({"game": "toy", "seats": [ME, {"kind": "ai", "elo": 1200, "level": 3}]}, "bad_seats", "not both"),
    ({"game": "toy", "seats": [ME, {"kind": "open", "elo": 1200}]}, "bad_seats", "only an AI"),
    ({"game": "toy", "seats": [{**ME, "level": 1}, AI]}, "bad_seats", "level"),
    ({"game": "toy", "seats": [ME, AI], "options": {"edition": "first"}}, "bad_options", "first"),
    ({"game": "toy", "seats": [ME, AI], "options": {"edition": 1}}, "bad_options", "edition"),
    ({"game": "toy", "seats": [ME, AI], "options": {"boni": True}}, "bad_options", "boni"),
    ({"game": "toy", "seats": [ME, AI], "options": {"bonus": "yes"}}, "bad_options", "bonus"),
    ({"game": "toy", "seats": []}, "invalid_request", "seats"),
    ({"game": "toy"}, "invalid_request", "seats"),
    ({"seats": [ME, AI]}, "invalid_request", "game"),
    ({"game": ["toy"], "seats": [ME, AI]}, "invalid_request", "game"),
    ({"game": "toy", "seats": [ME, AI], "colour": "red"}, "invalid_request", "colour"),
    ({"game": "toy", "seats": [ME, {**AI, "strength": 1200}]}, "invalid_request", "strength"),
    ({"game": "toy", "seats": [ME, {"kind": "dog"}]}, "invalid_request", "kind"),
    ({"game": "toy", "seats": [ME, {"kind": "ai", "level": "3"}]}, "invalid_request", "level"),
    ({"game": "toy", "seats": [ME, {"kind": "ai", "level": True}]}, "invalid_request", "level"),
    ({"game": "toy", "seats": [{"kind": "me", "name": "x" * 41}, AI]}, "invalid_request", "name"),
    ({"game": "toy", "seats": [{"kind": "me", "name": "a\nb"}, AI]}, "invalid_request", "name"),
    ({"game": "toy", "seats": [ME, AI], "options": []}, "invalid_request", "options"),
    ({"game": "toy", "seats": [ME, AI], "turn_seconds": 0}, "invalid_request", "turn_seconds"),
    ({"game": "toy", "seats": [ME, AI], "turn_seconds": "10"}, "invalid_request", "turn_seconds"),
    ({"game": "toy", "seats": [ME, AI], "reaction_seconds": 1e9}, "invalid_request", "reaction_seconds"),
    ({"game": "toy", "seats": [ME, AI], "on_timeout": "cry"}, "invalid_request", "on_timeout"),
]


@pytest.mark.parametrize(("body", "code", "names"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_what_cannot_be_created(service: Service, body: Json, code: str, names: str) -> None:
    refused = problem(service.client.post("/v1/matches", json=body), code)
    assert names in refused["detail"]
    assert service.redis.dbsize() == 0


def test_a_refused_option_is_named(service: Service) -> None:
    body = {"game": "toy", "seats": [ME, AI], "options": {"bonus": 3}}
    assert problem(service.client.post("/v1/matches", json=body), "bad_options")["option"] == "bonus"


def test_every_complaint_is_listed_by_field(service: Service) -> None:
    body = {"game": 1, "seats": [{"kind": "dog"}], "colour": "red"}
    refused = problem(service.client.post("/v1/matches", json=body), "invalid_request")
    assert set(refused["errors"]) == {"game", "seats", "colour"}
    assert refused["errors"]["seats"]["0"]["kind"]


# --- the same request again -------------------------------------------------------------------------------------------


def test_creating_twice_with_a_key_creates_once(service: Service) -> None:
    body, headers = {"game": "toy", "seats": [ME, OPEN]}, {"Idempotency-Key": "0123456789abcdef"}
    first = service.client.post("/v1/matches", json=body, headers=headers)
    again = service.client.post("/v1/matches", json=body, headers=headers)
    assert (first.status_code, first.data) == (again.status_code, again.data)
    other = service.client.post("/v1/matches", json={**body, "options": {"bonus": True}}, headers=headers)
    problem(other, "request_reused")
    assert len(service.redis.keys("*:match:*:events")) == 1


def test_a_seat_is_taken_once_with_a_key(service: Service) -> None:
    player = service.create(ME, OPEN, OPEN)
    headers = {"Idempotency-Key": "0123456789abcdef"}
    first = player.post("/seats", {"name": "Bea"}, headers=headers)
    again = player.post("/seats", {"name": "Bea"}, headers=headers)
    assert first.get_json()["token"] == again.get_json()["token"]
    assert first.get_json()["seat"] == again.get_json()["seat"] == 1
    assert player.get().get_json()["seats"][2]["kind"] == "open"
    problem(player.post("/seats", {"name": "Cleo"}, headers=headers), "request_reused")


@pytest.mark.parametrize("key", ["", "short", "x" * 201])
def test_keys_that_cannot_be_used(service: Service, key: str) -> None:
    body = {"game": "toy", "seats": [ME, OPEN]}
    problem(service.client.post("/v1/matches", json=body, headers={"Idempotency-Key": key}), "bad_request_key")


# --- taking seats -----------------------------------------------------------------------------------------------------


def test_the_last_open_seat_starts_the_match(service: Service) -> None:
    first = service.create(ME, OPEN, OPEN)
    second = first.post("/seats", {"name": "Bea", "seat": 2}).get_json()
    assert (second["seat"], second["match"]["status"]) == (2, "open")
    third = first.post("/seats", {}).get_json()
    assert (third["seat"], third["match"]["status"]) == (1, "running")
    assert [seat["name"] for seat in third["match"]["seats"]] == ["Ada", "Player 2", "Bea"]
    assert len({first.token, second["token"], third["token"]}) == 3
    problem(first.post("/seats", {}), "no_open_seat")


def test_seats_that_cannot_be_taken(service: Service) -> None:
    player = service.create(ME, OPEN, OPEN)
    problem(player.post("/seats", {"seat": 0}), "seat_taken")
    problem(player.post("/seats", {"seat": 7}), "bad_seats")
    problem(player.post("/seats", {"seat": -1}), "bad_seats")
    for body in ({"seat": "1"}, {"seat": 1.5}, {"name": 3}, {"names": "x"}, {"name": " x"}):
        problem(player.post("/seats", body), "invalid_request")
    problem(Player(service.client, "23456789abcdef").post("/seats", {}), "match_not_found")


# --- looking ----------------------------------------------------------------------------------------------------------


def test_each_seat_sees_its_own_view_and_a_spectator_none(service: Service) -> None:
    players = service.table(3)
    for player in players:
        shown = player.get().get_json()
        assert shown["seat"] == player.seat
        hands = [other.get("hand") for other in shown["view"]["players"]]
        assert [hand is not None for hand in hands] == [seat == player.seat for seat in range(3)]
        assert [action["card"] for action in shown["legal_actions"]] == hands[player.seat or 0]
    shown = service.spectator(players[0].match).get().get_json()
    assert (shown["seat"], shown["legal_actions"]) == (None, [])
    assert not any("hand" in other for other in shown["view"]["players"])


def test_headers_of_a_view(service: Service) -> None:
    (player, _) = service.table()
    response = player.get()
    assert response.headers["ETag"] == f'"{response.get_json()["version"]}"'
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert response.headers["Vary"] == "Authorization"


@pytest.mark.parametrize("path", ["", "/actions"])
def test_not_modified(service: Service, path: str) -> None:
    (player, _) = service.table()
    tag = player.get(path).headers["ETag"]
    for sent in (tag, f"W/{tag}", f'"0", {tag}'):
        response = player.get(path, headers={"If-None-Match": sent})
        assert (response.status_code, response.data, response.headers["ETag"]) == (304, b"", tag)
    player.play(player.first())
    response = player.get(path, headers={"If-None-Match": tag})
    assert response.status_code == 200
    assert response.headers["ETag"] != tag
    for sent in ("*", '"x"', "rubbish", '"99999999999999999999999"'):
        assert player.get(path, headers={"If-None-Match": sent}).status_code == 200


def test_an_ended_match_shows_its_outcome(service: Service) -> None:
    players = service.table(3)
    finish(players)
    shown = players[0].get().get_json()
    assert (shown["status"], shown["awaiting"], shown["legal_actions"]) == ("over", [], [])
    assert shown["outcome"]["reason"] == "most_points"
    assert sorted(shown["outcome"]["ranking"])[0] == 1


def test_the_schema_says_all_that_is_shown(service: Service) -> None:
    players = service.table(2, turn_seconds=60)
    shown = players[0].get().get_json()
    assert set(shown) == set(MatchSchema().fields)
    assert shown["deadline"]


@pytest.mark.parametrize("match", ["x", "23456789abcdef", "23456789ABCDEF", "%00", "a b", "..%2f", "*", "é", "2" * 400])
def test_no_such_match(service: Service, match: str) -> None:
    for path in ("", "/actions", "/events", "/record"):
        response = service.client.get(f"/v1/matches/{match}{path}", headers={"Authorization": "Bearer x"})
        assert response.get_json()["code"] in ("match_not_found", "not_found")
        assert response.status_code == 404


# --- waiting ----------------------------------------------------------------------------------------------------------


def test_waiting_ends_with_a_new_version(service: Service) -> None:
    (one, two) = service.table()
    tag = one.get().headers["ETag"]
    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(one.get("?wait=20", headers={"If-None-Match": tag})))
    waiting.start()
    two.play(two.first())
    waiting.join(15)
    assert not waiting.is_alive()
    assert answers[0].status_code == 200
    assert answers[0].headers["ETag"] != tag


def test_waiting_in_vain_is_not_modified(service: Service) -> None:
    (one, _) = service.table()
    tag = one.get().headers["ETag"]
    began = time.monotonic()
    response = one.get("?wait=1", headers={"If-None-Match": tag})
    assert response.status_code == 304
    assert time.monotonic() - began >= 0.9


def test_waiting_without_a_known_version_answers_at_once(service: Service) -> None:
    (one, _) = service.table()
    began = time.monotonic()
    assert one.get("?wait=20").status_code == 200
    assert one.get("?wait=20", headers={"If-None-Match": '"1"'}).status_code == 200
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("query", ["wait=-1", "wait=26", "wait=x", "wait=", "wait=1e3", "wait=1.5", "until=3"])
def test_queries_that_do_not_fit(service: Service, query: str) -> None:
    (one, _) = service.table()
    problem(one.get(f"?{query}"), "invalid_request")


def test_an_ai_asked_for_by_elo(service: Service, ladder: None) -> None:
    shown = service.create({"kind": "me"}, {"kind": "ai", "elo": 1150}).get().get_json()
    assert shown["seats"][1] == {"seat": 1, "kind": "ai", "name": "AI 1150", "level": 2.25, "elo": 1150}
    whole = service.create({"kind": "me"}, {"kind": "ai", "level": 2}).get().get_json()
    assert whole["seats"][1]["level"] == 2
    assert isinstance(whole["seats"][1]["level"], int)


def test_an_elo_out_of_range_names_the_range(service: Service, ladder: None) -> None:
    body = {"game": "toy", "seats": [ME, {"kind": "ai", "elo": 3000}]}
    refused = problem(service.client.post("/v1/matches", json=body), "unknown_level")
    assert "1000 to 1300" in refused["detail"]


def test_a_game_tells_how_strong_its_levels_are(service: Service, ladder: None) -> None:
    levels = service.client.get("/v1/games/toy").get_json()["levels"]
    assert levels[1]["elo"]["2"] == {"elo": 1100, "low": 1050, "high": 1150}
    assert levels[7]["elo"] == {}
