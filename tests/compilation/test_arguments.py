"""Integers of any width in ``data`` are the same numbers in compiled rules and in plain Python."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retrosolve.compilation.arguments import compiled_data, interpreted_data
from retrosolve.compilation.jit import compiled
from tests.support.marks import COMPILED

WIDTHS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


class Tables(NamedTuple):
    row: Any
    number: Any


def operators(position, data):
    a, b, c = data.row[0], data.row[1], data.number
    return (
        a + b, a - b, a * b, a & b, a | b, a ^ b, a < b, a == b, max(a, b), -a, ~a, abs(a),
        a << 24, a >> 3, a // 7, a % 7, 3 - a, position - a, position & a, position * b,
        c - a, c << 24, ~c, -c, data.row[:2].max() * 99, (position - a) // 5,
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> Tables:
    row, number = (np.iinfo(draw(st.sampled_from(WIDTHS))) for _ in range(2))
    entries = st.integers(max(row.min, -(2**38)), min(row.max, 2**38))
    single = st.integers(max(number.min, -(2**38)), min(number.max, 2**38))
    return Tables(np.array([draw(entries), draw(entries)], row.dtype), number.dtype.type(draw(single)))


@pytest.mark.long
@COMPILED
@given(tables(), st.integers(0, 2**20))
@example(Tables(np.array([200, 3], np.int32), np.int32(200)), 1)  # 200 << 24 exceeds 32 bits
@example(Tables(np.array([3, 200], np.uint8), np.uint8(3)), 1)  # 3 - 200 is negative
@example(Tables(np.array([-128, 0], np.int8), np.int8(-128)), 1)  # and 128 is no int8
@settings(deadline=None)
def test_operators_on_every_width(data: Tables, position: int) -> None:
    arguments = compiled_data(data, "Game")
    exact = Tables(np.array([int(entry) for entry in data.row], object), int(data.number))
    with np.errstate(over="ignore"):
        plain = operators(position, interpreted_data(arguments))
    wrapped = [(number + 2**63) % 2**64 - 2**63 for number in operators(position, exact)]
    assert list(compiled(operators)(position, arguments)) == list(plain) == wrapped


def both(flags):
    return flags[0] + flags[1], flags[0] & flags[1]


@COMPILED
def test_entries_of_bool_arrays_are_bools() -> None:
    flags = np.array([True, True])
    assert compiled(both)(flags) == both(interpreted_data(flags)) == (2, True)


def test_unchanged_arguments_are_not_copied() -> None:
    data = (5, 0.5, np.arange(3), Tables(np.zeros(2, np.int16), 1))
    assert compiled_data(data, "Game") is data
    narrow = interpreted_data(data)[3].row
    assert np.shares_memory(narrow, data[3].row)
    assert [type(entry) for entry in narrow] == [np.int64, np.int64]
    assert type(narrow[:1]) is type(narrow)
    assert type(narrow.sum()) is type(narrow.max()) is np.int64
    assert interpreted_data(data)[2] is data[2]
