"""How good a move is by the claim about what it leads to, for proofs. Specialised.

A preference is a number: the smaller, the better for who makes the move. A win comes before a tie, a
tie before a draw, a draw before a loss; a near win or tie before a far one, a far loss before a near
one. So the least preference of all moves of a position says what its own word must be. No chain of
claims is so long that the ranges of two values meet.
"""

import numpy as np

from retrosolve.kernels.words import DRAW, LOSS, TIE, WIN, code_of, pack, remoteness_of

INLINED = ("preference", "word_of")

RANGE = np.int64(1) << 58
WON, TIED, DRAWN, LOST, WORST = RANGE * np.arange(5)
WRONG = np.int64(-1)
# By the code of the answer, and by that code plus 8 where the same player moves on.
_OTHERS = [WRONG, WRONG, WRONG, WRONG]
NEAREST = np.array(
    [DRAWN, WORST - 1, WON + 1, TIED + 1, *_OTHERS, DRAWN, WON + 1, WORST - 1, TIED + 1, *_OTHERS]
)
PER_PLY = np.array([0, -1, 1, 1, 0, 0, 0, 0, 0, 1, -1, 1, 0, 0, 0, 0])


def preference(answer, stays):
    """Return how good a move is, by the claim about what it leads to; WRONG if that is no position.

    Without a branch on the answer, which no processor could predict.

    Parameters
    ----------
    answer : int64
        The word of what it leads to.
    stays : bool
        Whether the same player moves there.
    """
    case = code_of(answer) + (8 if stays else 0)
    return NEAREST[case] + PER_PLY[case] * remoteness_of(answer)


def word_of(best):
    """Return the word that a position must have by its best move, WRONG if one is WRONG.

    Parameters
    ----------
    best : int64
        The least preference of a move.
    """
    if best < WON:
        return WRONG
    if best < TIED:
        return pack(WIN, best - WON)
    if best < DRAWN:
        return pack(TIE, best - TIED)
    if best == DRAWN:
        return np.int64(DRAW)
    return pack(LOSS, WORST - best)
