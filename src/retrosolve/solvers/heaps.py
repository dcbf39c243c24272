"""Nimbers of heaps that moves may split: mex over exclusive ors, in less than quadratic time.

A heap of h tokens has about h / 2 splits for each number of tokens that a move may take, which is too
many for 10^6 heaps. In most games nearly all nimbers are *common*: they have an odd number of the bits
of some mask. An exclusive or of two of them is *rare*, with an even number, so an option of common
value has one rare heap and one common one. The few rare heaps thus give all common options, and the
smallest common value that is missing. Of all other splits only so many are looked at as it takes to see
that each smaller rare value is an option.

The result does not depend on the mask, which is chosen for the first heaps.

Source: Winning Ways, chapter 4, "sparse spaces"; Gangolli and Plambeck, "A note on periodicity in some
octal games" (1989), doi:10.1007/BF01254291.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.objectives import Objective
from retrosolve.objectives.nimber import NimberCodec
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.heaps import HeapSpace
from retrosolve.tables.coded import coded_table
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import NimValue

FIRST_HEAPS = 2048  # by which the mask is chosen
HEAPS_PER_REPORT = 4096
FIRST_NIMBERS = 1024  # a power of two, as large as exclusive ors may be at first
MAX_MASK = 1 << 10


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve, the result included."""
    n = space.num_vertices
    return Buffers(
        nimber=(n, np.int32), rare=(n, np.int32), is_rare=(n, np.uint8), words=((4, n), np.int64)
    )


def solve(space: HeapSpace, objective: Objective, context: Context) -> SolveResult:
    """Solve a game of heaps for the nimbers of single ones.

    Parameters
    ----------
    space : HeapSpace
    objective : Nimber
    context : Context

    Returns
    -------
    SolveResult
        With a table of codes without remoteness.
    """
    n, num_edges = space.num_vertices, space.num_edges
    nimber, rare = np.zeros(n, np.int32), np.zeros(n, np.int32)
    seen = np.full(FIRST_NIMBERS, -1, np.int64)
    mask = heap = num_rare = 0
    while heap < n:
        stop = min(n, FIRST_HEAPS if heap < FIRST_HEAPS else heap + HEAPS_PER_REPORT)
        heap, num_rare = jit.run(
            evaluate, num_edges, space.digits, space.unequal, mask, nimber, rare, num_rare, seen, heap,
            stop,
        )  # fmt: skip
        if int(nimber[heap - 1]) >= len(seen) // 2:
            seen = np.full(4 * len(seen), -1, np.int64)
        if heap == FIRST_HEAPS:
            mask = _best_mask(nimber[:heap])
            chosen = np.flatnonzero(~_is_common(nimber[:heap], mask))
            num_rare = len(chosen)
            rare[:num_rare] = chosen
        context.progress(Progress("solving", heap, n))
    numbers, values = np.unique(nimber, return_inverse=True)
    values += values >= 255  # 255 is INVALID
    codec = NimberCodec([NimValue(number) for number in numbers.tolist()])
    table = coded_table(codec, values.astype(codec.dtype), np.full(n, -1))
    return SolveResult(table, Statistics(num_edges))


def _is_common(nimber: IntArray, mask: int) -> NDArray[np.bool_]:
    """Return whether nimbers have an odd number of the bits of a mask, bool [k]."""
    common: NDArray[np.bool_] = parity(nimber & mask).astype(bool)
    return common


def _best_mask(nimber: IntArray) -> int:
    """Return the mask for which most of some nimbers are common."""
    largest = min(1 << int(nimber.max(initial=0)).bit_length(), MAX_MASK)
    numbers, counts = np.unique(nimber, return_counts=True)
    return max(range(largest), key=lambda mask: int(counts[_is_common(numbers, mask)].sum()))


def parity(bits: Any) -> Any:
    """Return the number of ones in 32 bits, modulo 2; of a number or an array."""
    bits = bits ^ (bits >> 16)
    bits = bits ^ (bits >> 8)
    bits = bits ^ (bits >> 4)
    bits = bits ^ (bits >> 2)
    return (bits ^ (bits >> 1)) & 1


def evaluate(
    digits: IntArray, unequal: bool, mask: int, nimber: IntArray, rare: IntArray, num_rare: int,
    seen: IntArray, start: int, stop: int,
) -> tuple[int, int]:  # fmt: skip
    """Evaluate the heaps ``start..stop-1``, until a nimber needs a larger array ``seen``.

    Parameters
    ----------
    digits : int64 [takes]
        See ``HeapSpace``.
    unequal : bool
        Whether two heaps that a move leaves must differ.
    mask : int
        Nimbers with an odd number of its bits are common; 0 if none is.
    nimber : int32 [n]
        Of the heaps below ``start``; changed in place.
    rare : int32 [n]
        The heaps of rare nimbers, ascending; changed in place.
    num_rare : int
        Their number.
    seen : int64 [a power of two]
        Twice as long as all nimbers require. Below 0 before; the heap that has last had each nimber
        among its options.
    start, stop : int

    Returns
    -------
    heap, num_rare : int
        Where to go on, and the new number of heaps of rare nimbers.
    """
    takes = len(digits)
    for heap in range(start, stop):
        for take in range(min(takes, heap + 1)):
            digit, rest = digits[take], heap - take
            if take > 0 and rest == 0 and digit & 1:
                seen[0] = heap
            if take > 0 and rest > 0 and digit & 2:
                seen[nimber[rest]] = heap
            if digit & 4:
                for i in range(num_rare):  # all splits with a rare heap, those with two of them twice
                    one = rare[i]
                    if one >= rest:
                        break
                    if one > 0 and not (unequal and one == rest - one):
                        seen[nimber[one] ^ nimber[rest - one]] = heap
        # The least common value that is no option; the rare values below it may be options yet.
        mex, missing = 0, 0
        while True:
            if seen[mex] != heap:
                if mask == 0 or parity(mex & mask):
                    break
                missing += 1
            mex += 1
            if mex == len(seen):
                break
        take = 0
        while missing > 0 and take < min(takes, heap + 1):
            rest = heap - take
            if digits[take] & 4:
                for one in range(1, (rest - (1 if unequal else 0)) // 2 + 1):
                    value = nimber[one] ^ nimber[rest - one]
                    if seen[value] != heap:
                        seen[value] = heap
                        if value < mex:
                            missing -= 1
                            if missing == 0:
                                break
            take += 1
        least = 0
        while seen[least] == heap:
            least += 1
        nimber[heap] = least
        if not parity(least & mask):
            rare[num_rare] = heap
            num_rare += 1
        if least >= len(seen) // 2:
            return heap + 1, num_rare
    return stop, num_rare
