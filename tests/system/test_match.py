"""Whole matches over HTTP, through the real processes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import httpx

from tests.system.playing import Json, Player, ais, create, good, people, played, turns, whole_log
from tests.system.serving import eventually


def test_one_person_and_three_ais_play_to_the_end(client: httpx.Client) -> None:
    ada = create(client, [{"kind": "me", "name": "Ada"}, *ais(1, 2, 3)])
    sent = []
    for match, action in turns(ada, random.Random(1)):
        good(ada.play(action, version=match["version"]))
        sent.append(action)
    end = ada.look()
    assert end["status"] == "over"
    assert end["outcome"]["winners"]
    record = good(ada.get("/record"))
    assert played(record, ada.seat) == sent
    log = whole_log(ada)
    assert [entry["version"] for entry in log] == list(range(1, end["version"] + 1))
    assert log[-1]["events"][-1]["type"] == "match.ended"
    thought = [entry for entry in record["actions"] if entry["seat"] != ada.seat]
    assert {entry["by"] for entry in thought} == {"ai"}
    assert all({"level", "seed", "iterations", "digest"} <= set(entry["thought"]) for entry in thought)


def test_the_event_stream_tells_the_whole_match_and_ends(client: httpx.Client) -> None:
    created = good(client.post("/v1/matches", json={"game": "last-lemming", "seats": ais(1, 1, 1)}))
    path = f"/v1/matches/{created['match']['id']}/events"
    with client.stream("GET", path, headers={"Accept": "text/event-stream"}) as stream:
        versions = [int(line.removeprefix("id: ")) for line in stream.iter_lines() if line.startswith("id: ")]
    assert versions == list(range(1, versions[-1] + 1))
    assert good(client.get(f"/v1/matches/{created['match']['id']}"))["version"] == versions[-1]


def test_the_same_request_twice_plays_once(client: httpx.Client) -> None:
    ada, *_ = people(client, 3)
    before = ada.look()
    action, other = before["legal_actions"][:2]
    first, second = (good(ada.play(action, key="once and only once")) for _ in range(2))
    assert first == second == ada.look()
    assert first["version"] == before["version"] + 1
    reused = ada.play(other, key="once and only once")
    assert (reused.status_code, reused.json()["code"]) == (422, "request_reused")


def test_two_seats_that_choose_at_the_same_time_never_make_each_other_stale(client: httpx.Client) -> None:
    players = people(client, 3)
    start = {player.seat: player.look() for player in players}
    assert all(match["awaiting"] == [0, 1, 2] for match in start.values())
    known = {seat: match["version"] for seat, match in start.items()}
    for _ in range(3):
        for player in players:
            match = good(player.play(player.look()["legal_actions"][0], version=known[player.seat]))
            known[player.seat] = match["version"]


def test_a_stale_version_is_refused_with_the_fresh_one(client: httpx.Client) -> None:
    ada, *_ = people(client, 3)
    old = ada.look()
    fresh = good(ada.play(old["legal_actions"][0], version=old["version"]))
    refused = ada.play(old["legal_actions"][1], version=old["version"])
    assert (refused.status_code, refused.json()["code"]) == (409, "stale_version")
    assert refused.json()["version"] == fresh["version"]
    assert ada.look() == fresh


def cards_in(data: Any) -> Iterator[tuple[str, int]]:
    """Yield every card that stands anywhere in an answer."""
    if isinstance(data, dict):
        if {"colour", "value"} <= set(data):
            yield data["colour"], data["value"]
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            yield from cards_in(part)


def everything(player: Player) -> list[Json]:
    """Return the body of every kind of answer a seat can get."""
    match = player.look()
    answers: list[httpx.Response] = [
        player.get("/actions"),
        player.get("/events"),
        player.get("/record"),
        player.play({"type": "play", "card": {"colour": "red", "value": 99}}),
        player.play({"type": "nonsense"}),
        player.play(*match["legal_actions"][:1], dry_run="true"),
    ]
    return [match, *(answer.json() for answer in answers)]


def test_another_seats_cards_appear_in_no_answer(client: httpx.Client) -> None:
    players = people(client, 3)
    spectator = Player(client, players[0].path.rsplit("/", 1)[1], -1, "")
    spectator.headers = {}
    rng = random.Random(3)
    # Within the first act, for later ones deal cards again that all have seen played.
    for _ in range(9):
        hands = {player.seat: set(cards_in(player.look()["legal_actions"])) for player in players}
        for viewer in [*players, spectator]:
            others = set().union(*(hand for seat, hand in hands.items() if seat != viewer.seat))
            seen = set(cards_in(everything(viewer)))
            assert not (seen & others) - hands.get(viewer.seat, set())
        for player in players:
            now = player.look()
            if player.seat in now["awaiting"]:
                good(player.play(rng.choice(now["legal_actions"])))


def test_a_match_goes_on_while_its_person_is_away(client: httpx.Client) -> None:
    ada = create(client, [*ais(1, 1), {"kind": "me", "name": "Ada"}])
    eventually(lambda: ada.look()["awaiting"] == [ada.seat])
