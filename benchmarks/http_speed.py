"""How fast are the play endpoint and the view, against the barest route that does one read and one Lua commit?

One gunicorn as in production (gevent, `--processes` web processes) on a real server with an append-only file serves both:
our application, and a Flask route that reads a stored state of 2 KB and commits it with a script that compares the version,
writes state and version, and appends to a log. Both commit every request. Clients hold their connections open; the moves
are of whole random matches, worked out beforehand, so that the clients cost little and the same for both.

Beside them, bots play against each other over HTTP: as many matches at once as there are clients, in every seat a random bot
with an account, a stream that tells it when it must decide and shows it the match, and a connection on which it plays. Their
rate is in moves, its aim a share of the play endpoint's.

Rounds alternate between the routes; the figures are medians of rounds, the ratios medians of each round's own ratio.

    python benchmarks/http_speed.py [--game NAME] [--rounds 5] [--seconds 4] [--clients 16] [--processes 2]
"""

from __future__ import annotations

from gevent import monkey

if __name__ == "__main__":
    monkey.patch_all()

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gevent
from gevent import socket

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines import PACKAGES, Registry  # noqa: E402
from engines.game import Game, chance_key  # noqa: E402

GAMES = Registry({**PACKAGES, "toy": "tests.toy"})
#: A rate's aim is a share of the barest route's, that of bots a share of the play endpoint's.
BOTS_LIMIT = 0.4
LIMITS = {"play": 0.5, "view": 0.6, "view (known version)": 0.6, "actions": 0.6}

SCRIPT = """
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if version ~= tonumber(ARGV[1]) then return version end
redis.call('HSET', KEYS[1], 'version', version + 1, 'state', ARGV[2])
redis.call('XADD', KEYS[2], (version + 1) .. '-0', 'event', ARGV[3])
return version + 1
"""


# --- what gunicorn serves ---------------------------------------------------------------------------------------------


def bare(url: str) -> Any:
    """Return the barest application that does one read and one Lua commit."""
    import redis
    from flask import Flask, request

    app = Flask("bare")
    client = redis.Redis.from_url(url)
    commit = client.register_script(SCRIPT)

    @app.post("/bare/<key>")
    def play(key: str) -> Any:
        event = json.dumps(request.get_json())
        version, state = client.hmget(f"bare:{key}", "version", "state")
        after = commit(keys=[f"bare:{key}", f"bare:{key}:events"], args=[version or 0, state or bytes(2000), event])
        return {"version": after}

    return app


def application() -> Any:
    """Return both applications as one."""
    from service import create_app
    from service.settings import Settings

    settings = Settings.from_environment()
    ours, other = create_app(settings, GAMES), bare(settings.redis_url or "")

    def serve(environ: dict[str, Any], start_response: Any) -> Any:
        app = other if environ["PATH_INFO"].startswith("/bare/") else ours
        return app(environ, start_response)

    serve.extensions = ours.extensions  # type: ignore[attr-defined]  # where the worker finds what to close
    return serve


# --- clients ----------------------------------------------------------------------------------------------------------


def request_bytes(method: str, path: str, token: str = "", body: Any = None) -> bytes:
    """Return a whole request."""
    raw = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    if raw:
        head += f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n"
    return head.encode() + b"\r\n" + raw


def exchange(connection: Any, request: bytes) -> bytes:
    """Send one request and return its whole answer."""
    connection.sendall(request)
    answer = connection.recv(65536)
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    while len(body) < length:
        body += connection.recv(65536)
    if not answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 304")):
        raise SystemExit(f"an answer that should not be: {answer[:2000]!r}")
    return body


def measure(address: str, streams: list[Iterator[bytes]], seconds: float) -> tuple[float, list[float]]:
    """Return requests a second and every answer's milliseconds, with one connection a stream of requests."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    def run(stream: Iterator[bytes]) -> None:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        for request in stream:
            begin = time.perf_counter()
            if begin >= end:
                break
            exchange(connection, request)
            times.append((time.perf_counter() - begin) * 1000)
        connection.close()

    began = time.perf_counter()
    gevent.joinall([gevent.spawn(run, stream) for stream in streams], raise_error=True)
    return len(times) / (time.perf_counter() - began), times


# --- bots ---------------------------------------------------------------------------------------------------------------


class Bots:
    """Pairs, or more, of random bots that play match after match, all going at once, as `examples/bot.py` does.

    A bot has an account, a stream that tells it of its decisions, and a connection on which it plays.

    Args:
        matches, game: where the matches are made, and what is played.
        address: of the server.
        tables: how many matches at once.
    """

    def __init__(self, matches: Any, game: Game, address: str, tables: int) -> None:
        self.matches, self.game, self.address, self.tables = matches, game, address, tables
        self.rng = random.Random(1)
        self.times: list[float] = []
        self.registered = itertools.count()

    def measure(self, seconds: float) -> tuple[float, list[float]]:
        """Return moves a second, and every move's milliseconds."""
        tables = [self._bots() for _ in range(self.tables)]
        playing = [gevent.spawn(self._play, table, seat) for table in tables for seat in range(len(table))]
        self.times, began = [], time.perf_counter()
        gevent.joinall(playing, timeout=seconds, raise_error=True)
        took, times = time.perf_counter() - began, self.times
        gevent.killall(playing)
        return len(times) / took, times

    def _bots(self) -> list[tuple[str, str]]:
        """Return the names and keys of new bots for a table, which have begun a match."""
        names = [f"bot-{next(self.registered)}" for _ in range(self.game.min_seats)]
        bots = [(name, self.matches.guests.bots.register(name, [self.game.name])[1]) for name in names]
        self._begin(bots)
        return bots

    def _begin(self, bots: list[tuple[str, str]]) -> None:
        from service.matches import SeatRequest

        seats = [SeatRequest("me")] + [SeatRequest("open")] * (len(bots) - 1)
        created = self.matches.create(self.game.name, {}, seats, creator=bots[0][0])
        for name, _ in bots[1:]:
            self.matches.take_seat(created.match.id, bot=name)

    def _play(self, bots: list[tuple[str, str]], seat: int) -> None:
        key = bots[seat][1]
        with socket.socket(socket.AF_UNIX) as told, socket.socket(socket.AF_UNIX) as connection:
            told.connect(self.address)
            connection.connect(self.address)
            for event in events(told, key):
                match = event["position"]
                if match and event["type"] == "turn":
                    body = {"version": match["version"], "actions": [self.rng.choice(match["legal_actions"])]}
                    begin = time.perf_counter()
                    exchange(connection, request_bytes("POST", f"/v1/matches/{match['id']}/actions", key, body))
                    self.times.append((time.perf_counter() - begin) * 1000)
                elif event["type"] == "ended" and seat == 0:
                    self._begin(bots)


def events(connection: Any, key: str) -> Iterator[dict[str, Any]]:
    """Yield how things stand with a bot, and then what it is told."""
    head = "GET /v1/bots/me/events HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    connection.sendall(f"{head}Authorization: Bearer {key}\r\n\r\n".encode())
    with connection.makefile("rb") as lines:
        for line in lines:
            if line.startswith(b"data: "):
                told = json.loads(line.removeprefix(b"data: "))
                yield from [*told["invited"], *told["turns"]] if "turns" in told else [told]


# --- matches, worked out beforehand -----------------------------------------------------------------------------------


def table(matches: Any, game: Game) -> tuple[str, list[str]]:
    """Create a running match of people; return its id and the tokens."""
    from service.matches import SeatRequest

    seats = [SeatRequest("me")] + [SeatRequest("open")] * (game.min_seats - 1)
    created = matches.create(game.name, {}, seats)
    others = [matches.take_seat(created.match.id).token for _ in seats[1:]]
    return created.match.id, [created.token, *others]


def moves(matches: Any, game: Game, rng: random.Random) -> list[bytes]:
    """Create a match and return the requests that play it to its end."""
    match_id, tokens = table(matches, game)
    seed = matches.get(match_id).seed
    state = game.new(len(tokens), {}, seed, match_id)
    requests: list[bytes] = []
    while awaited := game.awaiting(state):
        seat = rng.choice(awaited)
        action = rng.choice(game.legal(state, seat))
        body = {"actions": [game.action_to_json(state, action)]}
        requests.append(request_bytes("POST", f"/v1/matches/{match_id}/actions", tokens[seat], body))
        state = game.play(state, seat, action, chance_key(seed, match_id, len(requests)))
    return requests


class Bench:
    """The requests of every kind, for `clients` connections."""

    def __init__(self, matches: Any, game: Game, clients: int) -> None:
        self.matches, self.game, self.clients = matches, game, clients
        self.rng = random.Random(1)
        self.state = {"type": "play", "card": 3, "place": 5}

    def bare(self, _expected: int) -> list[Iterator[bytes]]:
        body = {"actions": [self.state]}
        return [itertools.repeat(request_bytes("POST", f"/bare/{client}", "x" * 32, body)) for client in range(self.clients)]

    def play(self, expected: int) -> list[Iterator[bytes]]:
        wanted = expected // self.clients + 1
        streams = []
        for _ in range(self.clients):
            requests: list[bytes] = []
            while len(requests) < wanted:
                requests += moves(self.matches, self.game, self.rng)
            streams.append(iter(requests))
        return streams

    def views(self, expected: int) -> list[Iterator[bytes]]:
        """Every request is of a seat that no process has shown before."""
        requests: list[bytes] = []
        while len(requests) < expected:
            match_id, tokens = table(self.matches, self.game)
            requests += [request_bytes("GET", f"/v1/matches/{match_id}", token) for token in tokens]
        self.rng.shuffle(requests)
        return [iter(requests[client :: self.clients]) for client in range(self.clients)]

    def known(self, path: str) -> Callable[[int], list[Iterator[bytes]]]:
        """The same seats are asked again and again."""

        def make(_expected: int) -> list[Iterator[bytes]]:
            tables = [table(self.matches, self.game) for _ in range(self.clients)]
            return [itertools.repeat(request_bytes("GET", f"/v1/matches/{i}{path}", tokens[0])) for i, tokens in tables]

        return make


# --- the run ----------------------------------------------------------------------------------------------------------


def serve(folder: Path, url: str, processes: int) -> tuple[subprocess.Popen[bytes], str]:
    """Start gunicorn and return it with its address, once it answers."""
    address = str(folder / "web.sock")
    environ = {**os.environ, "CLIFFTOP_REDIS_URL": url, "CLIFFTOP_WEB_PROCESSES": str(processes), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_config", "--bind", f"unix:{address}"]
    process = subprocess.Popen([*command, "benchmarks.http_speed:application()"], env=environ, cwd=ROOT)
    for _ in range(3000):
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(address)
                exchange(connection, request_bytes("GET", "/readyz"))
            return process, address
        except OSError:
            time.sleep(0.1)
    raise SystemExit("gunicorn does not answer")


def main() -> int:
    """Print the figures; return 1 when a ratio misses its limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default=next(iter(PACKAGES)))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()

    from service.embedded import EmbeddedServer
    from service.matches import Matches
    from service.settings import Settings

    with tempfile.TemporaryDirectory() as name, EmbeddedServer(Path(name)) as server:
        matches = Matches.open(Settings(redis_url=server.url), GAMES)
        bench = Bench(matches, GAMES[given.game], given.clients)
        process, address = serve(Path(name), server.url, given.processes)
        try:
            return report(bench, address, given.rounds, given.seconds)
        finally:
            process.terminate()
            process.wait()
            matches.close()


def report(bench: Bench, address: str, rounds: int, seconds: float) -> int:
    kinds: dict[str, Callable[[int], list[Iterator[bytes]]]] = {
        "bare": bench.bare,
        "play": bench.play,
        "view": bench.views,
        "view (known version)": bench.known(""),
        "actions": bench.known("/actions"),
    }
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    ratios: dict[str, list[float]] = {kind: [] for kind in kinds}
    measure(address, bench.bare(0), 1.0)
    measure(address, bench.play(1000), 1.0)
    bots, bot_rates, bot_shares = Bots(bench.matches, bench.game, address, bench.clients), [], []
    bot_times: list[float] = []
    for _ in range(rounds):
        for kind, make in kinds.items():
            expected = int(max(rates["bare"], default=6000.0) * seconds)
            rate, took = measure(address, make(expected), seconds)
            rates[kind].append(rate)
            times[kind] += took
            ratios[kind].append(rate / rates["bare"][-1])
        rate, took = bots.measure(seconds)
        bot_rates.append(rate)
        bot_times += took
        bot_shares.append(rate / rates["play"][-1])
    print(f"{bench.game.name}, {bench.clients} clients, {rounds} rounds of {seconds:g} s")
    missed = 0
    for kind in kinds:
        ordered, ratio, limit = sorted(times[kind]), statistics.median(ratios[kind]), LIMITS.get(kind)
        p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
        aim = "" if limit is None else f"   (aim: at least {limit:g})"
        speed = f"{statistics.median(rates[kind]):7.0f}/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms"
        print(f"{kind:22} {speed}   ratio {ratio:.2f}{aim}")
        missed += limit is not None and ratio < limit
    ordered, share = sorted(bot_times), statistics.median(bot_shares)
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    speed = f"{statistics.median(bot_rates):7.0f}/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms"
    print(f"{'bots, moves':22} {speed}   share of play {share:.2f}   (aim: at least {BOTS_LIMIT:g})")
    missed += share < BOTS_LIMIT
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
