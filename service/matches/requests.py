"""Request keys: the same request, sent again because its answer was lost, is granted once and answered the same."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from service.matches.errors import BadRequestKey

KEY_MAX = 200
#: Without a seat token the key is all that tells one asker from another, so it must be hard to guess.
ANONYMOUS_KEY_MIN = 16


@dataclass(frozen=True)
class Request:
    """A client's key for one request.

    Attributes:
        key: chosen by the client (`Idempotency-Key`), at most 200 characters.
        digest: of the body; the same key with another digest is refused.
    """

    key: str
    digest: str

    @classmethod
    def of(cls, key: str, body: bytes) -> Request:
        """Return the request with this key and body.

        Raises:
            BadRequestKey: empty or too long.
        """
        if not 0 < len(key) <= KEY_MAX:
            raise BadRequestKey(f"a request key has 1 to {KEY_MAX} characters")
        return cls(key, hashlib.sha256(body).hexdigest()[:32])

    def field(self, scope: str) -> str:
        """Return the key as it is stored: hashed, and apart for each scope (a seat, `create`, `take`)."""
        return hashlib.sha256(f"{scope}\0{self.key}".encode()).hexdigest()[:32]

    def guard_anonymous(self) -> None:
        """Refuse a key that another client might hit by chance.

        Raises:
            BadRequestKey: shorter than 16 characters.
        """
        if len(self.key) < ANONYMOUS_KEY_MIN:
            raise BadRequestKey(
                f"without a seat token a request key must be hard to guess: at least {ANONYMOUS_KEY_MIN} characters, "
                "for example a random UUID"
            )

    def token(self, seed: bytes, match_id: str, seat: int) -> str:
        """Return the seat token that this request is answered with, each time it is sent.

        It can be computed from the match's seed and the key together only: the store holds the one, the client the other.
        """
        word = hmac.new(seed, f"token:{match_id}:{seat}:{self.key}".encode(), hashlib.sha256)
        return word.hexdigest()[:48]
