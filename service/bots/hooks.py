"""`Hooks`: what waits to be sent to bots' webhooks, when it is tried again, and when no more.

    {bot:tortoise}:hooks     sorted set   number of an entry of its log -> when it is to be sent, in ms
    {bot:tortoise}:tries     hash         number -> how often its sending was begun
    {bot:tortoise}:posting   string       somebody sends, until it expires
    {bots}:post              sorted set   bot -> when somebody must look at its webhook, in ms

A sending is counted as failed when it is begun, and made good once it has come off: so a process that dies in the middle, or is
kept waiting for ever, has failed too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from service.bots.account import Bot, Webhook
from service.bots.bots import bot_key
from service.bots.errors import BotNotFound
from service.bots.inbox import POST, Inbox, Told
from service.matches.store import reaching

#: How long after a sending was begun it is begun again, each time; after the last the event is sent no more.
SCHEDULE_S = (5, 30, 2 * 60, 10 * 60, 30 * 60, 60 * 60, 2 * 60 * 60)
#: After failures, whatever they were about, nothing is sent for so long: twice as long each time.
QUIET_S, QUIET_MAX_S = 5, 5 * 60
#: What is said of a sending of which nobody knows how it ended.
NO_ANSWER = "no answer came in time"


class Hooks:
    """The webhooks of all bots.

    Args:
        inbox: the bots' logs.
    """

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.bots = inbox.bots

    # Whose turn it is

    def due(self, limit: int = 100) -> list[str]:
        """Return bots whose webhooks somebody should look at by now."""
        with reaching():
            found = self.bots.client.zrange(POST, "-inf", self.bots.clock.now(), byscore=True, offset=0, num=limit)
        return [name.decode() for name in found]

    def postpone(self, name: str, milliseconds: int) -> None:
        """Have somebody look at a bot's webhook again after some time, whatever happens to who looks at it now."""
        with reaching():
            self.bots.client.zadd(POST, {name: self.bots.clock.now() + milliseconds}, xx=True)

    def take(self, name: str, milliseconds: int) -> bool:
        """Take a bot's webhook for oneself for some time; False if somebody has it."""
        with reaching():
            taken = self.bots.client.set(bot_key(name, "posting"), b"1", nx=True, px=milliseconds)
        if taken:
            self.postpone(name, milliseconds)
        return bool(taken)

    def leave(self, name: str) -> None:
        """Give a bot's webhook back, and have somebody look at it when there is something to send."""
        bot = self._find(name)
        with reaching(), self.bots.client.pipeline(transaction=False) as pipe:
            pipe.delete(bot_key(name, "posting"))
            pipe.zrem(POST, name)
            pipe.zrange(bot_key(name, "hooks"), 0, 0, withscores=True)  # after taking it out: so nothing new is missed
            first = pipe.execute()[2]
        if first and bot is not None and bot.webhook is not None:
            moment = max(int(first[0][1]), bot.webhook.quiet_until)
            with reaching():
                self.bots.client.zadd(POST, {name: moment}, lt=True)

    # Sending

    def next(self, name: str) -> tuple[Bot, Webhook, Told] | None:
        """Return what is to be sent to a bot's webhook by now; None: nothing."""
        bot = self._find(name)
        hook = None if bot is None else bot.webhook
        if bot is None or hook is None or hook.disabled is not None:
            self._drop_all(name)
            return None
        now = self.bots.clock.now()
        while now >= hook.quiet_until:
            with reaching():
                numbers = self.bots.client.zrange(bot_key(name, "hooks"), "-inf", now, byscore=True, offset=0, num=1)
            if not numbers:
                return None
            found = self.inbox.pick(name, [int(numbers[0])])
            if found:
                return bot, hook, found[0]
            self._drop(name, int(numbers[0]))  # the log does not have it any more
        return None

    def begin(self, name: str, hook: Webhook, number: int) -> Webhook | None:
        """Write down that a sending is begun, which has failed until it is said to have come off; None: none is allowed."""
        if hook.failures >= self.bots.settings.webhook_failures_max:
            self.disable(name, hook, hook.trouble or NO_ANSWER)
            return None
        now, failures = self.bots.clock.now(), hook.failures + 1
        with reaching():
            tries = int(self.bots.client.hget(bot_key(name, "tries"), str(number)) or 0)
        if tries >= len(SCHEDULE_S):
            self._drop(name, number)
        else:
            with reaching(), self.bots.client.pipeline() as pipe:
                pipe.zadd(bot_key(name, "hooks"), {str(number): now + SCHEDULE_S[tries] * 1000}, xx=True)
                pipe.hset(bot_key(name, "tries"), str(number), tries + 1)
                pipe.execute()
        quiet_s = min(QUIET_S * 2 ** (failures - 1), QUIET_MAX_S)
        begun = replace(hook, failures=failures, trouble=NO_ANSWER, quiet_until=now + quiet_s * 1000)
        self.bots.note(name, begun)
        return begun

    def sent(self, name: str, begun: Webhook, number: int) -> None:
        """Write down that a sending has come off."""
        self._drop(name, number)
        self.bots.note(name, replace(begun, failures=0, trouble="", quiet_until=0))

    def failed(self, name: str, begun: Webhook, trouble: str, *, gone: bool = False) -> None:
        """Write down why a sending failed; after the last that is allowed, or if the address is gone, nothing more is sent."""
        if gone or begun.failures >= self.bots.settings.webhook_failures_max:
            self.disable(name, begun, trouble)
        else:
            self.bots.note(name, replace(begun, trouble=trouble))

    def disable(self, name: str, hook: Webhook, trouble: str) -> None:
        """Send nothing more to a webhook until its bot sets it again."""
        self.bots.note(name, replace(hook, trouble=trouble, disabled=self.bots.clock.now()))
        self._drop_all(name)

    # Helpers

    def _find(self, name: str) -> Bot | None:
        try:
            return self.bots.get(name)
        except BotNotFound:
            return None

    def _drop(self, name: str, number: int) -> None:
        with reaching(), self.bots.client.pipeline() as pipe:
            pipe.zrem(bot_key(name, "hooks"), str(number))
            pipe.hdel(bot_key(name, "tries"), str(number))
            pipe.execute()

    def _drop_all(self, name: str) -> None:
        with reaching():
            self.bots.client.delete(bot_key(name, "hooks"), bot_key(name, "tries"))

    def waiting(self, name: str) -> Sequence[int]:
        """Return the numbers of the entries that wait to be sent."""
        with reaching():
            return [int(number) for number in self.bots.client.zrange(bot_key(name, "hooks"), 0, -1)]
