"""What the README says is so: its settings, its files, its links. (Its commands are run by `tests/system`.)"""

from __future__ import annotations

import re
import subprocess
from dataclasses import fields
from pathlib import Path

from service.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def test_the_table_of_settings_is_complete_and_right() -> None:
    rows = re.findall(r"^\| `(CLIFFTOP_\w+)` \| (?:`([^`]+)`)? ?\|", README, re.MULTILINE)
    real = [(PREFIX + entry.name.upper(), "" if entry.default is None else str(entry.default)) for entry in fields(Settings)]
    assert sorted(rows) == sorted(real)


def test_every_file_it_names_is_there() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [f"/{name}" for name in listed.split()]
    for text in (README, (ROOT / "CONTRIBUTING.md").read_text()):
        for name in re.findall(r"`([a-z]+/[\w./]*|\w+\.(?:py|lua|yaml|md|lock|toml))`", text):
            assert any(f"/{name}" in file for file in files), name


def test_the_makefile_has_every_command_it_names() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for text in (README, (ROOT / "CONTRIBUTING.md").read_text()):
        for target in re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
