"""What the views work with; one for each application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from flask import current_app

from engines import Game
from service.api.bodies import Bodies
from service.bots import BotGuests
from service.bots.feed import Feed
from service.bots.invitations import Invitations
from service.matches.advice import Advice
from service.matches.analysis import Analyses
from service.matches.queue import Settling
from service.matches.table import Matches
from service.ratings import Ratings
from service.settings import Settings
from service.tournaments import Tournaments


@dataclass(frozen=True)
class Context:
    """The application's parts.

    Attributes:
        settings: as read at the start.
        games: what can be played.
        matches: the table; all reading and writing of matches goes through it.
        bodies: what was answered about versions of matches lately.
    """

    settings: Settings
    games: Mapping[str, Game]
    matches: Matches
    bodies: Bodies = field(default_factory=Bodies)

    @cached_property
    def ratings(self) -> Ratings:
        """How strong AIs and bots are."""
        return Ratings(self.matches)

    @cached_property
    def tournaments(self) -> Tournaments:
        """Tournaments."""
        settle = self.matches.settle
        return Tournaments(self.matches, settle.tournament if isinstance(settle, Settling) else None)

    @cached_property
    def advice(self) -> Advice:
        """The hints."""
        return Advice(self.matches)

    @cached_property
    def analyses(self) -> Analyses:
        """What is said about matches that are over."""
        return Analyses(self.matches)

    @property
    def guests(self) -> BotGuests:
        """The bots."""
        assert isinstance(self.matches.guests, BotGuests)
        return self.matches.guests

    @cached_property
    def feed(self) -> Feed:
        """What bots are told."""
        return Feed(self.guests)

    @cached_property
    def invitations(self) -> Invitations:
        """What bots are invited to."""
        return Invitations(self.guests)


def context() -> Context:
    """Return the parts of the application that answers the present request."""
    return cast(Context, current_app.extensions["clifftop"])
