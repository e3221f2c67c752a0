"""Cursors: where a list goes on, and of which list it is, so that one of another list is refused and never just read."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from marshmallow import fields, validate

from service.api.inputs import about
from service.matches.errors import BadCursor

_CURSOR = re.compile("([!-}]{1,120})~([0-9a-f]{8})")
PATTERN = f"^{_CURSOR.pattern}$"


def next_of(place: str | int | None, *of: Any) -> str | None:
    """Return the cursor of a place; None for none, at the end of a list.

    Args:
        place: in the list, in printable ASCII without `~`.
        of: what the list is, its filters among it.
    """
    return None if place is None else f"{place}~{_mark(of)}"


def place_in(cursor: str | None, *of: Any) -> str | None:
    """Return the place a cursor says; None for none.

    Raises:
        BadCursor: it is of another list.
    """
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if found is None or found[2] != _mark(of):
        raise BadCursor("this cursor is of another list, or of this one with other filters; begin again without one")
    return found[1]


def number_in(cursor: str | None, *of: Any) -> int | None:
    """Return the number a cursor says, as `place_in` does."""
    place = place_in(cursor, *of)
    if place is not None and not (place.isascii() and place.isdigit() and len(place) < 16):
        raise BadCursor("this is no place in the list; begin again without a cursor")
    return None if place is None else int(place)


def cursor_field() -> fields.String:
    """Return the query's field for a cursor."""
    return fields.String(
        load_default=None,
        validate=validate.Regexp(PATTERN, error="Must be the `next` of another page."),
        **about("The `next` of the page before, asked for with the same filters."),
    )


def limit_field(default: int = 20, most: int = 100) -> fields.Integer:
    """Return the query's field for the length of a page."""
    return fields.Integer(
        load_default=default, validate=validate.Range(min=1, max=most), **about("The most entries to answer.")
    )


def next_field() -> fields.String:
    """Return the answer's field for the next page."""
    return fields.String(
        required=True, allow_none=True, **about("Send it as `cursor` for the next page; null: this is the last.")
    )


def _mark(of: tuple[Any, ...]) -> str:
    return hashlib.sha256("\0".join(map(str, of)).encode()).hexdigest()[:8]
