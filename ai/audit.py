"""What a match's record proves: that it was dealt as promised and played by the rules, and that its AIs did not cheat.

A record is the JSON of `GET /v1/matches/{id}/record` of a match that is over. `verify` plays it again. `audit` also thinks
again: before every move of an AI it redacts the state for the AI's seat and searches with the recorded level, seed and number
of iterations. Who sees only that cannot have used a hidden card, if the same thought comes out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ai.levels import NUMBERS
from ai.player import digest, think
from engines.game import Game, Json
from engines.kernel import State
from engines.records import BadRecord, Record, replay

#: "reproduced": an AI's move, thought again with the same result. "differs": the record cannot be true here.
#: "no thought": played by the rules, and not by an AI that searched: there is nothing to have again.
Verdict: TypeAlias = Literal["reproduced", "differs", "no thought"]

#: More iterations than the longest thought of any level can make, by far: a record that asks for more is not searched again.
MOST_ITERATIONS = 20_000_000


@dataclass(frozen=True)
class Fault:
    """Something in a record that cannot be true.

    Attributes:
        reason: a sentence.
        number: the first move it shows in, counted from 1; None: no single one.
    """

    reason: str
    number: int | None = None


@dataclass(frozen=True)
class Checked:
    """One move of a record, looked at.

    Attributes:
        number: 1 for the match's first.
        seat: who acted.
        by: who chose, as the record says: `ai`, `player`, ...
        text: the move as a sentence; empty where it cannot be read.
        verdict: what came of it.
        reason: why it differs.
    """

    number: int
    seat: int
    by: str
    text: str
    verdict: Verdict
    reason: str = ""


class _Differs(Exception):
    """A move that is not what the record says it is."""


# --- verify -----------------------------------------------------------------------------------------------------------


def verify(data: Any, games: Mapping[str, Game]) -> list[Fault]:
    """Return what is wrong with a record, by the deal, the moves, and the end; nothing if all is right.

    Args:
        data: the record's JSON.
        games: the registry.

    Raises:
        BadRecord: it is no record of a match that is over, or its game or edition is not here.
    """
    record, moves = _read(data)
    faults = [] if _promised(data, record) else [Fault(_NOT_PROMISED)]
    states = replay(record, games)
    state = next(states)
    for number, entry in enumerate(moves, 1):
        try:
            state = next(states)
        except BadRecord as error:
            return [*faults, Fault(error.reason, number)]
        faults += _misnumbered(entry, number)
    reason = _other_end(games[record.game], state, data["outcome"])
    return [*faults, Fault(reason)] if reason else faults


_NOT_PROMISED = "the seed is not the one whose hash was published before the deal"


def _read(data: Any) -> tuple[Record, Sequence[Json]]:
    """Return the record and its moves.

    Raises:
        BadRecord: it is no record of a match that is over.
    """
    record = Record.from_json(data)
    for name in ("seed_hash", "outcome"):
        if name not in data:
            raise BadRecord(f"the record lacks {name!r}")
    return record, data["actions"]


def _promised(data: Json, record: Record) -> bool:
    return bool(hashlib.sha256(record.seed).hexdigest() == data["seed_hash"])


def _misnumbered(entry: Json, number: int) -> list[Fault]:
    told = entry.get("number", number)
    return [] if told == number else [Fault(f"it is number {number}, not {told!r}", number)]


def _other_end(game: Game, state: State, told: Any) -> str:
    """Return how the end of a replay differs from the record's; empty if it does not.

    A match may end before its rules end it (a player resigns); then its reason is none of the game's.
    """
    outcome = game.outcome(state)
    if outcome is not None:
        return "" if outcome.to_json() == told else f"the match ended with {outcome.to_json()}, not with {told!r}"
    if isinstance(told, dict) and told.get("reason") not in game.reasons:
        return ""
    return f"the match has not ended after its last move; the record says {told!r}"


# --- audit ------------------------------------------------------------------------------------------------------------


def audit(data: Any, games: Mapping[str, Game]) -> Iterator[Checked]:
    """Yield every move of a record with its verdict, in order; the last one is the first that the rules do not allow, if any.

    Args:
        data: the record's JSON.
        games: the registry.

    Raises:
        BadRecord: as `verify`.
    """
    record, moves = _read(data)
    before: list[State] = []
    states = replay(record, games)
    before.append(next(states))
    for index, entry in enumerate(moves):
        try:
            before.append(next(states))
        except BadRecord as error:
            yield Checked(index + 1, record.actions[index][0], _by(entry), "", "differs", error.reason)
            return
        yield _check(games[record.game], record, moves, before, index)


def _check(game: Game, record: Record, moves: Sequence[Json], before: Sequence[State], index: int) -> Checked:
    """Return the verdict on a legal move."""
    entry, state, (seat, spelled) = moves[index], before[index], record.actions[index]
    action = game.action_from_json(state, spelled)
    text = game.describe(state, seat, action)
    try:
        for fault in _misnumbered(entry, index + 1):
            raise _Differs(fault.reason)
        if entry.get("code", action) != action:
            raise _Differs(f"its code is {action}, not {entry['code']!r}")
        verdict = _verdict(game, entry, seat, action, moves, before, index)
    except _Differs as error:
        return Checked(index + 1, seat, _by(entry), text, "differs", str(error))
    return Checked(index + 1, seat, _by(entry), text, verdict)


def _verdict(
    game: Game, entry: Json, seat: int, action: int, moves: Sequence[Json], before: Sequence[State], index: int
) -> Verdict:
    thought = entry.get("thought")
    if _by(entry) != "ai":
        if thought is not None:
            raise _Differs(f"it was thought by an AI, but the record says it was chosen by {_by(entry)!r}")
        return "no thought"
    if not isinstance(thought, dict):
        raise _Differs("it is an AI's, but the record holds no thought")
    _think_again(game, before[_seen(thought, seat, moves, index)], seat, action, thought)
    return "reproduced"


def _by(entry: Json) -> str:
    return str(entry.get("by"))


def _seen(thought: Json, seat: int, moves: Sequence[Json], index: int) -> int:
    """Return after how many moves the thought was had: others may have acted while the AI thought, but not its own seat.

    Raises:
        _Differs: it cannot have been then.
    """
    after = thought.get("after", index)
    if not _whole(after) or not 0 <= after <= index:
        raise _Differs(f"it was thought after move {after!r}, which is not one before it")
    if any(entry["seat"] == seat for entry in moves[after:index]):
        raise _Differs(f"it was thought after move {after}, before the seat's last move")
    return int(after)


def _think_again(game: Game, state: State, seat: int, action: int, told: Json) -> None:
    """Have a thought again.

    Raises:
        _Differs: another one comes out.
    """
    redacted = game.redact(state, seat)
    known = digest(redacted)
    if told.get("digest") != known:
        raise _Differs(f"the seat knew a state with digest {known}, not {told.get('digest')}")
    level = _level(told.get("level"))
    seed = _number(told, "seed", 0, (1 << 64) - 1)
    iterations = _number(told, "iterations", 0, MOST_ITERATIONS)
    try:
        thought = think(game, redacted, seat, level=level, seed=seed, iterations=iterations)
    except ValueError as error:
        raise _Differs(str(error)) from error
    if thought.iterations != iterations:
        raise _Differs(f"the thought has {thought.iterations} iterations, not {iterations}")
    if thought.action != action:
        raise _Differs(f"the thought leads to another move: {game.describe(redacted, seat, thought.action)}")
    if told.get("result", thought.result) != thought.result:
        raise _Differs("the search found something else than the record says: its result has another digest")


def _level(value: Any) -> float:
    """Return a level of a thought, a whole one or one between two.

    Raises:
        _Differs: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not NUMBERS[0] <= value <= NUMBERS[-1]:
        raise _Differs(f"the thought's level must be from {NUMBERS[0]} to {NUMBERS[-1]}, not {value!r}")
    return value


def _number(told: Json, name: str, least: int, most: int) -> int:
    """Return a whole number of a thought.

    Raises:
        _Differs: it is none, or out of range.
    """
    value = told.get(name)
    if not _whole(value) or not least <= value <= most:  # type: ignore[operator]
        raise _Differs(f"the thought's {name} must be from {least} to {most}, not {value!r}")
    return int(value)  # type: ignore[arg-type]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
