"""What can go wrong with bots."""

from __future__ import annotations

from service.matches.errors import MatchError


class BotNotFound(MatchError):
    """There is no bot of this name, or it was removed."""

    code = "bot_not_found"


class BotNameTaken(MatchError):
    """There is or was a bot of this name."""

    code = "bot_name_taken"


class BadBot(MatchError):
    """Something a bot cannot have: name, games, limit. Extra: `field`."""

    code = "bad_bot"


class BadWebhook(MatchError):
    """An address that no webhook is sent to."""

    code = "bad_webhook"


class WebhookMissing(MatchError):
    """The bot has no webhook."""

    code = "webhook_missing"


class BotKeyNeeded(MatchError):
    """Something only a bot may do, asked without a bot's key."""

    code = "bot_key_needed"
