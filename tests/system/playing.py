"""Clients of the API: a table with its players, each of whom plays over HTTP and remembers what it was answered."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import httpx

from engines import GAMES
from engines.records import Record, replay

Json: TypeAlias = dict[str, Any]


class Player:
    """One seat's client."""

    def __init__(self, client: httpx.Client, match_id: str, seat: int, token: str) -> None:
        self.client = client
        self.path = f"/v1/matches/{match_id}"
        self.seat = seat
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str = "", **kwargs: Any) -> httpx.Response:
        """Ask for something of the match."""
        headers = {**self.headers, **kwargs.pop("headers", {})}
        return self.client.get(self.path + path, headers=headers, **kwargs)

    def look(self) -> Json:
        """Return the match as the seat sees it now."""
        return good(self.get())

    def play(self, *actions: Json, version: int | None = None, key: str | None = None, **query: str) -> httpx.Response:
        """Play a sequence and return the answer, whatever it is."""
        headers = dict(self.headers) if key is None else {**self.headers, "Idempotency-Key": key}
        body: Json = {"actions": list(actions)} if version is None else {"actions": list(actions), "version": version}
        return self.client.post(f"{self.path}/actions", json=body, headers=headers, params=query)

    def wait(self, known: Json) -> Json:
        """Return the match once something has happened, or as it was."""
        answer = self.get(params={"wait": "20"}, headers={"If-None-Match": f'"{known["version"]}"'})
        return known if answer.status_code == httpx.codes.NOT_MODIFIED else good(answer)


def good(answer: httpx.Response) -> Json:
    """Return the body of an answer that must be good."""
    assert answer.is_success, f"{answer.status_code} {answer.text}"
    body: Json = answer.json()
    return body


def create(client: httpx.Client, seats: Sequence[Json], game: str = "last-lemming") -> Player:
    """Create a match with a seat for me."""
    created = good(client.post("/v1/matches", json={"game": game, "seats": list(seats)}))
    return Player(client, created["match"]["id"], created["seat"], created["token"])


def ais(*levels: int) -> list[Json]:
    """Return AI seats."""
    return [{"kind": "ai", "level": level} for level in levels]


def people(client: httpx.Client, number: int) -> list[Player]:
    """Create a match of people and have all sit down."""
    first = create(client, [{"kind": "me", "name": "Ada"}, *({"kind": "open"} for _ in range(number - 1))])
    taken = [good(client.post(f"{first.path}/seats", json={"name": f"Guest {n}"})) for n in range(number - 1)]
    return [first, *(Player(client, t["match"]["id"], t["seat"], t["token"]) for t in taken)]


def turns(player: Player, rng: random.Random) -> Iterator[tuple[Json, Json]]:
    """Yield the match and an action for it at each of the player's turns, to the end; the caller plays it."""
    now = player.look()
    while now["status"] == "running":
        if player.seat in now["awaiting"]:
            yield now, rng.choice(now["legal_actions"])
            now = player.look()
        else:
            now = player.wait(now)


def whole_log(player: Player) -> list[Json]:
    """Return the match's log as the seat was told it."""
    entries: list[Json] = []
    while True:
        page = good(player.get("/events", params={"after": entries[-1]["version"] if entries else 0}))["entries"]
        if not page:
            return entries
        entries += page


def played(record: Json, seat: int) -> list[Json]:
    """Return the actions of a seat in a record, which must replay to the outcome it names."""
    game = GAMES[record["game"]]
    *_, last = replay(Record.from_json(record), GAMES)
    outcome = game.outcome(last)
    assert outcome is not None
    assert outcome.to_json() == record["outcome"]
    return [entry["action"] for entry in record["actions"] if entry["seat"] == seat]
