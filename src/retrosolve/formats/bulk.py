"""Edge lists of nothing but pairs of whole numbers, which NumPy parses at once."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from retrosolve.formats.delimited import BLANKS
from retrosolve.runtime.files import Source

# Possessive, so that a file with anything else is refused in one pass.
SEPARATORS = {BLANKS: rb"[ \t]++", "\t": rb"[ ]*+\t[ ]*+", ",": rb"[ ]*+,[ ]*+", ";": rb"[ ]*+;[ ]*+"}
NUMBER = rb"(?!0[0-9])[0-9]{1,18}+"  # 007 is a name
PAIRS = {
    delimiter: re.compile(
        rb"(?:[ \t]*+" + NUMBER + between + NUMBER + rb"[ \t]*+(?:\r?\n[ \t\r\n]*+|\Z))++"
    )
    for delimiter, between in SEPARATORS.items()
}
TO_BLANKS = bytes.maketrans(b",;", b"  ")


def parse_pairs(source: Source, offset: int, delimiter: str) -> NDArray[np.int64] | None:
    """Parse lines of two whole numbers each.

    Parameters
    ----------
    source : Source
    offset : int
        Where the lines begin.
    delimiter : str

    Returns
    -------
    int64 [m, 2] or None
        None if the rest of the file has anything else.
    """
    if not PAIRS[delimiter].fullmatch(source.data, offset):
        return None
    numbers = np.fromstring(source.data[offset:].translate(TO_BLANKS), np.int64, sep=" ")
    return numbers.reshape(-1, 2)


def first_row(source: Source, comments: tuple[bytes, ...]) -> int:
    """Return where the first line begins that is neither blank nor a comment."""
    offset = 3 if source.data.startswith(b"\xef\xbb\xbf") else 0
    while True:
        end = source.data.find(b"\n", offset) + 1
        line = source.data[offset : end or None].strip()
        if (line and not line.startswith(comments)) or not end:
            return offset
        offset = end
