"""Notices: what a commit means for the bots at the table.

They are found while the next version is made and written into the bucket's outbox by the very commit that makes them true:

    {b17}:outbox   sorted set  <match id>:<version>:<seat>:<kind>:<bot> -> when, in ms

Whoever has committed hands them on to the bots' logs and takes them out; what a process leaves behind that dies in between
is handed on by the sweeper. A log takes each notice once, by its id.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from service.matches.match import Match, Seat

#: invited: a seat is kept for the bot; uninvited: not any more; seated: it sits there; turn: it must decide; left: it does not
#: sit there any more; ended: the match is over or given up.
Event: TypeAlias = Literal["invited", "uninvited", "seated", "turn", "left", "ended"]
EVENTS: tuple[Event, ...] = ("invited", "uninvited", "seated", "turn", "left", "ended")


@dataclass(frozen=True)
class Notice:
    """What a bot is to be told.

    Attributes:
        match_id, version, seat: what it is about.
        event: what happened.
        bot: who is told.
        until: of an invitation: until when, in ms; 0: as long as the match is open.
    """

    match_id: str
    version: int
    seat: int
    event: Event
    bot: str
    until: int = 0

    @property
    def id(self) -> str:
        """The same for the same happening, however often it is told."""
        return f"{self.match_id}-{self.version}-{self.seat}-{self.event}"

    def order(self) -> tuple[int, int, int]:
        """Return its place among the notices of one match."""
        return self.version, self.seat, EVENTS.index(self.event)

    def to_member(self) -> str:
        """Return the notice as it stands in the outbox."""
        return f"{self.match_id}:{self.version}:{self.seat}:{self.event}:{self.bot}:{self.until}"

    @classmethod
    def from_member(cls, member: str) -> Notice:
        """Return the notice that `to_member` wrote."""
        match_id, version, seat, event, bot, until = member.split(":")
        return cls(match_id, int(version), int(seat), cast(Event, event), bot, int(until))


def notices(before: Sequence[Seat], after: Match, awaited: Collection[int], *, ended: bool) -> list[Notice]:
    """Return what the bots are told of a new version.

    Args:
        before: the seats at the version before; none of a new match.
        after: the match at the new version.
        awaited: the seats that must decide now.
        ended: whether this version ended it.
    """
    found: list[Notice] = []
    for number, seat in enumerate(after.seats):
        old = before[number] if before else Seat("open")
        if old.bot is not None and old.bot != seat.bot:
            found.append(_notice(after, number, old, "left" if old.kind == "bot" else "uninvited"))
        if seat.bot is None:
            continue
        if (old.bot, old.kind) != (seat.bot, seat.kind):
            found.append(_notice(after, number, seat, "seated" if seat.kind == "bot" else "invited"))
        if number in awaited and seat.ai_level is None and after.turns[number].since == after.version:
            found.append(_notice(after, number, seat, "turn"))
        if ended:
            found.append(_notice(after, number, seat, "ended" if seat.kind == "bot" else "uninvited"))
    return found


def _notice(match: Match, number: int, seat: Seat, event: Event) -> Notice:
    assert seat.bot is not None
    return Notice(match.id, match.version, number, event, seat.bot, seat.kept_until or 0)
