"""Every solver finds the right answers, and the proof accepts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.compilation import jit
from retrosolve.solvers import NAMES
from tests.conformance.subjects import CORE, EXAMPLES, SHORT, Case, cases

KERNELS = pytest.mark.parametrize("kernels", ["interpreted", "uncompiled_kernels"])


def solved(case: Case) -> Iterator[tuple[str, rs.Solution]]:
    """The solutions of all solvers that take a subject, that of "auto" first."""
    yield "auto", case.solve()
    for name in NAMES:
        try:
            if name != "ray":
                yield name, case.solve(solver=name)
        except rs.GraphError:
            continue


@KERNELS
@pytest.mark.parametrize("name", SHORT)
def test_every_solver_is_right_and_proven(
    name: str,
    kernels: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request.getfixturevalue(kernels)
    monkeypatch.setattr(jit, "is_off", lambda: True)  # those of each game would take minutes to compile
    for case in cases(name, tmp_path, 6 * EXAMPLES if name in CORE else EXAMPLES):
        first: rs.Solution | None = None
        for solver, solution in solved(case):
            if case.right is not None:
                said, right = case.right(solution)
                assert said == right, solver
            if first is not None and solution.objective.name != "chance":
                assert [*solution.values()] == [*first.values()], solver
            assert rs.verify(solution)
            assert solution.verified
            first = first or solution
