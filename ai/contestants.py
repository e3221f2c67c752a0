"""Who plays in the arena: players by their spelling, e.g. `random`, `level:3`, `ismcts:100ms`, `my/bot.py:Bot`.

`play:400it:0.3:0.02` is a level of no table: so many iterations, a temperature and a blunder rate; a fourth number is how often
it plays what it likes least."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ai import pimc, playouts
from ai.ismcts import PLAIN, STANDARD, Settings
from ai.levels import Level, check_number
from ai.player import quick, think
from engines.game import Game
from engines.kernel import State, next_word, seed_words


class Contestant(Protocol):
    """A player of the arena; a class in a file of yours needs no more than this, and a constructor without arguments."""

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return a legal action of the seat.

        Args:
            game: the game.
            redacted: the state as the seat may know it.
            seat: who decides.
            seed: 64 bits for all chance in the decision; the same seed should give the same action.
        """


class BadContestant(ValueError):
    """A spelling that names no player, with what would be right."""


@dataclass(frozen=True)
class _Random:
    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        return _chosen(playouts.find(game).uniform, game, redacted, seat, seed)


@dataclass(frozen=True)
class _Simple:
    name: str

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        return _chosen(self.of(game), game, redacted, seat, seed)

    def of(self, game: Game) -> playouts.Choose:
        """Return this player's kernel.

        Raises:
            BadContestant: the game has no such player.
        """
        players = playouts.find(game).players
        if self.name not in players:
            raise BadContestant(f"{game.title} has no {self.name} player; it has {', '.join(players) or 'none but random'}")
        return players[self.name]


@dataclass(frozen=True)
class _Policy:
    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        return quick(game, redacted, seat, seed)


@dataclass(frozen=True)
class _Level:
    number: float

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        return think(game, redacted, seat, seed=seed, level=self.number).action


@dataclass(frozen=True)
class _Play:
    level: Level

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        return think(game, redacted, seat, seed=seed, level=self.level).action


@dataclass(frozen=True)
class _Searcher:
    milliseconds: float | None
    iterations: int | None
    settings: Settings

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        budget: dict[str, Any] = {"milliseconds": self.milliseconds, "iterations": self.iterations}
        return think(game, redacted, seat, seed=seed, settings=self.settings, until_decided=True, **budget).action


@dataclass(frozen=True)
class _Determinizer:
    milliseconds: float | None
    iterations: int | None
    settings: Settings

    def decide(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        legal = game.legal(redacted, seat)
        if len(legal) == 1:
            return legal[0]
        budget: dict[str, Any] = {"milliseconds": self.milliseconds, "iterations": self.iterations}
        return pimc.search(game, redacted, seat, seed, settings=self.settings, **budget)[0].action


def _chosen(choose: playouts.Choose, game: Game, redacted: State, seat: int, seed: int) -> int:
    """Return what a playout kernel chooses for the seat in one imagined world."""
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(seed))
    world = game.imagine(redacted, seat, int(next_word(words)))
    out = np.zeros(game.max_actions, np.int16)
    n = int(game.kernels.legal(world, seat, out))
    return int(choose(world, seat, out, n, words))


#: The longest `play:...` thinks about one move; its iterations should take less.
PLAY_MS = 950
_SIMPLE: dict[str, Callable[[], Contestant]] = {"random": _Random, "policy": _Policy}
_SEARCHES: dict[str, tuple[type[_Searcher] | type[_Determinizer], Settings]] = {
    "ismcts": (_Searcher, STANDARD),
    "plain": (_Searcher, PLAIN),
    "pimc": (_Determinizer, STANDARD),
}
#: Simple players that some games' playout files have.
_PLAYERS = ("greedy", "idle", "lowest")
_SPELLINGS = (
    f"random, policy, {', '.join(_PLAYERS)}, level:N, play:400it:0.3:0.02, ismcts:100ms, ismcts:2000it, plain:100ms,"
    " pimc:100ms or path/to/file.py:Class"
)


def contestant(spelling: str) -> Contestant:
    """Return the player of a spelling.

    A search may be varied: `ismcts:100ms:exploration=0.5:cut=40` (any field of `Settings`).

    Raises:
        BadContestant: there is no such player.
    """
    kind, _, rest = spelling.partition(":")
    if spelling in _PLAYERS:
        return _Simple(spelling)
    if kind in _SIMPLE and not rest:
        return _SIMPLE[kind]()
    if kind == "level" and re.fullmatch(r"\d+(\.\d+)?", rest):
        return _level(float(rest) if "." in rest else int(rest))
    if kind == "play":
        return _play(spelling, rest)
    if kind in _SEARCHES and rest:
        player, settings = _SEARCHES[kind]
        budget, *changes = rest.split(":")
        return player(*budget_of(budget), _settings(spelling, settings, changes))
    path, _, name = spelling.rpartition(":")
    if path.endswith(".py") and name.isidentifier():
        return _from_file(Path(path), name)
    raise BadContestant(f"there is no player {spelling!r}: use {_SPELLINGS}")


def check_plays(player: Contestant, game: Game) -> None:
    """Check that a contestant can play a game.

    Raises:
        BadContestant: the game has no such player.
    """
    if isinstance(player, _Simple):
        player.of(game)


def _level(number: float) -> Contestant:
    try:
        check_number(number)
    except ValueError as error:
        raise BadContestant(str(error)) from error
    return _Level(number)


def _play(spelling: str, rest: str) -> Contestant:
    match = re.fullmatch(r"([1-9]\d*)it:(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?", rest)
    if match is None:
        raise BadContestant(f"{spelling!r}: iterations, temperature and blunder rate are like play:400it:0.3:0.02")
    level = Level(PLAY_MS, int(match[1]), float(match[2]), float(match[3]), worst=float(match[4] or 0))
    if level.blunder + level.worst > 1:
        raise BadContestant(f"{spelling!r}: all errors together are at most 1, not {level.blunder + level.worst:g}")
    return _Play(level)


def budget_of(text: str) -> tuple[float | None, int | None]:
    """Return the milliseconds or the iterations of a budget like 100ms, 1s or 2000it; the other is None.

    Raises:
        BadContestant: it is no budget.
    """
    match = re.fullmatch(r"([1-9]\d{0,8})(ms|s|it)", text)
    if match is None:
        raise BadContestant(f"a budget is like 100ms, 1s or 2000it, not {text!r}")
    number = int(match[1])
    return (None, number) if match[2] == "it" else (number * {"ms": 1.0, "s": 1000.0}[match[2]], None)


_READERS: dict[str, Callable[[str], Any]] = {
    "float": float,
    "int": int,
    "float | None": float,
    "int | None": int,
    "bool": lambda text: {"true": True, "false": False}[text],
}


def _settings(spelling: str, settings: Settings, changes: list[str]) -> Settings:
    known = {field.name: _READERS[str(field.type)] for field in fields(Settings)}
    for change in changes:
        name, _, value = change.partition("=")
        if name not in known:
            raise BadContestant(f"{spelling!r}: there is no setting {name!r}; there is {', '.join(known)}")
        try:
            read = known[name](value)
        except (ValueError, KeyError) as error:
            raise BadContestant(f"{spelling!r}: {name} cannot be {value!r}") from error
        try:
            settings = replace(settings, **{name: read})
        except ValueError as error:
            raise BadContestant(f"{spelling!r}: {error}") from error
    return settings


def _from_file(path: Path, name: str) -> Contestant:
    if not path.is_file():
        raise BadContestant(f"there is no file {path}")
    spec = spec_from_file_location(f"clifftop_contestant_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadContestant(f"{path} cannot be loaded")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # it is another's code
        raise BadContestant(f"{path} cannot be loaded: {told(error)}") from error
    if not callable(getattr(getattr(module, name, None), "decide", None)):
        raise BadContestant(f"{path} has no class {name} with a method decide(game, redacted, seat, seed)")
    try:
        made: Contestant = getattr(module, name)()
    except Exception as error:
        raise BadContestant(f"{name}() of {path} cannot be made: {told(error)}") from error
    return made


def told(error: Exception) -> str:
    """Return an error of another's code with its place, as one line."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError):
        return text
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{text} ({Path(frame.filename).name}, line {frame.lineno}, in {frame.name})"
