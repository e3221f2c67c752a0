"""What a record proves: a true one is reproduced whole, and whatever is changed in one is named."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ai.audit import Checked, audit, verify
from ai.levels import NUMBERS
from ai.player import think
from engines.game import Game, chance_key
from engines.records import BadRecord
from service.cli import main
from tests.ai.conftest import COMPILED
from tests.toy import GAME as TOY

Json = dict[str, Any]
MATCH = "23456789abcdef"


def thought_of(game: Game, state: Any, seat: int, level: int, seed: int, after: int) -> tuple[int, Json]:
    """Return an AI's action and its thought as workers record it, the search shortened."""
    thought = think(game, game.redact(state, seat), seat, level=level, seed=seed, iterations=8 * level)
    told = {name: getattr(thought, name) for name in ("iterations", "milliseconds", "digest", "result")}
    return thought.action, {"level": level, "seed": seed, "after": after, **told}


def played(game: Game, seats: int, most: int, people: tuple[int, ...] = (0,), seed: int = 1) -> Json:
    """Return the record of a match of people, who play at random, and AIs of rising levels; all awaited AIs think at once."""
    chance, secret = random.Random(seed), seed.to_bytes(32)
    state = game.new(seats, {}, secret, MATCH)
    moves: list[Json] = []
    waiting: dict[int, tuple[int, Json]] = {}
    while (awaited := game.awaiting(state)) and len(moves) < most:
        for seat in awaited:
            if seat not in people and seat not in waiting:
                waiting[seat] = thought_of(game, state, seat, seat + 1, chance.getrandbits(53), len(moves))
        seat = chance.choice(awaited)
        if seat in people:
            move: Json = {"by": "player"}
            action = chance.choice(game.legal(state, seat))
        else:
            action, told = waiting.pop(seat)
            move = {"by": "ai", "thought": told}
        moves.append({"number": len(moves) + 1, "seat": seat, "action": game.action_to_json(state, action), "code": action})
        moves[-1] |= move
        state = game.play(state, seat, action, chance_key(secret, MATCH, len(moves)))
    outcome = game.outcome(state)
    edition = game.edition_of(state)
    record = {
        "game": game.name,
        "edition_digest": edition.digest,
        "options": game.complete_options(seats, {}),
        "seat_count": seats,
        "match": MATCH,
        "seed": secret.hex(),
        "seed_hash": hashlib.sha256(secret).hexdigest(),
        "actions": moves,
        "outcome": {"reason": "resigned", "winners": [0], "ranking": [1] * seats} if outcome is None else outcome.to_json(),
    }
    return json.loads(json.dumps(record))


def toy(seed: int = 1) -> Json:
    return played(TOY, 3, 100, seed=seed)


GAMES = {"toy": TOY}


def differing(record: Json) -> list[Checked]:
    return [move for move in audit(record, GAMES) if move.verdict == "differs"]


def test_a_true_record_is_reproduced_whole(game: Game) -> None:
    record = played(game, max(3, game.min_seats), 40 if COMPILED else 12)
    games = {game.name: game}
    checked = list(audit(record, games))
    assert [move.number for move in checked] == list(range(1, len(record["actions"]) + 1))
    wanted = ["reproduced" if move["by"] == "ai" else "no thought" for move in record["actions"]]
    assert [(move.verdict, move.reason) for move in checked] == [(verdict, "") for verdict in wanted]
    assert "reproduced" in wanted
    assert all(move.text for move in checked)
    assert verify(record, games) == []


def test_others_may_act_while_an_ai_thinks() -> None:
    record = toy()
    thoughts = [(move["thought"]["after"], move["number"]) for move in record["actions"] if "thought" in move]
    assert any(after < number - 1 for after, number in thoughts)
    assert differing(record) == []


def test_other_hidden_cards_give_the_same_thoughts(game: Game) -> None:
    """What an AI could not see is dealt anew before each of its moves: it thinks the same."""
    record = played(game, max(3, game.min_seats), 20 if COMPILED else 9)
    states, secret = [game.new(record["seat_count"], {}, bytes.fromhex(record["seed"]), MATCH)], bytes.fromhex(record["seed"])
    other_worlds = 0
    for move in record["actions"]:
        if move["by"] == "ai":
            seat, told = move["seat"], move["thought"]
            real = states[told["after"]]
            world = game.imagine(game.redact(real, seat), seat, told["seed"])
            other_worlds += game.view(world, None) == game.view(real, None) and game.dump(world) != game.dump(real)
            again = think(
                game,
                game.redact(world, seat),
                seat,
                level=told["level"],
                seed=told["seed"],
                iterations=told["iterations"] or None,
            )
            assert (again.action, again.digest, again.result) == (move["code"], told["digest"], told["result"])
        states.append(game.play(states[-1], move["seat"], move["code"], chance_key(secret, MATCH, move["number"])))
    assert other_worlds


def searched(record: Json) -> Json:
    """Return the record's first move that took a search."""
    return next(move for move in record["actions"] if move.get("thought", {}).get("iterations"))


TAMPERED: list[tuple[str, Any, str]] = [
    ("seed", 7, "the search found something else"),
    ("seed", -1, "seed must be from 0 to"),
    ("seed", "7", "not '7'"),
    ("level", 6, ""),
    ("level", 9, "level must be from 1 to 8, not 9"),
    ("level", True, "not True"),
    ("iterations", 3, ""),
    ("iterations", 0, "at least 1 iteration"),
    ("iterations", 10**15, "not 1000000000000000"),
    ("digest", "0" * 64, "the seat knew a state with digest"),
    ("result", "0" * 64, "the search found something else"),
    ("after", 99, "not one before it"),
    ("after", -1, "not one before it"),
    ("after", None, "not one before it"),
]


@pytest.mark.parametrize(("name", "value", "reason"), TAMPERED)
def test_a_changed_thought_is_named(name: str, value: Any, reason: str) -> None:
    record = toy()
    move = searched(record)
    move["thought"][name] = value
    (found,) = differing(record)
    assert found.number == move["number"]
    assert reason in found.reason


def test_a_thought_of_an_earlier_decision_is_named() -> None:
    record = toy()
    seat = searched(record)["seat"]
    second = [move for move in record["actions"] if move["seat"] == seat][1]
    second["thought"]["after"] = 0
    (found,) = differing(record)
    assert (found.number, "before the seat's last move" in found.reason) == (second["number"], True)


def test_another_move_than_the_thought_leads_to_is_named() -> None:
    """The AI's move is replaced by another legal one: a better one, say, that only a cheat could have known."""
    record = toy()
    move = searched(record)
    state = TOY.new(3, {}, bytes.fromhex(record["seed"]), MATCH)
    for before in record["actions"][: move["number"] - 1]:
        state = TOY.play(
            state, before["seat"], before["code"], chance_key(bytes.fromhex(record["seed"]), MATCH, before["number"])
        )
    other = next(action for action in TOY.legal(state, move["seat"]) if action != move["code"])
    move |= {"action": TOY.action_to_json(state, other), "code": other}
    first = differing(record)[0]
    assert first.number == move["number"]
    assert "leads to another move: choose card" in first.reason


def change(path: str, value: Any) -> Callable[[Json], None]:
    def changed(record: Json) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        place: Any = record
        for part in parents:
            place = place[part]
        place[last] = value

    return changed


def test_an_ais_move_without_a_thought_is_named() -> None:
    record = toy()
    move = searched(record)
    del move["thought"]
    assert "holds no thought" in differing(record)[0].reason
    again = toy()
    searched(again)["by"] = "player"
    assert "chosen by 'player'" in differing(again)[0].reason


def test_a_move_with_another_number_or_code_is_named() -> None:
    for name, reason in (("number", "it is number 2, not 5"), ("code", "its code is")):
        record = toy()
        record["actions"][1][name] = 5 if name == "number" else 77
        (found,) = differing(record)
        assert (found.number, reason in found.reason) == (2, True)


def test_another_deal_is_named() -> None:
    """With another seed the cards are others: the seed does not fit its hash, and the first move that differs is named."""
    record = toy()
    record["seed"] = (2).to_bytes(32).hex()
    faults = verify(record, GAMES)
    assert "published" in faults[0].reason
    assert faults[0].number is None
    first = differing(record)[0]
    assert first.number <= searched(record)["number"]


def test_an_illegal_move_ends_the_replay_and_is_named() -> None:
    record = toy()
    record["actions"][4]["action"] = {"type": "take_back"}
    (fault,) = verify(record, GAMES)
    assert fault.number == 5
    checked = list(audit(record, GAMES))
    assert [(move.number, move.verdict) for move in checked if move.verdict == "differs"] == [(5, "differs")]
    assert checked[-1].number == 5


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("outcome.winners", [0, 1, 2], "the match ended with"),
        ("outcome", None, "the match ended with"),
        ("seed_hash", "0" * 64, "published"),
    ],
)
def test_another_end_or_promise_is_named(path: str, value: Any, reason: str) -> None:
    record = toy()
    change(path, value)(record)
    (fault,) = verify(record, GAMES)
    assert reason in fault.reason


def test_a_match_that_is_cut_short_is_named_unless_it_ended_by_no_rule_of_its_game() -> None:
    record = toy()
    record["actions"].pop()
    assert "has not ended" in verify(record, GAMES)[0].reason
    record["outcome"] = {"reason": "resigned", "winners": [1], "ranking": [3, 1, 1]}
    assert verify(record, GAMES) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("game", "chess"),
        ("edition_digest", "0" * 64),
        ("seed", "00"),
        ("seat_count", 9),
        ("options", {"colour": 1}),
        ("actions.0.seat", "0"),
        ("actions", None),
    ],
)
def test_what_is_no_record_is_refused(path: str, value: Any) -> None:
    record = toy()
    change(path, value)(record)
    for look in (verify, lambda *given: list(audit(*given))):
        with pytest.raises(BadRecord):
            look(record, GAMES)


@pytest.mark.parametrize("name", ["seed", "seed_hash", "outcome", "actions"])
def test_a_record_that_lacks_something_is_refused(name: str) -> None:
    record = toy()
    del record[name]
    for given in (record, [record], None, 1, "x"):
        with pytest.raises(BadRecord):
            list(audit(given, GAMES))


def test_every_level_can_be_audited() -> None:
    assert set(NUMBERS) >= {move["thought"]["level"] for move in toy()["actions"] if "thought" in move}


# --- the commands -----------------------------------------------------------------------------------------------------


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr("service.record_commands.games", lambda: GAMES)
    return lambda *arguments, **given: CliRunner().invoke(main, list(arguments), **given)


def test_the_commands_on_a_true_record(commands: Callable[..., Any], tmp_path: Path) -> None:
    record, file = toy(), tmp_path / "record.json"
    file.write_text(json.dumps(record))
    verified, audited = commands("verify", str(file)), commands("audit", "-", input=json.dumps(record))
    assert (verified.exit_code, audited.exit_code) == (0, 0)
    assert verified.output.startswith("true: the seed fits its published hash, all 9 moves are legal")
    *lines, last = audited.output.splitlines()
    assert len(lines) == 9
    assert last == "6 moves of AIs reproduced, 3 moves of others, 0 that differ"


def test_the_commands_on_a_changed_record(commands: Callable[..., Any]) -> None:
    record = copy.deepcopy(toy())
    move = searched(record)
    move["thought"]["digest"] = "0" * 64
    audited = commands("audit", "-", input=json.dumps(record))
    assert audited.exit_code == 1
    assert f"the first move that differs is number {move['number']}, of seat {move['seat']}" in audited.output
    assert commands("verify", "-", input=json.dumps(record)).exit_code == 0
    record["seed_hash"] = "0" * 64
    for name in ("verify", "audit"):
        changed = commands(name, "-", input=json.dumps(record))
        assert changed.exit_code == 1
        assert "published" in changed.output


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", '{"game": "chess"}'])
def test_the_commands_on_no_record(commands: Callable[..., Any], text: str) -> None:
    for name in ("verify", "audit"):
        refused = commands(name, "-", input=text)
        assert refused.exit_code == 1
        assert refused.output.startswith("Error: ")
