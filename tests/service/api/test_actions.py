"""Legal actions, playing them, and every way in which a played action is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.api.conftest import Json, Player, Service, finish, problem

CHOOSE = {"type": "choose", "card": 1}
BACK = {"type": "take_back"}


def hand(player: Player) -> list[int]:
    return player.get().get_json()["view"]["players"][player.seat or 0]["hand"]


def choose(card: int) -> Json:
    return {"type": "choose", "card": card}


def test_legal_actions_with_a_sentence_each(service: Service) -> None:
    (one, _) = service.table()
    shown = one.get("/actions").get_json()
    position = one.get().get_json()
    assert (shown["version"], shown["seat"]) == (position["version"], 0)
    assert [item["action"] for item in shown["actions"]] == position["legal_actions"]
    assert shown["actions"][0]["text"].startswith("choose card")


def test_playing_answers_the_fresh_view(service: Service) -> None:
    (one, _) = service.table()
    response = one.play(one.first())
    assert response.status_code == 200
    assert response.data == one.get().data
    assert response.headers["ETag"] == one.get().headers["ETag"]
    assert response.get_json()["legal_actions"] == [BACK]


def test_a_sequence_is_one_version(service: Service) -> None:
    (one, _) = service.table()
    version, card = one.get().get_json()["version"], hand(one)[1]
    refused = problem(one.play(choose(card), BACK, choose(card)), "reveals")
    assert refused["index"] == 1
    assert one.get().get_json()["version"] == version
    assert one.play(choose(card)).get_json()["version"] == version + 1


def test_refusals_in_their_order(service: Service) -> None:
    waiting = service.create({"kind": "me"}, {"kind": "open"})
    bad = {"type": "fly"}
    spectator, forged = service.spectator(waiting.match), Player(service.client, waiting.match, 0, "forged")
    # body readable < match there < who are you < match running < your decision < version < action readable < action legal
    problem(Player(service.client, "x", 0, "forged").post("/actions", {"action": bad}), "invalid_request")
    problem(Player(service.client, "x", 0, "forged").play(bad), "match_not_found")
    problem(forged.play(bad), "bad_token")
    problem(spectator.play(bad), "seat_token_needed")
    assert problem(waiting.play(bad), "match_not_running")["match_status"] == "open"

    one, two, three = service.table(3)
    chosen = one.play(one.first()).get_json()
    problem(two.play(bad, version=0), "stale_version")
    problem(two.play(bad), "unreadable_action")
    missing = next(card for card in range(1, 13) if card not in hand(two))
    refused = problem(two.play(choose(missing)), "illegal_action")
    assert refused["legal_actions"] == two.get().get_json()["legal_actions"]
    assert refused["index"] == 0
    assert three.get().get_json()["version"] == chosen["version"]


UNREADABLE: list[Any] = [
    None,
    3,
    "choose",
    [],
    {},
    {"type": 1},
    {"type": "fly"},
    {"type": "choose"},
    {"type": "choose", "card": 0},
    {"type": "choose", "card": 13},
    {"type": "choose", "card": "1"},
    {"type": "choose", "card": True},
    {"type": "choose", "card": 1e300},
    {"type": "choose", "card": 10**30},
    {"type": "choose", "card": 1, "seat": 1},
    {"type": "play", "card": {"colour": "red", "value": 10}},
    {"type": "take_back", "card": 1},
]


@pytest.mark.parametrize("action", UNREADABLE, ids=repr)
def test_what_is_no_action_of_this_game(service: Service, action: Any) -> None:
    (one, _) = service.table()
    version = one.get().get_json()["version"]
    assert problem(one.play(action), "unreadable_action")["index"] == 0
    assert one.get().get_json()["version"] == version


BODIES: list[Any] = [
    {},
    [],
    {"actions": []},
    {"actions": {}},
    {"actions": [CHOOSE] * 65},
    {"actions": "choose"},
    {"actions": [CHOOSE], "version": "3"},
    {"actions": [CHOOSE], "version": -1},
    {"actions": [CHOOSE], "version": True},
    {"actions": [CHOOSE], "seat": 1},
]


@pytest.mark.parametrize("body", BODIES, ids=[str(number) for number in range(len(BODIES))])
def test_bodies_that_do_not_fit(service: Service, body: Any) -> None:
    (one, _) = service.table()
    problem(one.post("/actions", body), "invalid_request")


def test_nothing_is_played_after_the_end(service: Service) -> None:
    players = service.table()
    finish(players)
    version = players[0].get().get_json()["version"]
    assert problem(players[0].play(CHOOSE), "match_not_running")["match_status"] == "over"
    assert players[0].get().get_json()["version"] == version


# --- versions ---------------------------------------------------------------------------------------------------------


def test_another_seats_choice_makes_no_version_stale(service: Service) -> None:
    one, two = service.table()
    version = one.get().get_json()["version"]
    assert two.play(two.first(), version=version).status_code == 200
    assert one.play(one.first(), version=version).status_code == 200


def test_a_version_before_the_present_decision_is_stale(service: Service) -> None:
    one, two = service.table()
    version = one.get().get_json()["version"]
    one.play(one.first())
    two.play(two.first())
    fresh = one.get().get_json()["version"]
    refused = problem(one.play(one.first(), version=version), "stale_version")
    assert refused["version"] == fresh
    assert one.play(one.first(), version=fresh).status_code == 200


def test_if_match_says_the_same_as_the_version(service: Service) -> None:
    one, two = service.table()
    tag = one.get().headers["ETag"]
    action = one.first()
    for bad in ("3", '"3', "rubbish", '"1", "2"'):
        problem(one.play(action, headers={"If-Match": bad}), "invalid_request")
    problem(one.play(action, version=1, headers={"If-Match": tag}), "stale_version")
    assert one.play(action, version=int(tag.strip('"')), headers={"If-Match": tag}).status_code == 200
    two.play(two.first())
    problem(one.play(one.first(), headers={"If-Match": tag}), "stale_version")
    assert one.play(one.first(), headers={"If-Match": "*"}).status_code == 200


# --- dry runs ---------------------------------------------------------------------------------------------------------


def test_a_dry_run_says_only_that_it_is_legal(service: Service) -> None:
    one, two = service.table()
    one.play(one.first())
    version = two.get().get_json()["version"]
    response = two.play(two.first(), query_string={"dry_run": "true"})
    assert response.get_json() == {"legal": True, "version": version}
    assert two.get().get_json()["version"] == version
    missing = next(card for card in range(1, 13) if card not in hand(two))
    problem(two.post("/actions?dry_run=1", {"actions": [choose(missing)]}), "illegal_action")
    problem(two.post("/actions?dry_run=perhaps", {"actions": [two.first()]}), "invalid_request")


# --- the same request again -------------------------------------------------------------------------------------------


def test_the_same_request_plays_once_and_is_answered_the_same(service: Service) -> None:
    one, two = service.table()
    card = choose(hand(one)[0])
    headers = {"Idempotency-Key": "move 1"}
    first = one.play(card, headers=headers)
    two.play(two.first())
    again = one.play(card, headers=headers)
    assert (first.status_code, first.data, first.headers["ETag"]) == (again.status_code, again.data, again.headers["ETag"])
    problem(one.play(choose(hand(one)[0]), headers=headers), "request_reused")
    assert one.get().get_json()["version"] == first.get_json()["version"] + 1


def test_two_seats_may_use_the_same_key(service: Service) -> None:
    one, two = service.table()
    headers = {"Idempotency-Key": "move 1"}
    assert one.play(one.first(), headers=headers).status_code == 200
    assert two.play(two.first(), headers=headers).status_code == 200
