"""Half a minute of kill -9 on everything while matches run; then the moves are counted.

People play against AIs, each sending every move again until it is acknowledged. Web server, its workers, thinking workers,
their jobs, the sweeper and Redis are killed in turn. Afterwards every acknowledged move is there once, versions have no
gap, and every match ends.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time

import httpx
import pytest

from service.processes import session
from tests.system.playing import Json, Player, ais, create, good, played, whole_log
from tests.system.serving import PATIENCE_S, Serving, eventually

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds its victims in /proc")

STORM_S = 25.0
CALM_BETWEEN_KILLS_S = 0.8
MATCHES = 5
#: Answers that ask for another try; anything else that is not good is a fault.
TRY_AGAIN = (502, 503, 504)


class Stubborn(threading.Thread):
    """A person who plays a whole match and sends everything again until it is answered."""

    def __init__(self, serving: Serving, number: int) -> None:
        super().__init__(name=f"person {number}", daemon=True)
        self.serving = serving
        self.rng = random.Random(number)
        self.acknowledged: list[Json] = []
        self.faults: list[str] = []
        with serving.client() as client:
            self.player = create(client, [{"kind": "me", "name": self.name}, *ais(1, 2)])

    def run(self) -> None:
        """Play to the end."""
        try:
            with self.serving.client() as client:
                self.player.client = client
                while self.turn():
                    pass
        except Exception as error:
            self.faults.append(repr(error))

    def turn(self) -> bool:
        """Look, and play if it is the person's turn. Return whether the match goes on."""
        now = good(self.persist(lambda player: player.get()))
        if now["status"] != "running":
            return False
        if self.player.seat in now["awaiting"]:
            action, number = self.rng.choice(now["legal_actions"]), len(self.acknowledged)
            self.persist(lambda player: player.play(action, version=now["version"], key=f"move {number}"))
            self.acknowledged.append(action)
        else:
            self.persist(lambda player: player.get(params={"wait": "2"}, headers={"If-None-Match": f'"{now["version"]}"'}))
        return True

    def persist(self, ask) -> httpx.Response:
        """Ask until there is an answer."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                answer: httpx.Response = ask(self.player)
            except httpx.TransportError:
                answer = httpx.Response(503)
            if answer.status_code not in TRY_AGAIN or time.monotonic() > end:
                assert answer.status_code in (httpx.codes.OK, httpx.codes.NOT_MODIFIED), answer.text
                return answer
            time.sleep(0.1)


def victims(serving: Serving) -> dict[str, list[int]]:
    """Return what can be killed now: processes by what they are."""
    found = {name: [serving.pid(name)] for name in ("redis", "sweeper", "worker-1", "worker-2")}
    web = serving.pid("web")
    found["web"] = [web]
    found["a web process"] = [pid for pid in session(web) if pid != web]
    found["a job"] = [
        pid for name in ("worker-1", "worker-2") for pid in session(serving.pid(name)) if pid != serving.pid(name)
    ]
    return {name: processes for name, processes in found.items() if processes}


def storm(serving: Serving, rng: random.Random) -> list[str]:
    """Kill one thing after another, each kind as often as the others, until the time is over; return what was killed."""
    killed: list[str] = []
    end = time.monotonic() + STORM_S
    while time.monotonic() < end:
        now = victims(serving)
        name = min(sorted(now), key=lambda kind: (killed.count(kind), rng.random()))
        try:
            os.kill(rng.choice(now[name]), signal.SIGKILL)
            killed.append(name)
        except ProcessLookupError:
            pass
        time.sleep(CALM_BETWEEN_KILLS_S)
    return killed


def test_a_storm_of_kills_loses_and_doubles_nothing(tmp_path) -> None:
    with Serving(tmp_path / "data") as serving:
        crowd = [Stubborn(serving, number) for number in range(MATCHES)]
        for person in crowd:
            person.start()
        killed = storm(serving, random.Random(7))
        assert {"redis", "web", "worker-1", "worker-2", "sweeper"} <= set(killed)
        for person in crowd:
            person.join(2 * PATIENCE_S)
        assert [fault for person in crowd for fault in person.faults] == [], serving.log
        eventually(lambda: httpx.get(f"{serving.address}/readyz", timeout=5.0).status_code == httpx.codes.OK)
        with serving.client() as client:
            for person in crowd:
                person.player.client = client
                check(person)
        assert serving.stop() == 0


def check(person: Stubborn) -> None:
    """Every acknowledged move is in the record, once and in order; versions have no gap; the record replays."""
    player: Player = person.player
    end = player.look()
    assert end["status"] == "over"
    assert played(good(player.get("/record")), player.seat) == person.acknowledged
    log = whole_log(player)
    assert [entry["version"] for entry in log] == list(range(1, end["version"] + 1))
    assert log[-1]["events"][-1]["type"] == "match.ended"
