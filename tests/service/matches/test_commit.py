"""The commit script against a plain dict: whatever is committed, in whatever order, both agree on what is stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, precondition, rule
from redis import Redis

from service.matches import Entry, Match, Store
from service.matches.errors import MatchNotFound, RequestReused
from service.matches.events import Move, to_all
from service.matches.match import Seat, Turn, bucket, new_id
from service.matches.requests import Request
from service.matches.store import Ask, Grant, Stale, due_key


def first_version(match_id: str) -> Match:
    return Match(
        id=match_id,
        game="toy",
        edition="standard",
        edition_digest="d" * 64,
        layout="l" * 16,
        options={"edition": "standard"},
        seed=bytes(range(32)),
        seed_hash="h" * 64,
        turn_seconds=None,
        on_timeout="ai",
        reaction_seconds=8.0,
        created=1000,
        version=1,
        status="running",
        seats=(Seat("me", "Ada", token_hash="t"), Seat("ai", "AI 3", 3)),
        turns=(Turn(1, 1000), Turn(1, 1000, None, 3000)),
        played=0,
        changed=1000,
        state=b"\x00\xff state",
    )


def after(match: Match, tag: int, due: tuple[int | None, int | None]) -> Match:
    """Return a next version that differs from every other by its tag."""
    turns = tuple(Turn(match.version + 1, tag, None, moment) for moment in due)
    return replace(match, version=match.version + 1, turns=turns, played=tag, changed=tag, state=b"%d" % tag)


def entry_of(match: Match) -> Entry:
    move = Move(match.played, 0, 5, {"type": "choose", "card": 6}, "ai", {"level": 3, "seed": 2**52})
    return Entry(match.version, match.changed, [to_all("tagged", tag=match.played)], [move])


moments = st.one_of(st.none(), st.integers(1, 2**41))
keys = st.sampled_from(["one", "two", "three"])
digests = st.sampled_from(["body", "another body"])
scopes = st.sampled_from(["seat:0", "seat:1"])


class CommitMachine(RuleBasedStateMachine):
    """Commits at the right and at wrong versions, with requests new, repeated and reused, onto matches there and gone."""

    redis: Redis

    ids = Bundle("ids")

    @initialize()
    def begin(self) -> None:
        self.redis.flushall()
        self.store = Store(self.redis)
        self.model: dict[str, list[tuple[Match, Entry]]] = {}
        self.granted: dict[tuple[str, str, str], tuple[str, Grant]] = {}
        self.latest: dict[tuple[str, str], str] = {}
        self.tag = 0

    @rule(target=ids)
    def create(self) -> str:
        match = first_version(new_id())
        assert self.store.commit(match, entry_of(match)) is None
        self.model[match.id] = [(match, entry_of(match))]
        return match.id

    def next_version(self, match_id: str, back: int, due: tuple[int | None, int | None]) -> Match:
        self.tag += 1
        versions = self.model[match_id]
        based_on = versions[max(len(versions) - 1 - back, 0)][0]
        return after(based_on, self.tag, due)

    @rule(match_id=ids, due=st.tuples(moments, moments))
    def commit(self, match_id: str, due: tuple[int | None, int | None]) -> None:
        match = self.next_version(match_id, 0, due)
        assert self.store.commit(match, entry_of(match)) is None
        self.model[match_id].append((match, entry_of(match)))

    @precondition(lambda self: any(len(versions) > 1 for versions in self.model.values()))
    @rule(match_id=ids, back=st.integers(1, 3), due=st.tuples(moments, moments))
    def commit_stale(self, match_id: str, back: int, due: tuple[int | None, int | None]) -> None:
        versions = self.model[match_id]
        if len(versions) <= back:
            return
        match = self.next_version(match_id, back, due)
        with pytest.raises(Stale) as refused:
            self.store.commit(match, entry_of(match))
        assert refused.value.version == len(versions)

    @rule(match_id=ids)
    def create_again(self, match_id: str) -> None:
        match = first_version(match_id)
        with pytest.raises(Stale):
            self.store.commit(match, entry_of(match))

    @rule(match_id=ids, key=keys, digest=digests, scope=scopes, back=st.integers(0, 1), answered=st.booleans())
    def commit_request(self, match_id: str, key: str, digest: str, scope: str, back: int, answered: bool) -> None:
        match = self.next_version(match_id, back, (None, 5))
        right = match.version == len(self.model[match_id]) + 1
        grant = Grant(match.version, int(scope[-1]), {"tag": self.tag} if answered else None)
        ask = Ask(Request(key, digest), scope, grant)
        before = self.granted.get((match_id, scope, key))
        if before is not None and before[0] != digest:
            with pytest.raises(RequestReused):
                self.store.commit(match, entry_of(match), ask)
        elif before is not None:
            assert self.store.commit(match, entry_of(match), ask) == self.remembered(match_id, scope, key)
        elif not right:
            with pytest.raises(Stale):
                self.store.commit(match, entry_of(match), ask)
        else:
            assert self.store.commit(match, entry_of(match), ask) is None
            self.model[match_id].append((match, entry_of(match)))
            self.granted[match_id, scope, key] = (digest, grant)
            if answered:
                self.latest[match_id, scope] = key

    def remembered(self, match_id: str, scope: str, key: str) -> Grant:
        grant = self.granted[match_id, scope, key][1]
        return grant if self.latest.get((match_id, scope)) == key else replace(grant, answer=None)

    @rule(match_id=ids, key=keys, digest=digests, scope=scopes)
    def load_with_request(self, match_id: str, key: str, digest: str, scope: str) -> None:
        before = self.granted.get((match_id, scope, key))
        if before is not None and before[0] != digest:
            with pytest.raises(RequestReused):
                self.store.load(match_id, Request(key, digest), scope)
            return
        expected = None if before is None else self.remembered(match_id, scope, key)
        assert self.store.load(match_id, Request(key, digest), scope) == (self.model[match_id][-1][0], expected)

    @rule(match_id=consumes(ids))
    def expire(self, match_id: str) -> None:
        for name in self.redis.scan_iter(f"*match:{match_id}*"):
            self.redis.delete(name)
        match = self.next_version(match_id, 0, (None, None))
        with pytest.raises(MatchNotFound):
            self.store.commit(match, entry_of(match))
        with pytest.raises(MatchNotFound):
            self.store.load(match_id)
        assert self.store.events(match_id, 0) == []
        del self.model[match_id]
        for seat in range(2):
            self.redis.zrem(due_key(bucket(match_id)), f"{match_id}:{seat}")

    @invariant()
    def all_agree(self) -> None:
        due = set()
        for match_id, versions in getattr(self, "model", {}).items():
            assert self.store.load(match_id)[0] == versions[-1][0]
            assert self.store.events(match_id, 0) == [entry for _, entry in versions]
            due |= {(match_id, n, turn.due) for n, turn in enumerate(versions[-1][0].turns) if turn.due is not None}
            assert all(self.redis.ttl(name) > 0 for name in self.redis.scan_iter(f"*match:{match_id}*"))
        if hasattr(self, "store"):
            assert {(one.match_id, one.seat, one.moment) for one in self.store.due(2**50)} == due


@pytest.fixture
def machine(redis: Redis) -> type[CommitMachine]:
    CommitMachine.redis = redis
    return CommitMachine


def test_commits_agree_with_a_dict(machine: type[CommitMachine]) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    quiet = settings(max_examples=30, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(machine, settings=quiet)


def test_what_never_changes_is_written_once(store: Store, redis: Redis) -> None:
    match = first_version(new_id())
    store.commit(match, entry_of(match))
    later = replace(after(match, 7, (None, None)), seed=bytes(32), game="another")
    store.commit(later, entry_of(later))
    kept = store.load(match.id)[0]
    assert (kept.seed, kept.game, kept.played) == (match.seed, "toy", 7)


def test_news_of_every_commit(store: Store, redis: Redis) -> None:
    match = first_version(new_id())
    with redis.pubsub(ignore_subscribe_messages=True) as news:
        news.subscribe("clifftop:news")
        store.commit(match, entry_of(match))
        heard = None
        while heard is None:
            heard = news.get_message(timeout=5)
    assert heard["data"] == f"{match.id} 1".encode()
