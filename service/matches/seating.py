"""`Seating`: how matches come about, and who sits down at them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from ai.levels import level_for
from service.matches import errors
from service.matches.checks import (
    check_join_code,
    check_terms,
    check_times,
    complete,
    new_join_code,
    open_seat,
    seed_or_new,
    too_busy,
)
from service.matches.guests import Guests
from service.matches.ledger import Ledger
from service.matches.lobby import CONFLICTS, Lobby
from service.matches.match import BOT_OPENER, Match, OnTimeout, id_from, new_id
from service.matches.requests import Request
from service.matches.results import Created
from service.matches.seats import (
    SeatRequest,
    Terms,
    bot_opener,
    check_name,
    hash_token,
    new_token,
    player_seat,
    seat_opened_by,
    set_up,
)
from service.matches.store import Ask, Grant, Stale


@dataclass(frozen=True)
class Part:
    """What a tournament decides about a match of its own.

    Attributes:
        tournament: its id.
        match_id: the match's, the same however often it is made.
        seed: 32 secret bytes.
        dealt_as: see `Match`; matches with the same seed and name have the same cards.
    """

    tournament: str
    match_id: str
    seed: bytes
    dealt_as: str | None = None


class Seating:
    """Creating matches and taking seats.

    Args:
        table: the matches.
        lobby: where somebody sits down in the seat that is kept for him.
    """

    def __init__(self, table: Ledger, lobby: Lobby) -> None:
        self._table = table
        self._lobby = lobby

    # Creating

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
        rated: bool | None = None,
        private: bool = False,
        spectator_delay_seconds: float = 0,
        expiry_seconds: int | None = None,
        draws: bool = False,
        part: Part | None = None,
        request: Request | None = None,
        creator: str | None = None,
        accepted: bool = False,
    ) -> Created:
        """Create a match; it starts at once when no seat is open, and none is kept for a bot that has yet to accept.

        Args:
            game: a name in `games`.
            options: of the game.
            seats: in order; at most one for the creator.
            turn_seconds: how long a player has for a decision; None: as long as he likes.
            on_timeout: what happens then: an AI takes the seat over ("ai") or plays the decision ("move"), or the
                player resigns ("resign").
            reaction_seconds: how long a player has to answer in a reaction window.
            seed: 32 secret bytes, in a match that is not rated; None: random ones.
            rated: None: if the seed is random.
            private: whether it is not listed, and takes a code to join.
            spectator_delay_seconds: how much later spectators see what happens.
            expiry_seconds: how long it is kept after its last change until it is over, at most as long as the settings
                say; None: as long.
            draws: whether its players may agree on a draw.
            part: what a tournament decides about a match of its own, in place of `seed`; a match that is
                there already is answered as it is.
            request: answered the same when it is sent again.
            creator: the name of the bot that creates it; None: somebody else.
            accepted: the bots have agreed already (to a tournament): they sit down at once, whatever they have going.

        Raises:
            UnknownGame, BadOptions, BadSeats, UnknownLevel, UnknownBot, BotDoesNotPlay, BotBusy, BadRequestKey,
            RequestReused, StoreUnavailable
        """
        if request is not None:
            request.guard_anonymous()
        played = self._table.game(game)
        full = complete(played, len(seats), options)
        check_times(turn_seconds, on_timeout, reaction_seconds)
        rated = check_terms(rated, seed, spectator_delay_seconds, expiry_seconds)
        seeded = seed is not None
        seed = seed_or_new(seed) if part is None else part.seed
        match_id = _id(request) if part is None else part.match_id
        me = next((number for number, seat in enumerate(seats) if seat.kind == "me"), None)
        token = None if me is None or creator is not None else _token(request, seed, match_id, me)
        edition = played.editions[full["edition"]]
        match = Match(
            id=match_id,
            game=game,
            edition=edition.name,
            edition_digest=edition.digest,
            layout=played.layout,
            options=full,
            seed=seed,
            seed_hash=hashlib.sha256(seed).hexdigest(),
            turn_seconds=turn_seconds,
            on_timeout=on_timeout,
            reaction_seconds=self._table.settings.reaction_default_s if reaction_seconds is None else reaction_seconds,
            created=self._table.clock.now(),
            rated=rated,
            seeded=seeded,
            join_code=new_join_code() if private else None,
            spectator_delay_seconds=spectator_delay_seconds,
            expiry_seconds=expiry_seconds,
            draws=draws,
            tournament=None if part is None else part.tournament,
            dealt_as=None if part is None else part.dealt_as,
            seats=set_up(seats, self._terms(game, len(seats), token, creator, accepted=accepted)),
        )
        for seat in match.seats:
            if seat.bot is not None and seat.bot != creator:
                self._bots().check(seat.bot, game, invited=not accepted)
        with self._coming(creator if me is not None else None, match):
            try:
                match, grant = self._open(match, request, me)
            except Stale as error:
                if part is None:
                    raise too_busy() from error
                return Created(self._table.get(match_id), repeated=True)
        return Created(match, me, token) if grant is None else self._created_before(match_id, grant, request, creator)

    def _terms(self, game: str, seats: int, token: str | None, creator: str | None, *, accepted: bool) -> Terms:
        kept_until = None if accepted else self._table.kept_until()
        opener = None if token is None else hash_token(token)
        return Terms(self._table.levels, partial(level_for, game, seats), opener, creator, kept_until)

    def check_bot(self, bot: str, game: str) -> None:
        """Make sure that there is a bot that plays a game.

        Raises:
            UnknownBot, BotDoesNotPlay, UnknownGame, StoreUnavailable
        """
        self._bots().check(bot, self._table.game(game).name, invited=False)

    def _bots(self) -> Guests:
        if self._table.guests is None:
            raise errors.UnknownBot("there are no bots here")
        return self._table.guests

    @contextmanager
    def _coming(self, bot: str | None, match: Match) -> Iterator[None]:
        """Count a match as one that a bot has going, unless sitting down fails; nothing for a person."""
        if bot is None:
            yield
            return
        self._bots().come(bot, match.id, match.game)
        try:
            yield
        except Exception:
            self._bots().stay_away(bot, match.id)
            raise

    def _open(self, match: Match, request: Request | None, me: int | None) -> tuple[Match, Grant | None]:
        draft = self._table.announced(match)
        if not match.empty_seats():
            draft.start()
        return self._table.commit(draft, None if request is None else Ask(request, "create", Grant(1, me)))

    def _created_before(self, match_id: str, grant: Grant, request: Request | None, bot: str | None = None) -> Created:
        assert request is not None
        match = self._table.get(match_id)
        token = None if grant.seat is None or bot is not None else request.token(match.seed, match_id, grant.seat)
        return Created(match, grant.seat, token, repeated=True)

    # Joining

    def take_seat(
        self,
        match_id: str,
        name: str = "",
        *,
        seat: int | None = None,
        auto_pass: bool = False,
        join_code: str | None = None,
        bot: str | None = None,
        request: Request | None = None,
    ) -> Created:
        """Take an open seat (the first, or a certain one); the match starts when it was the last.

        Args:
            match_id: the match.
            name: shown to everybody; "" for a name of ours.
            seat: None: the first.
            auto_pass: see `Seat`.
            join_code: of a private match.
            bot: the name of the bot that comes, and is shown by it; None: a person does.
            request: answered the same when it is sent again.

        Raises:
            MatchNotFound, JoinCodeNeeded, BadJoinCode, TooManyGuesses, BadSeats, NoOpenSeat, SeatTaken, BotSeated, BotBusy,
            BotDoesNotPlay, BadRequestKey, RequestReused, StoreUnavailable
        """
        if request is not None:
            request.guard_anonymous()
        name = check_name(name)
        for attempt in range(CONFLICTS):
            match, grant = self._table.store.load(match_id, request, "take")
            if grant is not None:
                return self._created_before(match_id, grant, request, bot)
            if attempt == 0:
                check_join_code(self._table.store, match, join_code)
            if bot is not None and (own := seat_opened_by(match, bot_opener(bot))) is not None:
                raise errors.BotSeated(f"this bot has seat {own} in this match already", seat=own)
            number = open_seat(match, seat)
            token = None if bot is not None else _token(request, match.seed, match_id, number)
            draft = self._table.draft(match)
            draft.sit(number, player_seat(number, name, hash_token(token or ""), bot, auto_pass=auto_pass))
            draft.tell("seat.taken", seat=number, name=draft.match.seats[number].name)
            if not draft.match.empty_seats():
                draft.start()
            ask = None if request is None else Ask(request, "take", Grant(match.version + 1, number))
            try:
                with self._coming(bot, match):
                    after, grant = self._table.commit(draft, ask)
            except Stale:
                continue
            return Created(after, number, token) if grant is None else self._created_before(match_id, grant, request, bot)
        raise too_busy()

    def claim_seat(self, match_id: str, token: str) -> Created | None:
        """Take the seat that is kept for a token; None if it opens a seat where somebody sits already.

        A bot whose key it is gets the seat it is invited to; None if it is not invited.

        Raises:
            MatchNotFound, BadToken, BotBusy, StoreUnavailable
        """
        match, opener = self._table.get(match_id), self._table.opener(token)
        seat = seat_opened_by(match, opener)
        if seat is None and not opener.startswith(BOT_OPENER):
            raise errors.BadToken("this token opens no seat of this match")
        if seat is None or match.seats[seat].kind != "open":
            return None
        if match.seats[seat].bot is not None:
            return self.accept(match, seat)
        return Created(self._lobby.join(match_id, seat, opener), seat, token)

    def accept(self, match: Match, seat: int) -> Created:
        """Let a bot sit down in the seat that is kept for it.

        Raises:
            BadToken: it is not kept for it any more.
            BotBusy, MatchNotFound, StoreUnavailable
        """
        bot = match.seats[seat].bot
        assert bot is not None
        with self._coming(bot, match):
            return Created(self._lobby.join(match.id, seat, bot_opener(bot)), seat)


def _id(request: Request | None) -> str:
    return new_id() if request is None else id_from(request.field("create"))


def _token(request: Request | None, seed: bytes, match_id: str, seat: int) -> str:
    return new_token() if request is None else request.token(seed, match_id, seat)
