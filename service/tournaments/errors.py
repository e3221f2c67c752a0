"""What can go wrong with tournaments."""

from __future__ import annotations

from service.matches.errors import MatchError


class TournamentNotFound(MatchError):
    """There is no such tournament, or it has expired."""

    code = "tournament_not_found"


class TournamentNotRunning(MatchError):
    """The tournament is over or was aborted. Extra: `status`."""

    code = "tournament_not_running"


class TournamentTokenNeeded(MatchError):
    """Something only the creator may do, asked without his token."""

    code = "tournament_token_needed"


class BadEntrants(MatchError):
    """Entrants that cannot play: too few, twice the same, or none there is. Extra: `entrant` where one is to blame."""

    code = "bad_entrants"


class TournamentTooLarge(MatchError):
    """More matches than a tournament may have. Extra: `matches`, how many it would have; `limit`."""

    code = "tournament_too_large"


class TooManyTournaments(MatchError):
    """So many tournaments are running that no further one may begin. Extra: `limit`."""

    code = "too_many_tournaments"
