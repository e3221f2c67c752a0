"""Every operation of a match, asked with every kind of key: a person's token, a bot's key, a stranger's, none, and dead ones.

The operations come from the OpenAPI document, so that none can be left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service import openapi
from tests.service.api.conftest import GAMES, Json, Service, problem
from tests.service.api.test_access import hands
from tests.service.api.test_bots import ME, TORTOISE, Bot, register

#: The operations of one match, with a body that asks seat 1's business, and what only its holder may do.
BODIES: dict[tuple[str, str], Any] = {
    ("post", "/seats"): {},
    ("patch", "/seats/{seat}"): {"stand_in": 1},
    ("post", "/actions"): {"actions": [{"type": "choose", "card": 1}]},
    ("post", "/start"): {},
}
PUBLIC = {
    ("get", ""),
    ("get", "/turn"),
    ("get", "/events"),
    ("get", "/record"),
    ("get", "/replay/{version}"),
    ("get", "/analysis"),
    ("post", "/seats"),
}
HINTS = {("post", "/hints"), ("get", "/hints/{version}")}


def operations() -> list[tuple[str, str]]:
    """Return the method and the path below the match of every operation that names one."""
    document = json.loads(openapi.text(GAMES))
    prefix = "/v1/matches/{match_id}"
    return [
        (method, path.removeprefix(prefix))
        for path, item in document["paths"].items()
        if path.startswith(prefix)
        for method in item
        if method != "parameters"
    ]


OPERATIONS = operations()
#: Taking a seat is for anybody; it has tests of its own.
SEATED = [operation for operation in OPERATIONS if operation != ("post", "/seats")]


@dataclass
class Table:
    """A running match of a person (seat 0) and a bot (seat 1), and strangers."""

    service: Service
    match: str
    person: str
    bot: Bot
    stranger: Bot

    def ask(self, operation: tuple[str, str], authorization: str | None, match: str | None = None) -> TestResponse:
        method, path = operation
        address = f"/v1/matches/{match or self.match}" + path.format(seat=1, version=1)
        headers = {} if authorization is None else {"Authorization": authorization}
        return self.service.client.open(address, method=method.upper(), headers=headers, json=BODIES.get(operation))


@pytest.fixture
def table(service: Service) -> Table:
    tortoise, hare = register(service, "tortoise"), register(service, "hare")
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    hare.accept(service.create(ME, {"kind": "bot", "bot": "hare"}).match)
    assert player.token is not None
    return Table(service, player.match, player.token, tortoise, hare)


def test_the_matrix_knows_every_operation() -> None:
    assert len(OPERATIONS) >= 15
    assert set(BODIES) | PUBLIC | HINTS <= set(OPERATIONS)


@pytest.mark.parametrize("operation", SEATED, ids=str)
def test_a_bot_of_another_match_gets_nothing(table: Table, operation: tuple[str, str]) -> None:
    version = table.service.matches.get(table.match).version
    response = table.ask(operation, f"Bearer {table.stranger.key}")
    problem(response, "bot_not_seated")
    assert hands(response.get_json()) == []
    assert table.service.matches.get(table.match).version == version


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_keys_that_are_nobodys_get_nothing(table: Table, operation: tuple[str, str]) -> None:
    old = table.bot.key
    table.bot.key = table.bot.post("/bots/me/key").get_json()["key"]
    version = table.service.matches.get(table.match).version
    name, secret = table.bot.key.split(".")[1:]
    for key in (
        old,
        table.bot.key + "x",
        table.bot.key[:-1],
        f"bot.hare.{secret}",
        f"bot.{name}.",
        "bot.tortoise",
        "bot.x.y.z",
    ):
        problem(table.ask(operation, f"Bearer {key}"), "bad_token")
    assert table.service.matches.get(table.match).version == version


@pytest.mark.parametrize("operation", SEATED, ids=str)
def test_without_a_key_there_is_what_spectators_get(table: Table, operation: tuple[str, str]) -> None:
    version = table.service.matches.get(table.match).version
    response = table.ask(operation, None)
    if operation in PUBLIC:
        assert response.status_code == 200 or problem(response, "match_not_over")
    else:
        problem(response, "seat_token_needed")
    assert hands(response.get_json()) == []
    assert table.service.matches.get(table.match).version == version


@pytest.mark.parametrize("operation", SEATED, ids=str)
def test_each_sees_the_own_hand_only(table: Table, operation: tuple[str, str]) -> None:
    own: dict[str, Any] = {}
    for seat, key in enumerate((table.person, table.bot.key)):
        shown: Json = table.ask(("get", ""), f"Bearer {key}").get_json()
        own[key] = shown["view"]["players"][seat]["hand"]
    assert own[table.person] != own[table.bot.key]
    if operation[0] != "get":
        return
    for key, hand in own.items():
        response = table.ask(operation, f"Bearer {key}")
        assert response.status_code < 500
        assert all(seen == hand for seen in hands(response.get_json()))


@pytest.mark.parametrize("operation", [operation for operation in SEATED if "{seat}" in operation[1]], ids=str)
def test_a_seats_affairs_are_its_holders(table: Table, operation: tuple[str, str]) -> None:
    problem(table.ask(operation, f"Bearer {table.person}"), "not_your_seat")
    assert table.ask(operation, f"Bearer {table.bot.key}").status_code == 200


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_of_a_match_that_has_expired_nothing_is_left(table: Table, operation: tuple[str, str]) -> None:
    for key in table.service.redis.keys(f"*{table.match}*"):
        table.service.redis.delete(key)
    keys = [table.person, table.bot.key, table.stranger.key]
    for authorization in (None, *(f"Bearer {key}" for key in keys)):
        problem(table.ask(operation, authorization), "match_not_found")
        problem(table.ask(operation, authorization, "x"), "match_not_found")


@pytest.mark.parametrize("operation", SEATED, ids=str)
def test_an_invited_bot_may_look_and_no_more(table: Table, operation: tuple[str, str]) -> None:
    match = table.service.create(ME, TORTOISE, {"kind": "open"}).match
    version = table.service.matches.get(match).version
    response = table.ask(operation, f"Bearer {table.bot.key}", match)
    if operation == ("delete", "/seats/{seat}"):  # it declines so
        assert response.status_code == 200
        return
    if operation in PUBLIC:
        assert response.status_code == 200 or problem(response, "match_not_over")
    else:
        assert response.status_code in (200, 403, 404, 409)
    assert table.service.matches.get(match).version == version


def test_join_codes_are_not_guessed_with_a_bots_key_either(service: Service) -> None:
    bots = [register(service, f"bot-{n}") for n in range(3)]
    player = service.create(ME, {"kind": "open"}, private=True)
    code = player.get().get_json()["join_code"]
    answers = [
        bots[n % 3].post(f"/matches/{player.match}/seats", json={"join_code": f"wrong{n:03d}"}).get_json()["code"]
        for n in range(14)
    ]
    assert answers == ["bad_join_code"] * 10 + ["too_many_guesses"] * 4
    problem(bots[0].post(f"/matches/{player.match}/seats", json={"join_code": code}), "too_many_guesses")
    assert bots[0].me()["matches"] == 0
