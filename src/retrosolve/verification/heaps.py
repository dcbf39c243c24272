"""The proof of nimbers of heaps: each is the mex of the exclusive ors that its moves lead to.

Nimbers with an odd number of the bits of a mask are set apart from the others, as in Winning Ways,
chapter 4: an exclusive or is odd only if just one of its two parts is. So a heap that is claimed to be
odd has no option of the same nimber if none of the splits with one even part is one; otherwise all
splits are looked at. That holds for any mask; a good one makes even heaps few.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import VerificationError
from retrosolve.runtime.context import Context, Progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.heaps import HeapSpace
from retrosolve.values import NimValue, Outcome
from retrosolve.verification.local import claim, refuse

MASKS = 256
FIRST_SPLITS = 64  # looked at before four times as many, and so on
HEAPS_PER_REPORT = 4096


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof."""
    return 40 * space.num_vertices


def prove(solution: Solution, context: Context) -> None:
    """Raise VerificationError for the first heap whose nimber is wrong.

    Takes some 10 microseconds per heap, and O(n) time for each heap with an even nimber.
    """
    space = solution.space
    assert isinstance(space, HeapSpace)  # by the table of provers
    number = _numbers(solution)
    # For which most nimbers are odd; 0 if there is none that helps.
    mask = max(range(MASKS), key=lambda mask: int(_is_odd(number, mask).sum()))
    is_even = ~_is_odd(number, mask)
    even = np.flatnonzero(is_even)
    even = even[even > 0]
    size = 1 << (2 * int(number.max(initial=0)) + 1).bit_length()
    for heap in range(space.num_vertices):
        right = _mex(space, number, heap, even, bool(is_even[heap]), size)
        if right != number[heap]:
            refuse(solution, heap, Outcome(NimValue(right), None))
        if heap % HEAPS_PER_REPORT == 0:
            context.progress(Progress("verifying", heap, space.num_vertices))


def _numbers(solution: Solution) -> IntArray:
    """Return the nimbers that are claimed. Raises VerificationError for anything else."""
    table = solution.table
    by_value = np.full(len(table.codec.kinds), -1, np.int64)
    for value, result in enumerate(table.codec.results):
        if result is not None and result.number is not None:
            by_value[value] = result.number
    number: IntArray = by_value[table.values()]
    wrong = (number < 0) | (table.remoteness() >= 0)
    if wrong.any():
        raise VerificationError(
            f"{claim(solution, int(wrong.argmax()))}: expected a nimber without remoteness"
        )
    return number


def _is_odd(number: IntArray, mask: int) -> NDArray[np.bool_]:
    """Return whether nimbers have an odd number of the bits of a mask."""
    odd: NDArray[np.bool_] = np.bitwise_count(number & mask) & 1 == 1
    return odd


def _mex(
    space: HeapSpace, number: IntArray, heap: int, even: IntArray, is_even: bool, size: int
) -> int:
    """Return the mex of the options of a heap, or another number than claimed if that is wrong."""
    claimed = int(number[heap])
    is_option = np.zeros(size, bool)
    for take, digit in enumerate(space.digits[: heap + 1].tolist()):
        rest = heap - take
        if digit & 1 and rest == 0 < take:
            is_option[0] = True
        if digit & 2 and rest > 0 < take:
            is_option[number[rest]] = True
    for take, digit in enumerate(space.digits[: heap + 1].tolist()):
        if digit & 4:
            ones = even[: np.searchsorted(even, heap - take)]
            others = heap - take - ones
            differ = ones != others if space.unequal else slice(None)
            is_option[number[ones[differ]] ^ number[others[differ]]] = True
    missing = not is_option[:claimed].all()
    if is_even or missing:
        for options in _splits(space, number, heap):
            is_option[options] = True
            if not is_even and is_option[:claimed].all():
                break
    return int((~is_option).argmax())


def _splits(space: HeapSpace, number: IntArray, heap: int) -> Iterator[IntArray]:
    """Yield the nimbers of all splits of a heap, more and more at once."""
    for take, digit in enumerate(space.digits[: heap + 1].tolist()):
        rest = heap - take
        first, count = 1, FIRST_SPLITS
        last = (rest - space.unequal) // 2 if digit & 4 else 0
        while first <= last:
            stop = min(first + count, last + 1)
            yield number[first:stop] ^ number[rest - stop + 1 : rest - first + 1][::-1]
            first, count = stop, 4 * count
