"""Clients generated from the OpenAPI file play whole matches on the real server."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.serving import Serving

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "openapi" / "openapi.json"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package `clifftop_client`, made without a warning."""
    folder = tmp_path_factory.mktemp("generated")
    tools = Path(sys.executable).parent
    how = ["--meta", "none", "--fail-on-warning", "--output-path", folder / "clifftop_client"]
    answer = subprocess.run(
        [tools / "openapi-python-client", "generate", "--path", DOCUMENT, *how],
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},  # it tidies up with ruff
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def call(name: str, *arguments: Any, **named: Any) -> Any:
    """Call an operation of the generated client, and return what it made of the answer."""
    return importlib.import_module(f"clifftop_client.api.{name}").sync(*arguments, **named)


def test_a_generated_client_plays_a_whole_match(generated: Path, server: Serving) -> None:
    """Two people: from creating to the record, everything by the generated package."""
    made = importlib.import_module("clifftop_client")
    models: Any = importlib.import_module("clifftop_client.models")
    anybody = made.Client(base_url=server.address, timeout=60.0)
    game = call("games.list_games", client=anybody).games[0]
    seats = [models.SeatWish(kind=models.SeatWishKind("me"), name="Ada"), models.SeatWish(kind=models.SeatWishKind("open"))]
    created = call("matches.create_match", client=anybody, body=models.NewMatch(game=game.name, seats=seats, draws=True))
    joined = call("seats.take_seat", created.match.id, client=anybody, body=models.SeatTaking(name="Bob"))
    tokens = [created.token, joined.token]
    clients = [made.AuthenticatedClient(base_url=server.address, token=token, timeout=60.0) for token in tokens]
    rng, match = random.Random(1), joined.match
    while match.status == "running":
        seat = rng.choice(match.awaiting)
        match = call("matches.show_match", match.id, client=clients[seat])
        body = models.Sequence(version=match.version, actions=[rng.choice(match.legal_actions)])
        match = call("actions.play_actions", match.id, client=clients[seat], body=body, idempotency_key=f"{match.version}")
        assert isinstance(match, models.Match), match
    assert match.outcome.reason in call("games.show_game", game.name, client=anybody).reasons
    log = call("events.list_events", match.id, client=clients[0], limit=500)
    assert log.entries[0].events[0].type_ == "match.created"
    record = call("events.show_record", match.id, client=anybody)
    assert record.additional_properties["outcome"]["ranking"] == match.outcome.ranking
    refused = call("actions.play_actions", match.id, client=clients[0], body=body)
    assert (refused.code, refused.status) == ("match_not_running", 409)
    for client in (anybody, *clients):
        client.get_httpx_client().close()


def test_the_example_plays(generated: Path, server: Serving) -> None:
    environ = {**os.environ, "API": server.address, "PYTHONPATH": str(generated)}
    command = [sys.executable, "-W", "error", ROOT / "examples" / "generated_bot.py"]
    for game in ("lemminge", "lemmings"):
        answer = subprocess.run([*command, game], env=environ, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        assert f"{game} " in answer.stdout
        assert "is over: {'reason'" in answer.stdout


def test_the_example_says_what_is_wrong(generated: Path, server: Serving) -> None:
    environ = {**os.environ, "API": server.address, "PYTHONPATH": str(generated)}
    command = [sys.executable, ROOT / "examples" / "generated_bot.py", "chess"]
    answer = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "game_not_found: " in answer.stderr
