"""Lemmings: secret roles on the run to the cliff. What kind of game it is:

    seats        2-6
    chance       roles, the deck, the first seat, reshuffles
    hidden       roles, hands, the order of the draw pile; answers in a reaction window
    at once      in a reaction window all seats but one answer at the same time
    payoff       1 to the one that is the last on the ground, 0 to all others; often nobody wins
    length       see `longest`; the 400th turn ends a match

Read `state.py` (numbers and names), then `rules.py`, `hidden.py`, `actions.py`, `view.py`.
"""

from __future__ import annotations

from engines.editions import Edition
from engines.game import Game, Kernels
from engines.kernel import State
from engines.lemmings import actions, editions, hidden, rules, view
from engines.lemmings.state import ACTIONS, AWAITED, MAX_ACTIONS, PASS, REASONS, STATE, WINDOW


def silence(edition: Edition, state: State, seat: int) -> int | None:  # noqa: ARG001
    """Return pass for a seat that is awaited in a reaction window, whether or not it holds a No way!."""
    return PASS if state.phase == WINDOW and state.players[seat].answer == AWAITED else None


GAME = Game(
    name="lemmings",
    title="Lemmings",
    summary="Everyone is secretly one of six lemmings running for the cliff, and wants to be the last on the ground.",
    min_seats=2,
    max_seats=6,
    reasons=REASONS,
    max_actions=MAX_ACTIONS,
    dtype=STATE,
    kernels=Kernels(rules.deal, rules.awaiting, rules.legal, rules.play, hidden.redact, hidden.imagine, rules.payoffs),
    editions=editions.EDITIONS,
    options_schema=editions.OPTIONS_SCHEMA,
    check_options=editions.check_options,
    variants=editions.variants,
    configure=editions.configure,
    encode=actions.encode,
    decode=actions.decode,
    explain=actions.explain,
    _describe=actions.describe,
    _view=view.view,
    _events=view.events,
    _outcome=view.outcome,
    _silence=silence,
    information="hidden: roles, hands, the order of the draw pile, answers in a reaction window",
    chance="roles, deck, first seat, reshuffles",
    longest=4000,
    action_numbers=ACTIONS,
)
