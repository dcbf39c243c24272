"""A solve keeps to its memory budget, or is refused: measured as the growth of the peak of a process."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.runtime import tuning
from tests.support import budget_edges, budget_solvers
from tests.support.marks import COMPILED, THOROUGH

pytestmark = pytest.mark.thorough

RUN = Path(__file__).parent.parent / "support" / "budget_run.py"


@pytest.mark.long
@COMPILED
@THOROUGH
def test_compiled_games_keep_to_their_budget() -> None:
    """Within 15 %; a game whose size is known is refused before half of the budget is used."""
    done = subprocess.run([sys.executable, str(RUN)], capture_output=True, text=True, check=True)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(run["game"], run["solver"]) for run in runs] == [
        ("Indexed", "retrograde"),
        ("Indexed", "sweep"),
        ("Indexed", None),
        ("Explored", None),
        ("Explored", "sweep"),
        ("Explored", "sweep"),
        ("Explored", "sweep"),
        ("Explored", "retrograde"),
    ]
    for run in runs:
        bound = 0.5 if run["game"] == "Indexed" and run["solver"] is None else 1.15
        assert run["peak"] <= bound * run["memory"], run


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The growth of the peak of a solve under the budget that was planned, by kind."""
    out = tmp_path_factory.mktemp("budget") / "s"
    script = Path(budget_solvers.__file__)
    command = [sys.executable, "-m", f"tests.support.{script.stem}", str(out)]
    root = script.parent.parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    return {record["kind"]: record for record in map(json.loads, done.stdout.splitlines())}


@pytest.mark.long
@COMPILED
@THOROUGH
@pytest.mark.parametrize("kind", budget_solvers.KINDS)
def test_every_solver_keeps_to_its_budget(kind: str, measured: dict[str, dict[str, Any]]) -> None:
    """Within 15 %, and a third of it is refused before any work."""
    record = measured[kind]
    assert record["peak"] <= 1.15 * record["memory"]
    assert re.search(r"needs about .*; the budget is ", record["refused"])


@pytest.mark.parametrize(
    ("memory", "solver", "table"),
    [
        (None, "retrograde", "ArrayTable"),
        (200_000, "sweep", "ArrayTable"),  # the edges are stored
        (120_000, "sweep", "PackedTable"),  # and dropped while positions are found
    ],
)
def test_explored_games_have_the_same_answers_under_a_budget(
    memory: int | None, solver: str, table: str
) -> None:
    game = runpy.run_path(str(RUN))["Explored"](3000)
    with tuning.using(compile_from=10**9, compile_again_from=10**9):
        expected, found = rs.solve(game), rs.solve(game, memory=memory)
    assert (found.solver, type(found.table).__name__) == (solver, table)
    assert np.array_equal(found.table.packed(), expected.table.packed())
    assert found.space.num_edges == expected.space.num_edges == 6 * (3000 - 3)


def test_explored_games_that_do_not_fit_are_refused() -> None:
    game = runpy.run_path(str(RUN))["Explored"](3000)
    with pytest.raises(
        rs.MemoryBudgetError,
        match=r"^\d+ positions of Explored were found, and exploring more needs about .* is 40 kB$",
    ):
        rs.solve(game, memory=40_000)


@pytest.mark.long
@COMPILED
@THOROUGH
def test_edges_on_disk_keep_to_their_budget(tmp_path: Path) -> None:
    """Within 15 %, names included, the first time and later, with the least budget and with more."""
    root = Path(budget_edges.__file__).parent.parent.parent
    command = [sys.executable, "-m", "tests.support.budget_edges", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert [run["kind"] for run in runs] == [kind for kind in budget_edges.KINDS for _ in range(3)]
    for run in runs:
        assert max(run["solve"], run["proof"]) <= 1.15 * run["memory"], run
