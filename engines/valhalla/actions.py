"""Actions of Valhalla Lemmings: as JSON, as sentences, and why one is not legal now.

{"type": "choose", "card": 5, "from": "hand"}    from: hand, battle; with two players hand, stake 0, stake 1
{"type": "done"}    {"type": "take_back"}        {"type": "decline"}
{"type": "take", "legend": "Lem Tzu"}            {"type": "target", "seat": 2}
{"type": "value", "value": 1}                    {"type": "reactivate", "position": 0}    position in the own Saga
"""

from __future__ import annotations

from typing import Any

from engines.editions import Edition
from engines.game import Json, UnreadableAction
from engines.kernel import State
from engines.valhalla.cards import LANES, count, size, worth
from engines.valhalla.legends import can_reactivate, nth_of_saga
from engines.valhalla.rules import lowest_sent
from engines.valhalla.state import (
    ANYWHERE,
    BY_CARDS,
    BY_LOSSES,
    BY_TOTAL,
    CHOOSE,
    DECLINE,
    DO_DOUBLE_LOSSES,
    DO_PASS,
    DO_REACTIVATE,
    DONE,
    IN_BATTLE,
    MAX_LEGENDS,
    NAME,
    NONE,
    OVER,
    PHASE_CARDS,
    PHASE_LEGEND,
    PHASE_REACTIVATE,
    PHASE_SEND,
    PHASE_TARGET,
    PHASE_VALUE,
    REACTIVATE,
    TAKE,
    TAKE_BACK,
    TARGET,
    TO_FEWEST,
    held,
    least_to_send,
    slot,
    two,
)

#: The fields of each type of action besides `type`.
FIELDS: dict[str, tuple[str, ...]] = {
    "choose": ("card", "from"),
    "done": (),
    "take_back": (),
    "decline": (),
    "take": ("legend",),
    "target": ("seat",),
    "value": ("value",),
    "reactivate": ("position",),
}
#: The actions of the types without fields, and the first of each of the others (see `state.py`).
PLAIN_ACTIONS = {"done": DONE, "take_back": TAKE_BACK, "decline": DECLINE}
FIRSTS = {"reactivate": REACTIVATE, "value": NAME, "target": TARGET, "take": TAKE, "choose": CHOOSE}

#: What is asked in each phase.
QUESTIONS = {
    PHASE_SEND: "to choose cards for the battle",
    PHASE_LEGEND: "to take a Legend",
    PHASE_TARGET: "to choose a target",
    PHASE_CARDS: "to choose cards for the Legend's effect",
    PHASE_VALUE: "to choose a value, or decline",
    PHASE_REACTIVATE: "to choose a Legend of the own Saga, or decline",
    OVER: "over: the match has ended",
}
#: In which phases each type of action can be legal.
TIMES = {
    "choose": (PHASE_SEND, PHASE_CARDS),
    "done": (PHASE_SEND, PHASE_CARDS),
    "take_back": (PHASE_SEND,),
    "decline": (PHASE_TARGET, PHASE_VALUE, PHASE_REACTIVATE),
    "take": (PHASE_LEGEND,),
    "target": (PHASE_TARGET,),
    "value": (PHASE_VALUE,),
    "reactivate": (PHASE_REACTIVATE,),
}


# --- names ------------------------------------------------------------------------------------------------------------


def legend_name(edition: Edition, kind: int) -> str:
    """Return a Legend's name."""
    return str(edition.data["legends"][kind]["name"])


def place_names(seats: int) -> tuple[str, ...]:
    """Return the names of the places cards are chosen from."""
    return ("hand", "stake 0", "stake 1") if seats == 2 else ("hand", "battle")


def _values(state: State) -> list[int]:
    return [int(value) for value in state.values[: int(state.values_n)]]


def cards_json(state: State, cards: int) -> list[int]:
    """Return a set of cards as the list of their values, highest first; the state may be a plain one."""
    values = _values(state)
    return [values[lane] for lane in range(len(values) - 1, -1, -1) for _ in range(int(count(cards, lane)))]


# --- the codec --------------------------------------------------------------------------------------------------------


def _read_number(field: str, data: Any, known: list[int]) -> int:
    """Return the index of a whole number among the known ones."""
    if not isinstance(data, int) or isinstance(data, bool) or data not in known:
        listed = ", ".join(map(str, known)) if len(known) < 10 else f"{known[0]} to {known[-1]}"
        raise UnreadableAction(f"{field}: is {data!r}; it is one of {listed}")
    return known.index(data)


def _read_name(field: str, data: Any, known: list[str]) -> int:
    if not isinstance(data, str) or data not in known:
        raise UnreadableAction(f"{field}: is {data!r}; it is one of {', '.join(known)}")
    return known.index(data)


def encode(edition: Edition, state: State, data: Json) -> int:
    """Return the number of an action given as JSON.

    Raises:
        UnreadableAction: an unknown type, fields missing or unknown, or a value out of range.
    """
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise UnreadableAction(f"type: is {kind!r}; the types are {', '.join(FIELDS)}")
    if set(data) != {"type", *FIELDS[kind]}:
        names = ", ".join(("type", *FIELDS[kind]))
        raise UnreadableAction(f"a {kind} action has the fields {names}, not {', '.join(sorted(map(str, data)))}")
    if kind in PLAIN_ACTIONS:
        return PLAIN_ACTIONS[kind]
    first = FIRSTS[kind]
    if kind == "choose":
        place = _read_name("from", data["from"], list(place_names(int(state.seats))))
        return first + place * LANES + _read_number("card", data["card"], _values(state))
    if kind == "take":
        return first + _read_name("legend", data["legend"], [legend["name"] for legend in edition.data["legends"]])
    if kind == "target":
        return first + _read_number("seat", data["seat"], list(range(int(state.seats))))
    if kind == "value":
        return first + _read_number("value", data["value"], _values(state))
    return first + _read_number("position", data["position"], list(range(MAX_LEGENDS)))


def split(action: int) -> tuple[str, int]:
    """Return an action's type and what remains of its number."""
    for kind, number in PLAIN_ACTIONS.items():
        if action == number:
            return kind, 0
    for kind, first in FIRSTS.items():
        if action >= first:
            return kind, action - first
    raise ValueError(f"no action has the number {action}")


def decode(edition: Edition, state: State, action: int) -> Json:
    """Return an action as JSON, the exact inverse of `encode`."""
    kind, rest = split(action)
    if kind == "choose":
        place, lane = divmod(rest, LANES)
        return {"type": kind, "card": int(state.values[lane]), "from": place_names(int(state.seats))[place]}
    if kind == "take":
        return {"type": kind, "legend": legend_name(edition, rest)}
    if kind == "target":
        return {"type": kind, "seat": rest}
    if kind == "value":
        return {"type": kind, "value": int(state.values[rest])}
    if kind == "reactivate":
        return {"type": kind, "position": rest}
    return {"type": kind}


def describe(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return an action as a sentence for people, in the position before it."""
    kind, rest = split(action)
    legend = legend_name(edition, int(state.kind))
    if kind == "choose":
        return _describe_card(edition, state, rest)
    if kind == "done":
        if state.phase == PHASE_SEND:
            sent = cards_json(state, int(state.table[slot(seat, int(state.battle))]))
            return f"Send {', '.join(map(str, sent)) or 'nothing'}"
        return f"Choose no more cards for {legend}"
    if kind == "take_back":
        return "Take the choice back"
    if kind == "decline":
        return f"Let {legend} do nothing"
    if kind == "take":
        return f"Take {legend_name(edition, rest)}"
    if kind == "target":
        return f"{legend}: choose seat {rest}"
    if kind == "value":
        return f"{legend}: discard every {int(state.values[rest])}"
    i = nth_of_saga(state, seat, rest)
    return f"Activate {legend_name(edition, int(state.saga_kind[i])) if i != NONE else 'no Legend'} again"


def _describe_card(edition: Edition, state: State, rest: int) -> str:
    place, lane = divmod(rest, LANES)
    value = int(state.values[lane])
    if state.phase == PHASE_SEND:
        return f"Choose a {value} for the battle"
    kind = int(state.kind)
    where = place_names(int(state.seats))[place]
    verb = f"pass a {value} to seat {int(state.target)}" if int(state.does[kind]) == DO_PASS else f"discard a {value}"
    return f"{legend_name(edition, kind)}: {verb} from the {where}"


# --- why not ----------------------------------------------------------------------------------------------------------


def explain(edition: Edition, state: State, seat: int, action: int) -> str:
    """Return why a readable action is not legal for a seat now."""
    kind, rest = split(action)
    phase = int(state.phase)
    if phase == PHASE_SEND and int(state.finished) >> seat & 1 and kind != "take_back":
        return "you have chosen; take the choice back to choose again"
    if kind == "take_back":
        return _why_not_take_back(state)
    if phase not in TIMES[kind]:
        return f"now is the time {QUESTIONS[phase]}, not to {kind.replace('_', ' ')}"
    if phase == PHASE_SEND:
        return _why_not_send(state, seat, kind, rest)
    if phase == PHASE_CARDS:
        return _why_not_pick(edition, state, rest)
    if kind == "decline":
        return f"{legend_name(edition, int(state.kind))} needs a target"
    if kind == "take":
        return f"{legend_name(edition, rest)} is not on the table"
    if kind == "target":
        return _why_not_target(edition, state, seat, rest)
    if kind == "value":
        return f"you have no {int(state.values[rest])} that {legend_name(edition, int(state.kind))} reaches"
    return _why_not_reactivate(edition, state, seat, rest)


def _why_not_take_back(state: State) -> str:
    if state.phase != PHASE_SEND:
        return "the cards are on the table for all to see: nothing can be taken back after the reveal"
    return "you have not finished choosing: there is nothing to take back"


def _why_not_send(state: State, seat: int, kind: str, rest: int) -> str:
    sent = int(state.table[slot(seat, int(state.battle))])
    n = int(size(sent))
    if kind == "done":
        fewest = int(least_to_send(state, int(size(int(state.cards[seat]))) + n))
        if two(state):
            return f"with more than 2 cards in hand, {fewest} at least must be staked"
        return f"at least {fewest} card must be sent"
    place, lane = divmod(rest, LANES)
    value = int(state.values[lane])
    if place > 0:
        return "cards for a battle are chosen from the hand"
    if n >= int(state.most_sent):
        return f"{n} cards are chosen, and no more than {int(state.most_sent)} may be"
    if count(int(state.cards[seat]), lane) == 0:
        return f"there is no {value} in your hand"
    lowest = int(state.values[int(lowest_sent(state, sent))])
    return f"cards are chosen in falling value, and a {lowest} was chosen before the {value}"


def _why_not_pick(edition: Edition, state: State, rest: int) -> str:
    kind = int(state.kind)
    name = legend_name(edition, kind)
    place, lane = divmod(rest, LANES)
    value = int(state.values[lane])
    where = place_names(int(state.seats))[place]
    picked = [int(cards) for cards in state.picked]
    by, amount = int(state.by[kind]), int(state.amount[kind])
    if not two(state) and int(state.where[kind]) != ANYWHERE and place != (int(state.where[kind]) == IN_BATTLE):
        return f"{name} takes cards from the {'hand' if place else 'battle'}, not from the {where}"
    if count(int(held(state, int(state.actor), place)) - picked[place], lane) == 0:
        return f"there is no {value} left in your {where}"
    if by == BY_CARDS and size(sum(picked)) >= amount:
        return f"{name} takes {amount} cards at most"
    if by == BY_TOTAL and worth(sum(picked), state.values) + value > amount:
        return f"the cards chosen would be worth {worth(sum(picked), state.values) + value}; {name} allows {amount} at most"
    limited = int(state.lost) if by == BY_LOSSES else int(state.back)
    within = by == BY_LOSSES or (two(state) and int(state.where[kind]) == IN_BATTLE)
    if within and count(limited, lane) <= count(sum(picked), lane):
        said = "lost" if int(state.does[kind]) == DO_DOUBLE_LOSSES else "taken back"
        return f"{name} allows no more of a value than were {said}: {', '.join(map(str, cards_json(state, limited)))}"
    last = divmod(int(state.last) - CHOOSE, LANES)
    before = f"{int(state.values[last[1]])} from the {place_names(int(state.seats))[last[0]]}"
    return f"cards are chosen in falling value, then {', '.join(place_names(int(state.seats)))}; a {before} was chosen before"


def _why_not_target(edition: Edition, state: State, seat: int, target: int) -> str:
    name = legend_name(edition, int(state.kind))
    if target == seat:
        return f"{name} cannot be aimed at oneself"
    if int(state.whom[int(state.kind)]) == TO_FEWEST:
        return f"{name} goes to a player with the fewest cards in hand, and seat {target} has more"
    return f"{name} cannot be aimed at seat {target}"


def _why_not_reactivate(edition: Edition, state: State, seat: int, position: int) -> str:
    i = int(nth_of_saga(state, seat, position))
    if i == NONE:
        return f"there is no Legend at position {position} of your Saga"
    kind = int(state.saga_kind[i])
    if int(state.does[kind]) == DO_REACTIVATE:
        return f"{legend_name(edition, kind)} cannot activate another of its effect"
    if not can_reactivate(state, seat, i):
        return f"{legend_name(edition, kind)} lies further left in your Saga in the same state: choose that one"
    return f"{legend_name(edition, kind)} can be activated"
