"""How long from a clean clone to a server that is ready (`make serve` installs, compiles, starts), and how long the next time.

`python -m benchmarks.start_time`. The clone is of what is committed, in a temporary folder with an empty cache of compiled
code; packages come from wherever this machine's pip takes them, from its cache where it has one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.timing import verdict

ROOT = Path(__file__).resolve().parent.parent
FIRST_START_S = 180.0
NEXT_START_S = 6.0
NEXT_STARTS = 5


def start(clone: Path, environ: dict[str, str]) -> float:
    """Start, wait until it is ready, stop; return the seconds until it was ready."""
    begin = time.monotonic()
    process = subprocess.Popen(
        ["make", "serve"], cwd=clone, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "ready: open " in line:
            break
    else:
        raise SystemExit("".join(["it did not start\n", *said]))
    seconds = time.monotonic() - begin
    os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    return seconds


def main() -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory(prefix="clifftop-") as folder:
        clone = Path(folder) / "fresh"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CLIFFTOP_")}
        environ = {**kept, "CLIFFTOP_PORT": "0", "CLIFFTOP_CACHE_DIR": str(Path(folder) / "cache")}
        first = start(clone, environ)
        print(f"make serve in a clean clone   {first:7.1f} s until ready   {verdict(first, FIRST_START_S, at_least=False)}")
        following = median(start(clone, environ) for _ in range(NEXT_STARTS))
        print(
            f"the next time                 {following:7.1f} s until ready   {verdict(following, NEXT_START_S, at_least=False)}"
        )


if __name__ == "__main__":
    main()
