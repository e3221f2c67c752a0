"""Editions and boards of Lemminge, good and bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.editions import BadEdition
from engines.lemminge.boards import Board
from engines.lemminge.editions import DATA, EDITIONS

TOML = (DATA / "reconstruction.toml").read_text("utf-8").replace('edition = "reconstruction"', 'edition = "mine"')
LINE = "> . ! \n"


def load(folder: Path, toml: str = TOML, **boards: str):
    """Load an edition file `mine.toml`, with boards beside it if any are given."""
    (folder / "mine.toml").write_text(toml, "utf-8")
    for name, text in boards.items():
        (folder / "boards").mkdir(exist_ok=True)
        (folder / "boards" / f"{name}.txt").write_text(text, "utf-8")
    return EDITIONS.load(folder / "mine.toml")


def refusal(folder: Path, toml: str = TOML, **boards: str) -> BadEdition:
    with pytest.raises(BadEdition) as refused:
        load(folder, toml, **boards)
    return refused.value


def test_the_reconstruction():
    data = EDITIONS["reconstruction"].data
    assert 5 * sum(data["cards"].values()) == 55
    assert 5 * data["bonus_tiles"]["per_terrain"] + data["bonus_tiles"]["meadow"] == 21
    assert sorted(data["boards"]) == ["horseshoe", "sprint"]


def test_an_edition_without_boards_of_its_own_uses_ours(tmp_path: Path):
    assert sorted(load(tmp_path).data["boards"]) == ["horseshoe", "sprint"]


def test_an_edition_may_bring_boards(tmp_path: Path):
    edition = load(tmp_path, TOML.replace("horseshoe", "line"), line=LINE, bent="# > #\n F . !\n")
    assert sorted(edition.data["boards"]) == ["bent", "line"]
    assert Board("bent", (("#", ">", "#"), ("F", ".", "!"))).pen_distance == 2


def test_terrains_may_have_letters_that_are_not_initials(tmp_path: Path):
    toml = TOML.replace('["forest", "water", "mountain", "swamp", "desert"]', '["Wald", "Wasser", "Berg", "Sumpf", "Düne"]')
    assert refusal(tmp_path, toml).key == "letters"
    edition = load(tmp_path, 'letters = ["F", "W", "M", "S", "D"]\n' + toml)
    assert edition.data["terrains"][1] == "Wasser"


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("2 = 3", "2 = 0", "cards", "needs a 2"),
        ("0 = 2", "0 = 3", "cards", "has 2 zeros"),
        ("4 = 1", "5 = 1", "cards", "one count for each value 0, 1, 2, 3, 4"),
        ("1 = 3", "1 = 9", "cards", "are 85 cards in all; the maximum is 80"),
        ("1 = 3", "1 = 'x'", "cards.1.value", "Not a valid integer"),
        ("meadow = 6", "meadow = 20", "bonus_tiles", "are 35 tiles in all; the maximum is 32"),
        ("stalemate_turns = 60", "stalemate_turns = 0", "stalemate_turns", "greater than or equal to 1"),
        ('"desert"', '"forest"', "terrains", "5 different names"),
        ('"desert"', '"meadow"', "terrains", "5 different names"),
        ('"horseshoe"', '"moon"', "default_board", "there is no board 'moon'; there is horseshoe, sprint"),
    ],
)
def test_bad_tables(tmp_path: Path, old: str, new: str, key: str, reason: str):
    refused = refusal(tmp_path, TOML.replace(old, new))
    assert refused.key == key
    assert reason in refused.reason
    assert refused.file.endswith("mine.toml")


def test_too_few_cards_for_five(tmp_path: Path):
    toml = TOML.replace("1 = 3", "1 = 0").replace("2 = 3", "2 = 1").replace("3 = 2", "3 = 0")
    assert "5 piles and 5 hands need 25" in refusal(tmp_path, toml).reason


@pytest.mark.parametrize(
    ("board", "key", "reason"),
    [
        ("> . !\n . Q .\n", "row 1, column 1", "there is no 'Q'; there is F W M S D for terrain"),
        ("> # .\n # # !\n", "row 0, column 0", "there is no way from the pen to the finish"),
        ("> . ! # F\n", "row 0, column 4", "there is no way from this space to the finish"),
        (". . !\n", "", "has no pen cells"),
        ("> . .\n", "", "has no finish"),
        ("> !\n", "", "has no spaces"),
        ("> " + ". " * 127 + "!\n", "", "has more than 100 rows or columns"),
        ("> " + ". " * 60 + "!\n# " + ". " * 60 + "#\n" + "# " + ". " * 60 + "#\n", "", "has 180 spaces; the maximum is 126"),
        ("> " * 7 + ". !\n", "", "has 7 pen cells; the maximum is 6"),
    ],
)
def test_bad_boards(tmp_path: Path, board: str, key: str, reason: str):
    refused = refusal(tmp_path, TOML.replace("horseshoe", "line"), line=LINE, other=board)
    assert refused.key == key
    assert reason in refused.reason
    assert refused.file.endswith("other.txt")


def test_a_board_that_is_no_text(tmp_path: Path):
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "bad.txt").write_bytes(b"\xff\xfe")
    assert "not a readable text file" in refusal(tmp_path).reason
