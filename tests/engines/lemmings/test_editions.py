"""Editions of Lemmings: another deck works without new code; a broken file is refused with its key and reason."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engines.editions import BadEdition
from engines.game import BadOption, BadSeats
from engines.lemmings import GAME
from engines.lemmings.editions import EDITIONS, configure
from engines.lemmings.state import BACK, DOUBLE, STATE

SOURCE = Path("engines/lemmings/data/reconstruction.toml")


def written(tmp_path: Path, change: Callable[[str], str]) -> Path:
    path = tmp_path / "reconstruction.toml"
    path.write_text(change(SOURCE.read_text("utf-8")), "utf-8")
    return path


def test_the_reconstruction_has_sixty_cards():
    copies = EDITIONS["reconstruction"].data["copies"]
    assert sum(copies) == 60
    assert copies[:DOUBLE] == [4] * 6
    assert copies[DOUBLE:BACK] == [1] * 15
    assert copies[BACK:] == [6, 6, 4, 3, 2]


def test_copies_may_be_given_by_name(tmp_path: Path):
    path = written(
        tmp_path,
        lambda text: text.replace("double_forward = 1", 'double_forward = { "blue-white" = 2 }').replace(
            "\nforward = 4", "\nforward = { yellow = 5, black = 7 }"
        ),
    )
    copies = EDITIONS.load(path).data["copies"]
    assert copies[:DOUBLE] == [5, 0, 0, 0, 0, 7]
    assert copies[DOUBLE:BACK].count(2) == 1
    assert sum(copies[DOUBLE:BACK]) == 2


def test_tables_come_from_the_edition(tmp_path: Path):
    path = written(
        tmp_path, lambda text: text.replace("land_cards = 4", "land_cards = 6").replace("turn_limit = 400", "turn_limit = 9")
    )
    state = np.zeros(1, STATE)[0]
    state.seats = 2
    configure(state, EDITIONS.load(path), 2, {})
    assert (int(state.land_cards), int(state.turn_limit), int(state.hand_limit)) == (6, 9, 4)


@pytest.mark.parametrize(
    ("old", "new", "key", "why"),
    [
        ("land_cards = 4", "land_cards = 7", "land_cards", "less than or equal to 6"),
        ("land_cards = 4", "land_cards = true", "land_cards", "whole number"),
        ("land_cards = 4", "", "land_cards", "Missing"),
        ("hand_limit = 4", "hand_limit = 7", "hand_limit", "6"),
        ("start_hand = 2", "start_hand = 5", "start_hand", "at most hand_limit, 4"),
        ("turn_limit = 400", "turn_limit = 0", "turn_limit", "1"),
        ("back = 6", "back = 60", "deck", "has 114 cards; 13 (every start hand and one) to 90 are playable"),
        ("no_way = 3", "no_way = 13", "deck.no_way", "12"),
        ("\nforward = 4", "\nforward = { pink = 1 }", "deck.forward.pink", "is none of yellow, blue"),
        ("double_forward = 1", 'double_forward = { "white-blue" = 1 }', "deck.double_forward.white-blue", "is none of"),
        ("\nforward = 4", '\nforward = "many"', "deck.forward", "number of copies"),
        ('colour = "blue"', 'colour = "yellow"', "lemmings.1.colour", "already another lemming's"),
        ('name = "Rodent"', 'name = "Snowball"', "lemmings.1.name", "already another lemming's"),
        ('colour = "blue"', 'colour = "Blue"', "lemmings.1.colour", "small letters"),
        ("[deck]", "extra = 1\n[deck]", "lemmings.5.extra", "Unknown"),
        ("[deck]", '[[lemmings]]\ncolour = "pink"\nname = "X"\n[deck]', "lemmings", "6"),
    ],
)
def test_broken_editions_are_refused(tmp_path: Path, old: str, new: str, key: str, why: str):
    assert old in SOURCE.read_text("utf-8")
    with pytest.raises(BadEdition) as caught:
        EDITIONS.load(written(tmp_path, lambda text: text.replace(old, new, 1)))
    assert (caught.value.key, why in caught.value.reason) == (key, True), str(caught.value)


def test_options_and_seats():
    assert GAME.complete_options(6, {}) == {"edition": "reconstruction"}
    with pytest.raises(BadSeats, match="2 to 6"):
        GAME.complete_options(7, {})
    with pytest.raises(BadOption, match="no such option"):
        GAME.complete_options(2, {"expansion": True})


def test_the_rules_for_players_tell_every_card_and_the_deck():
    text = (SOURCE.parent / "rules.md").read_text("utf-8")
    for word in ("Back!", "Jump!", "Whoosh!", "No way!", "Chaos", "Forward", "Double forward", "very important rule"):
        assert word in text
    deck = tomllib.loads(SOURCE.read_text("utf-8"))["deck"]
    assert all(isinstance(count, int) for count in deck.values())
