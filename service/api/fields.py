"""Small field types the schemas share."""

from __future__ import annotations

from typing import Any

from marshmallow import fields


class Whole(fields.Integer):
    """A JSON integer: 3 and 3.0, but neither "3" nor true."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return super()._validated(value)


class Flag(fields.Boolean):
    """A boolean in a query: `true`, `1`, `false`, `0`."""

    truthy = {"true", "1"}
    falsy = {"false", "0"}


class YesNo(fields.Boolean):
    """A JSON boolean, and nothing that merely looks like one."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """A JSON string of printable characters, without control characters or lone spaces at its ends."""

    default_error_messages = {"unprintable": "Only printable characters, and none blank at either end."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, attr, data, **kwargs)
        if not text.isprintable() or text != text.strip():
            raise self.make_error("unprintable")
        return text
