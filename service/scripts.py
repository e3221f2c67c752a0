"""Lua scripts: `Scripts` are those beside a module, by name; `Script` is one called several times in one round trip."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import redis.exceptions


def beside(module: str, name: str) -> str:
    """Return the text of a script that lies beside a module.

    Args:
        module: its `__file__`.
        name: the script's file without `.lua`.
    """
    return Path(module).with_name(f"{name}.lua").read_text("utf-8")


class Scripts:
    """The scripts beside a module, sent once and then called by their digest, with `keys` and `args`.

    Args:
        client: of the server they run on.
        module: its `__file__`.
    """

    def __init__(self, client: Any, module: str) -> None:
        self._client = client
        self._module = module
        self._known: dict[str, Callable[..., Any]] = {}

    def __call__(self, name: str) -> Callable[..., Any]:
        """Return one of them."""
        if name not in self._known:
            self._known[name] = self._client.register_script(beside(self._module, name))
        return self._known[name]


class Script:
    """A script called several times in one round trip, with keys that need not share a slot.

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
