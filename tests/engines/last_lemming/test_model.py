"""The engine against a plain model of the same rules (`model.py`), written from the rules file alone by another hand.

At every decision of random matches both await the same seats, allow the same actions, and agree on positions, line, VP and
hands; at the end on the ranking.
"""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

import engines.last_lemming
from engines.last_lemming import GAME
from tests.engines.last_lemming.model import Model, read

DATA = tomllib.loads((Path(engines.last_lemming.__file__).parent / "data" / "reconstruction.toml").read_text("utf-8"))
EVERY_RULE = list(range(1, 23))


def spelled(actions: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


class Match:
    """One match of the engine, with the model running beside it."""

    def __init__(self, seats: int, two: bool, rules: list[int], seed: int) -> None:
        self.chooser = random.Random(seed)
        self.seats = seats
        self.state = GAME.new(seats, {"two_lemmings": two, "rule_cards": rules}, self.chooser.randbytes(32))
        first = next(told.event["seat"] for told in GAME.events(self.state) if told.event["type"] == "first")
        self.model = Model(DATA, seats, two, lambda act: rules[act], self.hands, first)

    def hands(self) -> list[list[Any]]:
        return [[read(card) for card in GAME.view(self.state, seat)["own"]["hand"]] for seat in range(self.seats)]

    def compare(self, expected: dict[int, list[dict[str, Any]]]) -> None:
        assert GAME.awaiting(self.state) == tuple(sorted(expected))
        for seat, actions in expected.items():
            assert spelled(GAME.legal_json(self.state, seat)) == spelled(actions)
        self.compare_positions()
        rank = self.model.order_of
        for mine, theirs in zip(self.model.hands, self.hands(), strict=True):
            assert sorted(map(rank, mine)) == sorted(map(rank, theirs))

    def compare_positions(self) -> None:
        view = GAME.view(self.state, None)
        assert [player["points"] for player in view["players"]] == self.model.vp
        assert view["line"] == [self.model.name(lemming) for lemming in self.model.line]
        spaces = {lemming["lemming"]: lemming["space"] for lemming in view["lemmings"]}
        for lemming in self.model.lemmings:
            assert spaces[self.model.name(lemming)] == (lemming.space or None)

    def run(self) -> None:
        decisions = self.model.run()
        expected = next(decisions)
        while True:
            self.compare(expected)
            seat = self.chooser.choice(GAME.awaiting(self.state))
            action = self.chooser.choice(GAME.legal(self.state, seat))
            data = GAME.action_to_json(self.state, action)
            self.state = GAME.play(self.state, seat, action)
            try:
                expected = decisions.send((seat, data))
            except StopIteration:
                break
        self.compare_positions()
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        assert list(outcome.ranking) == self.model.ranking()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(4))
def test_random_matches_go_as_in_the_model(seats: int, seed: int):
    """Four matches a seat count; between them they use every rule card."""
    rules = random.Random(f"rules {seats}").sample(EVERY_RULE, 22)[4 * seed : 4 * seed + 4]
    Match(seats, seats == 2 or (seats == 3 and seed % 2 == 0), rules, seed).run()
