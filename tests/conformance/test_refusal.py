"""The proof refuses a change of a single value or remoteness, each other one that a table can hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.compilation import jit
from retrosolve.tables import Table
from retrosolve.tables.coded import CodedTable, CodesInMemory, Dictionary
from retrosolve.tables.intervals import IntervalTable
from retrosolve.values import INVALID
from tests.conformance.subjects import SHORT, cases

pytestmark = pytest.mark.thorough


def changed_tables(solution: rs.Solution, count: int, rng: random.Random) -> Iterator[Table]:
    """As many tables, drawn at random, that differ from that of a solution at one vertex."""
    table = solution.table
    values, plies, results = table.values(), table.remoteness(), table.codec.results
    vertices = np.flatnonzero(values != INVALID).tolist()
    claims = sorted({*plies.tolist(), -1, 0, 1}) if table.has_remoteness else [-1]
    for _ in range(count if vertices else 0):
        v = rng.choice(vertices)
        if isinstance(table, IntervalTable):
            low, high = rng.choice([(0.02, 0.02), (-0.02, -0.02), (-0.5, -0.5), (0.5, 0.5)])
            bounds = [np.array(bound) for bound in table.bounds[:2]]
            bounds[0][v] += low
            bounds[1][v] += high
            yield IntervalTable(*bounds, table.bounds.is_payoff)
            continue
        value, claim = rng.randrange(len(results)), rng.choice(claims)
        result = results[value]
        if (
            result is not None
            and (claim < 0 or result.ends)
            and (value, claim) != (values[v], plies[v])
        ):
            other = values.copy(), plies.astype(np.int64)
            other[0][v], other[1][v] = value, claim
            yield with_claims(table, *other)


def with_claims(table: Table, values: np.ndarray, plies: np.ndarray) -> Table:
    """A table of the same kind in which each vertex has just these claims."""
    pairs = np.stack([values.astype(np.int64), plies], 1)
    known, codes = np.unique(pairs, axis=0, return_inverse=True)
    dictionary = Dictionary(known[:, 0].astype(values.dtype), known[:, 1])
    parts = [CodesInMemory(codes.reshape(-1).astype(np.uint16))]
    return CodedTable(parts, dictionary, table.has_remoteness, table.codec)


@pytest.mark.parametrize("kernels", ["interpreted", "uncompiled_kernels"])
@pytest.mark.parametrize("name", SHORT)
def test_every_change_of_one_value_is_refused(
    name: str,
    kernels: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request.getfixturevalue(kernels)
    monkeypatch.setattr(jit, "is_off", lambda: True)  # those of each game would take minutes to compile
    rng, changed = random.Random(name), 0
    for case in cases(name, tmp_path):
        solution = case.solve()
        for table in changed_tables(solution, 48, rng):
            wrong = rs.Solution(solution.space, table, objective=solution.objective)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
            assert not wrong.verified
            changed += 1
    assert changed >= 12
