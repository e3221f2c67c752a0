"""A match as it was: built again from its seed and its log, for replays and for spectators who see it later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engines.game import Game, GameError, chance_key
from service.matches.draft import state_of
from service.matches.errors import MatchOutdated
from service.matches.events import Entry
from service.matches.match import Json, Match, Status, Turn


def as_it_was(match: Match, game: Game, entries: Sequence[Entry]) -> Match:
    """Return a match as it was after the last of some entries. Who sits where is told as it is now, deadlines not at all.

    Args:
        match: as it is now.
        game: what it plays.
        entries: its log from the first entry on, at least one.

    Raises:
        MatchOutdated: its game's rules are others by now.
    """
    last = entries[-1]
    moves = [move for entry in entries for move in entry.moves]
    happened = [told.event for entry in entries for told in entry.told]
    begun = any(event["type"] == "match.started" for event in happened)
    return replace(
        match,
        version=last.version,
        status=_status(match, happened, begun),
        turns=tuple(Turn() for _ in match.seats),
        played=len(moves),
        changed=last.at,
        state=_state(match, game, moves) if begun else None,
        draw_offers=(),
        ended=match.ended if any(entry.ends() for entry in entries) else None,
    )


def _status(match: Match, happened: Sequence[Json], begun: bool) -> Status:
    if any(event["type"] == "match.ended" for event in happened):
        return match.status
    return "running" if begun else "open"


def _state(match: Match, game: Game, moves: Sequence[Any]) -> bytes:
    if match.state is not None:
        state_of(game, match)  # refuses a match of other rules
    try:
        state = game.new(len(match.seats), match.options, match.seed, match.chance_name)
        for move in moves:
            state = game.play(state, move.seat, move.action, chance_key(match.seed, match.chance_name, move.number))
    except GameError as error:
        raise MatchOutdated("this match was played by other rules than those here and cannot be shown again") from error
    return game.dump(state)
