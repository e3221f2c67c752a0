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
from engines.plain import plain

_PHASES = {TURN: "turn", WINDOW: "window", CARRYING: "carry_out", OVER: "over"}


# --- the view ---------------------------------------------------------------------------------------------------------


#: Tables and notes of the state that no view needs.
TABLES = frozenset({"lean", "copies", "discards_from", "pile", "crowd"})


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    s = plain(state, TABLES)
    over = s.phase == OVER
    names = colours(edition)
    data: Json = {
        "phase": _PHASES[s.phase],
        "turn": {
            "seat": s.turn,
            "number": s.turns,
            "limit": s.turn_limit,
            "cards_played": s.played,
            "cards_allowed": s.cards_a_turn,
        },
        "hand_limit": s.hand_limit,
        "places": _places(names, s),
        "lemmings": [_lemming(edition, names, s, lemming) for lemming in range(LEMMINGS)],
        "draw_pile": s.deck_n,
        "discards": [card_json(edition, kind) for kind in s.discards[: s.discards_n]],
        "table": _table(edition, s),
        "window": _window(s, viewer),
        "players": [_player(edition, names, s, seat, over or seat == viewer) for seat in range(s.seats)],
    }
    if over:
        data["draw_pile_cards"] = [card_json(edition, kind) for kind in reversed(s.deck[: s.deck_n])]
    return data


def _places(names: list[str], s: Any) -> list[Json]:
    """Return the places in running order, the lemmings of each from the lowest up (burrow and water: no order)."""
    places: list[Json] = []
    for place in range(s.land_cards + 2):
        here = [lemming for lemming in range(LEMMINGS) if s.place[lemming] == place]
        here.sort(key=s.height.__getitem__)
        ordered = BURROW < place <= s.land_cards
        standing = [names[lemming] for lemming in here]
        places.append({"place": place_name(s, place), "stacked": ordered, "lemmings": standing})
    return places


def _lemming(edition: Edition, names: list[str], s: Any, lemming: int) -> Json:
    place, below = s.place[lemming], None
    for other in range(LEMMINGS):
        if s.place[other] == place and s.height[other] + 1 == s.height[lemming]:
            below = names[other]
    name = edition.data["lemmings"][lemming]["name"]
    return {"colour": names[lemming], "name": name, "place": place_name(s, place), "stands_on": below}


def _table(edition: Edition, s: Any) -> Json | None:
    """Return the card being settled, its choices, its No way!s and what Chaos showed; None without one."""
    if s.effect == NONE:
        return None
    carrying = s.phase == CARRYING
    return {
        "seat": s.turn,
        **effect_json(edition, s.effect),
        "no_ways": s.no_way_by[: s.no_ways],
        "will_happen": s.no_ways % 2 == 0,
        "shown": [card_json(edition, kind) for kind in s.shown[: s.shown_n]],
        "carrying_out": card_json(edition, s.shown[s.shown_next]) if carrying else None,
    }


def _window(s: Any, viewer: int | None) -> Json | None:
    """Return who answers whose card, with the viewer's own answer; None without a window."""
    if s.phase != WINDOW:
        return None
    asked = [seat for seat in range(s.seats) if s.players[seat].answer != NOT_ASKED]
    data: Json = {
        "answering_seat": s.window_on,
        "to": "no_way" if s.no_ways else "card",
        "awaited": [seat for seat in asked if s.players[seat].answer == AWAITED],
        "answered": [seat for seat in asked if s.players[seat].answer != AWAITED],
    }
    if viewer is not None:
        data["your_answer"] = {SAID_PASS: "pass", SAID_NO_WAY: "no_way"}.get(s.players[viewer].answer)
    return data


def _player(edition: Edition, names: list[str], s: Any, seat: int, is_open: bool) -> Json:
    player = s.players[seat]
    data: Json = {"seat": seat, "hand_size": player.hand_n}
    if is_open:
        data["role"] = names[player.role]
        data["hand"] = [card_json(edition, kind) for kind in player.hand[: player.hand_n]]
    return data


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play told, from its log."""
    n = min(int(state.log_n), len(state.log_code))
    codes, seats = state.log_code[:n].tolist(), state.log_seats[:n].tolist()
    return [Told(told, _event(edition, state, code)) for told, code in zip(seats, codes, strict=True)]


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
