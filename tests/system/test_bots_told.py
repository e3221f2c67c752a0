"""Bots play by their logs alone while everything is killed with -9; every decision they had was told to them, and once."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections import Counter

import httpx
import pytest

from tests.system.playing import Json, good
from tests.system.serving import PATIENCE_S, Serving, eventually
from tests.system.test_storm import TRY_AGAIN, victims

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds its victims in /proc")

GAME = "last-lemming"
MATCHES = 3
KILLS_S = 15.0


class Listener(threading.Thread):
    """A bot that knows only what its log tells it, and asks for everything until it is answered."""

    def __init__(self, serving: Serving, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.serving = serving
        self.rng = random.Random(name)
        self.told: list[Json] = []
        self.faults: list[str] = []
        self.done = threading.Event()
        registered = good(httpx.post(f"{serving.address}/v1/bots", json={"name": name, "games": [GAME]}))
        self.headers = {"Authorization": f"Bearer {registered['key']}"}

    def run(self) -> None:
        """Read and answer until told to end."""
        try:
            with self.serving.client() as client:
                while not self.done.is_set():
                    after = len(self.told)
                    for entry in self.persist(client, "GET", f"/v1/bots/me/events?after={after}&wait=2")["entries"]:
                        self.told.append(entry)
                        self.answer(client, entry)
        except Exception as error:
            self.faults.append(repr(error))

    def answer(self, client: httpx.Client, entry: Json) -> None:
        """Play if it is a turn."""
        if entry["type"] == "turn" and entry["position"]:
            body = {"version": entry["version"], "actions": [self.rng.choice(entry["position"]["legal_actions"])]}
            path = f"/v1/matches/{entry['match']}/actions"
            self.persist(client, "POST", path, json=body, headers={"Idempotency-Key": entry["id"]})

    def persist(self, client: httpx.Client, method: str, path: str, headers: dict[str, str] | None = None, **kwargs) -> Json:
        """Ask until there is an answer."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                answer = client.request(method, path, headers={**self.headers, **(headers or {})}, **kwargs)
            except httpx.TransportError:
                answer = httpx.Response(503)
            if answer.status_code not in TRY_AGAIN or time.monotonic() > end:
                return good(answer)
            time.sleep(0.05)


def kill_all_around(serving: Serving, rng: random.Random, over: threading.Event) -> Counter[str]:
    """Kill one thing after another until the time is over, or the matches are."""
    killed: Counter[str] = Counter()
    end = time.monotonic() + KILLS_S
    while time.monotonic() < end and not over.wait(0.4):
        # The web server as a whole takes long to be back; the process that has just committed something is one of its.
        now = {kind: found for kind, found in victims(serving).items() if kind in ("a web process", "sweeper", "redis")}
        name = min(sorted(now), key=lambda kind: (killed[kind], rng.random()))
        try:
            os.kill(rng.choice(now[name]), signal.SIGKILL)
            killed[name] += 1
        except ProcessLookupError:
            continue
    return killed


def test_every_decision_is_told_once(tmp_path) -> None:
    with Serving(tmp_path / "data") as serving:
        bots = [Listener(serving, "tortoise"), Listener(serving, "hare")]
        seats = [{"kind": "bot", "bot": bot.name} for bot in bots]
        with serving.client() as client:
            new = {"game": GAME, "seats": seats}
            matches = [good(client.post("/v1/matches", json=new))["match"]["id"] for _ in range(MATCHES)]
            for bot in bots:
                for match in matches:
                    good(client.post(f"/v1/bots/me/invitations/{match}/acceptance", headers=bot.headers))
        for bot in bots:
            bot.start()
        killed = kill_all_around(serving, random.Random(7), threading.Event())
        assert killed["a web process"] > 1
        assert killed["redis"] > 1

        def over() -> bool:
            return all(Counter(entry["type"] for entry in bot.told)["ended"] == MATCHES or bot.faults for bot in bots)

        eventually(over, 2 * PATIENCE_S, lambda: serving.log[-3000:])
        for bot in bots:
            bot.done.set()
            bot.join(PATIENCE_S)
            assert bot.faults == []
        with serving.client() as client:
            check(client, bots, matches)
        assert serving.stop() == 0


def check(client: httpx.Client, bots: list[Listener], matches: list[str]) -> None:
    """Each bot was told of as many decisions as it made moves, none twice, and its log has no gap."""
    for seat, bot in enumerate(bots):
        assert [entry["number"] for entry in bot.told] == list(range(1, len(bot.told) + 1))
        assert max(Counter(entry["id"] for entry in bot.told).values()) == 1
        turns = Counter(entry["match"] for entry in bot.told if entry["type"] == "turn")
        for match in matches:
            moves = good(client.get(f"/v1/matches/{match}/record"))["actions"]
            assert turns[match] == sum(move["seat"] == seat for move in moves)
