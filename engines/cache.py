"""Where numba keeps compiled code on disk.

Numba's cache does not notice edits in other files (a helper, a constant), so the folder is keyed by a digest of all
sources of `engines/` and `ai/`; uncompiled and bounds-checked runs get a folder of their own. `install` must be called
before numba is first imported by our code.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The folders whose sources take part in the digest.
SOURCES = ("engines", "ai")


def digest() -> str:
    """Return 16 hex digits over every Python source that may influence compiled code."""
    total = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            total.update(str(path.relative_to(ROOT)).encode())
            total.update(path.read_bytes())
    return total.hexdigest()[:16]


def folder() -> Path:
    """Return the cache folder for the present sources and numba mode.

    `CLIFFTOP_CACHE_DIR` names the folder above it; by default `$XDG_CACHE_HOME/clifftop` or `~/.cache/clifftop`.
    """
    base = os.environ.get("CLIFFTOP_CACHE_DIR")
    if not base:
        base = str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clifftop")
    mode = "checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else "plain"
    return Path(base) / f"{digest()}-{mode}"


def install() -> None:
    """Point numba's disk cache at `folder()`; a folder set by the user (`NUMBA_CACHE_DIR`) is respected."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    path = str(folder())
    os.environ["NUMBA_CACHE_DIR"] = path
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = path
