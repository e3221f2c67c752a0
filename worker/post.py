"""Sending events to bots' webhooks by the Standard Webhooks scheme; a job does it for one bot.

An address of a bot is anybody's: its host is looked up, what comes out is judged, and the connection goes to exactly that, so
that no second look-up can lead it elsewhere. Redirects are failures, and what is answered is not read.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
from standardwebhooks import Webhook as Signer

from service.bots import BotGuests, Webhook
from service.bots.account import is_public
from service.bots.feed import Feed
from service.bots.hooks import Hooks
from service.matches import Matches
from service.matches.match import Json

log = logging.getLogger(__name__)

#: A job sends for so long, then other bots have their turn.
CARRY_ON_MS = 20_000
#: So much longer than it may take is a webhook kept for one sender.
MARGIN_MS = 10_000
GONE = 410

#: Host and port -> the IP addresses it has.
Resolve = Callable[[str, int], Sequence[str]]


class NotSent(Exception):
    """An event that was not taken.

    Attributes:
        gone: nothing should ever be sent there again.
    """

    def __init__(self, reason: str, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.gone = gone


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, as the system says.

    Raises:
        OSError: it has none.
    """
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


@dataclass(frozen=True)
class Letter:
    """What is sent.

    Attributes:
        id: the same however often it is sent.
        body: JSON.
        moment: when it is sent, in ms.
    """

    id: str
    body: str
    moment: int

    def headers(self, webhook: Webhook) -> dict[str, str]:
        """Return the headers of the scheme, signed with every secret that is valid."""
        at = datetime.fromtimestamp(self.moment // 1000, UTC)
        signatures = [Signer(secret).sign(self.id, at, self.body) for secret in webhook.secrets_at(self.moment)]
        return {
            "webhook-id": self.id,
            "webhook-timestamp": str(self.moment // 1000),
            "webhook-signature": " ".join(signatures),
        }


class Sender:
    """Sends letters.

    Args:
        timeout_s: how long each step of a sending may take.
        private: whether private addresses are allowed.
        look_up: how hosts are found.
    """

    def __init__(self, timeout_s: float, *, private: bool, look_up: Resolve = resolve) -> None:
        # No connection is kept: it would be another host's at the same address. No proxy is asked, and no .netrc.
        limits = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.Client(timeout=timeout_s, follow_redirects=False, trust_env=False, limits=limits)
        self._private = private
        self._look_up = look_up

    def close(self) -> None:
        """Close what is open."""
        self._client.close()

    def send(self, webhook: Webhook, letter: Letter) -> None:
        """Send a letter to a webhook.

        Raises:
            NotSent: whatever the reason.
        """
        url = httpx.URL(webhook.address)
        headers = {**letter.headers(webhook), "Content-Type": "application/json", "User-Agent": "clifftop-webhook"}
        request = self._client.build_request("POST", url, content=letter.body.encode(), headers=headers)
        # The name stays in the Host header and in the TLS handshake; the connection goes to the address that was judged.
        request.extensions["sni_hostname"] = url.raw_host.decode()
        request.url = url.copy_with(host=self._address(url))
        try:
            response = self._client.send(request, stream=True)
            response.close()
        except httpx.HTTPError as error:
            raise NotSent(_reason(error)) from error
        if not response.is_success:
            moved = "; redirects are not followed" if response.is_redirect else ""
            raise NotSent(f"it answered {response.status_code}{moved}", gone=response.status_code == GONE)

    def _address(self, url: httpx.URL) -> str:
        try:
            found = self._look_up(url.raw_host.decode(), url.port or (80 if url.scheme == "http" else 443))
        except (OSError, UnicodeError) as error:
            raise NotSent("its host cannot be found") from error
        if not found or not (self._private or all(is_public(address) for address in found)):
            raise NotSent("its host is not on the public internet")
        return found[0]


def _reason(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it did not answer in time"
    return "it could not be reached" if isinstance(error, httpx.TransportError) else "it did not answer as HTTP does"


class PostOffice:
    """Where a worker sends from.

    Args:
        matches: the table, with its bots.
        sender: who sends; None: one as the settings say.
    """

    def __init__(self, matches: Matches, sender: Sender | None = None) -> None:
        assert isinstance(matches.guests, BotGuests)
        self._feed = Feed(matches.guests)
        self._clock = matches.clock
        self.hooks = Hooks(matches.guests.inbox)
        settings = matches.settings
        self._timeout_ms = round(settings.webhook_timeout_s * 1000)
        self._sender = sender or Sender(settings.webhook_timeout_s, private=settings.webhook_private)

    def send(self, bot: str) -> None:
        """Send what waits for a bot's webhook by now, in order, until one fails; nothing if somebody is at it."""
        started = self._clock.now()
        if not self.hooks.take(bot, CARRY_ON_MS + 4 * self._timeout_ms + MARGIN_MS):
            return
        try:
            while self._send_one(bot) and self._clock.now() - started < CARRY_ON_MS:
                pass
        finally:
            self.hooks.leave(bot)

    def _send_one(self, name: str) -> bool:
        found = self.hooks.next(name)
        if found is None:
            return False
        _, hook, told = found
        begun = self.hooks.begin(name, hook, told.number)
        if begun is None:
            return False
        try:
            self._sender.send(hook, self._letter(self._feed.show([told])[0]))
        except NotSent as error:
            log.info("the webhook of bot %s: %s", name, error)
            self.hooks.failed(name, begun, str(error), gone=error.gone)
            return False
        self.hooks.sent(name, begun, told.number)
        return True

    def _letter(self, entry: Json) -> Letter:
        body = {"type": entry["type"], "timestamp": entry["at"], "data": entry}
        return Letter(entry["id"], json.dumps(body, ensure_ascii=False, separators=(",", ":")), self._clock.now())


_office: PostOffice | None = None


def install(office: PostOffice) -> None:
    """Give this process, and those forked from it, the post office its jobs work in."""
    global _office
    _office = office


def send(bot: Any) -> None:
    """Send what waits for a bot's webhook; a job."""
    assert _office is not None, "a worker installs its post office before it works"
    _office.send(str(bot))
