"""The sweeper: once a second it looks at every seat that is due, so that no turn is ever lost.

AI seats whose job was lost are asked for again, reaction windows and turn clocks that ran out are answered, ended matches are
rated, tournaments go on, invitations that bots have not answered end, bots are told what a process that died had not told
them, webhooks are asked for again, and lists forget matches that have expired. Any number of sweepers may run at once: each
due seat is looked at by one of them, and all they do goes through the ordinary commit.
"""

from __future__ import annotations

import logging
import random
import signal
import threading
from types import FrameType

from engines import GAMES
from service.bots import BotGuests
from service.bots.hooks import Hooks
from service.matches import Due, Match, Matches, Notice
from service.matches.draft import state_of
from service.matches.errors import MatchError, MatchNotFound, StoreUnavailable
from service.matches.match import BUCKETS
from service.matches.seats import STAND_IN_LEVEL
from service.matches.store import ENDED
from service.settings import Settings
from worker.jobs import Desk

log = logging.getLogger(__name__)

#: A job that was asked for again is given this long, the longer the longer the queue has been keeping everybody waiting.
AGAIN_MS = 2000
AGAIN_MAX_MS = 15_000
#: Whoever has committed something hands on at once what it means for bots; what is left after this time was forgotten.
FORGOTTEN_MS = 1000


class Sweeper:
    """Looks at what is due.

    Args:
        desk: where quick moves come from, and the table.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.matches: Matches = desk.matches
        self._stop = threading.Event()

    def run(self) -> None:
        """Sweep until `stop`."""
        interval = self.matches.settings.sweep_interval_s
        while not self._stop.wait(interval):
            try:
                self.sweep()
                self.go_on()
                self.matches.store.tidy(random.randrange(BUCKETS))
            except StoreUnavailable as error:
                log.warning("nothing can be swept: %s", error)
            except Exception:
                log.exception("a sweep failed; the next goes on")

    def stop(self) -> None:
        """End `run` soon."""
        self._stop.set()

    def sweep(self) -> None:
        """Look once at every seat that is due.

        Raises:
            StoreUnavailable
        """
        self._look_after_bots()
        for due in self.matches.due():
            try:
                self._look(due)
            except StoreUnavailable:
                raise
            except Exception as error:  # one match that cannot be played must not stop the others
                log.error("match %s, seat %d: %r", due.match_id, due.seat, error, exc_info=not isinstance(error, MatchError))
                self.matches.store.postpone(due, self.matches.clock.now() + AGAIN_MAX_MS)

    def go_on(self) -> None:
        """Go on with every tournament that nobody has looked at for a while.

        Raises:
            StoreUnavailable
        """
        tournaments = self.desk.tournaments
        for tournament_id in tournaments.due():
            try:
                tournaments.advance(tournament_id)
            except StoreUnavailable:
                raise
            except Exception:  # it must not stop the others
                log.exception("tournament %s does not go on", tournament_id)

    def _look(self, due: Due) -> None:
        try:
            match = self.matches.get(due.match_id)
        except MatchNotFound:
            self.matches.store.postpone(due, None)
            return
        if due.seat == ENDED:
            self.desk.settle(due.match_id)
            self.matches.store.postpone(due, None)
            return
        turn = match.turns[due.seat]
        if match.status == "open" and turn.due is not None and turn.due <= self.matches.clock.now():
            self.matches.invitation_over(match.id, due.seat)
        elif match.status == "open" and turn.due is not None:
            self.matches.store.postpone(due, turn.due)
        elif match.status != "running" or turn.due is None:
            self.matches.store.postpone(due, None)
        elif match.seats[due.seat].ai_level is not None:
            self._ask_again(due, match)
        elif turn.due > self.matches.clock.now():
            self.matches.store.postpone(due, turn.due)
        else:
            self._time_is_over(match, due.seat)

    def _look_after_bots(self) -> None:
        guests = self.matches.guests
        if not isinstance(guests, BotGuests):
            return
        forgotten: dict[str, list[Notice]] = {}
        for notice in self.matches.store.outbox(self.matches.clock.now() - FORGOTTEN_MS):
            forgotten.setdefault(notice.match_id, []).append(notice)
        for match_id, notices in forgotten.items():
            try:
                guests.hand_on(sorted(notices, key=Notice.order))
            except StoreUnavailable:
                raise
            except Exception:  # what cannot be told must not stop the others
                log.exception("match %s: its bots could not be told", match_id)
        hooks = Hooks(guests.inbox)
        for bot in hooks.due():
            hooks.postpone(bot, AGAIN_MAX_MS)
            if guests.post is not None:
                guests.post(bot)

    def _ask_again(self, due: Due, match: Match) -> None:
        turn, now, store = match.turns[due.seat], self.matches.clock.now(), self.matches.store
        until, tries = store.leased(match.id, due.seat, turn.since)
        if until > now:
            store.postpone(due, until)
            return
        waited = now - turn.began
        if not store.postpone(due, now + min(max(AGAIN_MS, waited // 2), AGAIN_MAX_MS)):
            return  # another sweeper is at it
        if tries >= self.matches.settings.thinking_tries:
            self.desk.fall_back(match, due.seat)
        elif self.matches.enqueue is not None:
            self.matches.enqueue(match.id, turn.since, due.seat)

    def _time_is_over(self, match: Match, seat: int) -> None:
        game, since = self.matches.games[match.game], match.turns[seat].since
        silence = game.silence(state_of(game, match), seat)
        if silence is not None:
            self.matches.play_ai(match.id, since, seat, silence, by="clock")
        elif match.on_timeout == "ai":
            self.matches.hand_over(match.id, since, seat, STAND_IN_LEVEL)
        elif match.on_timeout == "move":
            self.matches.play_ai(match.id, since, seat, self.desk.quick(match, seat), by="clock")
        else:
            self.matches.resign_late(match.id, since, seat)


def main(settings: Settings) -> None:
    """Sweep, alone in a process, until SIGTERM or Ctrl-C."""
    from worker.mind import Mind

    sweeper = Sweeper(Desk(Matches.open(settings, GAMES), Mind()))

    def end(_number: int, _frame: FrameType | None) -> None:
        sweeper.stop()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    sweeper.run()
