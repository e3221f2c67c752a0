"""Bots against the real processes: the example plays every game, and webhooks are sent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from engines import GAMES
from tests.system.playing import Json, good, played
from tests.system.serving import Serving, eventually

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "bot.py"


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose webhooks may go to this machine."""
    with Serving(tmp_path_factory.mktemp("bots"), CLIFFTOP_WEBHOOK_PRIVATE="true") as serving:
        yield serving
        assert serving.stop() == 0


@contextmanager
def example(address: str, name: str) -> Iterator[list[str]]:
    """Run the example under a name; give what it says."""
    environ = {**os.environ, "API": f"{address}/v1", "BOT": name}
    environ.pop("KEY", None)
    said: list[str] = []
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLE)], env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    lines = process.stdout
    reader = threading.Thread(target=lambda: said.extend(line.rstrip() for line in lines), daemon=True)
    reader.start()
    try:
        eventually(lambda: [line for line in said if "my key is" in line], otherwise=lambda: "\n".join(said))
        yield said
    finally:
        process.terminate()
        process.wait(30)
        reader.join(30)
        lines.close()


def invite(client: httpx.Client, game: str, *bots: str) -> str:
    """Create a match of bots, with AIs in the seats that are left; return its id."""
    seats: list[Json] = [{"kind": "bot", "bot": bot} for bot in bots]
    seats += [{"kind": "ai", "level": 1}] * (GAMES[game].min_seats - len(bots))
    match: Json = good(client.post("/v1/matches", json={"game": game, "seats": seats}))["match"]
    return str(match["id"])


def test_the_example_is_short_and_needs_httpx_alone() -> None:
    text = EXAMPLE.read_text()
    assert len(text.splitlines()) <= 60
    assert "import httpx" in text
    assert "import service" not in text


def test_the_example_plays_every_game(inside: Serving) -> None:
    with inside.client() as client, ExitStack() as running:
        said = [running.enter_context(example(inside.address, name)) for name in ("tortoise", "hare")]
        matches = {game: invite(client, game, "tortoise", "hare") for game in GAMES}
        for game, match in matches.items():
            eventually(
                lambda match=match: good(client.get(f"/v1/matches/{match}"))["status"] == "over",  # type: ignore[misc]
                otherwise=lambda: "\n".join([*said[0], *said[1], inside.log[-3000:]]),
            )
            record = good(client.get(f"/v1/matches/{match}/record"))
            assert {move["by"] for move in record["actions"] if move["seat"] < 2} == {"player"}
            assert played(record, 0)
            for heard in said:
                eventually(lambda heard=heard, game=game, match=match: any(f"{game} {match} is over" in line for line in heard))  # type: ignore[misc]
        assert all(len(heard) == 1 + len(GAMES) for heard in said), said


def test_a_webhook_is_sent_signed(inside: Serving) -> None:
    got: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((dict(self.headers.items()), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(500 if len(got) == 1 else 204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, inside.client() as client:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        body = {"name": "hooked", "games": list(GAMES), "webhook": f"http://127.0.0.1:{server.server_address[1]}/hook"}
        registered = good(client.post("/v1/bots", json=body))
        match = invite(client, "last-lemming", "hooked")
        eventually(lambda: len(got) >= 2, otherwise=lambda: inside.log[-3000:])
        server.shutdown()
    signed = Webhook(registered["webhook_secret"])
    for headers, raw in got:
        event = signed.verify(raw, headers)
        assert event["type"] == "invited"
        assert event["data"]["match"] == match
    assert len({json.loads(raw)["data"]["id"] for _, raw in got}) == 1
    assert len({headers["Webhook-Id"] if "Webhook-Id" in headers else headers["webhook-id"] for headers, _ in got}) == 1
