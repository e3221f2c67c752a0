"""Compiled helpers that all games share: records, random numbers, shuffles, bit sets and the telling of events.

Everything here runs compiled, and uncompiled under `NUMBA_DISABLE_JIT=1` with the very same results. Two habits keep it so:
small fields are read into Python-sized ints first (`int(state.turn)`) before arithmetic, and all 64-bit unsigned
arithmetic lives in this file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba import types

from engines.helpers import helper as helper

#: A game state: one `np.record` (uncompiled) or numba record (compiled) of the game's `STATE` dtype.
State: TypeAlias = Any
Array: TypeAlias = Any
F = TypeVar("F", bound=Callable[..., Any])

#: The most seats any game has; `seen` and seat sets are sized by it.
MAX_SEATS = 6
#: The spectator's bit in a set of seats that are told an event.
SPECTATORS = 1 << 7
#: Everybody, spectators too.
ALL = 0xFF

# How much `tell` does, in `state.telling`: playouts need nothing, the search needs hashes, a real match needs the log too.
TELL_NOTHING = 0
TELL_HASH = 1
TELL_LOG = 2

_MASK = (1 << 64) - 1


# --- records ----------------------------------------------------------------------------------------------------------


class Record(np.record):  # type: ignore[misc]  # final in the stubs only
    """An `np.record` that finds its fields three to four times as fast: views read hundreds of them."""

    # `np.record` looks every name up in Python; the plain lookup knows its methods, and `__getattr__` is asked for the rest.
    __getattribute__ = np.void.__getattribute__

    def __getattr__(self, name: str) -> Any:
        try:
            return np.void.__getitem__(self, name)
        except ValueError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def _alignment(dtype: np.dtype[Any]) -> int:
    """Return the bytes a field of this type is aligned to: numpy forgets it for nested `np.record`s."""
    base = dtype.base
    if base.fields is None:
        return base.itemsize
    return max(_alignment(entry[0]) for entry in base.fields.values())


def record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return an `np.record` dtype of naturally aligned fields: attributes both compiled and uncompiled, nested or not.

    Args:
        fields: numpy field tuples `(name, dtype[, shape])`; largest first wastes no padding. Use signed integers: in
            compiled code `int()` of an unsigned field is unsigned, and unsigned with signed arithmetic is floating-point.

    Raises:
        ValueError: a name that `np.record` has itself (`round`, `item`, ...), which would hide the field uncompiled.
    """
    for entry in fields:
        if hasattr(np.record, entry[0]):
            raise ValueError(f"a field cannot be called {entry[0]!r}: numpy records have an attribute of that name")
    formats = [np.dtype((entry[1], entry[2])) if len(entry) == 3 else np.dtype(entry[1]) for entry in fields]
    offsets, end, widest = [], 0, 1
    for item in formats:
        step = _alignment(item)
        widest = max(widest, step)
        end += -end % step
        offsets.append(end)
        end += item.itemsize
    spec = {"names": [entry[0] for entry in fields], "formats": formats, "offsets": offsets, "itemsize": end + -end % widest}
    return np.dtype((Record, spec))


def state_dtype(fields: list[tuple[Any, ...]], log: int) -> np.dtype[Any]:
    """Return a game's state dtype: the header every game has, then the game's own fields.

    Args:
        fields: numpy field tuples `(name, dtype[, shape])`.
        log: how many events one `play` may tell at the most (kept until the next `play`).

    The header: `edition` (first 8 bytes of the edition's digest), `random` (xoshiro256** state), `seen` (per seat, a hash
    of all it has been shown), `log_code`/`log_seats`/`log_n` (what the last `play` told, and to whom), `seats`,
    `telling` (see TELL_*), `reveals` (1 once a play has drawn something random or shown something hidden).
    """
    header: list[tuple[Any, ...]] = [
        ("edition", "u8"),
        ("random", "u8", (4,)),
        ("seen", "u8", (MAX_SEATS,)),
        ("log_code", "u4", (log,)),
        ("log_seats", "i2", (log,)),
        ("log_n", "i2"),
        ("seats", "i1"),
        ("telling", "i1"),
        ("reveals", "i1"),
    ]
    return record(header + fields)


# --- compiling --------------------------------------------------------------------------------------------------------


def signatures(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return the explicit numba signature of every kernel, over the record type of `dtype`.

    Kernels are passed to the search as first-class functions; only with exactly these signatures is the search cached.
    """
    rec = numba.from_dtype(dtype)
    i64, u64 = types.int64, types.uint64
    actions, floats, words = types.int16[::1], types.float64[::1], types.uint64[::1]
    return {
        "deal": types.void(rec),
        "awaiting": i64(rec),
        "legal": i64(rec, i64, actions),
        "play": types.void(rec, i64, i64),
        "redact": types.void(rec, i64),
        "imagine": types.void(rec, i64, u64),
        "payoffs": types.void(rec, floats),
        # ai/playouts/<game>.py
        "choose": i64(rec, i64, actions, i64, words),
    }


def kernel(dtype: np.dtype[Any]) -> Callable[[F], F]:
    """Return the decorator that compiles a kernel, by its function's name, for states of `dtype`."""
    table = signatures(dtype)

    def compile_kernel(function: F) -> F:
        return cast(F, numba.njit(table[function.__name__], cache=True, nogil=True)(function))

    return compile_kernel


# --- 64-bit arithmetic ------------------------------------------------------------------------------------------------
# numpy scalars warn on overflow and plain ints do not wrap, so the uncompiled forms work on ints and mask.

if getattr(numba.config, "DISABLE_JIT"):  # noqa: B009  (set at run time, unknown to type checkers)

    def _add(a: Any, b: Any) -> Any:
        return np.uint64((int(a) + int(b)) & _MASK)

    def _mul(a: Any, b: Any) -> Any:
        return np.uint64((int(a) * int(b)) & _MASK)

    def _shl(a: Any, n: int) -> Any:
        return np.uint64((int(a) << n) & _MASK)

    def _shr(a: Any, n: int) -> Any:
        return np.uint64(int(a) >> n)

    def _xor(a: Any, b: Any) -> Any:
        return np.uint64(int(a) ^ int(b))

    def word(value: Any) -> Any:
        """Return a signed or unsigned integer as a 64-bit word (two's complement)."""
        return np.uint64(int(value) & _MASK)

else:

    @numba.njit(cache=True, nogil=True, inline="always")
    def _add(a: Any, b: Any) -> Any:
        return np.uint64(a) + np.uint64(b)

    @numba.njit(cache=True, nogil=True, inline="always")
    def _mul(a: Any, b: Any) -> Any:
        return np.uint64(a) * np.uint64(b)

    @numba.njit(cache=True, nogil=True, inline="always")
    def _shl(a: Any, n: int) -> Any:
        return np.uint64(a) << np.uint64(n)

    @numba.njit(cache=True, nogil=True, inline="always")
    def _shr(a: Any, n: int) -> Any:
        return np.uint64(a) >> np.uint64(n)

    @numba.njit(cache=True, nogil=True, inline="always")
    def _xor(a: Any, b: Any) -> Any:
        return np.uint64(a) ^ np.uint64(b)

    @numba.njit(cache=True, nogil=True, inline="always")
    def word(value: Any) -> Any:
        """Return a signed or unsigned integer as a 64-bit word (two's complement)."""
        return np.uint64(value)


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@helper
def mix(hashed: Any, code: Any) -> Any:
    """Fold one code into a 64-bit hash; order matters (the finaliser of splitmix64 over the running sum)."""
    z = _add(_xor(hashed, word(code)), _GOLDEN)
    z = _mul(_xor(z, _shr(z, 30)), _MIX_1)
    z = _mul(_xor(z, _shr(z, 27)), _MIX_2)
    return _xor(z, _shr(z, 31))


# --- random numbers: xoshiro256** (Blackman & Vigna 2018), four 64-bit words ------------------------------------------


@helper
def seed_words(words: Array, seed: Any) -> None:
    """Fill a generator's four words from one 64-bit seed, by splitmix64, as its authors advise."""
    z = word(seed)
    for i in range(4):
        z = _add(z, _GOLDEN)
        w = z
        w = _mul(_xor(w, _shr(w, 30)), _MIX_1)
        w = _mul(_xor(w, _shr(w, 27)), _MIX_2)
        words[i] = _xor(w, _shr(w, 31))


@helper
def next_word(words: Array) -> Any:
    """Return the generator's next 64-bit word and step it."""
    s0, s1, s2, s3 = words[0], words[1], words[2], words[3]
    product = _mul(s1, 5)
    product = _xor(_shl(product, 7), _shr(product, 57))
    result = _mul(product, 9)
    t = _shl(s1, 17)
    s2 = _xor(s2, s0)
    s3 = _xor(s3, s1)
    words[1] = _xor(s1, s2)
    words[0] = _xor(s0, s3)
    words[2] = _xor(s2, t)
    words[3] = _xor(_shl(s3, 45), _shr(s3, 19))
    return result


@helper
def below(words: Array, n: int) -> int:
    """Return an integer in [0, n), every one equally likely: Lemire's method over the upper 32 bits, with rejection."""
    m = int(_shr(next_word(words), 32)) * n
    low = m & 0xFFFFFFFF
    if low < n:
        threshold = (0x100000000 - n) % n
        while low < threshold:
            m = int(_shr(next_word(words), 32)) * n
            low = m & 0xFFFFFFFF
    return m >> 32


@helper
def shuffle_words(words: Array, items: Array, n: int) -> None:
    """Shuffle the first n items in place (Fisher-Yates, from the end) with a generator of the caller's."""
    for i in range(n - 1, 0, -1):
        j = below(words, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


# --- chance and events of a match -------------------------------------------------------------------------------------


@helper
def draw(state: State, n: int) -> int:
    """Return a random integer in [0, n) from the state's generator, and mark the play as one that reveals."""
    state.reveals = 1
    return below(state.random, n)


@helper
def shuffle(state: State, items: Array, n: int) -> None:
    """Shuffle the first n items in place with the state's generator, and mark the play as one that reveals."""
    state.reveals = 1
    shuffle_words(state.random, items, n)


@helper
def see(state: State, seats: int, code: int) -> None:
    """Fold a non-negative code (below 2**63) into the `seen` hash of each seat in the set, without an entry in the log."""
    if state.telling != TELL_NOTHING:
        for seat in range(int(state.seats)):
            if (seats >> seat) & 1:
                state.seen[seat] = mix(state.seen[seat], code)


@helper
def tell(state: State, seats: int, kind: int, a: int, b: int, c: int) -> None:
    """Tell a set of seats (and spectators, bit 7) one event: fold it into their `seen` hashes and log it.

    Args:
        kind: the game's event number, 1..255.
        a, b, c: what happened, -128..127 or 0..255 each (stored as bytes).

    The view module turns the log into the JSON events of each seat (`Game.events`), from what it was told and nothing else.
    """
    if state.telling == TELL_NOTHING:
        return
    code = (kind << 24) | ((a & 255) << 16) | ((b & 255) << 8) | (c & 255)
    see(state, seats, code)
    if state.telling == TELL_LOG:
        n = int(state.log_n)
        if n < state.log_code.shape[0]:
            state.log_code[n] = code
            state.log_seats[n] = seats
        state.log_n = n + 1


@helper
def forget_header(state: State, seat: int) -> None:
    """Redact the header: the random state, the log, the other seats' `seen`; from here on only hashes are told."""
    for i in range(4):
        state.random[i] = 0
    for other in range(MAX_SEATS):
        if other != seat:
            state.seen[other] = 0
    for i in range(state.log_code.shape[0]):
        state.log_code[i] = 0
        state.log_seats[i] = 0
    state.log_n = 0
    state.telling = TELL_HASH
    state.reveals = 0


# --- bit sets ---------------------------------------------------------------------------------------------------------


@helper
def lowest(bits: int) -> int:
    """Return the index of the lowest set bit of a non-empty set below 2**62."""
    index = 0
    while not (bits >> index) & 1:
        index += 1
    return index


@helper
def size(bits: int) -> int:
    """Return how many bits of a set below 2**62 are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n
