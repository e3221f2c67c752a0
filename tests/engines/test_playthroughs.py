"""Frozen playthroughs: any change in what players see shows here. See `tests/engines/playthroughs/__init__.py`."""

from __future__ import annotations

from engines.game import Game
from tests.engines.playthroughs import FOLDER, frozen_variants, lines


def test_every_game_has_its_playthroughs_and_they_come_out_the_same(game: Game):
    for name, (seats, options) in frozen_variants(game).items():
        path = FOLDER / name
        assert path.exists(), f"write it with: python -m tests.engines.playthroughs {game.name}"
        frozen = path.read_text("utf-8").splitlines()
        fresh = list(lines(game, seats, options))
        for number, (old, new) in enumerate(zip(frozen, fresh, strict=False), 1):
            assert old == new, f"{name}, line {number}"
        assert len(frozen) == len(fresh)


def test_no_playthrough_is_left_of_a_game_that_is_gone():
    from tests.engines.conftest import TESTED

    assert {path.stem.rsplit("-", 1)[0] for path in FOLDER.glob("*.jsonl")} <= set(TESTED)
