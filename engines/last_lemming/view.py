"""What may be seen of Last Lemming: the view of a seat or a spectator, the events of the last play, the outcome.

A view is built by adding: what is public for all, then the viewer's own cards.
"""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, Outcome, Told
from engines.kernel import State
from engines.last_lemming.actions import SIGN_NAMES, WAY_NAMES, card_json, lemming_name
from engines.last_lemming.hidden import in_hand
from engines.last_lemming.rules import champion
from engines.last_lemming.state import (
    ACTS,
    BY,
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
    NO_STEP,
    NONE,
    OUT,
    PHASE_ACTIVATE,
    PHASE_OVER,
    PHASE_PUT_BACK,
    PHASE_WAY,
    PHASES,
    PUT_BACK,
    SIGNS,
    TRICKS,
    WHO,
    X,
)
from engines.last_lemming.track import owner

# --- the view ---------------------------------------------------------------------------------------------------------


def view(edition: Edition, state: State, viewer: int | None) -> Json:
    """Return what a seat (None: a spectator) may see."""
    act = int(state.act)
    between = state.phase in (PHASE_PUT_BACK, PHASE_ACTIVATE, PHASE_OVER)
    data: Json = {
        "phase": PHASES[int(state.phase)],
        "act": act + 1,
        "acts": ACTS,
        "trick": int(state.trick) + 1,
        "tricks": TRICKS,
        "lead": int(state.lead),
        "turn": _seat(state.turn),
        "two_lemmings": bool(state.two_lemmings),
        "rule_cards": _rule_cards(edition, state),
        "track": _track(edition, state),
        "lemmings": [_lemming(edition, state, lemming) for lemming in _all_lemmings(state)],
        "line": [lemming_name(edition, int(state.line[i])) for i in range(int(state.line_n))],
        "players": [_player(edition, state, seat) for seat in range(int(state.seats))],
        "table": None if between else _trick(edition, state, int(state.trick)),
        "tricks_played": [_trick(edition, state, i) for i in range(_tricks_done(state))],
        "move": _move(edition, state),
        "standing": [_placed(edition, state, i) for i in range(int(state.standing_n))],
        "scoring": [[int(award) for award in row[: _places(state, i)]] for i, row in enumerate(state.award)],
        "cards": _deck(edition, state),
        "own": None,
    }
    if viewer is not None:
        player = state.players[viewer]
        data["own"] = {
            "seat": viewer,
            "hand": cards_json(edition, int(player.hand), int(player.x)),
            "put_back": cards_json(edition, int(player.away), int(player.away_x)),
        }
    return data


def cards_json(edition: Edition, bits: int, x: int) -> list[Json]:
    """Return a set of number cards and some X as JSON, rising."""
    cards = [card_json(edition, card) for card in range(X) if bits >> card & 1]
    return cards + [card_json(edition, X) for _ in range(x)]


def _seat(seat: Any) -> int | None:
    return None if seat == NONE else int(seat)


def _all_lemmings(state: State) -> range:
    return range(int(state.seats) * (2 if state.two_lemmings else 1))


def _places(state: State, act: int) -> int:
    """Return how many lemmings are scored in an act."""
    return int(state.seats) * (2 if state.two_lemmings and act > 0 else 1)


def _tricks_done(state: State) -> int:
    """Return how many tricks of this act are behind: all once it has been scored."""
    return TRICKS if state.phase in (PHASE_ACTIVATE, PHASE_OVER) else int(state.trick)


def _rule_cards(edition: Edition, state: State) -> list[Json]:
    """Return the four acts' rule cards: those known in full, of the hidden ones only the act."""
    cards: list[Json] = []
    for act in range(ACTS):
        known = state.open_rules or act <= state.act
        card: Json = {"act": act + 1, "revealed": act <= int(state.act), "number": None}
        if known:
            card.update(rule_json(edition, state, int(state.order[act])))
        cards.append(card)
    return cards


def rule_json(edition: Edition, state: State, index: int) -> Json:
    """Return a rule card as JSON."""
    rule = state.rules[index]
    steps = []
    for step in rule.steps:
        if step.who != NO_STEP:
            by: Any = BY[int(step.by)] or int(step.amount)
            steps.append({"who": WHO[int(step.who)], "by": by, "sign": SIGNS[int(step.sign)]})
    pieces = len(edition.data["track"]["pieces"])
    return {
        "number": int(rule.number),
        "sides": "".join("AB"[int(rule.sides) >> piece & 1] for piece in range(pieces)),
        "wins": "lowest" if rule.lowest_wins else "highest",
        "steps": steps,
    }


def _track(edition: Edition, state: State) -> Json:
    sides = int(state.rules[int(state.order[int(state.act)])].sides)
    pieces = [
        {"first": piece["first"], "last": piece["last"], "side": "AB"[sides >> i & 1]}
        for i, piece in enumerate(edition.data["track"]["pieces"])
    ]
    fork = None
    if state.fork_to:
        fork = {"from": int(state.fork_from), "to": int(state.fork_to), "short": ["hole"] * int(state.fork_short)}
    holes = [space for space in range(1, int(state.spaces) + 1) if int(state.holes) >> space & 1]
    return {"spaces": int(state.spaces), "holes": holes, "fork": fork, "pieces": pieces}


def _lemming(edition: Edition, state: State, lemming: int) -> Json:
    seat = int(owner(state, lemming))
    place = int(state.place[lemming])
    line = [int(other) for other in state.line[: int(state.line_n)]]
    return {
        "lemming": lemming_name(edition, lemming),
        "seat": seat,
        "active": int(state.players[seat].active) == lemming,
        "where": {OUT: "not_in_play", LINE: "line"}.get(place, "track"),
        "space": place if place > LINE else None,
        "place_in_line": line.index(lemming) + 1 if place == LINE else None,
    }


def _player(edition: Edition, state: State, seat: int) -> Json:
    player = state.players[seat]
    lemmings = [lemming for lemming in _all_lemmings(state) if owner(state, lemming) == seat]
    colours = edition.data["cards"]["colours"]
    putting = state.phase == PHASE_PUT_BACK
    return {
        "seat": seat,
        "points": int(player.points),
        "lemmings": [lemming_name(edition, lemming) for lemming in lemmings],
        "active": lemming_name(edition, int(player.active)),
        # [R] 12 until the last has put back: how far the others have got shows nowhere but in who is awaited.
        "hand_size": DEALT if putting else int(in_hand(state, seat)),
        "ready": bool(player.put_n == PUT_BACK),
        "shown_void": [colours[c] for c in range(len(colours)) if int(player.voids) >> c & 1],
    }


def _trick(edition: Edition, state: State, number: int) -> Json:
    """Return one trick: its cards in the order played."""
    trick = state.tricks[number]
    cards = []
    colour = None
    for i in range(int(state.seats)):
        seat = (int(trick.lead) + i) % int(state.seats)
        card = int(trick.cards[seat])
        if card != NONE:
            cards.append({"seat": seat, "card": card_json(edition, card)})
            if colour is None and card != X:
                colour = card_json(edition, card)["colour"]
    return {"trick": number + 1, "lead": int(trick.lead), "colour": colour, "cards": cards, "winner": _seat(trick.winner)}


def _move(edition: Edition, state: State) -> Json | None:
    """Return the rule card's step that is being carried out, with the move so far; None between tricks."""
    if state.step == NONE:
        return None
    lemming = int(state.lemming)
    settled = [
        {"lemming": lemming_name(edition, int(state.chain[i])), "to": _end(int(state.ends[i]))}
        for i in range(int(state.chain_n))
    ]
    way = state.phase == PHASE_WAY
    one = 1 if state.distance > 0 else -1
    return {
        "step": int(state.step) + 1,
        "lemming": lemming_name(edition, lemming) if lemming != NONE else None,
        "distance": int(state.distance) if lemming != NONE else None,
        "asked": lemming_name(edition, int(state.asked)) if way else None,
        "asked_distance": (one if settled else int(state.distance)) if way else None,
        "settled": settled,
        "still_to_move": [seat for seat in range(int(state.seats)) if int(state.todo) >> seat & 1],
    }


def _end(end: int) -> int | str:
    return {FALL: "fall", LINE: "line"}.get(end, end)


def _placed(edition: Edition, state: State, i: int) -> Json:
    lemming = int(state.standing[i])
    return {"place": i + 1, "lemming": lemming_name(edition, lemming), "seat": int(owner(state, lemming))}


def _deck(edition: Edition, state: State) -> Json:
    cards = edition.data["cards"]
    total = len(cards["colours"]) * len(cards["values"]) + cards["x"]
    return {
        "colours": list(cards["colours"]),
        "values": list(cards["values"]),
        "x": cards["x"],
        "undealt": total - DEALT * int(state.seats),
    }


# --- events -----------------------------------------------------------------------------------------------------------


def events(edition: Edition, state: State) -> list[Told]:
    """Return what the last play (or the deal) told, in order, and to whom."""
    told = []
    for i in range(int(state.log_n)):
        code = int(state.log_code[i])
        event = _event(edition, state, code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255)
        told.append(Told(int(state.log_seats[i]), event))
    return told


def _event(edition: Edition, state: State, kind: int, a: int, b: int, c: int) -> Json:
    if kind == EV_FIRST:
        return {"type": "first", "seat": a}
    if kind == EV_RULE_CARD:
        return {"type": "rule_card", "act": a + 1, **rule_json(edition, state, b)}
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
        return {"type": "scored", "lemming": lemming_name(edition, a), "seat": int(owner(state, a)), "place": b, "points": c}
    if kind == EV_ACTIVATED:
        return {"type": "activated", "seat": a, "lemming": lemming_name(edition, b)}
    return {"type": "ended", "winner": a} if kind == EV_ENDED else {"type": str(kind)}


def _moved(edition: Edition, state: State, kind: int, a: int, end: int, start: int) -> Json:
    lemming = a & 7
    return {
        "type": "moved" if kind == EV_MOVED else "pushed",
        "lemming": lemming_name(edition, lemming),
        "seat": int(owner(state, lemming)),
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
    best = [min(i for i in range(int(state.standing_n)) if owner(state, int(state.standing[i])) == seat) for seat in seats]
    order = sorted(seats, key=lambda seat: (-points[seat], best[seat]))
    ranking = tuple(order.index(seat) + 1 for seat in seats)
    return Outcome("most_points", (int(champion(state)),), ranking, points)
