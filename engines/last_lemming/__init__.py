"""Last Lemming: a trick-taking race in four acts. Stand far forward when an act ends, but do not fall off the cliff.

players      3-6 with one lemming each, 2-3 with two
decisions    sequential; choosing which 4 of 12 cards go back is simultaneous
hidden       hands, cards put back, undealt cards, later rule cards
chance       first seat, rule cards, one deal an act
sizes        8 tricks an act, 12 cards a hand, 6 lemmings, a track of 24 spaces with one fork
"""

from __future__ import annotations

from engines.game import Game, Kernels
from engines.last_lemming.actions import decode, describe, encode, explain
from engines.last_lemming.editions import EDITIONS, OPTIONS_SCHEMA, check_options, configure, variants
from engines.last_lemming.hidden import imagine, redact
from engines.last_lemming.rules import awaiting, deal, legal, payoffs, play
from engines.last_lemming.state import ACTIONS, MAX_ACTIONS, STATE
from engines.last_lemming.view import events, outcome, view

GAME = Game(
    name="last-lemming",
    title="Last Lemming",
    summary="A trick-taking race in four acts: stand far forward when an act ends, but do not fall off the cliff.",
    min_seats=2,
    max_seats=6,
    reasons=("most_points",),
    max_actions=MAX_ACTIONS,
    dtype=STATE,
    kernels=Kernels(deal, awaiting, legal, play, redact, imagine, payoffs),
    editions=EDITIONS,
    options_schema=OPTIONS_SCHEMA,
    check_options=check_options,
    variants=variants,
    configure=configure,
    encode=encode,
    decode=decode,
    explain=explain,
    _describe=describe,
    _view=view,
    _events=events,
    _outcome=outcome,
    information="hidden: hands, cards put back, undealt cards, rule cards of later acts",
    chance="first seat, rule cards, one deal an act",
    longest=351,
    action_numbers=ACTIONS,
)
