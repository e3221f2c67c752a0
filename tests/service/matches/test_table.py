"""Creating, joining and playing matches, and each refusal."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.records import Record
from engines.records import replay as replayed
from service.matches import Match, Matches, Request, SeatRequest, SetClock, Store, errors, is_id
from service.matches.match import new_id
from tests.service.matches.conftest import GAMES, TAKE_IT_BACK, play_first, play_out, two_people

KEY = "0123456789abcdef"
NAN = float("nan")


def cards(matches: Matches, match: Match, seat: int) -> list[dict[str, Any]]:
    return matches.position(match, seat)["legal_actions"]


# Creating


def test_a_match_with_open_seats_waits_for_them(matches: Matches) -> None:
    created = matches.create("toy", {"bonus": True}, [SeatRequest("me", "Ada"), SeatRequest("open")])
    assert is_id(created.match.id)
    assert (created.match.status, created.match.version, created.seat) == ("open", 1, 0)
    assert matches.who(created.match, created.token) == 0
    assert matches.get(created.match.id) == created.match
    shown = matches.position(created.match, 0)
    assert (shown["view"], shown["legal_actions"], shown["awaiting"]) == (None, [], [])
    assert shown["options"] == {"bonus": True, "edition": "standard"}


def test_a_match_without_open_seats_starts_at_once(matches: Matches, asked: list[Any]) -> None:
    created = matches.create("toy", {}, [SeatRequest("ai", level=1), SeatRequest("me"), SeatRequest("ai", level=2)])
    assert (created.match.status, created.seat) == ("running", 1)
    assert asked == [(created.match.id, 1, 0), (created.match.id, 1, 2)]


def test_a_match_of_ais_only_has_no_seat_for_its_creator(matches: Matches) -> None:
    created = matches.create("toy", {}, [SeatRequest("ai", level=1)] * 2)
    assert (created.seat, created.token, created.match.status) == (None, None, "running")


def test_the_seed_is_promised_from_the_start_and_shown_at_the_end(matches: Matches) -> None:
    import hashlib

    match, _ = two_people(matches)
    promised = matches.position(match, None)["seed_hash"]
    assert "seed" not in matches.record(match, 0)
    over = play_out(matches, match.id)
    seed = bytes.fromhex(matches.record(over, None)["seed"])
    assert hashlib.sha256(seed).hexdigest() == promised


@pytest.mark.parametrize(
    ("game", "options", "seats", "times", "code", "extra"),
    [
        ("chess", {}, [SeatRequest("me")] * 2, {}, "unknown_game", {"games": ["toy", "window"]}),
        ("toy", {"colour": 1}, [SeatRequest("me"), SeatRequest("open")], {}, "bad_options", {"option": "colour"}),
        ("toy", {"bonus": 1}, [SeatRequest("me"), SeatRequest("open")], {}, "bad_options", {"option": "bonus"}),
        ("toy", {"edition": "x"}, [SeatRequest("me"), SeatRequest("open")], {}, "bad_options", {"option": "edition"}),
        ("toy", {}, [SeatRequest("me")], {}, "bad_seats", {}),
        ("toy", {}, [SeatRequest("me"), SeatRequest("me")], {}, "bad_seats", {}),
        ("toy", {}, [SeatRequest("me"), SeatRequest("dog")], {}, "bad_seats", {"seat": 1}),  # type: ignore[arg-type]
        ("toy", {}, [SeatRequest("me"), SeatRequest("open", level=3)], {}, "bad_seats", {"seat": 1}),
        ("toy", {}, [SeatRequest("me", "x" * 41), SeatRequest("open")], {}, "bad_seats", {}),
        ("toy", {}, [SeatRequest("me", "a\nb"), SeatRequest("open")], {}, "bad_seats", {}),
        ("toy", {}, [SeatRequest("me"), SeatRequest("ai", level=9)], {}, "unknown_level", {"levels": list(range(1, 9))}),
        ("toy", {}, [SeatRequest("me"), SeatRequest("ai")], {}, "unknown_level", {"levels": list(range(1, 9))}),
        ("toy", {}, [SeatRequest("open")] * 2, {"turn_seconds": 0}, "bad_options", {"option": "turn_seconds"}),
        ("toy", {}, [SeatRequest("open")] * 2, {"reaction_seconds": NAN}, "bad_options", {"option": "reaction_seconds"}),
        ("toy", {}, [SeatRequest("open")] * 2, {"on_timeout": "cry"}, "bad_options", {"option": "on_timeout"}),
        ("toy", {}, [SeatRequest("open")] * 2, {"seed": b"short"}, "bad_options", {"option": "seed"}),
    ],
)
def test_matches_that_cannot_be(
    matches: Matches, game: str, options: Any, seats: Sequence[SeatRequest], times: Any, code: str, extra: Any
) -> None:
    with pytest.raises(errors.MatchError) as refused:
        matches.create(game, options, seats, **times)
    assert (refused.value.code, refused.value.extra) == (code, extra)
    assert refused.value.detail


def test_creating_twice_with_one_request_creates_once(matches: Matches, asked: list[Any]) -> None:
    seats = [SeatRequest("me"), SeatRequest("ai", level=1)]
    first = matches.create("toy", {}, seats, request=Request.of(KEY, b"body"))
    again = matches.create("toy", {}, seats, request=Request.of(KEY, b"body"))
    assert (again.match, again.seat, again.token, again.repeated) == (first.match, 0, first.token, True)
    assert matches.who(first.match, first.token) == 0
    assert len(asked) == 1
    with pytest.raises(errors.RequestReused):
        matches.create("toy", {}, seats, request=Request.of(KEY, b"another body"))


def test_without_a_token_a_request_key_must_be_hard_to_guess(matches: Matches) -> None:
    for key in ("1", "x" * 15):
        with pytest.raises(errors.BadRequestKey):
            matches.create("toy", {}, [SeatRequest("open")] * 2, request=Request.of(key, b""))
    for key in ("", "x" * 201):
        with pytest.raises(errors.BadRequestKey):
            Request.of(key, b"")


# Joining


def test_the_last_open_seat_starts_the_match(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("open")] * 3).match
    second = matches.take_seat(match.id, "Bob", seat=1)
    assert (second.match.status, second.seat, second.match.seats[1].name) == ("open", 1, "Bob")
    first = matches.take_seat(match.id, "Ada")
    third = matches.take_seat(match.id)
    assert (first.seat, third.seat, third.match.status) == (0, 2, "running")
    assert [matches.who(third.match, one.token) for one in (first, second, third)] == [0, 1, 2]


def test_seats_that_cannot_be_taken(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open")]).match
    with pytest.raises(errors.SeatTaken) as taken:
        matches.take_seat(match.id, seat=0)
    assert taken.value.extra == {"open_seats": [1]}
    with pytest.raises(errors.BadSeats):
        matches.take_seat(match.id, seat=7)
    with pytest.raises(errors.BadSeats):
        matches.take_seat(match.id, "x" * 41)
    matches.take_seat(match.id)
    with pytest.raises(errors.NoOpenSeat):
        matches.take_seat(match.id)


def test_taking_a_seat_twice_with_one_request_takes_one(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("open")] * 2).match
    first = matches.take_seat(match.id, "Ada", request=Request.of(KEY, b"body"))
    again = matches.take_seat(match.id, "Ada", request=Request.of(KEY, b"body"))
    assert (again.seat, again.token, again.repeated) == (0, first.token, True)
    assert matches.get(match.id).open_seats() == [1]
    with pytest.raises(errors.RequestReused):
        matches.take_seat(match.id, "Ada", request=Request.of(KEY, b"another body"))


def test_many_taking_seats_at_once_get_one_each(matches: Matches) -> None:
    match = matches.create("toy", {}, [SeatRequest("open")] * 4).match
    got: list[int | None] = []

    def take() -> None:
        try:
            got.append(matches.take_seat(match.id).seat)
        except errors.NoOpenSeat:
            got.append(None)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got, key=str) == [0, 1, 2, 3, None, None]
    assert matches.get(match.id).status == "running"


# Tokens


def test_a_token_opens_its_seat_and_no_other(matches: Matches) -> None:
    match, tokens = two_people(matches)
    other, _ = two_people(matches)
    assert [matches.who(match, token) for token in tokens] == [0, 1]
    assert matches.who(match, None) is None
    for wrong in ("", "x", tokens[0] + "x", tokens[0][:-1], match.seats[0].token_hash or "", "é"):
        with pytest.raises(errors.BadToken):
            matches.who(match, wrong)
    with pytest.raises(errors.BadToken):
        matches.who(other, tokens[0])


def test_tokens_are_stored_hashed_only(matches: Matches, redis: Any) -> None:
    seats = [SeatRequest("me"), SeatRequest("open")]
    created = matches.create("toy", {}, seats, request=Request.of(KEY, b""))
    taken = matches.take_seat(created.match.id, request=Request.of(KEY, b""))
    stored = b""
    for name in redis.scan_iter():
        stored += name + (redis.dump(name) or b"")
    for secret in (created.token, taken.token, KEY):
        assert secret is not None
        assert secret.encode() not in stored


# Playing


def test_a_match_from_beginning_to_end(matches: Matches) -> None:
    match, _ = two_people(matches)
    over = play_out(matches, match.id)
    shown = matches.position(over, 0)
    assert (shown["status"], shown["awaiting"], shown["legal_actions"]) == ("over", [], [])
    assert shown["outcome"]["reason"] == "most_points"
    assert over.version == 2 + 6
    ended = matches.events(over.id, None, over.version - 1)[0]["events"][-1]
    assert ended == {"type": "match.ended", "outcome": shown["outcome"]}


def test_the_record_replays_to_the_same_end(matches: Matches) -> None:
    match, _ = two_people(matches)
    play_first(matches, match.id, 0)
    matches.play(match.id, 0, [TAKE_IT_BACK])
    over = play_out(matches, match.id)
    record = matches.record(over, None)
    states = list(replayed(Record.from_json(record), GAMES))
    assert GAMES["toy"].dump(states[-1]) == over.state
    assert len(states) - 1 == over.played == len(record["actions"])
    assert [move["number"] for move in record["actions"]] == list(range(1, over.played + 1))
    assert record["outcome"] == matches.position(over, None)["outcome"]


def test_an_action_that_nobody_is_told_of_is_played_all_the_same(store: Store, matches: Matches, clock: SetClock) -> None:
    """Some choices are secret altogether: not even that one was made is told."""
    quiet = replace(GAMES["toy"], name="quiet", _events=lambda edition, state: [])
    table = Matches(store, {"quiet": quiet}, matches.settings, clock)
    match, _ = two_people(table, "quiet")
    played = play_first(table, match.id, 0)
    assert (played.version, played.played) == (match.version + 1, 1)
    assert table.get(match.id) == played


def test_each_refusal_in_the_fixed_order(matches: Matches) -> None:
    """Every request below is also wrong in all the later respects."""
    nonsense = [{"type": "nonsense"}, {"type": "choose", "card": 1}]
    waiting = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open")]).match
    match, _ = two_people(matches)
    with pytest.raises(errors.MatchNotFound):
        matches.play(new_id(), None, nonsense, version=0)
    with pytest.raises(errors.SeatTokenNeeded):
        matches.play(waiting.id, None, nonsense, version=0)
    with pytest.raises(errors.MatchNotRunning) as open_still:
        matches.play(waiting.id, 0, nonsense, version=0)
    assert open_still.value.extra == {"status": "open"}
    mine = cards(matches, match, 0)
    with pytest.raises(errors.StaleVersion) as stale:
        matches.play(match.id, 0, nonsense, version=1)
    assert stale.value.extra == {"version": 2}
    with pytest.raises(errors.UnreadableAction) as unreadable:
        matches.play(match.id, 0, nonsense, version=2)
    assert unreadable.value.extra == {"index": 0}
    missing = next(card for card in range(1, 13) if {"type": "choose", "card": card} not in mine)
    with pytest.raises(errors.IllegalAction) as illegal:
        matches.play(match.id, 0, [{"type": "choose", "card": missing}], version=2)
    assert illegal.value.extra == {"index": 0, "legal_actions": mine}
    over = play_out(matches, match.id)
    with pytest.raises(errors.MatchNotRunning) as done:
        matches.play(match.id, 0, nonsense, version=0)
    assert done.value.extra == {"status": "over"}
    assert matches.get(match.id) == over


def test_a_seat_with_nothing_to_decide(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the toy every seat can always do something, so the game is one in which nobody can take back."""
    game = GAMES["toy"]

    def legal(state: Any, seat: int, out: Any) -> int:
        return 0 if state.players[seat].chosen >= 0 else int(game.kernels.legal(state, seat, out))

    matches.games = {"toy": replace(game, kernels=replace(game.kernels, legal=legal))}
    match, _ = two_people(matches)
    play_first(matches, match.id, 0)
    with pytest.raises(errors.NotYourDecision) as refused:
        matches.play(match.id, 0, [{"type": "nonsense"}], version=0)
    assert refused.value.extra == {"awaiting": [1]}


@pytest.mark.parametrize("actions", [[], [TAKE_IT_BACK] * 65, ["choose"], [None], [1], [[]]])
def test_unreadable_sequences(matches: Matches, running: Match, actions: list[Any]) -> None:
    with pytest.raises(errors.UnreadableAction):
        matches.play(running.id, 0, actions)


@pytest.mark.parametrize("match_id", ["", "x", "../../etc/passwd", "a" * 14 + "\n", "{b00}:due", "0" * 14, "A" * 14])
def test_ids_that_are_none(matches: Matches, match_id: str) -> None:
    for call in (matches.get, matches.take_seat, lambda one: matches.events(one, None), lambda one: matches.wait(one, 1, 1)):
        with pytest.raises(errors.MatchNotFound):
            call(match_id)


def test_one_request_plays_once(matches: Matches, running: Match) -> None:
    action = cards(matches, running, 0)[0]
    first = matches.play(running.id, 0, [action], version=2, request=Request.of("1", b"body"))
    play_first(matches, running.id, 1)
    again = matches.play(running.id, 0, [action], version=2, request=Request.of("1", b"body"))
    assert (again.repeated, again.version, again.answer) == (True, 3, first.answer)
    with pytest.raises(errors.RequestReused):
        matches.play(running.id, 0, [action], version=2, request=Request.of("1", b"another body"))
    assert matches.get(running.id).version == 4


def test_an_older_request_is_answered_with_the_present_position(matches: Matches, running: Match) -> None:
    requests = [Request.of(key, b"") for key in ("1", "2")]
    action = cards(matches, running, 0)[0]
    matches.play(running.id, 0, [action], request=requests[0])
    matches.play(running.id, 0, [TAKE_IT_BACK], request=requests[1])
    again = matches.play(running.id, 0, [action], request=requests[0])
    assert (again.repeated, again.version) == (True, 3)
    assert again.answer == matches.position(matches.get(running.id), 0)


def test_two_seats_may_use_the_same_key(matches: Matches, running: Match) -> None:
    for seat in (0, 1):
        played = matches.play(running.id, seat, cards(matches, running, seat)[:1], request=Request.of("1", b""))
        assert not played.repeated
    assert matches.get(running.id).version == 4


def test_a_refused_request_may_be_sent_again(matches: Matches, running: Match) -> None:
    with pytest.raises(errors.StaleVersion):
        matches.play(running.id, 0, cards(matches, running, 0)[:1], version=1, request=Request.of("1", b""))
    assert not matches.play(running.id, 0, cards(matches, running, 0)[:1], version=2, request=Request.of("1", b"")).repeated


# Versions


def test_choosing_at_the_same_time_makes_nobody_stale(matches: Matches) -> None:
    created = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open"), SeatRequest("open")])
    matches.take_seat(created.match.id)
    match = matches.take_seat(created.match.id).match
    for seat in (2, 0, 1):
        matches.play(match.id, seat, cards(matches, match, seat)[:1], version=match.version)
    assert matches.get(match.id).version == match.version + 3


def test_choosing_at_the_very_same_time(matches: Matches) -> None:
    """All seats commit from several threads at once, with the same version, round after round; none is refused."""
    created = matches.create("toy", {}, [SeatRequest("me")] + [SeatRequest("open")] * 3)
    for _ in range(3):
        match = matches.take_seat(created.match.id).match
    wrong: list[Exception] = []

    def choose(seat: int, based_on: Match) -> None:
        try:
            matches.play(match.id, seat, cards(matches, based_on, seat)[:1], version=based_on.version)
        except Exception as error:
            wrong.append(error)

    for turn in range(3):
        now = matches.get(match.id)
        threads = [threading.Thread(target=choose, args=(seat, now)) for seat in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert matches.get(match.id).version == match.version + 4 * (turn + 1)
    assert matches.get(match.id).status == "over"


def test_ones_own_action_makes_older_versions_stale(matches: Matches, running: Match) -> None:
    play_first(matches, running.id, 0)
    with pytest.raises(errors.StaleVersion):
        matches.play(running.id, 0, [TAKE_IT_BACK], version=2)
    matches.play(running.id, 0, [TAKE_IT_BACK], version=3)


def test_a_decision_that_begins_anew_makes_older_versions_stale(matches: Matches, running: Match) -> None:
    play_first(matches, running.id, 0)
    after = play_first(matches, running.id, 1)
    with pytest.raises(errors.StaleVersion):
        matches.play(running.id, 0, cards(matches, after, 0)[:1], version=3)
    matches.play(running.id, 0, cards(matches, after, 0)[:1], version=4)


def test_without_a_version_one_plays_for_the_decision_there_was(matches: Matches, running: Match) -> None:
    """Between loading and committing the decision is made by another request of the same seat: then this one is refused."""
    commit = matches.store.commit
    actions = cards(matches, running, 0)

    def second_comes_first(*arguments: Any) -> Any:
        matches.store.commit = commit  # type: ignore[method-assign]
        matches.play(running.id, 0, [actions[1]])
        return commit(*arguments)

    matches.store.commit = second_comes_first  # type: ignore[assignment]
    with pytest.raises(errors.StaleVersion):
        matches.play(running.id, 0, [actions[0]])
    assert matches.get(running.id).version == 3


# Keeping


def test_a_match_is_kept_for_a_time_that_its_answers_tell(matches: Matches, redis: Any, clock: SetClock) -> None:
    created = matches.create("toy", {}, [SeatRequest("me"), SeatRequest("open")])
    (name,) = redis.scan_iter(f"*match:{created.match.id}")
    assert redis.ttl(name) == matches.settings.open_expiry_s
    begun = matches.take_seat(created.match.id).match
    assert redis.ttl(name) == matches.settings.idle_expiry_s
    assert matches.store.expires(begun) == clock.now() + matches.settings.idle_expiry_s * 1000
    assert matches.position(begun, None)["expires"] == "2027-01-29T08:00:00.000Z"


def test_a_match_of_another_release_is_refused_and_not_misread(matches: Matches, running: Match) -> None:
    game = GAMES["toy"]
    wider = replace(game, dtype=GAMES["toy"].dtype.newbyteorder())
    matches.games = {"toy": wider}
    for call in (lambda: matches.position(running, 0), lambda: matches.play(running.id, 0, [TAKE_IT_BACK])):
        with pytest.raises(errors.MatchOutdated):
            call()
