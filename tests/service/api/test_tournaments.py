"""Tournaments over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.api.conftest import Json, Service, problem
from tests.service.tournaments.test_tournaments import play_out

AIS = [{"kind": "ai", "level": 1}, {"kind": "ai", "level": 2}, {"kind": "ai", "level": 3}]
PATH = "/v1/tournaments"


def create(service: Service, **more: Any) -> tuple[Json, dict[str, str]]:
    """Create a tournament; return it and its creator's headers."""
    response = service.client.post(PATH, json={"game": "toy", "entrants": AIS} | more)
    assert response.status_code == 201, response.get_json()
    body = response.get_json()
    assert response.headers["Location"] == f"{PATH}/{body['tournament']['id']}"
    assert response.headers["Cache-Control"] == "no-store"
    return body["tournament"], {"Authorization": f"Bearer {body['token']}"}


def finish(service: Service, tournament: Json) -> Json:
    tournaments = service.app.extensions["clifftop"].tournaments
    play_out(tournaments, tournaments.get(tournament["id"]))
    return service.client.get(f"{PATH}/{tournament['id']}").get_json()


def test_from_creation_to_the_end(service: Service) -> None:
    made, _ = create(service, name="Cup", rounds=2, duplicate=True)
    assert (made["status"], made["name"], made["seats"], made["matches"]["total"]) == ("running", "Cup", 2, 12)
    assert [row["place"] for row in made["standings"]] == [1, 1, 1]
    assert service.client.get(f"{PATH}/{made['id']}").get_json()["matches"]["over"] == 0
    over = finish(service, made)
    assert (over["status"], over["matches"]) == ("over", {"total": 12, "begun": 12, "over": 12, "void": 0})
    entries = service.client.get(f"{PATH}/{made['id']}/matches").get_json()["matches"]
    assert len(entries) == 12
    match = service.client.get(f"/v1/matches/{entries[0]['match']}").get_json()
    assert (match["status"], match["tournament"], match["rated"]) == ("over", made["id"], True)
    outcome = {name: value for name, value in entries[0]["result"].items() if name in match["outcome"]}
    assert outcome == match["outcome"]


def test_aborting(service: Service) -> None:
    made, creator = create(service)
    _, other = create(service)
    path = f"{PATH}/{made['id']}"
    problem(service.client.delete(path), "tournament_token_needed")
    problem(service.client.delete(path, headers=other), "bad_token")
    seat = service.table()[0].token
    problem(service.client.delete(path, headers={"Authorization": f"Bearer {seat}"}), "bad_token")
    assert service.client.delete(path, headers=creator).get_json()["status"] == "aborted"
    problem(service.client.delete(path, headers=creator), "tournament_not_running")
    problem(service.client.get(f"/v1/matches/{made['id']}"), "match_not_found")


def test_a_request_that_is_sent_again(service: Service) -> None:
    headers = {"Idempotency-Key": "0123456789abcdef"}
    body = {"game": "toy", "entrants": AIS}
    first, again = (service.client.post(PATH, json=body, headers=headers).get_json() for _ in range(2))
    assert first["token"] == again["token"]
    assert first["tournament"]["id"] == again["tournament"]["id"]
    problem(service.client.post(PATH, json=body | {"rounds": 2}, headers=headers), "request_reused")
    problem(service.client.post(PATH, json=body, headers={"Idempotency-Key": "short"}), "bad_request_key")
    assert len(service.client.get(PATH).get_json()["tournaments"]) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"options": {"jokers": 1}}, "bad_options"),
        ({"seats": 5}, "bad_seats"),
        ({"entrants": AIS[:1]}, "invalid_request"),
        ({"entrants": AIS[:2], "seats": 3}, "bad_entrants"),
        ({"entrants": [AIS[0], AIS[0]]}, "bad_entrants"),
        ({"entrants": [AIS[0], {"kind": "ai", "level": 99}]}, "unknown_level"),
        ({"entrants": [AIS[0], {"kind": "ai"}]}, "unknown_level"),
        ({"entrants": [AIS[0], {"kind": "bot", "bot": "nobody"}]}, "unknown_bot"),
        ({"entrants": [AIS[0], {"kind": "bot", "bot": "../../x"}]}, "unknown_bot"),
        ({"entrants": [AIS[0], {"kind": "bot"}]}, "bad_entrants"),
        ({"entrants": [AIS[0], {"kind": "me"}]}, "invalid_request"),
        ({"rounds": 9999}, "tournament_too_large"),
        ({"rounds": 0}, "invalid_request"),
        ({"at_once": 999}, "bad_options"),
        ({"turn_seconds": 0}, "invalid_request"),
        ({"prize": 1}, "invalid_request"),
    ],
)
def test_bad_input(service: Service, change: Json, code: str) -> None:
    problem(service.client.post(PATH, json={"game": "toy", "entrants": AIS} | change), code)


def test_lists_and_their_cursors(service: Service) -> None:
    made = [create(service)[0]["id"] for _ in range(5)]
    found, cursor = [], None
    while True:
        page = service.client.get(PATH, query_string={"limit": 2} | ({"cursor": cursor} if cursor else {})).get_json()
        found += [one["id"] for one in page["tournaments"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(found) == sorted(made)
    assert service.client.get(f"{PATH}?status=over").get_json() == {"tournaments": [], "next": None}
    first = service.client.get(f"{PATH}?limit=2").get_json()["next"]
    problem(service.client.get(PATH, query_string={"cursor": first, "status": "running"}), "bad_cursor")
    problem(service.client.get(f"{PATH}/{made[0]}/matches", query_string={"cursor": first}), "bad_cursor")
    of_matches = service.client.get(f"{PATH}/{made[0]}/matches?limit=1").get_json()["next"]
    problem(service.client.get(f"{PATH}/{made[1]}/matches", query_string={"cursor": of_matches}), "bad_cursor")
    rest = service.client.get(f"{PATH}/{made[0]}/matches", query_string={"cursor": of_matches}).get_json()["matches"]
    assert [entry["number"] for entry in rest] == [1, 2]


@pytest.mark.parametrize("path", ["x", "23456789abcdef", "23456789abcdef/matches"])
def test_what_there_is_not(service: Service, path: str) -> None:
    problem(service.client.get(f"{PATH}/{path}"), "tournament_not_found")
