"""Bots: programs with an account, which are invited to matches, play them with one key, and are told when it is their turn.

No Flask in here, no HTTP numbers, and no game by name. `Bots` is the only reader and writer of accounts; what happens to a
bot in a match comes from the match's own commit (`service.matches.notices`) and reaches the bot's log at least once.
"""

from service.bots.account import Bot, Webhook, is_bot_name
from service.bots.bots import SAME, Bots
from service.bots.guests import BotGuests, attach

__all__ = ["SAME", "Bot", "BotGuests", "Bots", "Webhook", "attach", "is_bot_name"]
