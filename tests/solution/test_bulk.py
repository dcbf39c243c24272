"""Look-ups of many positions at once: the same answers as one by one, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.values import INVALID
from tests.conformance.test_lookups import check_ranked
from tests.solution.test_lookups import NO_POSITIONS
from tests.support.even import SIZE, Even


class Nim(rs.Game[tuple[int, ...]]):
    """Two heaps, which text names: ``3,4``."""

    def start(self):
        return 3, 4

    def moves(self, position):
        for heap, size in enumerate(position):
            for left in range(size):
                yield f"{heap}: {left}", tuple(left if i == heap else x for i, x in enumerate(position))

    def text(self, position):
        return ",".join(map(str, position))

    def parse(self, text):
        return tuple(map(int, text.split(",")))


@pytest.mark.long
def test_moves_that_compiled_rules_make_are_ranked_as_those_of_one_position(tune: Any) -> None:
    tune(compile_from=0, compile_again_from=0, compile_look_ups_from=0)
    check_ranked(rs.solve(rs.game("chess:KRK,board=4")))
    check_ranked(rs.solve(rs.game("dots:rows=1,columns=2"), objective="score"))


def test_compiled_bulk_look_ups_equal_plain_ones(tune: Any) -> None:
    solution = rs.solve(Even())
    numbers = [4, 1998, *(p for p in NO_POSITIONS if isinstance(p, int) and abs(p) < 2**63)]
    mixed = [*numbers, "4", "x", None, 2**70, "1998"]
    forms: list[Any] = [np.array(numbers, np.int64), mixed, np.array([4, 2**63 + 4], np.uint64)]
    plain = [list(solution.outcomes(form, missing_ok=True)) for form in forms]
    best = list(map(list, solution.best(list(solution))))
    assert plain[1] == [solution.get(position) for position in mixed]
    assert plain[1].count(None) == len(mixed) - 4
    tune(compile_from=0, compile_again_from=0, compile_look_ups_from=0)
    assert [list(solution.outcomes(form, missing_ok=True)) for form in forms] == plain
    assert list(map(list, solution.best(list(solution)))) == best


class Listed(Even):
    """Ranks by a table, outside which there is nothing."""

    @property
    def data(self):
        return (np.arange(2 * SIZE, dtype=np.int64) // 2,)

    @staticmethod
    def rank(position, data):
        return data[0][position]


def test_compiled_look_ups_do_not_read_outside_the_arrays_of_rules(tune: Any) -> None:
    solution = rs.solve(Listed())
    tune(compile_from=0, compile_again_from=0, compile_look_ups_from=0)
    positions = np.array([2, 2000, 2**40, 4, 10**18, 6])
    values = solution.outcomes(positions, missing_ok=True).value
    assert (values == INVALID).tolist() == [False, True, True, False, True, False]


def test_rules_are_hashed_once_for_all_look_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    solution, hashed = rs.solve(Even()), []

    def digest(kernels: SpecializedKernels) -> str:
        hashed.append(kernels)
        return "a digest"

    monkeypatch.setattr(SpecializedKernels, "digest", digest)
    assert [str(solution.outcomes([4, "1998"])) for _ in range(3)] == [
        str(solution.outcomes([4, 1998]))
    ] * 3
    assert len(hashed) == 1


def test_columns_of_any_library_are_looked_up() -> None:
    solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    names = ["b", "c", "b"]
    columns = [
        tuple(names), iter(names), np.array(names), np.array(names, object), pd.Series(names), pd.Index(names),
        pd.Series(names, dtype="category"), pl.Series(names), pl.Series(names).to_arrow(),
    ]  # fmt: skip
    for column in columns:
        assert solution.outcomes(column).labels.tolist() == ["win", "loss", "win"]
    missing = solution.outcomes(pd.Series(["a", None, "x"]), missing_ok=True)
    assert missing.results.tolist()[1:] == list(missing)[1:] == [None, None]


NULLABLE: dict[str, Any] = {
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow in pieces": lambda x: pa.chunked_array([x]),
    "pandas": lambda x: pd.Series(x, dtype="Int64"),
    "pandas floats": pd.Series,
    "numpy floats": lambda x: np.array(x, np.float64),
    "pandas index": lambda x: pd.Index(x, dtype="Int64"),
    "pandas arrow": lambda x: pd.Series(x, dtype="int64[pyarrow]"),
    "masked": lambda x: np.ma.array([entry or 2 for entry in x], mask=[entry is None for entry in x]),
}


@pytest.mark.parametrize("kind", NULLABLE)
def test_missing_entries_of_columns_leave_the_others_as_they_are(kind: str) -> None:
    for subject in (
        rs.Graph.from_edges([0, 1], [1, 2]),
        rs.Graph.from_edges([5, 2], [2, 7]),
        rs.game("stones:n=5"),
    ):
        solution = rs.solve(subject)
        column = NULLABLE[kind]([2, None, 2])
        found = solution.outcomes(column, missing_ok=True)
        assert list(found) == [solution[2], None, solution[2]]
        for look_up in (solution.outcomes, solution.best):
            with pytest.raises(rs.PositionError):
                look_up(column)


def test_rows_of_an_array_are_tuples_and_text_is_parsed() -> None:
    solution = rs.solve(Nim())
    rows = np.array([[3, 4], [2, 2]])
    assert list(solution.outcomes(rows)) == [solution[3, 4], solution[2, 2]]
    assert list(solution.outcomes(["3,4", (2, 2)])) == list(solution.outcomes(rows))
    masked = np.ma.array(rows, mask=[[0, 0], [0, 1]])
    assert list(solution.outcomes(masked, missing_ok=True)) == [solution[3, 4], None]


def test_numbers_of_graphs_are_looked_up_with_gaps_and_without() -> None:
    plain = rs.solve(rs.Graph.from_edges([0, 1], [1, 2]))
    gaps = rs.solve(rs.Graph.from_edges([10, 500], [500, 7000]))
    assert plain.outcomes(np.array([2, 3, -1]), missing_ok=True).value.tolist() == [2, 255, 255]
    found = gaps.outcomes(np.array([7000, 7, 10, 9000]), missing_ok=True)
    assert found.value.tolist() == [2, 255, 2, 255]
    assert gaps.outcomes(np.zeros(0, np.int64)).value.tolist() == []
    assert gaps.best([]).first.tolist() == []
    hole = rs.solve(rs.Graph.from_edges([1], [2], 3, terminal=[INVALID, 0, 0]))
    assert list(hole.outcomes([0, 1], missing_ok=True)) == [None, hole[1]]
    assert plain.get("1") is None
    assert list(plain.outcomes(["1", 1], missing_ok=True)) == [None, plain[1]]


def test_text_stands_for_positions_of_plain_rules_wherever_one_is_asked_for() -> None:
    solution = rs.solve(Nim())
    assert solution["3,4"] == solution[3, 4]
    assert "3,4" in solution
    assert "9,9" not in solution
    assert solution.moves("3,4") == solution.moves((3, 4))
    assert list(solution.line("3,4")) == list(solution.line((3, 4)))
    assert str(solution.view("3,4")) == str(solution.view((3, 4)))
    assert str(rs.explain(solution, "3,4")) == str(rs.explain(solution, (3, 4)))
    assert solution.with_start("3,4").start == (3, 4)


def test_sums_answer_in_bulk() -> None:
    heaps = rs.solve(rs.game("octal:code=0.07,n=8"))
    sums = [(3, 4), 5, "2+2"]
    assert list(heaps.outcomes(sums)) == [heaps[position] for position in sums]
    moves = [[move.position for move in heaps.best_moves(position)] for position in sums]
    assert list(map(list, heaps.best(sums))) == moves
    assert heaps.outcomes([(3, 99)], missing_ok=True).value.tolist() == [255]
