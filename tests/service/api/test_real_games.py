"""Every registered game over HTTP: whole matches, every answer as the document promises, and no action of another game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from redis import Redis

from engines import GAMES
from engines.records import Record, replay
from service import openapi
from service.settings import Settings
from tests.service.api.conftest import GAMES as TOY
from tests.service.api.conftest import Player, Service, opened, problem

DOCUMENT = json.loads(openapi.FILE.read_text("utf-8"))


@pytest.fixture
def everything(settings: Settings, redis: Redis) -> Iterator[Service]:
    with opened(settings, redis, GAMES) as service:
        yield service


#: Of the bodies of a long match, every so many are checked against the document: checking takes longer than playing.
CHECKED = 12
#: Random play of some games takes a thousand actions: so many are played over HTTP, whole matches by the engine tests.
MOST = 150


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", **DOCUMENT})


def check(name: str, body: Any) -> Any:
    """Check a body against a schema of the checked-in document and return it."""
    validator(name).validate(body)
    return body


def play_on(players: list[Player], rng: random.Random) -> int:
    """Play random legal actions until the match is over, MOST at the most; return how many."""
    shown = check("Match", players[0].get().get_json())
    played = 0
    while shown["status"] == "running" and played < MOST:
        player = players[rng.choice(shown["awaiting"])]
        shown = player.get().get_json()
        response = player.play(rng.choice(shown["legal_actions"]), version=shown["version"])
        assert response.status_code == 200, response.get_json()
        before, shown = shown, response.get_json()
        assert shown["version"] > before["version"]
        if played % CHECKED == 0 or shown["status"] != "running":
            check("Match", shown)
        played += 1
    return played


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match(everything: Service, name: str) -> None:
    game = GAMES[name]
    players = everything.table(game.min_seats, game=name)
    assert 0 < play_on(players, random.Random(name)) <= game.longest
    shown = players[0].get().get_json()
    if shown["status"] == "running":
        assert len(check("Match", shown)["awaiting"]) > 0
        return
    assert shown["outcome"]["reason"] in game.reasons
    record = check("Record", players[0].get("/record").get_json())
    end = list(replay(Record.from_json(record), GAMES))[-1]
    outcome = game.outcome(end)
    assert outcome is not None
    assert outcome.to_json() == shown["outcome"]


@pytest.mark.parametrize("name", GAMES)
def test_no_action_of_another_game(everything: Service, name: str) -> None:
    players = everything.table(GAMES[name].min_seats, game=name)
    player = players[players[0].get().get_json()["awaiting"][0]]
    for other in [game for game in (*GAMES.values(), *TOY.values()) if game.name != name]:
        for action in openapi.examples(other).values():
            if action not in openapi.examples(GAMES[name]).values():
                refused = player.play(action).get_json()
                assert refused["code"] in ("unreadable_action", "illegal_action")
    foreign = player.play(*[action for game in TOY.values() for action in openapi.examples(game).values()][:1])
    problem(foreign, "unreadable_action")


RULE_CARDS: list[tuple[Any, str]] = [
    ([1, 2, 3, 3], "twice"),
    ([1, 2, 3], "four"),
    ([1, 2, 3, 99], "99"),
    ([0, 1, 2, 3], "0"),
    (["1", "2", "3", "4"], ""),
    ("last_game", "last_game"),
    (7, ""),
    (None, ""),
]


@pytest.mark.parametrize(("cards", "names"), RULE_CARDS, ids=[repr(cards) for cards, _ in RULE_CARDS])
def test_rule_cards_that_cannot_be(everything: Service, cards: Any, names: str) -> None:
    body = {"game": "last-lemming", "seats": [{"kind": "me"}] + [{"kind": "open"}] * 2, "options": {"rule_cards": cards}}
    refused = problem(everything.client.post("/v1/matches", json=body), "bad_options")
    assert refused["option"] == "rule_cards"
    assert names in refused["detail"]
