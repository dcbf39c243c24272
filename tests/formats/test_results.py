"""Files of graphs with the results of every objective: written, read, compared, proven, refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import Conversion
from retrosolve.testing import CompiledGraphGame, random_tiered_graph, without_owner
from tests.support.marks import THOROUGH

pytestmark = pytest.mark.thorough

SLOWLY_READ = pytest.param("dot", marks=THOROUGH)  # by pydot: seconds for each game
SUFFIXES = ("csv", "tsv", "json", "npz", "parquet", "csv.gz", "graphml", SLOWLY_READ)
EDGES = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a"), ("e", "c"), ("e", "e")]


def scores(objective: str) -> rs.Solution:
    graph = rs.Graph.from_edges(EDGES, payoff={"d": -1}, reward=[3, 0, 0, 0, -2, 0])
    return rs.solve(graph, objective=objective, stuck="win")


def nimbers() -> rs.Solution:
    solution = rs.solve(rs.Graph.from_edges(EDGES), objective="nimber")
    assert {value.number is None for value in solution.counts()} == {True, False}
    return solution


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
    "score without remoteness": lambda: scores("score:levels=no"),
    "score without remoteness, misère": lambda: rs.solve(
        rs.Graph.from_edges(EDGES), objective="score:stuck=win,levels=no"
    ),
    "endless scores": lambda: rs.solve(rs.Graph.from_edges([0, 1], [1, 0]), objective="score"),
    "nimber": nimbers,
    "nimber of a won loop": lambda: rs.solve(
        rs.Graph.from_dict({"end": [], "loop": ["loop", "end"], "one": ["end"]}), objective="nimber"
    ),
    "endless nimbers": lambda: rs.solve(rs.Graph.from_edges([0, 1], [1, 0]), objective="nimber"),
    "conversion": lambda: distances(None),
    "limited conversion": lambda: distances(1),
    "nimbers of rules": lambda: rs.solve(rs.game("wythoff:n=3"), objective="nimber"),
    "scores of a game": lambda: rs.solve(rs.game("awari:seeds=3,pits=2")),
}


@pytest.mark.long(but=6)
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", SOLUTIONS)
def test_results_are_read_as_they_were_written(name: str, suffix: str, tmp_path: Path) -> None:
    solution = SOLUTIONS[name]()
    path = tmp_path / f"graph.{suffix}"
    rs.write(solution, path)
    read = rs.read_solution(path)
    assert read.objective == solution.objective
    by_text = {solution.space.text(p): solution[p] for p in positions(solution)}
    assert {str(read.space.text(p)): read[p] for p in positions(read)} == by_text
    assert rs.compare(read, solution).equal
    rs.verify(read)
    rs.write(read, tmp_path / f"again.{suffix}")
    assert rs.compare(rs.read_solution(tmp_path / f"again.{suffix}"), read).equal
    assert run(["compare", str(path), str(tmp_path / f"again.{suffix}")]) == 0
    assert run(["verify", str(path)]) == 0


def positions(solution: rs.Solution) -> list[Any]:
    return [solution.space.position(v) for v in np.flatnonzero(solution.table.values() != 255)]


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_read_solution_is_saved_and_opened(name: str, tmp_path: Path) -> None:
    rs.write(SOLUTIONS[name](), tmp_path / "graph.json")
    read = rs.read_solution(tmp_path / "graph.json")
    read.save(tmp_path / "saved")
    with rs.open(tmp_path / "saved", check=True) as opened:
        assert rs.compare(opened, read).equal
        rs.verify(opened)


@pytest.mark.parametrize(
    "name",
    [
        "score", "score without remoteness, misère", "nimber", "nimber of a won loop",
        "limited conversion",
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"objective": "points"}, r"objective='points' is not known"),
        ({"objective": "outcome"}, r"objective 'outcome' without results: expected one of score"),
        ({"objective": "nimber"}, r"objective 'nimber' without results: expected one of score"),
        ({"objective": 3}, r"objective=3 is not known"),
        ({"score": ["x"] * 5}, r"'x' is no score"),
        ({"score": [1] * 5}, r"score 1: expected text"),
        ({"score": ["1"] * 4}, r"score has 4 entries: expected 5"),
        ({"plies": None}, r"objective 'score:stuck=win' without plies: expected both"),
        ({"plies": [None] * 5}, r"vertex 'a' is '2' with no plies: expected other plies, or none"),
    ],
)
def test_damaged_results_raise(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    rs.write(scores("score"), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(rs.FormatError, match=message):
        rs.read_solution(path)


def test_tiers_that_fall_raise(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    rs.write(distances(None), path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"tier": content["tier"][::-1]}))
    with pytest.raises(rs.FormatError, match="tier does not rise from vertex to vertex"):
        rs.read_solution(path)


def test_columns_of_somebody_else_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("source,target\na,b\n")
    table = tmp_path / "g.vertices.csv"
    table.write_text("name,score,plies,tier,objective\na,0.5,x,gold,good\nb,many,,,\n")
    graph = rs.read_graph(tmp_path / "g.csv")
    assert graph == rs.Graph.from_edges(["a"], ["b"])
    with pytest.raises(rs.FormatError, match="holds no value and remoteness"):
        rs.read_solution(tmp_path / "g.csv")


def test_two_objectives_in_a_table_raise(tmp_path: Path) -> None:
    rs.write(nimbers(), tmp_path / "g.csv")
    table = tmp_path / "g.vertices.csv"
    table.write_text(table.read_text().replace("nimber\n", "score\n").replace("score\n", "nimber\n", 2))
    with pytest.raises(rs.FormatError, match="objective 'score' after 'nimber': expected one of them"):
        rs.read_solution(tmp_path / "g.csv")


def test_results_of_chance_are_refused(tmp_path: Path) -> None:
    dice = rs.Graph.from_edges([0, 0], [1, 2], owner=[rs.CHANCE, 0, 1], terminal={1: "win"})
    with pytest.raises(rs.FormatError, match=r"^files of graphs hold no results of Chance"):
        rs.write(rs.solve(dice, objective="chance"), tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())
