"""`Feed`: what a bot is told, over all its matches: its log, with each match as the bot's seat may see it when it is read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from service.bots.account import Bot
from service.bots.bots import channel
from service.bots.guests import BotGuests
from service.bots.inbox import Told
from service.matches import Match, Notice
from service.matches.clock import timestamp
from service.matches.errors import MatchOutdated, StoreUnavailable
from service.matches.match import Json
from service.matches.seats import bot_opener, seat_opened_by

#: Entries read at once.
PAGE = 100


class Feed:
    """The logs of bots as they read them.

    Args:
        guests: the bots at the table.
    """

    def __init__(self, guests: BotGuests) -> None:
        self.bots = guests.bots
        self._inbox = guests.inbox
        self._matches = guests.matches

    def read(self, bot: Bot, after: int, limit: int) -> list[Json]:
        """Return the entries after a place in a bot's log, oldest first.

        Each is `{"number", "id", "at", "type", "match", "game", "version", "seat", "until", "position"}`. The position is the
        match as the bot's seat sees it now, where that still helps: it is invited, must decide, or it is over; else None.

        Raises:
            StoreUnavailable
        """
        return self.show(self._inbox.read(bot.name, after, limit))

    def missed(self, bot: Bot, after: int) -> bool:
        """Return whether entries after a place are not kept any more, or the place is of another log."""
        if after >= bot.number:
            return after > bot.number
        first = self._inbox.read(bot.name, 0, 1)
        return not first or first[0].number > after + 1

    def standing(self, bot: Bot) -> Json:
        """Return how things stand for a bot: all it is invited to, and all it must decide, as entries without numbers."""
        opener = bot_opener(bot.name)
        names = {*self.bots.invited_to(bot.name), *(match_id for match_id, _ in self.bots.going(bot.name))}
        entries: list[Json] = []
        for match in self._matches.store.load_all(sorted(names)):
            seat = seat_opened_by(match, opener)
            if seat is not None:
                entries += self._present(match, seat, bot.name)
        return {
            "number": bot.number,
            "invited": [entry for entry in entries if entry["type"] == "invited"],
            "turns": [entry for entry in entries if entry["type"] == "turn"],
        }

    def wait(self, bot: Bot, after: int, seconds: float) -> Bot:
        """Return a bot once there is something after a place in its log, or as it is after some time.

        Raises:
            BotNotFound: it was removed meanwhile.
            StoreUnavailable
        """
        end = time.monotonic() + seconds
        with self._matches.woken(channel(bot.name)) as sleep:
            while True:
                bot = self.bots.get(bot.name)
                left = end - time.monotonic()
                if bot.number > after or left <= 0 or not sleep(left):
                    return bot

    def follow(self, bot: Bot, after: int) -> Iterator[Json | None]:
        """Yield a bot's entries after a place as they come; None as a sign of life whenever nothing came for a while.

        Ends when the matches are closed, or the bot has another key.
        """
        keepalive_s = self._matches.settings.stream_keepalive_s
        with self._matches.woken(channel(bot.name)) as sleep:
            while True:
                entries: list[Json] = []
                with suppress(StoreUnavailable):  # the stream goes on when the store is back
                    now, told = self._inbox.read_with(bot.name, after, PAGE)
                    if now is None or now.key_hash != bot.key_hash:
                        return
                    entries = self.show(told)
                for entry in entries:
                    yield entry
                    after = entry["number"]
                if len(entries) == PAGE:
                    continue
                started = time.monotonic()
                if not sleep(keepalive_s):
                    return
                if time.monotonic() - started >= keepalive_s:
                    yield None

    def show(self, entries: Sequence[Told]) -> list[Json]:
        """Return entries of one bot's log as it is shown them.

        Raises:
            StoreUnavailable
        """
        ids = list(dict.fromkeys(told.notice.match_id for told in entries))
        found = {match.id: match for match in self._matches.store.load_all(ids)} if ids else {}
        return [self._shown(told, found.get(told.notice.match_id)) for told in entries]

    # Helpers

    def _shown(self, told: Told, match: Match | None) -> Json:
        facts = _facts(told.notice, match)
        return {"number": told.number, **facts, "at": timestamp(told.at), "position": self._position(told.notice, match)}

    def _present(self, match: Match, seat: int, bot: str) -> list[Json]:
        """Return what a bot must know of a match it sits in or is invited to: that it is its turn, or that it is invited."""
        event: tuple[Notice, ...] = ()
        if match.seats[seat].kind == "open" and match.status == "open":
            event = (Notice(match.id, match.version, seat, "invited", bot),)
        elif match.status == "running":
            event = (Notice(match.id, match.turns[seat].since, seat, "turn", bot),)
        shown = [(notice, self._position(notice, match)) for notice in event]
        return [{**_facts(notice, match), "position": position} for notice, position in shown if position is not None]

    def _position(self, notice: Notice, match: Match | None) -> Json | None:
        if match is None or match.seats[notice.seat].bot != notice.bot:
            return None
        try:
            position = self._matches.position(match, notice.seat)
        except MatchOutdated:
            return None
        return position if _still_so(notice, match, position) else None


def _facts(notice: Notice, match: Match | None) -> Json:
    return {
        "id": notice.id,
        "type": notice.event,
        "match": notice.match_id,
        "game": None if match is None else match.game,
        "version": notice.version,
        "seat": notice.seat,
        "until": timestamp(notice.until or None) if notice.event == "invited" else None,
    }


def _still_so(notice: Notice, match: Match, position: Json) -> bool:
    """Return whether what a notice says is still so, and the bot needs to see the match for it."""
    seat, turn = match.seats[notice.seat], match.turns[notice.seat]
    if notice.event == "invited":
        return seat.kind == "open" and match.status == "open"
    if notice.event == "turn":
        return turn.since == notice.version and notice.seat in position["awaiting"] and seat.ai_level is None
    return notice.event == "ended"
