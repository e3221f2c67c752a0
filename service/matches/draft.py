"""`Draft`: the next version of a match while it is being made; stored only once `Store.commit` takes what `finish` gives."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from engines.game import Game, Told, chance_key
from service.matches.errors import MatchOutdated
from service.matches.events import By, Entry, Move, to_all
from service.matches.match import Json, Match, Seat, Turn
from service.matches.notices import Notice, notices
from service.matches.reading import Reading

#: An AI's decision is asked of a worker at once; if none has begun after this time, it is asked again.
HEAD_START_MS = 2000


@cache
def layout_of(game: Game) -> str:
    """Return `Game.layout`, computed once."""
    return game.layout


def state_of(game: Game, match: Match) -> Any:
    """Return the engine's state of a match that has begun.

    Raises:
        MatchOutdated: it was written for another layout, or its edition is not here any more.
    """
    assert match.state is not None
    if match.layout == layout_of(game):
        state = game.load(match.state)
        with suppress(KeyError):
            game.edition_of(state)
            return state
    raise MatchOutdated("this match was begun with another release of its game or edition and cannot be read here")


class Draft:
    """A match on its way from one version to the next.

    Args:
        match: as it is stored (version 0: not yet).
        game: what is played.
        at: now, in ms.

    Attributes:
        match: as changed so far, but for version, turns, times, state and how much has been played.
        reading: the engine's state and what is known about it, None before the deal.
        told, moves: what has happened so far.
    """

    def __init__(self, match: Match, game: Game, at: int) -> None:
        self.match = match
        self._before = match.seats if match.version else ()
        self.game = game
        self.at = at
        self.reading = None if match.state is None else Reading(game, state_of(game, match))
        self.told: list[Told] = []
        self.moves: list[Move] = []
        self._played = match.played
        self._begun: set[int] = set()  # seats whose decision began in this draft
        self._resumed: set[int] = set()  # of these, seats that had begun it before: their clock goes on
        self._clocked: set[int] = set()  # of these, seats of players for whom an AI stands in, while their clock goes on

    @property
    def state(self) -> Any:
        """The engine's state, None before the deal."""
        return None if self.reading is None else self.reading.state

    @property
    def dealt(self) -> Reading:
        """The reading of a match that has been dealt."""
        assert self.reading is not None
        return self.reading

    # Happenings

    def tell(self, kind: str, **facts: Any) -> None:
        """Tell everybody an event of the match."""
        self.told.append(to_all(kind, **facts))

    def sit(self, number: int, seat: Seat) -> None:
        """Change who sits at a place; an AI declines whatever draw was offered."""
        self.match = self.match.with_seat(number, seat)
        if seat.ai_level is not None:
            self.match = replace(self.match, draw_offers=())

    def set_auto_pass(self, seat: int, *, on: bool) -> None:
        """Have a seat pass by itself from now on, or not; only its player is told."""
        if self.match.seats[seat].auto_pass != on:
            self.sit(seat, replace(self.match.seats[seat], auto_pass=on))
            self.told.append(Told(1 << seat, {"type": "seat.auto_pass", "seat": seat, "on": on}))

    def start(self) -> None:
        """Deal."""
        match = self.match
        self.tell("match.started")
        state = self.game.new(len(match.seats), match.options, match.seed, match.chance_name)
        self.reading = Reading(self.game, state)
        self.told += self.game.events(state)
        self.match = replace(match, status="running")
        self._begun = set(range(len(match.seats)))
        self._settle()
        self.pass_automatically()

    def act(self, seat: int, action: int, by: By, thought: Json | None = None) -> None:
        """Play one action.

        Raises:
            engines.game.NotYourDecision, engines.game.IllegalAction
        """
        before, game = self.dealt, self.game
        number = self._played + 1
        after = game.play(before.state, seat, action, chance_key(self.match.seed, self.match.chance_name, number))
        self.moves.append(Move(number, seat, action, game.action_to_json(before.state, action), by, thought))
        self.told += game.events(after)
        if seat in self.match.draw_offers:
            self.match = replace(self.match, draw_offers=tuple(other for other in self.match.draw_offers if other != seat))
        self._played = number
        self.reading = Reading(game, after)
        self._note_decisions(before, self.reading, seat)
        self._settle()

    def end(self, outcome: Json) -> None:
        """End the match otherwise than by the game's own rules."""
        self.match = replace(self.match, ended=outcome)
        self._over(outcome)

    def resign(self, seat: int, reason: str) -> None:
        """End the match for a seat: it is last, the others share the first place."""
        self.tell("seat.resigned", seat=seat)
        count = len(self.match.seats)
        others = [number for number in range(count) if number != seat]
        ranking = [count if number == seat else 1 for number in range(count)]
        self.end({"reason": reason, "winners": others, "ranking": ranking})

    def offer_draw(self, seat: int) -> None:
        """Offer a draw, until the seat plays or somebody declines; once every seat has, the match ends without a winner."""
        if seat in self.match.draw_offers:
            return
        self.match = replace(self.match, draw_offers=tuple(sorted((*self.match.draw_offers, seat))))
        self.tell("seat.draw_offered", seat=seat)
        count = len(self.match.seats)
        if len(self.match.draw_offers) == count:
            self.end({"reason": "draw_agreed", "winners": [], "ranking": [1] * count})

    def decline_draw(self, seat: int) -> None:
        """Take a seat's own offer back, or decline those of all others."""
        own = seat in self.match.draw_offers
        left = tuple(other for other in self.match.draw_offers if own and other != seat)
        self.match = replace(self.match, draw_offers=left)
        self.tell("seat.draw_declined", seat=seat)

    def give_up(self) -> None:
        """End a match that nobody waits for any more, without an outcome."""
        self.match = replace(self.match, status="aborted")
        self.tell("match.ended", outcome=None)

    def stand_in(self, seat: int, level: int, *, in_time: bool) -> None:
        """Let an AI play for a player until he is back; what was left of his time goes on for him if he was in time."""
        self.sit(seat, replace(self.match.seats[seat], stand_in=level))
        self.tell("seat.handed_over", seat=seat, level=level)
        self.begin_again(seat)
        if in_time:
            self._clocked.add(seat)

    def take_back(self, seat: int) -> None:
        """Let a player play himself again."""
        self.sit(seat, replace(self.match.seats[seat], stand_in=None))
        self.tell("seat.returned", seat=seat)
        self.begin_again(seat)
        if self._awaited(seat):
            self._resumed.add(seat)

    def begin_again(self, seat: int) -> None:
        """Let a seat's decision, if it has one, begin anew, for another has to take it."""
        if self._awaited(seat):
            self._begun.add(seat)
            self._resumed.discard(seat)

    def _awaited(self, seat: int) -> bool:
        return self.match.status == "running" and seat in self.dealt.awaiting

    def pass_automatically(self) -> None:
        """Play the pass of every seat that asked for it beforehand and can do nothing else."""
        while self.match.status == "running":
            ready = [seat for seat in self.dealt.awaiting if self._passes(seat)]
            if not ready:
                return
            self.act(ready[0], self.dealt.legal(ready[0])[0], "auto")

    def finish(self) -> tuple[Match, Entry]:
        """Return the next version and its entry in the log."""
        version = self.match.version + 1
        state = None if self.reading is None else self.game.dump(self.reading.state)
        turns = tuple(self._turn(seat, version) for seat in range(len(self.match.seats)))
        match = replace(self.match, version=version, changed=self.at, state=state, turns=turns, played=self._played)
        return match, Entry(version, self.at, self.told, self.moves, self._notices(match))

    def _notices(self, match: Match) -> list[Notice]:
        """Return what the bots at the table are to be told; for a table without bots there is nothing to find out."""
        if not any(seat.bot is not None for seat in (*self._before, *match.seats)):
            return []
        awaited = self.dealt.awaiting if match.status == "running" else ()
        return notices(self._before, match, awaited, ended=any(told.event["type"] == "match.ended" for told in self.told))

    # Decisions

    def _note_decisions(self, before: Reading, after: Reading, acted: int) -> None:
        was, now = before.awaiting, after.awaiting
        for seat in range(len(self.match.seats)):
            began = seat == acted or (seat in now and seat not in was)
            if began or before.legal(seat) != after.legal(seat):
                self._begun.add(seat)
                self._resumed.discard(seat)
        if acted in now and acted not in was:
            self._resumed.add(acted)

    def _turn(self, seat: int, version: int) -> Turn:
        old = self.match.turns[seat] if self.match.turns else Turn()
        running = self.match.status == "running"
        if seat not in self._begun and running:
            return old
        if self.match.status == "open":
            return Turn(version, self.at, None, self.match.seats[seat].kept_until)
        if not running or seat not in self.dealt.awaiting:
            return Turn(version, self.at, old.deadline)
        if self.match.seats[seat].ai_level is not None:
            return Turn(version, self.at, old.deadline if seat in self._clocked else None, self.at + HEAD_START_MS)
        deadline = old.deadline if seat in self._resumed and old.deadline else self._deadline(seat)
        return Turn(version, self.at, deadline, deadline)

    def _deadline(self, seat: int) -> int | None:
        if self.game.silence(self.state, seat) is not None:
            return self.at + round(self.match.reaction_seconds * 1000)
        if self.match.turn_seconds is not None:
            return self.at + round(self.match.turn_seconds * 1000)
        return None

    def _passes(self, seat: int) -> bool:
        asked = self.match.seats[seat]
        if not asked.auto_pass or asked.ai_level is not None:
            return False
        silence = self.game.silence(self.state, seat)
        return silence is not None and self.dealt.legal(seat) == [silence]

    # The end

    def _settle(self) -> None:
        outcome = self.dealt.outcome
        if outcome is not None:
            self._over(outcome.to_json())

    def _over(self, outcome: Json) -> None:
        self.match = replace(self.match, status="over")
        self.tell("match.ended", outcome=outcome)


def may_go_on(draft: Draft, seat: int) -> bool:
    """Return whether a seat may send a further action in one sequence: nothing was shown or drawn, and it is its decision."""
    return draft.match.status == "running" and not int(draft.state.reveals) and seat in draft.dealt.awaiting
