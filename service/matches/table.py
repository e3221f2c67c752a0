"""`Matches`: all that the API and the workers do with matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from engines import GAMES, Game, editions
from service.matches import queue
from service.matches.clock import Clock
from service.matches.following import Following
from service.matches.ledger import Ledger
from service.matches.lobby import Lobby
from service.matches.playing import Playing
from service.matches.seating import Seating
from service.matches.store import Store, connect
from service.settings import Settings


class Matches(Ledger):
    """The matches in a store, and all that is done with them.

    How they come about is in `Seating`, how they are played in `Playing`, and how they are followed in `Following`; what
    these do has its name here, too. `lobby` is what players do apart from playing.

    Args:
        store: where they are.
        games: by name.
        settings: times.
        clock: the time.
        levels: the AI levels there are.
        enqueue: (match id, version since which the seat decides, seat) -> None: asks a worker to think; may fail, for
            what is due is found again by the sweeper. None: only the sweeper.
        advise: (match id, version, seat) -> None: asks a worker to think about a hint; may fail. None: nobody does.
        analyse: (match id, seat) -> None: asks a worker to look at a seat's moves; may fail. None: nobody does.
        settle: (match id) -> None: asks a worker to see to what follows the end of a match, as `enqueue` does.

    Attributes:
        guests: the bots; None: there are none. `service.bots.attach` brings them.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game] = GAMES,
        settings: Settings | None = None,
        clock: Clock | None = None,
        levels: Collection[int] = range(1, 9),
        enqueue: Callable[[str, int, int], None] | None = None,
        advise: Callable[[str, int, int], None] | None = None,
        analyse: Callable[[str, int], None] | None = None,
        settle: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(store, games, settings, clock, levels)
        self.enqueue = enqueue
        self.advise = advise
        self.analyse = analyse
        self.settle = settle
        self.lobby = Lobby(self)
        seating, playing, self.following = Seating(self, self.lobby), Playing(self, self.lobby), Following(self)
        following = self.following
        self.create, self.check_bot = seating.create, seating.check_bot
        self.take_seat, self.claim_seat, self.accept = seating.take_seat, seating.claim_seat, seating.accept
        self.play, self.play_ai, self.hand_over = playing.play, playing.play_ai, playing.hand_over
        self.resign_late, self.abandon = playing.resign_late, playing.abandon
        self.invitation_over = playing.invitation_over
        self.due, self.lease, self.release = playing.due, playing.lease, playing.release
        self.events, self.wait, self.follow, self.woken = following.events, following.wait, following.follow, following.woken
        self.close = following.close

    @classmethod
    def open(cls, settings: Settings, games: Mapping[str, Game] = GAMES, **kwargs: Any) -> Matches:
        """Return the matches in the server that the settings name, with its queue, its bots, and the editions they name."""
        from service.bots import attach  # it is made of matches, and these are made without it

        if settings.editions_dir is not None:
            editions.add_folder(settings.editions_dir)
        store = Store(connect(settings), settings)
        client = queue.connect(settings)
        asking = {"enqueue": queue.Thinking(client), "advise": queue.Advising(client), "settle": queue.Settling(client)}
        asking["analyse"] = queue.Analysing(client)
        table = cls(store, games, settings, **{**asking, **kwargs})
        attach(table, post=queue.Posting(client))
        return table
