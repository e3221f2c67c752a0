"""Ratings: which matches count, that each counts once, and what is kept."""

from __future__ import annotations

import itertools
import json
import threading
from typing import Any

import pytest
from openskill.models import PlackettLuce
from redis import Redis

from service.matches import Match, Matches, SeatRequest
from service.matches.store import ENDED
from service.ratings import NEW, Ratings
from service.ratings.errors import RatingNotFound
from tests.service.matches.proxy import Proxy


@pytest.fixture
def ratings(matches: Matches) -> Ratings:
    return Ratings(matches)


def played(matches: Matches, *levels: int, **more: Any) -> Match:
    """Return a match of AIs, played to its end, each its first legal action."""
    match = matches.create("toy", {}, [SeatRequest("ai", level=level) for level in levels], **more).match
    return play_on(matches, match)


def play_on(matches: Matches, match: Match, by: Any = "ai") -> Match:
    game = matches.games[match.game]
    while match.status == "running":
        state = game.load(match.state or b"")
        seat = game.awaiting(state)[0]
        after = matches.play_ai(match.id, match.turns[seat].since, seat, game.legal(state, seat)[0], by=by)
        assert after is not None
        match = after
    return match


def test_ratings_are_those_of_openskill(matches: Matches, ratings: Ratings) -> None:
    match = played(matches, 1, 2, 3)
    outcome = matches.position(match, None)["outcome"]
    assert ratings.rate(match)
    model = PlackettLuce()
    expected = model.rate([[model.rating()] for _ in range(3)], ranks=outcome["ranking"])
    for level, team in zip((1, 2, 3), expected, strict=True):
        rated = ratings.of("toy", f"ai:{level}")
        assert (rated.rating.mu, rated.rating.sigma, rated.rating.matches) == (team[0].mu, team[0].sigma, 1)
    assert next(one.who for one in ratings.ranking("toy")[0]) == f"ai:{outcome['winners'][0] + 1}"


def test_a_match_counts_once_however_often_and_by_whomever_it_is_rated(matches: Matches, ratings: Ratings) -> None:
    match = played(matches, 1, 2)
    threads = [threading.Thread(target=ratings.rate, args=(match,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ratings.rate(match)
    assert ratings.of("toy", "ai:1").rating.matches == 1
    assert len(ratings.history("toy", "ai:1")) == 1


def test_matches_that_end_at_once_all_count(matches: Matches, ratings: Ratings) -> None:
    ended = [played(matches, 1, 2) for _ in range(6)]
    threads = [threading.Thread(target=ratings.rate, args=(match,)) for match in ended]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = ratings.history("toy", "ai:2")
    assert {change.data["match"] for change in history} == {match.id for match in ended}
    assert [change.number for change in history] == [6, 5, 4, 3, 2, 1]
    for new, old in itertools.pairwise(history):
        assert new.data["before"] == old.data["after"]
    assert history[-1].data["before"] == NEW.to_json()


def test_a_lost_answer_counts_once(behind: Matches, proxy: Proxy) -> None:
    ratings = Ratings(behind)
    ratings.rate(played(behind, 1, 2))  # the script is known to the server
    match = played(behind, 1, 2)
    proxy.drop_answers(1)
    assert ratings.rate(match)
    assert proxy.dropped == 1
    assert ratings.of("toy", "ai:1").rating.matches == 2


@pytest.mark.parametrize("how", ["a person", "twice the same", "not rated", "a seed", "fallback", "running", "aborted"])
def test_what_does_not_count(matches: Matches, ratings: Ratings, how: str) -> None:
    if how == "a person":
        created = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("ai", level=1)])
        match = matches.lobby.resign(created.match, 0).match
        assert not match.settles
    elif how == "twice the same":
        match = played(matches, 1, 1)
    elif how == "not rated":
        match = played(matches, 1, 2, rated=False)
    elif how == "a seed":
        match = played(matches, 1, 2, seed=bytes(32))
    elif how == "fallback":
        match = matches.create("toy", {}, [SeatRequest("ai", level=1), SeatRequest("ai", level=2)]).match
        match = play_on(matches, match, by="fallback")
    else:
        match = matches.create("toy", {}, [SeatRequest("ai", level=1), SeatRequest("ai", level=2)]).match
    assert not ratings.rate(match)
    assert ratings.ranking("toy") == ([], False)


def test_a_person_who_leaves_to_an_ai_does_not_make_a_rated_match(matches: Matches, ratings: Ratings) -> None:
    created = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("ai", level=1)])
    match = play_on(matches, matches.lobby.leave(created.match, 0, 3))
    assert [seat.kind for seat in match.seats] == ["ai", "ai"]
    assert not ratings.rate(match)


def test_the_end_of_a_match_is_due_until_somebody_has_seen_to_it(matches: Matches, clock: Any) -> None:
    match = played(matches, 1, 2)
    clock.move(3)
    assert [(due.match_id, due.seat) for due in matches.due()] == [(match.id, ENDED)]
    matches.store.settled(match)
    assert matches.due() == []


def test_the_ranking_by_pages(matches: Matches, ratings: Ratings) -> None:
    for levels in ((1, 2), (3, 4), (5, 6), (7, 8)):  # so that several have the same rating
        ratings.rate(played(matches, *levels))
    whole, more = ratings.ranking("toy")
    assert (len(whole), more) == (8, False)
    found, after = [], None
    while True:
        page, more = ratings.ranking("toy", after, 3)
        found += page
        if not more:
            break
        after = page[-1].place
    assert found == whole
    assert [one.rank for one in whole] == list(range(1, 9))
    assert all(one.rating.cautious >= other.rating.cautious for one, other in itertools.pairwise(whole))


@pytest.mark.parametrize("who", ["ai:9", "bot:nobody", "", "me", "ai:01", "x" * 100, "bot:a b"])
def test_who_has_no_rating(ratings: Ratings, who: str) -> None:
    with pytest.raises(RatingNotFound):
        ratings.of("toy", who)


def test_markers_outlive_their_matches(matches: Matches, ratings: Ratings, redis: Redis) -> None:
    match = played(matches, 1, 2)
    ratings.rate(match)
    assert redis.ttl(f"{{ratings:toy}}:match:{match.id}") > matches.settings.over_expiry_s
    assert json.loads(redis.xrange("{ratings:toy}:history:ai:1")[0][1][b"change"])["match"] == match.id
