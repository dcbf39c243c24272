"""Each prover of the table proves the solutions that it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.verification.verify import PROVERS
from tests.conformance.subjects import cases
from tests.conftest import Tune

# What each proves, by its name in the table of subjects.
PROVEN = {
    ("fixpoint", "win-loss-draw"): "police",
    ("generated", "outcome"): "tiers",
    ("bit rows", "outcome"): "police",
    ("edge blocks", "outcome"): "edges on disk",
    ("local", "outcome"): "graph",
    ("generated", "conversion"): "chess",
    ("local", "conversion"): "chess",  # read from a file
    ("generated", "score"): "awari",
    ("local", "score"): "score",
    ("heaps", "nimber"): "heaps",
    ("nimbers", "nimber"): "nimber",
    ("lanes", "chance"): "lanes",
    ("throws", "chance"): "chance, compiled",
    ("chance", "chance"): "chance",
    ("levels", "win-loss-draw"): "graph, values",
}


def test_every_prover_is_here() -> None:
    assert list(PROVEN) == [(prover.name, prover.objective) for prover in PROVERS]


@pytest.mark.parametrize(("name", "objective"), PROVEN)
def test_prover_is_chosen(name: str, objective: str, tmp_path: Path, tune: Tune) -> None:
    if name == "bit rows":  # elsewhere for work that pays for compiling
        tune(compile_from=0, compile_again_from=0)
    (case,) = cases(PROVEN[name, objective], tmp_path, 1)
    asked = {"objective": objective} if PROVEN[name, objective] == "police" else {}
    solution = case.solve(**asked, solver="lanes" if name == "lanes" else "auto")
    if (name, objective) == ("local", "conversion"):
        rs.write(solution, tmp_path / "read.csv")
        solution = rs.read_solution(tmp_path / "read.csv")
    report = rs.verify(solution)
    assert (report.method, report.positions) == (name, len(solution))
