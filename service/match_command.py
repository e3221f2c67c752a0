"""`clifftop match`: a match of AIs over HTTP, printed move by move."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import click
import httpx

from service.child import pump
from service.processes import python
from service.settings import Settings

Json: TypeAlias = dict[str, Any]


@click.command()
@click.argument("game")
@click.option("--seats", required=True, help="The players in the order of their seats, as in ai:3,ai:3,ai:5.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; VALUE is JSON or a word."
)
@click.option("--address", help="A running server; without it the one of this environment's settings, or one for this match.")
def match(game: str, seats: str, options: tuple[str, ...], address: str | None) -> None:
    """Play one match of AIs and print it move by move.

    The moves are played over HTTP on a running server; when none runs, one is started for the purpose.
    """
    body = {"game": game, "seats": read_seats(seats), "options": dict(read_option(option) for option in options)}
    with server_at(address) as base, httpx.Client(base_url=base, timeout=60.0) as client:
        created = checked(client.post("/v1/matches", json=body))["match"]
        click.echo(f"{created['game']} {created['id']}: {', '.join(seat_names(created))}")
        for entry in follow(client, created["id"]):
            for event in entry["events"]:
                click.echo(f"{entry['version']:>4}  {sentence(event)}")
        click.echo(result(checked(client.get(f"/v1/matches/{created['id']}"))))


def read_seats(text: str) -> list[Json]:
    """Return the seats that `ai:3,ai:5` means."""
    seats: list[Json] = []
    for part in text.split(","):
        kind, _, level = part.strip().partition(":")
        if kind != "ai" or not level.isdecimal():
            raise click.BadParameter(f"{part!r} is no seat; write ai:LEVEL, as in ai:3,ai:3,ai:5", param_hint="--seats")
        seats.append({"kind": "ai", "level": int(level)})
    return seats


def read_option(text: str) -> tuple[str, Any]:
    """Return name and value of NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@contextmanager
def server_at(address: str | None) -> Iterator[str]:
    """Find the server to play on: the one named, the one that the settings name, or one started for the purpose."""
    settings = Settings.from_environment()
    wanted = address.rstrip("/") if address is not None else address_of(settings.host, settings.port)
    if answers(wanted):
        yield wanted
    elif address is not None:
        raise click.ClickException(f"no Clifftop server is ready at {address}")
    else:
        with started() as base:
            yield base


def address_of(host: str, port: int) -> str:
    """Return the address to open for a server that listens there."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def answers(address: str) -> bool:
    """Return whether a Clifftop server is ready at an address."""
    try:
        return httpx.get(f"{address}/readyz", timeout=1.0).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


@contextmanager
def started() -> Iterator[str]:
    """Run `clifftop serve` on a free port and a data folder of its own, and end it."""
    with tempfile.TemporaryDirectory(prefix="clifftop-") as folder:
        environ = {**os.environ, "CLIFFTOP_PORT": "0", "CLIFFTOP_DATA_DIR": str(Path(folder) / "data")}
        process = subprocess.Popen(python("-m", "service.cli", "serve"), env=environ, stdout=subprocess.PIPE)
        try:
            yield ready_address(process)
        finally:
            process.terminate()
            process.wait()


def ready_address(process: subprocess.Popen[bytes]) -> str:
    """Return the address that a starting `clifftop serve` says, once it is ready."""
    assert process.stdout is not None
    said = []
    for raw in process.stdout:
        said.append(raw.decode(errors="replace"))
        if "ready: open " in said[-1]:
            pump(process.stdout, lambda line: None)
            return said[-1].rsplit(" ", 1)[1].strip()
    raise click.ClickException("the server did not start:\n" + "".join(said[-20:]))


def checked(response: httpx.Response) -> Json:
    """Return the body of a good answer; a problem ends the program with its sentence."""
    if response.is_success:
        body: Json = response.json()
        return body
    try:
        problem = response.json()
        reason = f"{problem['detail']} ({problem['code']})"
    except (ValueError, KeyError):
        reason = f"the server answered {response.status_code}"
    raise click.ClickException(reason)


def follow(client: httpx.Client, match_id: str) -> Iterator[Json]:
    """Yield the match's log as spectators are told it, to its end; a broken stream is taken up where it broke."""
    last = 0
    while True:
        try:
            for entry in stream(client, match_id, last):
                last = entry["version"]
                yield entry
                if any(event["type"] == "match.ended" for event in entry["events"]):
                    return
        except httpx.TransportError:
            continue


def stream(client: httpx.Client, match_id: str, last: int) -> Iterator[Json]:
    """Yield the entries of one event stream."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
    with client.stream("GET", f"/v1/matches/{match_id}/events", headers=headers) as response:
        if not response.is_success:
            response.read()
            checked(response)
        for line in response.iter_lines():
            if line.startswith("data:"):
                yield json.loads(line[len("data:") :])


def seat_names(match: Json) -> list[str]:
    """Return who sits where."""
    return [f"seat {seat['seat']} {seat.get('name') or seat['kind']}" for seat in match["seats"]]


def sentence(event: Json) -> str:
    """Return an event of any game as one line."""
    words = [f"seat {event['seat']}"] if "seat" in event else []
    words.append(event["type"].replace("_", " "))
    words += [f"{name}={compact(value)}" for name, value in event.items() if name not in ("type", "seat")]
    return " ".join(words)


def compact(value: Any) -> str:
    """Return a value of an event, short."""
    if isinstance(value, dict):
        return " ".join(name if part is True else compact(part) for name, part in value.items())
    if isinstance(value, list):
        return "[" + ", ".join(compact(part) for part in value) + "]"
    return str(value)


def result(match: Json) -> str:
    """Return how a match ended."""
    outcome = match["outcome"]
    if outcome is None:
        return f"ended without a result: {match['status']}"
    names = seat_names(match)
    winners = ", ".join(names[seat] for seat in outcome["winners"]) or "nobody"
    points = f", points {outcome['points']}" if outcome.get("points") else ""
    return f"won by {winners} ({outcome['reason']}), ranking {outcome['ranking']}{points}"
