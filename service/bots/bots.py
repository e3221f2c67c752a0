"""`Bots`: the only reader and writer of accounts.

All keys of a bot carry its own hash tag:

    {bot:tortoise}               hash        the account, see `account.py`; `removed` instead of it once it is gone
    {bot:tortoise}:matches       sorted set  match id -> since when it counts as going, in ms
    {bot:tortoise}:invitations   sorted set  match id -> until when, in ms
    {bot:tortoise}:...           see `inbox.py`, `hooks.py`

Beside them, which names to look at for a list of all; the account says whether there is such a bot:

    {bots}:names                 sorted set  name, all with score 0, so in order of their text
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.bots import errors
from service.bots.account import (
    KEY_PREFIX,
    OLD_SECRET_MS,
    Bot,
    Webhook,
    check_address,
    check_bot_name,
    hash_key,
    is_bot_name,
    name_of,
    new_key,
    new_secret,
    webhook_fields,
)
from service.matches.clock import Clock
from service.matches.errors import BadToken
from service.matches.requests import Request
from service.matches.store import NEWS, reaching
from service.matches.watch import BESIDE
from service.scripts import Scripts
from service.settings import Settings

#: What is kept beside an account.
PARTS = ("events", "told", "matches", "invitations", "hooks", "tries", "posting")
#: The most games a bot says it plays.
GAMES_MAX = 64
NAMES = "{bots}:names"
#: How often the accounts are asked for one page of a list that hardly any bot fits.
ROUNDS = 8
#: In place of an argument: leave it as it is.
SAME: Any = object()


def bot_key(name: str, part: str = "") -> str:
    """Return the Redis key of a bot, or of something kept beside it in the same slot."""
    return f"{{bot:{name}}}" + (f":{part}" if part else "")


def channel(name: str) -> str:
    """Return under which name a bot's news are announced and watched; no match id has a dot."""
    return f"bot.{name}"


def news(name: str) -> str:
    """Return what is announced when something about a bot has changed."""
    return f"{channel(name)} {BESIDE.decode()}"


class Bots:
    """The bots in one Redis.

    Args:
        client: from `service.matches.connect`; its answers are bytes.
        settings: for limits, and which webhooks are allowed.
        clock: the time.
    """

    def __init__(self, client: Any, settings: Settings | None = None, clock: Clock | None = None) -> None:
        self.client = client
        script = Scripts(client, __file__)
        self._register, self._change, self._reserve = script("register"), script("change"), script("reserve")
        self.settings = settings or Settings()
        self.clock = clock or Clock()

    # Accounts

    def register(
        self,
        name: str,
        games: Sequence[str],
        *,
        webhook: str | None = None,
        matches_max: int | None = None,
        request: Request | None = None,
    ) -> tuple[Bot, str]:
        """Make a bot; return it and its key, which is told this once.

        Args:
            name: 3 to 32 small letters, digits and hyphens; never used before.
            games: what it plays, by names that exist.
            webhook: where its events are sent.
            matches_max: how many matches at a time; None: as many as the settings allow.
            request: answered the same when it is sent again.

        Raises:
            BadBot, BadWebhook, BotNameTaken, BadRequestKey, StoreUnavailable
        """
        check_bot_name(name)
        if request is not None:
            request.guard_anonymous()
        salt = secrets.token_hex(16).encode()
        key = self._key(name, salt, request)
        bot = Bot(
            name=name,
            games=_check_games(games),
            created=self.clock.now(),
            key_hash=hash_key(key),
            matches_max=self._check_max(matches_max),
            webhook=None if webhook is None else self._new_webhook(webhook),
        )
        made = secrets.token_hex(8) if request is None else request.field("bot") + request.digest
        with reaching():
            self.client.zadd(NAMES, {name: 0})  # first: so no bot is ever missing there
            stored_salt = self._register(keys=[bot_key(name)], args=[made, "salt", salt, *_flat(bot.to_hash())])
        stored = self._find(name) if stored_salt is not None else None
        key = key if stored_salt == salt else self._key(name, stored_salt or b"", request)
        if stored is None or stored.key_hash != hash_key(key):
            raise errors.BotNameTaken(f"there is or was a bot {name!r}; choose another name")
        return stored, key

    def get(self, name: str) -> Bot:
        """Return a bot by its name.

        Raises:
            BotNotFound: also for one that was removed.
            StoreUnavailable
        """
        bot = self._find(name) if is_bot_name(name) else None
        if bot is None:
            raise errors.BotNotFound(f"there is no bot {name!r}")
        return bot

    def find(self, game: str | None = None, after: str | None = None, limit: int = 20) -> tuple[list[Bot], str | None]:
        """Return bots in the order of their names, and where to go on; None: that was all.

        Args:
            game: only those that play it.
            after: the last name known.
            limit: the most to return; fewer come when hardly any bot fits.

        Raises:
            StoreUnavailable
        """
        found: list[Bot] = []
        for _ in range(ROUNDS):
            names = self._names(after, limit)
            for bot in self._every(names):
                if game is None or game in bot.games:
                    found.append(bot)
                    if len(found) == limit:
                        return found, bot.name
            if len(names) < limit:
                return found, None
            after = names[-1]
        return found, after

    def by_key(self, key: str) -> Bot:
        """Return the bot whose key it is; the time it takes does not depend on the key's secret.

        Raises:
            BadToken: nobody's (any more).
            StoreUnavailable
        """
        name = name_of(key)
        return self.owner({} if name is None else self._account(name), key)

    def owner(self, account: Mapping[bytes, bytes], key: str) -> Bot:
        """Return the bot of an account, as it is stored, that a key names, if the key is the bot's: see `by_key`.

        Raises:
            BadToken: it is not (any more).
        """
        bot = stored_bot(name_of(key) or "", account)
        if bot is None or not hmac.compare_digest(bot.key_hash, hash_key(key)):
            raise BadToken("this is the key of no bot")
        return bot

    def update(self, bot: Bot, *, games: Sequence[str] = SAME, webhook: str | None = SAME, matches_max: int = SAME) -> Bot:
        """Change what a bot says of itself; what is left out stays. A webhook's secret is a new one if its address is.

        Raises:
            BadBot, BadWebhook
            BadToken: it has another key by now, or is gone.
            StoreUnavailable
        """
        fields: dict[str, Any] = {}
        changed = bot
        if games is not SAME:
            changed = replace(changed, games=_check_games(games))
            fields["games"] = changed.to_hash()["games"]
        if matches_max is not SAME:
            changed = replace(changed, matches_max=self._check_max(matches_max))
            fields["max"] = changed.matches_max
        if webhook is not SAME:
            changed = replace(changed, webhook=self._changed_webhook(bot, webhook))
            fields |= webhook_fields(changed.webhook)
        if fields:
            self._set(bot, bot.key_hash, fields)
        return changed

    def rotate(self, bot: Bot) -> tuple[Bot, str]:
        """Give a bot a new key, and return both; the old one is dead at once, and streams that it opened end.

        Raises:
            BadToken: it has another key by now, or is gone.
            StoreUnavailable
        """
        key = new_key(bot.name)
        self._set(bot, hash_key(key), {})
        self.announce(bot.name)
        return replace(bot, key_hash=hash_key(key)), key

    def rotate_secret(self, bot: Bot) -> Bot:
        """Give a bot's webhook a new secret; for a day, what is sent is signed with the old one as well.

        Raises:
            WebhookMissing
            BadToken: it has another key by now, or is gone.
            StoreUnavailable
        """
        old = bot.webhook
        if old is None:
            raise errors.WebhookMissing("this bot has no webhook")
        hook = replace(old, secret=new_secret(), old_secret=old.secret, old_until=self.clock.now() + OLD_SECRET_MS)
        self._set(bot, bot.key_hash, webhook_fields(hook))
        return replace(bot, webhook=hook)

    def remove(self, bot: Bot) -> None:
        """Remove a bot. Its name stays taken; its seats are not given up here.

        Raises:
            BadToken: it has another key by now, or is gone.
            StoreUnavailable
        """
        self._set(bot, bot.key_hash, {"removed": self.clock.now(), **webhook_fields(None)})
        with reaching():
            self.client.delete(*(bot_key(bot.name, part) for part in PARTS))
            self.client.zrem(NAMES, bot.name)
        self.announce(bot.name)

    def note(self, name: str, webhook: Webhook) -> None:
        """Write down how a bot's webhook is doing, if the bot is still there; its address and secrets stay as they are."""
        fields = webhook_fields(webhook)
        kept = {field: fields[field] for field in ("failures", "trouble", "disabled", "quiet_until")}
        with reaching():
            self._change(keys=[bot_key(name)], args=["", "", *_flat(kept)])

    def announce(self, name: str) -> None:
        """Have everybody who follows a bot look again."""
        with reaching():
            self.client.publish(NEWS, news(name))

    # Matches at a time

    def going(self, name: str) -> list[tuple[str, int]]:
        """Return the matches that count as a bot's, and since when each does, in ms."""
        with reaching():
            found = self.client.zrange(bot_key(name, "matches"), 0, -1, withscores=True)
        return [(match_id.decode(), int(since)) for match_id, since in found]

    def count(self, name: str) -> tuple[int, int]:
        """Return how many matches a bot has going, and how many invitations that have not expired."""
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            pipe.zcard(bot_key(name, "matches"))
            pipe.zcount(bot_key(name, "invitations"), self.clock.now(), "+inf")
            going, invitations = pipe.execute()
        return int(going), int(invitations)

    def counts(self, names: Sequence[str]) -> list[int]:
        """Return how many matches each of some bots has going."""
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.zcard(bot_key(name, "matches"))
            return [int(count) for count in pipe.execute()]

    def reserve(self, name: str, match_id: str, most: int | None) -> bool:
        """Count a match among those a bot has going; False if it has `most` (None: any number) already."""
        with reaching():
            args = [match_id, self.clock.now(), "" if most is None else most]
            return bool(self._reserve(keys=[bot_key(name, "matches")], args=args))

    def release(self, name: str, match_ids: Sequence[str]) -> None:
        """Count matches no more."""
        if match_ids:
            with reaching():
                self.client.zrem(bot_key(name, "matches"), *match_ids)

    def invited_to(self, name: str) -> list[str]:
        """Return the matches a bot may be invited to, by when the invitation ends; the match itself says whether it is."""
        with reaching():
            self.client.zremrangebyscore(bot_key(name, "invitations"), "-inf", f"({self.clock.now()}")
            return [match_id.decode() for match_id in self.client.zrange(bot_key(name, "invitations"), 0, -1)]

    # Helpers

    def _find(self, name: str) -> Bot | None:
        return stored_bot(name, self._account(name))

    def _names(self, after: str | None, limit: int) -> list[str]:
        with reaching():
            start = "-" if after is None else f"({after}"
            found = self.client.zrange(NAMES, start, "+", bylex=True, offset=0, num=limit)
        return [name.decode() for name in found]

    def _every(self, names: Sequence[str]) -> list[Bot]:
        """Return those of some bots that there are."""
        with reaching(), self.client.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hgetall(bot_key(name))
            accounts = pipe.execute()
        bots = [stored_bot(name, account) for name, account in zip(names, accounts, strict=True)]
        return [bot for bot in bots if bot is not None]

    def _account(self, name: str) -> Mapping[bytes, bytes]:
        with reaching():
            found: Mapping[bytes, bytes] = self.client.hgetall(bot_key(name))
        return found

    def _set(self, bot: Bot, key_hash: str, fields: dict[str, Any]) -> None:
        with reaching():
            done = self._change(keys=[bot_key(bot.name)], args=[bot.key_hash, key_hash, *_flat(fields)])
        if not done:
            raise BadToken("this is the key of no bot any more")

    def _key(self, name: str, salt: bytes, request: Request | None) -> str:
        """Return a new bot's key; of a request that is sent again, the same, which takes its key and our salt to compute."""
        return new_key(name) if request is None else f"{KEY_PREFIX}{name}.{request.token(salt, name, 0)}"

    def _check_max(self, matches_max: int | None) -> int:
        most = self.settings.bot_matches_max
        if matches_max is None:
            return most
        if not 0 <= matches_max <= most:
            raise errors.BadBot(f"matches_max: must be from 0 to {most}", field="matches_max")
        return matches_max

    def _new_webhook(self, address: str) -> Webhook:
        return Webhook(check_address(address, private=self.settings.webhook_private), new_secret())

    def _changed_webhook(self, bot: Bot, address: str | None) -> Webhook | None:
        """Return the webhook with an address: the same secret for the same one, and nothing held against it any more."""
        if address is None:
            return None
        fresh = self._new_webhook(address)
        return fresh if bot.webhook is None or bot.webhook.address != address else replace(fresh, secret=bot.webhook.secret)


def stored_bot(name: str, account: Mapping[bytes, bytes]) -> Bot | None:
    """Return the bot whose account is stored so; None if there is none (any more)."""
    return Bot.from_hash(name, account) if account and b"removed" not in account else None


def _check_games(games: Sequence[str]) -> tuple[str, ...]:
    if not 0 < len(games) <= GAMES_MAX or len(set(games)) < len(games):
        raise errors.BadBot(f"games: 1 to {GAMES_MAX} of them, each once", field="games")
    return tuple(games)


def _flat(fields: dict[str, Any]) -> list[Any]:
    return [part for pair in fields.items() for part in pair]
