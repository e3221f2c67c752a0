"""A bot for every game, with httpx alone: it accepts every invitation and plays a random legal action whenever it must decide.

BOT=tortoise python examples/bot.py              registers it and says its key; API=https://... if the server is not here
KEY=bot.tortoise.xxxx python examples/bot.py     goes on with that key
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from typing import Any

import httpx

api = httpx.Client(base_url=os.environ.get("API", "http://127.0.0.1:8080/v1"), timeout=60)


def sign_in(key: str | None) -> None:
    """Send the key with every request from now on; without one, register and say which it is."""
    if key is None:
        games = [game["name"] for game in api.get("/games").raise_for_status().json()["games"]]
        new = {"name": os.environ.get("BOT", f"random-{random.randrange(10**9)}"), "games": games}
        key = api.post("/bots", json=new).raise_for_status().json()["key"]
        print(f"I am {new['name']}; my key is {key}", flush=True)
    api.headers["Authorization"] = f"Bearer {key}"


def events() -> Iterator[dict[str, Any]]:
    """Yield how things stand with us, and then what happens, as long as the stream lasts."""
    with api.stream("GET", "/bots/me/events", headers={"Accept": "text/event-stream"}) as stream:
        stream.raise_for_status()
        for line in stream.iter_lines():
            if line.startswith("data: "):
                told = json.loads(line.removeprefix("data: "))
                yield from [*told["invited"], *told["turns"]] if "turns" in told else [told]


def answer(event: dict[str, Any]) -> None:
    """Do what an event asks for; if it is of the past, the match does not come with it."""
    match = event["position"]
    if match and event["type"] == "invited":
        api.post(f"/bots/me/invitations/{match['id']}/acceptance")
    elif match and event["type"] == "turn":
        move = {"version": match["version"], "actions": [random.choice(match["legal_actions"])]}
        api.post(f"/matches/{match['id']}/actions", json=move)
    elif match and event["type"] == "ended":
        print(f"{match['game']} {match['id']} is over: {match['outcome']}", flush=True)


sign_in(os.environ.get("KEY"))
while True:
    try:
        for event in events():
            answer(event)
    except httpx.TransportError as error:  # begin again with how things stand: nothing is lost
        print(f"{error!r}; trying again", flush=True)
        time.sleep(1)
