"""Every solver of a subject, beside the specification."""

from __future__ import annotations

import retrosolve as rs
from retrosolve.solvers import SOLVERS
from retrosolve.spaces.base import Capability
from retrosolve.testing import assert_same_answers

STORED = [
    solver.name
    for solver in SOLVERS
    if solver.requires == Capability.CSR
    and solver.objective == "outcome"
    and solver.name != "reference"
]

# Compiled games by what they implement.
KINDS = (
    "successors", "predecessors", "player", "rank", "tiers", "components", "reachable", "canonical",
    "explored",
)  # fmt: skip


def check_all(graph: rs.Graph, stuck: str) -> str:
    """Compare all solvers of stored edges with the specification; return why acyclic refused."""
    expected = rs.solve(graph, stuck=stuck, solver="reference")
    rs.verify(expected)
    refused = ""
    for name in STORED:
        try:
            assert_same_answers(rs.solve(graph, stuck=stuck, solver=name), expected)
        except rs.GraphError as error:
            assert name == "acyclic"
            refused = str(error)
    return refused
