"""Dockerfile and compose.yaml: linted, private, and saying only what the code knows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return data


def test_hadolint_has_nothing_to_say() -> None:
    answer = subprocess.run(
        [Path(sys.executable).parent / "hadolint", "--no-color", "--failure-threshold", "style", ROOT / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stdout) == (0, "")


def test_the_image_runs_as_nobody_in_particular_and_is_watched() -> None:
    last_stage = DOCKERFILE.rsplit("\nFROM ", 1)[1]
    assert re.search(r"^USER \d{4,}$", last_stage, re.MULTILINE)
    assert "HEALTHCHECK" in last_stage
    assert "RUN clifftop warm" in last_stage


def test_the_build_sees_all_that_is_copied_and_no_more() -> None:
    copied = {name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()}
    let_through = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert copied == let_through
    assert all((ROOT / name).exists() for name in copied)


def test_environment_and_commands_are_known(compose: dict[str, Any]) -> None:
    image = dict(re.findall(r"(CLIFFTOP_\w+)=(\S+)", DOCKERFILE))
    for name in ("api", "worker", "sweeper"):
        service = compose["services"][name]
        assert Settings.from_environment({**image, **service["environment"]}).redis_url == "redis://valkey:6379/0"
        assert service["image"] == "clifftop"
        command = service.get("command", ["clifftop", "--help"])
        answer = subprocess.run([sys.executable, "-m", "service.cli", *command[1:], "--help"], capture_output=True, check=False)
        assert (command[0], answer.returncode) == ("clifftop", 0)


def test_workers_are_scaled_and_redis_is_out_of_reach(compose: dict[str, Any]) -> None:
    assert compose["services"]["worker"]["deploy"]["replicas"] >= 2
    valkey = compose["services"]["valkey"]
    assert "ports" not in valkey
    assert [compose["networks"][name] for name in valkey["networks"]] == [{"internal": True}]
    assert valkey["command"][1:3] == ["--appendonly", "yes"]


def test_the_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    packages = tracked("engines", "ai", "service", "worker")
    source = tmp_path / "source"
    for name in [*packages, "pyproject.toml", "README.md"]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", tmp_path, source], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert set(packages) - set(zipfile.ZipFile(wheel).namelist()) == set()


def tracked(*folders: str) -> list[str]:
    """Return the files of folders that belong to the project."""
    answer = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return answer.stdout.split()
