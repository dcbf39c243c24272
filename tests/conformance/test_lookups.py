"""Whatever shows many positions says what a look-up of each says, and positions are plain Python."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import retrosolve as rs
from retrosolve.formats.files import write_rows
from retrosolve.solution.bulk import ranked_edges
from retrosolve.solution.preference import ranked_moves
from retrosolve.values import INVALID
from tests.conformance.subjects import SHORT, cases

SHOWN = 40
NOWHERE = (object(), None, 1.5, 2**200, -(2**70), ("x",), (), [], {}, "no such", b"4", float("nan"))


def figures(outcome: rs.Outcome) -> dict[str, Any]:
    """What a look-up says, as columns name it."""
    names = [name for name in ("points", "low", "high") if hasattr(outcome.value, name)]
    numbers = {name: getattr(outcome.value, name) for name in names}
    return {"value": outcome.value.label, "remoteness": outcome.remoteness, **numbers}


def of_row(row: dict[str, Any]) -> dict[str, Any]:
    """The same of a row of a frame, where what is missing is None."""
    names = [name for name in ("points", "low", "high") if name in row]
    cells = {name: row.get(name) for name in ("value", "remoteness", *names)}
    return {name: None if pd.isna(cell) else cell for name, cell in cells.items()}


def solutions(name: str, folder: Path) -> list[rs.Solution]:
    return [solution for case in cases(name, folder) if len(solution := case.solve())]


@pytest.mark.parametrize("name", SHORT)
def test_frames_say_what_look_ups_say(name: str, tmp_path: Path, interpreted: None) -> None:
    for solution in solutions(name, tmp_path):
        expected = [figures(solution[position]) for position in solution]
        assert [figures(outcome) for outcome in solution.values()] == expected
        for frame in (solution.to_pandas(), solution.to_polars().to_pandas()):
            assert [of_row(row) for row in frame.to_dict("records")] == expected
        write_rows(solution, tmp_path / "table.csv")
        with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
            rows = [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file)]
        assert [of_row(row) for row in rows] == [
            {name: None if cell is None else str(cell) for name, cell in row.items()}
            for row in expected
        ]
        columns = solution.columns()
        assert [None if n < 0 else n for n in columns["remoteness"]] == [
            row["remoteness"] for row in expected
        ]
        if "features" in (moves := solution.to_pandas(moves=True)):
            assert moves["features"].tolist() == solution.features().tolist()
        if not solution.space.has_sums:
            nodes = dict(solution.to_networkx().nodes(data=True))
            assert [of_row(nodes[position]) for position in solution] == expected


@pytest.mark.parametrize("name", SHORT)
def test_bulk_look_ups_and_counts_say_what_look_ups_say(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for solution in solutions(name, tmp_path):
        positions = [*solution]
        expected = [solution[position] for position in positions]
        found = solution.outcomes(positions)
        assert [*found] == [*found[:]] == expected
        assert found.results.tolist() == [outcome.value for outcome in expected]
        assert found.labels.tolist() == [outcome.value.label for outcome in expected]
        if found.low is not None:
            assert found.low.tolist() == [outcome.value.low for outcome in expected]
            assert found.high.tolist() == [outcome.value.high for outcome in expected]
        best, moves = solution.best(positions), [solution.best_moves(at) for at in positions]
        if not solution.space.has_sums:
            index = solution.space.index
            for targets, first, row in zip(best, best.first.tolist(), moves, strict=True):
                equal = sorted({index(move.position) for move in row})
                assert sorted(map(index, targets)) == equal
                assert index(first) in equal if equal else first in (None, -1)
        more = solution.outcomes([*NOWHERE, *positions[:2]], missing_ok=True)
        assert [*more] == [None] * len(NOWHERE) + expected[:2]
        for nothing in NOWHERE:
            assert nothing not in solution
            assert solution.get(nothing) is None
            with pytest.raises(rs.PositionError):
                solution[nothing]
        kinds = Counter((outcome.value.label, outcome.remoteness) for outcome in expected)
        counted = {
            (value.label, plies): number
            for value, part in solution.histogram().items()
            for plies, number in part.items()
        }
        assert counted == kinds
        examples = solution.examples()
        for value, part in solution.histogram().items():
            longest = [plies for plies in part if plies is not None]
            assert solution.longest().get(value) == max(longest, default=None)
            for plies in part:
                assert examples[value][plies] == next(
                    position
                    for position, outcome in zip(positions, expected, strict=True)
                    if (outcome.value.label, outcome.remoteness) == (value.label, plies)
                )
        for (label, plies), number in kinds.items():
            if plies is not None:
                found = [*solution.where(label, plies)]
                assert len(found) == number
                assert {(solution[at].value.label, solution[at].remoteness) for at in found} == {
                    (label, plies)
                }


def check_ranked(solution: rs.Solution) -> None:
    """Compare the moves of all positions with those of one position at a time."""
    space, table = solution.space, solution.table
    vertices = np.flatnonzero(table.values(slice(0, table.num_vertices)) != INVALID)
    edges = ranked_edges(solution, vertices)
    assert edges.positions == [space.position(v) for v in vertices.tolist()]
    assert space.texts(edges.positions) == [space.text(position) for position in edges.positions]
    found = zip(
        edges.names, edges.targets, edges.vertices.tolist(), edges.values.tolist(),
        [None if plies < 0 else plies for plies in edges.plies.tolist()],
        [None if plies < 0 else plies for plies in edges.remoteness.tolist()],
        edges.ranks.tolist(), strict=True,
    )  # fmt: skip
    for position, count in zip(edges.positions, np.diff(edges.indptr).tolist(), strict=True):
        moves = ranked_moves(solution, position)
        ranks = [1 + sum(other.key < each.key for other in moves) for each in moves]
        assert [next(found) for _ in range(count)] == [
            (
                each.move.name, each.move.position, each.vertex, table.codec.value(each.value), each.plies,
                each.move.outcome.remoteness, rank,
            )
            for each, rank in zip(moves, ranks, strict=True)
        ]  # fmt: skip


# Where moves are worth what positions are: points and nimbers of moves may be none of the table.
UNRANKED = ("heaps", "nimber", "chance", "lanes", "score", "lines", "graph, scores")
RANKED = [name for name in SHORT if not name.startswith(UNRANKED)]


@pytest.mark.parametrize("name", RANKED)
def test_moves_of_many_positions_are_ranked_as_those_of_one(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for solution in solutions(name, tmp_path):
        check_ranked(solution)


@pytest.mark.parametrize("name", SHORT)
def test_positions_are_plain_python(name: str, tmp_path: Path, interpreted: None) -> None:
    for solution in solutions(name, tmp_path):
        space, shown = solution.space, [*islice(solution, SHOWN)]
        leaving = [*shown, solution.start, *islice(solution.where(), SHOWN)]
        leaving += [position for part in solution.examples().values() for position in part.values()]
        leaving += [position for row in solution.best(shown) for position in row]
        for position in shown:
            moves, best = solution.moves(position), solution.best_moves(position)
            leaving += [move.position for move in (*moves, *best, *solution.line(position, 5))]
            leaving += [move.position for _, move in solution.view(position).moves]
        for position in leaving:
            parts = position if isinstance(position, tuple) else (position,)
            assert not any(isinstance(part, np.generic) for part in parts), position
            if type(position) is int and abs(position) < 1 << 63:
                same = np.int64(position)
                assert solution[same] == solution[position]
                assert space.text(same) == space.text(position)
                assert space.svg(same) == space.svg(position)
                assert space.moves(same) == space.moves(position)
