"""Seat x endpoint: every reading and writing of a match, asked with every token there is. Nobody gets what is another's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.api.conftest import Json, Player, Service, finish, problem

STREAM = "/events?stream=1&after=1"
WHOLE = ["", "/actions", "/events", "/record", "/turn"]
READS = [*WHOLE, STREAM, "/replay/1?seat=0", "/analysis"]
#: Everything that changes a match, as seat 1 would ask for it.
WRITES: list[tuple[str, str, Any]] = [
    ("POST", "/seats", {}),
    ("PATCH", "/seats/1", {"name": "Eve"}),
    ("PATCH", "/seats/1", {"stand_in": 1}),
    ("PATCH", "/seats/1", {"auto_pass": True}),
    ("DELETE", "/seats/1", None),
    ("POST", "/start", {}),
    ("POST", "/resignation", None),
    ("POST", "/draw", None),
    ("DELETE", "/draw", None),
    ("POST", "/rematch", None),
    ("POST", "/actions", {"actions": [{"type": "choose", "card": 1}]}),
]
FORGED = ["x", "A" * 32, "null", "0", " ", "é", "x y", "Bearer"]


def hands(body: Json) -> list[Any]:
    """Return every hand anywhere in a body."""
    if isinstance(body, dict):
        return [value for key, value in body.items() if key == "hand"] + [h for value in body.values() for h in hands(value)]
    return [h for value in body for h in hands(value)] if isinstance(body, list) else []


@pytest.fixture
def players(service: Service) -> list[Player]:
    return service.table(4)


@pytest.mark.parametrize("path", WHOLE)
def test_every_seat_reads_its_own_hand_only(service: Service, players: list[Player], path: str) -> None:
    own = [player.get().get_json()["view"]["players"][player.seat or 0]["hand"] for player in players]
    for player in players:
        body = player.get(path).get_json()
        assert all(hand == own[player.seat or 0] for hand in hands(body))
    if path != "/actions":
        assert hands(service.spectator(players[0].match).get(path).get_json()) == []


def test_a_stream_tells_every_seat_its_own_hand_only(service: Service, players: list[Player]) -> None:
    own = [player.get().get_json()["view"]["players"][player.seat or 0]["hand"] for player in players]
    finish(players)
    for viewer in (*players, service.spectator(players[0].match)):
        text = viewer.get("/events?stream=1").text
        seen = [hand for hand in own if str(hand).replace(" ", "") in text]
        assert seen == ([] if viewer.seat is None else [own[viewer.seat]])


@pytest.mark.parametrize("path", READS)
def test_a_token_of_another_match_is_refused(service: Service, players: list[Player], path: str) -> None:
    other = service.table(2)
    for stranger in other:
        problem(Player(service.client, players[0].match, 0, stranger.token).get(path), "bad_token")


@pytest.mark.parametrize("token", FORGED)
def test_a_forged_token_is_refused_everywhere(service: Service, players: list[Player], token: str) -> None:
    forger = Player(service.client, players[0].match, 0, token)
    version = players[0].get().get_json()["version"]
    for path in READS:
        response = forger.get(path)
        problem(response, "bad_token")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
    problem(forger.play(players[0].first()), "bad_token")
    problem(forger.play(players[0].first(), query_string={"dry_run": "1"}), "bad_token")
    for method, path, body in WRITES:
        problem(forger.open(method, f"/v1/matches/{forger.match}{path}", json=body), "bad_token")
    assert players[0].get().get_json()["version"] == version


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
@pytest.mark.parametrize("status", ["open", "running", "over"])
def test_nobody_else_changes_a_match(service: Service, status: str, method: str, path: str, body: Any) -> None:
    players = service.table(3)
    if status == "over":
        finish(players)
    if status == "open":
        players = [service.create({"kind": "me"}, *[{"kind": "open"}] * 3)]
        players += [service.take(players[0].match) for _ in range(2)]
    version = players[0].get().get_json()["version"]
    match = players[0].match
    others = [service.table()[1].token, service.create({"kind": "me"}, {"kind": "open"}).token, str(players[1].token)[:-1]]
    for token in others:
        stranger = Player(service.client, match, 1, token)
        problem(stranger.open(method, f"/v1/matches/{match}{path}", json=body), "bad_token")
    response = service.spectator(match).open(method, f"/v1/matches/{match}{path}", json=body)
    if path != "/seats":
        problem(response, "seat_token_needed")
        assert players[0].get().get_json()["version"] == version
    for other in (players[0], players[2]):
        if path == "/seats/1":
            problem(other.open(method, f"/v1/matches/{match}{path}", json=body), "not_your_seat")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic eDp5", "Token x", "bearer"])
def test_other_ways_to_say_who_one_is_are_refused(service: Service, players: list[Player], header: str) -> None:
    spectator = service.spectator(players[0].match)
    for path in READS:
        problem(spectator.get(path, headers={"Authorization": header}), "bad_token")


def test_the_scheme_is_read_in_any_case(service: Service, players: list[Player]) -> None:
    spectator = service.spectator(players[0].match)
    response = spectator.get(headers={"Authorization": f"bearer  {players[1].token}"})
    assert response.get_json()["seat"] == 1


def test_a_spectator_reads_but_does_not_act(service: Service, players: list[Player]) -> None:
    spectator = service.spectator(players[0].match)
    problem(spectator.get("/actions"), "seat_token_needed")
    problem(spectator.play(players[0].first()), "seat_token_needed")
    problem(spectator.play(players[0].first(), query_string={"dry_run": "1"}), "seat_token_needed")


def test_each_seat_plays_for_itself(service: Service, players: list[Player]) -> None:
    for player in players[:3]:
        others = [other.first() for other in players if other is not player]
        for action in others:
            problem(player.play(action), "illegal_action")
        shown = player.play(player.first()).get_json()
        assert shown["view"]["players"][player.seat or 0]["chosen"] is True


def test_a_repeated_key_of_another_seat_tells_nothing(players: list[Player]) -> None:
    headers = {"Idempotency-Key": "the same key"}
    players[0].play(players[0].first(), headers=headers)
    answer = players[1].play(players[1].first(), headers=headers).get_json()
    assert answer["seat"] == 1


def test_tokens_and_seeds_appear_in_no_answer(service: Service, players: list[Player]) -> None:
    match = service.matches.get(players[0].match)
    secrets = [str(player.token) for player in players] + [str(seat.token_hash) for seat in match.seats] + [match.seed.hex()]
    for viewer in (*players, service.spectator(players[0].match)):
        for path in WHOLE:
            text = viewer.get(path).text
            assert not [secret for secret in secrets if secret in text]
