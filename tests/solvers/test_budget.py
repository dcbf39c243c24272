"""A solve keeps to its memory budget, or is refused: measured as the growth of the peak of a process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from tests.support import budget_run
from tests.support.budget_run import Explored
from tests.support.marks import COMPILED

RUN = Path(budget_run.__file__)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The growth of the peak of each solve."""
    command = [sys.executable, "-m", "tests.support.budget_run", str(tmp_path_factory.mktemp("budget"))]
    root = RUN.parent.parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.long
@COMPILED
@pytest.mark.parametrize("kind", budget_run.KINDS)
def test_every_solver_keeps_to_its_budget(kind: str, measured: list[dict[str, Any]]) -> None:
    """Within 15 %, and a third of it is refused."""
    records = [record for record in measured if record["kind"] == kind]
    assert records
    for record in records:
        assert record["peak"] <= 1.15 * record["memory"], record
        assert record["refused"] or kind == "explored", record


@pytest.mark.parametrize(
    ("memory", "solver", "table"),
    [
        (None, "retrograde", "ArrayTable"),
        (200_000, "sweep", "ArrayTable"),  # the edges are stored
        (120_000, "sweep", "PackedTable"),  # and dropped while positions are found
    ],
)
def test_explored_games_have_the_same_answers_under_a_budget(
    memory: int | None, solver: str, table: str, interpreted: None
) -> None:
    game = Explored(3000)
    expected, found = rs.solve(game), rs.solve(game, memory=memory)
    assert (found.solver, type(found.table).__name__) == (solver, table)
    assert np.array_equal(found.table.packed(), expected.table.packed())
    assert found.space.num_edges == expected.space.num_edges == 6 * (3000 - 3)
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(game, memory=40_000)
