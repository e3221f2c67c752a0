"""Jobs: one decides for an AI seat, and goes on with what that leads to while it is quick; others do what is not urgent."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from typing import Any, Protocol

from engines.game import Game, GameError
from engines.kernel import State
from service.matches import Lease, Match, Matches
from service.matches.advice import Advice, Ranked
from service.matches.analysis import TRIES_AN_ACTION, Analyses, Decision, Work, judged, seed_of
from service.matches.draft import state_of
from service.matches.errors import HintNotFound, MatchNotFound, MatchOutdated
from service.matches.match import Json
from service.ratings import Ratings
from service.tournaments import Tournaments

log = logging.getLogger(__name__)

#: So long a job goes on with the decisions that follow its own; then other matches have their turn.
CARRY_ON_MS = 1500
#: Seeds of thoughts have so many bits that JSON readers which only know doubles keep them exact.
SEED_BITS = 53
#: So long a job looks at the moves of one seat; then hints and other matches have their turn.
SLICE_OF_ANALYSIS_MS = 3000
#: A search looks at the clock at least this often.
SLICE_MS = 50


class Thinker(Protocol):
    """What decides for AI seats; `ai.player` behind `worker.mind.Mind`. It is given redacted states only."""

    def warm(self, game: Game) -> None:
        """Compile all that thinking about a game needs."""

    def think(self, game: Game, redacted: State, seat: int, level: float, seed: int) -> tuple[int, Json]:
        """Return an action, and of the thought what is recorded: iterations, milliseconds, digest, result."""

    def quick(self, game: Game, redacted: State, seat: int, seed: int) -> int:
        """Return a sensible action at once."""

    def search(self, game: Game, redacted: State, seat: int, milliseconds: float, seed: int) -> tuple[list[Ranked], Json]:
        """Return what a search finds when it plays as well as it can, the best first, and what is needed to have it again."""

    def study(self, game: Game, redacted: State, seat: int, iterations: int, seed: int) -> tuple[list[Ranked], Json]:
        """Return the same after exactly so many iterations, so that it can be had again anywhere."""

    def budget_ms(self, game: Game, level: float) -> float:
        """Return the longest a level of a game thinks."""


class Desk:
    """Where a worker thinks.

    Args:
        matches: the table.
        thinker: who decides.
    """

    def __init__(self, matches: Matches, thinker: Thinker) -> None:
        self.matches = matches
        self.thinker = thinker
        self.advice = Advice(matches)
        self.analyses = Analyses(matches)
        self.ratings = Ratings(matches)
        self.tournaments = Tournaments(matches)

    def warm(self) -> None:
        """Compile everything for every game, before forking."""
        for game in self.matches.games.values():
            self.thinker.warm(game)

    def think(self, match_id: str, since: int, seat: int) -> None:
        """Decide for an AI seat whose decision began with version `since`, and for AI seats that are next.

        Nothing happens if that decision is over, or somebody else is at it.
        """
        clock = self.matches.clock
        end = clock.now() + CARRY_ON_MS
        decision: int | None = seat
        while decision is not None:
            after = self._decide(match_id, since, decision)
            if after is None:
                return
            coming = self.matches.thinkers(after)
            decision = coming[0] if coming and clock.now() < end else None
            self.matches.dispatch(after, but=decision)
            since = after.version

    def hint(self, match_id: str, version: int, seat: int) -> None:
        """Think about a hint that was asked for, from what its seat knew then.

        Nothing happens if there is no such hint, or it is answered.
        """
        try:
            hint = self.advice.get(match_id, seat, version)
        except (HintNotFound, MatchNotFound):
            return
        if hint.redacted is None:
            return
        game = self.matches.games[hint.game]
        seed = secrets.randbits(SEED_BITS)
        found, facts = self.thinker.search(game, game.load(hint.redacted), seat, self.matches.settings.hint_ms, seed)
        self.advice.answer(hint, found, {"seed": seed, **facts})

    def settle(self, match_id: str) -> None:
        """See to what follows the end of a match, once, however often this is called."""
        try:
            match = self.matches.get(match_id)
        except MatchNotFound:
            return
        if match.settles:
            with suppress(MatchOutdated):
                self.ratings.rate(match)
            if match.tournament is not None:
                self.tournaments.advance(match.tournament)
            self.matches.store.settled(match)

    def analyse(self, match_id: str, seat: int) -> None:
        """Look at the moves of a seat in a match that is over, for a while; then another job goes on.

        Nothing happens if that was not asked for, it is done, or somebody else is at it.
        """
        try:
            match = self.matches.get(match_id)
        except MatchNotFound:
            return
        work = self.analyses.hold(match_id, seat)
        if work is None:
            return
        try:
            more = self._look(match, work)
        except (GameError, MatchOutdated) as error:
            log.warning("match %s cannot be analysed: %s", match_id, error)
            work.keep({"outdated": 1})
            return
        if more and self.matches.analyse is not None:
            self.matches.analyse(match_id, seat)

    def _look(self, match: Match, work: Work) -> bool:
        """Return whether there is more to do than was done in the time a job has."""
        clock, most = self.matches.clock, self.matches.settings.analysis_moves_max
        every = list(self.analyses.decisions(match, work.seat))
        known = {move["number"] for move in self.analyses.load(match.id, work.seat).moves}
        work.keep({"of": min(len(every), most), "left_out": max(len(every) - most, 0)})
        end = clock.now() + SLICE_OF_ANALYSIS_MS
        for decision in every[:most]:
            if decision.move.number in known:
                continue
            if clock.now() >= end:
                return work.keep({}, go="away")
            if not work.keep({str(decision.move.number): self._judge(match, decision)}):
                return False  # somebody else has it by now
        work.keep({"complete": 1})
        return False

    def _judge(self, match: Match, decision: Decision) -> Json:
        game, move = self.matches.games[match.game], decision.move
        redacted, seed = game.redact(decision.state, move.seat), seed_of(match.id, move.number)
        iterations = max(self.matches.settings.analysis_iterations, TRIES_AN_ACTION * decision.legal)
        found, facts = self.thinker.study(game, redacted, move.seat, iterations, seed)
        return judged(game, decision, redacted, found, {"seed": seed, **facts})

    def _decide(self, match_id: str, since: int, seat: int) -> Match | None:
        try:
            match = self.matches.get(match_id)
        except MatchNotFound:
            return None
        level = _level(match, since, seat)
        if level is None:
            return None
        budget = self.thinker.budget_ms(self.matches.games[match.game], level) + SLICE_MS
        held = budget + self.matches.settings.lease_margin_ms + self.matches.settings.reaction_ai_ms
        lease = self.matches.lease(match_id, seat, since, round(held))
        if lease is None:
            return None
        try:
            return self._think_and_play(match, lease, level, budget)
        except Exception:
            self.matches.release(lease)
            raise

    def _think_and_play(self, match: Match, lease: Lease, level: float, budget: float) -> Match | None:
        game = self.matches.games[match.game]
        seat, started = lease.seat, self.matches.clock.now()
        state = state_of(game, match)
        if lease.tries > self.matches.settings.thinking_tries:
            return self.fall_back(match, seat, dispatch=False)
        seed = secrets.randbits(SEED_BITS)
        action, facts = self.thinker.think(game, game.redact(state, seat), seat, level, seed)
        if game.silence(state, seat) is not None:
            # An answer in a reaction window comes at a moment that does not depend on what the seat could have done.
            answer_at = match.turns[seat].began + self.matches.settings.reaction_ai_ms
            self.matches.clock.sleep_until(max(answer_at, started + round(budget)))
        # Others may act while it thinks: what it had seen is the match after so many actions.
        thought = {"level": level, "seed": seed, "after": match.played, **facts}
        return self.matches.play_ai(match.id, lease.since, seat, action, thought=thought, dispatch=False, known=match)

    def fall_back(self, match: Match, seat: int, *, dispatch: bool = True) -> Match | None:
        """Play a quick move for an AI seat about whose decision every thought has failed."""
        log.warning("match %s: no thought for seat %d came to an end; a quick move is played", match.id, seat)
        action = self.quick(match, seat)
        return self.matches.play_ai(match.id, match.turns[seat].since, seat, action, by="fallback", dispatch=dispatch)

    def quick(self, match: Match, seat: int) -> int:
        """Return a quick move, and if even that fails, any."""
        game = self.matches.games[match.game]
        state = state_of(game, match)
        try:
            return self.thinker.quick(game, game.redact(state, seat), seat, secrets.randbits(SEED_BITS))
        except Exception:
            log.exception("match %s: no quick move for seat %d either; any legal one is played", match.id, seat)
            return secrets.choice(game.legal(state, seat))


def _level(match: Match, since: int, seat: int) -> float | None:
    if seat not in range(len(match.turns)):
        return None
    turn = match.turns[seat]
    if match.status != "running" or turn.since != since or turn.due is None:
        return None
    return match.seats[seat].ai_level


_desk: Desk | None = None


def install(desk: Desk) -> None:
    """Give this process, and those forked from it, the desk its jobs work at."""
    global _desk
    _desk = desk


def think(match_id: Any, since: Any, seat: Any) -> None:
    """Think about an AI seat's turn; a job."""
    assert _desk is not None, "a worker installs its desk before it works"
    _desk.think(str(match_id), int(since), int(seat))


def settle(match_id: Any) -> None:
    """See to what follows the end of a match; a job."""
    assert _desk is not None, "a worker installs its desk before it works"
    _desk.settle(str(match_id))


def tournament(tournament_id: Any) -> None:
    """Make the next matches of a tournament; a job."""
    assert _desk is not None, "a worker installs its desk before it works"
    _desk.tournaments.advance(str(tournament_id))


def hint(match_id: Any, version: Any, seat: Any) -> None:
    """Think about a hint; a job."""
    assert _desk is not None, "a worker installs its desk before it works"
    _desk.hint(str(match_id), int(version), int(seat))


def analyse(match_id: Any, seat: Any) -> None:
    """Look at the moves of a seat in a match that is over; a job."""
    assert _desk is not None, "a worker installs its desk before it works"
    _desk.analyse(str(match_id), int(seat))
