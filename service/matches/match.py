"""`Match`: one match as it is stored, its seats, and how both are written into a Redis hash and read back.

The hash has one field for what never changes (`meta`), one for each thing that changes at its own pace, and the engine's
state as bytes:

    version  status  meta  seed  seats  live  state
"""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from service.matches.wire import dumps, loads

Json: TypeAlias = dict[str, Any]
Status: TypeAlias = Literal["open", "running", "over", "aborted"]
#: "me": a person who holds the seat's token; "open": nobody yet; "ai": a level of ours; "bot": a bot with an account.
Kind: TypeAlias = Literal["me", "open", "ai", "bot"]
OnTimeout: TypeAlias = Literal["ai", "move", "resign"]

#: Digits and small letters without those that look alike (0 o, 1 l i).
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 14
_ID = re.compile(f"[{ALPHABET}]{{{ID_LENGTH}}}")
BUCKETS = 64
#: Stands before a bot's name where others have a token's hash; names have no dot, hashes neither.
BOT_OPENER = "bot."


def new_id() -> str:
    """Return a fresh match id (69 random bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def id_from(digest: str) -> str:
    """Return the match id that belongs to a hex digest (of at least 32 digits)."""
    number, letters = int(digest, 16), []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)


def is_id(text: str) -> bool:
    """Return whether a text can be a match id; ids become keys, so nothing else may pass."""
    return _ID.fullmatch(text) is not None


def bucket(match_id: str) -> int:
    """Return the bucket, 0..63, that all keys of a match share."""
    return zlib.crc32(match_id.encode()) % BUCKETS


@dataclass(frozen=True)
class Seat:
    """A place at the table and who sits there.

    Attributes:
        kind: who may play here.
        name: shown to everybody.
        level: the AI's level, a fraction between two if it was asked for by Elo ("ai").
        elo: the Elo rating it was asked for by.
        token_hash: what opens it: SHA-256 in hex of its token ("me"), or `BOT_OPENER` and the bot's name ("bot"); of an open
            seat, what opens it for whom it is kept.
        auto_pass: pass at once in a reaction window when passing is all the seat can do.
        stand_in: the AI level that plays for a player who is away; None: the player plays.
        kept_until: of an open seat: until when it is kept for a bot, in ms; None: as long as the match is open.
    """

    kind: Kind
    name: str = ""
    level: float | None = None
    token_hash: str | None = None
    auto_pass: bool = False
    stand_in: int | None = None
    kept_until: int | None = None
    elo: float | None = None

    @property
    def bot(self) -> str | None:
        """The name of the bot that sits here, or for which an open seat is kept; None: no bot."""
        opener = self.token_hash or ""
        return opener.removeprefix(BOT_OPENER) if opener.startswith(BOT_OPENER) else None

    @property
    def ai_level(self) -> float | None:
        """The level of the AI that decides here now; None: a player does."""
        return self.level if self.kind == "ai" else self.stand_in

    def to_json(self, seat: int) -> Json:
        """Return what everybody may know of the seat."""
        data: Json = {"seat": seat, "kind": self.kind, "name": self.name}
        if self.level is not None:
            data["level"] = self.level
        if self.elo is not None:
            data["elo"] = self.elo
        if self.stand_in is not None:
            data["stand_in"] = self.stand_in
        if self.bot is not None:
            data["bot"] = self.bot
        return data


@dataclass(frozen=True)
class Turn:
    """A seat's present decision.

    Attributes:
        since: the version at which it began; a version given by a client is stale only if it is older.
        began: when, in ms.
        deadline: when the player must have answered, in ms; None: no hurry.
        due: when somebody must look at the seat (an AI's thought, a clock), in ms; None: never.
    """

    since: int = 0
    began: int = 0
    deadline: int | None = None
    due: int | None = None


@dataclass(frozen=True)
class Match:
    """One match at one version.

    Attributes:
        id: see `new_id`.
        game: the game's name.
        edition: the edition's name; edition_digest: its digest.
        layout: `Game.layout`, without which the state's bytes cannot be read.
        options: complete, `edition` among them.
        seed: 32 secret bytes; seed_hash: their SHA-256 in hex, published from the start.
        turn_seconds, on_timeout: the turn clock, if any, and what happens when it runs out.
        reaction_seconds: how long a player has in a reaction window.
        created: in ms.
        rated: whether it counts for ratings.
        seeded: the creator chose the seed, and so can know every card.
        join_code: needed to take a seat of a private match, which is not listed either; None: a public match.
        spectator_delay_seconds: how much later than the seats spectators see what happens, until the match is over.
        expiry_seconds: how long it is kept after its last change until it is over, if less than the settings say; None: that.
        rematch_of: the match it is played again for.
        draws: whether its players may agree on a draw.
        tournament: the tournament it belongs to; None: none.
        dealt_as: the name under which its cards are dealt and drawn, the same in all matches of a duplicate deal; None: its id.
        version: counts commits from 1.
        status: see `Status`.
        seats: in order.
        turns: the present decision of each seat.
        played: how many actions have been played.
        changed: when, in ms.
        state: the engine's state; None before the deal.
        ended: how it ended if not by the game's own rules (`Outcome` as JSON).
        rematch: the match that is played again for this one.
        draw_offers: the seats that have offered a draw, rising.
    """

    id: str
    game: str
    edition: str
    edition_digest: str
    layout: str
    options: Json
    seed: bytes
    seed_hash: str
    turn_seconds: float | None
    on_timeout: OnTimeout
    reaction_seconds: float
    created: int
    rated: bool = True
    seeded: bool = False
    join_code: str | None = None
    spectator_delay_seconds: float = 0
    expiry_seconds: int | None = None
    rematch_of: str | None = None
    draws: bool = False
    tournament: str | None = None
    dealt_as: str | None = None
    version: int = 0
    status: Status = "open"
    seats: tuple[Seat, ...] = ()
    turns: tuple[Turn, ...] = ()
    played: int = 0
    changed: int = 0
    state: bytes | None = None
    ended: Json | None = field(default=None)
    rematch: str | None = None
    draw_offers: tuple[int, ...] = ()

    @property
    def private(self) -> bool:
        """Whether only those who know the code may join."""
        return self.join_code is not None

    @property
    def chance_name(self) -> str:
        """The name that is part of every `chance_key` of the match."""
        return self.dealt_as or self.id

    @property
    def settles(self) -> bool:
        """Whether somebody must look at the match once more, now that it has ended: it may be rated, or a tournament waits."""
        if self.status not in ("over", "aborted"):
            return False
        return self.tournament is not None or (self.rated and all(seat.kind in ("ai", "bot") for seat in self.seats))

    def empty_seats(self) -> list[int]:
        """Return the seats where nobody sits yet, rising."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "open"]

    def open_seats(self) -> list[int]:
        """Return the seats that anybody may take, rising: empty ones that are kept for nobody, while the match is open."""
        if self.status != "open":
            return []
        return [number for number in self.empty_seats() if self.seats[number].token_hash is None]

    def delay_ms(self, viewer: int | None) -> int:
        """Return how much later than the seats a viewer sees the match; nothing is held back of one that has ended."""
        held = viewer is None and self.status in ("open", "running")
        return round(self.spectator_delay_seconds * 1000) if held else 0

    def with_seat(self, number: int, seat: Seat) -> Match:
        """Return the match with one seat replaced."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    # Storing

    def to_hash(self) -> dict[str, bytes | str]:
        """Return the fields that a commit writes into the Redis hash, `version` apart (the script writes that).

        What never changes is written with the first version only.
        """
        live = {
            "turns": [[turn.since, turn.began, turn.deadline, turn.due] for turn in self.turns],
            "played": self.played,
            "changed": self.changed,
            "ended": self.ended,
            "rematch": self.rematch,
            "draw_offers": self.draw_offers,
        }
        first: dict[str, bytes | str] = {}
        if self.version == 1:
            first = {"meta": dumps({name: getattr(self, name) for name in _META}), "seed": self.seed}
        return {
            **first,
            "status": self.status,
            "seats": dumps([seat.__dict__ for seat in self.seats]),
            "live": dumps(live),
            "state": self.state or b"",
        }

    @classmethod
    def from_hash(cls, match_id: str, data: Mapping[bytes, bytes]) -> Match:
        """Return the match that `to_hash` wrote."""
        live = loads(data[b"live"])
        return cls(
            id=match_id,
            **loads(data[b"meta"]),
            seed=data[b"seed"],
            version=int(data[b"version"]),
            status=data[b"status"].decode(),  # type: ignore[arg-type]
            seats=tuple(Seat(**seat) for seat in loads(data[b"seats"])),
            turns=tuple(Turn(*turn) for turn in live["turns"]),
            played=live["played"],
            changed=live["changed"],
            ended=live["ended"],
            rematch=live.get("rematch"),
            draw_offers=tuple(live.get("draw_offers", ())),
            state=data[b"state"] or None,
        )


_META = (
    "game",
    "edition",
    "edition_digest",
    "layout",
    "options",
    "seed_hash",
    "turn_seconds",
    "on_timeout",
    "reaction_seconds",
    "created",
    "rated",
    "seeded",
    "join_code",
    "spectator_delay_seconds",
    "expiry_seconds",
    "rematch_of",
    "draws",
    "tournament",
    "dealt_as",
)
