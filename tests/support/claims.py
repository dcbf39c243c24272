"""Solutions with other claims than the right ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import retrosolve as rs
from retrosolve.arrays import ByteArray, IntArray
from retrosolve.tables import ArrayTable, PackedTable

Prove = Callable[[rs.Solution], object]


def with_words(solution: rs.Solution, words: IntArray) -> rs.Solution:
    """The solution with other packed words."""
    return rs.Solution(solution.space, PackedTable(words), solution.stuck)


def with_claims(solution: rs.Solution, value: ByteArray, remoteness: IntArray) -> rs.Solution:
    """The solution with other values and remotenesses."""
    return rs.Solution(solution.space, ArrayTable(value, remoteness), solution.stuck)


def refuse_every_claim(solution: rs.Solution) -> int:
    """Change the value and the remoteness of each vertex; return the number of refused claims."""
    rs.verify(solution)
    values, remotenesses = solution.table.values(), solution.remoteness()
    refused, n = 0, len(values)
    for v in range(n):
        for value in range(4):
            for plies in {-2, -1, 0, 1, 2, n, *remotenesses.tolist()}:
                if (value, plies) == (values[v], remotenesses[v]):
                    continue
                changed = values.copy(), remotenesses.copy()
                changed[0][v], changed[1][v] = value, plies
                with pytest.raises(rs.VerificationError):
                    rs.verify(with_claims(solution, *changed))
                refused += 1
    return refused


def refuse_every_change(solution: rs.Solution, prove: Prove = rs.verify) -> int:
    """Change each word to every other that it might be; return the number of refused changes."""
    prove(solution)
    words, refused = solution.table.packed(), 0
    others = {*range(26), *words.tolist(), 8 * len(words) + 1}
    for v in range(len(words)):
        for word in others - {int(words[v])}:
            changed = words.copy()
            changed[v] = word
            wrong = with_words(solution, changed)
            if wrong.table.outcome(v) == solution.table.outcome(v):
                continue  # a code of an undecided vertex stands for a DRAW as well
            with pytest.raises(rs.VerificationError):
                prove(wrong)
            assert not wrong.verified
            refused += 1
    return refused
