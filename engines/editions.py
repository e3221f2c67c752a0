"""Editions: the printed sets of cards and boards, one TOML file each, loaded and checked with a marshmallow schema.

The reconstruction editions lie in `engines/<game>/data/`. Further ones, from owners of the printed games, may lie in
`<folder>/<game>/*.toml` of any folder given to `add_folder`; no code has to change for them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from marshmallow import Schema, ValidationError

_FOLDERS: list[Path] = []


class BadEdition(ValueError):
    """An edition file that cannot be used.

    Attributes:
        file: its path.
        key: where in it, dotted (`rule_cards.3.steps.0.who`); empty for the whole file.
        reason: what is wrong and what would be right.
    """

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}" if key else f"{file}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason


@dataclass(frozen=True, eq=False)
class Edition:
    """One checked edition.

    Attributes:
        name: the file's name without its ending, and its `edition` key.
        digest: SHA-256 in hex over the checked data (boards included), so that comments and layout do not count.
        data: the checked data, JSON-able.
    """

    name: str
    digest: str
    data: dict[str, Any]

    @property
    def word(self) -> int:
        """The first 8 bytes of the digest, as kept in `state.edition`."""
        return int(self.digest[:16], 16)

    @cached_property
    def memo(self) -> dict[str, Any]:
        """A place where a game keeps what it derives from the data once."""
        return {}


def add_folder(folder: str | Path) -> None:
    """Let every game also look for editions in `<folder>/<game>/*.toml`; call it before games are used.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise FileNotFoundError(f"no folder of editions at {path}")
    if path not in _FOLDERS:
        _FOLDERS.append(path)


def flatten(messages: Any, prefix: str = "") -> tuple[str, str]:
    """Return the first complaint in a marshmallow message tree as (dotted key, reason)."""
    if isinstance(messages, Mapping):
        key, inner = next(iter(messages.items()))
        name = "" if key == "_schema" else str(key)
        return flatten(inner, f"{prefix}.{name}".strip("."))
    if isinstance(messages, list):
        return flatten(messages[0], prefix) if messages else (prefix, "is wrong")
    return prefix, str(messages)


class EditionBook(Mapping[str, Edition]):
    """All editions of one game, by name; files are read on first use and again after `add_folder`.

    Args:
        game: the game's name, e.g. `last-lemming` (the folder's name below an `add_folder` folder).
        data: the game's own `data/` folder; kept as `folder`.
        schema: the marshmallow schema class of its TOML files.
        complete: (path, loaded data) -> data, for what a schema cannot do (boards in files beside, checks across keys);
            raises `BadEdition` or `ValidationError`.
    """

    def __init__(
        self,
        game: str,
        data: Path,
        schema: type[Schema],
        complete: Callable[[Path, dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        self.game = game
        self.folder = data
        self._schema = schema
        self._complete = complete
        self._read: dict[str, Edition] = {}
        self._words: dict[int, Edition] = {}
        self._folders: tuple[Path, ...] | None = None

    def load(self, path: Path) -> Edition:
        """Return the edition in one file.

        Raises:
            BadEdition: not TOML, or it breaks the schema; with file, key and reason.
        """
        try:
            raw = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadEdition(str(path), "", f"is not readable TOML: {error}") from error
        try:
            data = self._schema().load(raw)
            if self._complete is not None:
                data = self._complete(path, data)
        except ValidationError as error:
            key, reason = flatten(error.messages)
            raise BadEdition(str(path), key, reason) from error
        if data["edition"] != path.stem:
            raise BadEdition(str(path), "edition", f"is {data['edition']!r}, but the file is called {path.name}")
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return Edition(path.stem, hashlib.sha256(text.encode()).hexdigest(), data)

    def by_word(self, word: int) -> Edition:
        """Return the edition a state names.

        Raises:
            KeyError: no file here has that digest.
        """
        self._refresh()
        return self._words[word]

    def _refresh(self) -> None:
        folders = tuple(_FOLDERS)
        if self._folders == folders:
            return
        found: dict[str, Edition] = {}
        for folder in (self.folder, *(extra / self.game for extra in folders)):
            for path in sorted(folder.glob("*.toml")):
                edition = self.load(path)
                if edition.name in found:
                    raise BadEdition(str(path), "edition", f"there already is an edition {edition.name!r}")
                found[edition.name] = edition
        self._read = found
        self._words = {edition.word: edition for edition in found.values()}
        self._folders = folders

    def __getitem__(self, name: str) -> Edition:
        self._refresh()
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        self._refresh()
        return iter(self._read)

    def __len__(self) -> int:
        self._refresh()
        return len(self._read)
