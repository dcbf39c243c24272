"""Rules that return numbers of NumPy: a solution has numbers of Python, and is saved, shown and proven."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli.report import probe_record
from retrosolve.web.api import position_record
from tests.bad_input.compiled_rules import changed
from tests.bad_input.plain_rules import by_functions

HEAP = 29


def heap(kind: Any, *absent: str, **more: Any) -> rs.CompiledGame:
    """Take one or two from a heap, every number of a kind of NumPy's."""

    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return kind(min(int(position), 2))

    def predecessors(position, out, data):
        out[0], out[1] = position + 1, position + 2
        return kind(min(HEAP - int(position), 2))

    rules: dict[str, Any] = {
        "max_moves": kind(2), "max_predecessors": kind(2), "size": kind(HEAP + 1),
        "tiers": tuple(np.array([0, 10]).astype(kind)), "tier_names": ("few", "many"),
        "tier_targets": lambda self, tier: np.arange(tier).astype(kind),
        "start": lambda self: kind(HEAP), "successors": successors, "predecessors": predecessors,
        "terminal": lambda position, data: kind(0),
        "rank": lambda position, data: np.int64(position), "unrank": lambda index, data: np.int64(index),
    }  # fmt: skip
    made: rs.CompiledGame = changed(
        rs.CompiledGame, **{k: v for k, v in rules.items() if k not in absent} | more
    )
    return made


TIERS = ("tiers", "tier_names", "tier_targets")
MADE: dict[str, Any] = {
    "heap": heap,
    "surveyed": lambda kind: heap(kind, *TIERS, survey=lambda i, out, data: (kind(0), kind(min(int(i), 2)), kind(min(int(i), 2)), kind(0))),
    "reached": lambda kind: heap(kind, reachable_only=np.bool_(True), starts=lambda self: np.array([HEAP]).astype(kind)),
    "explored": lambda kind: heap(kind, *TIERS, "size", "predecessors", "rank", "unrank", player=lambda p, data: kind(int(p) & 1)),
    "components": lambda kind: heap(kind, *TIERS, "predecessors", component_size=kind(HEAP + 1)),
    "plain": lambda kind: by_functions(
        kind(HEAP), lambda n: [(np.str_(f"take {k}"), kind(int(n) - k)) for k in (1, 2) if k <= n],
        player=lambda n: kind(int(n) & 1), players=(np.str_("one"), np.str_("other")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("into", [False, True])
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
@pytest.mark.parametrize("name", MADE)
def test_numbers_of_numpy_become_numbers_of_python(
    name: str, kind: Any, into: bool, tmp_path: Path
) -> None:
    game = MADE[name](kind)
    if into:
        solution = rs.solve(game, out=tmp_path / "s")
    else:
        solution = rs.solve(game)
        solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s", game=game, check=True)
    rs.verify(opened)
    assert type(solution.num_edges) is type(opened.num_edges) is int
    assert solution.num_edges == 2 * HEAP - 1
    for found in (solution, opened):
        shown = [probe_record(found, found.start), position_record(found, found.start)]
        shown += [asdict(rs.plan(game)), asdict(rs.check_game(game, samples=20)), found.num_edges]
        json.dumps(shown)
        assert str(rs.explain(found, found.start))
        assert {type(n) for n in found.counts().values()} == {int}
