"""The OpenAPI document: valid, up to date, and complete."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import validate

from engines import GAMES as ALL
from service import api, openapi
from service.errors import PROBLEMS
from tests.service.api.conftest import GAMES, Service


@pytest.fixture(scope="module")
def spec() -> dict[str, Any]:
    return json.loads(openapi.text(GAMES))


def test_valid(spec: dict[str, Any]) -> None:
    assert spec["openapi"].startswith("3.1.")
    validate(spec)


def test_checked_in_file_is_up_to_date() -> None:
    assert openapi.FILE.read_text("utf-8") == openapi.text(ALL), "run: python -m service.openapi"


def test_the_command_writes_and_checks(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openapi, "FILE", tmp_path / "openapi" / "openapi.json")
    assert openapi.main(["--check"]) == 1
    assert openapi.main([]) == 0
    assert openapi.main(["--check"]) == 0
    validate(json.loads(openapi.FILE.read_text("utf-8")))


def test_the_service_serves_it(service: Service, spec: dict[str, Any]) -> None:
    assert service.client.get("/openapi.json").get_json() == spec


def test_every_route_is_in_it(service: Service, spec: dict[str, Any]) -> None:
    unlisted = {"/", "/problems", "/docs", "/docs/{name}", "/openapi.json", "/static/{filename}"}
    routes = set()
    for rule in service.app.url_map.iter_rules():
        path = "".join(f"{{{word}}}" if dynamic else word for dynamic, word in rule._trace)[1:].replace("|", "")
        routes |= {(path, method.lower()) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"} if path not in unlisted}
    listed = {(path, method) for path, item in spec["paths"].items() for method in item if method != "parameters"}
    assert listed == routes


def test_every_operation_has_an_id_a_summary_and_its_refusals(spec: dict[str, Any]) -> None:
    ids = []
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            ids.append(operation["operationId"])
            assert operation["summary"]
            assert "500" in operation["responses"]
            if "{" in path:
                assert "404" in operation["responses"]
            if "requestBody" in operation:
                assert {"400", "413", "415", "422"} <= set(operation["responses"])
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("path", "method", "names"),
    [
        ("/v1/matches/{match_id}", "get", {"wait", "If-None-Match"}),
        ("/v1/matches/{match_id}/actions", "post", {"dry_run", "Idempotency-Key", "If-Match"}),
        ("/v1/matches/{match_id}/events", "get", {"after", "cursor", "limit", "wait", "stream", "Last-Event-ID"}),
        ("/v1/matches/{match_id}/replay/{version}", "get", {"seat", "If-None-Match"}),
    ],
)
def test_headers_do_not_hide_the_query(spec: dict[str, Any], path: str, method: str, names: set[str]) -> None:
    assert {parameter["name"] for parameter in spec["paths"][path][method]["parameters"]} == names


def test_every_code_is_answered_somewhere(spec: dict[str, Any]) -> None:
    documented = set()
    for item in spec["paths"].values():
        for method, operation in item.items():
            for status, response in operation["responses"].items() if method != "parameters" else ():
                for code in response.get("content", {}).get("application/problem+json", {}).get("examples", {}):
                    assert PROBLEMS[code].status == int(status)
                    documented.add(code)
    # Of an address or a request as such, not of an operation.
    assert set(PROBLEMS) - documented <= {"bad_request", "not_found", "method_not_allowed"}


def test_every_type_of_action_has_an_example(spec: dict[str, Any]) -> None:
    content = spec["paths"]["/v1/matches/{match_id}/actions"]["post"]["requestBody"]["content"]["application/json"]
    assert set(content["examples"]) == {"toy.choose", "toy.take_back"}
    assert {"type": "take_back"} in spec["components"]["schemas"]["Action"]["examples"]


def test_it_needs_no_store() -> None:
    assert "paths" in api.install(Flask("only the document")).to_dict()
