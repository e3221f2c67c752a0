"""How soon does a player see on his stream what another has done, and what do a thousand open streams cost?

First, with `--matches` matches going at a leisurely pace on two web processes: each match has a player who moves and another
client's event stream; the time is from just before the move is sent to its event's arrival. Then, on one web process: how
many moves a second without streams and with `--streams` of them open (the matches that are played among those followed), in
turns, and how much memory the process has with all streams open.

    python benchmarks/http_streams.py [--game toy] [--matches 100] [--pace 1.0] [--streams 1000] [--seconds 4] [--rounds 3]
"""

from __future__ import annotations

from gevent import monkey

if __name__ == "__main__":
    monkey.patch_all()

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gevent
import gevent.event
from gevent import socket

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.http_speed import GAMES, Bench, exchange, measure, moves, request_bytes, serve, table  # noqa: E402
from benchmarks.timing import verdict  # noqa: E402

LATENCY_LIMIT_MS = 25.0
MEMORY_LIMIT_MB = 300.0
SPEED_LIMIT = 0.5
#: Sockets of one process here and there.
FILES = 8192


class Stream:
    """One open event stream, and when each version arrived on it."""

    def __init__(self, address: str, match: str, token: str = "", after: int = 0) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(address)
        self.connection.sendall(request_bytes("GET", f"/v1/matches/{match}/events?stream=1&after={after}", token))
        self.arrived: dict[int, float] = {}
        self.ready = gevent.event.Event()
        self._reader = gevent.spawn(self._read)

    def _read(self) -> None:
        rest = b""
        while data := self.connection.recv(65536):
            now = time.perf_counter()
            self.ready.set()
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if line.startswith(b"id: "):
                    self.arrived[int(line[4:])] = now

    def close(self) -> None:
        self._reader.kill()
        self.connection.close()


@contextmanager
def web(folder: Path, url: str, processes: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run gunicorn."""
    (folder / str(processes)).mkdir()
    process, address = serve(folder / str(processes), url, processes)
    try:
        yield address, process
    finally:
        process.terminate()
        process.wait()


# --- from a move to its event -------------------------------------------------------------------------------------------


def latencies(address: str, matches: Any, game: Any, count: int, pace: float, seconds: float) -> list[float]:
    """Return, for every move of so many matches, the milliseconds until another client's stream told it."""
    found: list[float] = []
    rng = random.Random(1)
    prepared = [moves(matches, game, rng) for _ in range(count)]
    end = time.perf_counter() + seconds

    def play(requests: list[bytes]) -> None:
        match = requests[0].split(b"/")[3].decode()
        version = matches.get(match).version
        stream = Stream(address, match, after=version)
        stream.ready.wait(10)
        sent: dict[int, float] = {}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            gevent.sleep(rng.random() * pace)
            for request in requests:
                if time.perf_counter() > end:
                    break
                version += 1
                sent[version] = time.perf_counter()
                exchange(connection, request)
                gevent.sleep(pace * (0.5 + rng.random()))
        gevent.sleep(0.5)
        stream.close()
        found.extend((stream.arrived[one] - moment) * 1000 for one, moment in sent.items() if one in stream.arrived)
        if len(stream.arrived) < len(sent):
            raise SystemExit(f"{len(sent) - len(stream.arrived)} events did not arrive")

    gevent.joinall([gevent.spawn(play, requests) for requests in prepared], raise_error=True)
    return sorted(found)


def report_latency(address: str, matches: Any, game: Any, given: argparse.Namespace) -> bool:
    times = latencies(address, matches, game, given.matches, given.pace, given.seconds * given.rounds)
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    rate = given.matches / given.pace
    print(f"from a move to another client's stream, {given.matches} matches going ({rate:.0f} moves/s), {len(times)} moves:")
    print(f"  p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   ({verdict(p99, LATENCY_LIMIT_MS, at_least=False)})")
    return p99 <= LATENCY_LIMIT_MS


# --- a thousand streams -------------------------------------------------------------------------------------------------


def match_of(request: bytes) -> str:
    return request.split(b"/")[3].decode()


def open_streams(address: str, matches: Any, game: Any, followed: Sequence[str], count: int) -> list[Stream]:
    """Open so many streams: one on each match that will be played, the others each on a match where nothing happens."""
    idle = [table(matches, game)[0] for _ in range(max(count - len(followed), 0))]
    streams = [Stream(address, match, after=matches.get(match).version) for match in [*followed[:count], *idle]]
    for stream in streams:
        if not stream.ready.wait(30):
            raise SystemExit("a stream did not open")
    return streams


def memory_mb(parent: int) -> float:
    """Return the resident memory of a process's largest child."""
    listed = subprocess.run(["ps", "-eo", "ppid=,rss="], capture_output=True, text=True, check=True).stdout.split("\n")
    pairs = [line.split() for line in listed if line.strip()]
    return max(int(kilobytes) for ppid, kilobytes in pairs if int(ppid) == parent) / 1024


def report_streams(address: str, process: subprocess.Popen[bytes], bench: Bench, given: argparse.Namespace) -> bool:
    expected = int(given.expected * given.seconds)
    measure(address, bench.play(1000), 1.0)
    without, beside, ratios, memory = [], [], [], []
    bare = memory_mb(process.pid)
    for _ in range(given.rounds):
        rate, _ = measure(address, bench.play(expected), given.seconds)
        without.append(rate)
        plays = [list(stream) for stream in bench.play(expected)]
        followed = list(dict.fromkeys(match_of(request) for requests in plays for request in requests))
        streams = open_streams(address, bench.matches, bench.game, followed, given.streams)
        memory.append(memory_mb(process.pid))
        rate, _ = measure(address, [iter(requests) for requests in plays], given.seconds)
        memory.append(memory_mb(process.pid))
        beside.append(rate)
        ratios.append(rate / without[-1])
        for stream in streams:
            stream.close()
        gevent.sleep(1)
    ratio, most = statistics.median(ratios), max(memory)
    print(f"{given.streams} open streams on one web process:")
    print(f"  memory {most:.0f} MB, {bare:.0f} MB without   ({verdict(most, MEMORY_LIMIT_MB, at_least=False)})")
    rates = f"{statistics.median(without):.0f} moves/s without, {statistics.median(beside):.0f} with them"
    print(f"  {rates}: ratio {ratio:.2f}   ({verdict(ratio, SPEED_LIMIT)})")
    return most <= MEMORY_LIMIT_MB and ratio >= SPEED_LIMIT


def main() -> int:
    """Print the figures; return 1 when one misses its limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="lemminge")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between the moves of a match")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--expected", type=float, default=3000.0, help="moves a second that are prepared for")
    given = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(FILES, hard)), hard))

    from service.embedded import EmbeddedServer
    from service.matches import Matches
    from service.settings import Settings

    print(f"{given.game}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before")
    with tempfile.TemporaryDirectory() as name, EmbeddedServer(Path(name)) as server:
        matches = Matches.open(Settings(redis_url=server.url), GAMES)
        game = GAMES[given.game]
        try:
            with web(Path(name), server.url, 2) as (address, _):
                good = report_latency(address, matches, game, given)
            with web(Path(name), server.url, 1) as (address, process):
                good &= report_streams(address, process, Bench(matches, game, 16), given)
        finally:
            matches.close()
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
