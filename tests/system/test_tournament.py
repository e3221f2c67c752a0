"""A tournament on the real server, whose workers and web processes are killed while it runs."""

from __future__ import annotations

import os
import signal
import time

from tests.system.playing import Json, good
from tests.system.serving import Serving, eventually

BODY = {
    "game": "lemminge",
    "entrants": [{"kind": "ai", "level": 1}, {"kind": "ai", "level": 2}],
    "rounds": 3,
    "duplicate": True,
    "at_once": 3,
}


def test_no_match_is_lost_or_played_twice(own_server: Serving) -> None:
    with own_server.client() as client:
        created = good(client.post("/v1/tournaments", json=BODY))
        path = f"/v1/tournaments/{created['tournament']['id']}"

        def over(matches: int) -> Json | None:
            shown = good(client.get(path))
            return shown if shown["matches"]["over"] >= matches or shown["status"] != "running" else None

        for matches, name in ((1, "worker-1"), (2, "worker-2"), (3, "worker-1")):
            eventually(lambda wanted=matches: over(wanted))  # type: ignore[misc]
            os.kill(own_server.pid(name), signal.SIGKILL)
            time.sleep(0.2)
        shown = eventually(lambda: over(6))
        assert (shown["status"], shown["matches"]) == ("over", {"total": 6, "begun": 6, "over": 6, "void": 0})
        entries = good(client.get(f"{path}/matches"))["matches"]
        assert len({entry["match"] for entry in entries}) == 6
        assert [row["matches"] for row in shown["standings"]] == [6, 6]

        def rated() -> bool:
            ratings = good(client.get("/v1/games/lemminge/ratings"))["ratings"]
            return [one["matches"] for one in ratings] == [6, 6]

        eventually(rated)
        history = good(client.get("/v1/games/lemminge/ratings/ai:1"))["history"]
        assert {change["match"] for change in history} == {entry["match"] for entry in entries}
