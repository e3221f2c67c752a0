"""Ratings over HTTP: lists by cursor, histories, and refusals."""

from __future__ import annotations

import pytest

from service.ratings import Ratings
from tests.service.api.conftest import Service, problem
from tests.service.ratings.test_ratings import played


@pytest.fixture
def rated(service: Service) -> Service:
    ratings = Ratings(service.matches)
    for levels in ((1, 2), (1, 3), (2, 3), (1, 2)):
        ratings.rate(played(service.matches, *levels))
    return service


def test_nobody_is_rated_at_first(service: Service) -> None:
    assert service.client.get("/v1/games/toy/ratings").get_json() == {"ratings": [], "next": None}
    problem(service.client.get("/v1/games/toy/ratings/ai:1"), "rating_not_found")


def test_the_ranking_and_its_pages(rated: Service) -> None:
    whole = rated.client.get("/v1/games/toy/ratings").get_json()
    assert whole["next"] is None
    assert {one["who"] for one in whole["ratings"]} == {"ai:1", "ai:2", "ai:3"}
    assert sum(one["matches"] for one in whole["ratings"]) == 8
    first = rated.client.get("/v1/games/toy/ratings?limit=2").get_json()
    rest = rated.client.get("/v1/games/toy/ratings", query_string={"limit": 2, "cursor": first["next"]}).get_json()
    assert first["ratings"] + rest["ratings"] == whole["ratings"]
    for one in whole["ratings"]:
        low, high = one["interval"]
        assert low < one["mu"] < high


def test_a_history_and_its_pages(rated: Service) -> None:
    address = "/v1/games/toy/ratings/ai:1"
    whole = rated.client.get(address).get_json()
    assert len(whole["history"]) == whole["matches"] == 3
    assert whole["history"][0]["after"]["mu"] == whole["mu"]
    found, cursor = [], None
    while True:
        page = rated.client.get(address, query_string={"limit": 1, **({"cursor": cursor} if cursor else {})}).get_json()
        found += page["history"]
        cursor = page["next"]
        if cursor is None:
            break
    assert found == whole["history"]


@pytest.mark.parametrize("cursor", ["x", "1:ai:1", "é~00000000", "1:ai:1~0000000g"])
def test_what_is_no_cursor(rated: Service, cursor: str) -> None:
    problem(rated.client.get("/v1/games/toy/ratings", query_string={"cursor": cursor}), "invalid_request")


def test_cursors_of_other_lists(rated: Service) -> None:
    history = rated.client.get("/v1/games/toy/ratings/ai:1?limit=1").get_json()["next"]
    ranking = rated.client.get("/v1/games/toy/ratings?limit=1").get_json()["next"]
    for path, cursor in (("", history), ("/ai:1", ranking), ("/ai:2", history), ("", "1:ai:1~00000000")):
        problem(rated.client.get(f"/v1/games/toy/ratings{path}", query_string={"cursor": cursor}), "bad_cursor")
    problem(rated.client.get("/v1/games/chess/ratings"), "game_not_found")
