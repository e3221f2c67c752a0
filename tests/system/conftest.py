"""One `clifftop serve` for all tests that leave it as it was; tests that kill start their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.system.serving import Serving


@pytest.fixture(scope="package", autouse=True)
def compiled() -> None:
    """Have the games compiled before anything waits for a server that does it."""
    subprocess.run([sys.executable, "-m", "service.cli", "warm"], check=True)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("serve")) as serving:
        yield serving
        assert serving.stop() == 0


@pytest.fixture
def client(server: Serving) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Serving]:
    with Serving(tmp_path / "data") as serving:
        yield serving
