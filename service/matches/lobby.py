"""`Lobby`: what players do apart from playing: find matches, rename, leave, hand over, begin, resign, play again."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from service.matches import errors
from service.matches.checks import (
    check_seat,
    need_draws,
    need_open,
    need_over,
    need_running,
    new_join_code,
    seed_or_new,
    too_busy,
)
from service.matches.draft import Draft, layout_of
from service.matches.index import STATUSES, place
from service.matches.ledger import Ledger
from service.matches.match import Json, Match, Seat, Status, id_from
from service.matches.requests import Request
from service.matches.results import Played
from service.matches.seats import check_level, check_name
from service.matches.show import summary
from service.matches.store import Stale

#: How often a change is made again because another's came first.
CONFLICTS = 20
#: How often the store is asked for one page of a list that hardly anything fits.
ROUNDS = 8


@dataclass(frozen=True)
class Wanted:
    """What somebody looks for in the list of matches.

    Attributes:
        game, status: None for any.
        open_seats: at least so many seats can be taken.
    """

    game: str | None = None
    status: Status | None = None
    open_seats: int = 0

    def fits(self, match: Match) -> bool:
        """Return whether a match is one of these."""
        return (
            self.game in (None, match.game)
            and self.status in (None, match.status)
            and len(match.open_seats()) >= self.open_seats
        )


@dataclass(frozen=True)
class Page:
    """A part of a list.

    Attributes:
        matches: as JSON, the newest first.
        after: where to go on; None: that was all.
    """

    matches: list[Json]
    after: str | None


class Lobby:
    """What is done at tables apart from playing.

    Args:
        table: the matches.
    """

    def __init__(self, table: Ledger) -> None:
        self._table = table

    # Finding

    def find(self, wanted: Wanted, after: str | None = None, limit: int = 20) -> Page:
        """Return public matches, the newest first.

        Args:
            wanted: which.
            after: the place of the last one known.
            limit: the most to return; fewer come when hardly any match fits.

        Raises:
            StoreUnavailable
        """
        statuses = STATUSES if wanted.status is None else (wanted.status,)
        found: list[Match] = []
        for _ in range(ROUNDS):
            members, complete = self._table.store.listed(after, statuses, limit)
            ids = [member.split(":")[1] for member in members if wanted.game in (None, member.split(":")[2])]
            for match in self._table.store.load_all(ids):
                if wanted.fits(match):
                    found.append(match)
                    if len(found) == limit:
                        return Page(self._summaries(found), place(match))
            after = members[-1].rpartition(":")[0] if members else after
            if complete:
                return Page(self._summaries(found), None)
        return Page(self._summaries(found), after)

    def find_own(self, wanted: Wanted, token: str, after: str | None = None, limit: int = 20) -> Page:
        """Return the matches, private ones too, in which a token or a bot's key opens a seat, as `find` does."""
        hashed = self._table.opener(token)
        every = self._table.store.load_all(self._table.store.opened_by(hashed))
        mine = [match for match in every if wanted.fits(match) and _seat_of(match, hashed) is not None]
        mine = sorted((match for match in mine if after is None or place(match) < after), key=place, reverse=True)
        more = place(mine[limit - 1]) if len(mine) > limit else None
        return Page(self._summaries(mine[:limit], hashed), more)

    def _summaries(self, matches: Sequence[Match], hashed: str | None = None) -> list[Json]:
        return [self._summary(match, _seat_of(match, hashed) if hashed else None) for match in matches]

    def _summary(self, match: Match, viewer: int | None) -> Json:
        delay = match.delay_ms(viewer)  # when it expires would tell when somebody acted last
        changed = min(match.changed, self._table.clock.now() - delay) if delay else match.changed
        return summary(match, viewer, self._table.store.expires(replace(match, changed=changed)))

    # One's own seat

    def resign(self, match: Match, seat: int, request: Request | None = None) -> Played:
        """End a match for a seat: it is last, the others share the first place.

        Raises:
            MatchNotRunning, RequestReused, StoreUnavailable
        """

        def change(draft: Draft) -> None:
            need_running(draft.match)
            draft.resign(seat, "resigned")

        return self._change(match, seat, change, request)

    def offer_draw(self, match: Match, seat: int, request: Request | None = None) -> Played:
        """Offer a draw, or accept one; once every seat has, the match is over and nobody has won. AIs decline.

        Raises:
            MatchNotRunning, NoDraws, RequestReused, StoreUnavailable
        """

        def change(draft: Draft) -> None:
            need_running(draft.match)
            need_draws(draft.match)
            draft.offer_draw(seat)

        return self._change(match, seat, change, request)

    def decline_draw(self, match: Match, seat: int, request: Request | None = None) -> Played:
        """Take one's own offer of a draw back, or decline those of all others.

        Raises:
            MatchNotRunning, NoDrawOffer, RequestReused, StoreUnavailable
        """

        def change(draft: Draft) -> None:
            need_running(draft.match)
            if not draft.match.draw_offers:
                raise errors.NoDrawOffer("nobody has offered a draw, or the offers have lapsed")
            draft.decline_draw(seat)

        return self._change(match, seat, change, request)

    def rename(self, draft: Draft, seat: int, name: str) -> None:
        """Change the name of whoever sits in a seat; an empty one gives the usual name.

        Raises:
            BadSeats: also for a bot, which is shown by its own name.
        """
        if draft.match.seats[seat].bot is not None:
            raise errors.BadSeats("a bot is shown by its own name", seat=seat)
        name = check_name(name) or f"Player {seat + 1}"
        if name != draft.match.seats[seat].name:
            draft.sit(seat, replace(draft.match.seats[seat], name=name))
            draft.tell("seat.renamed", seat=seat, name=name)

    def change_seat(
        self,
        match: Match,
        seat: int,
        name: str | None,
        stand_in: int | None,
        *,
        keep_player: bool,
        auto_pass: bool | None = None,
    ) -> Match:
        """Rename a seat's player, hand the seat over to an AI, take it back, or have it pass by itself.

        Args:
            match: the match.
            seat: whose.
            name: None: as it is.
            stand_in: the level of the AI that shall play; None: the player.
            keep_player: leave it as it is who plays, whatever `stand_in` says.
            auto_pass: whether the seat passes at once in a reaction window when it can only pass; None: as it is.

        Raises:
            MatchNotRunning: it is over.
            UnknownLevel, BadSeats, StoreUnavailable
        """
        if stand_in is not None:
            check_level(stand_in, self._table.levels)

        def change(draft: Draft) -> None:
            if draft.match.status != "open":
                need_running(draft.match)
            if name is not None:
                self.rename(draft, seat, name)
            if auto_pass is not None:
                draft.set_auto_pass(seat, on=auto_pass)
            if not keep_player and stand_in != draft.match.seats[seat].stand_in:
                if stand_in is None:
                    draft.take_back(seat)
                else:
                    draft.stand_in(seat, stand_in, in_time=True)
            draft.pass_automatically()

        return self._change(match, seat, change).match

    def leave(self, match: Match, seat: int, level: int) -> Match:
        """Leave a seat for good: before the deal it is open again, later an AI has it. Its token opens nothing any more.

        An open match that its last player leaves is given up.

        Raises:
            MatchNotRunning: it is over.
            UnknownLevel, StoreUnavailable
        """
        check_level(level, self._table.levels)

        def change(draft: Draft) -> None:
            if draft.match.status == "open":
                draft.sit(seat, Seat("open"))
                draft.tell("seat.left", seat=seat)
                if not any(other.token_hash and other.kept_until is None for other in draft.match.seats):
                    draft.give_up()
                return
            need_running(draft.match)
            draft.sit(seat, Seat("ai", draft.match.seats[seat].name, level))
            draft.tell("seat.left", seat=seat, level=level)
            draft.begin_again(seat)

        return self._change(match, seat, change, kept=True).match

    def decline(self, match: Match, seat: int, reason: str) -> Match:
        """Open a seat to everybody that is kept for a bot; nothing happens if it is not any more.

        Args:
            match, seat: where it is kept.
            reason: "declined" or "expired".

        Raises:
            MatchNotFound, StoreUnavailable
        """
        kept = match.seats[seat]

        def change(draft: Draft) -> None:
            if draft.match.seats[seat] == kept:
                draft.sit(seat, Seat("open"))
                draft.tell("seat.declined", seat=seat, bot=kept.bot, reason=reason)

        for _ in range(CONFLICTS):
            draft = self._table.draft(match)
            change(draft)
            try:
                return self._table.commit_for(draft, None, None).match
            except Stale:
                match = self._table.get(match.id)
        raise too_busy()

    # Beginning

    def start(self, match: Match, seat: int, level: int, request: Request | None = None) -> Played:
        """Begin an open match with AIs in its empty seats, those kept for somebody too.

        Raises:
            MatchNotOpen, UnknownLevel, RequestReused, StoreUnavailable
        """
        check_level(level, self._table.levels)

        def change(draft: Draft) -> None:
            need_open(draft.match)
            for number in draft.match.empty_seats():
                draft.sit(number, Seat("ai", f"AI {level}", level))
                draft.tell("seat.taken", seat=number, name=f"AI {level}", level=level)
            draft.start()

        return self._change(match, seat, change, request)

    def _change(
        self, known: Match, seat: int, change: Callable[[Draft], None], request: Request | None = None, *, kept: bool = False
    ) -> Played:
        """Make a change for whoever sits in a seat; `kept`: or for whom it is kept."""
        own = known.seats[seat].token_hash
        if known.seats[seat].kind == "open" and not kept:
            raise errors.NotYourSeat("this seat is kept for you, but you do not sit there yet: take it first", seat=seat)
        for attempt in range(CONFLICTS):
            match, grant = (
                (known, None) if attempt == 0 and request is None else self._table.store.load(known.id, request, f"seat:{seat}")
            )
            if grant is not None:
                return self._table.played_before(match, seat, grant)
            if match.seats[seat].token_hash != own:
                raise errors.BadToken("this token opens no seat of this match")
            draft = self._table.draft(match)
            change(draft)
            try:
                return self._table.commit_for(draft, seat, request)
            except Stale:
                continue
        raise too_busy()

    # Again

    def rematch(self, match: Match, seat: int, token: str) -> tuple[Match, int, bool]:
        """Play a match again: the first who asks makes the new match, the others join it by asking too, or by their tokens.

        Everybody sits one place lower than before, the first one last; each player's token opens his seat there as well,
        which is kept for him. It begins when the last of them has come.

        Returns:
            The new match, the player's seat in it, and whether somebody else had made it.

        Raises:
            MatchNotOver, MatchOutdated, BadToken, StoreUnavailable
        """
        need_over(match)
        opener = self._table.opener(token)
        again = self._again(match)
        number = (seat - 1) % len(match.seats)
        try:
            draft = self._table.announced(again)
            claim(draft, number)
            after, repeated = self._table.commit_for(draft, number, None).match, False
        except Stale:
            after, repeated = self.join(again.id, number, opener), True
        self._link(match.id, after.id)
        return after, number, repeated

    def _again(self, match: Match) -> Match:
        """Return the new match, with all seats of players kept for them; its id is the same for everybody who asks."""
        word = hmac.new(match.seed, f"rematch:{match.id}".encode(), hashlib.sha256)
        seed, game = seed_or_new(None), self._table.game(match.game)
        if match.edition not in game.editions:
            raise errors.MatchOutdated(f"edition {match.edition!r} is not here any more")
        return replace(
            match,
            id=id_from(word.hexdigest()),
            edition_digest=game.editions[match.edition].digest,
            layout=layout_of(game),
            seed=seed,
            seed_hash=hashlib.sha256(seed).hexdigest(),
            seeded=False,
            join_code=new_join_code() if match.private else None,
            created=self._table.clock.now(),
            rematch_of=match.id,
            rematch=None,
            draw_offers=(),
            tournament=None,
            dealt_as=None,
            version=0,
            status="open",
            seats=tuple(_kept(seat, self._table.kept_until()) for seat in (*match.seats[1:], match.seats[0])),
            turns=(),
            played=0,
            changed=0,
            state=None,
            ended=None,
        )

    def join(self, match_id: str, seat: int, opener: str) -> Match:
        """Let somebody sit down in the seat that is kept for him; nothing happens if he sits there.

        Args:
            match_id, seat: where.
            opener: what opens it, as `Ledger.opener` says.

        Raises:
            BadToken: it is not kept for him (any more).
            MatchNotFound, StoreUnavailable
        """
        for _ in range(CONFLICTS):
            match = self._table.get(match_id)
            if match.seats[seat].token_hash != opener:
                raise errors.BadToken("this token opens no seat of the new match: it was given away or given up")
            if match.seats[seat].kind != "open" or match.status != "open":
                return match
            draft = self._table.draft(match)
            claim(draft, seat)
            try:
                return self._table.commit_for(draft, seat, None).match
            except Stale:
                continue
        raise too_busy()

    def _link(self, match_id: str, again: str) -> None:
        """Tell in the old match's log where it goes on, once."""
        for _ in range(CONFLICTS):
            match = self._table.get(match_id)
            if match.rematch == again:
                return
            draft = self._table.draft(match)
            draft.match = replace(match, rematch=again)
            draft.tell("match.rematch", match=again)
            try:
                self._table.commit_for(draft, None, None)
                return
            except Stale:
                continue
        raise too_busy()


def claim(draft: Draft, seat: int) -> None:
    """Let whoever a seat is kept for sit down; the match starts when it was the last."""
    kept = draft.match.seats[seat]
    draft.sit(seat, replace(kept, kind="me" if kept.bot is None else "bot", kept_until=None))
    if draft.match.version:
        draft.tell("seat.taken", seat=seat, name=draft.match.seats[seat].name)
    if not draft.match.empty_seats():
        draft.start()


def need_own(match: Match, own: int | None, seat: int) -> int:
    """Return the seat, which must be the asker's own.

    Raises:
        SeatTokenNeeded, SeatNotFound, NotYourSeat: checked in this order.
    """
    if own is None:
        raise errors.SeatTokenNeeded("this takes the seat's token, sent as: Authorization: Bearer <token>")
    check_seat(match, seat)
    if own != seat:
        raise errors.NotYourSeat(f"your token opens seat {own}, not seat {seat}", seat=own)
    return seat


def _seat_of(match: Match, hashed: str) -> int | None:
    return next((number for number, seat in enumerate(match.seats) if seat.token_hash == hashed), None)


def _kept(seat: Seat, until: int) -> Seat:
    """Return a seat of a match as it is for the next one: kept for its player, a bot's not for ever, or with the same AI."""
    if seat.kind == "ai":
        return seat
    return replace(seat, kind="open", stand_in=None, kept_until=None if seat.bot is None else until)
