"""Compiled rules have the answers of the same rules in plain Python, whichever solver finds them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.objectives import OBJECTIVES, Odds, objective_of
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.solvers import NAMES, SOLVERS
from tests.conformance.subjects import SUBJECTS, cases

ASKED = (*OBJECTIVES, "score:levels=no")
SPECIFIED = {row.objective for row in SOLVERS if row.name == "reference"}
NO_START = "compiled: canonical"
COMPILED = [
    *(name for name in SUBJECTS if name.startswith("compiled: ") and name != NO_START),
    "tiers", "score, compiled", "lines of 3 points, score", "awari",
]  # fmt: skip


def agree(one: Any, other: Any) -> bool:
    """Return whether two values are the same, or bounds of the same number.

    What is said of endless play depends on the payoffs of all positions, also of those that no play from
    the start reaches.
    """
    if isinstance(one, Odds):
        return max(one.low, other.low) <= min(one.high, other.high) + 1e-9
    return bool(one == other)


def solved(subject: Any, **options: Any) -> rs.Solution | None:
    """Return a solution; None where no solver of the name answers."""
    try:
        return rs.solve(subject, **options)
    except rs.GraphError:
        return None


@pytest.mark.parametrize("objective", ASKED)
@pytest.mark.parametrize("name", COMPILED)
def test_every_solver_agrees_with_plain_rules(
    name: str, objective: str, tmp_path: Path, interpreted: None
) -> None:
    for case in cases(name, tmp_path, 3):
        stuck = case.options.get("stuck") if objective not in ("nimber", "chance") else None
        asked = objective_of(objective, stuck)
        specified = {asked.name, asked.solved_as} & SPECIFIED
        ask = functools.partial(solved, objective=asked)
        plain = ask(InterpretedGame(case.subject), solver="reference" if specified else "auto")
        space = case.subject.state_space()
        stored = space.materialize()
        assert tuple(stored.tiers) == tuple(space.tiers)
        for solver in ("auto", *(each for each in NAMES if each != "ray")):
            for subject, name_of in ((case.subject, lambda v: v), (stored, space.index)):
                solution = ask(subject, solver=solver)
                assert (solver, solution, plain is None) != ("auto", None, False)
                if solution is None:
                    continue
                rs.verify(solution)
                for position, outcome in () if plain is None else plain.items():
                    found = solution[name_of(position)]
                    assert agree(found.value, outcome.value), (position, solver, subject)
                    assert found.remoteness == outcome.remoteness, (position, solver, subject)
