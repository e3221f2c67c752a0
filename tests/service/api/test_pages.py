"""The pages for people: they ask nothing of other addresses, and their links lead somewhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from service.errors import PROBLEMS
from tests.service.api.conftest import Player, Service

PAGES = ["/", "/problems", "/docs"]


class Page(HTMLParser):
    """Collects what a page refers to, and how it is built."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: dict[str, dict[str, str | None]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.attributes.setdefault(tag, found)
        self.addresses += [value for name, value in attrs if name in ("href", "src") and value]
        if found.get("id"):
            self.ids.append(str(found["id"]))


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_whole_and_self_contained(service: Service, path: str) -> None:
    response = service.client.get(path)
    assert response.status_code == 200
    assert response.mimetype == "text/html"
    page = Page(response.text)
    assert page.attributes["html"]["lang"] == "en"
    assert "title" in page.tags
    assert len(page.ids) == len(set(page.ids))
    for address in page.addresses:
        assert not re.match(r"https?:|//", address), address
        if address.startswith("#"):
            assert address[1:] in page.ids
        elif not address.startswith("data:"):
            with service.client.get(address) as target:
                assert target.status_code == 200, address
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


def test_styles_and_scripts_of_ours_name_no_address(service: Service) -> None:
    for name in ("style.css", "docs.js"):
        with service.client.get(f"/static/{name}") as response:
            assert not re.search(r"https?://|@import", response.text)


def test_headings_and_landmarks(service: Service) -> None:
    page = Page(service.client.get("/").text)
    assert [tag for tag in page.tags if tag in ("header", "main", "footer")] == ["header", "main", "footer"]
    headings = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))
    assert page.attributes["svg"]["aria-label"]


def test_the_commands_on_the_front_page_work(service: Service) -> None:
    text = service.client.get("/", base_url="http://localhost:8080").text.replace("&#34;", '"').replace("&#39;", "'")
    assert "curl -s http://localhost:8080/v1/matches" in text
    bodies = [json.loads(body) for body in re.findall(r"-d '(\{.*?\})'", text)]
    created = service.client.post("/v1/matches", json=bodies[0])
    assert created.status_code == 201
    match, token = created.get_json()["match"], created.get_json()["token"]
    assert set(bodies[1]["actions"][0]) == set(match["legal_actions"][0])
    player = Player(service.client, match["id"], 0, token)
    assert player.play(match["legal_actions"][0]).status_code == 200


def test_every_code_is_explained(service: Service) -> None:
    page = Page(service.client.get("/problems").text)
    assert set(PROBLEMS) <= set(page.ids)
