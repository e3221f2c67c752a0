"""Bodies by version: what a viewer is shown of one version of a match never changes, so it is built once a process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from service.matches import Match
from service.matches.wire import dumps

Key: TypeAlias = tuple[str, str, int, int, int | None]

#: Bodies kept at the most, some kilobytes each.
KEPT = 4096


class Bodies:
    """The bodies built last, oldest first; each belongs to one version, its moment, and one viewer."""

    def __init__(self) -> None:
        self._kept: dict[Key, bytes] = {}

    def get(self, kind: str, match: Match, seat: int | None, build: Callable[[Match, int | None], Any]) -> bytes:
        """Return a body, built only if it is not there.

        Args:
            kind: what it is.
            match: at the version it is about. (Its moment is part of the key: after a crash that lost the last second, a
                version may come about a second time, differently.)
            seat: whose it is; None: a spectator's.
            build: makes the data.
        """
        key = (kind, match.id, match.version, match.changed, seat)
        body = self._kept.get(key)
        if body is None:
            body = self._kept[key] = dumps(build(match, seat))
            if len(self._kept) > KEPT:
                self._kept.pop(next(iter(self._kept)), None)
        return body
