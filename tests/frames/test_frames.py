"""Solutions as data frames and networks."""

import sys
import tracemalloc
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import retrosolve as rs
from retrosolve import Graph, Value
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.solution import frames
from retrosolve.spaces import blocks, generated
from retrosolve.spaces.base import StateSpace

SUBJECTS = {
    "numbers": Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 3]),
    "ids": Graph.from_edges([10, 20, 20], [20, 10, 30], owner={10: 0, 20: 1, 30: 1}),
    "names": Graph.from_edges(["a", "b", "b", "d"], ["b", "a", "c", "d"], terminal={"c": "tie"}),
    "tuples": Graph.from_dict({(0, 0): [(0, 1)], (0, 1): []}),
    "explored": parse_game("tictactoe"),
    "generated": parse_game("foxhounds:n=4"),
    "holes": parse_game("chess:KRK,board=4"),
    "two tokens": parse_game("police"),
}


def expected(solution: rs.Solution) -> list[tuple[Any, ...]]:
    """The rows of a frame, one look-up at a time."""
    rows = []
    space = solution.space
    plain = all(type(position) is int for position in solution) and isinstance(space, Graph)
    for position in solution:
        value, plies = solution[position]
        best = solution.best_moves(position)
        name = None if not best else best[0].position if plain else best[0].name
        rows.append((position if plain else space.text(position), value.label, plies, name))
    return rows


def rows(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    cells = frame[["position", "value", "remoteness", "best"]].astype(object)
    return list(cells.where(cells.notna(), None).itertuples(index=False, name=None))


@pytest.mark.long("two tokens")
@pytest.mark.parametrize("kind", SUBJECTS)
def test_frames_are_what_look_ups_say(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "VERTICES_PER_BLOCK", 1000)
    solution = rs.solve(SUBJECTS[kind])
    frame = solution.to_pandas()
    sample = slice(None) if len(frame) < 3000 else slice(0, None, len(frame) // 500)
    assert len(frame) == len(solution)
    assert rows(frame)[sample] == expected(solution)[sample]
    assert isinstance(frame["value"].dtype, pd.CategoricalDtype)
    assert frame["remoteness"].dtype in ("Int32", "Int64")
    by_arrow = solution.to_polars()
    assert by_arrow.columns == list(frame.columns)
    assert by_arrow["value"].to_list() == frame["value"].tolist()
    for name in ("position", "remoteness", "best"):
        assert by_arrow[name].to_list() == [None if pd.isna(x) else x for x in frame[name].tolist()]


def test_players_are_words() -> None:
    frame = rs.solve(SUBJECTS["ids"]).to_pandas()
    assert frame["player"].tolist() == ["0", "1", "1"]
    assert frame["position"].tolist() == [10, 20, 30]
    assert frame["best"].dtype == "Int64"
    assert list(rs.solve(SUBJECTS["two tokens"]).to_pandas()["player"].cat.categories) == list(
        SUBJECTS["two tokens"].state_space().players
    )
    assert "player" not in rs.solve(SUBJECTS["names"]).to_pandas()


def test_without_remoteness_and_without_positions() -> None:
    solution = rs.solve(SUBJECTS["two tokens"], objective="win-loss-draw")
    assert list(solution.to_pandas().columns) == ["position", "player", "value", "best"]
    empty = rs.solve(Graph.from_edges([], [])).to_pandas()
    assert (len(empty), list(empty.columns)) == (0, ["position", "value", "remoteness", "best"])


def test_a_graph_takes_no_call_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    graph = Graph.from_edges(rng.integers(1, 20_000, (2, 60_000)).T)
    solution = rs.solve(graph)
    for name in ("text", "position", "moves", "index"):
        monkeypatch.setattr(Graph, name, None)
    frame = solution.to_pandas()
    assert frame["position"].iloc[[0, -1]].tolist() == [graph.names[0], graph.names[-1]]


@pytest.mark.parametrize("name", ["chess:KQK,board=4", "foxhounds:n=4"])
def test_best_moves_of_a_game_are_named_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = rs.solve(rs.game(name))
    best = solution.columns()["best"]
    chosen = np.flatnonzero(best >= 0)
    vertices, targets = solution.columns()["vertex"][chosen], best[chosen]
    singly = StateSpace.move_labels(solution.space, vertices, targets)
    monkeypatch.setattr(generated, "ROWS_TO_NAME", 100)
    monkeypatch.setattr(generated.GeneratedSpace, "moves", None)
    assert solution.to_pandas()["best"].iloc[chosen].tolist() == singly.tolist()
    some = np.repeat(chosen[:50], 3)[::-1]  # as the edges of a network, in any order
    names = solution.space.move_labels(solution.columns()["vertex"][some], best[some])
    assert names.tolist() == solution.to_pandas()["best"].iloc[some].tolist()


def test_decoding_goes_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 200_000
    solution = rs.solve(Graph.from_edges(np.arange(n - 1), np.arange(1, n), n))
    monkeypatch.setattr(frames, "VERTICES_PER_BLOCK", 1 << 12)
    monkeypatch.setattr(blocks, "VERTICES_PER_BLOCK", 1 << 12)
    solution.to_pandas()
    tracemalloc.start()
    frame = solution.to_pandas()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * frame.memory_usage(index=False).sum()


def test_networks() -> None:
    solution = rs.solve(SUBJECTS["names"]).with_start("b")
    network = solution.to_networkx()
    assert dict(network.nodes(data=True)) == {
        "a": {"value": "tie", "remoteness": 2},
        "b": {"value": "tie", "remoteness": 1, "start": 1},
        "c": {"value": "tie", "remoteness": 0, "terminal": "tie"},
        "d": {"value": "draw"},
    }
    assert [edge for *edge, best in network.edges(data="best") if best] == [
        ["a", "b"], ["b", "c"], ["d", "d"]
    ]  # fmt: skip
    again = rs.solve(Graph.from_networkx(network))
    assert dict(again.items()) == dict(solution.items())


def test_networks_of_games_and_owners() -> None:
    owned = rs.solve(SUBJECTS["ids"])
    assert Graph.from_networkx(owned.to_networkx()) == owned.space
    stones = rs.solve(parse_game("stones:n=4"))
    network = stones.to_networkx()
    assert network.edges[4, 3]["name"] == "take 1"
    assert network.nodes[4]["start"] == 1
    assert network.number_of_nodes() == 5
    chess = rs.solve(SUBJECTS["holes"])
    assert chess.to_networkx().number_of_nodes() == len(chess)


def test_networks_hold_points_players_and_parallel_moves() -> None:
    edges = [("a", "b"), ("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("c", "e")]
    graph = Graph.from_edges(
        edges, owner={"a": 0, "b": 1, "c": 0, "d": 1, "e": 0}, payoff={"d": -1, "e": 4},
        reward=[3, 5, 0, 0, -2, 0],
    ).with_start("a", ("Ann", "Bob"))  # fmt: skip
    network = rs.solve(graph, objective="score").to_networkx()
    assert [edge for edge in network.edges(data="best") if edge[2]] == [
        ("a", "b", True), ("b", "d", True), ("c", "e", True)
    ]  # fmt: skip
    assert [(data["reward"], data["best"]) for data in network["a"]["b"].values()] == [
        (3, False), (5, True)
    ]  # fmt: skip
    again = Graph.from_networkx(network)
    assert (again, again.players) == (graph, graph.players)
    for payoff in ([0, 0], [0, 3]):
        graph = Graph.from_edges([0], [1], payoff=payoff)
        assert Graph.from_networkx(rs.solve(graph, objective="score").to_networkx()) == graph


def test_networks_hold_the_weights_of_chance() -> None:
    edges = [("a", "die"), ("die", "won"), ("die", "lost")]
    graph = Graph.from_edges(
        edges, owner={"a": 0, "die": rs.CHANCE, "won": 0, "lost": 0},
        terminal={"won": "win", "lost": "loss"}, weight=[1, 3, 1],
    )  # fmt: skip
    solution = rs.solve(graph)
    again = Graph.from_networkx(solution.to_networkx())
    assert again == graph
    assert dict(rs.solve(again)) == dict(solution)


def test_a_network_of_a_solution_is_a_file_of_it(tmp_path: Any) -> None:
    solution = rs.solve(SUBJECTS["names"]).with_start("b")
    nx.write_graphml(solution.to_networkx(), tmp_path / "g.graphml")
    again = rs.read_solution(tmp_path / "g.graphml")
    assert dict(again.items()) == dict(solution.items())
    assert (again.start, again.stuck) == ("b", Value.LOSS)


def test_network_of_values_without_remoteness_is_read() -> None:
    endless, ending = Graph.from_dict({"a": ["b"], "b": ["a"]}), Graph.from_dict({"a": ["b"]})
    assert Graph.from_networkx(rs.solve(endless).to_networkx()) == endless
    assert Graph.from_networkx(rs.solve(ending, objective="win-loss-draw").to_networkx()) == ending


@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("networkx", "to_networkx")])
def test_a_missing_library_is_named(library: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = rs.solve(SUBJECTS["numbers"])
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(rs.FormatError, match=f"needs {library}: pip install"):
        getattr(solution, method)()


COLUMNS = {
    "names": ["b", "a", "nobody", "b", None],
    "ids": [20, 10, 40, 20],
    "tuples": [(0, 1), (0, 0), (9, 9)],
    "explored": ["... ... ...", "no board"],
    "holes": ["4k3/8/8/8/8/8/8/8 w", "x"],
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_series_map_looks_up_each_entry(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = rs.solve(SUBJECTS[kind])
    positions = list(solution)[:3] + COLUMNS[kind]
    column = pd.Series(positions, dtype=object)
    expected = [solution.get(position) for position in positions]
    assert None in expected
    assert expected[:3] == [solution[position] for position in positions[:3]]
    monkeypatch.setattr(rs.Solution, "__iter__", None)  # the whole solution may be too large
    assert column.map(solution).tolist() == expected


def test_series_of_a_solution_has_its_outcomes() -> None:
    for kind in ("names", "ids", "numbers", "tuples"):
        solution = rs.solve(SUBJECTS[kind])
        series = pd.Series(solution)
        assert series.index.tolist() == list(solution)
        assert series.tolist() == list(solution.values())
    # pandas 2 maps a column so, with the whole solution
    mapped = pd.Series(["b", "nobody", "c"]).map(pd.Series(rs.solve(SUBJECTS["names"])))
    assert mapped.isna().tolist() == [False, True, False]
    assert mapped.dropna().tolist() == [(Value.TIE, 1), (Value.TIE, 0)]


def test_columns_of_lists_hold_every_move_and_all_best_ones() -> None:
    solution = rs.solve(rs.game("awari:pits=2,seeds=2"), objective="score")
    table = solution.to_arrow(moves=True)
    frame = solution.to_pandas(moves=True)
    for name in ("optimal", "moves", "move_values", "move_remoteness"):
        assert frame[name].tolist() == table[name].to_pylist()
    rows = zip(solution, table["moves"].to_pylist(), table["optimal"].to_pylist(), strict=True)
    for position, moves, optimal in rows:
        assert moves == [move.name for move in solution.moves(position)]
        assert optimal == [move.name for move in solution.best_moves(position)]
    views = [solution.view(position) for position in solution]
    values = [[value.label for value, _ in view.moves] for view in views]
    assert table["move_values"].to_pylist() == values
    assert "optimal" not in solution.to_arrow().column_names


def test_lists_of_moves_in_graphs_of_numbers_are_numbers() -> None:
    solution = rs.solve(rs.Graph.from_edges([2, 2, 3], [1, 0, 2], vertices=5))
    frame = solution.to_polars(moves=True)
    assert frame["optimal"].to_list() == [[], [], [1, 0], [2], []]
    assert frame["move_values"].to_list() == [[], [], ["win", "win"], ["loss"], []]
    assert frame["move_remoteness"].to_list() == [[], [], [0, 0], [1], []]


def test_notebooks_print_outcomes_moves_and_counts_as_text() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    assert pretty({"b": solution["b"], "counts": solution.counts()}) == (
        "{'b': WIN in 1, 'counts': {WIN: 1, LOSS: 2, TIE: 0, DRAW: 0}}"
    )
    assert pretty(solution.best_moves("b")) == "[c (LOSS in 0)]"
    heap = rs.solve(rs.game("wythoff:n=3"), objective="nimber")
    assert pretty(list(heap.counts())[:2]) == "[*0, *1]"
    assert pretty(rs.plan(solution.space)).startswith("solver ")


def test_a_dataset_of_numbers_begins_with_positions_without_moves(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "ROWS_WITH_MOVES", 3)
    (tmp_path / "g.csv").write_text("source,target\n3,0\n3,1\n4,2\n")
    assert run(["dataset", str(tmp_path / "g.csv"), str(tmp_path / "moves.parquet")]) == 0
    frame = pd.read_parquet(tmp_path / "moves.parquet")
    assert frame["moves"].map(list).tolist() == [[], [], [], [0, 1], [2]]
    assert frame["optimal"].map(list).tolist() == frame["moves"].map(list).tolist()


def test_a_dataset_is_a_sample_over_values_and_remotenesses(tmp_path: Any) -> None:
    file = tmp_path / "moves.parquet"
    assert run(["dataset", "tictactoe", str(file), "--sample", "60"]) == 0
    frame = pd.read_parquet(file)
    solution = rs.solve(parse_game("tictactoe"))
    assert len(set(frame["position"])) == len(frame) == 60
    classes = frame.groupby(["value", "remoteness"], observed=True).size()
    kinds = sum(len(part) for part in solution.histogram().values())
    assert len(classes) == kinds
    assert classes.max() <= 60 // kinds + 2
    for position, optimal in zip(frame["position"], frame["optimal"], strict=True):
        assert solution[position] == solution[solution.space.parse(position)]
        assert optimal.tolist() == [move.name for move in solution.best_moves(position)]
    assert run(["dataset", "tictactoe", str(file), "--sample", "60"]) == 0
    assert pd.read_parquet(file).equals(frame)
    assert run(["dataset", "stones:n=3", str(file)]) == 0
    assert len(pd.read_parquet(file)) == 4
    assert run(["dataset", "stones:n=3", str(tmp_path / "moves.csv")]) == 2
