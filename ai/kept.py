"""Matches of arenas in a file: a deal a line, so that what takes hours can be interrupted and goes on where it was.

Any number of arenas share a file, also at the same time; a deal belongs to the arena whose game, players, options and seed are
the same. The file does not know which release played: after a change that plays otherwise, begin another one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import click

from ai.options import OutFile
from engines.game import Json


@dataclass(frozen=True)
class Bout:
    """What an arena plays.

    Attributes:
        game: the game's name, or the package of one that is not registered.
        players: spellings (see `ai/contestants.py`), one a seat.
        options: the match options.
        seed: all chance follows from it.
    """

    game: str
    players: tuple[str, ...]
    options: Json = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Match:
    """How one match went; lists are by place in `Bout.players`, not by seat.

    Attributes:
        deal: number of the deal.
        rotation: the player at place p sat at seat (p + rotation) modulo seats.
        shares: 1 for the winner, 1/n each for n who share the win, else 0.
        ranking: place of each, 1 the best.
        reason: why it ended.
        plays: decisions in the match.
        milliseconds: mean thinking time of each a decision.
    """

    deal: int
    rotation: int
    shares: tuple[float, ...]
    ranking: tuple[int, ...]
    reason: str
    plays: int
    milliseconds: tuple[float, ...]


#: How every line begins, also one that was cut short.
BEGIN = '{"bout": '


class BadFile(click.UsageError):
    """A line is none that `keep` wrote; a command that is given such a file says so and ends."""


#: The option of every command that plays in an arena.
keeping = click.option("--keep", "file", type=OutFile(), help="Keep every deal in this file, and go on from it.")


def keep(path: Path, bout: Bout, deal: Sequence[Match]) -> None:
    """Add a deal, its matches one for each rotation, to the end of the file."""
    line = json.dumps({"bout": asdict(bout), "matches": [asdict(match) for match in deal]}) + "\n"
    with path.open("a+b") as file:
        if file.tell() and not _whole(file):
            line = "\n" + line
        file.write(line.encode())


def _whole(file: Any) -> bool:
    """Return whether the last line is a whole one: not where a machine stopped while it was written."""
    file.seek(-1, 2)
    return bool(file.read(1) == b"\n")


def kept(path: Path, bout: Bout) -> dict[int, list[Match]]:
    """Return what the file has of an arena: deal -> its matches. There need be no file; a line cut short counts for nothing.

    Raises:
        BadFile: a line is something else.
    """
    found: dict[int, list[Match]] = {}
    if not path.exists():
        return found
    mine = json.loads(json.dumps(asdict(bout)))
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        try:
            owner, matches = _deal(line)
            deal = matches[0].deal
        except json.JSONDecodeError as error:
            if line.startswith(BEGIN[: len(line)]):
                continue
            raise BadFile(f"line {number} of {path} is no deal of an arena") from error
        except (KeyError, TypeError, IndexError, RecursionError) as error:
            raise BadFile(f"line {number} of {path} is no deal of an arena") from error
        if owner == mine:
            found[deal] = matches
    return found


def _deal(line: str) -> tuple[Any, list[Match]]:
    """Return the arena of a line, and its matches as they were; JSON has no tuples."""
    entry = json.loads(line)
    matches = []
    for data in entry["matches"]:
        values: dict[str, Any] = {one.name: data[one.name] for one in fields(Match)}
        for name in ("shares", "ranking", "milliseconds"):
            values[name] = tuple(values[name])
        matches.append(Match(**values))
    return entry["bout"], matches
