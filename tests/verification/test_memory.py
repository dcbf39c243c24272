"""Proving a table on disk takes its packed words and little more."""

import tracemalloc
from typing import Any

import numpy as np

from retrosolve.tables.coded import CodedTable, Dictionary
from retrosolve.verification.words import _packed

SIZE = 1 << 24


class Repeated:
    """Codes on disk, as far as memory is concerned."""

    def __len__(self) -> int:
        return SIZE

    def read(self, start: int, stop: int) -> Any:
        return np.arange(start, stop).astype(np.uint8) & 3


def test_the_words_of_a_table_on_disk_are_the_only_array_of_its_size() -> None:
    dictionary = Dictionary(np.array([1, 2, 0, 255], np.uint8), np.array([1, 2, -1, -1]))
    table = CodedTable([Repeated()], dictionary, True)  # type: ignore[list-item]
    tracemalloc.start()
    try:
        words = _packed(table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert words.nbytes == 2 * SIZE
    assert peak < 2 * SIZE + (1 << 25)
    assert np.array_equal(words[-8:], table.packed(slice(SIZE - 8, SIZE)))
