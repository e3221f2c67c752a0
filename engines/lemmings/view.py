"""What a seat or a spectator of Lemmings may see, the events it was told, and the outcome. Built by adding."""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, Outcome, Told
from engines.kernel import State
from engines.lemmings.actions import card_json, colours, effect_json, place_name
from engines.lemmings.state import (
    AWAITED,
    BURROW,
    CARRYING,
    E_ANSWERED,
    E_CARRIED_OUT,
    E_CLOSED,
    E_DISCARDED,
    E_DREW,
    E_FIRST,
    E_MOVED,
    E_NO_WAY,
    E_OVER,
    E_PLAYED,
    E_RESHUFFLED,
    E_ROLE,
    E_SHOWN,
    E_STOPPED,
    E_TURN,
    E_WAS,
    LEMMINGS,
    NONE,
    NOT_ASKED,
    OVER,
    REASONS,
    SAID_NO_WAY,
    SAID_PASS,
    TURN,
    WINDOW,
)

_PHASES = {TURN: "turn", WINDOW: "window", CARRYING: "carry_out", OVER: "over"}


# --- the view ---------------------------------------------------------------------------------------------------------


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    over = state.phase == OVER
    data: Json = {
        "phase": _PHASES[int(state.phase)],
        "turn": {
            "seat": int(state.turn),
            "number": int(state.turns),
            "limit": int(state.turn_limit),
            "cards_played": int(state.played),
            "cards_allowed": int(state.cards_a_turn),
        },
        "hand_limit": int(state.hand_limit),
        "places": _places(edition, state),
        "lemmings": [_lemming(edition, state, lemming) for lemming in range(LEMMINGS)],
        "draw_pile": int(state.deck_n),
        "discards": [card_json(edition, int(kind)) for kind in state.discards[: state.discards_n]],
        "table": _table(edition, state),
        "window": _window(state, viewer),
        "players": [_player(edition, state, seat, over or seat == viewer) for seat in range(int(state.seats))],
    }
    if over:
        data["draw_pile_cards"] = [card_json(edition, int(kind)) for kind in reversed(state.deck[: state.deck_n])]
    return data


def _places(edition: Edition, state: State) -> list[Json]:
    """Return the places in running order, the lemmings of each from the lowest up (burrow and water: no order)."""
    places: list[Json] = []
    for place in range(int(state.land_cards) + 2):
        here = [lemming for lemming in range(LEMMINGS) if state.place[lemming] == place]
        here.sort(key=lambda lemming: int(state.height[lemming]))
        names = [colours(edition)[lemming] for lemming in here]
        ordered = BURROW < place <= int(state.land_cards)
        places.append({"place": place_name(state, place), "stacked": ordered, "lemmings": names})
    return places


def _lemming(edition: Edition, state: State, lemming: int) -> Json:
    data = edition.data["lemmings"][lemming]
    place = int(state.place[lemming])
    below = None
    for other in range(LEMMINGS):
        if state.place[other] == place and int(state.height[other]) + 1 == state.height[lemming]:
            below = colours(edition)[other]
    return {"colour": data["colour"], "name": data["name"], "place": place_name(state, place), "stands_on": below}


def _table(edition: Edition, state: State) -> Json | None:
    """Return the card being settled, its choices, its No way!s and what Chaos showed; None without one."""
    if state.effect == NONE:
        return None
    effect, shown = int(state.effect), int(state.shown_n)
    data: Json = {
        "seat": int(state.turn),
        **effect_json(edition, effect),
        "no_ways": [int(seat) for seat in state.no_way_by[: state.no_ways]],
        "will_happen": int(state.no_ways) % 2 == 0,
        "shown": [card_json(edition, int(kind)) for kind in state.shown[:shown]],
    }
    carrying = state.phase == CARRYING
    data["carrying_out"] = card_json(edition, int(state.shown[state.shown_next])) if carrying else None
    return data


def _window(state: State, viewer: int | None) -> Json | None:
    """Return who answers whose card, with the viewer's own answer; None without a window."""
    if state.phase != WINDOW:
        return None
    asked = [seat for seat in range(int(state.seats)) if state.players[seat].answer != NOT_ASKED]
    data: Json = {
        "answering_seat": int(state.window_on),
        "to": "no_way" if state.no_ways else "card",
        "awaited": [seat for seat in asked if state.players[seat].answer == AWAITED],
        "answered": [seat for seat in asked if state.players[seat].answer != AWAITED],
    }
    if viewer is not None:
        names = {SAID_PASS: "pass", SAID_NO_WAY: "no_way"}
        data["your_answer"] = names.get(int(state.players[viewer].answer))
    return data


def _player(edition: Edition, state: State, seat: int, is_open: bool) -> Json:
    player = state.players[seat]
    data: Json = {"seat": seat, "hand_size": int(player.hand_n)}
    if is_open:
        data["role"] = colours(edition)[player.role]
        data["hand"] = [card_json(edition, int(kind)) for kind in player.hand[: player.hand_n]]
    return data


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play told, from its log."""
    return [
        Told(int(state.log_seats[i]), _event(edition, state, int(state.log_code[i])))
        for i in range(min(int(state.log_n), len(state.log_code)))
    ]


def _signed(byte: int) -> int:
    return byte - 256 if byte > 250 else byte


def _event(edition: Edition, state: State, code: int) -> Json:
    """Return one event: its type, then what happened."""
    kind, a, b, c = code >> 24, _signed(code >> 16 & 255), _signed(code >> 8 & 255), _signed(code & 255)
    names = colours(edition)
    by_kind: dict[int, Any] = {
        E_ROLE: lambda: {"type": "role", "seat": a, "role": names[b]},
        E_FIRST: lambda: {"type": "first_seat", "seat": a},
        E_DREW: lambda: {"type": "drew", "seat": a, "card": card_json(edition, b)},
        E_TURN: lambda: {"type": "turn", "seat": a, "cards_drawn": b},
        E_RESHUFFLED: lambda: {"type": "reshuffled", "draw_pile": a},
        E_PLAYED: lambda: {"type": "played", "seat": a, **effect_json(edition, b & 255)},
        E_ANSWERED: lambda: {"type": "answered", "seat": a},
        E_NO_WAY: lambda: {"type": "no_way", "seat": a},
        E_CLOSED: lambda: {"type": "settled", "cancelled": bool(a)},
        E_SHOWN: lambda: {"type": "shown", "cards": [card_json(edition, shown) for shown in (a, b)[:c]]},
        E_CARRIED_OUT: lambda: {"type": "carried_out", "seat": a, **effect_json(edition, b & 255)},
        E_MOVED: lambda: {"type": "moved", "lemming": names[a], "from": place_name(state, b), "to": place_name(state, c)},
        E_DISCARDED: lambda: {"type": "discarded", "seat": a, "card": card_json(edition, b)},
        E_STOPPED: lambda: {"type": "stopped", "seat": a},
        E_OVER: lambda: {"type": "over", "reason": REASONS[a - 1], "winner": None if b == NONE else b},
        E_WAS: lambda: {"type": "was", "seat": a, "role": names[b]},
    }
    event: Json = by_kind[kind]()
    return event


# --- the outcome ------------------------------------------------------------------------------------------------------


def outcome(edition: Edition, state: State) -> Outcome | None:  # noqa: ARG001
    """Return how the match ended; [I] without a winner all are tied."""
    if state.phase != OVER:
        return None
    winner = int(state.winner)
    if winner == NONE:
        return Outcome(REASONS[state.reason - 1], (), (1,) * int(state.seats))
    ranking = tuple(1 if seat == winner else 2 for seat in range(int(state.seats)))
    return Outcome(REASONS[state.reason - 1], (winner,), ranking)
