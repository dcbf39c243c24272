"""What compiled rules call is compiled once for all constants that it is called with."""

from typing import Any

import numba
import numpy as np

from retrosolve.compilation import jit
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
