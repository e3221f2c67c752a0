"""Lemminge: a hex race over terrain, for 2 to 5.

In turn order; hands and draw pile are hidden, the board and all played cards are public; chance in the deal and in drawing; no
simultaneous choices. One winner, but for a stalemate.
"""

from __future__ import annotations

from engines.game import Game, Kernels
from engines.lemminge import actions, editions, view
from engines.lemminge.hidden import imagine, redact
from engines.lemminge.rules import awaiting, deal, legal, payoffs, play
from engines.lemminge.state import MAX_ACTIONS, PUT_END, SEATS, STATE

GAME = Game(
    name="lemminge",
    title="Lemminge",
    summary="A hex race: bring both lemmings home on piles of terrain cards that grow until a higher card comes.",
    min_seats=2,
    max_seats=SEATS,
    reasons=tuple(view.REASONS.values()),
    max_actions=MAX_ACTIONS,
    dtype=STATE,
    kernels=Kernels(deal, awaiting, legal, play, redact, imagine, payoffs),
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
    information="hidden: the other hands and the draw pile; a seat knows all cards that are in neither, together",
    chance="the first seat, the deal, every card drawn",
    longest=8000,
    action_numbers=PUT_END,
)
