"""`Game`, the contract that every game meets, and the errors and values that go with it.

A game is a set of compiled kernels over one fixed-size record (see `engines/kernel.py`) plus the Python face below, which
checks, copies, names and shows. States are never changed by anything here: `play` answers a new one.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from engines.editions import Edition, EditionBook
from engines.kernel import TELL_LOG, State

Json: TypeAlias = dict[str, Any]


# --- errors -----------------------------------------------------------------------------------------------------------


class GameError(ValueError):
    """Something a player or client asked of a game that cannot be done; the message says what and what would be right."""


class UnreadableAction(GameError):
    """The action is not one of this game's at all: wrong type, a field missing, unknown or out of range."""


class IllegalAction(GameError):
    """A readable action that the rules do not allow now.

    Attributes:
        legal: the seat's legal actions as JSON.
    """

    def __init__(self, reason: str, legal: Sequence[Json] = ()) -> None:
        super().__init__(reason)
        self.legal = list(legal)


class NotYourDecision(GameError):
    """The seat has nothing to decide now (or the game is over)."""


class BadSeats(GameError):
    """A number of seats the game is not played with."""


class BadOption(GameError):
    """An option the game does not have, or a value it cannot take.

    Attributes:
        option: the option's name.
    """

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}")
        self.option = option
        self.reason = reason


# --- values -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """How and why a match ended.

    Attributes:
        reason: why, one of the game's `reasons`.
        winners: the seats that won, rising; several when the win is shared, none when nobody won.
        ranking: the place of each seat, 1 the best; equal players share a place and the next is skipped.
        points: the points of each seat where the game has any.
    """

    reason: str
    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    points: tuple[int, ...] | None = None

    def to_json(self) -> Json:
        """Return the outcome as JSON-able data."""
        data: Json = {"reason": self.reason, "winners": list(self.winners), "ranking": list(self.ranking)}
        if self.points is not None:
            data["points"] = list(self.points)
        return data


@dataclass(frozen=True)
class Told:
    """One event and who was told it.

    Attributes:
        seats: bit set of the seats; bit 7 (`kernel.SPECTATORS`) for spectators.
        event: JSON-able, with a `type`.
    """

    seats: int
    event: Json

    def to(self, viewer: int | None) -> bool:
        """Return whether a seat (None: a spectator) was told it."""
        return bool(self.seats >> (7 if viewer is None else viewer) & 1)


@dataclass(frozen=True)
class Kernels:
    """The compiled rules; signatures in `kernel.signatures`.

    Attributes:
        deal: (state): from configured tables and random words to the first decision.
        awaiting: (state) -> bit set of the seats that must decide now; 0: the game is over.
        legal: (state, seat, out) -> n: fills `out` (int16, at least `Game.max_actions` long) with the seat's legal actions.
        play: (state, seat, action): carries out one legal action and runs on to the next decision.
        redact: (state, seat): forgets, in place, whatever the seat cannot know. Worlds it cannot tell apart give equal bytes.
        imagine: (state, seat, seed): fills a redacted state with one world drawn evenly from all that fit.
        payoffs: (state, out): 0..1 a seat (float64) when over; before that, an estimate in the same scale.
    """

    deal: Callable[[State], None]
    awaiting: Callable[[State], int]
    legal: Callable[[State, int, Any], int]
    play: Callable[[State, int, int], None]
    redact: Callable[[State, int], None]
    imagine: Callable[[State, int, Any], None]
    payoffs: Callable[[State, Any], None]


def chance_key(seed: bytes, match: str, number: int) -> bytes:
    """Return the 32 bytes that key the generator before the deal (number 0) and before the match's n-th action (n >= 1).

    HMAC-SHA-256 (RFC 2104) with the match's secret seed over `"<match>:<number>"`: what players saw of earlier draws tells
    nothing about later ones, and whoever knows the seed can recompute every draw in any language.
    """
    return hmac.new(seed, f"{match}:{number}".encode(), hashlib.sha256).digest()


def copy(state: State) -> State:
    """Return a copy of a state (one assignment of a fixed-size record)."""
    box = np.zeros(1, state.dtype)  # numpy copies fields, not the padding between them: it must be zero, not chance
    box[0] = state
    return box[0]


# --- the contract -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Game:
    """One game: what it is, its kernels, and its Python face.

    Attributes:
        name: in the API, e.g. `last-lemming`.
        title: for people.
        summary: one sentence.
        min_seats, max_seats: how many can play.
        reasons: every `Outcome.reason` there is.
        max_actions: the most legal actions one seat can have at once.
        dtype: the state record.
        kernels: the compiled rules.
        editions: the printed sets of cards and boards that can be played.
        options_schema: JSON Schema (an object with `properties` and their `default`s) of the match options.
        check_options: (edition, seats, options) -> options complete with defaults; raises `BadOption`.
        variants: (edition) -> (seats, options) pairs that between them use every seat count and every option value.
        configure: (state, edition, seats, options): writes the tables into a zeroed state.
        encode: (edition, state, action JSON) -> int; raises `UnreadableAction`. Needs no legality.
        decode: (edition, state, action) -> JSON; the exact inverse for every legal action.
        describe: (edition, state, seat, action) -> a sentence for people.
        explain: (edition, state, seat, action) -> why a readable action is not legal now.
        view: (edition, state, viewer) -> what a seat (None: a spectator) may see. Built by adding.
        events: (edition, state) -> what the last play told to whom, decoded from the log.
        outcome: (edition, state) -> how it ended, None while it runs.
        silence: (edition, state, seat) -> the action played for a seat that does not answer within the match's
            `reaction_seconds`; None where the seat's present decision is no such reaction.
        information, chance, longest: facts for `GET /v1/games` (see OpenSpiel's game types): free text, free text, and the
            most decisions a match can take as far as measured.
        action_numbers: every action of the game is a number in [0, action_numbers).
    """

    name: str
    title: str
    summary: str
    min_seats: int
    max_seats: int
    reasons: tuple[str, ...]
    max_actions: int
    dtype: np.dtype[Any]
    kernels: Kernels
    editions: EditionBook
    options_schema: Json
    check_options: Callable[[Edition, int, Mapping[str, Any]], Json]
    variants: Callable[[Edition], list[tuple[int, Json]]]
    configure: Callable[[State, Edition, int, Json], None]
    encode: Callable[[Edition, State, Json], int]
    decode: Callable[[Edition, State, int], Json]
    explain: Callable[[Edition, State, int, int], str]
    _describe: Callable[[Edition, State, int, int], str]
    _view: Callable[[Edition, State, int | None], Json]
    _events: Callable[[Edition, State], list[Told]]
    _outcome: Callable[[Edition, State], Outcome | None]
    _silence: Callable[[Edition, State, int], int | None] = field(default=lambda edition, state, seat: None)
    information: str = ""
    chance: str = ""
    longest: int = 0
    action_numbers: int = 1 << 15

    # Starting

    def complete_options(self, seats: int, options: Mapping[str, Any]) -> Json:
        """Return the options of a match with all defaults filled in, `edition` among them.

        Raises:
            BadSeats: not a seat count of this game.
            BadOption: an unknown option, or a value it cannot take.
        """
        if not self.min_seats <= seats <= self.max_seats:
            raise BadSeats(f"{self.title} is played by {self.min_seats} to {self.max_seats}, not by {seats}")
        known = self.options_schema["properties"]
        for name in options:
            if name not in known:
                raise BadOption(name, f"{self.title} has no such option; it has {', '.join(sorted(known))}")
        edition_name = options.get("edition", known["edition"]["default"])
        if not isinstance(edition_name, str) or edition_name not in self.editions:
            names = ", ".join(sorted(self.editions))
            raise BadOption("edition", f"there is no edition {edition_name!r}; there is {names}")
        checked = self.check_options(self.editions[edition_name], seats, options)
        checked["edition"] = edition_name
        return checked

    def new(self, seats: int, options: Mapping[str, Any], seed: bytes, match: str = "") -> State:
        """Return a freshly dealt match.

        Args:
            seats: how many play.
            options: as `complete_options` takes them.
            seed: 32 secret bytes.
            match: the match's id; part of every `chance_key`.

        Raises:
            BadSeats, BadOption: see `complete_options`.
        """
        checked = self.complete_options(seats, options)
        edition = self.editions[checked["edition"]]
        state = np.zeros(1, self.dtype)[0]
        state.edition = edition.word
        state.seats = seats
        state.telling = TELL_LOG
        self.configure(state, edition, seats, checked)
        _key(state, chance_key(seed, match, 0))
        self.kernels.deal(state)
        state.reveals = 0
        return state

    # Playing

    def awaiting(self, state: State) -> tuple[int, ...]:
        """Return the seats that must decide now, rising; none when the match is over."""
        bits = int(self.kernels.awaiting(state))
        return tuple(seat for seat in range(int(state.seats)) if bits >> seat & 1)

    def legal(self, state: State, seat: int) -> list[int]:
        """Return a seat's legal actions (also of a seat that is not awaited but may still take a choice back)."""
        out = np.empty(self.max_actions, np.int16)
        n = int(self.kernels.legal(state, seat, out))
        return [int(action) for action in out[:n]]

    def play(self, state: State, seat: int, action: int, key: bytes | None = None) -> State:
        """Return the state after one legal action; the given one is untouched.

        Args:
            state: a real state (not a redacted one).
            seat: who acts.
            action: one of `legal(state, seat)`.
            key: 32 bytes from `chance_key` that key the generator anew; None goes on with the state's own words.

        Raises:
            NotYourDecision: the seat has nothing to decide.
            IllegalAction: the rules do not allow it now, or no action has this number here.
        """
        legal = self.legal(state, seat) if 0 <= seat < int(state.seats) else []
        if not legal:
            raise NotYourDecision(self._nothing_to_decide(state, seat))
        if action not in legal:
            edition = self.edition_of(state)
            choices = [self.decode(edition, state, a) for a in legal]
            if not self._is_readable(edition, state, action):
                raise IllegalAction(f"no action has the number {action} here; legal are {', '.join(map(str, legal))}", choices)
            raise IllegalAction(self.explain(edition, state, seat, action), choices)
        after = copy(state)
        after.telling = TELL_LOG
        after.log_n = 0
        after.reveals = 0
        if key is not None:
            _key(after, key)
        self.kernels.play(after, seat, action)
        return after

    def _is_readable(self, edition: Edition, state: State, action: int) -> bool:
        """Return whether a number is that of anything that can be said as JSON, legal ever or not."""
        if action < 0:
            return False
        try:
            return self.encode(edition, state, self.decode(edition, state, action)) == action
        except (LookupError, ValueError, OverflowError):
            return False

    def _nothing_to_decide(self, state: State, seat: int) -> str:
        awaited = self.awaiting(state)
        if not awaited:
            return "the match is over"
        names = ", ".join(str(s) for s in awaited)
        return f"seat {seat} has nothing to decide now; awaited: {names}"

    # Hidden information

    def redact(self, state: State, seat: int) -> State:
        """Return the state as far as a seat can know it; the only form the AI is ever given."""
        known = copy(state)
        self.kernels.redact(known, seat)
        return known

    def imagine(self, redacted: State, seat: int, seed: int) -> State:
        """Return one world drawn evenly from all that fit what the seat has seen.

        Args:
            redacted: from `redact(state, seat)`.
            seed: 64 bits; the same seed gives the same world.
        """
        world = copy(redacted)
        self.kernels.imagine(world, seat, np.uint64(seed))
        return world

    def payoffs(self, state: State) -> list[float]:
        """Return 0..1 a seat: the result when over, before that the playout heuristic's estimate."""
        out = np.zeros(int(state.seats))
        self.kernels.payoffs(state, out)
        return [float(value) for value in out]

    # Showing

    def edition_of(self, state: State) -> Edition:
        """Return the edition a state was dealt from.

        Raises:
            KeyError: its file is not here (any more).
        """
        return self.editions.by_word(int(state.edition))

    def view(self, state: State, viewer: int | None) -> Json:
        """Return what a seat (None: a spectator) may see, as JSON-able data."""
        return self._view(self.edition_of(state), state, viewer)

    def events(self, state: State) -> list[Told]:
        """Return what the last play (or the deal) told, in order, and to whom."""
        return self._events(self.edition_of(state), state)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, None while it runs."""
        return self._outcome(self.edition_of(state), state)

    def silence(self, state: State, seat: int) -> int | None:
        """Return the action for a seat that lets its reaction time pass; None where no reaction is asked of it."""
        return self._silence(self.edition_of(state), state, seat)

    def action_to_json(self, state: State, action: int) -> Json:
        """Return an action in the form clients send it."""
        return self.decode(self.edition_of(state), state, action)

    def action_from_json(self, state: State, data: Any) -> int:
        """Return the action that a client's JSON means.

        Raises:
            UnreadableAction: not an action of this game.
        """
        if not isinstance(data, dict):
            raise UnreadableAction(f"an action is an object with a type, not {type(data).__name__}")
        return self.encode(self.edition_of(state), state, data)

    def legal_json(self, state: State, seat: int) -> list[Json]:
        """Return a seat's legal actions in the form clients send them back."""
        edition = self.edition_of(state)
        return [self.decode(edition, state, action) for action in self.legal(state, seat)]

    def describe(self, state: State, seat: int, action: int) -> str:
        """Return an action as a sentence for people, in the position before it."""
        return self._describe(self.edition_of(state), state, seat, action)

    @property
    def rules(self) -> str:
        """The rules for players, as Markdown: `rules.md` beside the game's own editions."""
        return (self.editions.folder / "rules.md").read_text("utf-8")

    # Storing

    @property
    def layout(self) -> str:
        """16 hex digits that change when the state record changes: stored bytes of another layout cannot be read."""
        return hashlib.sha256(repr(self.dtype.descr).encode()).hexdigest()[:16]

    def dump(self, state: State) -> bytes:
        """Return a state's bytes."""
        return bytes(state.tobytes())

    def load(self, data: bytes) -> State:
        """Return the state that `dump` wrote.

        Raises:
            ValueError: not the size of this game's state.
        """
        if len(data) != self.dtype.itemsize:
            raise ValueError(f"a state of {self.name} has {self.dtype.itemsize} bytes, not {len(data)}")
        return np.frombuffer(bytearray(data), self.dtype)[0]


def _key(state: State, key: bytes) -> None:
    state.random[:] = np.frombuffer(key, "<u8", 4)
