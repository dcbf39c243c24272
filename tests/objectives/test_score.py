"""Scores of points: what the laws of `tests/conformance` do not meet, and all that shows them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import retrosolve as rs
from retrosolve import objectives
from retrosolve.cli import run
from retrosolve.objectives import Margin
from tests.support.scored import Lines, Rules, Scored, random_graph


def test_loss_takes_the_longest_way_out_of_its_component() -> None:
    # v and w move to each other; w wins at once, and the way out of v takes two plies more.
    edges = ["vw", "wv", "we", "vx", "xy", "yz", "ze"]
    graph = rs.Graph.from_edges(*zip(*edges, strict=True))
    solution = rs.solve(graph, objective="score")
    assert [str(solution[v]) for v in "vw"] == ["LOSS by 1 in 4", "WIN by 1 in 1"]
    rs.verify(solution)


def test_verify_calls_payoff_and_reward_again() -> None:
    game = Scored([[], [(0, 2)], [(0, 3), (1, 3)]], [4, 0, 0], None, None, [0, 1, 2], "loss")
    for changed in (
        game._replace(payoff=[5, 0, 0]),
        game._replace(moves=[[], [(0, 1)], [(0, 3), (1, 3)]]),
    ):
        rules = Rules(game)
        solution = rs.solve(rules, objective="score")
        rules.game = changed
        with pytest.raises(rs.VerificationError):
            rs.verify(solution)


def test_compiled_reward_within_a_tier_raises() -> None:
    class Wrong(Lines):
        @staticmethod
        def reward(position: int, target: int, data: Any) -> int:
            return 1

    class Explored(Wrong):
        def __init__(self) -> None:
            super().__init__(3, 1)
            self.size = self.tiers = None

    for game in (Wrong(3, 1), Explored()):
        with pytest.raises(rs.RulesError):
            rs.solve(game, objective="score")


class Wages(rs.CompiledGame):
    """A walk through tiers of one position each, where one player is paid for each step."""

    max_moves, objective = 1, "score"

    def __init__(self, steps: int) -> None:
        self.size, self.tiers = steps + 1, tuple(range(steps + 1))

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0] = position - 1
        return 1 if position else 0

    @staticmethod
    def player(position: int, data: Any) -> int:
        return 0

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        return 1_000_000


@pytest.mark.long
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_points_that_fit_no_word_raise(objective: str) -> None:
    game, graph = Wages(2200), Wages(2200).state_space().materialize()
    with pytest.raises(rs.RulesError):
        rs.solve(game, objective=objective)
    with pytest.raises(rs.GraphError):
        rs.solve(graph, objective=objective)


@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_moves_that_lose_the_most_points_fit_a_word(objective: str) -> None:
    def graph(last: int) -> rs.Graph:
        edges = [*((v, v + 1) for v in range(536)), (537, 0), (537, 538)]
        rewards = [1_000_000] * 535 + [last, -1_000_000, 0]
        owner = [0] * 537 + [1, 1]
        return rs.Graph.from_edges(edges, owner=owner, reward=rewards, payoff={538: 7})

    solution = rs.solve(graph(870_911), objective=objective)
    assert solution[0].value.label == str(2**29 - 1_000_001)
    assert solution.best([537])[0] == [538]
    assert [move.position for move in solution.moves(537)] == [538, 0]
    rs.verify(solution)
    with pytest.raises(rs.GraphError):
        rs.solve(graph(870_912), objective=objective)


def test_rewards_follow_their_edges_into_rows() -> None:
    graph = rs.Graph.from_edges([2, 0, 2, 1], [1, 1, 0, 3], reward=[5, 6, 7, 8], payoff=[0, 0, 0, -2])
    assert graph.indices.tolist() == [1, 3, 1, 0]
    assert graph.reward is not None
    assert graph.reward.tolist() == [6, 8, 5, 7]
    solution = rs.solve(graph, objective="score")
    assert [int(solution[v].value) for v in range(4)] == [-4, 10, 11, -2]
    assert graph == rs.Graph.from_csr(
        graph.indptr, graph.indices, payoff=graph.payoff, reward=graph.reward
    )
    assert graph != rs.Graph.from_csr(graph.indptr, graph.indices, payoff=graph.payoff)


def test_moves_are_ranked_by_their_rewards() -> None:
    edges = [("a", "b"), ("a", "c"), ("a", "b"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 2, 0, 0])
    solution = rs.solve(graph, objective="score")
    assert [str(solution[p]) for p in "abcd"] == [
        "WIN by 2 in 1", "WIN by 1 in 1", "LOSS by 2 in 2", "LOSS by 1 in 0",
    ]  # fmt: skip
    assert [move.name for move in solution.moves("a")] == ["b", "c"]
    assert [move.name for move in solution.best_moves("a")] == ["b"]
    assert [move.name for move in solution.line("a")] == ["b", "d"]


def test_points_are_numbers_in_frames_and_where() -> None:
    graph = rs.Graph.from_edges(
        [("a", "b"), ("b", "a"), ("a", "c"), ("b", "d")], payoff={"c": 3, "d": -5}, reward=[0, 0, 2, 0]
    )
    scores = rs.solve(graph, objective="score")
    expected = [outcome.value.points for outcome in scores.values()]
    frame = scores.to_pandas(moves=True)
    assert frame["points"].tolist() == scores.columns()["points"].tolist() == expected
    assert [list(map(str, row)) for row in frame["move_points"]] == frame["move_values"].map(
        list
    ).tolist()
    assert {p for n in set(expected) for p in scores.where(n)} == set(graph.names)
    assert scores.to_networkx().nodes["b"]["points"] == 5
    assert "points" not in rs.solve(graph).columns()


FORMATS = ("csv", "json", "npz", "parquet", "csv.gz")


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_hold_payoffs_and_rewards(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(9)
    for _ in range(10):
        graph = random_graph(rng).graph()
        path = tmp_path / f"graph.{suffix}"
        rs.write(graph, path)
        read = rs.read_graph(path)
        if graph.payoff is None or graph.payoff.any() or suffix in ("json", "npz", "parquet"):
            assert read == graph
        assert np.array_equal(read.rewards(0, len(graph.indptr) - 1), graph.reward)


@pytest.mark.parametrize("suffix", [*FORMATS, "dot", "graphml"])
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_files_of_graphs_hold_scores(suffix: str, objective: str, tmp_path: Path) -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a"), ("e", "c")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0, -2])
    solution = rs.solve(graph, objective=objective)
    path = tmp_path / f"graph.{suffix}"
    rs.write(solution, path)
    assert rs.read_graph(path) == graph
    if suffix in ("csv", "dot", "graphml"):
        files = [f for f in tmp_path.iterdir() if f.name != "graph.csv"]
        text = files[0].read_text()
        assert all(solution[p].value.label in text for p in "abcde")
    read = rs.read_solution(path)
    assert read.objective == solution.objective
    assert rs.compare(read, solution).equal
    rs.verify(read)


def test_colours_of_drawn_scores_are_those_of_values(tmp_path: Path) -> None:
    edges = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "d"), ("e", "d")]
    graph = rs.Graph.from_edges(edges, payoff={"c": 3, "d": 5}, reward=[0, 0, 0, 0, 2])
    rs.write(rs.solve(graph, objective="score"), tmp_path / "graph.dot")
    drawn = (tmp_path / "graph.dot").read_text()
    assert drawn.count("fillcolor") == 5
    assert 'reward=2, label="+2"' in drawn or 'label="+2", reward=2' in drawn


def test_scores_are_explained_by_moves(capsys: Any) -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0])
    proof = rs.explain(rs.solve(graph, objective="score"), "a")
    assert [(step.move.name, step.proof.outcome.value.points) for step in proof.steps] == [
        ("b", 1), ("c", -2),
    ]  # fmt: skip
    for objective, start in (("score", None), ("score:levels=no", "a")):  # needs remoteness
        with pytest.raises(rs.GraphError):
            rs.explain(rs.solve(graph, objective=objective), start)
    for arguments in (["kalah:pits=2,seeds=1"], ["stones:n=4", "--objective", "score"]):
        assert run(["explain", *arguments]) == 0
        assert "because" in capsys.readouterr().out


def test_tables_and_networks_hold_payoffs_and_rewards() -> None:
    expected = rs.Graph.from_edges(["a", "a", "b"], ["b", "c", "c"], payoff={"c": -3}, reward=[2, 0, 0])
    edges = {"source": ["a", "a", "b"], "target": ["b", "c", "c"], "reward": [2, 0, 0]}
    vertices = {"name": ["a", "b", "c"], "Payoff": [None, None, -3]}
    assert rs.Graph.from_pandas(edges, vertices=vertices, vertex="name") == expected
    assert rs.Graph.from_pandas(edges | {"won": [2, 0, 0]}, reward="won", payoff={"c": -3}) == expected
    network = nx.DiGraph()
    network.add_edge("a", "b", reward=2)
    network.add_edge("a", "c")
    network.add_edge("b", "c")
    network.add_node("c", payoff=-3)
    assert rs.Graph.from_networkx(network) == expected


@pytest.mark.long
def test_commands_show_scores(tmp_path: Path, capsys: Any) -> None:
    path = str(tmp_path / "kalah")
    assert run(["solve", "kalah:pits=2,seeds=2", "--objective", "score", "--out", path]) == 0
    assert "LOSS by 2 in 1" in capsys.readouterr().out
    assert run(["plot", path, str(tmp_path / "plot.svg")]) == 0
    assert run(["plan", "kalah", "--objective", "score:levels=no", "--json"]) == 0
    capsys.readouterr()
    assert run(["solve", "kalah:pits=2,seeds=2", "--objective", "score:levels=no"]) == 0
    assert "LOSS by 2, the player" in capsys.readouterr().out
    assert run(["check", "kalah:pits=2,seeds=1"]) == 0
    assert run(["verify", path]) == 0
    assert run(["export", path, "--static", str(tmp_path / "pages")]) == 0
    game = json.loads((tmp_path / "pages" / "game.json").read_text("utf-8"))
    assert ["loss", "▼", "-2", "+2"] in game["values"].values()


@pytest.mark.long
def test_scores_without_remoteness_take_a_byte_and_are_saved(tmp_path: Path) -> None:
    game = rs.game("awari:seeds=6,pits=3")
    solution = rs.solve(game, objective="score:levels=no", out=tmp_path / "awari")
    direct = rs.solve(game, objective="score:levels=no")
    assert direct.table.parts[0].read(0, 1).dtype == np.uint8
    full = rs.solve(game, objective="score")
    with rs.open(tmp_path / "awari", check=True) as opened:
        assert opened.objective == objectives.Score(levels=False)
        rs.verify(opened)
        for position in list(opened)[::7]:
            assert str(opened[position]) == str(full[position].value)
            best = {move.name for move in opened.best_moves(position)}
            assert {move.name for move in full.best_moves(position)} <= best
    assert rs.solve(game, objective="score:levels=no", out=tmp_path / "awari", resume=True)
    assert solution.counts() == full.counts()


def test_label_is_parsed_again() -> None:
    for margin in (Margin(3), Margin(-12), Margin(0), Margin(0, endless=True)):
        assert Margin.parse(margin.label) == margin
        assert margin.opposite().opposite() == margin
    for label in ("many", "536870912"):
        with pytest.raises(rs.GraphError):
            Margin.parse(label)


def test_codec_of_many_scores_is_wide() -> None:
    n = 700
    graph = rs.Graph.from_edges([], [], n, payoff=np.arange(n) - 50)
    solution = rs.solve(graph, objective="score")
    assert [int(solution[v].value) for v in range(n)] == list(range(-50, n - 50))
    assert solution.table.values().dtype == np.uint16
    codec = solution.objective.codec(solution.objective.labels_of(solution.table.codec))
    assert codec == solution.table.codec
    rs.verify(solution)
