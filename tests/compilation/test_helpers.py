"""What compiled rules call is compiled once for all constants that it is called with."""

from typing import Any

import numba
import numpy as np
import pytest

from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import compile_bit_count
from tests.support.marks import COMPILED


def less(number: int, amount: int) -> int:
    return number - amount


def part(data: Any, place: int) -> Any:
    return data[place]


@COMPILED
def test_constants_are_numbers_like_any_other() -> None:
    helper = jit.helper(less, True)

    @numba.njit
    def rule(number):
        return helper(number, 1) + helper(number, 2) + helper(number, number) + helper(7, amount=3)

    assert rule(10) == 9 + 8 + 0 + 4
    assert len(helper.overloads) == 1


@COMPILED
def test_a_constant_may_be_the_index_of_a_tuple_of_different_types() -> None:
    helper = jit.helper(part, True)

    @numba.njit
    def rule(data):
        return helper(data, 0) + helper(data, 1)[2]

    assert rule((5, np.arange(4))) == 7
    assert len(helper.overloads) == 2


@COMPILED
@pytest.mark.parametrize(
    "kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
)
def test_compiled_bit_count_is_that_of_python(kind: str) -> None:
    compile_bit_count()

    @numba.njit
    def count(number):
        return number.bit_count()

    limits = np.iinfo(kind)
    low, high = int(limits.min), int(limits.max)
    for number in {0, 1, 5, high, high // 3, low, low + 1, *((-1, -5) if low else ())}:
        assert count(np.dtype(kind).type(number)) == number.bit_count()
