"""What can be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from engines import GAMES, Game
from tests.service.api.conftest import GAMES as TOY
from tests.service.api.conftest import Service, problem


def every_game() -> list[Any]:
    games: list[Mapping[str, Game]] = [TOY, GAMES]
    return [pytest.param(registry, name, id=name) for registry in games for name in registry]


def test_the_list(service: Service) -> None:
    (shown,) = service.client.get("/v1/games").get_json()["games"]
    assert shown["name"] == "toy"
    assert (shown["min_seats"], shown["max_seats"]) == (2, 4)


def test_one_game(service: Service) -> None:
    shown = service.client.get("/v1/games/toy").get_json()
    assert shown["options"]["properties"]["bonus"] == {"type": "boolean", "default": False}
    assert [edition["name"] for edition in shown["editions"]] == ["standard"]
    assert [level["level"] for level in shown["levels"]] == list(range(1, 9))
    assert all(level["iterations"] > 0 for level in shown["levels"])
    assert shown["reasons"] == ["most_points"]


def test_rules_are_markdown(service: Service) -> None:
    response = service.client.get("/v1/games/toy/rules")
    assert response.mimetype == "text/markdown"
    assert response.text.startswith("# Toy")


def test_an_edition(service: Service) -> None:
    shown = service.client.get("/v1/games/toy/editions/standard").get_json()
    assert shown["data"] == {"edition": "standard"}
    assert len(shown["digest"]) == 64


def test_unknown_names(service: Service) -> None:
    assert problem(service.client.get("/v1/games/chess"), "game_not_found")["games"] == ["toy"]
    problem(service.client.get("/v1/games/chess/rules"), "game_not_found")
    problem(service.client.get("/v1/games/chess/editions/standard"), "game_not_found")
    refused = problem(service.client.get("/v1/games/toy/editions/first"), "edition_not_found")
    assert refused["editions"] == ["standard"]


@pytest.mark.parametrize(("registry", "name"), every_game())
def test_every_game_has_rules_and_an_options_schema(registry: Mapping[str, Game], name: str) -> None:
    game = registry[name]
    assert game.rules.startswith("# ")
    jsonschema.Draft202012Validator.check_schema(game.options_schema)
    for edition in game.editions.values():
        for seats, options in game.variants(edition)[:20]:
            jsonschema.validate(options, game.options_schema)
            assert game.complete_options(seats, options)
