"""The shared compiled helpers against published values and plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engines import kernel
from tests.toy import STATE

MASK = (1 << 64) - 1


def words(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


def test_xoshiro_starts_as_its_authors_code_does():
    """From the state 1, 2, 3, 4 the first numbers are 11520, 0, 1509978240 (Blackman & Vigna's reference code)."""
    state = words(1, 2, 3, 4)
    assert [int(kernel.next_word(state)) for _ in range(3)] == [11520, 0, 1509978240]


def test_splitmix_seeds_as_published():
    """splitmix64 from seed 1234567 starts with 6457827717110365317 (Rosetta and the reference code)."""
    state = words(0, 0, 0, 0)
    kernel.seed_words(state, np.uint64(1234567))
    assert [int(w) for w in state[:2]] == [6457827717110365317, 3203168211198807973]


def test_below_is_even_and_in_range():
    state = words(1, 2, 3, 4)
    found = Counter(kernel.below(state, 6) for _ in range(60_000))
    assert set(found) == set(range(6))
    assert sum((n - 10_000) ** 2 / 10_000 for n in found.values()) < 30


@pytest.mark.parametrize("n", [1, 2, 3, 7, 72, 2**31])
def test_below_stays_below(n: int):
    state = words(5, 6, 7, 8)
    assert all(0 <= kernel.below(state, n) < n for _ in range(200))


def test_shuffle_reaches_every_order():
    state = words(1, 2, 3, 4)
    orders = Counter()
    for _ in range(6000):
        items = np.arange(3, dtype=np.int8)
        kernel.shuffle_words(state, items, 3)
        orders[tuple(int(i) for i in items)] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 850


def test_mix_depends_on_order_and_wraps():
    a = kernel.mix(kernel.mix(np.uint64(0), 1), 2)
    b = kernel.mix(kernel.mix(np.uint64(0), 2), 1)
    assert int(a) != int(b)
    assert 0 <= int(a) <= MASK


def test_telling_reaches_only_the_seats_named():
    state = np.zeros(1, STATE)[0]
    state.seats = 3
    state.telling = kernel.TELL_LOG
    kernel.tell(state, 0b101, 7, -3, 200, 1)
    assert int(state.seen[1]) == 0
    assert int(state.seen[0]) == int(state.seen[2]) != 0
    assert int(state.log_code[0]) == 7 << 24 | 253 << 16 | 200 << 8 | 1
    assert int(state.log_seats[0]) == 0b101


def test_telling_nothing_leaves_no_trace():
    state = np.zeros(1, STATE)[0]
    state.seats = 3
    kernel.tell(state, kernel.ALL, 7, 1, 2, 3)
    assert not state.seen.any()
    assert state.log_n == 0


def test_a_field_named_like_an_attribute_is_refused():
    with pytest.raises(ValueError, match="round"):
        kernel.record([("round", "i1")])


def test_nested_records_are_aligned():
    nested = kernel.record([("a", "i1"), ("b", "i4")])
    outer = kernel.record([("x", "i1"), ("y", nested, (3,)), ("z", "u8")])
    assert outer.fields["y"][1] == 4
    assert outer.fields["z"][1] % 8 == 0


def test_bit_sets():
    assert kernel.lowest(0b101000) == 3
    assert kernel.size(0b101000) == 2


def test_the_bytes_of_a_record_are_its_own():
    """Kernels write into the record they are handed, also into one inside another, by way of its bytes."""
    box = np.zeros(2, STATE)
    state = box[1]
    held, inner = state.data, state.players[1].data
    assert kernel.draw(state, 1) == 0
    box[1]["players"][1]["points"] = 5
    assert box[1]["reveals"] == 1
    assert (bytes(held), bytes(inner)) == (box[1].tobytes(), box[1]["players"][1].tobytes())
    assert box[0].tobytes() == bytes(STATE.itemsize)
    for one in STATE.names:
        assert getattr(state, one).tobytes() == box[1][one].tobytes()
