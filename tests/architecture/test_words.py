"""The packed word holds a code and a remoteness, and widens only where it must."""

import numpy as np
import pytest

from retrosolve.objectives import words
from retrosolve.objectives.words import code_of, pack, remoteness_of


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64])
def test_words_hold_code_and_remoteness(dtype: type[np.unsignedinteger]) -> None:
    largest = words.largest_remoteness(np.zeros(0, dtype))
    for code in range(8):
        for remoteness in (0, 1, 1000, largest):
            word = pack(code, remoteness)
            assert (code_of(word), remoteness_of(word)) == (code, remoteness)
            array = np.array([word, 0], dtype)
            assert code_of(array).tolist() == [code, 0]
            assert remoteness_of(array).tolist() == [remoteness, 0]
            assert code_of(array).dtype == remoteness_of(array).dtype == dtype
    assert pack(int(words.INVALID_CODE), largest) == np.iinfo(dtype).max


def test_terminal_values_are_their_code() -> None:
    assert [code_of(v) for v in (0, words.WIN, words.LOSS, words.TIE)] == [0, 1, 2, 3]
    assert code_of(words.INVALID) == words.INVALID_CODE
    assert words.VALUE_OF_CODE[code_of(words.INVALID)] == words.INVALID


def test_words_widen_only_where_they_must() -> None:
    narrow = np.array([pack(words.LOSS, 8191)], np.uint16)
    assert words.widened(narrow, 8191) is narrow
    wide = words.widened(narrow, 8192)
    assert (wide.dtype, wide.tolist()) == (np.uint32, narrow.tolist())
    assert words.word_dtype(2**29) == np.uint64
