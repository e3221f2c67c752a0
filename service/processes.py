"""The children of `clifftop serve`: started, watched, started again, ended together, with one log.

Each child leads a session of its own, so that a Ctrl-C in the terminal reaches only the parent, which then ends all in
order, and so that whatever a killed child leaves behind (a worker's horse, a web server's workers) can be found and ended.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from service.child import dying_with_parent, pump
from service.embedded import EmbeddedServer

#: How often the parent looks after its children.
WATCH_INTERVAL_S = 0.1
#: How long the children have to finish what they do, all together.
GRACE_S = 15.0
#: A child that ends by itself this often in a row, each time before it is this old, will not do better the next time.
MOST_EARLY_ENDS = 5
EARLY_S = 10.0
PAUSE_S = 1.0
#: Getting ready is quick every time but the first; only when it lasts so long it is explained.
NOTICE_AFTER_S = 8.0
NOTICE = "still compiling the games; this is needed once after an installation or a change"

#: What every child's numerics are told: one thread each, the processes are the parallelism.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Log:
    """One stream for the lines of all children, each with its child's name before it."""

    def __init__(self, stream: IO[str], width: int = 9) -> None:
        self._stream = stream
        self._width = width
        self._lock = threading.Lock()

    def write(self, name: str, line: str) -> None:
        """Write one line; a reader that went away is no reason to stop."""
        with self._lock, suppress(OSError, ValueError):
            self._stream.write(f"{name:<{self._width}} | {line}\n")
            self._stream.flush()


@dataclass(frozen=True)
class Program:
    """What a child runs.

    Attributes:
        name: in the log.
        command: program and arguments.
        keep_open: descriptors it inherits.
        late: it is started when the others are ready, so as not to hold them up.
    """

    name: str
    command: Sequence[str]
    keep_open: Sequence[int] = ()
    late: bool = False


class Child:
    """One running program."""

    def __init__(self, program: Program, log: Log, environ: Mapping[str, str]) -> None:
        self.program = program
        self._early_ends = 0
        self._start_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._log = log
        self._environ = dict(environ)
        self._started = 0.0

    def start(self) -> None:
        """Start it; from the main thread (its life hangs on the thread's)."""
        self.process = subprocess.Popen(
            self.program.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environ,
            pass_fds=self.program.keep_open,
            start_new_session=True,
            preexec_fn=dying_with_parent(),
        )
        self._started = time.monotonic()
        assert self.process.stdout is not None
        pump(self.process.stdout, self.say)
        self._log.write("clifftop", f"{self.program.name} runs as process {self.process.pid}")

    def say(self, line: str) -> None:
        """Write a line of its own into the log."""
        self._log.write(self.program.name, line)

    def look(self) -> bool:
        """Start it if it does not run and its pause is over. Return False when that has been tried often enough."""
        if self.process is None:
            if time.monotonic() >= self._start_at:
                self.start()
            return True
        code = self.process.poll()
        if code is None:
            return True
        end_session(self.process.pid)
        self.process = None
        early = code >= 0 and time.monotonic() - self._started < EARLY_S
        self._early_ends = self._early_ends + 1 if early else 0
        if self._early_ends >= MOST_EARLY_ENDS:
            self._log.write("clifftop", f"{self.program.name} {ending(code)}, {self._early_ends} times in a row: giving up")
            return False
        self._start_at = time.monotonic() + self._early_ends * PAUSE_S
        self._log.write("clifftop", f"{self.program.name} {ending(code)}; it is started again")
        return True

    def terminate(self) -> None:
        """Ask it to end."""
        if self.process is not None:
            self.process.terminate()

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def finish(self) -> None:
        """See to it that nothing of it is left."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.poll() is None:
            self._log.write("clifftop", f"{self.program.name} did not end in time and is killed")
            process.kill()
            process.wait()
        end_session(process.pid)


def ending(code: int) -> str:
    """Return how a process ended, for people."""
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


def end_session(leader: int) -> None:
    """Kill every process of the session that a child led (where there is no /proc: of its process group)."""
    if not Path("/proc/self/stat").exists():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
        return
    for process in session(leader):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def session(leader: int) -> list[int]:
    """Return the live processes of a session, which may have lost its leader."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) == leader:
            found.append(int(folder.name))
    return found


class Supervisor:
    """Runs programs until it is told to stop, or until one cannot be kept running.

    Args:
        programs: what runs, in the order of starting.
        environ: what the children get as their environment.
        log: where everything is said.
        server: an embedded server, already started; it is watched with them and ended last.
    """

    def __init__(
        self, programs: Sequence[Program], environ: Mapping[str, str], log: Log, server: EmbeddedServer | None = None
    ) -> None:
        self._environ = {**environ, **ONE_THREAD, "PYTHONUNBUFFERED": "1"}
        self._children = [Child(program, log, self._environ) for program in programs]
        self._log = log
        self._server = server
        self._signals = 0

    @property
    def stopping(self) -> bool:
        """Whether a signal to stop has come."""
        return self._signals > 0

    def processes(self, name: str) -> set[int]:
        """Return the processes of the programs, but the late ones, whose names begin so; -1 for one that does not run now."""
        chosen = [child for child in self._children if child.program.name.startswith(name) and not child.program.late]
        return {child.process.pid if child.process is not None else -1 for child in chosen}

    def catch_signals(self) -> None:
        """Stop in order on SIGINT, SIGTERM and SIGHUP; at once on the second."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """Have everything end in order; called twice: at once."""
        self._signals += 1

    def run(self, ready: Callable[[], bool], on_ready: Callable[[], None]) -> int:
        """Start all but the late ones, say when they are ready, start the late ones, watch all, end all.

        Args:
            ready: whether the whole is ready; asked until it is.
            on_ready: called once then.

        Returns:
            the exit code: 0 after a signal, 1 when a child could not be kept running.
        """
        try:
            return self._watch(ready, on_ready)
        finally:
            self._end_all()

    def _watch(self, ready: Callable[[], bool], on_ready: Callable[[], None]) -> int:
        watched = [child for child in self._children if not child.program.late]
        notice_at = time.monotonic() + NOTICE_AFTER_S
        said = False
        while not self.stopping:
            self._look_after_server()
            if not all(child.look() for child in watched):
                return 1
            if not said and ready():
                said, watched, notice_at = True, self._children, math.inf
                on_ready()
            elif time.monotonic() > notice_at:
                notice_at = math.inf
                self._log.write("clifftop", NOTICE)
            time.sleep(WATCH_INTERVAL_S)
        self._log.write("clifftop", "stopping")
        return 0

    def _look_after_server(self) -> None:
        if self._server is None or self._server.process is None:
            return
        code = self._server.process.poll()
        if code is not None:
            self._log.write("clifftop", f"redis {ending(code)}; it is started again")
            self._server.start()
            self._log.write("clifftop", f"redis runs as process {self._server.pid}")

    def _end_all(self) -> None:
        for child in self._children:
            child.terminate()
        end = time.monotonic() + GRACE_S
        for child in self._children:
            while child.running and self._signals < 2 and time.monotonic() < end:
                time.sleep(0.02)
            child.finish()
        if self._server is not None:
            self._server.stop()
        self._log.write("clifftop", "stopped")


def python(*arguments: str) -> list[str]:
    """Return a command that runs this very Python."""
    return [sys.executable, *arguments]
