"""Records: a match in full, as seats, options, seed and actions, and its replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engines.game import Game, GameError, Json, chance_key
from engines.kernel import State


class BadRecord(GameError):
    """A record that cannot be replayed.

    Attributes:
        index: the first wrong action, counted from 0; None when the record itself is unreadable.
    """

    def __init__(self, reason: str, index: int | None = None) -> None:
        super().__init__(reason if index is None else f"action {index}: {reason}")
        self.index = index
        self.reason = reason


@dataclass(frozen=True)
class Record:
    """Everything that gives a match.

    Attributes:
        game: the game's name.
        edition: the edition's SHA-256 digest in hex.
        options: complete options.
        seats: how many played.
        match: the match's id, part of every `chance_key`.
        seed: the 32 secret bytes.
        actions: (seat, action JSON), in order.
    """

    game: str
    edition: str
    options: Json
    seats: int
    match: str
    seed: bytes
    actions: tuple[tuple[int, Json], ...]

    def to_json(self) -> Json:
        """Return the record as JSON-able data."""
        return {
            "game": self.game,
            "edition_digest": self.edition,
            "options": self.options,
            "seat_count": self.seats,
            "match": self.match,
            "seed": self.seed.hex(),
            "actions": [{"seat": seat, "action": action} for seat, action in self.actions],
        }

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """Return the record in JSON data; keys it does not know (names, times, thoughts) are left alone.

        Raises:
            BadRecord: a key is missing or of the wrong kind.
        """
        if not isinstance(data, dict):
            raise BadRecord(f"a record is a JSON object, like the one of `GET /v1/matches/{{id}}/record`, not {data!r:.40}")
        try:
            actions = tuple((_whole(entry["seat"]), dict(entry["action"])) for entry in data["actions"])
            record = cls(
                game=str(data["game"]),
                edition=str(data["edition_digest"]),
                options=dict(data["options"]),
                seats=_whole(data["seat_count"]),
                match=str(data["match"]),
                seed=bytes.fromhex(data["seed"]),
                actions=actions,
            )
        except KeyError as error:
            raise BadRecord(f"the record lacks {error.args[0]!r}") from error
        except (TypeError, ValueError) as error:
            raise BadRecord(f"the record is not readable: {error}") from error
        if len(record.seed) != 32:
            raise BadRecord(f"the seed has 32 bytes (64 hex digits), not {len(record.seed)}")
        return record


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def replay(record: Record, games: Mapping[str, Game]) -> Iterator[State]:
    """Yield the state after the deal and after every action.

    Args:
        record: from `Record.from_json` or built.
        games: the registry.

    Raises:
        BadRecord: the game or edition is not here, the options are not allowed, or an action is wrong; with the index of
            the first wrong action.
    """
    if record.game not in games:
        raise BadRecord(f"there is no game {record.game!r}")
    game = games[record.game]
    try:
        state = game.new(record.seats, record.options, record.seed, record.match)
    except GameError as error:
        raise BadRecord(str(error)) from error
    if game.edition_of(state).digest != record.edition:
        name = game.edition_of(state).name
        raise BadRecord(f"edition {name!r} here is another one: its digest is {game.edition_of(state).digest}")
    yield state
    for index, (seat, data) in enumerate(record.actions):
        try:
            action = game.action_from_json(state, data)
            state = game.play(state, seat, action, chance_key(record.seed, record.match, index + 1))
        except GameError as error:
            raise BadRecord(str(error), index) from error
        yield state
