"""What every child process needs: an end with its parent, and somebody who reads what it says."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import IO

PR_SET_PDEATHSIG = 1


def dying_with_parent(signal_number: int = signal.SIGTERM) -> Callable[[], None] | None:
    """Return a `preexec_fn` that has the child signalled when the thread that started it ends; None where there is none.

    Only Linux has it. Start such children from the main thread.
    """
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def pump(source: IO[bytes], say: Callable[[str], None]) -> None:
    """Pass on what a child says, line by line, until it closes its end; returns at once."""

    def run() -> None:
        with source:
            for line in source:
                say(line.decode(errors="replace").rstrip())

    threading.Thread(target=run, name="log of a child", daemon=True).start()
