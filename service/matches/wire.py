"""JSON as it is stored and sent: compact, in UTF-8."""

from __future__ import annotations

from typing import Any

import orjson


def dumps(value: Any) -> bytes:
    """Return a value as JSON.

    Raises:
        TypeError: it is none, for example because of a number of numpy's.
    """
    return orjson.dumps(value)


def loads(text: bytes) -> Any:
    """Return what JSON of ours says; what clients send is read more strictly, by the API.

    Raises:
        ValueError: it is not JSON.
    """
    return orjson.loads(text)
