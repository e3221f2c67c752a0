"""The edition book: where files are looked for, and how bad ones are refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import GAMES, editions
from engines.editions import BadEdition, EditionBook, flatten
from tests.toy import EditionSchema


@pytest.fixture
def no_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "_FOLDERS", [])


def book(data: Path) -> EditionBook:
    return EditionBook("toy", data, EditionSchema)


def test_an_edition_in_an_added_folder_is_found(tmp_path: Path, no_folders: None):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "standard.toml").write_text('edition = "standard"')
    (tmp_path / "more" / "toy").mkdir(parents=True)
    (tmp_path / "more" / "toy" / "printed.toml").write_text('edition = "printed"')
    found = book(tmp_path / "data")
    assert set(found) == {"standard"}
    editions.add_folder(tmp_path / "more")
    assert set(found) == {"standard", "printed"}
    assert found.by_word(found["printed"].word) is found["printed"]


def test_a_missing_folder_is_refused(tmp_path: Path, no_folders: None):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        editions.add_folder(tmp_path / "nowhere")


def test_the_digest_is_over_the_data_not_the_layout(tmp_path: Path, no_folders: None):
    path = tmp_path / "standard.toml"
    path.write_text('edition = "standard"')
    first = book(tmp_path).load(path)
    path.write_text('# a comment\n\nedition   =   "standard"\n')
    assert book(tmp_path).load(path).digest == first.digest


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("edition = ", "", "is not readable TOML"),
        ("", "edition", "Missing data"),
        ("edition = 3", "edition", "Not a valid string"),
        ('edition = "other"', "edition", "the file is called bad.toml"),
        ('edition = "bad"\nnew = 1', "new", "Unknown field"),
    ],
)
def test_a_bad_file_is_refused_with_file_key_and_reason(tmp_path: Path, no_folders: None, text: str, key: str, reason: str):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadEdition) as refused:
        list(book(tmp_path))
    assert refused.value.file == str(path)
    assert refused.value.key == key
    assert reason in refused.value.reason


def test_a_file_that_is_no_text_is_refused(tmp_path: Path, no_folders: None):
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadEdition, match="not readable"):
        list(book(tmp_path))


def test_two_editions_of_one_name_are_refused(tmp_path: Path, no_folders: None):
    for folder in (tmp_path / "data", tmp_path / "more" / "toy"):
        folder.mkdir(parents=True)
        (folder / "standard.toml").write_text('edition = "standard"')
    editions.add_folder(tmp_path / "more")
    with pytest.raises(BadEdition, match="already"):
        list(book(tmp_path / "data"))


def test_complaints_are_flattened_to_a_dotted_key():
    assert flatten({"cards": {3: {"who": ["Unknown."]}}}) == ("cards.3.who", "Unknown.")
    assert flatten({"_schema": ["Wrong."]}) == ("", "Wrong.")


def assert_holds(data: Any, raw: Any, key: str) -> None:
    """Check that loaded data has all that a file says, under the file's own keys."""
    if isinstance(raw, dict):
        for name, inner in raw.items():
            assert name in data, f"{key}.{name} is called otherwise"
            assert_holds(data[name], inner, f"{key}.{name}")
    elif isinstance(raw, list):
        assert len(data) == len(raw), key
        for n, inner in enumerate(raw):
            assert_holds(data[n], inner, f"{key}.{n}")
    else:
        assert data == raw, key


@pytest.mark.parametrize("name", GAMES)
def test_an_edition_is_shown_with_the_keys_of_its_file(name: str) -> None:
    book = GAMES[name].editions
    for edition in book.values():
        file = book.folder / f"{edition.name}.toml"
        assert_holds(json.loads(json.dumps(edition.data)), tomllib.loads(file.read_text("utf-8")), edition.name)
