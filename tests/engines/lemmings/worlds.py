"""All worlds of small positions of Lemmings, by plain enumeration of physical cards, for the conformance suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from engines.game import copy
from engines.kernel import State
from engines.lemmings.rules import holds
from engines.lemmings.state import AWAITED, CARRYING, KIND_OF, LEMMINGS, NO_WAY, NOT_ASKED, OVER, SAID_NO_WAY, SAID_PASS
from tests.engines.lemmings.positions import BACK, BLUE, CHAOS, JUMP, RED, WHITE, YELLOW, act, passed, position

Hands = tuple[tuple[int, ...], ...]
Cards = Counter[tuple[Hands, tuple[int, ...]]]


def census(state: State) -> tuple[int, ...]:
    """Every card that is anywhere, sorted."""
    cards = [*state.deck[: state.deck_n], *state.discards[: state.discards_n]]
    for seat in range(int(state.seats)):
        cards += [*state.players[seat].hand[: state.players[seat].hand_n]]
    if state.effect >= 0:
        cards += [KIND_OF[state.effect], *[NO_WAY] * int(state.no_ways), *state.shown[: state.shown_n]]
    return tuple(sorted(int(kind) for kind in cards))


def world_key(state: State) -> tuple[object, ...]:
    """All that is hidden from anybody: roles, hands, the pile, answers."""
    players = [state.players[seat] for seat in range(int(state.seats))]
    return (
        *((int(p.role), int(p.answer), *(int(kind) for kind in p.hand[: p.hand_n])) for p in players),
        tuple(int(kind) for kind in state.deck[: state.deck_n]),
    )


def small_positions() -> list[tuple[State, int, list[tuple[State, float]]]]:
    return [_fresh(), _answered(), _after_a_reshuffle(), _chaos_reshuffles(), _kept_by_two()]


# --- the enumeration --------------------------------------------------------------------------------------------------

#: What happened since the pile was made: ("draw", seat, kind or None), ("show", kind), ("play", seat, kind).
Script = Sequence[tuple]


def enumerate_cards(viewer: int, kept: Sequence[Sequence[int]], pile: Sequence[int], script: Script) -> Cards:
    """Count the dealings of physical cards, and of which of equal cards was played, that fit what the viewer saw.

    Args:
        kept: the hands when the pile was made; the viewer knows its own, and what all others held together.
        pile: what the pile was made of.
    """
    found: Cards = Counter()
    others = [seat for seat in range(len(kept)) if seat != viewer]
    pool = [(kind, "kept", i) for i, kind in enumerate(kind for seat in others for kind in kept[seat])]
    for old in permutations(pool):
        rest, hands = list(old), {viewer: [(kind, "own", i) for i, kind in enumerate(kept[viewer])]}
        for seat in others:
            hands[seat], rest = rest[: len(kept[seat])], rest[len(kept[seat]) :]
        for new in permutations([(kind, "pile", i) for i, kind in enumerate(pile)]):
            for end, left in _run(viewer, hands, list(new), list(script)):
                sorted_hands = tuple(tuple(sorted(k for k, *_ in end[seat])) for seat in range(len(kept)))
                found[sorted_hands, tuple(k for k, *_ in left)] += 1
    return found


def _run(viewer: int, hands: dict, deck: list, script: list) -> Iterator[tuple[dict, list]]:
    """Yield every end of the script; the top of the deck is its last card."""
    if not script:
        yield hands, deck
        return
    what, *rest = script[0]
    if what in ("draw", "show"):
        top, kind = deck[-1], rest[-1]
        if kind is None or top[0] == kind:
            after = {**hands, rest[0]: [*hands[rest[0]], top]} if what == "draw" else hands
            yield from _run(viewer, after, deck[:-1], script[1:])
        return
    seat, kind = rest
    for chosen in hands[seat]:
        if chosen[0] == kind:
            after = {**hands, seat: [other for other in hands[seat] if other != chosen]}
            yield from _run(viewer, after, deck, script[1:])


def worlds_of(state: State, viewer: int, cards: Cards) -> list[tuple[State, float]]:
    """Every world: the cards, the others' roles, and each answer that a hand allows, equally likely."""
    worlds = []
    others = [seat for seat in range(int(state.seats)) if seat != viewer]
    free = [role for role in range(LEMMINGS) if role != state.players[viewer].role]
    hidden = [seat for seat in others if state.players[seat].answer not in (NOT_ASKED, AWAITED)]
    for (hands, deck), weight in cards.items():
        for roles in permutations(free, len(others)):
            world = copy(state)
            for seat, role in zip(others, roles, strict=True):
                world.players[seat].role = role
                assert world.players[seat].hand_n == len(hands[seat])
                world.players[seat].hand[: len(hands[seat])] = hands[seat]
            assert world.deck_n == len(deck)
            world.deck[: len(deck)] = deck
            worlds += _answers(world, hidden, float(weight))
    return worlds


def _answers(world: State, hidden: list[int], weight: float) -> list[tuple[State, float]]:
    if not hidden:
        return [(world, weight)]
    seat, *rest = hidden
    said = [SAID_PASS, SAID_NO_WAY] if holds(world.players[seat], NO_WAY) else [SAID_PASS]
    found = []
    for answer in said:
        other = copy(world)
        other.players[seat].answer = answer
        found += _answers(other, rest, weight / len(said))
    return found


# --- the positions ----------------------------------------------------------------------------------------------------


def _fresh() -> tuple[State, int, list[tuple[State, float]]]:
    """Two seats, nothing played: any unseen card may be anywhere, equal ones count as often as they are."""
    state = position(2, hands=[[RED, BACK], [RED, JUMP]], deck=[BLUE, RED, BLUE])
    cards = enumerate_cards(0, [[RED, BACK], [RED, JUMP]], [BLUE, RED, BLUE], [])
    # Nothing is known of hand and pile apart: pool them.
    cards = enumerate_cards(0, [[RED, BACK], []], [RED, JUMP, BLUE, RED, BLUE], [("draw", 1, None)] * 2)
    assert state.phase != OVER
    return state, 0, worlds_of(state, 0, cards)


def _answered() -> tuple[State, int, list[tuple[State, float]]]:
    """Three seats, seat 1 has answered seat 0's card; seat 2 has not and holds a No way!."""
    state = position(3, hands=[[BLUE, RED], [NO_WAY], [NO_WAY]], deck=[JUMP])
    state = act(state, 0, "play", BLUE)
    state = act(state, 1, "no_way")
    pile = [BLUE, RED, NO_WAY, JUMP]
    script = [("draw", 0, None), ("draw", 0, None), ("draw", 1, None), ("play", 0, BLUE)]
    return state, 2, worlds_of(state, 2, enumerate_cards(2, [[], [], [NO_WAY]], pile, script))


def _after_a_reshuffle() -> tuple[State, int, list[tuple[State, float]]]:
    """Two seats; seat 1 played a red card, which it had kept or drawn off the new pile, which has two more."""
    hands, discards = [[JUMP], [RED, BACK]], [RED, BLUE, RED, WHITE]
    state = position(2, hands=hands, deck=[], discards=discards, turn=0)
    state = act(state, 0, "stop")
    drawn = [int(kind) for kind in state.players[1].hand[: state.players[1].hand_n]]
    assert len(drawn) == 3
    assert state.players[1].kept_n == 2
    state = passed(act(state, 1, "play", RED))
    state = act(state, 1, "stop")
    own = _own_draw(state, 0, [JUMP])
    script = [("draw", 1, None), ("play", 1, RED), ("draw", 0, own)]
    return state, 0, worlds_of(state, 0, enumerate_cards(0, hands, discards, script))


def _own_draw(state: State, seat: int, before: list[int]) -> int:
    """The one card that a hand has beyond those before."""
    hand = Counter(int(kind) for kind in state.players[seat].hand[: state.players[seat].hand_n])
    (kind,) = (hand - Counter(before)).elements()
    return kind


def _chaos_reshuffles() -> tuple[State, int, list[tuple[State, float]]]:
    """Seat 1 plays Chaos with one card in the pile; the second comes off a new one, made without the cards on the table."""
    hands = [[WHITE], [CHAOS, WHITE]]
    discards = [BLUE, YELLOW, RED, RED]
    state = position(2, hands=hands, deck=[BACK], discards=discards, turn=1, lands=[[], [BLUE, RED]])
    state = act(act(state, 1, "play", CHAOS), 0, "pass")
    assert state.phase == CARRYING
    assert state.shown_n == 2
    script = [("show", int(state.shown[1]))]
    return state, 0, worlds_of(state, 0, enumerate_cards(0, [[WHITE], [WHITE]], discards, script))


def _kept_by_two() -> tuple[State, int, list[tuple[State, float]]]:
    """Three seats; both others kept cards and play two kinds of which there were kept and piled ones."""
    hands, discards = [[JUMP], [RED, BACK], [BLUE]], [RED, BLUE, RED, WHITE, BACK]
    state = position(3, hands=hands, deck=[], discards=discards, turn=0)
    state = act(state, 0, "stop")
    state = act(passed(act(state, 1, "play", RED)), 1, "stop")
    script: list[tuple] = [("draw", 1, None), ("play", 1, RED), ("draw", 2, None), ("play", 2, BLUE)]
    state = passed(act(state, 2, "play", BLUE))
    if state.turn == 2:
        state = act(state, 2, "stop")
    script.append(("draw", 0, _own_draw(state, 0, [JUMP])))
    return state, 0, worlds_of(state, 0, enumerate_cards(0, hands, discards, script))
