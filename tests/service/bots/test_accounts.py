"""Accounts: names, keys, limits, and what a request sent twice is answered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from service.bots import Bots, is_bot_name
from service.bots.account import check_address, is_public
from service.bots.errors import BadBot, BadWebhook, BotNameTaken, BotNotFound, WebhookMissing
from service.matches import Request, SetClock
from service.matches.errors import BadRequestKey, BadToken


def test_a_bot_is_found_by_name_and_by_key(bots: Bots) -> None:
    bot, key = bots.register("tortoise", ["toy", "window"])
    assert bots.get("tortoise") == bots.by_key(key) == bot
    assert bot.to_json() == {"name": "tortoise", "games": ["toy", "window"], "created": "2027-01-15T08:00:00.000Z"}


def test_the_key_is_stored_nowhere(bots: Bots, redis: Redis) -> None:
    _, key = bots.register("tortoise", ["toy"], request=Request.of("a key of mine, long", b"{}"))
    stored = redis.hgetall("{bot:tortoise}")
    secret = key.split(".")[2].encode()
    assert not [value for value in stored.values() if secret in value]


@pytest.mark.parametrize("name", ["me", "", "ab", "Tortoise", "a b", "-ab", "ab-", "a.b", "a" * 33, "1ab", "tortoise\n", "ä-b"])
def test_names_that_no_bot_has(bots: Bots, name: str) -> None:
    assert not is_bot_name(name)
    with pytest.raises(BadBot):
        bots.register(name, ["toy"])
    with pytest.raises(BotNotFound):
        bots.get(name)


@pytest.mark.parametrize("games", [[], ["toy", "toy"], [f"game-{n}" for n in range(65)]])
def test_games_that_cannot_be(bots: Bots, games: list[str]) -> None:
    with pytest.raises(BadBot):
        bots.register("tortoise", games)


def test_a_name_is_given_once(bots: Bots) -> None:
    bot, key = bots.register("tortoise", ["toy"])
    with pytest.raises(BotNameTaken):
        bots.register("tortoise", ["toy"])
    bots.remove(bot)
    with pytest.raises(BotNameTaken):
        bots.register("tortoise", ["toy"])
    with pytest.raises(BotNotFound):
        bots.get("tortoise")
    with pytest.raises(BadToken):
        bots.by_key(key)
    with pytest.raises(BadToken):
        bots.update(bot, games=["window"])


def test_a_registration_sent_again_is_answered_the_same(bots: Bots) -> None:
    request = Request.of("a key of mine, long", b"body")
    first = bots.register("tortoise", ["toy"], webhook="https://bot.example/", request=request)
    assert bots.register("tortoise", ["toy"], webhook="https://bot.example/", request=request) == first
    for other in (Request.of("a key of mine, long", b"another"), Request.of("another key of mine", b"body"), None):
        with pytest.raises(BotNameTaken):
            bots.register("tortoise", ["toy"], request=other)
    bots.rotate(first[0])
    with pytest.raises(BotNameTaken):
        bots.register("tortoise", ["toy"], request=request)
    with pytest.raises(BadRequestKey):
        bots.register("hare", ["toy"], request=Request.of("short", b""))


def test_the_old_key_is_dead_at_once(bots: Bots) -> None:
    bot, key = bots.register("tortoise", ["toy"])
    after, fresh = bots.rotate(bot)
    assert bots.by_key(fresh) == after
    with pytest.raises(BadToken):
        bots.by_key(key)
    with pytest.raises(BadToken):
        bots.rotate(bot)
    with pytest.raises(BadToken):
        bots.remove(bot)


@pytest.mark.parametrize(
    "key", ["", "x", "bot.", "bot.tortoise", "bot.tortoise.", "bot.tortoise.x.y", "bot.me.x", "bot.nobody.abc", "é.b.c"]
)
def test_what_is_no_key(bots: Bots, key: str) -> None:
    bots.register("tortoise", ["toy"])
    with pytest.raises(BadToken):
        bots.by_key(key)


def test_what_a_bot_changes_of_itself(bots: Bots) -> None:
    bot, key = bots.register("tortoise", ["toy"])
    assert bots.update(bot) == bot
    changed = bots.update(bot, games=["window"], matches_max=3)
    assert bots.by_key(key) == changed == replace(bot, games=("window",), matches_max=3)
    for most in (-1, 51):
        with pytest.raises(BadBot):
            bots.update(bot, matches_max=most)


def test_a_webhook_keeps_its_secret_while_it_keeps_its_address(bots: Bots, clock: SetClock) -> None:
    bot = bots.register("tortoise", ["toy"], webhook="https://bot.example/a")[0]
    assert bot.webhook is not None
    secret = bot.webhook.secret
    assert secret.startswith("whsec_")
    same = bots.update(bot, webhook="https://bot.example/a").webhook
    other = bots.update(bot, webhook="https://bot.example/b").webhook
    assert same is not None
    assert other is not None
    assert same.secret == secret != other.secret
    turned = bots.rotate_secret(bots.get("tortoise")).webhook
    assert turned is not None
    assert turned.secrets_at(clock.now()) == [turned.secret, other.secret]
    clock.move(24 * 60 * 60)
    assert turned.secrets_at(clock.now()) == [turned.secret]
    gone = bots.update(bots.get("tortoise"), webhook=None)
    assert bots.get("tortoise").webhook is gone.webhook is None
    with pytest.raises(WebhookMissing):
        bots.rotate_secret(gone)


INSIDE = [
    "https://127.0.0.1/",
    "https://localhost/",
    "https://10.1.2.3/",
    "https://192.168.0.1:8443/x",
    "https://172.16.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[ff02::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "http://bot.example/",
]
NONSENSE = [
    "",
    "bot.example",
    "ftp://bot.example/",
    "https://",
    "https:///x",
    "https://a:b@bot.example/",
    "https://bot.example/#x",
    "https://bot.example:0/",
    "https://bot.example:99999/",
    "https://bot example/",
    "https://bücher.example/",
    "https://bot.example\\@127.0.0.1/",
    "https://bot.example/\r\nHost: inside",
    "https://bot.example/" + "x" * 500,
    "javascript:alert(1)",
]


@pytest.mark.parametrize("address", [*INSIDE, *NONSENSE])
def test_addresses_that_no_webhook_has(bots: Bots, address: str) -> None:
    with pytest.raises(BadWebhook):
        bots.register("tortoise", ["toy"], webhook=address)


@pytest.mark.parametrize(
    "address", ["https://bot.example", "https://bot.example:8443/a?b=c", "https://1.1.1.1/", "https://[2606:4700::1]/"]
)
def test_addresses_that_one_may_have(address: str) -> None:
    assert check_address(address, private=False) == address


@pytest.mark.parametrize("address", INSIDE)
def test_inside_where_that_is_allowed(address: str) -> None:
    assert check_address(address, private=True) == address


@pytest.mark.parametrize("address", NONSENSE)
def test_nonsense_is_never_allowed(address: str) -> None:
    with pytest.raises(BadWebhook):
        check_address(address, private=True)


def test_which_addresses_are_public() -> None:
    assert is_public("8.8.8.8")
    assert is_public("2606:4700::1")
    assert not is_public("fe80::1%eth0")
    with pytest.raises(ValueError):
        is_public("bot.example")


def test_so_many_matches_at_a_time(bots: Bots) -> None:
    bots.register("tortoise", ["toy"])
    assert bots.reserve("tortoise", "one", 1)
    assert bots.reserve("tortoise", "one", 1)
    assert not bots.reserve("tortoise", "two", 1)
    assert bots.reserve("tortoise", "two", None)
    bots.release("tortoise", ["one"])
    assert [match_id for match_id, _ in bots.going("tortoise")] == ["two"]
