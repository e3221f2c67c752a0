"""The log, as JSON and as a stream, and the record."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from engines.records import Record, replay
from tests.service.api.conftest import GAMES, Player, Service, finish, problem

STREAM = {"Accept": "text/event-stream"}


def messages(response: TestResponse) -> Iterator[dict[str, str]]:
    """Yield a stream's messages as their fields, and comments as `{"": text}`."""
    waiting = ""
    for part in response.iter_encoded():
        waiting += part.decode()
        while "\n\n" in waiting:
            block, waiting = waiting.split("\n\n", 1)
            yield dict(line.split(": ", 1) if not line.startswith(": ") else ("", line[2:]) for line in block.split("\n"))


def entries(response: TestResponse) -> list[dict[str, str]]:
    return [message for message in messages(response) if "data" in message]


# --- JSON -------------------------------------------------------------------------------------------------------------


def test_the_log_has_no_gaps_and_only_what_the_seat_was_told(service: Service) -> None:
    players = service.table(3)
    finish(players)
    for viewer in (*players, service.spectator(players[0].match)):
        log = viewer.get("/events").get_json()
        assert [entry["version"] for entry in log["entries"]] == list(range(1, log["version"] + 1))
        told = [event for entry in log["entries"] for event in entry["events"]]
        assert [event["seat"] for event in told if event["type"] == "dealt"] == ([] if viewer.seat is None else [viewer.seat])
        assert told[0]["type"] == "match.created"
        assert told[-1]["type"] == "match.ended"


def test_reading_by_cursor(service: Service) -> None:
    players = service.table()
    finish(players)
    whole = players[0].get("/events").get_json()
    after, found = 0, []
    while page := players[0].get(f"/events?after={after}&limit=2").get_json()["entries"]:
        found += page
        after = page[-1]["version"]
    assert found == whole["entries"]
    last = players[0].get(f"/events?after={after}").get_json()
    assert last.pop("cursor")
    assert last == {"entries": [], "version": after, "next": after}


def test_waiting_for_the_next_entry(service: Service) -> None:
    one, two = service.table()
    version = one.get().get_json()["version"]
    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(one.get(f"/events?after={version}&wait=20").get_json()))
    waiting.start()
    two.play(two.first())
    waiting.join(15)
    assert [entry["version"] for entry in answers[0]["entries"]] == [version + 1]


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=501", "wait=26", "stream=perhaps", "from=3", "after=1e3"]
)
def test_cursors_that_do_not_fit(service: Service, query: str) -> None:
    problem(service.table()[0].get(f"/events?{query}"), "invalid_request")


# --- streams ----------------------------------------------------------------------------------------------------------


def test_a_stream_ends_with_the_match(service: Service) -> None:
    players = service.table()
    finish(players)
    response = players[0].get("/events", headers=STREAM)
    assert response.mimetype == "text/event-stream"
    found = entries(response)
    log = players[0].get("/events").get_json()["entries"]
    assert [json.loads(message["data"]) for message in found] == log
    assert [int(message["id"]) for message in found] == [entry["version"] for entry in log]
    assert [message.get("event") for message in found[:-1]] == [None] * (len(found) - 1)
    assert found[-1]["event"] == "match.ended"


def test_a_stream_resumes_after_the_last_message_received(service: Service) -> None:
    players = service.table()
    finish(players)
    whole = entries(players[0].get("/events?stream=1"))
    rest = entries(players[0].get("/events?stream=1", headers={"Last-Event-ID": whole[2]["id"]}))
    assert rest == whole[3:]
    assert entries(players[0].get("/events?stream=true&after=4")) == whole[4:]
    done = players[0].get("/events?stream=1", headers={"Last-Event-ID": whole[-1]["id"]})
    assert (done.status_code, done.data) == (204, b"")
    for bad in ("x", "-1", "1-0", "9" * 40, "²"):
        problem(players[0].get("/events?stream=1", headers={"Last-Event-ID": bad}), "invalid_request")


def test_a_stream_follows_the_match_and_says_that_it_lives(service: Service) -> None:
    one, two = service.table()
    version = one.get().get_json()["version"]
    with one.get(f"/events?after={version}", headers=STREAM) as response:
        stream = messages(response)
        assert next(stream) == {"retry": "1000"}
        assert next(stream) == {"": "here"}
        two.play(two.first())
        told = next(message for message in stream if "data" in message)
        assert json.loads(told["data"])["events"] == [{"type": "chose", "seat": 1}]
        finish([one, two])
        assert [message.get("event") for message in stream if "data" in message][-1] == "match.ended"


def test_a_closed_service_ends_its_streams(service: Service) -> None:
    one, _ = service.table()
    with one.get("/events", headers=STREAM) as response:
        stream = messages(response)
        next(message for message in stream if "data" in message)
        service.matches.close()
        assert "match.ended" not in str(list(stream))


# --- the record -------------------------------------------------------------------------------------------------------


def test_the_record_of_an_ended_match_replays_it(service: Service) -> None:
    players = service.table(3, options={"bonus": True})
    seed_hash = players[0].get().get_json()["seed_hash"]
    finish(players)
    shown = [viewer.get("/record").get_json() for viewer in (*players, service.spectator(players[0].match))]
    assert all(record == shown[0] for record in shown)
    assert hashlib.sha256(bytes.fromhex(shown[0]["seed"])).hexdigest() == seed_hash
    assert [int(state.turn) for state in replay(Record.from_json(shown[0]), GAMES)][-1] == 3
    assert shown[0]["outcome"] == players[0].get().get_json()["outcome"]
    assert [move["number"] for move in shown[0]["actions"]] == list(range(1, len(shown[0]["actions"]) + 1))
    assert GAMES["toy"].editions["standard"].digest == shown[0]["edition_digest"]


def test_before_the_end_a_record_says_what_the_asker_was_told(service: Service) -> None:
    one, two = service.table()
    two.play(two.first())
    for viewer in (one, two, service.spectator(one.match)):
        record = viewer.get("/record").get_json()
        assert "seed" not in record
        assert "actions" not in record
        assert record["events"] == viewer.get("/events").get_json()["entries"]


def test_no_cursor_of_another_kind(service: Service) -> None:
    problem(Player(service.client, "23456789abcdef").get("/events", headers=STREAM), "match_not_found")
