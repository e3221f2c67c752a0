"""What may be seen of Last Lemming: the view of a seat or a spectator, the events of the last play, the outcome.

A view is built by adding: what is public for all, then the viewer's own cards.
"""

from __future__ import annotations

from types import SimpleNamespace

from engines.editions import Edition
from engines.game import Json, Outcome, Told
from engines.kernel import State
from engines.last_lemming.actions import SIGN_NAMES, WAY_NAMES, card_json, lemming_name
from engines.last_lemming.rules import champion
from engines.last_lemming.state import (
    ACTS,
    DEALT,
    EV_ACTIVATED,
    EV_CHOSE,
    EV_DEALT,
    EV_ENDED,
    EV_FIRST,
    EV_MOVED,
    EV_PICKED,
    EV_PLAYED,
    EV_PUSHED,
    EV_PUT_BACK,
    EV_READY,
    EV_RULE_CARD,
    EV_SCORED,
    EV_SIGNED,
    EV_WENT,
    EV_WON,
    FALL,
    LINE,
    NONE,
    OUT,
    PHASE_ACTIVATE,
    PHASE_OVER,
    PHASE_PUT_BACK,
    PHASE_WAY,
    PHASES,
    PUT_BACK,
    TRICKS,
    X,
)
from engines.plain import plain

# --- the view ---------------------------------------------------------------------------------------------------------

#: Tables that are read from the edition instead.
_TABLES = frozenset({"rules", "piece_holes", "value", "colour"})


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    s = plain(state, _TABLES)
    between = s.phase in (PHASE_PUT_BACK, PHASE_ACTIVATE, PHASE_OVER)
    done = TRICKS if s.phase in (PHASE_ACTIVATE, PHASE_OVER) else s.trick
    data: Json = {
        "phase": PHASES[s.phase],
        "act": s.act + 1,
        "acts": ACTS,
        "trick": s.trick + 1,
        "tricks": TRICKS,
        "lead": s.lead,
        "turn": _seat(s.turn),
        "two_lemmings": bool(s.two_lemmings),
        "rule_cards": [_rule_card(edition, s, act) for act in range(ACTS)],
        "track": _track(edition, s),
        "lemmings": [_lemming(edition, s, lemming) for lemming in range(_lemmings(s))],
        "line": [lemming_name(edition, lemming) for lemming in s.line[: s.line_n]],
        "players": [_player(edition, s, seat) for seat in range(s.seats)],
        "table": None if between else _trick(edition, s, s.trick),
        "tricks_played": [_trick(edition, s, number) for number in range(done)],
        "move": _move(edition, s),
        "standing": [_placed(edition, s, i) for i in range(s.standing_n)],
        "scoring": [row[: s.seats if act == 0 else _lemmings(s)] for act, row in enumerate(s.award)],
        "cards": _deck(edition, s),
        "own": None,
    }
    if viewer is not None:
        player = s.players[viewer]
        data["own"] = {
            "seat": viewer,
            "hand": cards_json(edition, player.hand, player.x),
            "put_back": cards_json(edition, player.away, player.away_x),
        }
    return data


def cards_json(edition: Edition, bits: int, x: int) -> list[Json]:
    """Return a set of number cards and some X as JSON, rising."""
    cards = []
    while bits:
        cards.append(card_json(edition, (bits & -bits).bit_length() - 1))
        bits &= bits - 1
    return cards + [card_json(edition, X) for _ in range(x)]


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


def _lemmings(s: SimpleNamespace) -> int:
    """Return how many lemmings there are."""
    return int(s.seats) * (2 if s.two_lemmings else 1)


def _rule_card(edition: Edition, s: SimpleNamespace, act: int) -> Json:
    """Return the rule card of an act; of a hidden one only that it is there."""
    card: Json = {"act": act + 1, "revealed": act <= s.act, "number": None}
    if s.open_rules or act <= s.act:
        card.update(rule_json(edition, s.order[act]))
    return card


def rule_json(edition: Edition, index: int) -> Json:
    """Return a rule card as JSON."""
    card = edition.data["rule_cards"][index]
    steps = [dict(step) for step in card["steps"]]
    return {"number": card["number"], "sides": card["sides"], "wins": card["wins"], "steps": steps}


def _track(edition: Edition, s: SimpleNamespace) -> Json:
    sides = edition.data["rule_cards"][s.order[s.act]]["sides"]
    pieces = edition.data["track"]["pieces"]
    fork = None
    if s.fork_to:
        fork = {"from": s.fork_from, "to": s.fork_to, "short": ["hole"] * s.fork_short}
    return {
        "spaces": s.spaces,
        "holes": [space for space in range(1, s.spaces + 1) if s.holes >> space & 1],
        "fork": fork,
        "pieces": [{"first": p["first"], "last": p["last"], "side": side} for p, side in zip(pieces, sides, strict=True)],
    }


def _lemming(edition: Edition, s: SimpleNamespace, lemming: int) -> Json:
    seat = lemming % s.seats
    place = s.place[lemming]
    return {
        "lemming": lemming_name(edition, lemming),
        "seat": seat,
        "active": s.players[seat].active == lemming,
        "where": {OUT: "not_in_play", LINE: "line"}.get(place, "track"),
        "space": place if place > LINE else None,
        "place_in_line": s.line.index(lemming) + 1 if place == LINE else None,
    }


def _player(edition: Edition, s: SimpleNamespace, seat: int) -> Json:
    player = s.players[seat]
    colours = edition.data["cards"]["colours"]
    played = sum(trick.cards[seat] != NONE for trick in s.tricks)
    return {
        "seat": seat,
        "points": player.points,
        "lemmings": [lemming_name(edition, lemming) for lemming in range(seat, _lemmings(s), s.seats)],
        "active": lemming_name(edition, player.active),
        # [R] 12 until the last has put back: how far the others have got shows nowhere but in who is ready.
        "hand_size": DEALT if s.phase == PHASE_PUT_BACK else DEALT - PUT_BACK - played,
        "ready": player.put_n == PUT_BACK,
        "shown_void": [colour for c, colour in enumerate(colours) if player.voids >> c & 1],
    }


def _trick(edition: Edition, s: SimpleNamespace, number: int) -> Json:
    """Return one trick: its cards in the order played."""
    trick = s.tricks[number]
    seats = [(trick.lead + i) % s.seats for i in range(s.seats)]
    cards = [{"seat": seat, "card": card_json(edition, trick.cards[seat])} for seat in seats if trick.cards[seat] != NONE]
    colour = next((entry["card"]["colour"] for entry in cards if "colour" in entry["card"]), None)
    return {"trick": number + 1, "lead": trick.lead, "colour": colour, "cards": cards, "winner": _seat(trick.winner)}


def _move(edition: Edition, s: SimpleNamespace) -> Json | None:
    """Return the rule card's step that is being carried out, with the move so far; None between tricks."""
    if s.step == NONE:
        return None
    settled = [{"lemming": lemming_name(edition, s.chain[i]), "to": _end(s.ends[i])} for i in range(s.chain_n)]
    way = s.phase == PHASE_WAY
    one = 1 if s.distance > 0 else -1
    return {
        "step": s.step + 1,
        "lemming": lemming_name(edition, s.lemming) if s.lemming != NONE else None,
        "distance": s.distance if s.lemming != NONE else None,
        "asked": lemming_name(edition, s.asked) if way else None,
        "asked_distance": (one if settled else s.distance) if way else None,
        "settled": settled,
        "still_to_move": [seat for seat in range(s.seats) if s.todo >> seat & 1],
    }


def _end(end: int) -> int | str:
    return {FALL: "fall", LINE: "line"}.get(end, end)


def _placed(edition: Edition, s: SimpleNamespace, i: int) -> Json:
    lemming = s.standing[i]
    return {"place": i + 1, "lemming": lemming_name(edition, lemming), "seat": lemming % s.seats}


def _deck(edition: Edition, s: SimpleNamespace) -> Json:
    cards = edition.data["cards"]
    total = len(cards["colours"]) * len(cards["values"]) + cards["x"]
    return {
        "colours": list(cards["colours"]),
        "values": list(cards["values"]),
        "x": cards["x"],
        "undealt": total - DEALT * s.seats,
    }


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play (or the deal) told, in order, and to whom."""
    n = int(state.log_n)
    codes, seats = state.log_code[:n].tolist(), state.log_seats[:n].tolist()
    return [
        Told(told, _event(edition, state, code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255))
        for told, code in zip(seats, codes, strict=True)
    ]


def _event(edition: Edition, state: State, kind: int, a: int, b: int, c: int) -> Json:
    if kind == EV_FIRST:
        return {"type": "first", "seat": a}
    if kind == EV_RULE_CARD:
        return {"type": "rule_card", "act": a + 1, **rule_json(edition, b)}
    if kind == EV_DEALT:
        player = state.players[a]
        return {"type": "dealt", "seat": a, "hand": cards_json(edition, int(player.hand), int(player.x))}
    if kind == EV_PUT_BACK:
        return {"type": "put_back", "seat": a, "card": card_json(edition, b)}
    if kind == EV_READY:
        return {"type": "ready", "seat": a}
    if kind == EV_PLAYED:
        return {"type": "played", "seat": a, "card": card_json(edition, b)}
    if kind == EV_WON:
        return {"type": "won", "seat": None if a == 255 else a}
    if kind == EV_CHOSE:
        return {"type": "chose", "seat": a, "lemming": lemming_name(edition, b)}
    if kind == EV_PICKED:
        return {"type": "picked", "seat": a, "value": b if b < 128 else b - 256}
    if kind == EV_SIGNED:
        return {"type": "signed", "seat": a, "sign": SIGN_NAMES[b]}
    if kind == EV_WENT:
        return {"type": "went", "seat": a, "way": WAY_NAMES[b], "lemming": lemming_name(edition, c)}
    if kind in (EV_MOVED, EV_PUSHED):
        return _moved(edition, state, kind, a, b, c)
    if kind == EV_SCORED:
        return {"type": "scored", "lemming": lemming_name(edition, a), "seat": a % int(state.seats), "place": b, "points": c}
    if kind == EV_ACTIVATED:
        return {"type": "activated", "seat": a, "lemming": lemming_name(edition, b)}
    return {"type": "ended", "winner": a} if kind == EV_ENDED else {"type": str(kind)}


def _moved(edition: Edition, state: State, kind: int, a: int, end: int, start: int) -> Json:
    lemming = a & 7
    return {
        "type": "moved" if kind == EV_MOVED else "pushed",
        "lemming": lemming_name(edition, lemming),
        "seat": lemming % int(state.seats),
        "from": _end(start),
        "to": _end(end),
        "points": -1 if a & 8 else 0,
    }


# --- the outcome ------------------------------------------------------------------------------------------------------


def outcome(edition: Edition, state: State) -> Outcome | None:  # noqa: ARG001
    """Return how the match ended, None while it runs. [R] Most VP; ties by the better place in act 4: no shared wins."""
    if state.phase != PHASE_OVER:
        return None
    seats = range(int(state.seats))
    points = tuple(int(state.players[seat].points) for seat in seats)
    best = [min(i for i in range(int(state.standing_n)) if int(state.standing[i]) % len(seats) == seat) for seat in seats]
    order = sorted(seats, key=lambda seat: (-points[seat], best[seat]))
    ranking = tuple(order.index(seat) + 1 for seat in seats)
    return Outcome("most_points", (int(champion(state)),), ranking, points)
