"""Positions set up directly, and turns played by name: for the tests of Valhalla Lemmings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.game import Game
from engines.kernel import State
from engines.valhalla import GAME, rules
from engines.valhalla.cards import pack
from engines.valhalla.editions import all_values
from engines.valhalla.state import ARRIVE, HISTORY, NONE, PILE, PLAIN, READY, RESERVE, TURNED, WAITING

STATES = {None: PLAIN, "ready": READY, "waiting": WAITING, "turned_over": TURNED}
#: A card for everyone to send when it does not matter.
FILLER = 1


def kind_of(name: str, state: State | None = None, game: Game = GAME) -> int:
    edition = game.edition_of(state) if state is not None else game.editions["reconstruction"]
    return [legend["name"] for legend in edition.data["legends"]].index(name)


def cards_of(values: Iterable[int], state: State | None = None, game: Game = GAME) -> int:
    edition = game.edition_of(state) if state is not None else game.editions["reconstruction"]
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return pack(counts, all_values(edition.data))


def table(
    seats: int,
    hands: Sequence[Sequence[int]],
    arriving: Sequence[str],
    pile: Sequence[int] = (),
    sagas: Mapping[int, Sequence[Any]] | None = None,
    first: int = 0,
    reserves: Sequence[Sequence[int]] = ((), ()),
    turn: int = 0,
    options: Mapping[str, Any] | None = None,
    game: Game = GAME,
) -> State:
    """A position at the beginning of a turn, all hands known to all; Legends come in the order of `arriving`.

    `sagas`: by seat, names or (name, state) pairs; a plain Lemfenrir for the others.
    """
    state = game.new(seats, options or {}, bytes(range(32)))
    for place in range(seats):
        state.cards[place] = cards_of(hands[place], state, game)
    state.cards[PILE] = cards_of(pile, state, game)
    for seat in range(2 if seats == 2 else 0):
        state.cards[RESERVE + seat] = cards_of(reserves[seat], state, game)
    state.start[:] = state.cards
    state.past_n = 0
    assert HISTORY > 0
    state.deck[:] = 0
    state.under[:] = 0
    state.under[: len(arriving)] = [kind_of(name, state, game) for name in arriving]
    state.under_n = len(arriving)
    state.saga_n = 0
    state.saga_kind[:] = state.saga_owner[:] = state.saga_state[:] = 0
    for seat in range(seats):
        for entry in (sagas or {}).get(seat, ["Lemfenrir"]):
            name, how = entry if isinstance(entry, tuple) else (entry, None)
            n = int(state.saga_n)
            state.saga_kind[n] = kind_of(name, state, game)
            state.saga_owner[n] = seat
            state.saga_state[n] = STATES[how]
            state.saga_n = n + 1
    state.first = first
    state.turn = turn
    state.phase = ARRIVE
    state.taking = NONE
    state.reveals = 0
    state.log_n = 0
    state.seen[:] = 0
    rules._run(state)
    return state


def do(state: State, player: int, kind: str, /, game: Game = GAME, **fields: Any) -> State:
    """Play one action given by its JSON fields (`card=3`, `source="hand"` for `from`)."""
    if "source" in fields:
        fields["from"] = fields.pop("source")
    return game.play(state, player, game.action_from_json(state, {"type": kind, **fields}))


def choose(state: State, seat: int, *values: int, source: str = "hand", game: Game = GAME) -> State:
    for value in values:
        state = do(state, seat, "choose", game, card=value, source=source)
    return state


def send(state: State, sent: Mapping[int, Sequence[int]], game: Game = GAME) -> State:
    """Send cards for a battle (or stake them), in the order given, each seat's in falling value."""
    for seat, values in sent.items():
        state = do(choose(state, seat, *values, game=game), seat, "done", game)
    return state


def legal(state: State, seat: int, game: Game = GAME) -> list[dict[str, Any]]:
    return game.legal_json(state, seat)


def hand(state: State, seat: int, game: Game = GAME) -> list[int]:
    return game.view(state, seat)["own"]["hand"]


def saga(state: State, seat: int, game: Game = GAME) -> list[tuple[str, str | None]]:
    return [(entry["legend"], entry["state"]) for entry in game.view(state, None)["players"][seat]["saga"]]


def told(state: State, viewer: int | None, kind: str, game: Game = GAME) -> list[dict[str, Any]]:
    """The events of one type that the last play told a seat."""
    return [event.event for event in game.events(state) if event.to(viewer) and event.event["type"] == kind]
