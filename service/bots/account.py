"""`Bot`: an account as it is stored, its key, and what may be a name, a key, a webhook's address.

A key is `bot.<name>.<secret>`: so whoever is sent one finds the account without an index, and a seat's token, which has no
dot, is never taken for one. Only the key's hash is stored.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.bots.errors import BadBot, BadWebhook
from service.matches.clock import timestamp
from service.matches.match import Json

NAME_PATTERN = "^[a-z][a-z0-9-]{1,30}[a-z0-9]$"
_NAME = re.compile(NAME_PATTERN)
KEY_PREFIX = "bot."
ADDRESS_MAX = 500
#: After a secret was changed, webhooks are signed with the old one as well for so long.
OLD_SECRET_MS = 24 * 60 * 60 * 1000


def is_bot_name(text: str) -> bool:
    """Return whether a text can be a bot's name: 3 to 32 small letters, digits and hyphens, a letter first."""
    return _NAME.fullmatch(text) is not None


def check_bot_name(name: str) -> str:
    """Return a name that a bot can have.

    Raises:
        BadBot
    """
    if not is_bot_name(name):
        raise BadBot("name: 3 to 32 small letters, digits and hyphens, a letter first and no hyphen last", field="name")
    return name


def new_key(name: str) -> str:
    """Return a fresh key (192 random bits)."""
    return f"{KEY_PREFIX}{name}.{secrets.token_urlsafe(24)}"


def name_of(key: str) -> str | None:
    """Return the name in a bot's key; None if it cannot be one."""
    parts = key.split(".")
    return parts[1] if len(parts) == 3 and key.startswith(KEY_PREFIX) and is_bot_name(parts[1]) else None


def hash_key(key: str) -> str:
    """Return the form in which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_secret() -> str:
    """Return a fresh webhook secret in the form of the Standard Webhooks (192 random bits)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode()


def check_address(address: str, *, private: bool) -> str:
    """Return a webhook's address as far as it can be judged without looking the host up.

    Args:
        address: an absolute URL.
        private: whether private addresses, and plain http, are allowed.

    Raises:
        BadWebhook
    """
    found = _ADDRESS.fullmatch(address) if len(address) <= ADDRESS_MAX else None
    if found is None or (found["scheme"].lower() == "http" and not private) or not 0 < int(found["port"] or 443) < 65536:
        schemes = "https:// or http://" if private else "https://"
        detail = f"must begin with {schemes}, then a host, no user, no fragment, at most {ADDRESS_MAX} plain characters"
        raise BadWebhook(f"webhook: {detail}")
    host = found["host"].strip("[]").lower()
    if not private and (host == "localhost" or not _may_be_public(host)):
        raise BadWebhook("webhook: must be an address on the public internet")
    return address


#: Host names as they are sent (those in other alphabets encoded as xn--...), or an IP address.
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?(?:[/?][!-\"$-~]*)?", re.IGNORECASE
)


def _may_be_public(host: str) -> bool:
    try:
        return is_public(host)
    except ValueError:
        return True  # a name: what it means is looked up whenever something is sent


#: Addresses that stand for an IPv4 address which they carry: 6to4, Teredo, and the translation of RFC 6052.
_CARRIERS = tuple(ipaddress.ip_network(text) for text in ("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48", "::/96"))


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, and none that could lead back inside.

    Raises:
        ValueError: it is no IP address.
    """
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if any(ip in network for network in _CARRIERS):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


@dataclass(frozen=True)
class Webhook:
    """Where a bot's events are sent.

    Attributes:
        address: an absolute URL.
        secret: what signs; old_secret: the one before, until `old_until` (ms).
        failures: sendings that failed since the last that did not.
        trouble: what went wrong with the last one, in a sentence; "" if nothing did.
        disabled: since when nothing is sent any more, in ms; None: it is sent.
        quiet_until: nothing is sent before that, after failures, in ms.
    """

    address: str
    secret: str
    old_secret: str = ""
    old_until: int = 0
    failures: int = 0
    trouble: str = ""
    disabled: int | None = None
    quiet_until: int = 0

    def secrets_at(self, now: int) -> list[str]:
        """Return the secrets to sign with."""
        return [self.secret, self.old_secret] if self.old_secret and now < self.old_until else [self.secret]

    def to_json(self) -> Json:
        """Return what its bot is told of it."""
        return {
            "address": self.address,
            "failures": self.failures,
            "trouble": self.trouble or None,
            "disabled": timestamp(self.disabled),
        }


@dataclass(frozen=True)
class Bot:
    """A bot's account.

    Attributes:
        name: unique for good; that of a removed bot is not given away again.
        games: those it plays, by name.
        created: in ms.
        key_hash: SHA-256 of its key in hex.
        matches_max: how many matches at a time it may be invited to or join.
        webhook: None: it has none.
        number: that of the last event in its log.
    """

    name: str
    games: tuple[str, ...]
    created: int
    key_hash: str
    matches_max: int
    webhook: Webhook | None = None
    number: int = 0

    def to_json(self) -> Json:
        """Return what everybody may know of it."""
        return {"name": self.name, "games": list(self.games), "created": timestamp(self.created)}

    def to_hash(self) -> dict[str, Any]:
        """Return the fields of the Redis hash, but those that only scripts write."""
        return {
            "games": json.dumps(self.games),
            "created": self.created,
            "key": self.key_hash,
            "max": self.matches_max,
            **webhook_fields(self.webhook),
        }

    @classmethod
    def from_hash(cls, name: str, data: Mapping[bytes, bytes]) -> Bot:
        """Return the bot that is stored so."""
        text = {field.decode(): value.decode() for field, value in data.items()}
        return cls(
            name=name,
            games=tuple(json.loads(text["games"])),
            created=int(text["created"]),
            key_hash=text["key"],
            matches_max=int(text["max"]),
            webhook=_webhook(text) if text.get("hook") else None,
            number=int(text.get("number", 0)),
        )


def webhook_fields(webhook: Webhook | None) -> dict[str, Any]:
    """Return the fields of the Redis hash that hold a webhook, or none."""
    if webhook is None:
        webhook = Webhook("", "")
    return {
        "hook": webhook.address,
        "secret": webhook.secret,
        "old_secret": webhook.old_secret,
        "old_until": webhook.old_until,
        "failures": webhook.failures,
        "trouble": webhook.trouble,
        "disabled": "" if webhook.disabled is None else webhook.disabled,
        "quiet_until": webhook.quiet_until,
    }


def _webhook(text: Mapping[str, str]) -> Webhook:
    return Webhook(
        address=text["hook"],
        secret=text["secret"],
        old_secret=text["old_secret"],
        old_until=int(text["old_until"]),
        failures=int(text["failures"]),
        trouble=text["trouble"],
        disabled=int(text["disabled"]) if text["disabled"] else None,
        quiet_until=int(text["quiet_until"]),
    )
