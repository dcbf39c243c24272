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

KINDS: tuple[Any, ...] = (np.int64, np.uint8)
HEAP = 29


def heap(kind: Any, **changed: Any) -> rs.CompiledGame:
    """Take one or two from a heap, every number of a kind of NumPy's."""

    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return kind(min(int(position), 2))

    def predecessors(position, out, data):
        out[0], out[1] = position + 1, position + 2
        return kind(min(HEAP - int(position), 2))

    rules = {
        "max_moves": kind(2),
        "max_predecessors": kind(2),
        "size": kind(HEAP + 1),
        "tiers": tuple(np.array([0, 10]).astype(kind)),
        "tier_names": ("few", "many"),
        "start": lambda self: kind(HEAP),
        "successors": staticmethod(successors),
        "predecessors": staticmethod(predecessors),
        "terminal": staticmethod(lambda position, data: kind(0)),
        "rank": staticmethod(lambda position, data: np.int64(position)),
        "unrank": staticmethod(lambda index, data: np.int64(index)),
        "tier_targets": lambda self, tier: np.arange(tier).astype(kind),
    }
    rules |= changed
    kept = {name: rule for name, rule in rules.items() if rule is not None}
    made: rs.CompiledGame = type("Heap", (rs.CompiledGame,), kept)()
    return made


def surveyed(kind: Any) -> rs.CompiledGame:
    def survey(index, out, data):
        number = kind(min(int(index), 2))
        return kind(0), number, number, kind(0)

    return heap(kind, survey=staticmethod(survey), tiers=None, tier_names=None, tier_targets=None)


def reached(kind: Any) -> rs.CompiledGame:
    starts = np.array([HEAP]).astype(kind)
    return heap(kind, reachable_only=np.bool_(True), starts=lambda self: starts)


def explored(kind: Any) -> rs.CompiledGame:
    absent = dict.fromkeys(
        ("size", "tiers", "tier_names", "tier_targets", "predecessors", "rank", "unrank")
    )
    player = staticmethod(lambda position, data: kind(int(position) & 1))
    return heap(kind, player=player, **absent)


def components(kind: Any) -> rs.CompiledGame:
    return heap(
        kind,
        component_size=kind(HEAP + 1),
        predecessors=None,
        tiers=None,
        tier_names=None,
        tier_targets=None,
    )


def plain(kind: Any) -> rs.Game:
    class Plain(rs.Game):
        players = (np.str_("one"), np.str_("other"))

        def start(self):
            return kind(HEAP)

        def moves(self, number):
            return [(np.str_(f"take {k}"), kind(int(number) - k)) for k in (1, 2) if k <= number]

        def player(self, number):
            return kind(int(number) & 1)

    return Plain()


@pytest.mark.thorough
@pytest.mark.parametrize("into", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [heap, surveyed, reached, explored, components, plain])
def test_numbers_of_numpy_become_numbers_of_python(
    make: Any, kind: Any, into: bool, tmp_path: Path
) -> None:
    game = make(kind)
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
