"""`Ledger`: the matches of a store as all that is done with them needs them: found, shown, opened by tokens, committed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from engines import GAMES, Game
from service.matches import errors
from service.matches.checks import check_seat, need_over
from service.matches.clock import Clock
from service.matches.draft import Draft
from service.matches.events import Entry
from service.matches.guests import Guests
from service.matches.history import as_it_was
from service.matches.match import BOT_OPENER, Json, Match
from service.matches.reading import Reading
from service.matches.requests import Request
from service.matches.results import Played
from service.matches.seats import bot_opener, hash_token, seat_opened_by
from service.matches.show import actions, position, record, turn
from service.matches.store import PAGE, Ask, Grant, Store
from service.settings import Settings


class Ledger:
    """The matches in a store.

    Args:
        store: where they are.
        games: by name.
        settings: times.
        clock: the time.
        levels: the AI levels there are.

    Attributes:
        enqueue, settle: see `Matches`.
        guests: the bots; None: there are none. `service.bots.attach` brings them.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = GAMES,
        settings: Settings | None = None,
        clock: Clock | None = None,
        levels: Collection[int] = range(1, 9),
    ) -> None:
        self.store = store
        self.games = games
        self.settings = settings or Settings()
        self.clock = clock or Clock()
        self.levels = levels
        self.enqueue: Callable[[str, int, int], None] | None = None
        self.settle: Callable[[str], None] | None = None
        self.guests: Guests | None = None

    # Finding

    def ping(self) -> None:
        """Return when the store answers.

        Raises:
            StoreUnavailable: it does not.
        """
        self.store.ping()

    def get(self, match_id: str) -> Match:
        """Return a match.

        Raises:
            MatchNotFound, StoreUnavailable
        """
        return self.store.load(match_id)[0]

    def game(self, name: str) -> Game:
        """Return a game by its name.

        Raises:
            UnknownGame
        """
        if name not in self.games:
            raise errors.UnknownGame(f"there is no game {name!r}", games=sorted(self.games))
        return self.games[name]

    # Who it is

    def who(self, match: Match, token: str | None) -> int | None:
        """Return the seat that a token or a bot's key opens; None, a spectator, for no token.

        Raises:
            BadToken: a token that opens no seat here, or the key of no bot.
            BotNotSeated: the key of a bot that has no seat here.
        """
        if token is None:
            return None
        return self._seat(match, self.opener(token))

    def get_with(self, match_id: str, token: str | None) -> tuple[Match, int | None]:
        """Return a match and whose seat it is, as `get` and `who` do one after the other, in one round trip.

        Raises:
            MatchNotFound, BadToken, BotNotSeated, StoreUnavailable
        """
        account = None if token is None or self.guests is None else self.guests.account(token)
        if account is None or token is None or self.guests is None:
            match = self.get(match_id)
            return match, self.who(match, token)
        match, found = self.store.load_beside(match_id, account)
        return match, self._seat(match, bot_opener(self.guests.bot_in(found, token)))

    def _seat(self, match: Match, opener: str) -> int:
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

    def kept_until(self) -> int:
        """Return until when a bot that is invited now may accept, in ms."""
        return self.clock.now() + self.settings.invitation_expiry_s * 1000

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

    def record(self, match: Match, seat: int | None) -> Json:
        """Return all of a match that is over: seed, every action with its thought; before that, what the viewer was told."""
        return record(match, self.log(match), seat)

    def log(self, match: Match) -> list[Entry]:
        """Return the whole log of a match up to its version, with everything in it; for nobody's eyes."""
        return self._log(match.id, match.version)

    # Writing

    def announced(self, match: Match) -> Draft:
        """Return the draft of a new match in which it has been announced."""
        draft = Draft(match, self.game(match.game), match.created)
        shown = [seat.to_json(number) for number, seat in enumerate(match.seats)]
        draft.tell("match.created", game=match.game, options=match.options, seats=shown, seed_hash=match.seed_hash)
        return draft

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
        grant = self.write(match, entry, ask)
        if grant is not None:
            return self.played_before(self.get(match.id), seat, grant)
        self.dispatch(match)
        return Played(match, match.version, answer=answer)

    def played_before(self, match: Match, seat: int | None, grant: Grant) -> Played:
        """Return what a seat is answered to a request that was granted before."""
        answer = self.position(match, seat) if grant.answer is None else grant.answer
        return Played(match, grant.version, repeated=True, answer=answer)

    def commit(self, draft: Draft, ask: Ask | None) -> tuple[Match, Grant | None]:
        """Commit a draft; return the match, and the earlier grant if the request was granted before: nothing was written then.

        Raises:
            Stale: another commit came first.
            MatchNotFound, RequestReused, StoreUnavailable
        """
        match, entry = draft.finish()
        grant = self.write(match, entry, ask)
        if grant is None:
            self.dispatch(match)
        return match, grant

    def write(self, match: Match, entry: Entry, ask: Ask | None = None) -> Grant | None:
        """Commit, as `Store.commit` does, and hand on to the bots at the table what it means for them."""
        grant = self.store.commit(match, entry, ask)
        if grant is None and entry.notices and self.guests is not None:
            self.guests.tell(entry.notices)
        return grant

    # What is next

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
