"""What holds at the table for every registered game, without a line for any of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engines import PACKAGES, Registry
from engines.game import Game, Json, copy
from engines.records import Record
from engines.records import replay as replayed
from service.matches import Match, Matches, Seat, SeatRequest, SetClock, Store
from service.matches.checks import act_all, begin
from service.matches.draft import Draft
from service.matches.errors import MatchError
from service.matches.show import actions, position
from service.settings import Settings
from worker.jobs import Desk
from worker.mind import Mind

TESTED = {**PACKAGES, "toy": "tests.toy"}
GAMES = Registry(TESTED)
MATCH_ID = "a" * 14


@pytest.fixture(params=list(TESTED))
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def started(game: Game, seats: int, options: Json, seed: bytes) -> Match:
    """Return a match of people just after the deal, made without a store."""
    full = game.complete_options(seats, options)
    edition = game.editions[full["edition"]]
    waiting = Match(
        id=MATCH_ID,
        game=game.name,
        edition=edition.name,
        edition_digest=edition.digest,
        layout=game.layout,
        options=full,
        seed=seed,
        seed_hash="",
        turn_seconds=30,
        on_timeout="ai",
        reaction_seconds=8.0,
        created=0,
        seats=tuple(Seat("me", f"Player {n}") for n in range(seats)),
    )
    draft = Draft(waiting, game, 0)
    draft.start()
    return draft.finish()[0]


def random_match(game: Game, chooser: random.Random) -> Iterator[Match]:
    """Yield every version of a random match."""
    edition = game.editions[game.options_schema["properties"]["edition"]["default"]]
    seats, options = chooser.choice(game.variants(edition))
    match = started(game, seats, options, chooser.randbytes(32))
    while match.status == "running":
        yield match
        draft = Draft(match, game, match.changed + 1000)
        seat = chooser.choice(game.awaiting(draft.state))
        draft.act(seat, chooser.choice(game.legal(draft.state, seat)), "player")
        match = draft.finish()[0]
    yield match


def other_world(game: Game, match: Match, seat: int, chooser: random.Random) -> Match:
    """Return the same match in another world that the seat cannot tell from this one."""
    real = game.load(match.state or b"")
    world = game.imagine(game.redact(real, seat), seat, chooser.getrandbits(64))
    world.telling = real.telling
    assert game.dump(game.redact(copy(world), seat)) == game.dump(game.redact(real, seat))
    return replace(match, state=game.dump(world))


def refusal(game: Game, match: Match, seat: int, action: Any) -> Any:
    """Return how a played action is refused; whether a legal one is granted says nothing."""
    try:
        act_all(begin(match, game, match.changed, seat, None), seat, [action])
    except MatchError as error:
        return [error.code, error.detail, error.extra]
    return "granted"


def shown(game: Game, match: Match, seat: int, tried: list[Json]) -> str:
    answers = [position(match, game, seat, 0), actions(match, game, seat), [refusal(game, match, seat, one) for one in tried]]
    return json.dumps(answers)


def test_what_a_seat_cannot_know_changes_nothing_it_is_shown(game: Game) -> None:
    chooser = random.Random(7)
    for match in random_match(game, chooser):
        if match.status != "running":
            continue
        state = game.load(match.state or b"")
        seat = chooser.randrange(len(match.seats))
        tried = [action for anybody in range(len(match.seats)) for action in game.legal_json(state, anybody)]
        tried = chooser.sample(tried, min(len(tried), 5))
        other = other_world(game, match, seat, chooser)
        assert shown(game, match, seat, tried) == shown(game, other, seat, tried)


def test_a_decision_begins_when_its_seat_acts_or_is_asked_anew(game: Game) -> None:
    """The rule by which versions are stale: as long as a seat's legal actions stay as they are, so does its version."""
    before: Match | None = None
    for match in random_match(game, random.Random(11)):
        if before is not None and match.status == "running":
            was, now = (game.load(one.state or b"") for one in (before, match))
            for seat, (old, new) in enumerate(zip(before.turns, match.turns, strict=True)):
                if new.since != match.version:
                    assert new == old
                    assert game.legal(was, seat) == game.legal(now, seat)
                    assert (seat in game.awaiting(was)) == (seat in game.awaiting(now))
        before = match


def test_who_is_awaited_has_a_deadline(game: Game) -> None:
    for match in random_match(game, random.Random(13)):
        awaited = game.awaiting(game.load(match.state or b""))
        for seat, turn in enumerate(match.turns):
            asked = match.status == "running" and seat in awaited
            assert (turn.due is not None) == asked
            if asked:
                assert turn.due == turn.deadline


def test_ais_play_a_match_to_its_end_and_its_record_replays(game: Game, store: Store) -> None:
    hints: list[tuple[str, int, int]] = []
    clock = SetClock()
    matches = Matches(store, GAMES, Settings(), clock, enqueue=lambda *hint: hints.append(hint))
    desk = Desk(matches, Mind())
    match = matches.create(game.name, {}, [SeatRequest("ai", level=1)] * game.min_seats).match
    while hints:
        desk.think(*hints.pop(0))
    over = matches.get(match.id)
    assert over.status == "over"
    record = matches.record(over, None)
    states = list(replayed(Record.from_json(json.loads(json.dumps(record))), GAMES))
    assert game.dump(states[-1]) == over.state
    assert {move["by"] for move in record["actions"]} == {"ai"}
    ended = matches.events(match.id, None, over.version - 1)[0]["events"][-1]
    assert ended["outcome"] == record["outcome"] == matches.position(over, None)["outcome"]
