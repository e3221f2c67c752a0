"""What a seat of Lemmings cannot know stays hidden: nothing tells who holds a No way!; and what it can infer is kept."""

from __future__ import annotations

import random
from collections import Counter

from engines.game import copy
from engines.kernel import State
from engines.lemmings import GAME
from engines.lemmings.rules import add_card
from engines.lemmings.state import AWAITED, NO_WAY, NOT_ASKED, OVER, SAID_NO_WAY, WINDOW
from tests.engines.lemmings.positions import BACK, BLUE, JUMP, RED, WHITE, act, passed, position

WATCHER = 0


# --- non-interference -------------------------------------------------------------------------------------------------


def hand(state: State, seat: int) -> list[int]:
    return [int(kind) for kind in state.players[seat].hand[: state.players[seat].hand_n]]


def set_hand(state: State, seat: int, kinds: list[int]) -> None:
    state.players[seat].hand[:] = 0
    state.players[seat].hand_n = 0
    for kind in kinds:
        add_card(state.players[seat], kind)


def with_the_card(state: State, holder: int) -> State | None:
    """The same to all others: the holder's lowest card is swapped against the deepest No way! of the pile, if there is one."""
    deck = [int(kind) for kind in state.deck[: state.deck_n]]
    if NO_WAY not in deck or not state.players[holder].hand_n:
        return None
    other = copy(state)
    given, *kept = hand(state, holder)
    set_hand(other, holder, [*kept, NO_WAY])
    other.deck[deck.index(NO_WAY)] = given
    return other


def with_another_holder(state: State, holder: int, taker: int) -> State:
    """The same to all but two: the holder has swapped its No way! against a card of the taker's."""
    other = copy(state)
    mine, theirs = hand(other, holder), hand(other, taker)
    mine.remove(NO_WAY)
    swapped = theirs.pop(0)
    set_hand(other, holder, [*mine, swapped])
    set_hand(other, taker, [*theirs, NO_WAY])
    return other


def shown_to_the_watcher(state: State) -> tuple:
    """All that reaches the watcher or anyone outside, in any way."""
    return (
        GAME.view(state, WATCHER),
        GAME.view(state, None),
        [(told.seats >> WATCHER & 1, told.event) for told in GAME.events(state) if told.to(WATCHER)],
        [told.event for told in GAME.events(state) if told.to(None)],
        int(state.seen[WATCHER]),
        GAME.awaiting(state),
        GAME.legal(state, WATCHER),
        [GAME.silence(state, seat) for seat in range(int(state.seats))],
        int(state.reveals),
        GAME.dump(GAME.redact(state, WATCHER)),
    )


def said_no_way(state: State) -> bool:
    return any(int(state.players[seat].answer) == SAID_NO_WAY for seat in range(int(state.seats)))


def choose_pair(pair: list[State], seat: int, rng: random.Random) -> list[int] | None:
    """One action for each world, the same to the watcher; None if the hands leave nothing alike to do.

    A No way! that another seat's beats is said in one world and passed in the other.
    """
    legal = [GAME.legal(world, seat) for world in pair]
    if seat == WATCHER:
        assert legal[0] == legal[1]
    elif pair[0].phase == WINDOW and all(said_no_way(world) for world in pair):
        return [rng.choice(actions) for actions in legal]
    both = [action for action in legal[0] if action in legal[1]]
    return [rng.choice(both)] * 2 if both else None


def play_pair(pair: list[State], rng: random.Random) -> tuple[int, int, str]:
    """Play both worlds on, alike as far as the watcher can see; return how many states and windows, and what ended it."""
    states = windows = 0
    while True:
        awaited = GAME.awaiting(pair[0])
        assert awaited == GAME.awaiting(pair[1])
        # Let the seats answer in clockwise order, so that any No way! after the first is beaten.
        on, seats = int(pair[0].window_on), int(pair[0].seats)
        seat = min(awaited, key=lambda s: (s - on) % seats) if pair[0].phase == WINDOW else awaited[0]
        actions = choose_pair(pair, seat, rng)
        if actions is None:
            return states, windows, "hands"
        windows += pair[0].phase == WINDOW
        pair[:] = [GAME.play(world, seat, action) for world, action in zip(pair, actions, strict=True)]
        if pair[0].phase == pair[1].phase == OVER:
            return states, windows, "over"
        if pair[0].seen[WATCHER] != pair[1].seen[WATCHER]:
            # Nothing but the swapped card itself may part them: drawn by the watcher, or shown by Chaos.
            told = [[t.event for t in GAME.events(world) if t.to(WATCHER)] for world in pair]
            first = next(a for a, b in zip(*told, strict=False) if a != b)
            assert first["type"] in ("drew", "shown")
            return states, windows, "card"
        assert shown_to_the_watcher(pair[0]) == shown_to_the_watcher(pair[1])
        states += 1


def some_position(rng: random.Random) -> State:
    state = GAME.new(rng.randrange(3, 7), {}, rng.randbytes(32))
    for _ in range(rng.randrange(30)):
        seat = rng.choice(GAME.awaiting(state))
        after = GAME.play(state, seat, rng.choice(GAME.legal(state, seat)))
        if after.phase == OVER:
            break
        state = after
    return state


def test_nothing_tells_who_holds_a_no_way():
    rng = random.Random(5)
    ends: Counter[str] = Counter()
    states = windows = 0
    for number in range(30):
        first = some_position(rng)
        able = [seat for seat in range(1, int(first.seats)) if first.players[seat].answer in (NOT_ASKED, AWAITED)]
        holder, taker, *_ = [*rng.sample(able, len(able)), WATCHER, WATCHER]
        second = with_the_card(first, holder)
        if second is not None and number % 2 and taker != WATCHER and first.players[taker].hand_n:
            first = with_another_holder(second, holder, taker)
        if second is None:
            continue
        assert GAME.dump(GAME.redact(first, WATCHER)) == GAME.dump(GAME.redact(second, WATCHER))
        assert GAME.view(first, WATCHER) == GAME.view(second, WATCHER)
        played, asked, end = play_pair([first, second], rng)
        states, windows, ends[end] = states + played, windows + asked, ends[end] + 1
    assert states > 1500
    assert windows > 700
    assert ends["over"] > 8


def test_only_the_holders_own_actions_differ():
    state = act(position(4, hands=[[RED, BACK], [NO_WAY, BACK], [BLUE, BACK], [BACK]]), 0, "play", RED)
    other = with_another_holder(state, 1, 2)
    assert shown_to_the_watcher(state) == shown_to_the_watcher(other)
    assert [len(GAME.legal(world, 1)) for world in (state, other)] == [2, 1]
    assert [len(GAME.legal(world, 2)) for world in (state, other)] == [1, 2]


# --- imagined worlds --------------------------------------------------------------------------------------------------


def worlds(state: State, seat: int, number: int) -> list[State]:
    known = GAME.redact(state, seat)
    return [GAME.imagine(known, seat, seed) for seed in range(number)]


def test_ones_own_unrevealed_answer_is_kept():
    state = act(position(3, hands=[[RED, BACK], [NO_WAY, BACK], [NO_WAY, BACK]]), 0, "play", RED)
    state = act(state, 1, "no_way")
    for world in worlds(state, 1, 20):
        assert GAME.view(world, 1)["window"]["your_answer"] == "no_way"
        after = act(world, 2, "pass")
        assert GAME.view(after, 0)["table"]["no_ways"] == [1]


def test_a_hidden_no_way_is_no_more_likely_for_having_been_asked():
    """Two No way!s among eight unseen cards, five of them in the two other hands: each holds one as often as chance has it."""
    hands = [[RED, BACK], [NO_WAY, BACK, JUMP], [NO_WAY, BACK]]
    state = position(3, hands=hands, deck=[WHITE, BLUE, WHITE])
    state = act(state, 0, "play", RED)
    state = act(state, 1, "no_way")
    held = Counter(NO_WAY in hand(world, 1) for world in worlds(state, 0, 3000))
    # 1 - C(6,3) / C(8,3) = 0.643
    assert abs(held[True] / 3000 - 36 / 56) < 0.03


def test_after_a_reshuffle_the_hands_are_known_between_them():
    """The pile is made of the discards; what was in neither, the others hold: here one card each of two kinds."""
    state = position(3, hands=[[JUMP], [RED, BACK], [BLUE, WHITE]], deck=[], discards=[NO_WAY, NO_WAY, NO_WAY, JUMP])
    state = act(state, 0, "stop")
    for world in worlds(state, 0, 60):
        both = Counter(hand(world, 1) + hand(world, 2))
        assert both - Counter([NO_WAY, JUMP]) == Counter([RED, BACK, BLUE, WHITE])
        assert len(hand(world, 1)) == 3
        assert world.players[1].kept_n == 2
        assert not Counter(world.players[2].kept[:2].tolist()) - Counter([RED, BACK, BLUE, WHITE])


def test_worlds_whose_past_fits_nothing_are_still_playable():
    """A state whose history was tampered with gives worlds with the right number of cards in every place."""
    state = position(2, hands=[[JUMP], [RED, BACK]], deck=[], discards=[BLUE, BLUE, WHITE])
    state = act(state, 0, "stop")
    state = passed(act(state, 1, "play", RED)) if RED in hand(state, 1) else state
    state.discards_from[:1] = 8 + 7
    state.discards[0] = BLUE
    for world in worlds(state, 0, 3):
        assert world.players[1].hand_n == state.players[1].hand_n
        assert world.deck_n == state.deck_n


def test_roles_are_even():
    state = position(3, hands=[[RED], [BACK], [BACK]])
    pairs = Counter((int(w.players[1].role), int(w.players[2].role)) for w in worlds(state, 0, 4000))
    assert len(pairs) == 20
    assert max(pairs.values()) < 2 * min(pairs.values())


def test_discards_say_who_played_them_from_how_many_cards():
    state = passed(act(position(2, hands=[[RED, BACK, JUMP], [BACK]]), 0, "play", RED))
    assert int(state.discards_from[0]) == 3
    state = act(act(state, 0, "stop"), 1, "stop")
    assert state.discards_n == 1
