"""Every test that takes `game` runs for each registered game, and for the toy, which checks the suite itself."""

from __future__ import annotations

import pytest

from engines import PACKAGES, Registry

TESTED = {**PACKAGES, "toy": "tests.toy"}
REGISTRY = Registry(TESTED)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", list(TESTED), indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest):
    return REGISTRY[request.param]
