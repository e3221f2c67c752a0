"""How the helpers of the kernels are compiled: few variants, and little around them.

A helper is called with all the integer types that numba tells apart (a field of a record, a constant, a loop's counter), and
numba compiles it for each. Compiling is most of a first start, so a helper here is compiled for 64-bit integers only, and
without the wrappers that only calls from Python need; such calls, of views and tests, go to a second form with wrappers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])


def widened(kind: Any) -> Any:
    """Return int64 for a numba integer type that it can hold, other types unchanged."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.Integer) and kind != types.uint64:
        return types.int64
    return kind


def _namesake(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function under another qualified name, by which numba's disk cache tells functions apart."""
    original = cast(FunctionType, function)
    copy = FunctionType(original.__code__, original.__globals__, original.__name__, original.__defaults__, original.__closure__)
    copy.__qualname__ = f"{original.__qualname__}_from_python"
    copy.__module__ = original.__module__
    return copy


class Helper(CPUDispatcher):
    """A helper: compiled when compiled code first calls it, once for all widths of integers; cached on disk."""

    def __init__(self, function: Callable[..., Any]) -> None:
        options = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(py_func=function, targetoptions=options)
        self.enable_caching()
        self._from_python = numba.njit(cache=True, nogil=True)(_namesake(function))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Answer numba how a call with arguments of these types is compiled."""
        return super().get_call_template(tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    def __call__(self, *args: Any) -> Any:
        """Call the helper from Python."""
        return self._from_python(*args)


def helper(function: F) -> F:
    """Compile a helper when it is first used; cached on disk."""
    if getattr(numba.config, "DISABLE_JIT"):  # noqa: B009  (set at run time, unknown to type checkers)
        return function
    return cast(F, Helper(function))
