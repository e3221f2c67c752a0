"""Whatever goes wrong is answered as a problem with a stable code, and an unforeseen fault says nothing about itself."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import pytest

import service as package
from service.errors import PROBLEMS
from service.matches import errors as match_errors
from tests.service.api.conftest import Service, problem


def test_every_error_of_the_matches_has_its_status() -> None:
    codes = {error.code for error in match_errors.MatchError.__subclasses__()}
    assert codes
    assert codes <= set(PROBLEMS)


def test_every_code_used_in_the_source_is_in_the_table() -> None:
    used: set[str] = set()
    for path in Path(package.__file__).parent.rglob("*.py"):
        used |= set(re.findall(r'(?:Problem|answer)\(\s*"(\w+)"', path.read_text("utf-8")))
    assert used
    assert used <= set(PROBLEMS)


def test_unknown_address(service: Service) -> None:
    problem(service.client.get("/v2/anything"), "not_found")
    problem(service.client.get("/v1/matches/"), "not_found")


METHODS = [("POST", "/v1/games"), ("DELETE", "/v1/matches/x"), ("PUT", "/"), ("TRACE", "/v1/games")]


@pytest.mark.parametrize(("method", "path"), METHODS)
def test_unknown_method_lists_the_known_ones(service: Service, method: str, path: str) -> None:
    response = service.client.open(path, method=method)
    problem(response, "method_not_allowed")
    assert "OPTIONS" in response.headers["Allow"]


BODIES: list[tuple[bytes, str]] = [
    (b"", "malformed_json"),
    (b"{", "malformed_json"),
    (b"\xff\xfe{}", "malformed_json"),
    (b'{"game": NaN}', "malformed_json"),
    (b'{"game": 1e999}', "malformed_json"),
    (b'{"game": "\\ud800"}', "malformed_json"),
    (b"[" * 30_000, "malformed_json"),
    (b"9" * 5_000, "malformed_json"),
    (b"[]", "invalid_request"),
    (b"null", "invalid_request"),
    (b'"text"', "invalid_request"),
    (b"{}", "invalid_request"),
]


@pytest.mark.parametrize("path", ["/v1/matches", "/v1/matches/{match}/actions"])
@pytest.mark.parametrize(("body", "code"), BODIES, ids=[repr(body[:12]) for body, _ in BODIES])
def test_unreadable_bodies(service: Service, path: str, body: bytes, code: str) -> None:
    player = service.create({"kind": "me"}, {"kind": "open"})
    response = player.open("POST", path.format(match=player.match), data=body, content_type="application/json")
    problem(response, code)


@pytest.mark.parametrize("path", ["/v1/matches", "/v1/matches/{match}/seats", "/v1/matches/{match}/actions"])
def test_other_media_types(service: Service, path: str) -> None:
    player = service.create({"kind": "me"}, {"kind": "open"})
    for kind in (None, "text/plain", "application/x-www-form-urlencoded"):
        problem(player.open("POST", path.format(match=player.match), data=b"{}", content_type=kind), "unsupported_media_type")


@pytest.mark.parametrize("path", ["/v1/matches", "/v1/matches/{match}/seats", "/v1/matches/{match}/actions"])
def test_oversized_body(service: Service, path: str) -> None:
    player = service.create({"kind": "me"}, {"kind": "open"})
    body = b'{"actions": ["' + b"x" * 70_000 + b'"]}'
    response = player.open("POST", path.format(match=player.match), data=body, content_type="application/json")
    refused = problem(response, "body_too_large")
    assert refused["limit_bytes"] == 64 * 1024


def test_a_fault_is_logged_and_says_nothing(service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    def fail(*args: Any) -> None:
        raise RuntimeError("a hidden card: red 10")

    monkeypatch.setattr(service.matches, "ping", fail)
    with caplog.at_level(logging.ERROR):
        response = service.client.get("/readyz")
    problem(response, "internal_error")
    assert "red 10" not in response.text
    assert "red 10" in caplog.text
