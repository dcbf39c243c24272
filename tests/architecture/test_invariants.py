"""Spaces and tables do not change, whatever is solved; holes are invalid wherever a graph is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.spaces.graph import Graph
from retrosolve.testing import CompiledGraphGame
from tests.conformance.subjects import SHORT, cases


def contents(thing: Any) -> dict[str, Any]:
    """The public attributes of an object that are data, arrays by their bytes."""
    names = {name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ())}
    # What a frozen dataclass has besides its fields it derives from them when first asked.
    names |= set(getattr(thing, "__dataclass_fields__", getattr(thing, "__dict__", ())))
    found = {}
    for name in sorted(names):
        value = getattr(thing, name, None)
        if not name.startswith("_"):
            found[name] = value.tobytes() if isinstance(value, np.ndarray) else id(value)
    return found


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", SHORT)
def test_solving_and_proving_change_neither_space_nor_table(name: str, tmp_path: Path) -> None:
    (case,) = cases(name, tmp_path, 1)
    space = case.subject.state_space()
    before = contents(space)
    solution = rs.solve(space, **case.options)
    table = contents(solution.table)
    rs.verify(solution)
    solution.counts(), solution.longest()
    assert contents(space) == before
    assert contents(solution.table) == table
    assert not any(array.flags.writeable for array in solution.table.arrays().values())
    for thing in (space, solution.table):
        with pytest.raises(AttributeError):
            thing.num_vertices = 7
    with pytest.raises(AttributeError):
        space.start = None


@pytest.mark.usefixtures("interpreted")
def test_holes_are_invalid_in_stored_graphs_too() -> None:
    space = CompiledGraphGame(rs.Graph.from_edges([0, 1, 1], [1, 0, 2]), "predecessors").state_space()
    graph = space.materialize()
    assert isinstance(graph, Graph)
    stored, generated = rs.solve(graph), rs.solve(space)
    assert np.array_equal(stored.table.values(), generated.table.values())
    assert np.array_equal(stored.remoteness(), generated.remoteness())
    assert (stored.table.values() == 255).sum() == 6
    with pytest.raises(rs.PositionError):
        stored[int(np.argmax(stored.table.values() == 255))]
