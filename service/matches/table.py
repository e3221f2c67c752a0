"""`Matches`: all that the API and the workers do with matches."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from ai.levels import level_for
from engines import GAMES, Game, editions
from service.matches import errors, queue
from service.matches.checks import (
    act_all,
    begin,
    check_join_code,
    check_seat,
    check_terms,
    check_times,
    complete,
    need_over,
    new_join_code,
    open_seat,
    seed_or_new,
    too_busy,
)
from service.matches.clock import Clock
from service.matches.draft import Draft
from service.matches.errors import StoreUnavailable
from service.matches.events import By, Entry
from service.matches.guests import Guests
from service.matches.history import as_it_was
from service.matches.lobby import CONFLICTS, Lobby
from service.matches.match import BOT_OPENER, Json, Match, OnTimeout, id_from, new_id
from service.matches.reading import Reading
from service.matches.requests import Request
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
from service.matches.show import actions, position, record, turn
from service.matches.store import PAGE, Ask, Due, Grant, Lease, Stale, Store, connect
from service.matches.watch import Watch
from service.settings import Settings

EVENTS_MAX = 1000
#: A version no match comes to.
NEVER = 1 << 62


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
        advise: (match id, version, seat) -> None: asks a worker to think about a hint; may fail. None: nobody does.
        analyse: (match id, seat) -> None: asks a worker to look at a seat's moves; may fail. None: nobody does.
        settle: (match id) -> None: asks a worker to see to what follows the end of a match, as `enqueue` does.

    Attributes:
        guests: the bots; None: there are none. `service.bots.attach` brings them.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = GAMES,
        settings: Settings | None = None,
        clock: Clock | None = None,
        levels: Collection[int] = range(1, 9),
        enqueue: Callable[[str, int, int], None] | None = None,
        advise: Callable[[str, int, int], None] | None = None,
        analyse: Callable[[str, int], None] | None = None,
        settle: Callable[[str], None] | None = None,
    ) -> None:
        self.store = store
        self.games = games
        self.settings = settings or Settings()
        self.clock = clock or Clock()
        self.levels = levels
        self.enqueue = enqueue
        self.lobby = Lobby(self)
        self.advise = advise
        self.analyse = analyse
        self.settle = settle
        self.guests: Guests | None = None
        self._watch = Watch(store)

    @classmethod
    def open(cls, settings: Settings, games: Mapping[str, Game] = GAMES, **kwargs: Any) -> Matches:
        """Return the matches in the server that the settings name, with its queue, its bots, and the editions they name."""
        from service.bots import attach  # it is made of matches, and these are made without it

        if settings.editions_dir is not None:
            editions.add_folder(settings.editions_dir)
        store = Store(connect(settings), settings)
        client = queue.connect(settings)
        asking = {"enqueue": queue.Thinking(client), "advise": queue.Advising(client), "settle": queue.Settling(client)}
        asking["analyse"] = queue.Analysing(client)
        table = cls(store, games, settings, **{**asking, **kwargs})
        attach(table, post=queue.Posting(client))
        return table

    def close(self) -> None:
        """End every wait and every stream soon, and the reader behind them."""
        self._watch.close()

    def ping(self) -> None:
        """Return when the store answers.

        Raises:
            StoreUnavailable: it does not.
        """
        self.store.ping()

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
        played = self.game(game)
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
            reaction_seconds=self.settings.reaction_default_s if reaction_seconds is None else reaction_seconds,
            created=self.clock.now(),
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
                return Created(self.get(match_id), repeated=True)
        return Created(match, me, token) if grant is None else self._created_before(match_id, grant, request, creator)

    def _terms(self, game: str, seats: int, token: str | None, creator: str | None, *, accepted: bool) -> Terms:
        kept_until = None if accepted else self.kept_until()
        opener = None if token is None else hash_token(token)
        return Terms(self.levels, partial(level_for, game, seats), opener, creator, kept_until)

    def kept_until(self) -> int:
        """Return until when a bot that is invited now may accept, in ms."""
        return self.clock.now() + self.settings.invitation_expiry_s * 1000

    def check_bot(self, bot: str, game: str) -> None:
        """Make sure that there is a bot that plays a game.

        Raises:
            UnknownBot, BotDoesNotPlay, UnknownGame, StoreUnavailable
        """
        self._bots().check(bot, self.game(game).name, invited=False)

    def _bots(self) -> Guests:
        if self.guests is None:
            raise errors.UnknownBot("there are no bots here")
        return self.guests

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
        draft = self.announced(match)
        if not match.empty_seats():
            draft.start()
        return self._commit(draft, None if request is None else Ask(request, "create", Grant(1, me)))

    def announced(self, match: Match) -> Draft:
        """Return the draft of a new match in which it has been announced."""
        draft = Draft(match, self.game(match.game), match.created)
        shown = [seat.to_json(number) for number, seat in enumerate(match.seats)]
        draft.tell("match.created", game=match.game, options=match.options, seats=shown, seed_hash=match.seed_hash)
        return draft

    def _created_before(self, match_id: str, grant: Grant, request: Request | None, bot: str | None = None) -> Created:
        assert request is not None
        match = self.get(match_id)
        token = None if grant.seat is None or bot is not None else request.token(match.seed, match_id, grant.seat)
        return Created(match, grant.seat, token, repeated=True)

    def get(self, match_id: str) -> Match:
        """Return a match.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        return self.store.load(match_id)[0]

    def who(self, match: Match, token: str | None) -> int | None:
        """Return the seat that a token or a bot's key opens; None, a spectator, for no token.

        Raises:
            BadToken: a token that opens no seat here, or the key of no bot.
            BotNotSeated: the key of a bot that has no seat here.
        """
        if token is None:
            return None
        opener = self.opener(token)
        seat = seat_opened_by(match, opener)
        if seat is None and opener.startswith(BOT_OPENER):
            raise errors.BotNotSeated("this bot has no seat in this match")
        if seat is None:
            raise errors.BadToken("this token opens no seat of this match")
        return seat

    def bot_of(self, token: str | None) -> str | None:
        """Return the name of the bot whose key it is; None for none, and for what is no bot's key, such as a seat's token.

        Raises:
            BadToken: it looks like a bot's key, and is none (any more).
        """
        return None if token is None or self.guests is None else self.guests.bot_of(token)

    def opener(self, token: str) -> str:
        """Return what is stored with the seats that a token, or a bot's key, opens.

        Raises:
            BadToken: it looks like a bot's key, and is none (any more).
        """
        bot = self.bot_of(token)
        return hash_token(token) if bot is None else bot_opener(bot)

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
            match, grant = self.store.load(match_id, request, "take")
            if grant is not None:
                return self._created_before(match_id, grant, request, bot)
            if attempt == 0:
                check_join_code(self.store, match, join_code)
            if bot is not None and (own := seat_opened_by(match, bot_opener(bot))) is not None:
                raise errors.BotSeated(f"this bot has seat {own} in this match already", seat=own)
            number = open_seat(match, seat)
            token = None if bot is not None else _token(request, match.seed, match_id, number)
            draft = self.draft(match)
            draft.sit(number, player_seat(number, name, hash_token(token or ""), bot, auto_pass=auto_pass))
            draft.tell("seat.taken", seat=number, name=draft.match.seats[number].name)
            if not draft.match.empty_seats():
                draft.start()
            ask = None if request is None else Ask(request, "take", Grant(match.version + 1, number))
            try:
                with self._coming(bot, match):
                    after, grant = self._commit(draft, ask)
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
        match, opener = self.get(match_id), self.opener(token)
        seat = seat_opened_by(match, opener)
        if seat is None and not opener.startswith(BOT_OPENER):
            raise errors.BadToken("this token opens no seat of this match")
        if seat is None or match.seats[seat].kind != "open":
            return None
        if match.seats[seat].bot is not None:
            return self.accept(match, seat)
        return Created(self.lobby.join(match_id, seat, opener), seat, token)

    def accept(self, match: Match, seat: int) -> Created:
        """Let a bot sit down in the seat that is kept for it.

        Raises:
            BadToken: it is not kept for it any more.
            BotBusy, MatchNotFound, StoreUnavailable
        """
        bot = match.seats[seat].bot
        assert bot is not None
        with self._coming(bot, match):
            return Created(self.lobby.join(match.id, seat, bot_opener(bot)), seat)

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
        known: Match | None = None,
    ) -> Played:
        """Play one action or a whole sequence for a player, all or nothing.

        Checked in this order: match there, seat known, match running, your decision, version, actions readable, legal.

        Args:
            match_id: the match.
            seat: whose token it was; None: none.
            actions: as JSON, in order.
            version: the version the player decided by; None: the present one.
            request: answered the same when it is sent again.
            dry_run: only check; whatever the actions would lead to is not told.
            known: the match as it has just been read, if it was; saves reading it again.

        Raises:
            MatchNotFound, SeatTokenNeeded, MatchNotRunning, NotYourDecision, StaleVersion, UnreadableAction,
            IllegalAction, Reveals, RequestReused, StoreUnavailable
        """
        asked = None if dry_run else request
        for _ in range(CONFLICTS):
            if known is not None and asked is None:
                match, grant, known = known, None, None
            else:
                match, grant = self.store.load(match_id, asked, f"seat:{seat}")
            if seat is None:
                raise errors.SeatTokenNeeded("only a seat may play, and its token was not sent")
            if grant is not None:
                return self.played_before(match, seat, grant)
            game = self.game(match.game)
            draft = begin(match, game, self.clock.now(), seat, version)
            version = match.version if version is None else version
            act_all(draft, seat, actions)
            if dry_run:
                return Played(match, match.version)
            draft.pass_automatically()
            try:
                return self.commit_for(draft, seat, request)
            except Stale:
                continue
        raise too_busy()

    def draft(self, match: Match) -> Draft:
        """Return the draft of a match's next version."""
        return Draft(match, self.game(match.game), self.clock.now())

    def commit_for(self, draft: Draft, seat: int | None, request: Request | None) -> Played:
        """Commit what a seat has done, or answer what was granted to this request before; nothing, if it has done nothing.

        Raises:
            Stale: another commit came first.
            MatchNotFound, RequestReused, StoreUnavailable
        """
        if not draft.told and not draft.moves:
            return Played(draft.match, draft.match.version, answer=self.position(draft.match, seat))
        match, entry = draft.finish()
        answer = self.position(match, seat, draft.reading)
        ask = None if request is None else Ask(request, f"seat:{seat}", Grant(match.version, seat, answer))
        grant = self._write(match, entry, ask)
        if grant is not None:
            return self.played_before(self.get(match.id), seat, grant)
        self.dispatch(match)
        return Played(match, match.version, answer=answer)

    def played_before(self, match: Match, seat: int | None, grant: Grant) -> Played:
        """Return what a seat is answered to a request that was granted before."""
        answer = self.position(match, seat) if grant.answer is None else grant.answer
        return Played(match, grant.version, repeated=True, answer=answer)

    # Playing for seats that do not play themselves

    def play_ai(
        self,
        match_id: str,
        since: int,
        seat: int,
        action: int,
        *,
        by: By = "ai",
        thought: Json | None = None,
        dispatch: bool = True,
        known: Match | None = None,
    ) -> Match | None:
        """Play an action for the decision a seat has had since a version; None if that decision is over.

        Args:
            match_id, since, seat: the decision.
            action: the engine's number for it.
            by: who chose it.
            thought: of an AI's, see `Move`.
            dispatch: whether to ask workers for what is next.
            known: the match as it was loaded a moment ago; saves loading it again.

        Raises:
            engines.game.GameError: the action is not legal.
            MatchNotFound, StoreUnavailable
        """

        def change(draft: Draft) -> None:
            draft.act(seat, action, by, thought)
            draft.pass_automatically()

        return self._change(match_id, since, seat, change, dispatch=dispatch, known=known)

    def hand_over(self, match_id: str, since: int, seat: int, level: int) -> Match | None:
        """Let an AI play for a player whose time is over, until he plays again; None if that decision is over."""

        def change(draft: Draft) -> None:
            draft.stand_in(seat, level, in_time=False)

        return self._change(match_id, since, seat, change)

    def abandon(self, match: Match) -> Match:
        """End a match without an outcome; nothing happens if it has ended.

        Raises:
            MatchNotFound, MatchOutdated, StoreUnavailable
        """
        for _ in range(CONFLICTS):
            if match.status in ("over", "aborted"):
                return match
            draft = self.draft(match)
            draft.give_up()
            try:
                return self._commit(draft, None)[0]
            except Stale:
                match = self.get(match.id)
        raise too_busy()

    def resign_late(self, match_id: str, since: int, seat: int) -> Match | None:
        """End the match for a player whose time is over: he is last, the others share the first place."""

        def change(draft: Draft) -> None:
            draft.resign(seat, "time_over")

        return self._change(match_id, since, seat, change)

    def invitation_over(self, match_id: str, seat: int) -> None:
        """Open a seat to everybody that was kept for a bot which has not accepted in time."""
        match = self.get(match_id)
        kept_until = match.seats[seat].kept_until
        if kept_until is not None and kept_until <= self.clock.now():
            self.lobby.decline(match, seat, "expired")

    def _change(
        self,
        match_id: str,
        since: int,
        seat: int,
        change: Callable[[Draft], None],
        *,
        dispatch: bool = True,
        known: Match | None = None,
    ) -> Match | None:
        for _ in range(CONFLICTS):
            match, known = known or self.get(match_id), None
            if match.status != "running" or match.turns[seat].since != since:
                return None
            draft = self.draft(match)
            change(draft)
            after, entry = draft.finish()
            try:
                self._write(after, entry)
            except Stale:
                continue
            if dispatch:
                self.dispatch(after)
            return after
        raise too_busy()

    # What is due

    def thinkers(self, match: Match) -> list[int]:
        """Return the seats whose decision began with this version and is an AI's, rising."""
        return [
            number
            for number, turn in enumerate(match.turns)
            if turn.since == match.version and turn.due is not None and match.seats[number].ai_level is not None
        ]

    def dispatch(self, match: Match, but: int | None = None) -> None:
        """Ask workers for what is next: AI decisions that began with this version, one seat's apart, or the match's end."""
        if match.settles and self.settle is not None:
            self.settle(match.id)
        if self.enqueue is not None:
            for seat in self.thinkers(match):
                if seat != but:
                    self.enqueue(match.id, match.version, seat)

    def due(self, limit: int = 100) -> list[Due]:
        """Return the seats that somebody should look at by now."""
        return self.store.due(self.clock.now(), limit)

    def lease(self, match_id: str, seat: int, since: int, milliseconds: int) -> Lease | None:
        """Take the lease on a decision for some time; None if somebody has it."""
        now = self.clock.now()
        return self.store.lease(match_id, seat, since, now, now + milliseconds)

    def release(self, lease: Lease) -> None:
        """Give a lease back before its time."""
        self.store.release(lease, self.clock.now())

    # Showing

    def position(self, match: Match, seat: int | None, reading: Reading | None = None) -> Json:
        """Return what a seat (None: a spectator) is shown of a match: the body of every answer about it.

        Args:
            match, seat: the match and the viewer.
            reading: of the match's state, if it is at hand.
        """
        return position(match, self.game(match.game), seat, self.store.expires(match), reading)

    def turn(self, match: Match, seat: int | None) -> Json:
        """Return whose turn it is, as a seat (None: a spectator) may know it."""
        return turn(match, self.game(match.game), seat, self.store.expires(match))

    def shown_to(self, match: Match, seat: int | None) -> Match:
        """Return the match as far as a viewer may see it: for spectators, until it is over, as it was some time ago.

        Raises:
            MatchOutdated, StoreUnavailable
        """
        if not match.delay_ms(seat):
            return match
        version = self.store.version_at(match.id, self.clock.now() - match.delay_ms(seat))
        return match if version >= match.version else self.as_it_was(match, max(version, 1))

    def as_it_was(self, match: Match, version: int) -> Match:
        """Return a match as it was at a version from 1 on.

        Raises:
            MatchOutdated, StoreUnavailable
        """
        return as_it_was(match, self.game(match.game), self._log(match.id, version))

    def replay(self, match: Match, version: int, viewer: int | None) -> Json:
        """Return what a seat (None: a spectator) was shown at a version of a match that is over.

        Raises:
            MatchNotOver, SeatNotFound, VersionNotFound, MatchOutdated, StoreUnavailable
        """
        need_over(match)
        if viewer is not None:
            check_seat(match, viewer)
        if not 1 <= version <= match.version:
            raise errors.VersionNotFound(f"this match has the versions 1 to {match.version}", version=match.version)
        return self.position(self.as_it_was(match, version), viewer) | {"join_code": None}

    def _log(self, match_id: str, until: int) -> list[Entry]:
        entries: list[Entry] = []
        while len(entries) < until and (page := self.store.events(match_id, len(entries), min(until - len(entries), PAGE))):
            entries += page
        return entries

    def actions(self, match: Match, seat: int) -> list[Json]:
        """Return the seat's legal actions: `{"action": ..., "text": a sentence}` each."""
        return actions(match, self.game(match.game), seat)

    def events(self, match_id: str, seat: int | None, after: int = 0, limit: int = 100, until: int | None = None) -> list[Json]:
        """Return the log after a version as a viewer was told it: `{"version", "at", "events": [...]}` each.

        Args:
            match_id, seat: the match and the viewer.
            after: the version.
            limit: the most entries.
            until: the last version of interest; None: the newest.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        most = min(limit, EVENTS_MAX) if until is None else min(limit, EVENTS_MAX, until - after)
        return [entry.to(seat) for entry in self.store.events(match_id, after, most)] if most > 0 else []

    def record(self, match: Match, seat: int | None) -> Json:
        """Return all of a match that is over: seed, every action with its thought; before that, what the viewer was told."""
        return record(match, self.log(match), seat)

    def log(self, match: Match) -> list[Entry]:
        """Return the whole log of a match up to its version, with everything in it; for nobody's eyes."""
        return self._log(match.id, match.version)

    # Following

    def wait(
        self, match_id: str, version: int, seconds: float, seat: int | None = None, *, known: Match | None = None
    ) -> Match:
        """Return the match as a viewer may see it once its version is another than `version`, or it is over, or as it is
        after `seconds`.

        Args:
            match_id, version, seconds, seat: see above.
            known: the match as this viewer has just been shown it, if he was; saves reading it once more.

        Raises:
            MatchNotFound, MatchOutdated, StoreUnavailable
        """
        shown = self.shown_to(self.get(match_id), seat) if known is None else known
        end = time.monotonic() + min(seconds, self.settings.wait_max_s)
        if shown.version != version or seconds <= 0:
            return shown
        with self._watch.watching(match_id) as watched:
            while True:
                wakes = watched.wakes
                match = self.get(match_id)
                shown = self.shown_to(match, seat)
                left = end - time.monotonic()
                if shown.version != version or match.status in ("over", "aborted") or left <= 0 or self._watch.closed:
                    return shown
                held = self.store.events(match_id, version, 1) if match.version > version else []
                self._watch.sleep(watched, match.version, wakes, min(left, *self._held_s(held, match.delay_ms(seat)), left))

    def _held_s(self, entries: Sequence[Entry], delay: int) -> list[float]:
        """Return in how many seconds each entry may be seen."""
        now = self.clock.now()
        return [0 if entry.version == 1 else max(entry.at + delay - now, 0) / 1000 for entry in entries]

    @contextmanager
    def woken(self, match_id: str) -> Iterator[Callable[[float], bool]]:
        """Give a function that sleeps so many seconds, or until something beside a match may have changed.

        It answers False once the matches are closed. What happens between two sleeps ends the second at once.
        """
        with self._watch.watching(match_id) as watched:
            seen = watched.wakes

            def sleep(seconds: float) -> bool:
                nonlocal seen
                self._watch.sleep(watched, NEVER, seen, seconds)
                seen = watched.wakes
                return not self._watch.closed

            yield sleep

    def follow(self, match_id: str, seat: int | None, after: int = 0) -> Iterator[Json | None]:
        """Yield the log after a version as it grows; None as a sign of life whenever nothing happened for a while.

        Ends after the entry with `match.ended`, or when the matches are closed.
        """
        with self._watch.watching(match_id) as watched:
            match = self.get(match_id)
            delay = match.delay_ms(seat)
            after, wakes = min(after, match.version), -1
            while not self._watch.closed and not (match.status in ("over", "aborted") and after >= match.version):
                found: list[Entry] = []
                if watched.version > after or watched.wakes != wakes:
                    wakes = watched.wakes
                    with suppress(StoreUnavailable):  # the stream goes on when the store is back
                        found = watched.entries(self.store, after, EVENTS_MAX)
                whole, found, held_s = len(found) >= EVENTS_MAX, *self._released(found, delay)
                for entry in found:
                    yield entry.to(seat)
                    after = entry.version
                    if entry.ends():
                        return
                if found:
                    wakes = -1 if whole or held_s is not None else wakes
                    continue
                if held_s is not None:  # what spectators may not see yet
                    wakes = -1
                    self._watch.sleep(watched, NEVER, watched.wakes, min(held_s, self.settings.stream_keepalive_s))
                    if held_s >= self.settings.stream_keepalive_s:
                        yield None
                    continue
                self._watch.sleep(watched, after, wakes, self.settings.stream_keepalive_s)
                if watched.version <= after and watched.wakes == wakes and not self._watch.closed:
                    yield None

    def _released(self, found: list[Entry], delay: int) -> tuple[list[Entry], float | None]:
        """Return the entries that may be seen by now, and in how many seconds the next one may; None: that was all."""
        if not delay or any(entry.ends() for entry in found):
            return found, None
        held = [seconds for seconds in self._held_s(found, delay) if seconds > 0]
        return found[: len(found) - len(held)], min(held, default=None)

    # Helpers

    def game(self, name: str) -> Game:
        """Return a game by its name.

        Raises:
            UnknownGame
        """
        if name not in self.games:
            raise errors.UnknownGame(f"there is no game {name!r}", games=sorted(self.games))
        return self.games[name]

    def _commit(self, draft: Draft, ask: Ask | None) -> tuple[Match, Grant | None]:
        match, entry = draft.finish()
        grant = self._write(match, entry, ask)
        if grant is None:
            self.dispatch(match)
        return match, grant

    def _write(self, match: Match, entry: Entry, ask: Ask | None = None) -> Grant | None:
        """Commit, as `Store.commit` does, and hand on to the bots at the table what it means for them."""
        grant = self.store.commit(match, entry, ask)
        if grant is None and entry.notices and self.guests is not None:
            self.guests.tell(entry.notices)
        return grant


def _id(request: Request | None) -> str:
    return new_id() if request is None else id_from(request.field("create"))


def _token(request: Request | None, seed: bytes, match_id: str, seat: int) -> str:
    return new_token() if request is None else request.token(seed, match_id, seat)
