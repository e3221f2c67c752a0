"""The application on a real server, with the toy game, and a client that remembers seats."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from werkzeug.test import TestResponse

from engines import Game, Registry
from service import create_app
from service.errors import MEDIA_TYPE, PROBLEMS
from service.matches import Matches
from service.settings import Settings

GAMES = Registry({"toy": "tests.toy"})
Json = dict[str, Any]


@dataclass
class Player:
    """A client that sends one seat's token (None: a spectator)."""

    client: FlaskClient
    match: str = ""
    seat: int | None = None
    token: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def open(self, method: str, path: str, headers: dict[str, str] | None = None, **kwargs: Any) -> TestResponse:
        sent = {**self.headers, **({"Authorization": f"Bearer {self.token}"} if self.token else {}), **(headers or {})}
        return self.client.open(path, method=method, headers=sent, **kwargs)

    def get(self, path: str = "", **kwargs: Any) -> TestResponse:
        return self.open("GET", f"/v1/matches/{self.match}{path}", **kwargs)

    def post(self, path: str, body: Any, **kwargs: Any) -> TestResponse:
        return self.open("POST", f"/v1/matches/{self.match}{path}", json=body, **kwargs)

    def play(self, *actions: Json, **kwargs: Any) -> TestResponse:
        version = kwargs.pop("version", None)
        body: Json = {"actions": list(actions)}
        if version is not None:
            body["version"] = version
        return self.post("/actions", body, **kwargs)

    def first(self) -> Json:
        """Return the seat's first legal action."""
        return self.get().get_json()["legal_actions"][0]


@dataclass
class Service:
    """The application and what it works with."""

    app: Flask
    matches: Matches
    redis: Redis

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def create(self, *seats: Json, game: str = "toy", **more: Any) -> Player:
        """Create a match and return its creator's player."""
        response = self.client.post("/v1/matches", json={"game": game, "seats": list(seats), **more})
        assert response.status_code == 201, response.get_json()
        body = response.get_json()
        return Player(self.client, body["match"]["id"], body["seat"], body["token"])

    def take(self, match: str, name: str = "") -> Player:
        """Take the first open seat."""
        response = self.client.post(f"/v1/matches/{match}/seats", json={"name": name})
        assert response.status_code == 201, response.get_json()
        body = response.get_json()
        return Player(self.client, match, body["seat"], body["token"])

    def table(self, seats: int = 2, **more: Any) -> list[Player]:
        """Return the players of a running match of people."""
        first = self.create({"kind": "me", "name": "Ada"}, *[{"kind": "open"}] * (seats - 1), **more)
        return [first, *[self.take(first.match, f"Player {n}") for n in range(1, seats)]]

    def spectator(self, match: str) -> Player:
        return Player(self.client, match)


@pytest.fixture
def settings(redis_url: str) -> Settings:
    return Settings(redis_url=redis_url, stream_keepalive_s=0.1, redis_timeout_s=1.0)


@contextmanager
def opened(settings: Settings, redis: Redis, games: Mapping[str, Game] = GAMES, **kwargs: Any) -> Iterator[Service]:
    """Give the service on a server, and leave no reader and no connection behind."""
    matches = Matches.open(settings, games, **kwargs)
    try:
        yield Service(create_app(settings, games, matches), matches, redis)
    finally:
        matches.close()
        for thread in threading.enumerate():
            if thread.name == "match-news":
                thread.join(5)
        matches.store.client.close()
        matches.enqueue.queue.connection.close()  # type: ignore[union-attr]


@pytest.fixture
def service(settings: Settings, redis: Redis) -> Iterator[Service]:
    with opened(settings, redis) as service:
        yield service


def problem(response: TestResponse, code: str) -> Json:
    """Return the body of a refusal, having checked that it is the one expected and well made."""
    body = response.get_json(force=True)
    assert body["code"] == code, body
    kind = PROBLEMS[code]
    assert response.status_code == body["status"] == kind.status
    assert response.mimetype == MEDIA_TYPE
    assert body["title"] == kind.title
    assert body["type"] == f"/problems#{code}"
    assert body["detail"]
    assert "Traceback" not in response.text
    return body


def finish(players: list[Player]) -> None:
    """Play a match of people to its end, each seat its first legal action."""
    while True:
        shown = players[0].get().get_json()
        if shown["status"] == "over":
            return
        for seat in shown["awaiting"]:
            response = players[seat].play(players[seat].first())
            assert response.status_code == 200, response.get_json()
