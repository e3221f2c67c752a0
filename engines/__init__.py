"""The rules of the four games, compiled; they know nothing of search, HTTP or Redis.

`GAMES` is the only registry: a mapping from a game's name to its `Game`. A game is loaded, and its kernels are
compiled or fetched from the disk cache, when it is first asked for. Nothing outside `engines/<game>/` may name a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from engines import cache

cache.install()

from engines.game import Game  # noqa: E402  (the cache folder must be set before numba is imported)

#: Name of each game in the API, and the package that holds it (its `GAME`).
PACKAGES = {
    "last-lemming": "engines.last_lemming",
    "lemminge": "engines.lemminge",
    "lemmings": "engines.lemmings",
    "valhalla": "engines.valhalla",
}


class Registry(Mapping[str, Game]):
    """The games by name, loaded on first use."""

    def __init__(self, packages: Mapping[str, str]) -> None:
        self._packages = dict(packages)
        self._loaded: dict[str, Game] = {}

    def __getitem__(self, name: str) -> Game:
        game = self._loaded.get(name)
        if game is None:
            module = import_module(self._packages[name])
            game = self._loaded[name] = module.GAME
        return game

    def __contains__(self, name: object) -> bool:
        return name in self._packages

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


GAMES = Registry(PACKAGES)

__all__ = ["GAMES", "PACKAGES", "Game", "Registry"]
