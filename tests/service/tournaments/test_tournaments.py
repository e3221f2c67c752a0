"""Tournaments: made once, played once, taken up once, whoever dies in between."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import pytest

from engines.records import Record, replay
from service.bots import Bots
from service.matches import Match, Matches, Request, SetClock
from service.matches.errors import (
    BadOptions,
    BadSeats,
    BadToken,
    BotDoesNotPlay,
    RequestReused,
    UnknownBot,
    UnknownGame,
    UnknownLevel,
)
from service.ratings import Ratings
from service.tournaments import Entrant, Tournament, Tournaments
from service.tournaments.errors import (
    BadEntrants,
    TooManyTournaments,
    TournamentNotFound,
    TournamentNotRunning,
    TournamentTokenNeeded,
    TournamentTooLarge,
)
from service.tournaments.store import DUE
from tests.service.matches.proxy import Proxy
from tests.service.ratings.test_ratings import play_on


def ais(*levels: int) -> list[Entrant]:
    return [Entrant("ai", level) for level in levels]


def running(tournaments: Tournaments, tournament: Tournament) -> list[Match]:
    """Return the matches that are being played."""
    found = [tournaments.matches.get(tournament.match_id(number)) for number in tournaments.store.in_hand(tournament)]
    return [match for match in found if match.status == "running"]


def play_out(tournaments: Tournaments, tournament: Tournament) -> Tournament:
    """Play a tournament to its end, as workers would."""
    tournaments.advance(tournament.id)
    while tournaments.get(tournament.id).status == "running":
        for match in running(tournaments, tournament):
            play_on(tournaments.matches, match)
        tournaments.advance(tournament.id)
    return tournaments.get(tournament.id)


def every_match(tournaments: Tournaments, tournament: Tournament) -> list[dict[str, Any]]:
    return tournaments.matches_of(tournament, limit=1000).entries


def test_a_whole_tournament(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2, 3), rounds=2)
    assert (made.status, made.schedule.total) == ("running", 6)
    over = play_out(tournaments, made)
    assert (over.status, over.begun, over.done, over.void) == ("over", 6, 6, 0)
    shown = tournaments.show(over)
    assert shown["matches"] == {"total": 6, "begun": 6, "over": 6, "void": 0}
    assert sum(row["points"] for row in shown["standings"]) == 6
    assert [row["matches"] for row in shown["standings"]] == [4, 4, 4]
    assert shown["standings"][0]["points"] >= shown["standings"][-1]["points"]
    entries = every_match(tournaments, over)
    assert [entry["status"] for entry in entries] == ["over"] * 6
    assert len({entry["match"] for entry in entries}) == 6
    for entry in entries:
        match = tournaments.matches.get(entry["match"])
        assert match.tournament == made.id
        assert [f"ai:{seat.level}" for seat in match.seats] == entry["seats"]
    assert tournaments.store.due(1 << 60) == []


def test_standings_add_up(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2, 3, 4), seats=3, rounds=1)
    over = play_out(tournaments, made)
    expected: dict[str, list[float]] = {entrant.who: [0, 0, 0, 0] for entrant in made.entrants}
    for entry in every_match(tournaments, over):
        ranking = entry["result"]["ranking"]
        for seat, who in enumerate(entry["seats"]):
            row = expected[who]
            others = [place for other, place in enumerate(ranking) if other != seat]
            row[0] += sum(1 if place > ranking[seat] else 0.5 if place == ranking[seat] else 0 for place in others)
            row[1] += entry["result"]["payoffs"][seat]
            row[2] += ranking[seat]
            row[3] += seat in entry["result"]["winners"]
    for row in tournaments.show(over)["standings"]:
        points, payoff, rank, wins = expected[row["who"]]
        assert row["points"] == points
        assert row["wins"] == wins
        assert row["mean_payoff"] == pytest.approx(payoff / 3, abs=1e-3)
        assert row["mean_rank"] == pytest.approx(rank / 3, abs=1e-3)
        low, high = row["payoff_interval"]
        assert low <= row["mean_payoff"] <= high
        assert row["rating"]["matches"] == row["matches"] == 3


def test_duplicate_deals_have_the_same_cards(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2), rounds=2, duplicate=True)
    over = play_out(tournaments, made)
    table, game = tournaments.matches, tournaments.matches.games["toy"]
    hands, records = [], []
    for entry in every_match(tournaments, over):
        record = table.record(table.get(entry["match"]), None)
        states = list(replay(Record.from_json(record), table.games))
        hands.append([game.view(states[0], seat)["players"][seat]["hand"] for seat in range(2)])
        records.append(record)
    assert hands[0] == hands[1] != hands[2] == hands[3]
    assert [entry["seats"] for entry in every_match(tournaments, over)][:2] == [["ai:1", "ai:2"], ["ai:2", "ai:1"]]
    assert records[0]["seed_hash"] == records[1]["seed_hash"]
    assert records[0]["id"] != records[1]["id"]
    assert all(table.get(record["id"]).rated for record in records)


def test_only_so_many_at_once(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2, 3), rounds=3, at_once=2)
    tournaments.advance(made.id)
    tournaments.advance(made.id)
    assert len(running(tournaments, made)) == 2
    play_on(tournaments.matches, running(tournaments, made)[0])
    tournaments.advance(made.id)
    assert len(running(tournaments, made)) == 2
    assert tournaments.get(made.id).done == 1


def test_many_who_advance_at_once_play_nothing_twice(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2, 3), rounds=4, at_once=6)
    while tournaments.get(made.id).status == "running":
        threads = [threading.Thread(target=tournaments.advance, args=(made.id,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for match in running(tournaments, made):
            play_on(tournaments.matches, match)
    over = tournaments.get(made.id)
    assert (over.done, over.void) == (12, 0)
    assert sum(standing.matches for standing in over.standings) == 24


class Killed(Exception):
    """Stands for kill -9."""


@pytest.mark.parametrize("after", range(1, 14))
def test_killed_at_any_moment_it_goes_on(tournaments: Tournaments, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """The process dies after so many commands to the store; another goes on, and every match is there once."""
    made, _ = tournaments.create("toy", {}, ais(1, 2), rounds=4, at_once=2)
    tournaments.advance(made.id)
    for match in running(tournaments, made):
        play_on(tournaments.matches, match)
    left = after

    def dying(real: Any) -> Any:
        def command(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return real(*args, **kwargs)

        return command

    with monkeypatch.context() as patch:
        client = tournaments.matches.store.client
        patch.setattr(client, "execute_command", dying(client.execute_command))
        with suppress(Killed):
            tournaments.advance(made.id)
    over = play_out(tournaments, made)
    assert (over.status, over.done, over.void) == ("over", 4, 0)
    assert [standing.matches for standing in over.standings] == [4, 4]
    assert len({entry["match"] for entry in every_match(tournaments, over)}) == 4


def test_lost_answers_change_nothing(behind: Matches, proxy: Proxy) -> None:
    tournaments = Tournaments(behind)
    play_out(tournaments, tournaments.create("toy", {}, ais(1, 2))[0])  # the scripts are known to the server
    made, _ = tournaments.create("toy", {}, ais(1, 2), rounds=3, at_once=1)
    for _ in range(3):
        proxy.drop_answers(1)
        tournaments.advance(made.id)
        for match in running(tournaments, made):
            play_on(behind, match)
    over = play_out(tournaments, made)
    assert (over.done, over.void, over.standings[0].matches) == (3, 0, 3)


def test_matches_count_for_ratings_unless_the_creator_says_no(tournaments: Tournaments) -> None:
    ratings = Ratings(tournaments.matches)
    for rated in (False, True):
        over = play_out(tournaments, tournaments.create("toy", {}, ais(1, 2), rated=rated)[0])
        match = tournaments.matches.get(over.match_id(0))
        assert ratings.rate(match) is rated


def test_bots_play_as_well(tournaments: Tournaments, bots: Bots) -> None:
    bots.register("tortoise", ["toy"])
    entrants = [*ais(1), Entrant("bot", bot="tortoise")]
    made, _ = tournaments.create("toy", {}, entrants)
    tournaments.advance(made.id)
    (match,) = running(tournaments, made)
    assert [seat.kind for seat in match.seats] == ["ai", "bot"]
    assert (match.turn_seconds, match.on_timeout) == (30, "move")
    while match.status == "running":
        for seat in tournaments.matches.position(match, None)["awaiting"]:
            action = tournaments.matches.position(match, seat)["legal_actions"][0]
            match = tournaments.matches.play(match.id, seat, [action]).match
    over = play_out(tournaments, made)
    assert {row["who"] for row in tournaments.show(over)["standings"]} == {"ai:1", "bot:tortoise"}
    assert Ratings(tournaments.matches).rate(match)
    duplicate, _ = tournaments.create("toy", {}, entrants, duplicate=True)
    assert not duplicate.rated


def test_a_bot_that_has_gone_costs_its_matches_only(tournaments: Tournaments, bots: Bots) -> None:
    bot, _ = bots.register("tortoise", ["toy"])
    made, _ = tournaments.create("toy", {}, [*ais(1, 2), Entrant("bot", bot="tortoise")])
    bots.remove(bot)
    over = play_out(tournaments, made)
    assert (over.status, over.done, over.void) == ("over", 3, 2)
    assert [entry["status"] for entry in every_match(tournaments, over)].count("void") == 2


def test_a_match_that_is_lost_is_void(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2))
    tournaments.advance(made.id)
    (match,) = running(tournaments, made)
    for key in tournaments.matches.store.client.keys(f"*{match.id}*"):
        tournaments.matches.store.client.delete(key)
    tournaments.advance(made.id)
    over = tournaments.get(made.id)
    assert (over.status, over.done, over.void) == ("over", 1, 1)


def test_aborting(tournaments: Tournaments) -> None:
    made, token = tournaments.create("toy", {}, ais(1, 2), rounds=5, at_once=2)
    tournaments.advance(made.id)
    first, second = running(tournaments, made)
    play_on(tournaments.matches, first)
    for wrong, error in ((None, TournamentTokenNeeded), ("x", BadToken)):
        with pytest.raises(error):
            tournaments.abort(made, wrong)
    assert tournaments.abort(made, token).status == "aborted"
    with pytest.raises(TournamentNotRunning):
        tournaments.abort(made, token)
    tournaments.advance(made.id)
    assert tournaments.matches.get(second.id).status == "aborted"
    ended = tournaments.get(made.id)
    assert (ended.status, ended.begun, ended.done, ended.void) == ("aborted", 2, 2, 1)
    assert tournaments.store.due(1 << 60) == []


def test_a_tournament_aborted_before_anything_was_made(tournaments: Tournaments) -> None:
    made, token = tournaments.create("toy", {}, ais(1, 2))
    tournaments.abort(made, token)
    tournaments.advance(made.id)
    assert tournaments.get(made.id).begun == 0
    assert tournaments.store.due(1 << 60) == []


def test_the_same_request_makes_one_tournament(tournaments: Tournaments) -> None:
    request = Request.of("a key that is hard to guess", b"body")
    first, token = tournaments.create("toy", {}, ais(1, 2), request=request)
    again, same = tournaments.create("toy", {}, ais(1, 2), request=request)
    assert (again.id, same) == (first.id, token)
    with pytest.raises(RequestReused):
        tournaments.create("toy", {}, ais(1, 3), request=Request.of(request.key, b"another"))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"game": "chess"}, UnknownGame),
        ({"options": {"jokers": 3}}, BadOptions),
        ({"seats": 1}, BadSeats),
        ({"seats": 5}, BadSeats),
        ({"entrants": ais(1)}, BadEntrants),
        ({"entrants": []}, BadEntrants),
        ({"entrants": ais(1, 2), "seats": 3}, BadEntrants),
        ({"entrants": ais(1, 2, 1)}, BadEntrants),
        ({"entrants": ais(1, 9)}, UnknownLevel),
        ({"entrants": [*ais(1), Entrant("bot", bot="nobody")]}, UnknownBot),
        ({"entrants": [*ais(1), Entrant("bot", bot="specialist")]}, BotDoesNotPlay),
        ({"entrants": [*ais(1), Entrant("bot")]}, BadEntrants),
        ({"entrants": [*ais(1), Entrant("ai", 2, "tortoise")]}, BadEntrants),
        ({"rounds": 0}, BadOptions),
        ({"rounds": 10_000, "entrants": ais(1, 2, 3)}, TournamentTooLarge),
        ({"at_once": 0}, BadOptions),
        ({"at_once": 1000}, BadOptions),
        ({"turn_seconds": 0}, BadOptions),
        ({"name": "x" * 41}, BadOptions),
    ],
)
def test_bad_input(tournaments: Tournaments, bots: Bots, change: dict[str, Any], error: type[Exception]) -> None:
    bots.register("specialist", ["window"])
    whole: dict[str, Any] = {"game": "toy", "options": {}, "entrants": ais(1, 2)} | change
    with pytest.raises(error):
        tournaments.create(**whole)
    assert tournaments.find(None, None).entries == []


def test_not_too_many_run_at_once(tournaments: Tournaments, monkeypatch: pytest.MonkeyPatch) -> None:
    object.__setattr__(tournaments.store._settings, "tournaments_max", 1)
    made, _ = tournaments.create("toy", {}, ais(1, 2))
    with pytest.raises(TooManyTournaments):
        tournaments.create("toy", {}, ais(1, 2))
    play_out(tournaments, made)
    tournaments.create("toy", {}, ais(1, 2))


def test_the_list_and_what_has_expired(tournaments: Tournaments, clock: SetClock) -> None:
    made = []
    for number in range(5):
        clock.move(1)
        made.append(tournaments.create("toy" if number % 2 else "window", {}, ais(1, 2))[0])
    names = [entry["id"] for entry in tournaments.find(None, None).entries]
    assert names == [one.id for one in reversed(made)]
    assert [entry["id"] for entry in tournaments.find("toy", "running").entries] == [made[3].id, made[1].id]
    page = tournaments.find(None, None, limit=2)
    assert [entry["id"] for entry in tournaments.find(None, None, page.after, 2).entries] == names[2:4]
    client = tournaments.matches.store.client
    client.delete(f"{{tournaments}}:{made[4].id}")
    assert [entry["id"] for entry in tournaments.find(None, None).entries] == names[1:]
    tournaments.advance(made[4].id)
    assert client.zscore(DUE, made[4].id) is None
    for wrong in (made[4].id, "x", ""):
        with pytest.raises(TournamentNotFound):
            tournaments.get(wrong)


def test_one_sweeper_looks_at_a_tournament_at_a_time(tournaments: Tournaments, clock: SetClock) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2))
    assert tournaments.due() == [made.id]
    assert tournaments.due() == []
    clock.move(6)
    assert tournaments.due() == [made.id]


def test_matches_by_pages(tournaments: Tournaments) -> None:
    made, _ = tournaments.create("toy", {}, ais(1, 2, 3), rounds=3, at_once=1)
    tournaments.advance(made.id)
    whole = every_match(tournaments, tournaments.get(made.id))
    assert [entry["status"] for entry in whole] == ["running"] + ["waiting"] * 8
    assert [entry["match"] is None for entry in whole] == [False] + [True] * 8
    found, after = [], None
    while True:
        page = tournaments.matches_of(tournaments.get(made.id), after, 4)
        found += page.entries
        if page.after is None:
            break
        after = int(page.after)
    assert found == whole
