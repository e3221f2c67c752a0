"""What the schemas share: their kinds, and the strict kinds of input."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, INCLUDE, RAISE, Schema, fields


def about(description: str) -> dict[str, Any]:
    """Return the keyword arguments that describe a field in the OpenAPI document."""
    return {"metadata": {"description": description}}


class Input(Schema):
    """A schema of what clients send: it refuses unknown fields, and the OpenAPI document says so."""

    class Meta:
        """Options of the schema."""

        unknown = RAISE


class Answer(Schema):
    """A schema of what clients are sent: it promises its fields and leaves room for more."""

    class Meta:
        """Options of the schema."""

        unknown = EXCLUDE


class Open(Schema):
    """A schema of which each game or problem fills in more than its fields."""

    class Meta:
        """Options of the schema."""

        unknown = INCLUDE


class Whole(fields.Integer):
    """A JSON integer: 3 and 3.0, but neither "3" nor true."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return super()._validated(value)


class Number(fields.Float):
    """A JSON number, and nothing that merely looks like one."""

    def _validated(self, value: Any) -> Any:
        if not isinstance(value, int | float):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class Plain(fields.Float):
    """A number in an answer, shown as it is: 3 stays 3."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return value


class Flag(fields.Boolean):
    """A boolean in a query: `true`, `1`, `false`, `0`."""

    truthy = {"true", "1"}
    falsy = {"false", "0"}


class YesNo(fields.Boolean):
    """A JSON boolean, and nothing that merely looks like one."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, *args, **kwargs))


class Text(fields.String):
    """A JSON string of printable characters, without control characters or lone spaces at its ends."""

    default_error_messages = {"unprintable": "Only printable characters, and none blank at either end."}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, *args, **kwargs)
        if not text.isprintable() or text != text.strip():
            raise self.make_error("unprintable")
        return text
