"""Each prover of the table proves the solutions that it is for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.verification.verify import PROVERS
from tests.conftest import Tune

pytestmark = pytest.mark.thorough

LOOP = rs.Graph.from_edges(["a", "a", "b", "d", "d", "e"], ["b", "c", "c", "d", "b", "d"])
DICE = rs.Graph.from_edges(
    [0, 0, 1, 1], [1, 2, 3, 4], owner=[rs.CHANCE, 0, 1, 0, 1], terminal={3: "win"}
)


def on_disk() -> rs.EdgeParts:
    """A graph of three vertices whose edges are in a file of the current folder."""
    np.save("edges.npy", np.array([[0, 1], [1, 0], [1, 2]], np.int32))
    return rs.EdgeParts(Path("edges.npy"))


SUBJECTS: dict[tuple[str, str], Callable[[], rs.Graph | rs.EdgeParts | rs.Game | rs.CompiledGame]] = {
    ("fixpoint", "win-loss-draw"): lambda: rs.game("police"),
    ("generated", "outcome"): lambda: rs.game("foxhounds:n=4"),
    ("bit rows", "outcome"): lambda: rs.game("police"),
    ("edge blocks", "outcome"): on_disk,
    ("local", "outcome"): lambda: LOOP,
    ("generated", "conversion"): lambda: rs.game("chess:KRK,board=3"),
    ("local", "conversion"): lambda: rs.game("chess:KRK,board=3"),  # read from a file
    ("generated", "score"): lambda: rs.game("awari:seeds=3"),
    ("local", "score"): lambda: LOOP,
    ("heaps", "nimber"): lambda: rs.game("octal:n=9"),
    ("nimbers", "nimber"): lambda: LOOP,
    ("lanes", "chance"): lambda: rs.game("bearoff:points=2,checkers=2"),
    ("throws", "chance"): lambda: rs.game("pig:goal=5"),
    ("chance", "chance"): lambda: DICE,
    ("levels", "win-loss-draw"): lambda: LOOP,
}


def test_every_prover_is_here() -> None:
    assert list(SUBJECTS) == [(prover.name, prover.objective) for prover in PROVERS]


@pytest.mark.parametrize(("name", "objective"), SUBJECTS)
def test_prover_is_chosen(
    name: str, objective: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "bit rows":  # elsewhere for work that pays for compiling
        tune(compile_from=0, compile_again_from=0)
    asked = "chance:tolerance=1e-6" if name == "lanes" else objective
    solver = "lanes" if name == "lanes" else "auto"
    solution = rs.solve(SUBJECTS[name, objective](), objective=asked, solver=solver)
    if (name, objective) == ("local", "conversion"):
        rs.write(solution, "read.csv")
        solution = rs.read_solution("read.csv")
    report = rs.verify(solution)
    assert isinstance(report, rs.VerificationReport)
    assert (report.method, report.positions) == (name, len(solution))
