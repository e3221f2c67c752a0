"""What may be seen of Valhalla Lemmings: the view of a seat or a spectator, the events of the last play, the outcome.

A view is built by adding: what is public for all, then the viewer's own cards.
"""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, Outcome, Told
from engines.kernel import State
from engines.plain import plain
from engines.valhalla.actions import cards_json, legend_name, place_names
from engines.valhalla.cards import size
from engines.valhalla.state import (
    AGAIN,
    APPLYING,
    EV_ARRIVED,
    EV_CHOSE,
    EV_DECLINED,
    EV_DISCARDED,
    EV_DREW,
    EV_DREW_CARDS,
    EV_FIRST,
    EV_FIRST_LEGEND,
    EV_LOST,
    EV_NAMED,
    EV_PASSED,
    EV_PASSED_CARDS,
    EV_PASSED_STAKE,
    EV_REACTIVATED,
    EV_RETURNED,
    EV_SHIELDED,
    EV_SHOWN,
    EV_STAKED,
    EV_TARGETED,
    EV_TIED,
    EV_TOOK,
    EV_TOOK_BACK,
    EV_TURN,
    MAX_STAKES,
    NONE,
    OVER,
    PHASE_CARDS,
    PHASE_LEGEND,
    PHASE_SEND,
    PHASES,
    PILE,
    PLACES,
    READY,
    REASONS,
    RESERVE,
    TURNED,
    WAITING,
    slot,
)

#: How a Legend lies in a Saga, for people; one that applies in the present battle still waits until its end.
LIES = {READY: "ready", WAITING: "waiting", APPLYING: "waiting", AGAIN: "waiting", TURNED: "turned_over"}


# --- the view ---------------------------------------------------------------------------------------------------------


#: Tables and notes of the state that no view needs.
TABLES = frozenset(
    {"lost", "back", "start", "past_cards", "past_kind", "past_from", "past_to", "past_limit", "past_n"}
    | {"does", "by", "amount", "where", "whom", "negative"}
)


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    s = plain(state, TABLES)
    return {
        "turn": s.turn,
        "turn_limit": s.turn_limit,
        "first_player": s.first,
        "phase": PHASES[s.phase],
        "decision": _decision(edition, s),
        "legends": [_name(edition, kind) for kind in s.offer[: s.offers]],
        "being_taken": _name(edition, s.taking),
        "battle": s.battle if _two(s) and s.phase != OVER else None,
        "players": [_player(edition, s, seat) for seat in range(s.seats)],
        "discard_pile": size(s.cards[PILE]),
        "legend_deck": s.under_n + sum(s.deck[: s.kinds]),
        "under_the_deck": [_name(edition, kind) for kind in s.under[: s.under_n]],
        "values": s.values[: s.values_n],
        "own": None if viewer is None else _own(s, viewer),
    }


def _two(s: Any) -> bool:
    """Return whether it is the game for two."""
    return bool(s.seats == 2)


def _name(edition: Edition, kind: int) -> str | None:
    return None if kind == NONE else legend_name(edition, kind)


def _decision(edition: Edition, s: Any) -> Json | None:
    """Return whose single decision it is and what for; None while several choose at the same time, and at the end."""
    if s.phase in (OVER, PHASE_SEND):
        return None
    if s.phase == PHASE_LEGEND:
        return {"seat": s.actor, "legend": None, "target": None}
    target = s.target if s.phase == PHASE_CARDS and s.target != NONE else None
    return {"seat": s.actor, "legend": _name(edition, s.kind), "target": target}


def _unshown(s: Any, seat: int) -> bool:
    return not s.revealed >> seat & 1


def _player(edition: Edition, s: Any, seat: int) -> Json:
    """Return what all see of a seat. Cards it has chosen and not shown still count as in its hand (two players: only the
    present stake's; those of earlier ones have gone)."""
    hand = size(s.cards[seat])
    if _unshown(s, seat):
        hand += size(s.table[slot(seat, s.battle)]) if s.battle < s.battles else 0
    player: Json = {
        "seat": seat,
        "hand_size": hand,
        "legends": s.saga_owner[: s.saga_n].count(seat),
        "saga": _saga(edition, s, seat),
        "finished": bool(s.finished >> seat & 1),
        "took_legend": bool(s.taken >> seat & 1),
    }
    if _two(s):
        player["reserves"] = size(s.cards[RESERVE + seat])
        player["stakes"] = [_stake(s, seat, stake) for stake in range(s.battles)]
    else:
        shown = not _unshown(s, seat)
        player["battle"] = cards_json(s, s.table[seat]) if shown else None
        player["strength"] = s.strength[seat] if shown and not _all_unshown(s) else None
    return player


def _all_unshown(s: Any) -> bool:
    """Return whether somebody has still to show cards: strengths are fixed only after the last."""
    return bool(s.revealed != (1 << s.seats) - 1)


def _saga(edition: Edition, s: Any, seat: int) -> list[Json]:
    return [
        {
            "legend": legend_name(edition, s.saga_kind[i]),
            "state": LIES.get(s.saga_state[i]),
            "applies_now": s.saga_state[i] in (APPLYING, AGAIN),
        }
        for i in range(s.saga_n)
        if s.saga_owner[i] == seat
    ]


def _stake(s: Any, seat: int, stake: int) -> Json | None:
    """Return a stake: None before both have chosen it, then its size, and its cards once all are shown."""
    cards = s.table[slot(seat, stake)]
    if not _unshown(s, seat):
        return {"size": size(cards), "cards": cards_json(s, cards)}
    return {"size": size(cards), "cards": None} if stake < s.battle else None


def _own(s: Any, seat: int) -> Json:
    """Return what only the seat itself sees: its hand, its choice for the battle (stakes), and its picks for an effect."""
    battles = MAX_STAKES if _two(s) else 1
    chosen = [cards_json(s, s.table[slot(seat, b)]) for b in range(battles)] if _unshown(s, seat) else []
    picked = []
    if s.phase == PHASE_CARDS and s.actor == seat:
        names = place_names(s.seats)
        picked = [{"card": value, "from": names[place]} for place in range(PLACES) for value in cards_json(s, s.picked[place])]
    return {"seat": seat, "hand": cards_json(s, s.cards[seat]), "chosen": chosen, "picked": picked}


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play (or the deal) told, in order, and to whom."""
    n = int(state.log_n)
    codes, seats = state.log_code[:n].tolist(), state.log_seats[:n].tolist()
    return [
        Told(told, _event(edition, state, code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255))
        for told, code in zip(seats, codes, strict=True)
    ]


def _unpack(state: State, b: int, c: int) -> list[int]:
    """Return the values of the cards of an event, see `tell_cards`."""
    some = b << 8 | c
    lanes = []
    while some:
        lanes.append((some & 7) - 1)
        some >>= 3
    return [int(state.values[lane]) for lane in reversed(lanes)]


def _from(state: State, place: int) -> str:
    return place_names(int(state.seats))[place]


def _event(edition: Edition, state: State, kind: int, a: int, b: int, c: int) -> Json:
    if kind == EV_FIRST:
        return {"type": "first_player", "seat": a}
    if kind == EV_FIRST_LEGEND:
        return {"type": "first_legend", "seat": a, "legend": legend_name(edition, b)}
    if kind == EV_TURN:
        return {"type": "turn", "turn": b | c << 8, "first_player": a}
    if kind == EV_ARRIVED:
        return {"type": "arrived", "index": a, "legend": legend_name(edition, b)}
    if kind in (EV_CHOSE, EV_TOOK_BACK):
        return {"type": "chose" if kind == EV_CHOSE else "took_back", "seat": a}
    if kind in _CARD_EVENTS:
        return _card_event(state, kind, a, b, c)
    if kind == EV_TOOK:
        return {"type": "took_legend", "seat": a, "legend": legend_name(edition, b), "index": c}
    if kind == EV_TIED:
        return {"type": "tied", "battle": a, "legend": legend_name(edition, b)}
    if kind == EV_TARGETED:
        return {"type": "targeted", "seat": a, "target": b, "legend": legend_name(edition, c)}
    if kind == EV_DECLINED:
        return {"type": "declined", "seat": a, "legend": legend_name(edition, b)}
    if kind == EV_NAMED:
        return {"type": "named_value", "seat": a, "value": int(state.values[b]), "legend": legend_name(edition, c)}
    if kind == EV_SHIELDED:
        return {"type": "shielded", "seat": a, "position": b}
    if kind == EV_REACTIVATED:
        return {"type": "reactivated", "seat": a, "position": b, "legend": legend_name(edition, c)}
    return {"type": "ended", "reason": REASONS[a], "winners": [seat for seat in range(int(state.seats)) if b >> seat & 1]}


_CARD_EVENTS = {
    EV_STAKED: "staked",
    EV_RETURNED: "returned",
    EV_LOST: "lost",
    EV_SHOWN: "shown",
    EV_DISCARDED: "discarded",
    EV_PASSED: "passed",
    EV_PASSED_CARDS: "passed_cards",
    EV_PASSED_STAKE: "passed_from_stake",
    EV_DREW: "drew",
    EV_DREW_CARDS: "drew_cards",
}


def _card_event(state: State, kind: int, a: int, b: int, c: int) -> Json:
    """Return an event about Village cards."""
    name, cards = _CARD_EVENTS[kind], _unpack(state, b, c)
    seat, other = a & 15, a >> 4
    if kind in (EV_STAKED, EV_RETURNED, EV_LOST):
        return {"type": name, "seat": a, "battle": b, "count": c}
    if kind == EV_SHOWN:
        return {"type": name, "seat": seat, "battle": other, "cards": cards}
    if kind in (EV_DISCARDED, EV_PASSED_STAKE):
        return {"type": name, "seat": seat, "from": _from(state, other), "cards": cards}
    if kind == EV_PASSED:
        return {"type": name, "seat": a, "to": b, "count": c}
    if kind == EV_PASSED_CARDS:
        return {"type": name, "seat": seat, "to": other, "cards": cards}
    if kind == EV_DREW:
        return {"type": name, "seat": a, "count": b, "source": "reserves" if c else "discard_pile"}
    return {"type": name, "seat": a, "cards": cards}


# --- the outcome ------------------------------------------------------------------------------------------------------


def outcome(edition: Edition, state: State) -> Outcome | None:  # noqa: ARG001
    """Return how the match ended, None while it runs. Winners come first, all others are equal."""
    if state.phase != OVER:
        return None
    seats = range(int(state.seats))
    winners = tuple(seat for seat in seats if int(state.winners) >> seat & 1)
    ranking = tuple(1 if seat in winners or not winners else len(winners) + 1 for seat in seats)
    return Outcome(REASONS[int(state.reason)], winners, ranking)
