"""Look-ups of many positions at once: the same answers as one by one, as arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.solution.bulk import ranked_edges
from retrosolve.solution.preference import ranked_moves
from retrosolve.testing import random_compiled_game, random_game, random_graph
from retrosolve.values import INVALID
from tests.solution.test_lookups import NO_POSITIONS, Halved
from tests.support.marks import samples


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


def all_best(solution: rs.Solution, position: Any) -> set[Any]:
    """Return the canonical targets of the best moves, one by one."""
    index = solution.space.index
    return {index(move.position) for move in solution.best_moves(position)}


def check(solution: rs.Solution) -> None:
    """Compare bulk look-ups of all positions, twice and in another order, with single ones."""
    positions = [*reversed(list(solution)), *solution]
    outcomes, best = solution.outcomes(positions), solution.best(positions)
    assert list(outcomes) == [solution[position] for position in positions]
    assert len(best) == len(outcomes) == len(positions)
    index = solution.space.index
    for position, targets in zip(positions, best, strict=True):
        found = [index(target) for target in targets]
        assert len(set(found)) == len(found)
        assert set(found) == all_best(solution, position)
    firsts = [
        index(solution.best_moves(p)[0].position) if solution.best_moves(p) else None for p in positions
    ]
    assert [None if x in (None, -1) else index(x) for x in best.first.tolist()] == firsts


@pytest.mark.parametrize("seed", range(samples(6, 40)))
def test_bulk_look_ups_of_random_games_equal_single_ones(seed: int) -> None:
    check(rs.solve(random_graph(seed)))
    check(rs.solve(random_game(seed)))
    check(rs.solve(random_compiled_game(seed)))


@pytest.mark.thorough
@pytest.mark.long("chess:KPK*")
@pytest.mark.parametrize(
    ("game", "objective"),
    [
        ("awari:pits=2,seeds=4", "score"),
        ("kalah:pits=2,seeds=1", "score"),
        ("dots:rows=1,columns=2", "score"),
        ("chess:KPK,board=5", "conversion:limit=4"),
        ("chess:KRK,board=4", None),
        ("connect4:rows=3,columns=3", "score"),
        ("tictactoe", "win-loss-draw"),
        ("hexapawn", None),
    ],
)
def test_moves_of_many_positions_are_ranked_as_those_of_one(game: str, objective: str | None) -> None:
    check_ranked(rs.solve(rs.game(game), objective=objective))


@pytest.mark.long
def test_moves_that_compiled_rules_make_are_ranked_as_those_of_one_position(tune: Any) -> None:
    tune(compile_from=0, compile_again_from=0, compile_look_ups_from=0)
    check_ranked(rs.solve(rs.game("chess:KRK,board=4")))
    check_ranked(rs.solve(rs.game("dots:rows=1,columns=2"), objective="score"))


def test_moves_of_many_positions_of_random_games_are_ranked_as_those_of_one() -> None:
    for seed in range(samples(3, 40)):
        for rules in (random_graph(seed), random_game(seed), random_compiled_game(seed)):
            check_ranked(rs.solve(rules))


def check_ranked(solution: rs.Solution) -> None:
    """Compare the moves of all positions with those of one position at a time."""
    space, table = solution.space, solution.table
    vertices = np.flatnonzero(table.values(slice(0, table.num_vertices)) != INVALID)
    edges = ranked_edges(solution, vertices)
    assert edges.positions == [space.position(v) for v in vertices.tolist()]
    assert space.texts(edges.positions) == [space.text(position) for position in edges.positions]
    found = zip(
        edges.names,
        edges.targets,
        edges.vertices.tolist(),
        edges.values.tolist(),
        [None if plies < 0 else plies for plies in edges.plies.tolist()],
        [None if plies < 0 else plies for plies in edges.remoteness.tolist()],
        edges.ranks.tolist(),
        strict=True,
    )
    for position, count in zip(edges.positions, np.diff(edges.indptr).tolist(), strict=True):
        moves = ranked_moves(solution, position)
        ranks = [1 + sum(other.key < each.key for other in moves) for each in moves]
        assert [next(found) for _ in range(count)] == [
            (
                each.move.name,
                each.move.position,
                each.vertex,
                table.codec.value(each.value),
                each.plies,
                each.move.outcome.remoteness,
                rank,
            )
            for each, rank in zip(moves, ranks, strict=True)
        ]


@pytest.mark.long("tictactoe*")
@pytest.mark.parametrize(
    ("game", "objective"),
    [
        ("awari:pits=2,seeds=4", "score"),
        ("kalah:pits=2,seeds=1", "score"),
        ("dots:rows=1,columns=2", "score"),
        ("wythoff:n=5", "nimber"),
        ("tictactoe", "win-loss-draw"),
        ("hexapawn", None),
    ],
)
def test_bulk_look_ups_answer_every_objective(game: str, objective: str | None) -> None:
    solution = rs.solve(rs.game(game), objective=objective)
    check(solution)
    results = solution.outcomes(list(solution)).results.tolist()
    assert results == [outcome.value for outcome in solution.values()]


@pytest.mark.thorough
def test_compiled_bulk_look_ups_equal_plain_ones(tune: Any) -> None:
    solution = rs.solve(Halved())
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


class Listed(Halved):
    """Ranks by a table, outside which there is nothing."""

    @property
    def data(self):
        return (np.arange(SIZE_OF_TABLE, dtype=np.int64) // 2,)

    @staticmethod
    def rank(position, data):
        return data[0][position]


SIZE_OF_TABLE = 2000


def test_compiled_look_ups_do_not_read_outside_the_arrays_of_rules(tune: Any) -> None:
    solution = rs.solve(Listed())
    tune(compile_from=0, compile_again_from=0, compile_look_ups_from=0)
    positions = np.array([2, 2000, 2**40, 4, 10**18, 6])
    values = solution.outcomes(positions, missing_ok=True).value
    assert (values == INVALID).tolist() == [False, True, True, False, True, False]


def test_rules_are_hashed_once_for_all_look_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    solution, hashed = rs.solve(Halved()), []

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
        names, tuple(names), iter(names), np.array(names), np.array(names, object), pd.Series(names),
        pd.Index(names), pd.Series(names, dtype="category"), pl.Series(names), pl.Series(names).to_arrow(),
    ]  # fmt: skip
    for column in columns:
        outcomes = solution.outcomes(column)
        assert outcomes.value.tolist() == [1, 2, 1]
        assert outcomes.labels.tolist() == ["win", "loss", "win"]
    missing = solution.outcomes(pd.Series(["a", None, "x"]), missing_ok=True)
    assert list(missing)[1:] == [None, None]
    assert missing.results.tolist()[1:] == [None, None]


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
        with pytest.raises(rs.PositionError, match=r"positions\[1\]: .*None"):
            solution.outcomes(column)
        with pytest.raises(rs.PositionError, match=r"positions\[1\]: .*None"):
            solution.best(column)


def test_masked_rows_are_no_positions() -> None:
    solution = rs.solve(Nim())
    rows = np.ma.array([[3, 4], [1, 1]], mask=[[0, 0], [0, 1]])
    assert list(solution.outcomes(rows, missing_ok=True)) == [solution[3, 4], None]


def test_rows_of_an_array_are_tuples_and_text_is_parsed() -> None:
    solution = rs.solve(Nim())
    rows = np.array([[3, 4], [2, 2]])
    assert list(solution.outcomes(rows)) == [solution[3, 4], solution[2, 2]]
    assert list(solution.outcomes(["3,4", (2, 2)])) == list(solution.outcomes(rows))


def test_numbers_of_graphs_are_looked_up_with_gaps_and_without() -> None:
    plain = rs.solve(rs.Graph.from_edges([0, 1], [1, 2]))
    gaps = rs.solve(rs.Graph.from_edges([10, 500], [500, 7000]))
    assert plain.outcomes(np.array([2, 3, -1]), missing_ok=True).value.tolist() == [2, 255, 255]
    assert gaps.outcomes(np.array([7000, 7, 10, 9000]), missing_ok=True).value.tolist() == [
        2,
        255,
        2,
        255,
    ]
    assert gaps.outcomes(np.zeros(0, np.int64)).value.tolist() == []
    assert gaps.best([]).first.tolist() == []


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


def test_text_does_not_stand_for_numbers_of_graphs() -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 2]))
    assert solution.get("1") is None
    assert list(solution.outcomes(["1", 1], missing_ok=True)) == [None, solution[1]]


def test_what_is_no_position_is_named_with_its_place() -> None:
    solution = rs.solve(rs.game("stones:n=10"))
    with pytest.raises(rs.PositionError, match=r"positions\[1\]: 11 was not reached"):
        solution.outcomes([3, 11])
    with pytest.raises(rs.PositionError, match=r"positions\[0\]: no position .* is written 'x'"):
        solution.best(["x"])
    with pytest.raises(rs.PositionError, match=r"'3' is not a list of positions: expected .* \['3'\]"):
        solution.outcomes("3")
    pairs = rs.solve(rs.Graph.from_dict({(0, 0): [(0, 1)]}))
    with pytest.raises(rs.PositionError, match=r"\(0, 1\) is not a list of .* \[\(0, 1\)\]"):
        pairs.best((0, 1))


def test_opened_solutions_and_sums_answer_in_bulk(tmp_path: Path) -> None:
    solution = rs.solve(rs.game("stones:n=10"))
    solution.save(tmp_path / "stones")
    with rs.open(tmp_path / "stones") as opened:
        assert list(opened.outcomes([3, "4"])) == [solution[3], solution[4]]
        assert opened.best([10]).first.tolist() == solution.best([10]).first.tolist()
    heaps = rs.solve(rs.game("octal:code=0.07,n=8"))
    sums = [(3, 4), 5, "2+2"]
    assert list(heaps.outcomes(sums)) == [heaps[position] for position in sums]
    moves = [[move.position for move in heaps.best_moves(position)] for position in sums]
    assert list(map(list, heaps.best(sums))) == moves
    assert heaps.outcomes([(3, 99)], missing_ok=True).value.tolist() == [255]
