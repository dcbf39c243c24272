"""Results of other objectives in files of graphs: opened after they are saved, and no other is proven."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.objectives import Conversion
from retrosolve.testing import CompiledGraphGame, random_tiered_graph, without_owner

EDGES = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a"), ("e", "c"), ("e", "e")]


def scores(objective: str) -> rs.Solution:
    graph = rs.Graph.from_edges(EDGES, payoff={"d": -1}, reward=[3, 0, 0, 0, -2, 0])
    return rs.solve(graph, objective=objective, stuck="win")


def distances(limit: int | None) -> rs.Solution:
    for seed in range(60, 90):
        graph, tiers = random_tiered_graph(seed)
        game = CompiledGraphGame(without_owner(graph), tiers=tiers)
        solution = rs.solve(game, objective=Conversion(limit=limit))
        if len(solution) > 5 and len(solution.counts()) > 2:
            return solution
    raise AssertionError("no game that is large enough")


SOLUTIONS: dict[str, Callable[[], rs.Solution]] = {
    "score": lambda: scores("score"),
    "score without remoteness, misère": lambda: scores("score:levels=no"),
    "nimber": lambda: rs.solve(rs.Graph.from_edges(EDGES), objective="nimber"),
    "nimber of a won loop": lambda: rs.solve(
        rs.Graph.from_dict({"end": [], "loop": ["loop", "end"], "one": ["end"]}), objective="nimber"
    ),
    "limited conversion": lambda: distances(1),
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_read_solution_is_saved_and_opened(name: str, tmp_path: Path) -> None:
    rs.write(SOLUTIONS[name](), tmp_path / "graph.json")
    read = rs.read_solution(tmp_path / "graph.json")
    read.save(tmp_path / "saved")
    with rs.open(tmp_path / "saved", check=True) as opened:
        assert rs.compare(opened, read).equal
        rs.verify(opened)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_every_other_result_in_a_file_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    rs.write(SOLUTIONS[name](), path)
    content = json.loads(path.read_text())
    column = content["objective"].partition(":")[0]
    for v, label in enumerate(content[column]):
        for other in sorted(set(content[column]) - {label}):
            wrong = content | {column: [*content[column][:v], other, *content[column][v + 1 :]]}
            path.write_text(json.dumps(wrong))
            with pytest.raises((rs.VerificationError, rs.FormatError)):
                rs.verify(rs.read_solution(path))


def test_tiers_that_fall_raise(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    rs.write(distances(None), path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"tier": content["tier"][::-1]}))
    with pytest.raises(rs.FormatError):
        rs.read_solution(path)
