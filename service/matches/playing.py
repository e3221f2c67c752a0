"""`Playing`: what is played, by players, AIs and the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from service.matches import errors
from service.matches.checks import act_all, begin, too_busy
from service.matches.draft import Draft
from service.matches.events import By
from service.matches.ledger import Ledger
from service.matches.lobby import CONFLICTS, Lobby
from service.matches.match import Json, Match
from service.matches.requests import Request
from service.matches.results import Played
from service.matches.store import Due, Lease, Stale


class Playing:
    """The decisions of every seat.

    Args:
        table: the matches.
        lobby: where a seat is opened to everybody whose bot has not come in time.
    """

    def __init__(self, table: Ledger, lobby: Lobby) -> None:
        self._table = table
        self._lobby = lobby

    # Players

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
                match, grant = self._table.store.load(match_id, asked, f"seat:{seat}")
            if seat is None:
                raise errors.SeatTokenNeeded("only a seat may play, and its token was not sent")
            if grant is not None:
                return self._table.played_before(match, seat, grant)
            game = self._table.game(match.game)
            draft = begin(match, game, self._table.clock.now(), seat, version)
            version = match.version if version is None else version
            act_all(draft, seat, actions)
            if dry_run:
                return Played(match, match.version)
            draft.pass_automatically()
            try:
                return self._table.commit_for(draft, seat, request)
            except Stale:
                continue
        raise too_busy()

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
            draft = self._table.draft(match)
            draft.give_up()
            try:
                return self._table.commit(draft, None)[0]
            except Stale:
                match = self._table.get(match.id)
        raise too_busy()

    def resign_late(self, match_id: str, since: int, seat: int) -> Match | None:
        """End the match for a player whose time is over: he is last, the others share the first place."""

        def change(draft: Draft) -> None:
            draft.resign(seat, "time_over")

        return self._change(match_id, since, seat, change)

    def invitation_over(self, match_id: str, seat: int) -> None:
        """Open a seat to everybody that was kept for a bot which has not accepted in time."""
        match = self._table.get(match_id)
        kept_until = match.seats[seat].kept_until
        if kept_until is not None and kept_until <= self._table.clock.now():
            self._lobby.decline(match, seat, "expired")

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
            match, known = known or self._table.get(match_id), None
            if match.status != "running" or match.turns[seat].since != since:
                return None
            draft = self._table.draft(match)
            change(draft)
            after, entry = draft.finish()
            try:
                self._table.write(after, entry)
            except Stale:
                continue
            if dispatch:
                self._table.dispatch(after)
            return after
        raise too_busy()

    # What is due

    def due(self, limit: int = 100) -> list[Due]:
        """Return the seats that somebody should look at by now."""
        return self._table.store.due(self._table.clock.now(), limit)

    def lease(self, match_id: str, seat: int, since: int, milliseconds: int) -> Lease | None:
        """Take the lease on a decision for some time; None if somebody has it."""
        now = self._table.clock.now()
        return self._table.store.lease(match_id, seat, since, now, now + milliseconds)

    def release(self, lease: Lease) -> None:
        """Give a lease back before its time."""
        self._table.store.release(lease, self._table.clock.now())
