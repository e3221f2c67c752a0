"""What a seat cannot know, it cannot learn here: not from a position, an event, a record, an error, a version or a dry run."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from redis import Redis

from service.matches import Match, Matches, Request, SeatRequest, errors
from service.matches.match import id_from
from tests.service.matches.conftest import GAMES, TAKE_IT_BACK, two_people
from tests.toy import GAME

CREATE = Request.of("create-both-worlds", b"")
TAKE = Request.of("take-in-both-worlds", b"")
MATCH_ID = id_from(CREATE.field("create"))


def hand(seed: bytes, seat: int) -> int:
    return int(GAME.new(2, {}, seed, MATCH_ID).players[seat].hand)


def two_worlds() -> tuple[bytes, bytes]:
    """Return seeds of two deals that seat 0 cannot tell apart, while seat 1 holds one common card and two others."""
    first = bytes(32)
    for number in count(1):
        second = number.to_bytes(32, "big")
        if hand(second, 0) == hand(first, 0) and (hand(second, 1) & hand(first, 1)).bit_count() == 1:
            return first, second
    raise AssertionError


FIRST, SECOND = two_worlds()
COMMON = (hand(FIRST, 1) & hand(SECOND, 1)).bit_length()


def refusal(call: Callable[[], Any]) -> Any:
    try:
        call()
    except errors.MatchError as error:
        return [error.code, error.detail, error.extra]
    return "granted"


def shown(matches: Matches, match: Match) -> str:
    """Return everything that seat 0, and a spectator, can get out of the table without playing, as one text."""
    own = matches.position(match, 0)["legal_actions"]
    answers = [
        [matches.position(match, viewer) for viewer in (0, None)],
        [matches.record(match, viewer) for viewer in (0, None)],
        [matches.events(match.id, viewer, after) for viewer in (0, None) for after in range(match.version)],
        matches.actions(match, 0),
        [refusal(lambda card=card: matches.play(match.id, 0, [{"type": "choose", "card": card}], dry_run=True))
         for card in range(1, 13)],
        [refusal(lambda a=a, b=b: matches.play(match.id, 0, [a, b], dry_run=True)) for a in own for b in [*own, TAKE_IT_BACK]],
        refusal(lambda: matches.play(match.id, 0, [TAKE_IT_BACK], version=1, dry_run=True)),
        refusal(lambda: matches.play(match.id, 0, [{"type": "peek"}])),
        refusal(lambda: matches.play(match.id, None, [])),
        refusal(lambda: matches.take_seat(match.id)),
        refusal(lambda: matches.who(match, "x")),
    ]  # fmt: skip
    # The promise of the seed is of course another for another seed; it is 256 bits of it, so it says nothing.
    return json.dumps(answers, sort_keys=True).replace(match.seed_hash, "promised")


def live(matches: Matches, redis: Redis, seed: bytes, seats: list[SeatRequest], second: Callable[[Match], None]) -> list[str]:
    """Play the same match in one world; return what seat 0 could see at every version."""
    redis.flushall()
    matches.create("toy", {}, seats, seed=seed, request=CREATE)
    if seats[1].kind == "open":
        matches.take_seat(MATCH_ID, "Bob", request=TAKE)
    seen = [shown(matches, matches.get(MATCH_ID))]

    def act(seat: int, data: Any) -> None:
        matches.play(MATCH_ID, seat, [data], request=Request.of(f"{len(seen)}", b""))
        seen.append(shown(matches, matches.get(MATCH_ID)))

    mine = matches.position(matches.get(MATCH_ID), 0)["legal_actions"]
    act(1, {"type": "choose", "card": other_card(seed)})
    act(1, TAKE_IT_BACK)
    act(0, mine[1])
    act(0, TAKE_IT_BACK)
    act(1, {"type": "choose", "card": COMMON})
    act(0, mine[0])
    act(0, mine[1])
    act(0, TAKE_IT_BACK)
    second(matches.get(MATCH_ID))
    seen.append(shown(matches, matches.get(MATCH_ID)))
    return seen


def other_card(seed: bytes) -> int:
    """Return a card of seat 1 that is hers in this world only."""
    return (hand(seed, 1) & ~(1 << (COMMON - 1))).bit_length()


def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(matches: Matches, redis: Redis) -> None:
    assert other_card(FIRST) != other_card(SECOND)
    seats = [SeatRequest("me", "Ada"), SeatRequest("open")]

    def choose(match: Match) -> None:
        matches.play(match.id, 1, [{"type": "choose", "card": other_card(match.seed)}])

    first, second = (live(matches, redis, seed, seats, choose) for seed in (FIRST, SECOND))
    assert first == second


def test_nothing_tells_what_another_seat_has_chosen(matches: Matches, redis: Redis) -> None:
    """The same, with two different choices in one world."""
    seats = [SeatRequest("me", "Ada"), SeatRequest("open")]
    held = hand(FIRST, 1) & ~(1 << (COMMON - 1))

    def choose(card: int) -> Callable[[Match], None]:
        return lambda match: matches.play(match.id, 1, [{"type": "choose", "card": card}]) and None

    low, high = (held & -held).bit_length(), held.bit_length()
    assert live(matches, redis, FIRST, seats, choose(low)) == live(matches, redis, FIRST, seats, choose(high))


def test_a_thought_is_not_shown_before_the_end(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("ai", level=1)]).match
    thought = {"level": 1, "seed": 123456789, "iterations": 16, "milliseconds": 1.5, "digest": "d" * 64}
    action = GAMES["toy"].legal(GAMES["toy"].load(match.state or b""), 1)[0]
    after = matches.play_ai(match.id, 1, 1, action, thought=thought)
    assert after is not None
    for viewer in (0, 1, None):
        told = json.dumps([matches.events(match.id, viewer), matches.record(after, viewer), matches.position(after, viewer)])
        assert "123456789" not in told
        assert "iterations" not in told


def test_a_sequence_may_not_go_on_beyond_what_is_shown(matches: Matches) -> None:
    match, _ = two_people(matches)
    mine = matches.position(match, 0)["legal_actions"]
    matches.play(match.id, 1, [matches.position(match, 1)["legal_actions"][0]])
    before = matches.get(match.id)
    for dry_run in (True, False):
        for last in (mine[1], TAKE_IT_BACK, {"type": "choose", "card": 99}):
            with pytest.raises(errors.Reveals) as refused:
                matches.play(match.id, 0, [mine[0], last], dry_run=dry_run)
            assert refused.value.extra == {"index": 1}
    assert matches.get(match.id) == before
    assert len(matches.events(match.id, None)) == before.version


def test_a_sequence_may_not_go_on_when_others_have_to_decide(matches: Matches, running: Match) -> None:
    mine = matches.position(running, 0)["legal_actions"]
    with pytest.raises(errors.Reveals):
        matches.play(running.id, 0, [mine[0], TAKE_IT_BACK])
    assert matches.get(running.id) == running


def test_a_dry_run_tells_no_more_than_that_it_is_legal(matches: Matches) -> None:
    match, _ = two_people(matches)
    matches.play(match.id, 1, [matches.position(match, 1)["legal_actions"][0]])
    before = matches.get(match.id)
    checked = matches.play(match.id, 0, [matches.position(match, 0)["legal_actions"][0]], dry_run=True)
    assert (checked.answer, checked.version, checked.match) == (None, before.version, before)
    assert matches.get(match.id) == before


def test_a_dry_run_is_no_request(matches: Matches, running: Match) -> None:
    """Its key is not used up: the request can then be made in earnest."""
    action = matches.position(running, 0)["legal_actions"][0]
    request = Request.of("key", b"")
    matches.play(running.id, 0, [action], dry_run=True, request=request)
    assert not matches.play(running.id, 0, [action], request=request).repeated
