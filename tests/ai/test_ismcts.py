"""The search: its tree, step by step, and what it finds."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ai import ismcts
from ai.ismcts import EDGE, EDGES, NODE, PLAIN, RUN, SLOTS, STANDARD, Search, Settings
from engines import GAMES
from engines.game import Game
from tests.ai import trees
from tests.ai.conftest import COMPILED, position
from tests.toy import GAME as TOY

ITERATIONS = 400 if COMPILED else 40


def search_of(game: Game, plays: int = 0, seed: int = 9, settings: Settings = STANDARD, variant: int = 0) -> Search:
    state, seat = position(game, plays, variant=variant)
    return Search(game, game.redact(state, seat), seat, seed, settings)


@pytest.mark.parametrize("name", trees.TREES)
def test_frozen_trees_grow_again(game: Game, name: str) -> None:
    assert trees.grow(game, name) == json.loads(trees.path(game, name).read_text())


def test_slicing_does_not_matter(game: Game) -> None:
    whole, sliced = search_of(game), search_of(game)
    whole.run(ITERATIONS)
    for part in (1, 2, ITERATIONS - 10, 7):
        sliced.run(part)
    assert trees.tree(whole) == trees.tree(sliced)


def test_seeds_matter() -> None:
    one, other = search_of(TOY, seed=1), search_of(TOY, seed=2)
    one.run(ITERATIONS)
    other.run(ITERATIONS)
    assert trees.tree(one) != trees.tree(other)


@pytest.mark.skipif(not COMPILED, reason="about compiled code")
def test_another_process_loads_the_compiled_search_and_grows_the_same_tree(game: Game) -> None:
    here = search_of(game, plays=3)
    here.run(ITERATIONS)
    code = f"""
import json
from ai import ismcts
from tests.ai import trees
from tests.ai.conftest import games
from tests.ai.test_ismcts import search_of
game = next(game for game in games() if game.name == {game.name!r})
search = search_of(game, plays=3)
search.run({ITERATIONS})
stats = ismcts.compiled(game.dtype).stats
compiled = sum(stats.cache_misses.values())
print(json.dumps([compiled, trees.tree(search)]))
"""
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=_root())
    compiled, tree = json.loads(there.stdout)
    assert compiled == 0
    assert tree == trees.tree(here)


def _root() -> Path:
    return Path(__file__).parents[2]


def test_every_iteration_is_backed_up_once(game: Game) -> None:
    search = search_of(game)
    search.run(ITERATIONS)
    assert search.iterations == ITERATIONS
    assert sum(choice.visits for choice in search.choices()) == ITERATIONS
    assert math.isclose(sum(choice.share for choice in search.choices()), 1)
    for node in trees.tree(search):
        assert node["visits"] == sum(visits for _, _, visits, _, _ in node["edges"])
        for _, _, visits, available, payoff in node["edges"]:
            assert 1 <= visits <= available <= node["visits"]
            assert 0 <= payoff <= visits


def test_all_root_actions_are_tried_and_only_legal_ones(game: Game) -> None:
    state, seat = position(game, 5)
    search = Search(game, game.redact(state, seat), seat, 3)
    search.run(ITERATIONS)
    assert {choice.action for choice in search.choices()} == set(game.legal(state, seat))


def test_an_iteration_adds_at_most_one_edge_and_one_node(game: Game) -> None:
    search = search_of(game)
    for _ in range(20):
        nodes, edges = int(search.book.nodes), int(search.book.edges)
        search.run(1)
        assert 0 <= search.book.nodes - nodes <= search.book.edges - edges <= 1


def test_a_forced_decision_has_no_node() -> None:
    state = TOY.new(2, {}, bytes(32))
    while int(state.turn) < 2:
        seat = TOY.awaiting(state)[0]
        state = TOY.play(state, seat, TOY.legal(state, seat)[0])
    search = Search(TOY, TOY.redact(state, 0), 0, 1)
    search.run(10)
    assert search.choices() == []
    assert int(search.book.nodes) == 0


def test_the_root_is_untouched(game: Game) -> None:
    state, seat = position(game, 2)
    redacted = game.redact(state, seat)
    before = redacted.tobytes()
    Search(game, redacted, seat, 1).run(20)
    assert redacted.tobytes() == before


@pytest.mark.parametrize("limits", [{"most_edges": 5}, {"most_nodes": 3}, {"most_edges": 1}, {"most_nodes": 1}])
def test_a_full_tree_grows_no_more_but_the_search_goes_on(game: Game, limits: dict[str, int]) -> None:
    settings = replace(STANDARD, **limits)
    search = search_of(game, settings=settings)
    search.run(ITERATIONS)
    assert search.iterations == ITERATIONS
    assert search.book.edges <= settings.most_edges
    assert search.book.nodes <= settings.most_nodes


def test_the_table_grows_without_changing_the_tree(game: Game) -> None:
    plain, grown = search_of(game), search_of(game)
    plain.run(ITERATIONS)
    for _ in range(4):
        grown.run(ITERATIONS // 4)
        grown.grow()
    assert len(grown.nodes) == 16 * len(plain.nodes)
    assert trees.tree(plain) == trees.tree(grown)


@pytest.mark.skipif(not COMPILED, reason="needs many iterations")
def test_the_table_grows_by_itself() -> None:
    search = search_of(TOY, settings=replace(PLAIN, exploration=50.0), variant=4)
    search.run(60_000)
    assert len(search.nodes) > ismcts.FIRST_SLOTS
    assert 4 * search.book.nodes <= 3 * len(search.nodes)
    assert sum(choice.visits for choice in search.choices()) == 60_000


def test_memory_is_bounded() -> None:
    growing = NODE.itemsize * (SLOTS + SLOTS // 2) + EDGE.itemsize * EDGES
    assert growing + search_of(TOY).nbytes - EDGE.itemsize * EDGES < 64 * 2**20
    assert STANDARD.most_nodes == SLOTS * 3 // 4


def test_logarithms() -> None:
    for n in (1, 2, 3, 1023, 1024, 1025, 5000, 10**6, 2**31 - 1):
        assert math.isclose(ismcts._log(n), math.log(n), abs_tol=2e-3)


def test_nodes_are_keyed_by_seat_and_what_it_has_seen() -> None:
    state = TOY.new(3, {}, bytes(32))
    redacted = TOY.redact(state, 0)
    assert ismcts.key_of(redacted, 1, 0) != ismcts.key_of(redacted, 2, 0)
    other = TOY.redact(TOY.play(state, 1, TOY.legal(state, 1)[0]), 0)
    assert ismcts.key_of(redacted, 0, 0) != ismcts.key_of(other, 0, 0)


def test_simultaneous_choices_do_not_see_each_other() -> None:
    # Seat 0 chooses first in the search; seat 1's node must not depend on what it chose.
    state = TOY.new(2, {}, bytes(32))
    search = Search(TOY, TOY.redact(state, 0), 0, 1, PLAIN)
    search.run(ITERATIONS)
    after = {ismcts.key_of(TOY.redact(TOY.play(state, 0, card), 1), 1, 0) for card in TOY.legal(state, 0)}
    assert len(after) == 1


def last_rounds(mine: list[int], theirs: list[int], bonus: bool) -> np.record:
    """Return a toy match of two with two rounds to go."""
    state = TOY.new(2, {"bonus": bonus}, bytes(32))
    state.turn = 1
    state.players[0].hand = sum(1 << card for card in mine)
    state.players[1].hand = sum(1 << card for card in theirs)
    return state


@pytest.mark.parametrize(("mine", "theirs", "payoff"), [(0, 0, 1.0), (1, 0, 1.0), (0, 1, 0.5)])
def test_the_highest_card_is_kept_for_the_round_that_counts_twice(mine: int, theirs: int, payoff: float) -> None:
    # Lowest card first, the highest in the last round: one point for them, then two for me, whatever they hold.
    state = last_rounds([0, 11], [4, 5], bonus=True)
    state.players[0].points, state.players[1].points = mine, theirs
    search = Search(TOY, TOY.redact(state, 0), 0, 1)
    search.run(ITERATIONS)
    found = search.choices()[0]
    assert found.action == 0
    assert found.payoff is not None
    assert math.isclose(found.payoff, payoff)


def test_a_search_in_a_hurry_values_the_same_win_less_the_later_it_comes() -> None:
    paid = np.array([1.0, 0.0, 0.5, 0.9])
    ismcts._fade(paid, 3, 0.2)
    assert paid.tolist() == pytest.approx([0.8, 0.0, 0.4, 0.9])
    ismcts._fade(paid, 3, 7.0)
    assert paid.tolist() == [0.0, 0.0, 0.0, 0.9]


def test_hurry_costs_by_the_turns_that_pass_and_is_not_told(game: Game) -> None:
    calm, hurried = (search_of(game, settings=replace(PLAIN, hurry=hurry)) for hurry in (0.0, 1.0))
    for search in (calm, hurried):
        search.run(10)
        sought = {edge[1]: edge[4] for edge in trees.tree(search)[0]["edges"]}
        assert (sum(sought.values()) > 0) == (search is calm)
        # What is told is what the match would pay.
        assert sum(choice.payoff or 0 for choice in search.choices()) > 0
    for choice, edge in ((choice, edge) for choice in calm.choices() for edge in trees.tree(calm)[0]["edges"]):
        if choice.action == edge[1]:
            assert choice.payoff == pytest.approx(edge[4] / edge[2])


def test_only_the_passing_of_a_turn_counts_as_one() -> None:
    run = np.zeros(1, RUN)[0]
    run.mover = 1
    for seat, turns in ((1, 0), (1, 0), (0, 1), (0, 1), (2, 2), (1, 3)):
        ismcts._count_turn(run, seat)
        assert run.turns == turns


@pytest.mark.skipif(not COMPILED, reason="the toy has no shape")
def test_shaping_changes_what_is_sought_and_not_what_is_told() -> None:
    game = GAMES["lemminge"]
    plain, shaped = (search_of(game, settings=Settings(hurry=0.0, shaped=shaped)) for shaped in (False, True))
    for search in (plain, shaped):
        search.run(ITERATIONS)
    sought, told = (
        [sum(edge[4] for edge in trees.tree(search)[0]["edges"]) / ITERATIONS for search in (plain, shaped)],
        [sum((choice.payoff or 0) * choice.share for choice in search.choices()) for search in (plain, shaped)],
    )
    # At the start nearly the whole way is left.
    assert sought[0] == pytest.approx(told[0])
    assert sought[1] < 0.8 * told[1]
    assert 0.25 < told[1] < 0.75


def test_a_time_ends_early_when_the_rest_of_it_cannot_change_the_choice(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = 0
    for plays in range(8):
        early, whole = search_of(game, plays), search_of(game, plays)
        whole.run(ITERATIONS)
        monkeypatch.setattr(ismcts.time, "perf_counter", lambda search=early: search.iterations / 1000)
        early.run_for(ITERATIONS, until_decided=True)
        assert early.choices()[0].action == whole.choices()[0].action
        assert ITERATIONS / 2 < early.iterations <= ITERATIONS
        stopped += early.iterations < ITERATIONS
    assert stopped
