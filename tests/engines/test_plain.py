"""A state as plain Python."""

from __future__ import annotations

from engines.game import Game
from engines.plain import plain
from tests.engines.matches import random_match, variants


def test_plain_states_say_what_the_record_says(game: Game):
    seats, options = variants(game)[-1]
    for step in list(random_match(game, seats, options, "plain"))[::25]:
        s = plain(step.state)
        assert s.seats == seats
        assert not hasattr(s, "random")
        assert not hasattr(plain(step.state, frozenset({"seats"})), "seats")
        same(s, step.state)


def same(s, record):
    for name in vars(s):
        value, field = getattr(s, name), record[name]
        if isinstance(value, list) and field.dtype.names:
            for one, other in zip(value, field, strict=True):
                same(one, other)
        elif isinstance(value, list):
            assert value == field.tolist()
        else:
            assert value == field
