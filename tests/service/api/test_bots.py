"""Bots over HTTP: accounts, invitations, and playing with one key."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis.connection import AbstractConnection
from werkzeug.test import TestResponse

from tests.service.api.conftest import Json, Player, Service, finish, problem

ME = {"kind": "me", "name": "Ada"}
TORTOISE = {"kind": "bot", "bot": "tortoise"}


@dataclass
class Bot:
    """A client that sends a bot's key."""

    client: FlaskClient
    name: str
    key: str

    def open(self, method: str, path: str, **kwargs: Any) -> TestResponse:
        return self.client.open(f"/v1{path}", method=method, headers=self.headers(**kwargs.pop("headers", {})), **kwargs)

    def headers(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", **more}

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        return self.open("GET", path, **kwargs)

    def post(self, path: str, **kwargs: Any) -> TestResponse:
        return self.open("POST", path, **kwargs)

    def me(self) -> Json:
        body: Json = self.get("/bots/me").get_json()
        return body

    def log(self, after: int = 0) -> list[Json]:
        entries: list[Json] = self.get(f"/bots/me/events?after={after}").get_json()["entries"]
        return entries

    def told(self) -> list[str]:
        return [entry["type"] for entry in self.log()]

    def accept(self, match: str) -> TestResponse:
        return self.post(f"/bots/me/invitations/{match}/acceptance")

    def decline(self, match: str) -> TestResponse:
        return self.post(f"/bots/me/invitations/{match}/refusal")

    def at(self, match: str, seat: int | None = None) -> Player:
        return Player(self.client, match, seat, self.key)


def register(service: Service, name: str, **more: Any) -> Bot:
    response = service.client.post("/v1/bots", json={"name": name, "games": ["toy"], **more})
    assert response.status_code == 201, response.get_json()
    return Bot(service.client, name, response.get_json()["key"])


@pytest.fixture
def tortoise(service: Service) -> Bot:
    return register(service, "tortoise")


@pytest.fixture
def hare(service: Service) -> Bot:
    return register(service, "hare")


# Accounts


def test_registering_and_looking(service: Service) -> None:
    body = {"name": "tortoise", "games": ["toy"], "webhook": "https://bot.example/", "matches_max": 3}
    response = service.client.post("/v1/bots", json=body)
    assert response.status_code == 201
    assert response.headers["Location"] == "/v1/bots/tortoise"
    assert response.headers["Cache-Control"] == "no-store"
    answer = response.get_json()
    secret, key = answer["webhook_secret"], answer["key"]
    assert secret.startswith("whsec_")
    bot = Bot(service.client, "tortoise", key)
    assert bot.me() == answer["bot"]
    assert answer["bot"]["webhook"] == {"address": body["webhook"], "failures": 0, "trouble": None, "disabled": None}
    public = service.client.get("/v1/bots/tortoise").get_json()
    assert public == {"name": "tortoise", "games": ["toy"], "created": answer["bot"]["created"], "matches": 0}
    for path in ("/bots/me", "/bots/tortoise", "/bots/me/events"):
        assert secret not in bot.get(path).text
        assert key not in bot.get(path).text


def test_bots_are_listed_by_name(service: Service, tortoise: Bot, hare: Bot) -> None:
    newt = register(service, "newt")
    problem(service.client.post("/v1/bots", json={"name": "newt", "games": ["toy"]}), "bot_name_taken")
    first = service.client.get("/v1/bots?limit=2").get_json()
    assert first["bots"] == [service.client.get(f"/v1/bots/{name}").get_json() for name in ("hare", "newt")]
    rest = service.client.get("/v1/bots", query_string={"limit": 2, "cursor": first["next"]}).get_json()
    assert [bot["name"] for bot in rest["bots"]] == ["tortoise"]
    assert rest["next"] is None
    assert service.client.delete("/v1/bots/me", headers=newt.headers()).status_code == 204
    assert [bot["name"] for bot in service.client.get("/v1/bots").get_json()["bots"]] == ["hare", "tortoise"]


def test_bots_are_found_by_game(service: Service, tortoise: Bot) -> None:
    for game, names in (("toy", ["tortoise"]), ("chess", [])):
        page = service.client.get(f"/v1/bots?game={game}").get_json()
        assert ([bot["name"] for bot in page["bots"]], page["next"]) == (names, None)
    cursor = service.client.get("/v1/bots?game=toy&limit=1").get_json()["next"]
    assert service.client.get("/v1/bots", query_string={"game": "toy", "cursor": cursor}).get_json()["bots"] == []
    problem(service.client.get("/v1/bots", query_string={"cursor": cursor}), "bad_cursor")


def test_a_page_ends_where_hardly_any_bot_fits(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.bots.bots.ROUNDS", 2)
    for number in range(5):
        register(service, f"bot-{number}")
    service.redis.hset("{bot:bot-4}", "games", '["chess"]')
    page = service.client.get("/v1/bots?game=chess&limit=1").get_json()
    assert page["bots"] == []
    assert page["next"].startswith("bot-1~")
    pages = 1
    while page["next"] is not None and not page["bots"]:
        query = {"game": "chess", "limit": 1, "cursor": page["next"]}
        page, pages = service.client.get("/v1/bots", query_string=query).get_json(), pages + 1
    assert [bot["name"] for bot in page["bots"]] == ["bot-4"]
    assert pages == 3


def test_what_no_bot_can_be(service: Service, tortoise: Bot) -> None:
    good = {"name": "hare", "games": ["toy"]}
    for change, code in [
        ({"name": "tortoise"}, "bot_name_taken"),
        ({"name": "me"}, "invalid_request"),
        ({"games": []}, "invalid_request"),
        ({"games": ["toy", "toy"]}, "bad_bot"),
        ({"games": ["chess"]}, "unknown_game"),
        ({"webhook": "https://127.0.0.1/"}, "bad_webhook"),
        ({"matches_max": 10**6}, "bad_bot"),
        ({"key": "mine"}, "invalid_request"),
    ]:
        problem(service.client.post("/v1/bots", json=good | change), code)
    problem(service.client.get("/v1/bots/hare"), "bot_not_found")
    problem(service.client.get("/v1/bots/Hare!"), "bot_not_found")


def test_a_lost_answer_is_asked_for_again(service: Service) -> None:
    headers = {"Idempotency-Key": "an unguessable key"}
    first, second = (
        service.client.post("/v1/bots", json={"name": "hare", "games": ["toy"]}, headers=headers).get_json() for _ in range(2)
    )
    assert first == second


def test_changing_oneself(tortoise: Bot) -> None:
    changed = tortoise.open("PATCH", "/bots/me", json={"webhook": "https://bot.example/", "matches_max": 2}).get_json()
    assert changed["webhook_secret"].startswith("whsec_")
    assert changed["bot"] == tortoise.me()
    assert tortoise.me()["matches_max"] == 2
    again = tortoise.open("PATCH", "/bots/me", json={"webhook": "https://bot.example/"}).get_json()
    assert again["webhook_secret"] is None
    turned = tortoise.post("/bots/me/webhook-secret").get_json()["webhook_secret"]
    assert turned.startswith("whsec_")
    assert turned != changed["webhook_secret"]
    assert tortoise.open("PATCH", "/bots/me", json={"webhook": None}).get_json()["bot"]["webhook"] is None
    problem(tortoise.post("/bots/me/webhook-secret"), "webhook_missing")
    problem(tortoise.open("PATCH", "/bots/me", json={"games": ["chess"]}), "unknown_game")
    problem(tortoise.open("PATCH", "/bots/me", json={"name": "hare"}), "invalid_request")


OWN: list[tuple[str, str, Any]] = [
    ("GET", "/bots/me", None),
    ("PATCH", "/bots/me", {}),
    ("DELETE", "/bots/me", None),
    ("POST", "/bots/me/key", None),
    ("POST", "/bots/me/webhook-secret", None),
    ("GET", "/bots/me/events", None),
    ("GET", "/bots/me/events?stream=1", None),
    ("GET", "/bots/me/invitations", None),
    ("POST", "/bots/me/invitations/{match}/acceptance", None),
    ("POST", "/bots/me/invitations/{match}/refusal", None),
]


@pytest.mark.parametrize(("method", "path", "body"), OWN)
def test_only_a_bots_own_key_opens_its_affairs(service: Service, tortoise: Bot, method: str, path: str, body: Any) -> None:
    player = service.create(ME, TORTOISE)
    address = "/v1" + path.format(match=player.match)
    old = tortoise.key
    tortoise.key = tortoise.post("/bots/me/key").get_json()["key"]
    for sent, code in [
        (None, "bot_key_needed"),
        (f"Bearer {player.token}", "bot_key_needed"),
        (f"Bearer {old}", "bad_token"),
        (f"Bearer {tortoise.key}x", "bad_token"),
        ("Bearer bot.nobody.secret", "bad_token"),
        (f"Basic {tortoise.key}", "bad_token"),
    ]:
        headers = {} if sent is None else {"Authorization": sent}
        response = service.client.open(address, method=method, headers=headers, json=body)
        problem(response, code)
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert tortoise.me()["name"] == "tortoise"
    assert tortoise.me()["invitations"] == 1


# Invitations


def test_an_invited_bot_accepts_and_the_match_begins(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    shown = player.get().get_json()
    assert shown["status"] == "open"
    assert shown["seats"][1] == {"seat": 1, "kind": "open", "name": "tortoise", "bot": "tortoise"}
    [invitation] = tortoise.get("/bots/me/invitations").get_json()["invitations"]
    assert invitation["match"]["id"] == player.match
    assert invitation["seat"] == 1
    [entry] = tortoise.log()
    assert entry["type"] == "invited"
    assert entry["until"] == invitation["until"] is not None
    assert entry["position"] == invitation["match"]
    accepted = tortoise.accept(player.match)
    assert accepted.status_code == 200
    assert accepted.get_json()["match"]["status"] == "running"
    assert tortoise.accept(player.match).get_json()["match"] == accepted.get_json()["match"]
    assert tortoise.told() == ["invited", "seated", "turn"]
    assert player.get().get_json()["seats"][1]["kind"] == "bot"
    assert tortoise.me()["matches"] == service.client.get("/v1/bots/tortoise").get_json()["matches"] == 1
    assert tortoise.me()["invitations"] == 0
    problem(tortoise.decline(player.match), "invitation_not_found")


def test_the_turn_comes_with_what_the_bot_may_do(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    *_, turn = tortoise.log()
    assert turn["type"] == "turn"
    assert turn["position"] == tortoise.at(player.match).get().get_json()
    assert turn["position"]["seat"] == 1
    played = tortoise.at(player.match).play(turn["position"]["legal_actions"][0], version=turn["version"])
    assert played.status_code == 200
    assert [entry["position"] for entry in tortoise.log()] == [None] * 3


def test_a_whole_match_of_a_bot(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    finish([player, tortoise.at(player.match, 1)])
    log = tortoise.log()
    turns = [entry["version"] for entry in log if entry["type"] == "turn"]
    assert turns == sorted(set(turns))
    moves = player.get("/record").get_json()["actions"]
    assert len(turns) == sum(move["seat"] == 1 for move in moves) > 0
    assert log[-1]["type"] == "ended"
    assert log[-1]["position"]["outcome"] == player.get().get_json()["outcome"]
    assert len({entry["id"] for entry in log}) == len(log)
    assert [entry["number"] for entry in log] == list(range(1, len(log) + 1))
    assert tortoise.me()["matches"] == 0


def test_a_declined_seat_is_open_to_everybody(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    assert tortoise.decline(player.match).status_code == 204
    last = player.get("/events").get_json()["entries"][-1]["events"]
    assert last == [{"type": "seat.declined", "seat": 1, "bot": "tortoise", "reason": "declined"}]
    assert tortoise.told() == ["invited", "uninvited"]
    problem(tortoise.accept(player.match), "invitation_not_found")
    problem(tortoise.at(player.match).get(), "bot_not_seated")
    assert service.take(player.match).seat == 1


def test_who_cannot_be_invited(service: Service, tortoise: Bot) -> None:
    def create(*seats: Json) -> TestResponse:
        return service.client.post("/v1/matches", json={"game": "toy", "seats": seats})

    assert problem(create(ME, {"kind": "bot", "bot": "nobody"}), "unknown_bot")["bot"] == "nobody"
    problem(create(ME, {"kind": "bot"}), "bad_seats")
    problem(create(ME, {"kind": "open", "bot": "tortoise"}), "bad_seats")
    problem(create(TORTOISE, TORTOISE), "bad_seats")
    tortoise.open("PATCH", "/bots/me", json={"matches_max": 0})
    assert problem(create(ME, TORTOISE), "bot_busy")["limit"] == 0
    tortoise.open("DELETE", "/bots/me")
    problem(create(ME, TORTOISE), "unknown_bot")


def test_a_bot_accepts_no_more_than_it_takes_at_a_time(service: Service, tortoise: Bot) -> None:
    matches = [service.create(ME, TORTOISE).match for _ in range(3)]
    tortoise.open("PATCH", "/bots/me", json={"matches_max": 1})
    assert tortoise.accept(matches[0]).status_code == 200
    problem(tortoise.accept(matches[1]), "bot_busy")
    problem(service.client.post("/v1/matches", json={"game": "toy", "seats": [ME, TORTOISE]}), "bot_busy")
    tortoise.at(matches[0]).post("/resignation", None)
    assert tortoise.accept(matches[1]).status_code == 200


def test_beginning_early_withdraws_the_invitation(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    player.post("/start", {"level": 1})
    assert tortoise.told() == ["invited", "uninvited"]
    problem(tortoise.accept(player.match), "invitation_not_found")


def test_an_open_match_that_its_creator_leaves_is_given_up(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    player.open("DELETE", f"/v1/matches/{player.match}/seats/0")
    assert service.spectator(player.match).get().get_json()["status"] == "aborted"
    assert tortoise.told() == ["invited", "uninvited"]


# Taking seats, creating matches


def test_a_bot_takes_an_open_seat_by_itself(service: Service, tortoise: Bot, hare: Bot) -> None:
    player = service.create(ME, {"kind": "open"}, {"kind": "open"})
    taken = tortoise.post(f"/matches/{player.match}/seats", json={"name": "ignored"}).get_json()
    assert taken["seat"] == 1
    assert taken["token"] is None
    assert taken["match"]["seats"][1] == {"seat": 1, "kind": "bot", "name": "tortoise", "bot": "tortoise"}
    assert problem(tortoise.post(f"/matches/{player.match}/seats", json={}), "bot_seated")["seat"] == 1
    assert hare.post(f"/matches/{player.match}/seats", json={}).get_json()["match"]["status"] == "running"
    assert tortoise.told() == ["seated", "turn"]


def test_a_bot_creates_a_match_for_itself_and_another(service: Service, tortoise: Bot, hare: Bot) -> None:
    created = tortoise.post("/matches", json={"game": "toy", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "hare"}]})
    assert created.status_code == 201
    body = created.get_json()
    assert (body["seat"], body["token"]) == (0, None)
    hare.accept(body["match"]["id"])
    finish([tortoise.at(body["match"]["id"], 0), hare.at(body["match"]["id"], 1)])
    assert tortoise.told()[-1] == hare.told()[-1] == "ended"
    problem(
        service.client.post(
            "/v1/matches", json={"game": "toy", "seats": [ME]}, headers={"Authorization": "Bearer bot.hare.wrong"}
        ),
        "bad_token",
    )


def test_a_bots_matches_are_listed_for_it(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE, private=True)
    [listed] = tortoise.get("/matches?mine=true").get_json()["matches"]
    assert (listed["id"], listed["seat"]) == (player.match, 1)


def test_a_rematch_invites_the_bot(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    finish([player, tortoise.at(player.match, 1)])
    again = player.post("/rematch", None).get_json()["match"]["id"]
    assert tortoise.told()[-1] == "invited"
    accepted = tortoise.accept(again).get_json()
    assert accepted["seat"] == 0
    assert accepted["match"]["status"] == "running"


def test_a_bot_is_shown_by_its_own_name(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    problem(tortoise.open("PATCH", f"/matches/{player.match}/seats/1", json={"name": "Ada"}), "bad_seats")


def test_a_bot_that_leaves_is_told_so(service: Service, tortoise: Bot) -> None:
    player = service.create(ME, TORTOISE)
    tortoise.accept(player.match)
    assert tortoise.open("DELETE", f"/matches/{player.match}/seats/1").status_code == 200
    assert tortoise.told()[-1] == "left"
    assert tortoise.me()["matches"] == 0
    problem(tortoise.at(player.match).get(), "bot_not_seated")


def test_a_removed_bot_leaves_its_seats_to_others(service: Service, tortoise: Bot) -> None:
    playing, invited = service.create(ME, TORTOISE), service.create(ME, TORTOISE)
    tortoise.accept(playing.match)
    assert tortoise.open("DELETE", "/bots/me").status_code == 204
    assert playing.get().get_json()["seats"][1]["kind"] == "ai"
    assert invited.get().get_json()["seats"][1] == {"seat": 1, "kind": "open", "name": ""}
    problem(tortoise.get("/bots/me"), "bad_token")
    problem(tortoise.at(playing.match).get(), "bad_token")
    problem(service.client.get("/v1/bots/tortoise"), "bot_not_found")
    problem(service.client.post("/v1/bots", json={"name": "tortoise", "games": ["toy"]}), "bot_name_taken")


def take_together(service: Service, match: str, askers: list[dict[str, str]]) -> list[int]:
    """Return the statuses of taking a seat, asked for by several at the same moment."""
    together, statuses = threading.Barrier(len(askers)), []

    def take(headers: dict[str, str]) -> None:
        with service.app.test_client() as client:
            together.wait(30)
            statuses.append(client.post(f"/v1/matches/{match}/seats", json={}, headers=headers).status_code)

    threads = [threading.Thread(target=take, args=(headers,)) for headers in askers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return sorted(statuses)


def test_two_bots_and_a_person_take_the_last_seat_at_once(service: Service, tortoise: Bot, hare: Bot) -> None:
    for _ in range(5):
        player = service.create(ME, {"kind": "open"})
        assert take_together(service, player.match, [tortoise.headers(), hare.headers(), {}]) == [201, 409, 409]
        seated = player.get().get_json()["seats"][1].get("bot")
        assert [bot.me()["matches"] for bot in (tortoise, hare)] == [int(seated == "tortoise"), int(seated == "hare")]
        player.post("/resignation", None)


def test_a_bot_that_asks_twice_at_once_gets_one_seat(service: Service, tortoise: Bot) -> None:
    for _ in range(5):
        player = service.create(ME, {"kind": "open"}, {"kind": "open"})
        assert take_together(service, player.match, [tortoise.headers(), tortoise.headers()]) == [201, 409]
        assert tortoise.me()["matches"] == 1
        player.open("DELETE", f"/v1/matches/{player.match}/seats/0")
        tortoise.open("DELETE", f"/matches/{player.match}/seats/1")


# Following


def test_reading_on_and_waiting(service: Service, tortoise: Bot) -> None:
    first = tortoise.get("/bots/me/events").get_json()
    assert first == {"entries": [], "number": 0, "next": 0, "reset": {"number": 0, "invited": [], "turns": []}}
    found: list[Json] = []
    waiting = threading.Thread(target=lambda: found.append(tortoise.get("/bots/me/events?after=0&wait=20").get_json()))
    waiting.start()
    match = service.create(ME, TORTOISE).match
    waiting.join(30)
    assert [entry["type"] for entry in found[0]["entries"]] == ["invited"]
    tortoise.accept(match)
    page = tortoise.get("/bots/me/events?after=1&limit=1").get_json()
    assert [entry["type"] for entry in page["entries"]] == ["seated"]
    assert (page["number"], page["next"], page["reset"]) == (3, 2, None)
    assert problem(tortoise.get("/bots/me/events?after=4"), "bad_cursor")["number"] == 3
    assert tortoise.get("/bots/me/events?after=3").get_json()["entries"] == []


def test_whoever_begins_anew_is_told_how_things_stand(service: Service, tortoise: Bot) -> None:
    running, waiting = service.create(ME, TORTOISE).match, service.create(ME, TORTOISE).match
    tortoise.accept(running)
    reset = tortoise.get("/bots/me/events").get_json()["reset"]
    assert [entry["match"] for entry in reset["invited"]] == [waiting]
    [turn] = reset["turns"]
    assert turn["match"] == running
    assert turn["id"] == tortoise.log()[-1]["id"]
    assert turn["position"]["legal_actions"]
    service.redis.xtrim("{bot:tortoise}:events", maxlen=1, approximate=False)
    assert tortoise.get("/bots/me/events?after=1").get_json()["reset"] == reset
    assert len(tortoise.log(3)) == 1


def messages(response: TestResponse) -> Iterator[tuple[str | None, str | None, Json]]:
    """Yield the id, name and data of each message of a stream; a sign of life as nothing."""
    parts = response.iter_encoded()
    next(parts)
    for part in parts:
        fields = dict(line.split(": ", 1) for line in part.decode().strip().splitlines())
        yield fields.get("id"), fields.get("event"), json.loads(fields["data"]) if "data" in fields else {}


def test_a_stream_over_all_matches(service: Service, tortoise: Bot) -> None:
    response = tortoise.get("/bots/me/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "0"})
    assert response.mimetype == "text/event-stream"
    stream = messages(response)
    assert next(stream) == (None, None, {})
    for _ in range(2):
        tortoise.accept(service.create(ME, TORTOISE).match)
    seen = []
    while len(seen) < 6:
        number, _, entry = next(stream)
        if number is not None:
            seen.append((int(number), entry["type"]))
    assert seen == list(enumerate(["invited", "seated", "turn"] * 2, 1))
    response.close()


def test_a_stream_is_resumed(service: Service, tortoise: Bot) -> None:
    tortoise.accept(service.create(ME, TORTOISE).match)
    response = tortoise.get("/bots/me/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "2"})
    assert [part[0] for part, _ in zip(messages(response), range(1), strict=False)] == ["3"]
    response.close()


def test_a_stream_that_is_too_late_begins_with_how_things_stand(service: Service, tortoise: Bot) -> None:
    tortoise.accept(service.create(ME, TORTOISE).match)
    service.redis.xtrim("{bot:tortoise}:events", maxlen=1, approximate=False)
    for headers in ({"Last-Event-ID": "1"}, {"Last-Event-ID": "99"}, {}):
        response = tortoise.get("/bots/me/events?stream=1", headers=headers)
        start = next(response.iter_encoded()).decode()
        assert "event: reset\n" in start
        assert "id: 3\n" in start
        assert json.loads(start.split("data: ")[1])["turns"][0]["type"] == "turn"
        response.close()
    for nonsense in ("x", "-1", "9" * 20):
        problem(tortoise.get("/bots/me/events?stream=1", headers={"Last-Event-ID": nonsense}), "invalid_request")


def test_a_new_key_ends_streams_of_the_old_one(service: Service, tortoise: Bot) -> None:
    response = tortoise.get("/bots/me/events?stream=1")
    parts = response.iter_encoded()
    assert b"reset" in next(parts)
    key = tortoise.post("/bots/me/key").get_json()["key"]
    assert all(part == b": here\n\n" for part in parts)
    problem(tortoise.get("/bots/me"), "bad_token")
    tortoise.key = key
    assert tortoise.me()["name"] == "tortoise"


# Round trips


def test_a_move_of_a_bot_takes_three_round_trips(
    service: Service, tortoise: Bot, hare: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key with the match, the commit, and telling whose turn it is now."""
    match = service.create({"kind": "bot", "bot": "tortoise"}, {"kind": "bot", "bot": "hare"}).match
    for bot in (tortoise, hare):
        bot.accept(match)
    seats = [tortoise.at(match, 0), hare.at(match, 1)]

    def move() -> None:
        playing = seats[seats[0].get().get_json()["awaiting"][0]]
        action = playing.first()
        sent.clear()
        assert playing.play(action).status_code == 200

    sent: list[Any] = []
    send = AbstractConnection.send_packed_command

    def counted(connection: Any, command: Any, **kwargs: Any) -> Any:
        sent.append(command)
        return send(connection, command, **kwargs)

    move()  # sends the scripts
    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    move()
    assert len(sent) == 3
