"""`Script`: a Lua script called several times in one round trip, with keys that need not share a slot."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import redis.exceptions


class Script:
    """A script.

    Args:
        client: of the server it runs on.
        text: what it does.
    """

    def __init__(self, client: Any, text: str) -> None:
        self._client = client
        self._text = text
        self._digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    def each(self, calls: Sequence[tuple[Sequence[str], Sequence[Any]]]) -> list[Any]:
        """Return the answers to some calls, each with its keys and arguments; the script is sent if the server lacks it.

        Every call of a failed round trip may be made again, so a script must not mind that.
        """
        try:
            return self._ask(calls)
        except redis.exceptions.NoScriptError:
            self._client.script_load(self._text)
            return self._ask(calls)

    def _ask(self, calls: Sequence[tuple[Sequence[str], Sequence[Any]]]) -> list[Any]:
        with self._client.pipeline(transaction=False) as pipe:
            for keys, arguments in calls:
                pipe.evalsha(self._digest, len(keys), *keys, *arguments)
            answers: list[Any] = pipe.execute()
        return answers
