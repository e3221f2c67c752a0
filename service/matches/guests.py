"""What a table asks and tells about bots. Who they are is known above this package: `service.bots` stands behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from service.matches.notices import Notice


class Guests(Protocol):
    """The bots, as far as matches know of them."""

    def bot_of(self, key: str) -> str | None:
        """Return the name of the bot whose key it is; None for what is no bot's key at all, such as a seat's token.

        Raises:
            BadToken: it looks like one, and is nobody's.
            StoreUnavailable
        """

    def account(self, key: str) -> str | None:
        """Return under which Redis key the account is a hash whose bot's key this may be; None for what cannot be one."""

    def bot_in(self, account: Mapping[bytes, bytes], key: str) -> str:
        """Return the name of the bot whose key it is, by what is stored at `account(key)`.

        Raises:
            BadToken: nobody's.
        """

    def check(self, bot: str, game: str, *, invited: bool) -> None:
        """Make sure that a bot can have a seat in a new match.

        Args:
            bot: its name.
            game: the game.
            invited: it is to be asked, so it must not have as much as it takes at a time already.

        Raises:
            UnknownBot, BotDoesNotPlay, BotBusy, StoreUnavailable
        """

    def come(self, bot: str, match_id: str, game: str) -> None:
        """Count a match among those the bot has going, before it sits down there.

        Raises:
            UnknownBot, BotDoesNotPlay
            BotBusy: it has as many as it takes.
            StoreUnavailable
        """

    def stay_away(self, bot: str, match_id: str) -> None:
        """Count a match no more: the bot did not come to sit there."""

    def tell(self, notices: Sequence[Notice]) -> None:
        """Hand on what a commit means for bots; a failure is only logged, for the outbox still has it."""
