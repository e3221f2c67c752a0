"""Valhalla Lemmings: lose gloriously. Clan chiefs send warriors to battle; the strong win Legends and keep their warriors.

players      3-6, and a game of its own for two
decisions    choosing cards for the battle (and stakes) is simultaneous, all else sequential
hidden       hands as far as cards moved unseen, choices and stakes until shown, the Reserves, the discard pile, the Legend deck
chance       First Player, the Legends, draws from the discard pile and the Reserves
sizes        10 Village cards a clan, 1-3 sent a turn, 44 Legends of 15 kinds, at most 200 turns
"""

from __future__ import annotations

from engines.game import Game, Kernels
from engines.valhalla.actions import decode, describe, encode, explain
from engines.valhalla.editions import EDITIONS, MAX_SEATS, MIN_SEATS, OPTIONS_SCHEMA, check_options, configure, variants
from engines.valhalla.hidden import imagine, redact
from engines.valhalla.rules import awaiting, deal, legal, payoffs, play
from engines.valhalla.state import ACTIONS, MAX_ACTIONS, REASONS, STATE
from engines.valhalla.view import events, outcome, view

GAME = Game(
    name="valhalla",
    title="Valhalla Lemmings",
    summary="Send warriors to battle and lose them: whoever first has none left wins, and the strong get theirs back.",
    min_seats=MIN_SEATS,
    max_seats=MAX_SEATS,
    reasons=REASONS,
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
    information="hidden: cards drawn and passed, choices and stakes until shown, the Reserves, the order of Legends",
    chance="First Player, the Legends that arrive, draws from the discard pile and the Reserves",
    longest=480,
    action_numbers=ACTIONS,
)
