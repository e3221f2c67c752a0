"""What every registered game must meet, without new code: see CONTRIBUTING.md.

A game brings `tests/engines/<package>/worlds.py` with `census`, `small_positions` and `world_key`, and its playthroughs.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from engines.game import Game, GameError, IllegalAction, NotYourDecision, UnreadableAction, copy
from engines.kernel import TELL_HASH, State
from engines.records import BadRecord, Record, replay
from tests.engines.conftest import REGISTRY, TESTED
from tests.engines.matches import Step, digests, random_match, record_of, variants

ROOT = Path(__file__).resolve().parents[2]
#: How many random matches a variant get the thorough tests.
MATCHES = 2


def worlds_of(game: Game):
    package = TESTED[game.name].rsplit(".", 1)[1]
    return import_module(f"tests.engines.{package}.worlds")


@cache
def match_of(name: str, variant: int, seed: int) -> list[Step]:
    """One random match of a variant, played once for all tests that look at it."""
    return list(random_match(REGISTRY[name], *variants(REGISTRY[name])[variant], f"{name} {variant} {seed}"))


def some_matches(game: Game, most: int = 10**9) -> list[list[Step]]:
    """MATCHES random matches of every variant, or of `most` variants spread over all."""
    count = len(variants(game))
    chosen = sorted({i * count // most for i in range(most)}) if most < count else range(count)
    return [match_of(game.name, variant, seed) for variant in chosen for seed in range(MATCHES)]


def sample(steps: list[Step], most: int) -> list[Step]:
    """About `most` of the steps, spread over the match, the first among them."""
    return steps[:: max(1, len(steps) // most)]


def seats_of(state: State) -> range:
    return range(int(state.seats))


# --- matches ----------------------------------------------------------------------------------------------------------


def test_variants_use_every_seat_count(game: Game):
    assert {seats for seats, _ in variants(game)} == set(range(game.min_seats, game.max_seats + 1))


def test_random_matches_end_with_an_outcome(game: Game):
    for steps in some_matches(game):
        assert all(game.outcome(step.state) is None for step in steps[:-1])
        last = steps[-1].state
        outcome = game.outcome(last)
        assert outcome is not None
        assert outcome.reason in game.reasons
        assert len(outcome.ranking) == int(last.seats)
        assert min(outcome.ranking) == 1
        assert all(outcome.ranking[winner] == 1 for winner in outcome.winners)
        for place in outcome.ranking:
            assert place == 1 + sum(other < place for other in outcome.ranking), (
                "equal players share a place, the next is skipped"
            )
        assert all(not game.legal(last, seat) for seat in seats_of(last))
        json.dumps(outcome.to_json())
        pays = game.payoffs(last)
        assert all(0 <= pay <= 1 for pay in pays)
        if outcome.winners:
            assert all(pays[winner] == max(pays) for winner in outcome.winners)


def test_estimates_stay_between_0_and_1(game: Game):
    for steps in some_matches(game, 4):
        for step in sample(steps, 200):
            assert all(0 <= pay <= 1 for pay in game.payoffs(step.state))


def test_cards_are_conserved(game: Game):
    census = worlds_of(game).census
    for steps in some_matches(game):
        assert len({census(step.state) for step in sample(steps, 150)}) == 1


def test_the_log_never_overflows(game: Game):
    for steps in some_matches(game):
        assert max(int(step.state.log_n) for step in steps) <= steps[0].state.log_code.shape[0]


def test_earlier_states_stay_untouched(game: Game):
    for seats, options in variants(game)[:3]:
        dumped = []
        steps = []
        for step in random_match(game, seats, options, "untouched"):
            steps.append(step)
            dumped.append(game.dump(step.state))
        assert [game.dump(step.state) for step in steps] == dumped


def test_awaited_seats_have_actions_and_others_only_take_back(game: Game):
    for steps in some_matches(game, 6):
        for step in sample(steps, 250):
            awaited = game.awaiting(step.state)
            for seat in seats_of(step.state):
                legal = game.legal(step.state, seat)
                assert len(set(legal)) == len(legal) <= game.max_actions
                assert all(0 <= action < game.action_numbers for action in legal)
                if seat in awaited:
                    assert legal
                elif legal:
                    assert {game.action_to_json(step.state, a)["type"] for a in legal} == {"take_back"}


def test_a_finished_or_foreign_decision_is_refused(game: Game):
    for steps in some_matches(game, 3):
        for step in sample(steps, 80):
            for seat in (*seats_of(step.state), -1, int(step.state.seats)):
                if seat not in seats_of(step.state) or not game.legal(step.state, seat):
                    with pytest.raises(NotYourDecision):
                        game.play(step.state, seat, 0)


def test_legal_actions_are_exactly_those_that_play_accepts(game: Game):
    """Actions that were legal at other times are refused, with a reason and the list of what is legal."""
    chooser = random.Random(1)
    for steps in some_matches(game, 6):
        pool = sorted({step.action for step in steps if step.action is not None})
        for step in chooser.sample(steps[:-1], min(len(steps) - 1, 40)):
            legal = game.legal(step.state, step.seat)
            for action in legal:
                game.play(step.state, step.seat, action)
            for action in chooser.sample(pool, min(len(pool), 12)):
                if action not in legal:
                    with pytest.raises(IllegalAction) as refused:
                        game.play(step.state, step.seat, action)
                    assert str(refused.value)
                    assert refused.value.legal == game.legal_json(step.state, step.seat)


def test_a_number_that_is_no_legal_action_is_refused_whatever_it_is(game: Game):
    # Of a contestant's file in the arena: 9999 in Lemmings once ended in a KeyError.
    chooser = random.Random(2)
    outside = [-(2**70), -(2**15), -1, game.action_numbers, 9999, 2**15, 2**63, 2**70]
    for steps in some_matches(game, 6):
        for step in chooser.sample(steps[:-1], min(len(steps) - 1, 6)):
            legal = game.legal(step.state, step.seat)
            for action in (*outside, *range(min(game.action_numbers, 6000))):
                if action not in legal:
                    with pytest.raises(IllegalAction) as refused:
                        game.play(step.state, step.seat, action)
                    assert str(refused.value)


# --- actions as JSON --------------------------------------------------------------------------------------------------


def test_every_legal_action_goes_to_json_and_back(game: Game):
    for steps in some_matches(game):
        for step in sample(steps, 150):
            for seat in seats_of(step.state):
                shown = [game.action_to_json(step.state, action) for action in game.legal(step.state, seat)]
                for action, data in zip(game.legal(step.state, seat), shown, strict=True):
                    assert game.action_from_json(step.state, json.loads(json.dumps(data))) == action
                    assert isinstance(data["type"], str)
                assert len({json.dumps(data, sort_keys=True) for data in shown}) == len(shown)


def test_every_legal_action_is_described(game: Game):
    for steps in some_matches(game, 3):
        for step in sample(steps[:-1], 150):
            for action in game.legal(step.state, step.seat):
                assert len(game.describe(step.state, step.seat, action)) > 3


UNREADABLE = [None, 7, "play", [], {}, {"type": None}, {"type": 3}, {"type": "no such type"}, {"type": ["play"]}, {"card": 1}]


def test_unreadable_actions_are_refused(game: Game):
    steps = some_matches(game, 1)[0]
    for data in UNREADABLE:
        with pytest.raises(UnreadableAction):
            game.action_from_json(steps[0].state, data)


def test_changed_actions_are_refused_or_mean_something_else(game: Game):
    """A field taken away, added, or of another kind never raises anything but `UnreadableAction`."""
    strange = [None, True, -1, 10**9, 1.5, "", "x" * 300, [], {}, {"colour": []}, [1, 2, 3], ["a", "b"]]
    for steps in some_matches(game, 3):
        for step in steps[:: max(1, len(steps) // 25)]:
            for seat in seats_of(step.state):
                for action in game.legal(step.state, seat)[:6]:
                    data = game.action_to_json(step.state, action)
                    with pytest.raises(UnreadableAction):
                        game.action_from_json(step.state, {**data, "unknown": 1})
                    for key in data:
                        for value in strange:
                            changed = {**data, key: value}
                            with contextlib.suppress(UnreadableAction):
                                assert isinstance(game.action_from_json(step.state, changed), int)


# --- records ----------------------------------------------------------------------------------------------------------


def test_a_record_replays_to_the_same_bytes(game: Game):
    for index, (seats, options) in enumerate(variants(game)):
        steps = list(random_match(game, seats, options, f"record {index}"))
        record = record_of(game, seats, options, f"record {index}", steps)
        again = Record.from_json(json.loads(json.dumps(record.to_json())))
        assert again == record
        assert [game.dump(s) for s in replay(again, REGISTRY)] == [game.dump(step.state) for step in steps]


def test_a_record_with_a_wrong_action_names_its_index(game: Game):
    seats, options = variants(game)[0]
    steps = list(random_match(game, seats, options, "wrong"))
    record = record_of(game, seats, options, "wrong", steps)
    at = len(steps) // 2
    for wrong in ((record.actions[at][0], {"type": "no such type"}), (99, record.actions[at][1])):
        broken = Record(**{**vars(record), "actions": (*record.actions[:at], wrong, *record.actions[at + 1 :])})
        with pytest.raises(BadRecord) as refused:
            list(replay(broken, REGISTRY))
        assert refused.value.index == at


@pytest.mark.parametrize("data", [[], 3, None, "record", [{"game": "toy"}]])
def test_a_record_is_an_object(data: object):
    with pytest.raises(BadRecord, match=r"a record is a JSON object, like the one of `GET /v1/matches/\{id\}/record`, not"):
        Record.from_json(data)


def test_a_record_of_another_edition_is_refused(game: Game):
    seats, options = variants(game)[0]
    steps = list(random_match(game, seats, options, "edition"))
    record = record_of(game, seats, options, "edition", steps)
    with pytest.raises(BadRecord, match="digest"):
        list(replay(Record(**{**vars(record), "edition": "0" * 64}), REGISTRY))


def test_options_are_complete_and_stay_so(game: Game):
    for seats, options in variants(game):
        full = game.complete_options(seats, options)
        assert set(full) == set(game.options_schema["properties"])
        assert game.complete_options(seats, full) == full
        json.dumps(full)
    with pytest.raises(GameError):
        game.complete_options(game.max_seats + 1, {})
    with pytest.raises(GameError):
        game.complete_options(game.min_seats, {"no such option": 1})
    for name in game.options_schema["properties"]:
        for value in (None, 3.5, {}, [], [[1]], "no such value"):
            with pytest.raises(GameError):
                game.complete_options(game.min_seats, {name: value})


# --- hidden information -----------------------------------------------------------------------------------------------


def seen_by(game: Game, state: State, seat: int) -> tuple:
    """All that a state shows a seat, apart from the events of the last play."""
    return game.view(state, seat), game.legal(state, seat), game.awaiting(state)


def told_to(game: Game, state: State, seat: int | None) -> list:
    return [told.event for told in game.events(state) if told.to(seat)]


def imagined(game: Game, state: State, seat: int, seed: int) -> State:
    return game.imagine(game.redact(state, seat), seat, seed)


def test_redacting_keeps_what_the_seat_sees(game: Game):
    for steps in some_matches(game):
        for step in sample(steps, 25):
            for seat in seats_of(step.state):
                known = game.redact(step.state, seat)
                assert seen_by(game, known, seat) == seen_by(game, step.state, seat)
                assert known.seen[seat] == step.state.seen[seat]
                assert known.telling == TELL_HASH
                assert not known.random.any()
                assert not known.log_code.any()
                assert game.dump(game.redact(known, seat)) == game.dump(known)


def test_imagined_worlds_look_the_same_to_the_seat(game: Game):
    for steps in some_matches(game):
        for n, step in enumerate(sample(steps, 25)):
            for seat in seats_of(step.state):
                known = game.redact(step.state, seat)
                world = game.imagine(known, seat, n)
                assert seen_by(game, world, seat) == seen_by(game, step.state, seat)
                assert world.seen[seat] == step.state.seen[seat]
                assert world.random.any()
                assert game.dump(game.redact(world, seat)) == game.dump(known)


def test_imagined_worlds_conserve_cards(game: Game):
    census = worlds_of(game).census
    for steps in some_matches(game, 8):
        for n, step in enumerate(sample(steps, 25)):
            for seat in seats_of(step.state):
                assert census(imagined(game, step.state, seat, n)) == census(step.state)


def test_imagined_worlds_play_to_the_end(game: Game):
    chooser = random.Random(3)
    for steps in some_matches(game):
        for n, step in enumerate(sample(steps, 3)):
            seat = n % int(step.state.seats)
            world = imagined(game, step.state, seat, n)
            while awaited := game.awaiting(world):
                actor = chooser.choice(awaited)
                world = game.play(world, actor, chooser.choice(game.legal(world, actor)))
            assert game.outcome(world) is not None


def test_equal_seen_means_equal_view_actions_events_and_redaction(game: Game):
    """Pairs of worlds that a seat cannot tell apart, played on with other seats' choices free to differ.

    As long as the seat was shown the same, everything it is shown must be the same bytes.
    """
    chooser = random.Random(4)
    compared = 0
    for steps in some_matches(game):
        for n, step in enumerate(sample(steps, 8)):
            seat = chooser.choice(list(seats_of(step.state)))
            pair = [copy(step.state), imagined(game, step.state, seat, n)]
            for world in pair:
                world.random[:] = step.state.random
            for _ in range(30):
                awaited = game.awaiting(pair[0])
                assert awaited == game.awaiting(pair[1])
                if not awaited:
                    break
                actor = chooser.choice(awaited)
                choices = [game.legal(world, actor) for world in pair]
                if actor == seat:
                    assert choices[0] == choices[1]
                both = [action for action in choices[0] if action in choices[1]]
                if both and (actor == seat or chooser.random() < 0.7):
                    actions = [chooser.choice(both)] * 2
                else:
                    actions = [chooser.choice(legal) for legal in choices]
                pair = [game.play(world, actor, action) for world, action in zip(pair, actions, strict=True)]
                if pair[0].seen[seat] != pair[1].seen[seat]:
                    break
                first, second = pair
                assert seen_by(game, first, seat) == seen_by(game, second, seat)
                assert told_to(game, first, seat) == told_to(game, second, seat)
                assert first.reveals == second.reveals
                assert game.silence(first, seat) == game.silence(second, seat)
                assert game.dump(game.redact(first, seat)) == game.dump(game.redact(second, seat))
                compared += 1
    assert compared > 50


def test_spectators_are_told_no_more_than_any_seat(game: Game):
    """What a spectator is told, every seat is told too, and a spectator's view hides every world alike."""
    for steps in some_matches(game, 6):
        for n, step in enumerate(sample(steps, 30)):
            for told in game.events(step.state):
                if told.to(None):
                    assert all(told.to(seat) for seat in seats_of(step.state))
            if game.awaiting(step.state):
                seat = n % int(step.state.seats)
                assert game.view(imagined(game, step.state, seat, n), None) == game.view(step.state, None)


def test_views_and_events_are_json(game: Game):
    for steps in some_matches(game, 8):
        for step in sample(steps, 120):
            for viewer in (None, *seats_of(step.state)):
                view = game.view(step.state, viewer)
                assert json.loads(json.dumps(view)) == view
            for told in game.events(step.state):
                assert json.loads(json.dumps(told.event)) == told.event
                assert isinstance(told.event["type"], str)


def test_imagine_depends_on_the_redacted_state_and_the_seed_alone(game: Game):
    for steps in some_matches(game, 4):
        for step in sample(steps, 10):
            for seat in seats_of(step.state):
                known = game.redact(step.state, seat)
                other = game.redact(imagined(game, step.state, seat, 99), seat)
                assert game.dump(game.imagine(known, seat, 5)) == game.dump(game.imagine(other, seat, 5))


def critical(degrees: int) -> float:
    """The 99.99 % quantile of chi-square (Wilson & Hilferty 1931); the draws are seeded, so this is no matter of luck."""
    z = 3.719
    return degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3


def test_imagine_is_even(game: Game):
    module = worlds_of(game)
    positions = module.small_positions()
    assert len(positions) >= 3
    for state, seat, worlds in positions:
        weights: Counter = Counter()
        for world, weight in worlds:
            weights[module.world_key(world)] += weight
        total = sum(weights.values())
        draws = int(max(2000, 12 * total / min(weights.values())))
        assert draws <= 200_000, "too many worlds to test by drawing"
        known = game.redact(state, seat)
        found = Counter(module.world_key(game.imagine(known, seat, seed)) for seed in range(draws))
        assert set(found) <= set(weights), "a world that does not fit what the seat has seen"
        statistic = sum((found[key] - draws * w / total) ** 2 / (draws * w / total) for key, w in weights.items())
        assert len(weights) > 1
        assert statistic < critical(len(weights) - 1), f"uneven: chi-square {statistic:.1f} of {len(weights)} worlds"


# --- numba modes ------------------------------------------------------------------------------------------------------


def digests_in(game: Game, matches: int, **environment: str) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    env.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-W", "error", "-m", "tests.engines.matches", game.name, str(matches)]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()


def test_compiled_and_uncompiled_runs_give_the_same_bytes(game: Game):
    assert digests_in(game, 4, NUMBA_DISABLE_JIT="1") == digests(game, 4)


def test_a_bounds_checked_run_gives_the_same_bytes(game: Game):
    matches = len(variants(game))
    assert digests_in(game, matches, NUMBA_BOUNDSCHECK="1") == digests(game, matches)


# --- the contract -----------------------------------------------------------------------------------------------------


def test_the_state_is_small(game: Game):
    assert game.dtype.itemsize <= 2048
    assert isinstance(np.zeros(1, game.dtype)[0], np.record)


def test_options_schema_has_defaults_and_descriptions(game: Game):
    assert game.options_schema["type"] == "object"
    if game.name != "toy":
        for option in game.options_schema["properties"].values():
            assert "default" in option
            assert option["description"]


def test_a_dump_loads_again(game: Game):
    for steps in some_matches(game, 2):
        for step in sample(steps, 10):
            assert game.dump(game.load(game.dump(step.state))) == game.dump(step.state)
    with pytest.raises(ValueError, match="bytes"):
        game.load(b"short")
