"""`Tournaments`: all that the API and the workers do with tournaments."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.matches import Match, Matches, Request, SeatRequest
from service.matches.checks import check_times, complete, too_busy
from service.matches.errors import BadOptions, BadSeats, BadToken, MatchError, MatchNotFound, MatchOutdated, StoreUnavailable
from service.matches.lobby import CONFLICTS
from service.matches.match import Json, id_from, new_id
from service.matches.seating import Part
from service.matches.seats import check_level, check_name, hash_token, new_token
from service.matches.show import outcome_of
from service.ratings import after
from service.tournaments.errors import (
    BadEntrants,
    TournamentNotFound,
    TournamentNotRunning,
    TournamentTokenNeeded,
    TournamentTooLarge,
)
from service.tournaments.schedule import Pairing, Schedule
from service.tournaments.store import Store, place
from service.tournaments.tournament import Entrant, Standing, Status, Tournament

log = logging.getLogger(__name__)

ROUNDS_MAX = 10_000
ENTRANTS_MAX = 64
#: A running tournament is looked at so often, whether or not anybody said that a match of it has ended.
WATCH_MS = 5000
#: How often the list is read on for a page that hardly anything fits.
PAGES = 8


@dataclass(frozen=True)
class Listed:
    """A page of a list.

    Attributes:
        entries: as JSON.
        after: where to go on; None: that was all.
    """

    entries: list[Json]
    after: str | None


class Tournaments:
    """The tournaments of a table.

    Args:
        matches: the table.
        ask: id -> None: asks a worker to advance a tournament; may fail, for the sweeper does it too. None: nobody is asked.
    """

    def __init__(self, matches: Matches, ask: Callable[[str], None] | None = None) -> None:
        self.matches = matches
        self.store = Store(matches)
        self.ask = ask

    # Creating

    def create(
        self,
        game: str,
        options: Mapping[str, Any],
        entrants: Sequence[Entrant],
        *,
        name: str = "",
        seats: int | None = None,
        rounds: int = 1,
        duplicate: bool = False,
        at_once: int = 2,
        turn_seconds: float = 30,
        rated: bool = True,
        request: Request | None = None,
    ) -> tuple[Tournament, str]:
        """Create a tournament, which begins at once; return it and what lets its creator abort it, told this once.

        Args:
            game: a name in the table's games.
            options: of the game.
            entrants: AIs and bots, each once.
            name: shown to everybody.
            seats: in each match; None: as few as the game is played with.
            rounds: how often every combination of entrants plays.
            duplicate: whether each deal is played in every rotation of the seats. With a bot among the entrants the matches
                do not count for ratings then, for a bot could remember the cards.
            at_once: how many matches are played at the same time.
            turn_seconds: how long a bot has for a decision; then a quick move is made for it.
            rated: whether the matches count for ratings.
            request: answered the same when it is sent again.

        Raises:
            UnknownGame, BadOptions, BadSeats, BadEntrants, UnknownLevel, UnknownBot, BotDoesNotPlay, TournamentTooLarge,
            TooManyTournaments, BadRequestKey, RequestReused, StoreUnavailable
        """
        if request is not None:
            request.guard_anonymous()
        played = self.matches.game(game)
        seats = played.min_seats if seats is None else seats
        full = complete(played, seats, options)
        self._check(Schedule(len(entrants), seats, rounds, duplicate), entrants, game, at_once)
        check_times(turn_seconds, "move", None)
        secret = secrets.token_bytes(32)
        tournament_id = new_id() if request is None else id_from(request.field("tournament"))
        token = new_token() if request is None else request.token(secret, tournament_id, 0)
        made = Tournament(
            id=tournament_id,
            name=_name(name),
            game=game,
            options=full,
            entrants=tuple(entrants),
            seats=seats,
            rounds=rounds,
            duplicate=duplicate,
            at_once=at_once,
            turn_seconds=turn_seconds,
            rated=rated and not (duplicate and any(entrant.kind == "bot" for entrant in entrants)),
            created=self.matches.clock.now(),
            token_hash=hash_token(token),
            secret=secret,
            digest=secrets.token_hex(16) if request is None else request.digest,
            changed=self.matches.clock.now(),
            standings=tuple(Standing() for _ in entrants),
        )
        self.store.create(made)
        if self.ask is not None:
            self.ask(made.id)
        stored = self.store.get(made.id)
        return stored, token if request is None else request.token(stored.secret, stored.id, 0)

    def _check(self, schedule: Schedule, entrants: Sequence[Entrant], game: str, at_once: int) -> None:
        settings = self.matches.settings
        if not max(2, schedule.seats) <= len(entrants) <= ENTRANTS_MAX:
            least = max(2, schedule.seats)
            raise BadEntrants(f"a tournament with {schedule.seats} seats takes {least} to {ENTRANTS_MAX} entrants")
        if not 1 <= schedule.rounds <= ROUNDS_MAX:
            raise BadOptions(f"rounds: must be from 1 to {ROUNDS_MAX}", option="rounds")
        if not 1 <= at_once <= settings.tournament_at_once_max:
            raise BadOptions(f"at_once: must be from 1 to {settings.tournament_at_once_max}", option="at_once")
        names = [entrant.who for entrant in entrants]
        for number, entrant in enumerate(entrants):
            if entrant.who in names[:number]:
                raise BadEntrants(f"entrant {number}: {entrant.who} is an entrant already", entrant=number)
            self._check_entrant(number, entrant, game)
        if schedule.total > settings.tournament_matches_max:
            most = settings.tournament_matches_max
            detail = f"that would be {schedule.total} matches; a tournament has at most {most}"
            raise TournamentTooLarge(detail, matches=schedule.total, limit=most)

    def _check_entrant(self, number: int, entrant: Entrant, game: str) -> None:
        if entrant.kind == "ai" and entrant.bot is None:
            check_level(entrant.level, self.matches.levels, f"entrant {number}: ")
        elif entrant.kind == "bot" and entrant.bot is not None and entrant.level is None:
            self.matches.check_bot(entrant.bot, game)
        else:
            raise BadEntrants(f"entrant {number}: an AI has a level, a bot its name in `bot`, and no more", entrant=number)

    # Showing

    def get(self, tournament_id: str) -> Tournament:
        """Return a tournament.

        Raises:
            TournamentNotFound, StoreUnavailable
        """
        return self.store.get(tournament_id)

    def show(self, tournament: Tournament) -> Json:
        """Return a tournament as everybody may see it."""
        return tournament.to_json(self.store.expires(tournament))

    def find(self, game: str | None, status: Status | None, after: str | None = None, limit: int = 20) -> Listed:
        """Return tournaments, the newest first.

        Args:
            game, status: None for any.
            after: the place of the last one known.
            limit: the most to return; fewer come when hardly any fits.

        Raises:
            StoreUnavailable
        """
        found: list[Json] = []
        for _ in range(PAGES):
            places = self.store.listed(after, limit)
            there = {place(one): one for one in self.store.get_all([one.split(":")[1] for one in places])}
            self.store.unlist([one for one in places if one not in there])
            for where, one in there.items():
                if game in (None, one.game) and status in (None, one.status):
                    found.append(one.to_json(self.store.expires(one), whole=False))
                    if len(found) == limit:
                        return Listed(found, where)
            if len(places) < limit:
                return Listed(found, None)
            after = places[-1]
        return Listed(found, after)

    def matches_of(self, tournament: Tournament, after: int | None = None, limit: int = 20) -> Listed:
        """Return the matches of a tournament in order of their numbers: played, being played, and to come.

        Args:
            tournament: whose.
            after: the number of the last one known.
            limit: the most to return.

        Raises:
            StoreUnavailable
        """
        first = 0 if after is None else after + 1
        numbers = range(first, min(first + limit, tournament.schedule.total))
        results = self.store.results(tournament.id, numbers)
        entries = [
            _shown(tournament, tournament.schedule.pairing(number), result, playing=playing)
            for number, (result, playing) in zip(numbers, results, strict=True)
        ]
        more = numbers.stop < tournament.schedule.total and len(numbers) > 0
        return Listed(entries, str(numbers[-1]) if more else None)

    # Aborting

    def abort(self, tournament: Tournament, token: str | None) -> Tournament:
        """End a tournament before its time, and the matches that are being played; only its creator may.

        Raises:
            TournamentTokenNeeded, BadToken, TournamentNotRunning, TournamentNotFound, StoreUnavailable
        """
        if token is None:
            raise TournamentTokenNeeded("only its creator may abort a tournament: Authorization: Bearer <token>")
        if not hmac.compare_digest(hash_token(token), tournament.token_hash):
            raise BadToken("this is not the token that was answered when the tournament was created")
        status = self.store.abort(tournament)
        if status in ("over", "aborted"):
            raise TournamentNotRunning(f"the tournament is {status} already", status=status)
        if self.ask is not None:
            self.ask(tournament.id)
        return self.store.get(tournament.id)

    # Going on

    def due(self) -> list[str]:
        """Return the tournaments that this caller must advance by now; nobody else is told the same for a while.

        Raises:
            StoreUnavailable
        """
        now = self.matches.clock.now()
        found = self.store.due(now)
        return [one for one, moment in found if self.store.postpone(one, moment, now + WATCH_MS)]

    def advance(self, tournament_id: str) -> None:
        """Make the matches that are next, and take up the results of those that have ended; any number may do it at once.

        Raises:
            StoreUnavailable
        """
        ended = True
        while ended:
            try:
                tournament = self.store.get(tournament_id)
            except TournamentNotFound:
                self.store.forget(tournament_id)
                return
            hand = self.store.in_hand(tournament)
            ended = sum(self._look(tournament, number, made=made) for number, made in hand.items()) > 0

    def _look(self, tournament: Tournament, number: int, *, made: bool) -> bool:
        """See to one match in hand; return whether it is done with."""
        pairing, match_id = tournament.schedule.pairing(number), tournament.match_id(number)
        try:
            match = self.matches.get(match_id)
        except MatchNotFound:
            if made or tournament.status != "running":
                return self._take_up(tournament, pairing, None)
            return self._make(tournament, pairing)
        if tournament.status == "aborted":
            match = self.matches.abandon(match)
        if match.status in ("over", "aborted"):
            return self._take_up(tournament, pairing, match)
        if not made:
            self.store.made(tournament, number)
        return False

    def _make(self, tournament: Tournament, pairing: Pairing) -> bool:
        """Make a match; one that cannot be made (a bot has gone) ends without a result at once."""
        seats = [_seat(tournament.entrants[entrant]) for entrant in pairing.seating]
        part = Part(
            tournament.id,
            tournament.match_id(pairing.number),
            tournament.seed(pairing.deal),
            tournament.dealt_as(pairing.deal),
        )
        try:
            created = self.matches.create(
                tournament.game,
                tournament.options,
                seats,
                turn_seconds=tournament.turn_seconds,
                on_timeout="move",
                rated=tournament.rated,
                part=part,
                accepted=True,
            )
        except StoreUnavailable:
            raise
        except MatchError as error:
            log.warning("tournament %s: match %d cannot be played: %s", tournament.id, pairing.number, error)
            return self._take_up(tournament, pairing, None)
        self.store.made(tournament, pairing.number)
        return created.match.status == "over"

    def _take_up(self, tournament: Tournament, pairing: Pairing, match: Match | None) -> bool:
        result = None if match is None else self._result(match)
        for _ in range(CONFLICTS):
            standings = {} if result is None else _scored(tournament, pairing, result)
            if self.store.take_up(tournament, pairing.number, result, standings):
                return True
            tournament = self.store.get(tournament.id)
        raise too_busy()

    def _result(self, match: Match) -> Json | None:
        """Return how a match ended; None: without a result."""
        game = self.matches.game(match.game)
        try:
            outcome = outcome_of(match, game) if match.status == "over" else None
        except MatchOutdated:
            return None
        if outcome is None:
            return None
        if match.ended is None:
            payoffs = game.payoffs(game.load(match.state or b""))
        else:
            winners = outcome["winners"] or range(len(match.seats))
            payoffs = [1 / len(winners) if seat in winners else 0 for seat in range(len(match.seats))]
        return {**outcome, "payoffs": [round(payoff, 6) for payoff in payoffs], "actions": match.played}


def _scored(tournament: Tournament, pairing: Pairing, result: Json) -> dict[int, Standing]:
    """Return the standings of those who played a match, after it."""
    ranking = result["ranking"]
    before = [tournament.standings[entrant] for entrant in pairing.seating]
    rated = after([standing.rating for standing in before], ranking)
    return {
        entrant: standing.with_match(
            ranking[seat], ranking, result["payoffs"][seat], won=seat in result["winners"], rating=rated[seat]
        )
        for seat, (entrant, standing) in enumerate(zip(pairing.seating, before, strict=True))
    }


def _shown(tournament: Tournament, pairing: Pairing, result: Json | None, *, playing: bool) -> Json:
    begun = pairing.number < tournament.begun
    status = "over" if result is not None else "running" if playing else "void" if begun else "waiting"
    return {
        "number": pairing.number,
        "round": pairing.round,
        "deal": pairing.deal,
        "match": tournament.match_id(pairing.number) if begun else None,
        "seats": [tournament.entrants[entrant].who for entrant in pairing.seating],
        "status": status,
        "result": result,
    }


def _seat(entrant: Entrant) -> SeatRequest:
    return SeatRequest("ai", level=entrant.level) if entrant.kind == "ai" else SeatRequest("bot", bot=entrant.bot)


def _name(name: str) -> str:
    try:
        return check_name(name)
    except BadSeats as error:
        raise BadOptions(f"name: {error.detail}", option="name") from error
