"""Webhooks: signed, tried again, given up; never led inside."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from redis import Redis
from standardwebhooks import Webhook as Verifier

from service.bots import Bot, BotGuests, Webhook, attach
from service.bots.hooks import SCHEDULE_S
from service.matches import Match, Matches, SeatRequest, SetClock, Store, connect, queue
from service.settings import Settings
from tests.service.matches.conftest import GAMES
from worker import post
from worker.main import ALLOWED
from worker.post import Letter, NotSent, PostOffice, Sender

ME = SeatRequest("me", "Ada")
TORTOISE = SeatRequest("bot", bot="tortoise")
SECRET = "whsec_" + "A" * 32


@dataclass
class Target:
    """A server that takes webhooks, and answers as it is told."""

    statuses: list[int] = field(default_factory=list)
    location: str = ""
    silent: bool = False
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0

    def __post_init__(self) -> None:
        target = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                target.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                if target.silent:
                    target.released.wait(30)
                    return
                status = target.statuses.pop(0) if target.statuses else 204
                self.send_response(status)
                if target.location:
                    self.send_header("Location", target.location)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.released = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://bot.example:{self.port}/hook"

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(30)


@pytest.fixture
def target() -> Iterator[Target]:
    target = Target()
    yield target
    target.close()


@pytest.fixture
def matches(redis: Redis, redis_url: str, clock: SetClock) -> Iterator[Matches]:
    settings = Settings(redis_url=redis_url, webhook_private=True, webhook_failures_max=12)
    with connect(settings) as client:
        table = Matches(Store(client, settings), GAMES, settings, clock)
        attach(table)
        yield table
        table.close()


@pytest.fixture
def sender() -> Iterator[Sender]:
    sender = Sender(0.5, private=True, look_up=lambda host, port: ["127.0.0.1"])
    yield sender
    sender.close()


@pytest.fixture
def office(matches: Matches, sender: Sender) -> PostOffice:
    return PostOffice(matches, sender)


@pytest.fixture
def tortoise(matches: Matches, target: Target) -> Bot:
    assert isinstance(matches.guests, BotGuests)
    return matches.guests.bots.register("tortoise", ["toy"], webhook=target.address)[0]


def hook(matches: Matches) -> Webhook:
    assert isinstance(matches.guests, BotGuests)
    found = matches.guests.bots.get("tortoise").webhook
    assert found is not None
    return found


def invite(matches: Matches) -> Match:
    return matches.create("toy", {}, [ME, TORTOISE]).match


def test_an_event_is_sent_signed(matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock) -> None:
    match = invite(matches)
    matches.accept(match, 1)
    office.send("tortoise")
    assert [json.loads(body)["type"] for _, body in target.got] == ["invited", "seated", "turn"]
    headers, body = target.got[2]
    assert headers["webhook-id"] == f"{match.id}-2-1-turn"
    assert headers["webhook-timestamp"] == str(clock.now() // 1000)
    assert headers["host"] == f"bot.example:{target.port}"
    assert headers["content-type"] == "application/json"
    entry = json.loads(body)["data"]
    assert entry["id"] == headers["webhook-id"]
    assert entry["position"] == json.loads(json.dumps(matches.position(matches.get(match.id), 1)))
    signed = Verifier(hook(matches).secret)
    signature = signed.sign(headers["webhook-id"], _moment(headers), body.decode())
    assert headers["webhook-signature"] == signature
    office.send("tortoise")
    assert len(target.got) == 3
    assert hook(matches).failures == 0
    assert office.hooks.due() == []


def _moment(headers: dict[str, str]) -> Any:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)


def test_after_a_new_secret_both_sign(matches: Matches, office: PostOffice, target: Target, tortoise: Bot) -> None:
    assert isinstance(matches.guests, BotGuests)
    old = hook(matches).secret
    new = matches.guests.bots.rotate_secret(tortoise).webhook
    assert new is not None
    invite(matches)
    office.send("tortoise")
    headers, body = target.got[0]
    expected = [Verifier(secret).sign(headers["webhook-id"], _moment(headers), body.decode()) for secret in (new.secret, old)]
    assert headers["webhook-signature"].split(" ") == expected


def test_a_failure_is_tried_again_with_the_same_id(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock
) -> None:
    target.statuses = [500, 503]
    invite(matches)
    office.send("tortoise")
    assert (hook(matches).failures, hook(matches).trouble) == (1, "it answered 500")
    office.send("tortoise")
    assert len(target.got) == 1
    clock.move(SCHEDULE_S[0])
    assert office.hooks.due() == ["tortoise"]
    office.send("tortoise")
    clock.move(SCHEDULE_S[0])
    office.send("tortoise")
    assert len(target.got) == 2
    clock.move(SCHEDULE_S[1])
    office.send("tortoise")
    assert len(target.got) == 3
    assert len({headers["webhook-id"] for headers, _ in target.got}) == 1
    assert (hook(matches).failures, hook(matches).trouble) == (0, "")
    assert office.hooks.waiting("tortoise") == []
    assert office.hooks.due() == []


def test_a_new_event_waits_until_a_failing_webhook_is_tried_again(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock
) -> None:
    target.statuses = [500]
    invite(matches)
    office.send("tortoise")
    invite(matches)
    office.send("tortoise")
    assert len(target.got) == 1
    clock.move(5)
    office.send("tortoise")
    assert len(target.got) == 3


def test_an_event_is_given_up_after_its_schedule(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock
) -> None:
    target.statuses = [500] * 100
    invite(matches)
    office.send("tortoise")
    for seconds in SCHEDULE_S:
        clock.move(max(seconds, 300))
        office.send("tortoise")
    assert len(target.got) == len(SCHEDULE_S) + 1
    assert office.hooks.waiting("tortoise") == []
    assert hook(matches).disabled is None


def test_a_webhook_that_only_fails_is_disabled_and_that_is_told(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock
) -> None:
    target.statuses = [500] * 100
    for _ in range(20):
        invite(matches)
    for _ in range(40):
        office.send("tortoise")
        clock.move(300)
    assert len(target.got) == 12
    told = hook(matches).to_json()
    assert (told["failures"], told["trouble"]) == (12, "it answered 500")
    assert told["disabled"] is not None
    invite(matches)
    assert office.hooks.waiting("tortoise") == []
    target.statuses = []
    assert isinstance(matches.guests, BotGuests)
    bots = matches.guests.bots
    bots.update(bots.get("tortoise"), webhook=target.address)
    assert hook(matches).secret == (tortoise.webhook or hook(matches)).secret
    invite(matches)
    office.send("tortoise")
    assert len(target.got) == 13
    assert hook(matches).to_json()["disabled"] is None


def test_an_address_that_is_gone_is_not_asked_again(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot
) -> None:
    target.statuses = [410]
    invite(matches)
    office.send("tortoise")
    assert hook(matches).disabled is not None


def test_a_sender_that_dies_has_failed(
    matches: Matches, office: PostOffice, target: Target, tortoise: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(Sender, "send", die)
    invite(matches)
    for _ in range(20):
        with suppress(SystemExit):
            office.send("tortoise")
        clock.move(3 * 60 * 60)
        invite(matches)
    assert hook(matches).disabled is not None
    assert hook(matches).trouble == "no answer came in time"


def test_two_senders_send_once(matches: Matches, office: PostOffice, target: Target, tortoise: Bot) -> None:
    for _ in range(5):
        invite(matches)
    threads = [threading.Thread(target=office.send, args=("tortoise",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    office.send("tortoise")
    assert sorted(headers["webhook-id"] for headers, _ in target.got) == sorted({h["webhook-id"] for h, _ in target.got})
    assert len(target.got) == 5


def test_a_bot_without_a_webhook_is_sent_nothing(matches: Matches, office: PostOffice, target: Target, tortoise: Bot) -> None:
    assert isinstance(matches.guests, BotGuests)
    invite(matches)
    matches.guests.bots.update(tortoise, webhook=None)
    office.send("tortoise")
    office.send("nobody")
    assert target.got == []
    assert office.hooks.due() == []


# The sender


def letter() -> Letter:
    return Letter("an-id", "{}", 1_800_000_000_000)


def refused(sender: Sender, address: str) -> str:
    with pytest.raises(NotSent) as caught:
        sender.send(Webhook(address, SECRET), letter())
    return str(caught.value)


def test_redirects_are_not_followed(sender: Sender, target: Target) -> None:
    inside = Target()
    try:
        target.location = f"http://127.0.0.1:{inside.port}/"
        for status in (301, 302, 307, 308):
            target.statuses = [status]
            assert refused(sender, target.address) == f"it answered {status}; redirects are not followed"
        assert inside.got == []
    finally:
        inside.close()


def test_silence_is_a_failure(sender: Sender, target: Target) -> None:
    target.silent = True
    assert refused(sender, target.address) == "it did not answer in time"


def test_nobody_there_is_a_failure(sender: Sender) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert refused(sender, f"http://bot.example:{port}/") == "it could not be reached"


def test_nonsense_in_place_of_an_answer_is_a_failure(sender: Sender) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def babble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"nonsense\r\n\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        assert refused(sender, f"http://bot.example:{server.getsockname()[1]}/")
        thread.join(30)


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["::1"], ["10.0.0.1"], ["169.254.169.254"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], []]
)
def test_a_name_that_leads_inside_is_not_connected_to(target: Target, found: list[str]) -> None:
    sender = Sender(0.5, private=False, look_up=lambda host, port: found)
    for scheme in ("http", "https"):
        reason = refused(sender, f"{scheme}://bot.example:{target.port}/")
        assert reason == "its host is not on the public internet"
    assert target.got == []
    sender.close()


def test_the_name_is_looked_up_once_and_what_came_out_is_connected_to(target: Target) -> None:
    asked: list[tuple[str, int]] = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["127.0.0.1"]

    sender = Sender(0.5, private=True, look_up=look_up)
    sender.send(Webhook(target.address, SECRET), letter())
    assert asked == [("bot.example", target.port)]
    assert target.got[0][0]["host"] == f"bot.example:{target.port}"
    sender.close()


def test_a_proxy_of_the_environment_is_not_asked(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Target()
    try:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{proxy.port}")
        sender = Sender(0.5, private=True, look_up=lambda host, port: ["127.0.0.1"])
        sender.send(Webhook(target.address, SECRET), letter())
        assert (len(target.got), len(proxy.got)) == (1, 0)
        sender.close()
    finally:
        proxy.close()


def test_hosts_are_found_as_the_system_says() -> None:
    assert post.resolve("127.0.0.1", 80) == ["127.0.0.1"]
    sender = Sender(0.5, private=False)
    assert refused(sender, "https://0x7f.1/") in ("its host is not on the public internet", "its host cannot be found")
    assert refused(sender, "https://nothing.invalid/") == "its host cannot be found"
    sender.close()


def test_the_name_is_in_the_tls_handshake_and_the_certificate_is_checked(tmp_path: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard: list[bytes] = []

        def listen() -> None:
            connection, _ = server.accept()
            with connection:
                heard.append(connection.recv(65536))

        thread = threading.Thread(target=listen)
        thread.start()
        sender = Sender(5, private=True, look_up=lambda host, port: ["127.0.0.1"])
        assert refused(sender, f"https://bot.example:{server.getsockname()[1]}/")
        thread.join(30)
        sender.close()
    assert b"bot.example" in heard[0]


def test_the_job_is_allowed(office: PostOffice, target: Target, matches: Matches, tortoise: Bot) -> None:
    assert ALLOWED[queue.SEND] is post.send
    post.install(office)
    invite(matches)
    post.send("tortoise")
    assert len(target.got) == 1


def test_letters_are_signed_with_every_valid_secret() -> None:
    hook = Webhook("https://bot.example/", SECRET)
    assert letter().headers(hook)["webhook-signature"].count("v1,") == 1
    both = replace(hook, old_secret="whsec_" + "B" * 32, old_until=letter().moment + 1)
    assert letter().headers(both)["webhook-signature"].count("v1,") == 2
