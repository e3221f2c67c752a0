"""Lists, clocks that go on while an AI stands in, and what a draft refuses."""

from __future__ import annotations

import pytest

from service.matches import Matches, SeatRequest, SetClock, Store, Turn
from service.matches.errors import BadToken, MatchNotOver, StoreUnavailable
from service.matches.index import list_key, mine_key, place
from service.matches.lobby import Wanted
from service.matches.match import Match, bucket
from tests.service.matches.conftest import play_out, two_people


def turn(match: Match, seat: int) -> Turn:
    return match.turns[seat]


def test_a_clock_goes_on_while_an_ai_stands_in(matches: Matches, clock: SetClock) -> None:
    match, _ = two_people(matches, turn_seconds=60)
    begun = turn(match, 1)
    clock.move(20)
    away = matches.lobby.change_seat(match, 1, None, 2, keep_player=False)
    assert (turn(away, 1).deadline, turn(away, 1).due) == (begun.deadline, clock.now() + 2000)
    assert matches.thinkers(away) == [1]
    clock.move(20)
    back = matches.lobby.change_seat(away, 1, None, None, keep_player=False)
    assert (turn(back, 1).deadline, turn(back, 1).due) == (begun.deadline, begun.deadline)
    assert matches.thinkers(back) == []


def test_who_comes_back_after_his_time_was_over_has_time_again(matches: Matches, clock: SetClock) -> None:
    match, _ = two_people(matches, turn_seconds=60)
    clock.move(61)
    away = matches.hand_over(match.id, turn(match, 1).since, 1, 2)
    assert away is not None
    assert turn(away, 1).deadline is None
    back = matches.lobby.change_seat(away, 1, None, None, keep_player=False)
    assert turn(back, 1).deadline == clock.now() + 60_000


def test_a_seat_that_waits_is_handed_over_without_a_new_decision(matches: Matches, asked: list[tuple[str, int, int]]) -> None:
    match, _ = two_people(matches)
    match = matches.play(match.id, 1, [matches.position(match, 1)["legal_actions"][0]]).match
    away = matches.lobby.change_seat(match, 1, None, 2, keep_player=False)
    assert turn(away, 1) == turn(match, 1)
    assert asked == []
    matches.play(match.id, 0, [matches.position(away, 0)["legal_actions"][0]])
    assert [seat for _, _, seat in asked] == [1]


def test_who_leaves_has_his_decision_taken_by_an_ai(matches: Matches, asked: list[tuple[str, int, int]]) -> None:
    match, tokens = two_people(matches)
    left = matches.lobby.leave(match, 1, 3)
    assert asked == [(match.id, left.version, 1)]
    with pytest.raises(BadToken):
        matches.who(left, tokens[1])
    with pytest.raises(BadToken):
        matches.lobby.change_seat(match, 1, "Eve", None, keep_player=True)


def test_a_match_is_in_one_list_only(matches: Matches, store: Store) -> None:
    match, _ = two_people(matches)

    def lists() -> dict[str, list[str]]:
        names = ("open", "running", "over", "aborted")
        found = {name: store.client.zrange(list_key(bucket(match.id), name), 0, -1) for name in names}
        return {name: [member.decode() for member in members] for name, members in found.items() if members}

    member = f"{place(match)}:toy"
    assert lists() == {"running": [member]}
    play_out(matches, match.id)
    assert lists() == {"over": [member]}
    assert store.client.zcard(mine_key(bucket(match.id))) == 2


def test_pages_of_matches_made_at_the_same_moment(matches: Matches) -> None:
    made = [matches.create("toy", {}, [SeatRequest("open")] * 2).match for _ in range(40)]
    expected = [match.id for match in sorted(made, key=place, reverse=True)]
    for limit in (1, 3, 7, 40):
        found, after = [], None
        while True:
            page = matches.lobby.find(Wanted(), after, limit)
            found += [match["id"] for match in page.matches]
            if (after := page.after) is None:
                break
        assert found == expected
    own = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open")])
    assert own.token is not None
    assert [match["id"] for match in matches.lobby.find_own(Wanted("toy"), own.token).matches] == [own.match.id]
    assert matches.lobby.find_own(Wanted("other"), own.token).matches == []


def test_a_page_that_hardly_anything_fits_is_cut_short(matches: Matches) -> None:
    for _ in range(30):
        matches.create("toy", {}, [SeatRequest("open")] * 2)
    page = matches.lobby.find(Wanted(game="window"), None, 1)
    assert page.matches == []
    assert page.after is not None


def test_only_what_is_over_is_played_again(matches: Matches) -> None:
    match, tokens = two_people(matches)
    with pytest.raises(MatchNotOver):
        matches.lobby.rematch(match, 0, tokens[0])


def test_a_rematch_that_expired_is_made_again(matches: Matches, store: Store) -> None:
    match, tokens = two_people(matches)
    over = play_out(matches, match.id)
    again, seat, repeated = matches.lobby.rematch(over, 0, tokens[0])
    assert (seat, repeated) == (1, False)
    for key in store.client.keys(f"*{again.id}*"):
        store.client.delete(key)
    once_more, _, repeated = matches.lobby.rematch(matches.get(match.id), 1, tokens[1])
    assert (once_more.id, repeated) == (again.id, False)
    assert matches.get(match.id).rematch == again.id
    assert once_more.seats[1].kind == "open"


def test_lists_say_when_the_store_is_away(matches: Matches, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.client.connection_pool.disconnect()
    monkeypatch.setitem(store.client.connection_pool.connection_kwargs, "path", "/nowhere")
    with pytest.raises(StoreUnavailable):
        matches.lobby.find(Wanted())


def test_a_seat_that_begins_to_pass_by_itself_passes_at_once(matches: Matches) -> None:
    """In its last round the window game leaves one card, which is its pass."""
    match, _ = two_people(matches, "window")
    for _ in range(2):
        for seat in (0, 1):
            match = matches.play(match.id, seat, [matches.position(match, seat)["legal_actions"][0]]).match
    version = match.version
    after = matches.lobby.change_seat(match, 0, None, None, keep_player=True, auto_pass=True)
    assert after.version == version + 1
    assert matches.position(after, None)["awaiting"] == [1]
    over = matches.lobby.change_seat(after, 1, None, None, keep_player=True, auto_pass=True)
    assert over.status == "over"
    moves = [move.by for entry in matches.store.events(match.id, version) for move in entry.moves]
    assert moves == ["auto", "auto"]
