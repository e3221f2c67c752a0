"""Non-interference: two worlds that a viewer cannot tell apart are answered to him byte for byte the same, everywhere.

Two matches are dealt with the same id and from two seeds that give the watched seat the same hand and the others other
hands; the others then choose other cards. Only `seed_hash`, which is published to be different, is made equal.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from engines.game import chance_key
from service.matches import SetClock
from service.settings import Settings
from tests.service.api.conftest import GAMES, Player, opened

ID = "23456789abcdef"
SEATS = 3
GAME = GAMES["toy"]

REQUESTS: list[tuple[str, str, Any, dict[str, str]]] = [
    ("GET", "", None, {}),
    ("GET", "?wait=1", None, {"If-None-Match": '"3"'}),
    ("GET", "", None, {"If-None-Match": '"4"'}),
    ("HEAD", "", None, {}),
    ("GET", "/actions", None, {}),
    ("GET", "/events", None, {}),
    ("GET", "/events?after=2&limit=1", None, {}),
    ("GET", "/record", None, {}),
    ("GET", "/turn", None, {}),
    ("GET", "/replay/1", None, {}),
    ("GET", "/replay/1?seat=2", None, {}),
    ("GET", "/events?after=99", None, {}),
    ("POST", "/hints", None, {}),
    ("POST", "/hints?wait=1", None, {}),
    *[("GET", f"/hints/{version}", None, {}) for version in range(3, 6)],
    ("POST", "/seats", {}, {}),
    ("POST", "/start", {}, {}),
    ("POST", "/rematch", {}, {}),
    ("PATCH", "/seats/1", {"name": "Eve"}, {}),
    ("PATCH", "/seats/1", {"stand_in": 2}, {}),
    ("PATCH", "/seats/1", {"stand_in": None}, {}),
    ("DELETE", "/seats/9", None, {}),
    ("POST", "/actions", {"actions": [{"type": "fly"}]}, {}),
    ("POST", "/actions", {"actions": [{"type": "take_back"}], "version": 0}, {}),
    *[("POST", "/actions", {"actions": [{"type": "choose", "card": card}]}, {}) for card in range(1, 13)],
    *[("POST", "/actions?dry_run=1", {"actions": [{"type": "choose", "card": card}]}, {}) for card in range(1, 13)],
    ("POST", "/actions?dry_run=1", {"actions": [{"type": "take_back"}]}, {}),
    ("POST", "/actions", {"actions": [{"type": "take_back"}, {"type": "choose", "card": 1}]}, {"Idempotency-Key": "a"}),
    ("POST", "/actions", {"actions": [{"type": "take_back"}]}, {"Idempotency-Key": "b"}),
    ("POST", "/actions", {"actions": [{"type": "take_back"}]}, {"Idempotency-Key": "b"}),
    ("GET", "/events", None, {}),
    ("GET", "", None, {}),
]


def hand(seed: bytes, seat: int | None) -> Any:
    """Return the hand a seat is dealt from a seed; of a spectator, nothing."""
    if seat is None:
        return None
    return GAME.view(GAME.new(SEATS, {}, seed, ID), seat)["players"][seat]["hand"]


def twins(seat: int | None) -> tuple[bytes, bytes]:
    """Return two seeds that deal a seat the same hand, and another seat other hands."""
    first = bytes(32)
    for number in itertools.count(1):
        seed = number.to_bytes(32)
        if hand(seed, seat) == hand(first, seat) and all(hand(seed, s) != hand(first, s) for s in range(SEATS) if s != seat):
            assert chance_key(first, ID, 0) != chance_key(seed, ID, 0)
            return first, seed
    raise AssertionError


@pytest.fixture
def world(settings: Settings, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that makes the world of one seed, at the same id and time, with the same tokens, and answers its players."""
    with ExitStack() as stack:

        def make(seed: bytes) -> list[Player]:
            redis.flushall()
            tokens = (f"token-of-seat-{number}" for number in itertools.count())
            monkeypatch.setattr("service.matches.seating.new_id", lambda: ID)
            monkeypatch.setattr("service.matches.seating.new_token", lambda: next(tokens))
            service = stack.enter_context(opened(settings, redis, clock=SetClock()))
            created = service.matches.create
            monkeypatch.setattr(service.matches, "create", lambda *args, **kwargs: created(*args, **{**kwargs, "seed": seed}))
            return service.table(SEATS)

        yield make


def answer(response: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return all that a client gets to see, with the one thing that is meant to differ made equal."""
    body = re.sub(rb'"seed_hash":"[0-9a-f]{64}"', b'"seed_hash":""', response.data)
    return response.status_code, sorted(response.headers), body


def ask(viewer: Player) -> list[Any]:
    """Return the answers to one of every request."""
    answers = []
    for method, path, body, headers in REQUESTS:
        sent = {"json": body} if body is not None else {}
        answers.append(answer(viewer.open(method, f"/v1/matches/{ID}{path}", headers=headers, **sent)))
    return answers


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_answers_in_two_worlds_are_the_same_bytes(world: Any, seat: int | None) -> None:
    others = [other for other in range(SEATS) if other != seat]
    answers, choices = [], []
    for seed in twins(seat):
        players = world(seed)
        viewer = Player(players[0].client, ID) if seat is None else players[seat]
        answers.append(ask(viewer))
        for other in others[:-1]:  # the last one still thinks, or all choices would be shown
            choices.append(players[other].first())
            assert players[other].play(choices[-1]).status_code == 200
        answers.append(ask(viewer))
    half = len(choices) // 2
    assert choices[:half] != choices[half:]
    assert answers[:2] == answers[2:]
