"""`Matches`: all that the API and the workers do with matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import GAMES, Game
from service.matches.clock import Clock
from service.matches.match import Json, Match, OnTimeout
from service.matches.requests import Request
from service.matches.seats import SeatRequest
from service.matches.store import Store
from service.settings import Settings


@dataclass(frozen=True)
class Created:
    """A match and the seat its asker got in it.

    Attributes:
        match: as it is now.
        seat, token: the seat and what opens it; None for a match created without a seat of the creator's.
        repeated: the request had been granted before.
    """

    match: Match
    seat: int | None = None
    token: str | None = None
    repeated: bool = False


@dataclass(frozen=True)
class Played:
    """What came of a played sequence.

    Attributes:
        match: the match after it.
        version: the version it made (of a dry run: the present one).
        repeated: the request had been granted before.
        answer: the asker's `position` just after it; of a dry run None. A repeated request gets the very same again
            while it is the seat's latest, later the present position.
    """

    match: Match
    version: int
    repeated: bool = False
    answer: Json | None = None


@dataclass(frozen=True)
class Due:
    """A seat somebody must look at."""

    match_id: str
    seat: int


class Matches:
    """The matches in a store.

    Args:
        store: where they are.
        games: by name.
        settings: times.
        clock: the time.
        levels: the AI levels there are.
        enqueue: (match id, version since which the seat decides, seat) -> None: asks a worker to think; may fail, for
            what is due is found again by the sweeper. None: only the sweeper.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = GAMES,
        settings: Settings | None = None,
        clock: Clock | None = None,
        levels: Collection[int] = range(1, 9),
        enqueue: Callable[[str, int, int], None] | None = None,
    ) -> None: ...

    @classmethod
    def open(cls, settings: Settings, games: Mapping[str, Game] = GAMES, **kwargs: Any) -> Matches:
        """Return the matches in the server that the settings name, with its queue."""
        raise NotImplementedError

    def close(self) -> None:
        """End every wait and every stream soon, and the reader behind them."""
        raise NotImplementedError

    def ping(self) -> None:
        """Return when the store answers.

        Raises:
            StoreUnavailable: it does not.
        """
        raise NotImplementedError

    # Creating and joining

    def create(
        self,
        game: str,
        options: Mapping[str, Any],
        seats: Sequence[SeatRequest],
        *,
        turn_seconds: float | None = None,
        on_timeout: OnTimeout = "ai",
        reaction_seconds: float | None = None,
        seed: bytes | None = None,
        request: Request | None = None,
    ) -> Created:
        """Create a match; it starts at once when no seat is open.

        Raises:
            UnknownGame, BadOptions, BadSeats, UnknownLevel, BadRequestKey, RequestReused, StoreUnavailable
        """
        raise NotImplementedError

    def get(self, match_id: str) -> Match:
        """Return a match.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        raise NotImplementedError

    def who(self, match: Match, token: str | None) -> int | None:
        """Return the seat a token opens; None, a spectator, for no token.

        Raises:
            BadToken: a token that opens no seat here.
        """
        raise NotImplementedError

    def take_seat(
        self,
        match_id: str,
        name: str = "",
        *,
        seat: int | None = None,
        auto_pass: bool = False,
        request: Request | None = None,
    ) -> Created:
        """Take an open seat (the first, or a certain one); the match starts when it was the last.

        Raises:
            MatchNotFound, BadSeats, NoOpenSeat, SeatTaken, BadRequestKey, RequestReused, StoreUnavailable
        """
        raise NotImplementedError

    # Playing

    def play(
        self,
        match_id: str,
        seat: int | None,
        actions: Sequence[Any],
        *,
        version: int | None = None,
        request: Request | None = None,
        dry_run: bool = False,
    ) -> Played:
        """Play one action or a whole sequence for a player, all or nothing.

        Checked in this order: match there, seat known, match running, your decision, version, actions readable, legal.

        Raises:
            MatchNotFound, SeatTokenNeeded, MatchNotRunning, NotYourDecision, StaleVersion, UnreadableAction,
            IllegalAction, Reveals, RequestReused, StoreUnavailable
        """
        raise NotImplementedError

    # Showing

    def position(self, match: Match, seat: int | None) -> Json:
        """Return what a seat (None: a spectator) is shown of a match: the body of every answer about it."""
        raise NotImplementedError

    def actions(self, match: Match, seat: int) -> list[Json]:
        """Return the seat's legal actions: `{"action": ..., "text": a sentence}` each."""
        raise NotImplementedError

    def events(self, match_id: str, seat: int | None, after: int = 0, limit: int = 100) -> list[Json]:
        """Return the log after a version as a viewer was told it: `{"version", "at", "events": [...]}` each."""
        raise NotImplementedError

    def record(self, match: Match, seat: int | None) -> Json:
        """Return all of a match that is over: seed, every action with its thought; before that, what the viewer was told."""
        raise NotImplementedError

    # Following

    def wait(self, match_id: str, version: int, seconds: float) -> Match:
        """Return the match once its version is above `version`, or as it is after `seconds`."""
        raise NotImplementedError

    def follow(self, match_id: str, seat: int | None, after: int = 0) -> Iterator[Json | None]:
        """Yield the log after a version as it grows; None as a sign of life whenever nothing happened for a while.

        Ends after the entry with `match.ended`, or when the matches are closed.
        """
        raise NotImplementedError
