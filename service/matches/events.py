"""The log of a match: one entry a version, told to each viewer as far as it was told to that viewer, never anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engines.game import Told
from engines.kernel import ALL
from service.matches.clock import timestamp
from service.matches.match import Json
from service.matches.notices import Notice
from service.matches.wire import dumps, loads

#: Who chose an action: a player; an AI; nobody in time, so a quick move or a pass (`clock`); a quick move because every
#: thought had failed (`fallback`); a pass that the seat had asked for beforehand (`auto`).
By: TypeAlias = Literal["player", "ai", "fallback", "clock", "auto"]


@dataclass(frozen=True)
class Move:
    """One action as it was played; shown to nobody before the match is over.

    Attributes:
        number: 1 for the match's first action.
        seat: who acted.
        action: the engine's number for it.
        data: the same as JSON.
        by: who chose it.
        thought: of an AI's: level, seed, after how many actions of the match it was had, and what `ai.player.Thought` says:
            iterations, milliseconds, digest, result.
    """

    number: int
    seat: int
    action: int
    data: Json
    by: By
    thought: Json | None = None

    def to_json(self) -> Json:
        """Return the move as the record shows it."""
        shown: Json = {"number": self.number, "seat": self.seat, "action": self.data, "code": self.action, "by": self.by}
        if self.thought is not None:
            shown["thought"] = self.thought
        return shown


@dataclass(frozen=True)
class Entry:
    """What one commit put into the log.

    Attributes:
        version: the version it made.
        at: when, in ms.
        told: the events in order, each with the seats it was told.
        moves: the actions that were played.
        notices: what bots are to be told of it; written beside the log, and not read back with it.
    """

    version: int
    at: int
    told: list[Told] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list, compare=False)

    def to(self, viewer: int | None) -> Json:
        """Return the entry as a seat (None: a spectator) was told it."""
        events = [told.event for told in self.told if told.to(viewer)]
        return {"version": self.version, "at": timestamp(self.at), "events": events}

    def ends(self) -> bool:
        """Return whether it is the match's last entry."""
        return any(told.event["type"] == "match.ended" for told in self.told)

    def of_the_match(self) -> bool:
        """Return whether something happened to the match itself: its status or its seats."""
        return any(told.event["type"].startswith(("match.", "seat.")) for told in self.told)

    def to_fields(self) -> dict[str, bytes | int]:
        """Return the fields of the stream entry."""
        told = [[told.seats, told.event] for told in self.told]
        moves = [[m.number, m.seat, m.action, m.data, m.by, m.thought] for m in self.moves]
        return {"at": self.at, "told": dumps(told), "moves": dumps(moves)}

    @classmethod
    def from_fields(cls, version: int, data: Mapping[bytes, bytes]) -> Entry:
        """Return the entry that `to_fields` wrote."""
        told = [Told(seats, event) for seats, event in loads(data[b"told"])]
        moves = [Move(*move) for move in loads(data[b"moves"])]
        return cls(version, int(data[b"at"]), told, moves)


def to_all(kind: str, **facts: Any) -> Told:
    """Return an event of the match (not of the game) that everybody is told."""
    return Told(ALL, {"type": kind, **facts})
