"""A state as plain Python: numpy records take microseconds for every attribute, and a view reads hundreds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from engines.kernel import State

#: Of the header: what no view needs.
HEADER = frozenset({"random", "seen", "log_code", "log_seats"})


def plain(state: State, skip: frozenset[str] = frozenset()) -> SimpleNamespace:
    """Return a copy of a state with ints, lists, and namespaces for nested records; read-only in spirit.

    Args:
        skip: fields to leave out besides the header's, e.g. big tables.
    """
    return _named(state.dtype, state.item(), HEADER | skip)


def _named(dtype: np.dtype[Any], values: tuple[Any, ...], skip: frozenset[str] = frozenset()) -> SimpleNamespace:
    fields = dtype.fields
    assert fields is not None
    named = {}
    for (name, entry), value in zip(fields.items(), values, strict=True):
        if name not in skip:
            named[name] = _value(entry[0], value)
    return SimpleNamespace(**named)


def _value(dtype: np.dtype[Any], value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if dtype.base.fields is None:
        return value
    if dtype.shape:
        return [_named(dtype.base, item) for item in value]
    return _named(dtype, value)
