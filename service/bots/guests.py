"""`BotGuests`: what matches ask and tell about bots (see `service.matches.guests`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from service.bots.account import KEY_PREFIX, Bot, name_of
from service.bots.bots import Bots, bot_key
from service.bots.errors import BotNotFound
from service.bots.inbox import Inbox
from service.matches import Matches, Notice
from service.matches.errors import BotBusy, BotDoesNotPlay, MatchError, StoreUnavailable, UnknownBot
from service.matches.seats import bot_opener, seat_opened_by

log = logging.getLogger(__name__)

#: A match that counts as going is believed for so long before its bot must be found in it.
GRACE_MS = 60_000
#: Invitations that wait for one bot at a time.
INVITATIONS_MAX = 100


class BotGuests:
    """The bots as matches know them.

    Args:
        matches: the table.
        bots: the accounts.
        post: bot -> None: asks a worker to send what waits for its webhook; may fail. None: only the sweeper does.
    """

    def __init__(self, matches: Matches, bots: Bots, post: Callable[[str], None] | None = None) -> None:
        self.matches = matches
        self.bots = bots
        self.inbox = Inbox(bots)
        self.post = post

    def bot_of(self, key: str) -> str | None:
        """See `Guests.bot_of`."""
        return self.bots.by_key(key).name if key.startswith(KEY_PREFIX) else None

    def account(self, key: str) -> str | None:
        """See `Guests.account`."""
        name = name_of(key)
        return None if name is None else bot_key(name)

    def bot_in(self, account: Mapping[bytes, bytes], key: str) -> str:
        """See `Guests.bot_in`."""
        return self.bots.owner(account, key).name

    def check(self, bot: str, game: str, *, invited: bool) -> None:
        """See `Guests.check`."""
        found = self._playing(bot, game)
        if not invited:
            return
        if self._free_matches(found) <= 0:
            raise _busy(found)
        if self.bots.count(bot)[1] >= INVITATIONS_MAX:
            detail = f"the bot {bot!r} has {INVITATIONS_MAX} invitations that it has not answered; try again later"
            raise BotBusy(detail, bot=bot, limit=INVITATIONS_MAX)

    def come(self, bot: str, match_id: str, game: str) -> None:
        """See `Guests.come`."""
        found = self._playing(bot, game)
        if not self.bots.reserve(bot, match_id, found.matches_max):
            self._forget_ended(found)
            if not self.bots.reserve(bot, match_id, found.matches_max):
                raise _busy(found)

    def stay_away(self, bot: str, match_id: str) -> None:
        """See `Guests.stay_away`; another request of the same bot may have got there, though."""
        with suppress(MatchError):
            if not self._sits(bot, match_id):
                self.bots.release(bot, [match_id])

    def tell(self, notices: Sequence[Notice]) -> None:
        """See `Guests.tell`."""
        try:
            self.hand_on(notices)
        except StoreUnavailable as error:
            log.warning("bots are told later: %s", error)

    def hand_on(self, notices: Sequence[Notice]) -> None:
        """Put notices of one match into their bots' logs, and take them out of the outbox.

        Raises:
            StoreUnavailable
        """
        waiting = self.inbox.take(notices)
        if self.inbox.apart:
            self.matches.store.handed_on(notices)
        if self.post is not None:
            for bot in waiting:
                self.post(bot)

    # Helpers

    def _playing(self, name: str, game: str) -> Bot:
        try:
            bot = self.bots.get(name)
        except BotNotFound as error:
            raise UnknownBot(f"there is no bot {name!r}", bot=name) from error
        if game not in bot.games:
            raise BotDoesNotPlay(f"the bot {name!r} does not play this game", bot=name, games=list(bot.games))
        return bot

    def _free_matches(self, bot: Bot) -> int:
        free = bot.matches_max - self.bots.count(bot.name)[0]
        if free <= 0:
            self._forget_ended(bot)
            free = bot.matches_max - self.bots.count(bot.name)[0]
        return free

    def _forget_ended(self, bot: Bot) -> None:
        """Count those matches no more in which the bot does not sit: a process died between counting and sitting down."""
        until = self.bots.clock.now() - GRACE_MS
        old = [match_id for match_id, since in self.bots.going(bot.name) if since < until]
        there = {match.id: match for match in self.matches.store.load_all(old)}
        opener = bot_opener(bot.name)
        kept = {
            match_id
            for match_id, match in there.items()
            if match.status in ("open", "running") and seat_opened_by(match, opener) is not None
        }
        self.bots.release(bot.name, [match_id for match_id in old if match_id not in kept])

    def _sits(self, bot: str, match_id: str) -> bool:
        match = self.matches.get(match_id)
        seat = seat_opened_by(match, bot_opener(bot))
        return seat is not None and match.seats[seat].kind == "bot"


def _busy(bot: Bot) -> BotBusy:
    return BotBusy(
        f"the bot {bot.name!r} has {bot.matches_max} matches going, as many as it takes", bot=bot.name, limit=bot.matches_max
    )


def attach(matches: Matches, post: Callable[[str], None] | None = None) -> Bots:
    """Bring the bots to a table that was made without them; return their accounts.

    Args:
        matches: the table.
        post: see `BotGuests`.
    """
    bots = Bots(matches.store.client, matches.settings, matches.clock)
    matches.guests = BotGuests(matches, bots, post)
    return bots
