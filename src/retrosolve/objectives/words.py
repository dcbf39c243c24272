"""The packed word: what is known of one position, a code and a remoteness in one integer.

The code stands in the low CODE_BITS bits and the remoteness above them. A word at remoteness 0 is
therefore its code, and the code of a terminal value is ``code_of(value)``, that of INVALID included.
This is the only file that takes words apart or puts them together.

======================  ==============================================================================
OPEN, or DRAW           undecided while a game is being solved, and a draw when that is finished
WIN, LOSS, TIE          decided, for the player to move, at the remoteness of the word
PENDING_WIN             a WIN, in the phase of ties a TIE, from the level that the remoteness says, by a
                        move to an earlier tier; decided sooner if a move within the tier is shorter
PENDING_LOSS            a LOSS from the level that the remoteness says
LOSS_NOT_BEFORE         undecided; if it becomes a LOSS, then not before the level that it says
INVALID_CODE            an index that stands for no position
======================  ==============================================================================

The functions take and return whole numbers and NumPy arrays alike. In kernels they are inlined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.values import INVALID

INLINED = ("code_of", "remoteness_of", "pack", "is_open")

CODE_BITS = 3
CODE_MASK = (1 << CODE_BITS) - 1
# Numbers of NumPy: numba would compile ``pack`` anew for each plain number that it is called with.
_CODES: Any = np.arange(8)
OPEN, WIN, LOSS, TIE, PENDING_WIN, LOSS_NOT_BEFORE, PENDING_LOSS, INVALID_CODE = _CODES
DRAW = OPEN

VALUE_OF_CODE = np.array([DRAW, WIN, LOSS, TIE, DRAW, DRAW, DRAW, INVALID], np.uint8)
"""The value that each code comes to when a solve is finished."""

WORDS: tuple[tuple[Any, int], ...] = tuple(
    (dtype, (1 << (8 * dtype(0).itemsize - CODE_BITS)) - 1)
    for dtype in (np.uint16, np.uint32, np.uint64)
)
"""The dtypes of words, narrowest first, each with the largest remoteness that it holds."""


def code_of(word: Any) -> Any:
    """Return the code of a word."""
    return word & CODE_MASK


def remoteness_of(word: Any) -> Any:
    """Return the remoteness of a word, or the level that its code speaks of."""
    return word >> CODE_BITS


def pack(code: Any, remoteness: Any) -> Any:
    """Return the word of a code and a remoteness."""
    return code | (remoteness << CODE_BITS)


def is_open(word: Any) -> Any:
    """Return whether a word is of an index that a move within its tier may still decide."""
    code = code_of(word)
    return code == OPEN or code == LOSS_NOT_BEFORE or code == PENDING_WIN  # noqa: PLR1714  # for numba


def word_dtype(remoteness: int) -> Any:
    """Return the narrowest dtype of word that holds a remoteness."""
    return next(dtype for dtype, largest in WORDS if remoteness <= largest)


def largest_remoteness(words: Any) -> int:
    """Return the largest remoteness that words of this array's dtype hold."""
    return next(largest for dtype, largest in WORDS if dtype == words.dtype)


def bound_bits(remoteness: int, max_moves: int) -> int:
    """Return the bits of a bound on a remoteness in the narrowest word that also counts moves.

    Such a word is OPEN or LOSS_NOT_BEFORE. The bound is above the code, the count above the bound.

    Parameters
    ----------
    remoteness, max_moves : int
        The most that a bound and a count may be.

    Returns
    -------
    int
        -1 if the word has no room for both.

    Examples
    --------
    >>> bound_bits(0, 48), bound_bits(100, 48), bound_bits(200, 48)
    (0, 7, -1)
    """
    bits, room = remoteness.bit_length(), WORDS[0][1].bit_length()
    return bits if bits + max_moves.bit_length() <= room else -1


def widened(words: Any, remoteness: int) -> Any:
    """Return ``words``, converted to a wider dtype where its own does not hold ``remoteness``."""
    return words if remoteness <= largest_remoteness(words) else words.astype(word_dtype(remoteness))
