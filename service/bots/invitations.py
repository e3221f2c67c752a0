"""`Invitations`: what a bot answers to being invited, and how it leaves for good."""

from __future__ import annotations

from contextlib import suppress

from service.bots.account import Bot
from service.bots.guests import BotGuests
from service.matches import Match, MatchError
from service.matches.errors import BadToken, InvitationNotFound
from service.matches.results import Created
from service.matches.seats import STAND_IN_LEVEL, bot_opener, seat_opened_by


class Invitations:
    """The invitations of all bots.

    Args:
        guests: the bots at the table.
    """

    def __init__(self, guests: BotGuests) -> None:
        self._bots = guests.bots
        self._matches = guests.matches

    def waiting(self, bot: Bot) -> list[tuple[Match, int]]:
        """Return the matches a bot is invited to, and the seat that is kept for it in each.

        Raises:
            StoreUnavailable
        """
        matches = self._matches.store.load_all(self._bots.invited_to(bot.name))
        seats = [(match, seat_opened_by(match, bot_opener(bot.name))) for match in matches]
        return [(match, seat) for match, seat in seats if seat is not None and self._kept(match, seat)]

    def accept(self, bot: Bot, match_id: str) -> Created:
        """Let a bot sit down in the seat that is kept for it; the same again if it sits there already.

        Raises:
            MatchNotFound
            InvitationNotFound: none is kept, or not any more.
            BotBusy, StoreUnavailable
        """
        match, seat = self._find(bot, match_id)
        if match.seats[seat].kind == "bot":
            return Created(match, seat, repeated=True)
        try:
            return self._matches.accept(match, seat)
        except BadToken as error:
            raise _not_invited() from error

    def decline(self, bot: Bot, match_id: str) -> None:
        """Give a seat back that is kept for a bot; it is open to everybody then.

        Raises:
            MatchNotFound
            InvitationNotFound: none is kept, or not any more.
            StoreUnavailable
        """
        match, seat = self._find(bot, match_id)
        if match.seats[seat].kind == "bot":
            raise InvitationNotFound("this bot has accepted already; leave with DELETE /v1/matches/{match_id}/seats/{seat}")
        self._matches.lobby.decline(match, seat, "declined")

    def retire(self, bot: Bot) -> None:
        """Remove a bot for good: invitations are declined, AIs play on in its seats, its key is dead.

        Raises:
            BadToken: it has another key by now, or is gone.
            StoreUnavailable
        """
        names = [*self._bots.invited_to(bot.name), *(match_id for match_id, _ in self._bots.going(bot.name))]
        self._bots.remove(bot)
        for match in self._matches.store.load_all(names):
            seat = seat_opened_by(match, bot_opener(bot.name))
            if seat is not None:
                with suppress(MatchError):  # it ended just now
                    self._matches.lobby.leave(match, seat, STAND_IN_LEVEL)

    def _find(self, bot: Bot, match_id: str) -> tuple[Match, int]:
        match = self._matches.get(match_id)
        seat = seat_opened_by(match, bot_opener(bot.name))
        if seat is None or not (match.seats[seat].kind == "bot" or self._kept(match, seat)):
            raise _not_invited()
        return match, seat

    def _kept(self, match: Match, seat: int) -> bool:
        until = match.seats[seat].kept_until
        return (
            match.status == "open" and match.seats[seat].kind == "open" and (until is None or until > self._matches.clock.now())
        )


def _not_invited() -> InvitationNotFound:
    return InvitationNotFound("this bot is not invited to this match, or not any more")
