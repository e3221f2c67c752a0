"""Hidden information: what a seat cannot know is forgotten, and worlds that fit what it knows are drawn.

Hidden are the other hands and the draw pile. What a seat knows of them: which cards are neither in its hand nor in the open
piles (those are the cards hidden), how many cards each hand has, and, since the last time the draw pile was empty, which
cards were in hands then (`known`) and how many of each hand may have been there (`kept`): the cards drawn since come
from a pile whose cards everybody has seen. With two players that is all there is to know. With more it leaves out one finer
conclusion: who of several others cannot hold a card that came or went in an earlier round of the draw pile.
"""

from __future__ import annotations

from typing import Any

from engines.kernel import State, below, forget_header, helper, seed_words
from engines.kernel import kernel as compiled
from engines.lemminge.state import HAND, KINDS, NONE, STATE


@compiled(STATE)
def redact(state: State, seat: int) -> None:
    """Forget, in place, the other hands, what the others know, and what the draw pile holds."""
    forget_header(state, seat)
    for other in range(int(state.seats)):
        player = state.players[other]
        if other != seat:
            for i in range(HAND):
                player.hand[i] = NONE
            for kind in range(KINDS):
                player.known[kind] = 0
    for kind in range(KINDS):
        state.draw_pile[kind] = 0


@helper
def gather_hidden(state: State, seat: int) -> None:
    """Put on the draw pile all hidden cards but those known to be in the other hands."""
    player = state.players[seat]
    for kind in range(KINDS):
        state.draw_pile[kind] = int(state.copies[kind]) - int(state.piles[kind]) - int(player.known[kind])
    for i in range(int(state.discard_n)):
        state.draw_pile[int(state.discards[i])] -= 1
    for i in range(int(player.hand_n)):
        state.draw_pile[int(player.hand[i])] -= 1


@helper
def deal_known(state: State, seat: int) -> None:
    """Spread the cards known to be in the other hands evenly over the places that may still be theirs."""
    places = 0
    for other in range(int(state.seats)):
        if other != seat:
            places += int(state.players[other].kept)
    for kind in range(KINDS):
        for _ in range(int(state.players[seat].known[kind])):
            rest = below(state.random, places)
            places -= 1
            other = 0
            while True:
                if other != seat:
                    player = state.players[other]
                    free = int(player.kept) - held(player)
                    if rest < free:
                        put(player, kind)
                        break
                    rest -= free
                other += 1


@helper
def deal_rest(state: State, seat: int) -> None:
    """Fill the other hands from the draw pile, every card equally likely; what is left stays there."""
    n = 0
    for kind in range(KINDS):
        n += int(state.draw_pile[kind])
    for other in range(int(state.seats)):
        player = state.players[other]
        if other != seat:
            for _ in range(int(player.hand_n) - held(player)):
                rest = below(state.random, n)
                n -= 1
                kind = 0
                while rest >= state.draw_pile[kind]:
                    rest -= int(state.draw_pile[kind])
                    kind += 1
                state.draw_pile[kind] -= 1
                put(player, kind)


@helper
def held(player: Any) -> int:
    """Return how many cards a hand under construction has got so far."""
    n = 0
    while n < HAND and player.hand[n] != NONE:
        n += 1
    return n


@helper
def put(player: Any, kind: int) -> None:
    """Put a card into a hand under construction, which stays sorted; its size is known already."""
    i = held(player)
    while i > 0 and player.hand[i - 1] > kind:
        player.hand[i] = player.hand[i - 1]
        i -= 1
    player.hand[i] = kind


@compiled(STATE)
def imagine(state: State, seat: int, seed: Any) -> None:
    """Fill a redacted state with one world, every one that fits equally likely."""
    seed_words(state.random, seed)
    gather_hidden(state, seat)
    deal_known(state, seat)
    deal_rest(state, seat)
