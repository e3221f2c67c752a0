"""Editions: another printed game is one TOML file; a wrong one is refused with file, key and reason."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engines import editions
from engines.editions import BadEdition
from engines.last_lemming import GAME
from engines.last_lemming.editions import EDITIONS
from tests.engines.last_lemming.worlds import census

RECONSTRUCTION = (Path(editions.__file__).parent / "last_lemming" / "data" / "reconstruction.toml").read_text("utf-8")

OTHER = """
edition = "alps"
characters = ["Anna", "Beat", "Carl", "Dora", "Emil", "Fritz"]
start_points = 7

[cards]
colours = ["rose", "fern", "sky", "coal", "snow"]
values = [6, -7, 0, 20, 1, 2, 3, 15]
x = 40

[track]
pieces = [
  { first = 1,  last = 9,  holes = { A = [2], B = [] }, fork = { from = 3, to = 8, short = ["hole", "hole"] } },
  { first = 10, last = 30, holes = { A = [], B = [11, 12] } },
]

[scoring]
"3-4" = [[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [20, 0, 0, 0]]
"5-6" = [[5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0], [5, 4, 3, 2, 1, 0]]

[[rule_cards]]
number = 40
sides = "AB"
wins = "lowest"
steps = [
  { who = "all", by = "winner", sign = "either" },
  { who = "chosen", by = "previous", sign = "minus" },
  { who = "foremost", by = "next_behind" },
]
[[rule_cards]]
number = 41
sides = "BB"
steps = [{ who = "rearmost", by = "picked", sign = "either" }]
[[rule_cards]]
number = 42
sides = "BA"
steps = [{ who = "chosen_other", by = "next_ahead" }, { who = "followers", by = "picked" }]
[[rule_cards]]
number = 99
sides = "AA"
steps = [{ who = "highest", by = 20 }, { who = "lowest", by = "count", sign = "either" }, { who = "chosen", by = "own" }]
[[rule_cards]]
number = 7
players = [2]
sides = "AA"
steps = [{ who = "winner", by = "own" }]
"""


@pytest.fixture
def alps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "last-lemming"
    folder.mkdir()
    (folder / "alps.toml").write_text(OTHER, "utf-8")
    monkeypatch.setattr(editions, "_FOLDERS", [tmp_path])
    return EDITIONS["alps"]


def test_another_edition_is_played_without_a_change_of_code(alps: editions.Edition):
    chooser = random.Random(3)
    kinds = set()
    played = set()
    for seats, options in GAME.variants(alps):
        for n in range(2):
            state = GAME.new(seats, {**options, "edition": "alps"}, bytes([n]) * 32)
            played |= {int(state.rules[int(rule)].number) for rule in state.order}
            count = census(state)
            assert count == (5, 8, 40)
            while awaited := GAME.awaiting(state):
                seat = chooser.choice(awaited)
                legal = GAME.legal(state, seat)
                for action in legal:
                    data = GAME.action_to_json(state, action)
                    kinds.add(data["type"])
                    assert GAME.action_from_json(state, data) == action
                viewer = chooser.randrange(seats)
                world = GAME.imagine(GAME.redact(state, viewer), viewer, n)
                assert census(world) == count
                assert GAME.view(world, viewer) == GAME.view(state, viewer)
                state = GAME.play(state, seat, chooser.choice(legal))
            assert GAME.outcome(state) is not None
    assert kinds == {"put_back", "play", "choose", "pick", "sign", "way", "activate"}
    assert played == {40, 41, 42, 99, 7}


def test_what_an_edition_prints_is_what_is_seen(alps: editions.Edition):
    state = GAME.new(5, {"edition": "alps", "rule_cards": [40, 41, 42, 99]}, bytes(32))
    view = GAME.view(state, 0)
    assert view["track"]["spaces"] == 30
    assert view["track"]["holes"] == [2, 11, 12]
    assert view["track"]["fork"] == {"from": 3, "to": 8, "short": ["hole", "hole"]}
    assert view["cards"]["colours"] == ["rose", "fern", "sky", "coal", "snow"]
    assert view["players"][0]["points"] == 7
    assert view["line"][0] in ("Anna", "Beat", "Carl", "Dora", "Emil")
    assert len(view["own"]["hand"]) == 12


def test_named_sets_need_their_cards(alps: editions.Edition):
    with pytest.raises(ValueError, match="'alps' has no card 1 for the set 'first_tricks'"):
        GAME.complete_options(4, {"edition": "alps", "rule_cards": "first_tricks"})


def test_a_fork_is_not_needed(tmp_path: Path):
    text = OTHER.replace(', fork = { from = 3, to = 8, short = ["hole", "hole"] }', "")
    (tmp_path / "alps.toml").write_text(text, "utf-8")
    assert "fork" not in EDITIONS.load(tmp_path / "alps.toml").data["track"]["pieces"][0]


def test_layout_and_comments_do_not_change_the_digest(tmp_path: Path):
    (tmp_path / "reconstruction.toml").write_text("# ours\n\n" + RECONSTRUCTION, "utf-8")
    assert EDITIONS.load(tmp_path / "reconstruction.toml").digest == EDITIONS["reconstruction"].digest


WRONG = [
    ('edition = "reconstruction"', 'edition = "x"', "edition", "the file is called"),
    ('edition = "reconstruction"', "", "edition", "required"),
    ('edition = "reconstruction"', 'edition = "reconstruction"\npublisher = "us"', "publisher", "Unknown"),
    ('"Agrippina"]', '"Nero"]', "characters", "'Nero' is there twice"),
    (', "Agrippina"]', "]", "characters", "6"),
    ("start_points = 3", "start_points = -1", "start_points", "0"),
    ("start_points = 3", 'start_points = "3"', "start_points", "integer"),
    ('"green"]', '"red"]', "cards.colours", "'red' is there twice"),
    ('"green"]', '"green", "pink"]', "cards.values", "75 number cards; at most 60"),
    ('"blue", "green"]', '"blue"]', "cards.x", "57 cards; six players are dealt 72"),
    ("10, 11, 12]", "10, 11, 11]", "cards.values", "11 is there twice"),
    ("10, 11, 12]", "10, 11, 61]", "cards.values", "60"),
    ("10, 11, 12]", "10, 11, 1.5]", "cards.values", "integer"),
    ("x = 12", "x = 61", "cards.x", "60"),
    ("x = 12", "x = 12\ny = 3", "cards.y", "Unknown"),
    ("last = 24", "last = 60", "track.pieces.3.last", "59"),
    ("first = 13, last = 18", "first = 14, last = 18", "track.pieces.2.first", "the next space is 13"),
    ("first = 13, last = 18", "first = 13, last = 11", "track.pieces.2.last", "before the first space 13"),
    ("B = [4]", "B = [7]", "track.pieces.0.holes.B", "not on the piece"),
    ("B = [4]", "B = [4, 4]", "track.pieces.0.holes.B", "4 is there twice"),
    ("A = [], B = [4]", "B = [4]", "track.pieces.0.holes.A", "required"),
    ("from = 6, to = 13", "from = 5, to = 13", "track.pieces.1.fork.from", "leaves the piece"),
    ("from = 6, to = 13", "from = 6, to = 7", "track.pieces.1.fork.to", "needs a space between"),
    ('short = ["hole"]', "short = []", "track.pieces.1.fork.short", "1"),
    ('short = ["hole"]', 'short = ["space"]', "track.pieces.1.fork.short", "the only kind"),
    (
        "last = 24, holes = { A = [], B = [22] } }",
        'last = 24, holes = { A = [], B = [22] }, fork = { from = 19, to = 22, short = ["hole"] } }',
        "track.pieces.3.fork",
        "second fork",
    ),
    ("[7, 4, 2, 0]]", "[7, 4, 2]]", "scoring.3-4.3", "3 places; this side has 4"),
    ("[7, 5, 4, 2, 1, 0]]", "[7, 5, 4, 2, 1, 0], [1, 0, 0, 0, 0, 0]]", "scoring.5-6", "4"),
    ("[7, 5, 4, 2, 1, 0]]", "[21, 5, 4, 2, 1, 0]]", "scoring.5-6.3.0", "20"),
    ("number = 22", "number = 21", "rule_cards.21.number", "21 is there twice"),
    ("number = 22", "number = 100", "rule_cards.21.number", "99"),
    ('number = 22\nsides = "ABAB"', 'number = 22\nsides = "ABA"', "rule_cards.21.sides", "the track has 4 pieces"),
    ('number = 22\nsides = "ABAB"', 'number = 22\nsides = "ABAC"', "rule_cards.21.sides", "a letter A or B"),
    ("players = [3, 4, 5, 6]   #", "players = [3, 7]   #", "rule_cards.1.players", "6"),
    ("players = [3, 4, 5, 6]   #", "players = []   #", "rule_cards.1.players", "1"),
    ('{ who = "winner", by = 3 }', '{ who = "loser", by = 3 }', "rule_cards.21.steps.0.who", "it can be winner"),
    ('{ who = "winner", by = 3 }', '{ who = "winner", by = "three" }', "rule_cards.21.steps.0.by", "it can be own"),
    ('{ who = "winner", by = 3 }', '{ who = "winner", by = 61 }', "rule_cards.21.steps.0.by", "-60 to 60"),
    ('{ who = "winner", by = 3 }', '{ who = "winner", by = true }', "rule_cards.21.steps.0.by", "an integer"),
    ('{ who = "winner", by = 3 }', '{ who = "winner" }', "rule_cards.21.steps.0.by", "required"),
    ('{ who = "winner", by = 3 }', '{ who = "winner", by = 3, sign = "both" }', "rule_cards.21.steps.0.sign", "it can be plus"),
    (
        '{ who = "winner", by = 3 }',
        '{ who = "winner", by = "next_ahead", sign = "minus" }',
        "rule_cards.21.steps.0.sign",
        "a jump has no sign",
    ),
    ('steps = [{ who = "all", by = "own" }]', "steps = []", "rule_cards.15.steps", "1"),
    (
        'steps = [{ who = "all", by = "own" }]',
        'steps = [{ who = "all", by = 1 }, { who = "all", by = 1 }, { who = "all", by = 1 }, { who = "all", by = 1 }]',
        "rule_cards.15.steps",
        "3",
    ),
    ('wins = "lowest"', 'wins = "nobody"', "rule_cards.6.wins", "it can be highest, lowest"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), WRONG)
def test_wrong_editions_are_refused(tmp_path: Path, old: str, new: str, key: str, reason: str):
    assert old in RECONSTRUCTION
    path = tmp_path / "reconstruction.toml"
    path.write_text(RECONSTRUCTION.replace(old, new, 1), "utf-8")
    with pytest.raises(BadEdition) as refused:
        EDITIONS.load(path)
    assert refused.value.file == str(path)
    assert refused.value.key == key or refused.value.key.startswith(f"{key}.")
    assert reason in refused.value.reason


def test_too_few_rule_cards_for_a_seat_count_are_refused(tmp_path: Path):
    path = tmp_path / "alps.toml"
    path.write_text(OTHER.replace("number = 99", "number = 99\nplayers = [2, 3, 4]"), "utf-8")
    with pytest.raises(BadEdition, match="only 3 are good for 5 players"):
        EDITIONS.load(path)


def test_more_rule_cards_than_a_state_holds_are_refused(tmp_path: Path):
    path = tmp_path / "alps.toml"
    more = "".join(f'[[rule_cards]]\nnumber = {n}\nsides = "AA"\nsteps = [{{ who = "all", by = 1 }}]\n' for n in range(50, 78))
    path.write_text(OTHER + more, "utf-8")
    with pytest.raises(BadEdition, match="32"):
        EDITIONS.load(path)


@pytest.mark.parametrize("text", ["edition = ", "\xff", "edition = 3"])
def test_no_toml_at_all(tmp_path: Path, text: str):
    path = tmp_path / "broken.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadEdition, match="broken"):
        EDITIONS.load(path)
