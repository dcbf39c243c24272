"""The proof refuses other values and remotenesses of one vertex or of a few, whatever a table can hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.objectives.base import Codec
from retrosolve.tables import Table
from retrosolve.tables.coded import CodedTable, CodesInMemory, Dictionary
from retrosolve.tables.intervals import IntervalTable
from retrosolve.values import INVALID
from tests.conformance.subjects import CORE, EXAMPLES, SHORT, cases

# Claims besides those of a table, where each table has values of its own.
MORE = {
    "score": ("1", "0", "-1", "2", "endless"),
    "nimber": ("0", "1", "2", "∞()", "∞(0)", "∞(1)", "∞(0,1)"),
}


def claims_of(solution: rs.Solution) -> tuple[Codec, IntArray]:
    """The values of a solution, by a codec that has more of them."""
    table, labels = solution.table, solution.objective.labels_of(solution.table.codec)
    if labels is None:
        return table.codec, table.values()
    codec = solution.objective.codec(
        [*dict.fromkeys((*filter(None, labels), *MORE[solution.objective.name]))]
    )
    code = np.full(max(256, len(table.codec.results)), INVALID)
    for value, result in enumerate(table.codec.results):
        if result is not None:
            code[value] = codec.value(result)
    return codec, code[table.values()].astype(codec.dtype)


def changed_tables(solution: rs.Solution, rng: random.Random) -> Iterator[Table]:
    """Tables, drawn at random, that differ from that of a solution at up to three vertices."""
    table, plies = solution.table, solution.table.remoteness()
    codec, values = claims_of(solution)
    vertices = np.flatnonzero(values != INVALID).tolist()
    claims = sorted({*plies.tolist(), -1, 0, 1}) if table.has_remoteness else [-1]
    results = [value for value, result in enumerate(codec.results) if result is not None]
    for _ in range(16 if vertices else 0):
        if isinstance(table, IntervalTable):
            v = rng.choice(vertices)
            low, high = rng.choice([(0.02, 0.02), (-0.02, -0.02), (-0.5, -0.5), (0.5, 0.5)])
            bounds = [np.array(bound) for bound in table.bounds[:2]]
            bounds[0][v] += low
            bounds[1][v] += high
            yield IntervalTable(*bounds, table.bounds.is_payoff)
            continue
        other = values.copy(), plies.astype(np.int64)
        for v in rng.sample(vertices, min(len(vertices), rng.choice([1, 1, 2, 3]))):
            value, claim = rng.choice(results), rng.choice(claims)
            if claim < 0 or codec.results[value].ends:
                other[0][v], other[1][v] = value, claim
        if (other[0] != values).any() or (other[1] != plies).any():
            yield with_claims(table, codec, *other)


def with_claims(table: Table, codec: Codec, values: IntArray, plies: IntArray) -> Table:
    """A table of the same kind in which each vertex has just these claims."""
    pairs = np.stack([values.astype(np.int64), plies], 1)
    known, codes = np.unique(pairs, axis=0, return_inverse=True)
    dictionary = Dictionary(known[:, 0].astype(values.dtype), known[:, 1])
    parts = [CodesInMemory(codes.reshape(-1).astype(np.uint16))]
    return CodedTable(parts, dictionary, table.has_remoteness, codec)


@pytest.mark.parametrize("kernels", ["interpreted", "uncompiled_kernels"])
@pytest.mark.parametrize("name", SHORT)
def test_changes_of_a_few_values_are_refused(
    name: str,
    kernels: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request.getfixturevalue(kernels)
    monkeypatch.setattr(jit, "is_off", lambda: True)  # those of each game would take minutes to compile
    rng, changed = random.Random(name), 0
    for case in cases(name, tmp_path, 6 * EXAMPLES if name in CORE else EXAMPLES):
        solution = case.solve()
        for table in changed_tables(solution, rng):
            wrong = rs.Solution(solution.space, table, objective=solution.objective)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
            assert not wrong.verified
            changed += 1
    assert changed >= 8
