"""What can go wrong at a table: one base class, a stable code each, and never an HTTP number."""

from __future__ import annotations

from typing import Any, ClassVar


class MatchError(Exception):
    """A request that cannot be granted.

    Attributes:
        code: stable, for programs.
        detail: a sentence for people: what was wrong and what would be right.
        extra: further JSON-able facts (`legal_actions`, `version`, ...).
    """

    code: ClassVar[str] = "match_error"

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra


class MatchNotFound(MatchError):
    """There is no such match, or it has expired."""

    code = "match_not_found"


class MatchOutdated(MatchError):
    """The match was begun with another release of its game, or its edition is not here any more."""

    code = "match_outdated"


class BadToken(MatchError):
    """A seat token that opens no seat of this match."""

    code = "bad_token"


class SeatTokenNeeded(MatchError):
    """Something only a seat may do, asked without a seat token."""

    code = "seat_token_needed"


class NotYourSeat(MatchError):
    """A seat token, but for another seat."""

    code = "not_your_seat"


class MatchNotRunning(MatchError):
    """The match has not begun or is over. Extra: `status`."""

    code = "match_not_running"


class MatchNotOpen(MatchError):
    """The match has begun or was given up. Extra: `status`."""

    code = "match_not_open"


class MatchNotOver(MatchError):
    """Something for matches that were played to an end. Extra: `status`."""

    code = "match_not_over"


class SeatNotFound(MatchError):
    """The match has no such seat. Extra: `seats`, how many it has."""

    code = "seat_not_found"


class VersionNotFound(MatchError):
    """The match never was at that version. Extra: `version`, its newest."""

    code = "version_not_found"


class BadCursor(MatchError):
    """A place in the log that this match has not come to. Extra: `version`, its newest."""

    code = "bad_cursor"


class JoinCodeNeeded(MatchError):
    """A seat of a private match, asked for without its code."""

    code = "join_code_needed"


class BadJoinCode(MatchError):
    """Not the code of this private match."""

    code = "bad_join_code"


class TooManyGuesses(MatchError):
    """Codes were tried too often; the right one is not looked at either. Extra: `retry_after_s`."""

    code = "too_many_guesses"


class NoDraws(MatchError):
    """A draw cannot be agreed here: the match was created without, or an AI plays. Extra: `ai_seats`."""

    code = "no_draws"


class NoDrawOffer(MatchError):
    """There is no offer of a draw to decline or to take back."""

    code = "no_draw_offer"


class NotYourDecision(MatchError):
    """The seat has nothing to decide now. Extra: `awaiting`."""

    code = "not_your_decision"


class StaleVersion(MatchError):
    """The version given is older than the seat's present decision. Extra: `version`, the match's present one."""

    code = "stale_version"


class UnreadableAction(MatchError):
    """Not an action of this game. Extra: `index` in the sequence."""

    code = "unreadable_action"


class IllegalAction(MatchError):
    """An action the rules do not allow now. Extra: `legal_actions`, `index` in the sequence."""

    code = "illegal_action"


class Reveals(MatchError):
    """A sequence that goes on after something was shown, drawn, or left to another seat. Extra: `index`."""

    code = "reveals"


class RequestReused(MatchError):
    """A request key that was used before, with another body."""

    code = "request_reused"


class BadRequestKey(MatchError):
    """A request key that cannot be used: empty, too long, or, without a seat token, easy to guess."""

    code = "bad_request_key"


class SeatTaken(MatchError):
    """The seat asked for is not open. Extra: `open_seats`."""

    code = "seat_taken"


class NoOpenSeat(MatchError):
    """Every seat is taken."""

    code = "no_open_seat"


class BadOptions(MatchError):
    """An option the game does not have, or a value it cannot take. Extra: `option`."""

    code = "bad_options"


class BadSeats(MatchError):
    """Seats that cannot be set up: wrong number, kind or name. Extra: `seat` where one is to blame."""

    code = "bad_seats"


class UnknownGame(MatchError):
    """There is no game of that name. Extra: `games`."""

    code = "unknown_game"


class UnknownLevel(MatchError):
    """There is no AI level of that number. Extra: `levels`."""

    code = "unknown_level"


class UnknownBot(MatchError):
    """A seat for a bot that there is not. Extra: `bot`."""

    code = "unknown_bot"


class BotDoesNotPlay(MatchError):
    """A seat for a bot in a game it does not play. Extra: `bot`, `games`."""

    code = "bot_does_not_play"


class BotBusy(MatchError):
    """The bot has as many matches, or invitations, as it takes at a time. Extra: `bot`, `limit`."""

    code = "bot_busy"


class BotNotSeated(MatchError):
    """A bot's key, and the bot has no seat in this match."""

    code = "bot_not_seated"


class BotSeated(MatchError):
    """A second seat for a bot that has one in this match. Extra: `seat`."""

    code = "bot_seated"


class InvitationNotFound(MatchError):
    """The bot is not invited to this match, or not any more."""

    code = "invitation_not_found"


class HintRunning(MatchError):
    """A hint for this seat is being thought about. Extra: `version`, what it is about."""

    code = "hint_running"


class HintLimit(MatchError):
    """The seat has had all its hints in this match. Extra: `limit`."""

    code = "hint_limit"


class HintNotFound(MatchError):
    """The seat has asked for no hint about this version, or it has expired."""

    code = "hint_not_found"


class StoreUnavailable(MatchError):
    """The server that holds the matches does not answer; nothing was half-written. Try again later."""

    code = "store_unavailable"
