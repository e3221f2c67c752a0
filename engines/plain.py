"""A state as plain Python: numpy records take microseconds for every attribute, and a view reads hundreds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
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
    named: SimpleNamespace = _reader(state.dtype, HEADER | skip)(state.item())
    return named


@cache
def _reader(dtype: np.dtype[Any], skip: frozenset[str] = frozenset()) -> Callable[[tuple[Any, ...]], SimpleNamespace]:
    """Return what turns the items of a record into a namespace, its fields looked up once and for all."""
    fields = dtype.fields
    assert fields is not None
    kept = [(index, name, _converter(entry[0])) for index, (name, entry) in enumerate(fields.items()) if name not in skip]
    scalars = [(index, name) for index, name, convert in kept if convert is None]
    others = [(index, name, convert) for index, name, convert in kept if convert is not None]

    def read(items: tuple[Any, ...]) -> SimpleNamespace:
        named = {name: items[index] for index, name in scalars}
        for index, name, convert in others:
            named[name] = convert(items[index])
        return SimpleNamespace(**named)

    return read


def _converter(dtype: np.dtype[Any]) -> Callable[[Any], Any] | None:
    """Return what makes plain Python of a field's item; None: it is that already."""
    if dtype.base.fields is None:
        return np.ndarray.tolist if dtype.shape else None
    read = _reader(dtype.base)
    if dtype.shape:
        return lambda rows: [read(row) for row in rows.tolist()]
    return read
