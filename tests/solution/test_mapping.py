"""A solution as a mapping: look-ups, views, and selection, a part of the table at a time."""

import itertools
from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Outcome, Value
from retrosolve.arrays import VERTICES_PER_SPAN
from retrosolve.objectives.base import VALUES
from retrosolve.tables import ArrayTable
from retrosolve.tables.coded import CodedTable, coded_table
from retrosolve.tables.summary import first_vertices, select
from retrosolve.values import INVALID
from tests.solution.test_solution import NAMED


def test_get_returns_the_outcome_or_the_default() -> None:
    solution = rs.solve(NAMED)
    assert solution.get("a") == solution["a"] == Outcome(Value.TIE, 2)
    assert solution.get("nowhere") is None
    assert solution.get("nowhere", 7) == 7
    assert "nowhere" not in solution
    assert "a" in solution


def test_views_agree_with_look_ups() -> None:
    solution = rs.solve(NAMED)
    assert list(solution) == list(solution.keys()) == list(NAMED.names)
    assert list(solution.items()) == [(name, solution[name]) for name in NAMED.names]
    assert dict(solution) == dict(solution.items())
    assert len(solution.keys()) == len(solution.items()) == 7
    assert list(solution.items()) == list(solution.items())
    assert ("a", Outcome(Value.TIE, 2)) in solution.items()
    assert ("a", Outcome(Value.TIE, 3)) not in solution.items()
    assert "a" not in solution.items()
    assert solution.keys() & {"a", "z"} == {"a"}
    assert list(solution.values()) == [solution[name] for name in NAMED.names]
    assert Outcome(Value.TIE, 2) in solution.values()
    assert Outcome(Value.TIE, 77) not in solution.values()


class Counted(ArrayTable):
    """A table that counts the vertices it decodes."""

    decoded = 0

    def values(self, at: object = slice(None)) -> np.ndarray:
        values = super().values(at)
        Counted.decoded += len(values)
        return values


def test_iteration_decodes_a_part_of_a_large_table() -> None:
    n = 10**6
    graph = rs.Graph.from_edges([], [], n)
    table = Counted(np.full(n, Value.LOSS, np.uint8), np.zeros(n, np.int32))
    solution = rs.Solution(graph, table)
    for lazy in (iter(solution), iter(solution.items()), solution.where("loss", 0)):
        Counted.decoded = 0
        assert len(list(itertools.islice(lazy, 5))) == 5
        assert 0 < Counted.decoded < n / 5


def test_solution_is_a_mapping_that_can_be_called() -> None:
    solution, again = rs.solve(NAMED), rs.solve(NAMED)
    assert isinstance(solution, Mapping)
    assert dict(solution) == dict(again)
    assert ChainMap({"b": 1}, solution)["a"] == solution["a"]
    with pytest.raises(KeyError) as raised:
        ChainMap(solution, again)["nowhere"]
    assert str(raised.value) == "'nowhere'"
    with pytest.raises(KeyError) as raised:
        solution["nowhere"]
    assert str(raised.value) == "no vertex is named 'nowhere'"
    assert list(map(solution, ["a", "nowhere"])) == [solution["a"], None]


def test_solutions_are_equal_by_content(tmp_path: Path) -> None:
    solution, again = rs.solve(NAMED), rs.solve(NAMED)
    assert solution == again == dict(again)
    solution.save(tmp_path / "s")
    assert solution == rs.open(tmp_path / "s")
    assert solution != rs.solve(NAMED, stuck="win")
    assert solution != dict(list(again.items())[1:])
    assert solution != 3
    with pytest.raises(TypeError):
        hash(solution)


def test_a_proof_is_reported_and_recorded() -> None:
    solution = rs.solve(NAMED)
    report = rs.verify(solution)
    assert report
    assert (report.positions, report.method, report.sample) == (len(solution), "local", None)
    assert str(report) == f"all {len(solution)} positions proven"
    assert solution.verified


def test_examples_of_coded_tables_are_the_first_and_end_the_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, n = np.random.default_rng(5), 3 * VERTICES_PER_SPAN
    values, plies = rng.integers(1, 3, n).astype(np.uint8), rng.integers(0, 4, n)
    values[VERTICES_PER_SPAN + 7] = INVALID
    values[VERTICES_PER_SPAN + 9], plies[VERTICES_PER_SPAN + 9] = Value.DRAW, -1
    found = first_vertices(coded := coded_table(VALUES, values, plies))
    assert found == first_vertices(ArrayTable(values, plies))
    assert found[Value.DRAW] == {None: VERTICES_PER_SPAN + 9}
    for value in (None, Value.DRAW, Value.LOSS):
        for remoteness in (None, 2):
            one, other = (
                np.concatenate(list(select(table, value, remoteness)))
                for table in (coded, ArrayTable(values, plies))
            )
            assert np.array_equal(one, other)
    read: list[slice] = []
    codes = CodedTable.codes

    def counted(table: CodedTable, at: Any) -> Any:
        if isinstance(at, slice):
            read.append(at)
        return codes(table, at)

    monkeypatch.setattr(CodedTable, "codes", counted)
    assert first_vertices(coded) == found
    assert len(read) == 2  # all that the codes stand for has occurred
