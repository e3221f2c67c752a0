"""The list, private matches, seats that change hands, beginning early, resigning, and playing again."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.service.api.conftest import Json, Player, Service, finish, problem

ME: Json = {"kind": "me", "name": "Ada"}
OPEN: Json = {"kind": "open"}
AI: Json = {"kind": "ai", "level": 3}


def listed(service: Service, query: str = "", **kwargs: Any) -> list[str]:
    response = service.client.get(f"/v1/matches?{query}", **kwargs)
    assert response.status_code == 200, response.get_json()
    return [match["id"] for match in response.get_json()["matches"]]


# --- resigning --------------------------------------------------------------------------------------------------------


def test_who_resigns_is_last_and_the_others_share_the_first_place(service: Service) -> None:
    players = service.table(3)
    body = players[1].post("/resignation", None).get_json()
    assert body["status"] == "over"
    assert body["outcome"] == {"reason": "resigned", "winners": [0, 2], "ranking": [1, 3, 1]}
    assert players[0].get("/record").get_json()["outcome"] == body["outcome"]
    told = players[0].get("/events").get_json()["entries"][-1]["events"]
    assert [event["type"] for event in told] == ["seat.resigned", "match.ended"]


def test_a_resignation_sent_twice_is_answered_the_same(service: Service) -> None:
    one, two = service.table()
    headers = {"Idempotency-Key": "enough"}
    first = one.open("POST", f"/v1/matches/{one.match}/resignation", headers=headers)
    again = one.open("POST", f"/v1/matches/{one.match}/resignation", headers=headers)
    assert first.data == again.data
    problem(two.post("/resignation", None), "match_not_running")
    problem(one.play({"type": "choose", "card": 1}, headers=headers), "request_reused")


def test_nobody_resigns_before_the_match_or_for_another(service: Service) -> None:
    waiting = service.create(ME, OPEN)
    assert problem(waiting.post("/resignation", None), "match_not_running")["match_status"] == "open"
    problem(service.spectator(waiting.match).post("/resignation", None), "seat_token_needed")


# --- the list ---------------------------------------------------------------------------------------------------------


def test_matches_are_listed_by_status_game_and_open_seats(service: Service) -> None:
    waiting = service.create(ME, OPEN, OPEN)
    running, over = service.table()[0], service.table()
    finish(over)
    assert listed(service) == [over[0].match, running.match, waiting.match]
    assert listed(service, "status=open") == [waiting.match]
    assert listed(service, "status=running&game=toy") == [running.match]
    assert listed(service, "status=over") == [over[0].match]
    assert listed(service, "status=aborted") == listed(service, "game=chess") == []
    assert listed(service, "open_seats=2") == [waiting.match]
    service.take(waiting.match)
    assert listed(service, "open_seats=2") == []
    assert listed(service, "open_seats=1") == [waiting.match]


def test_a_list_tells_nothing_of_the_game(service: Service) -> None:
    players = service.table()
    found = service.client.get("/v1/matches").get_json()["matches"][0]
    assert not {"view", "legal_actions", "awaiting", "version", "changed", "outcome", "seed_hash"} & set(found)
    assert found["seats"] == players[0].get().get_json()["seats"]
    assert (found["seat"], found["open_seats"], found["rated"], found["private"]) == (None, [], True, False)


def test_pages_follow_each_other_without_gaps(service: Service) -> None:
    made = [service.create(ME, OPEN if number % 3 else AI).match for number in range(23)][::-1]
    for query in ("limit=4", "limit=4&status=open", "limit=1&open_seats=1", "limit=100"):
        found: list[str] = []
        cursor = ""
        while cursor is not None:
            page = service.client.get(f"/v1/matches?{query}&cursor={cursor}" if cursor else f"/v1/matches?{query}").get_json()
            found += [match["id"] for match in page["matches"]]
            cursor = page["next"]
        waiting = "status" in query or "seats" in query
        assert found == [match for number, match in enumerate(made[::-1]) if number % 3 or not waiting][::-1]


def test_cursors_of_a_list_with_other_filters(service: Service) -> None:
    players = [service.create({"kind": "me"}, {"kind": "open"}) for _ in range(3)]
    cursor = service.client.get("/v1/matches?limit=1").get_json()["next"]
    own = players[0].open("GET", "/v1/matches?limit=1")
    assert own.get_json()["next"] == cursor
    for query in ("status=open", "game=toy", "open_seats=1"):
        problem(service.client.get(f"/v1/matches?limit=1&{query}&cursor={cursor}"), "bad_cursor")
    problem(players[0].open("GET", f"/v1/matches?mine=1&cursor={cursor}"), "bad_cursor")


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "status=gone", "open_seats=-1", "cursor=x", "cursor=12", "mine=perhaps", "who=me"]
)
def test_lists_that_do_not_fit(service: Service, query: str) -> None:
    problem(service.client.get(f"/v1/matches?{query}"), "invalid_request")


def test_ones_own_matches_by_token(service: Service) -> None:
    private = service.create(ME, OPEN, private=True)
    service.create(ME, OPEN)
    headers = {"Authorization": f"Bearer {private.token}"}
    body = service.client.get("/v1/matches?mine=true", headers=headers).get_json()
    assert [(match["id"], match["seat"], match["private"]) for match in body["matches"]] == [(private.match, 0, True)]
    assert listed(service, "mine=1&status=over", headers=headers) == []
    assert listed(service, "mine=1", headers={"Authorization": "Bearer nobody"}) == []
    problem(service.client.get("/v1/matches?mine=1"), "seat_token_needed")
    problem(service.client.get("/v1/matches?mine=1", headers={"Authorization": "Basic x"}), "bad_token")


def test_expired_matches_are_not_listed_and_forgotten(service: Service) -> None:
    gone, there = service.create(ME, OPEN), service.create(ME, OPEN)
    for key in service.redis.keys(f"*match:{gone.match}*"):
        service.redis.delete(key)
    assert listed(service) == [there.match]
    assert sum(service.matches.store.tidy(number) for number in range(64)) == 2
    assert sum(service.matches.store.tidy(number) for number in range(64)) == 0
    assert listed(service) == [there.match]
    for path in ("", "/turn", "/events", "/record", "/replay/1", "/actions"):
        problem(gone.get(path), "match_not_found")
    for path in ("/resignation", "/rematch"):
        problem(gone.post(path, None), "match_not_found")
    problem(gone.post("/start", {}), "match_not_found")
    problem(gone.open("DELETE", f"/v1/matches/{gone.match}/seats/0"), "match_not_found")


# --- private matches --------------------------------------------------------------------------------------------------


def test_a_private_match_is_not_listed_and_takes_its_code(service: Service) -> None:
    response = service.client.post("/v1/matches", json={"game": "toy", "seats": [OPEN, OPEN], "private": True})
    match, code = response.get_json()["match"]["id"], response.get_json()["join_code"]
    assert len(code) == 8
    assert listed(service) == []
    path = f"/v1/matches/{match}/seats"
    problem(service.client.post(path, json={}), "join_code_needed")
    problem(service.client.post(path, json={"join_code": "x"}), "bad_join_code")
    problem(service.client.post(path, json={"join_code": "é" * 8}), "bad_join_code")
    body = service.client.post(path, json={"join_code": f" {code.upper()} "}).get_json()
    assert body["match"]["join_code"] == body["join_code"] == code
    assert service.spectator(match).get().get_json()["join_code"] is None
    assert code not in service.spectator(match).get("/events").text
    joined = Player(service.client, match, 0, body["token"])
    service.client.post(path, json={"join_code": code})
    assert joined.get().get_json()["status"] == "running"
    assert listed(service) == []


def test_a_public_match_takes_any_code(service: Service) -> None:
    waiting = service.create(ME, OPEN)
    assert service.client.post(f"/v1/matches/{waiting.match}/seats", json={"join_code": "x"}).status_code == 201


def test_guessing_codes_comes_to_an_end(service: Service) -> None:
    body = service.client.post("/v1/matches", json={"game": "toy", "seats": [ME, OPEN], "private": True}).get_json()
    path, code = f"/v1/matches/{body['match']['id']}/seats", body["join_code"]
    for _ in range(10):
        problem(service.client.post(path, json={"join_code": "23456789"}), "bad_join_code")
    response = service.client.post(path, json={"join_code": code})
    refused = problem(response, "too_many_guesses")
    assert 1 <= refused["retry_after_s"] <= 60
    assert response.headers["Retry-After"] == str(refused["retry_after_s"])
    for key in service.redis.keys("*:guesses"):
        assert 0 < service.redis.ttl(key) <= 60
        service.redis.delete(key)
    assert service.client.post(path, json={"join_code": code}).status_code == 201


# --- seats ------------------------------------------------------------------------------------------------------------


def change(player: Player, seat: int, **body: Any) -> Any:
    return player.open("PATCH", f"/v1/matches/{player.match}/seats/{seat}", json=body)


def leave(player: Player, seat: int, query: str = "") -> Any:
    return player.open("DELETE", f"/v1/matches/{player.match}/seats/{seat}{query}")


def test_two_take_the_same_seat_at_once(service: Service) -> None:
    waiting = service.create(ME, OPEN, OPEN)
    answers: list[int] = []

    def take() -> None:
        response = service.app.test_client().post(f"/v1/matches/{waiting.match}/seats", json={"seat": 1})
        answers.append(response.status_code)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == [201, 409, 409, 409, 409, 409]


def test_renaming(service: Service) -> None:
    one, two = service.table()
    body = change(two, 1, name="Bob").get_json()
    assert body["seats"][1]["name"] == "Bob"
    assert change(two, 1, name="Bob").get_json()["version"] == body["version"]
    assert change(two, 1).get_json()["version"] == body["version"]
    assert one.get("/events").get_json()["entries"][-1]["events"] == [{"type": "seat.renamed", "seat": 1, "name": "Bob"}]
    for name in ("x" * 41, "a\nb", 3, None):
        problem(change(two, 1, name=name), "invalid_request")


def test_handing_a_seat_over_and_taking_it_back(service: Service) -> None:
    one, two = service.table()
    body = change(two, 1, stand_in=2).get_json()
    assert body["seats"][1]["stand_in"] == 2
    assert body["awaiting"] == [0, 1]
    assert change(two, 1, name="Bob").get_json()["seats"][1]["stand_in"] == 2
    assert "stand_in" not in change(two, 1, stand_in=None).get_json()["seats"][1]
    change(two, 1, stand_in=2)
    assert "stand_in" not in two.play(two.first()).get_json()["seats"][1]
    problem(change(two, 1, stand_in=99), "unknown_level")
    finish([one, two])
    assert problem(change(two, 1, stand_in=2), "match_not_running")["match_status"] == "over"


def test_leaving_before_the_deal_opens_the_seat(service: Service) -> None:
    waiting = service.create(ME, OPEN, OPEN)
    joined = service.take(waiting.match)
    body = leave(joined, 1).get_json()
    assert (body["seat"], body["seats"][1]) == (None, {"seat": 1, "kind": "open", "name": ""})
    problem(joined.get(), "bad_token")
    problem(leave(joined, 1), "bad_token")
    assert service.take(waiting.match).seat == 1


def test_an_open_match_that_everybody_has_left_is_given_up(service: Service) -> None:
    waiting = service.create(ME, AI, OPEN)
    assert leave(waiting, 0).get_json()["status"] == "aborted"
    seats = f"/v1/matches/{waiting.match}/seats"
    problem(service.client.post(seats, json={}), "no_open_seat")
    spectator = service.spectator(waiting.match)
    assert "event: match.ended" in spectator.get("/events?stream=1").text
    assert spectator.get("/events?stream=1&after=2").status_code == 204
    assert "seed" not in spectator.get("/record").get_json()
    assert listed(service, "status=aborted") == [waiting.match]
    problem(spectator.get("/replay/1"), "match_not_over")


def test_who_leaves_a_running_match_is_followed_by_an_ai(service: Service) -> None:
    one, two = service.table()
    body = leave(two, 1, "?level=1").get_json()
    assert body["status"] == "running"
    assert body["seats"][1] == {"seat": 1, "kind": "ai", "name": "Player 1", "level": 1}
    problem(two.get(), "bad_token")
    problem(leave(one, 0, "?level=99"), "unknown_level")
    problem(leave(one, 0, "?level=x"), "invalid_request")
    one.post("/resignation", None)
    problem(leave(one, 0), "match_not_running")


def test_only_ones_own_seat(service: Service) -> None:
    players = service.table(3)
    version = players[0].get().get_json()["version"]
    for player in players:
        for seat in range(3):
            if seat != player.seat:
                problem(change(player, seat, name="Eve"), "not_your_seat")
                problem(leave(player, seat), "not_your_seat")
        problem(change(player, 3, name="Eve"), "seat_not_found")
        problem(leave(player, 99), "seat_not_found")
        problem(leave(player, -1), "not_found")
    spectator = service.spectator(players[0].match)
    problem(change(spectator, 0, name="Eve"), "seat_token_needed")
    problem(leave(spectator, 0), "seat_token_needed")
    assert players[0].get().get_json()["version"] == version


# --- beginning early --------------------------------------------------------------------------------------------------


def test_a_seated_player_begins_with_ais_in_the_empty_seats(service: Service) -> None:
    waiting = service.create(ME, OPEN, AI, OPEN)
    headers = {"Idempotency-Key": "now"}
    body = waiting.post("/start", {"level": 1}, headers=headers).get_json()
    assert body["status"] == "running"
    assert [seat.get("level") for seat in body["seats"]] == [None, 1, 3, 1]
    assert waiting.post("/start", {"level": 1}, headers=headers).get_json() == body
    assert problem(waiting.post("/start", {}), "match_not_open")["match_status"] == "running"


def test_who_may_not_begin(service: Service) -> None:
    waiting = service.create(ME, OPEN)
    problem(service.spectator(waiting.match).post("/start", {}), "seat_token_needed")
    problem(waiting.post("/start", {"level": 99}), "unknown_level")
    problem(waiting.post("/start", {"level": "1"}), "invalid_request")
    problem(Player(service.client, waiting.match, 0, "x").post("/start", {}), "bad_token")
    assert waiting.get().get_json()["status"] == "open"


# --- again ------------------------------------------------------------------------------------------------------------


def test_a_rematch_is_one_and_begins_when_all_have_come(service: Service) -> None:
    players = service.table(3, options={"bonus": True}, turn_seconds=60)
    problem(players[0].post("/rematch", None), "match_not_over")
    finish(players)
    response = players[1].post("/rematch", None)
    body = response.get_json()
    assert (response.status_code, body["seat"], body["token"]) == (201, 0, players[1].token)
    again = body["match"]
    assert (again["status"], again["rematch_of"], again["turn_seconds"]) == ("open", players[0].match, 60)
    assert again["options"] == {"bonus": True, "edition": "standard"}
    assert [seat["name"] for seat in again["seats"]] == ["Player 1", "Player 2", "Ada"]
    problem(service.client.post(f"/v1/matches/{again['id']}/seats", json={}), "no_open_seat")
    assert players[1].post("/rematch", None).get_json() == body
    assert players[0].get().get_json()["rematch"] == again["id"]
    assert players[0].get("/events").get_json()["entries"][-1]["events"] == [{"type": "match.rematch", "match": again["id"]}]
    assert players[2].post("/rematch", None).get_json()["match"]["status"] == "open"
    last = Player(service.client, again["id"], 2, players[0].token)
    assert last.get().get_json()["seat"] == 2
    problem(last.post("/start", {}), "not_your_seat")
    assert last.post("/seats", {}).get_json()["match"]["status"] == "running"
    problem(last.post("/seats", {}), "no_open_seat")
    assert last.get("/actions").get_json()["actions"]
    problem(Player(service.client, again["id"], 0, "x").post("/seats", {}), "bad_token")
    assert len(service.redis.keys("*:events")) == 2


def test_a_kept_seat_can_be_given_up_or_passed_over(service: Service) -> None:
    players = service.table(3)
    finish(players)
    again = players[0].post("/rematch", None).get_json()
    first = Player(service.client, again["match"]["id"], again["seat"], players[0].token)
    decliner = Player(service.client, first.match, 0, players[1].token)
    assert leave(decliner, 0).status_code == 200
    problem(players[1].post("/rematch", None), "bad_token")
    assert service.take(first.match).seat == 0
    begun = first.post("/start", {}).get_json()
    assert [seat["kind"] for seat in begun["seats"]] == ["me", "ai", "me"]
    problem(Player(service.client, first.match, 1, players[2].token).get(), "bad_token")


def test_everybody_asks_for_a_rematch_at_once(service: Service) -> None:
    players = service.table(4)
    finish(players)
    answers: list[Json] = []

    def ask(player: Player) -> None:
        own = Player(service.app.test_client(), player.match, player.seat, player.token)
        answers.append(own.post("/rematch", None).get_json())

    threads = [threading.Thread(target=ask, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len({answer["match"]["id"] for answer in answers}) == 1
    assert sorted(answer["seat"] for answer in answers) == [0, 1, 2, 3]
    assert Player(service.client, answers[0]["match"]["id"]).get().get_json()["status"] == "running"
    assert players[0].get("/events").get_json()["entries"][-1]["events"] == [
        {"type": "match.rematch", "match": answers[0]["match"]["id"]}
    ]


def test_a_rematch_against_ais_begins_at_once_and_stays_private(service: Service) -> None:
    one = service.create(ME, AI, private=True)
    one.post("/resignation", None)
    body = one.post("/rematch", None).get_json()
    assert (body["seat"], body["match"]["status"], body["match"]["private"]) == (1, "running", True)
    assert body["match"]["seed_hash"] != one.get().get_json()["seed_hash"]
    mine = listed(service, "mine=1", headers={"Authorization": f"Bearer {one.token}"})
    assert mine == [body["match"]["id"], one.match]
    assert listed(service) == []


# --- terms ------------------------------------------------------------------------------------------------------------


def test_a_chosen_seed_makes_a_match_unrated_for_all_to_see(service: Service) -> None:
    seed = "ab" * 32
    one, two = service.create(ME, AI, seed=seed), service.create(ME, AI, seed=seed, rated=False)
    for player in (one, two):
        body = service.spectator(player.match).get().get_json()
        assert (body["rated"], body["seeded"]) == (False, True)
    one.post("/resignation", None)
    assert one.get("/record").get_json()["seed"] == seed
    again = one.post("/rematch", None).get_json()["match"]
    assert (again["rated"], again["seeded"]) == (False, False)
    assert service.create(ME, AI, rated=False).get().get_json()["rated"] is False
    new = {"game": "toy", "seats": [ME, AI]}
    problem(service.client.post("/v1/matches", json={**new, "seed": seed, "rated": True}), "bad_options")
    for bad in ({"seed": "x"}, {"seed": "AB" * 32}, {"seed": 1}, {"rated": "no"}, {"private": 1}, {"expiry_seconds": 59}):
        problem(service.client.post("/v1/matches", json={**new, **bad}), "invalid_request")


def test_a_match_may_expire_sooner_than_usual(service: Service) -> None:
    one = service.create(ME, OPEN, expiry_seconds=90)
    [key] = service.redis.keys(f"*match:{one.match}")
    assert 80 < service.redis.ttl(key) <= 90
    service.take(one.match)
    assert 80 < service.redis.ttl(key) <= 90
    one.post("/resignation", None)
    assert service.redis.ttl(key) > 90
