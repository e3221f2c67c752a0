"""The OpenAPI document: `python -m service.openapi` writes `openapi/openapi.json`, `--check` says whether it is up to date.

The blueprints' decorators give the paths and schemas; the games give the examples, from their own legal actions.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from apispec import APISpec

from engines.game import Game, Json
from service.errors import PROBLEMS
from service.matches.match import ALPHABET, ID_LENGTH

FILE = Path(__file__).resolve().parent.parent / "openapi" / "openapi.json"

PATH_PARAMETERS: dict[str, Json] = {
    "match_id": {"description": "The match's `id`.", "schema": {"type": "string", "pattern": f"^[{ALPHABET}]{{{ID_LENGTH}}}$"}},
    "tournament_id": {
        "description": "The tournament's `id`.",
        "schema": {"type": "string", "pattern": f"^[{ALPHABET}]{{{ID_LENGTH}}}$"},
    },
    "version": {"description": "A `version` of the match.", "schema": {"type": "integer", "minimum": 0}},
    "game": {"description": "The game's `name`.", "schema": {"type": "string", "minLength": 1}},
    "bot": {"description": "The bot's `name`.", "schema": {"type": "string", "minLength": 1}},
    "seat": {"description": "The seat's number, from 0.", "schema": {"type": "integer", "minimum": 0}},
    "who": {
        "description": "`ai:<level>` or `bot:<name>`.",
        "schema": {"type": "string", "pattern": "^(ai:[1-9][0-9]?|bot:[a-z][a-z0-9-]{1,30}[a-z0-9])$"},
        "example": "ai:3",
    },
    "edition": {"description": "The edition's `name`.", "schema": {"type": "string", "minLength": 1}},
}

#: Matches played to find an example of each type of action.
_MATCHES = 12


def _random_actions(game: Game, number: int) -> Iterator[Json]:
    """Yield the actions of one random match, the same in every run."""
    rng = random.Random(number)
    variants = game.variants(next(iter(game.editions.values())))
    seats, options = variants[number * 7 % len(variants)]
    state = game.new(seats, options, number.to_bytes(32))
    while game.awaiting(state):
        choices = [(seat, action) for seat in range(seats) for action in game.legal(state, seat)]
        seat, action = rng.choice(choices)
        yield game.action_to_json(state, action)
        state = game.play(state, seat, action)


def examples(game: Game) -> dict[str, Json]:
    """Return one action of each type the game has, by type, as random matches show them."""
    found: dict[str, Json] = {}
    for number in range(_MATCHES):
        for action in _random_actions(game, number):
            found.setdefault(action["type"], action)
    return dict(sorted(found.items()))


def opening(game: Game) -> Json:
    """Return a body that creates a match of the game's fewest seats against AIs."""
    seats: list[Json] = [{"kind": "me", "name": "Ada"}]
    seats += [{"kind": "ai", "level": 3} for _ in range(game.min_seats - 1)]
    return {"game": game.name, "options": {}, "seats": seats}


def document(spec: APISpec, games: Mapping[str, Game]) -> Json:
    """Return the whole document: the blueprints' part, with the list of codes and each game's examples.

    Args:
        spec: from `service.api.install`.
        games: by name.
    """
    result = copy.deepcopy(spec.to_dict())
    schemas = result["components"]["schemas"]
    schemas["Problem"]["properties"]["code"]["enum"] = list(PROBLEMS)
    schemas["Sequence"]["properties"]["actions"]["items"] = {"$ref": "#/components/schemas/Action"}
    schemas.pop("PaginationMetadata", None)
    for path in result["paths"].values():
        _json_first(path)
        for parameter in path.get("parameters", []):
            parameter.update(PATH_PARAMETERS[parameter["name"]])
    actions = {game.name: examples(game) for game in games.values()}
    schemas["Action"]["examples"] = [action for found in actions.values() for action in found.values()]
    _body(result, "/v1/matches")["examples"] = {
        game.name: {"summary": game.title, "value": opening(game)} for game in games.values()
    }
    _body(result, "/v1/matches/{match_id}/actions")["examples"] = {
        f"{name}.{kind}": {"summary": f"{games[name].title}: {kind}", "value": {"actions": [action]}}
        for name, found in actions.items()
        for kind, action in found.items()
    }
    _body(result, "/v1/bots")["examples"] = {
        "stream": {"summary": "A bot that follows its stream", "value": {"name": "tortoise", "games": list(games)}},
        "webhook": {
            "summary": "A bot that is called",
            "value": {"name": "hare", "games": list(games), "webhook": "https://bot.example/clifftop", "matches_max": 10},
        },
    }
    return json.loads(json.dumps(result))


def _json_first(path: Json) -> None:
    """Let every answer that comes in several forms be listed as JSON first: makers of clients take the first."""
    for method, operation in path.items():
        for answer in operation["responses"].values() if method != "parameters" else ():
            content = answer.get("content", {})
            answer["content"] = dict(sorted(content.items(), key=lambda form: form[0] != "application/json"))
            if not content:
                del answer["content"]


def _body(result: Json, path: str) -> Json:
    return result["paths"][path]["post"]["requestBody"]["content"]["application/json"]


def text(games: Mapping[str, Game]) -> str:
    """Return the document as it is kept in `openapi/openapi.json`."""
    from flask import Flask

    from service import api

    return json.dumps(document(api.install(Flask("clifftop")), games), indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` compare it; return the exit status."""
    from engines import GAMES

    fresh = text(GAMES)
    if arguments == ["--check"]:
        return 0 if FILE.exists() and FILE.read_text("utf-8") == fresh else 1
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
