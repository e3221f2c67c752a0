"""`clifftop serve` as a test sees it: started on a free port and a folder of its own, read, signalled, searched for remains."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import httpx

T = TypeVar("T")

#: Long enough for everything that must happen, on a machine that does much else; nothing is measured by it.
PATIENCE_S = 120.0


def eventually(what: Callable[[], T], patience_s: float = PATIENCE_S, otherwise: Callable[[], str] = str) -> T:
    """Return the first true answer of a question, asked until the patience is over."""
    end = time.monotonic() + patience_s
    while True:
        answer = what()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"this did not happen within {patience_s} s\n{otherwise()}")
        time.sleep(0.02)


class Serving:
    """One running `clifftop serve`."""

    def __init__(self, data_dir: Path, **settings: str) -> None:
        self.data_dir = data_dir
        self._mark = f"SYSTEM_TEST={uuid.uuid4()}"
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "serve"],
            env={**environment(data_dir, **settings), **dict([self._mark.split("=", 1)])},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))

    @property
    def log(self) -> str:
        """All that it has said."""
        return "\n".join(self.lines)

    def says(self, pattern: str, patience_s: float = PATIENCE_S) -> str:
        """Wait until a line of the log matches; return the first group, or the match."""

        def find() -> re.Match[str] | None:
            assert self.process.poll() is None or re.search(pattern, self.log, re.MULTILINE), self.log
            return re.search(pattern, self.log, re.MULTILINE)

        found = eventually(find, patience_s, lambda: self.log)
        return found.group(found.lastindex or 0)

    def ready(self) -> Serving:
        """Wait until it is ready with all that is late, too."""
        self.says(r"ready: open http://\S+$")
        self.says(r"sweeper runs as process \d+$")
        return self

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.says(r"ready: open (http://\S+)$")

    def client(self) -> httpx.Client:
        """Return a client of it."""
        return httpx.Client(base_url=self.address, timeout=60.0)

    def pid(self, name: str) -> int:
        """Return the process that runs a program now."""
        return int(re.findall(rf"^clifftop +\| {name} runs as process (\d+)", self.log, re.MULTILINE)[-1])

    def remains(self) -> dict[int, str]:
        """Return all its processes that live, wherever they went, with their command lines."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    continue
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                marked = self._mark.encode() in (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if marked or str(self.data_dir) in command:
                found[int(folder.name)] = command
        return found

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Signal it, wait for its end, and return its exit code; nothing of it may be left."""
        self.process.send_signal(signal_number)
        code = self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        assert self.remains() == {}, self.log
        return code

    def kill(self) -> None:
        """End it and all that is left of it, however things stand."""
        self.process.kill()
        self.process.wait()
        for pid in self.remains():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._reader.join()

    def __enter__(self) -> Serving:
        try:
            return self.ready()
        except BaseException:
            self.kill()
            raise

    def __exit__(self, *_: object) -> None:
        self.kill()


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """Return an environment with these settings only, on a free port."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith("CLIFFTOP_") or name == "CLIFFTOP_CACHE_DIR"
    }
    return {**clean, "CLIFFTOP_PORT": "0", "CLIFFTOP_DATA_DIR": str(data_dir), **settings}
