"""Where numba keeps compiled code on disk.

Numba's cache does not notice edits in other files (a helper, a constant). So every source file's compiled functions get a
folder named by a digest of that file and of all of ours that it imports: an edit compiles anew what depends on it and nothing
else, and several checkouts share what they have in common. Bounds-checked runs get folders of their own. `install` must be
called before numba is first imported by our code.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: The folders whose sources compiled code comes from.
SOURCES = ("engines", "ai", "tests")
#: Numba's own ways of finding a folder, for functions from elsewhere.
_NUMBAS_OWN = ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator")


def install() -> None:
    """Make numba keep our compiled code in `folder`; a folder set by the user (`NUMBA_CACHE_DIR`) is respected."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    classes = ",".join([f"{__name__}.{Locator.__name__}", *_NUMBAS_OWN])
    os.environ["NUMBA_CACHE_LOCATOR_CLASSES"] = classes
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_LOCATOR_CLASSES = classes


def folder() -> Path:
    """Return the folder of all compiled code for the present mode of numba.

    `CLIFFTOP_CACHE_DIR` names the folder above it; by default `$XDG_CACHE_HOME/clifftop` or `~/.cache/clifftop`.
    """
    base = os.environ.get("CLIFFTOP_CACHE_DIR")
    if not base:
        base = str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clifftop")
    mode = "checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else "plain"
    return Path(base) / mode


# --- what a source file depends on ------------------------------------------------------------------------------------


def _source(module: str) -> Path | None:
    """Return the file of a module of ours; None for other modules and for names that are none."""
    parts = module.split(".")
    if parts[0] not in SOURCES:
        return None
    path = ROOT.joinpath(*parts)
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imported(source: str) -> Iterator[str]:
    """Give the modules that a source names in its imports; `from a import b` names a.b if that is a module, else a."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if _source(name) else node.module for name in inner)


@cache
def _imports(file: Path) -> frozenset[Path]:
    """Return the files of ours that a file imports."""
    found = {_source(module) for module in _imported(file.read_text("utf-8"))}
    return frozenset(path for path in found if path is not None)


@cache
def dependencies(file: Path) -> tuple[Path, ...]:
    """Return a file of ours and all of ours that it imports, themselves or through others, sorted."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imports(path))
    return tuple(sorted(found))


@cache
def digest(file: Path) -> str:
    """Return 16 hex digits over all sources that may influence the code compiled from a file of ours."""
    total = hashlib.sha256()
    for path in dependencies(file):
        total.update(str(path.relative_to(ROOT)).encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


# --- numba's side -----------------------------------------------------------------------------------------------------


class Locator:
    """Tells numba where to keep the compiled code of one function of ours (see its `NUMBA_CACHE_LOCATOR_CLASSES`)."""

    def __init__(self, file: Path, line: int) -> None:
        self._file = file
        self._line = line

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Locator | None:
        """Return the locator of a function; None if it is not from our sources or the folder cannot be written."""
        file = Path(py_file).resolve()
        if not any(file.is_relative_to(ROOT / name) for name in SOURCES) or not file.is_file():
            return None
        locator = cls(file, py_func.__code__.co_firstlineno)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator

    def ensure_cache_path(self) -> None:
        """Make the folder and see that it can be written."""
        path = self.get_cache_path()
        os.makedirs(path, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()

    def get_cache_path(self) -> str:
        """Return the folder of the function's compiled code."""
        module = ".".join(self._file.relative_to(ROOT).with_suffix("").parts)
        return str(folder() / f"{module}-{digest(self._file)}")

    def get_source_stamp(self) -> str:
        """Return what changes when compiled code is out of date."""
        return digest(self._file)

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name in one file apart."""
        return str(self._line)
