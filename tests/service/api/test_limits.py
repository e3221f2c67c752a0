"""Limits: counted for each key and address, told in every answer, refused with which it was; none unless they are set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis

from service.limits import Limit, Limiter, whose
from service.matches import SetClock
from service.settings import Settings
from tests.service.api.conftest import Service, opened, problem

ME = {"kind": "me", "name": "Ada"}
OPEN = {"kind": "open"}


@contextmanager
def limited(redis_url: str, redis: Redis, **limits: int) -> Iterator[tuple[Service, SetClock]]:
    clock = SetClock()
    with opened(Settings(redis_url=redis_url, **limits), redis, clock=clock) as service:  # type: ignore[arg-type]
        yield service, clock


def test_there_are_none_unless_they_are_set(service: Service, redis: Redis) -> None:
    player = service.create(ME, OPEN)
    for _ in range(50):
        response = player.get()
        assert response.status_code == 200
        assert "RateLimit" not in response.headers
    assert redis.keys("{limit:*") == []


def test_a_key_has_so_many_requests_a_minute(redis_url: str, redis: Redis) -> None:
    with limited(redis_url, redis, limit_key_per_minute=3) as (service, clock):
        one, other = service.create(ME, OPEN), service.create(ME, OPEN)
        for left in (2, 1, 0):
            response = one.get()
            assert response.status_code == 200
            assert response.headers["RateLimit-Policy"] == '"key";q=3;w=60'
            assert response.headers["RateLimit"].startswith(f'"key";r={left};t=')
        response = one.get()
        body = problem(response, "rate_limited")
        assert (body["limit"], body["retry_after_s"]) == ("key", 20)
        assert response.headers["Retry-After"] == "20"
        assert response.headers["RateLimit"] == '"key";r=0;t=20'
        assert other.get().status_code == 200
        assert service.spectator(one.match).get().status_code == 200
        clock.move(19)
        problem(one.get(), "rate_limited")
        clock.move(1)
        assert one.get().status_code == 200
        problem(one.get(), "rate_limited")
        clock.move(60)
        assert [one.get().status_code for _ in range(4)] == [200, 200, 200, 429]


def test_an_address_has_so_many_whatever_keys_it_sends(redis_url: str, redis: Redis) -> None:
    with limited(redis_url, redis, limit_address_per_minute=5) as (service, _):
        player = service.create(ME, OPEN)
        for token in ("x", "y", None, player.token):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            assert service.client.get(f"/v1/matches/{player.match}", headers=headers).status_code in (200, 401)
        assert problem(player.get(), "rate_limited")["limit"] == "address"
        elsewhere = {"REMOTE_ADDR": "198.51.100.7"}
        assert service.client.get("/v1/games", environ_overrides=elsewhere).status_code == 200
        assert service.client.get("/healthz").status_code == 200
        assert service.client.get("/openapi.json").status_code == 200


@pytest.mark.parametrize(
    ("limit", "path", "body"),
    [
        ("matches", "/v1/matches", {"game": "toy", "seats": [ME, OPEN]}),
        ("bots", "/v1/bots", {"name": "no", "games": []}),
    ],
)
def test_an_address_makes_so_many_an_hour(redis_url: str, redis: Redis, limit: str, path: str, body: Any) -> None:
    with limited(redis_url, redis, **{f"limit_{limit}_per_hour": 2}) as (service, clock):
        for _ in range(2):
            assert service.client.post(path, json=body).status_code in (201, 422)
        assert problem(service.client.post(path, json=body), "rate_limited")["limit"] == limit
        assert service.client.get("/v1/matches").status_code == 200
        clock.move(30 * 60)
        assert service.client.post(path, json=body).status_code in (201, 422)


def test_nobody_is_believed_about_addresses_but_the_proxy(redis_url: str, redis: Redis) -> None:
    def ask(service: Service, forwarded: str) -> int:
        return service.client.get("/v1/games", headers={"X-Forwarded-For": forwarded}).status_code

    with limited(redis_url, redis, limit_address_per_minute=1) as (service, _):
        assert [ask(service, address) for address in ("192.0.2.1", "192.0.2.2")] == [200, 429]
    redis.flushall()
    with limited(redis_url, redis, limit_address_per_minute=1, trusted_proxies=1) as (service, _):
        assert [ask(service, address) for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1, 192.0.2.2")] == [200, 200, 429]


def test_whose_an_address_is() -> None:
    assert whose("192.0.2.1") == whose("::ffff:192.0.2.1") == "192.0.2.1"
    assert whose("2001:db8::1") == whose("2001:db8::ffff:1") == "2001:db8::/64"
    assert whose(None) == whose("nonsense") == "unknown"


def test_a_bucket_holds_a_burst_and_fills_evenly(redis: Redis) -> None:
    clock = SetClock()
    limiter = Limiter(redis, Settings(limit_key_per_minute=60, limit_address_per_minute=6), clock)
    assert limiter.limits["key"] == Limit("key", 60, 60)
    burst = [limiter.count({"key": "k", "address": "a"}) for _ in range(7)]
    assert [[standing.allowed for standing in both] for both in burst] == [[True, True]] * 6 + [[True, False]]
    assert [both[0].left for both in burst] == [59, 58, 57, 56, 55, 54, 53]
    assert [both[1].left for both in burst] == [5, 4, 3, 2, 1, 0, 0]
    for _ in range(100):
        clock.move(10)
        assert limiter.count({"address": "a"})[0].allowed
        assert not limiter.count({"address": "a"})[0].allowed
    assert limiter.count({"bots": "a"}) == []
    redis.script_flush()
    assert limiter.count({"key": "k"})[0].left == 59
