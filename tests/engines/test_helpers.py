"""Helpers are compiled once for all widths of integers, and can be called from Python without harm."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from engines.helpers import helper

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@helper
def twice(n: int) -> int:
    """Return 2 n."""
    return 2 * n


@compiled_only
def test_narrow_and_constant_integers_share_one_variant_that_does_not_wrap() -> None:
    @numba.njit
    def caller(narrow: np.ndarray) -> int:
        return twice(narrow[0]) + twice(3) + twice(len(narrow))

    assert caller(np.array([100], np.int8)) == 208
    assert caller(np.array([200], np.uint8)) == 408
    assert len(twice.signatures) == 1


def test_a_helper_called_from_python_answers() -> None:
    assert twice(21) == 42
    assert twice(np.int8(7)) == 14


def test_a_wrong_number_of_arguments_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        twice()
