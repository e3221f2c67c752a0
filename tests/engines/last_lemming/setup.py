"""Positions of Last Lemming set up directly, so that a test reads like its rule: places, line, cards, answers.

Seats 0, 1, 2 .. are Kleopatra, Nero, Maximus, Hymnia ..; cards are spelled `y10`, `r-3`, `X`.
"""

from __future__ import annotations

from typing import Any

from engines.game import copy
from engines.kernel import State
from engines.last_lemming import GAME
from engines.last_lemming.state import LEMMINGS, LINE, NONE, PHASE_PLAY, PUT_BACK, X

EDITION = GAME.editions["reconstruction"]
COLOURS = {"y": 0, "r": 1, "b": 2, "g": 3}
VALUES = [-5, -3, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
NAMES = ["Kleopatra", "Nero", "Maximus", "Hymnia", "Caesar", "Agrippina"]


def card(text: str) -> int:
    return X if text == "X" else COLOURS[text[0]] * len(VALUES) + VALUES.index(int(text[1:]))


def card_json(text: str) -> dict[str, Any]:
    names = {"y": "yellow", "r": "red", "b": "blue", "g": "green"}
    return {"x": True} if text == "X" else {"colour": names[text[0]], "value": int(text[1:])}


def fresh(seats: int, rule: int = 1, **options: Any) -> State:
    """A dealt match whose first act is played with one rule card (and three others)."""
    cards = [rule, *(number for number in (1, 9, 10, 11, 13) if number != rule)][:4]
    return GAME.new(seats, {"rule_cards": cards, **options}, bytes(32))


def table(
    seats: int, rule: int, on: dict[int, int] | None = None, line: list[int] | None = None, lead: int = 0, **options: Any
) -> State:
    """The first trick of an act is about to be led.

    Args:
        on: the space of each lemming on the track.
        line: the others from the front; by default in rising order.
    """
    state = fresh(seats, rule, **options)
    on = on or {}
    lemmings = [lemming for lemming in range(LEMMINGS) if state.place[lemming] == LINE]
    waiting = [lemming for lemming in lemmings if lemming not in on] if line is None else line
    for lemming in waiting:
        state.place[lemming] = LINE
    for lemming, space in on.items():
        state.place[lemming] = space
    state.line[:] = NONE
    state.line[: len(waiting)] = waiting
    state.line_n = len(waiting)
    for seat in range(seats):
        player = state.players[seat]
        player.hand = player.x = 0
        player.put_n = PUT_BACK
    state.phase = PHASE_PLAY
    state.lead = state.turn = lead
    state.tricks[0].lead = lead
    return state


def deal_to(state: State, seat: int, *cards: str) -> None:
    """Give a seat exactly these cards."""
    numbers = [card(text) for text in cards]
    state.players[seat].hand = sum(1 << number for number in numbers if number != X)
    state.players[seat].x = numbers.count(X)


def play(state: State, *cards: str) -> State:
    """Play cards in turn, each the only one its seat holds."""
    for text in cards:
        state = copy(state)
        seat = int(state.turn)
        deal_to(state, seat, text)
        state = act(state, seat, type="play", card=card_json(text))
    return state


def act(state: State, seat: int, **action: Any) -> State:
    """Play one action given as JSON."""
    return GAME.play(state, seat, GAME.action_from_json(state, action))


def answer(state: State, *answers: tuple[int, str, Any]) -> State:
    """Answer questions in order: (who is asked, which question, the answer)."""
    fields = {"choose": "lemming", "pick": "value", "sign": "sign", "way": "way", "activate": "lemming"}
    for seat, kind, value in answers:
        assert GAME.awaiting(state) == (seat,), f"{kind} should be asked of seat {seat}"
        assert {action["type"] for action in GAME.legal_json(state, seat)} == {kind}
        state = act(state, seat, **{"type": kind, fields[kind]: value})
    return state


def places(state: State) -> dict[int, int]:
    """The space of each lemming on the track."""
    return {lemming: int(state.place[lemming]) for lemming in range(LEMMINGS) if state.place[lemming] > LINE}


def line(state: State) -> list[int]:
    """The waiting line, front first."""
    return [int(lemming) for lemming in state.line[: int(state.line_n)]]


def points(state: State) -> list[int]:
    return [int(state.players[seat].points) for seat in range(int(state.seats))]


def over(state: State) -> bool:
    """Whether the trick is over: the next one is about to be led."""
    return int(state.phase) == PHASE_PLAY and all(int(c) == NONE for c in state.tricks[int(state.trick)].cards)
