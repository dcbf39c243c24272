"""PGSolver's files, read as reachability games."""

import io
import pickle
from functools import partial
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.formats import (
    read_graph,
    read_pgsolver_solution,
    read_solution,
    write,
)
from tests.support.graph_files import given, stored

# Player 0 moves on even ids of this ladder and wants the sink 4, player 1 the sink 5.
LADDER = """parity 5;
start 0;
0 0 0 1,2 "a";
1 0 1 0,3 "b";
2 0 1 4,0 "c";
3 0 0 5,1 "d";
4 8 1 4 "top";
5 3 1 5 "bottom";
"""


def test_a_game_by_hand() -> None:
    document = given(LADDER, "pg")
    graph = document.graph
    assert graph.names == ("a", "b", "c", "d", "top", "bottom")
    assert graph.owner is not None
    assert graph.owner.tolist() == [0, 1, 1, 0, 1, 1]
    assert graph.terminals is not None
    # 4: priority 8, so player 0 has won; its owner is player 1, who has lost.
    assert graph.terminals.tolist() == [0, 0, 0, 0, rs.Value.LOSS, rs.Value.WIN]
    assert [graph.neighbors(v).tolist() for v in range(6)] == [[1, 2], [0, 3], [4, 0], [5, 1], [], []]
    assert document.start == "a"
    solution = rs.solve(graph)
    assert solution["top"] == (rs.Value.LOSS, 0)
    assert solution["a"].value is rs.Value.DRAW
    assert solution.winner(endless=0).tolist() == [0, 0, 0, 0, 0, 1]
    assert solution.winner(endless=1).tolist() == [1, 1, 1, 1, 0, 1]


# Player 1 wins all of it as a parity game; as a reachability game no vertex is decided.
MIXED = "parity 3;\n0 3 0 1,2;\n1 2 1 0;\n2 5 0 2,0;\n3 4 1 0;\n"


@pytest.mark.parametrize("end", ["sol", "pg"])
@pytest.mark.parametrize("endless", [{}, {"endless": 0}])
def test_no_file_of_another_parity_game_is_written(
    tmp_path: Path, end: str, endless: dict[str, int]
) -> None:
    (tmp_path / "g.pg").write_text(MIXED)
    graph = read_graph(tmp_path / "g.pg").with_start(1)
    rs.solve(graph).save(tmp_path / "saved")
    for solution in (
        rs.solve(graph),
        rs.open(tmp_path / "saved"),
        rs.solve(pickle.loads(pickle.dumps(graph))),
    ):
        with pytest.raises(rs.FormatError):
            write(solution, tmp_path / f"copy.{end}", **endless)
    assert not (tmp_path / f"copy.{end}").exists()


def test_winners_of_odd_and_even_priorities_are_written_where_sinks_decide(tmp_path: Path) -> None:
    graph = given("0 1 0 1,2;\n1 2 0 2,0;\n2 0 1 2;\n", "pg").graph
    write(rs.solve(graph), tmp_path / "g.sol")
    assert read_pgsolver_solution(tmp_path / "g.sol") == {0: (0, 2), 1: (0, 2), 2: (0, None)}


def test_endless_play_is_won_as_in_the_file_that_was_read(tmp_path: Path) -> None:
    text = "parity 1;\n0 1 0 1;\n1 1 1 0;\n"
    graph = given(text, "pg").graph
    write(graph, tmp_path / "g.pg")
    assert (tmp_path / "g.pg").read_text() == text
    write(rs.solve(graph), tmp_path / "g.sol")
    assert (tmp_path / "g.sol").read_text() == "paritysol 1;\n0 1;\n1 1 0;\n"


def test_what_is_written(tmp_path: Path) -> None:
    graph = given(LADDER, "pg").graph
    solution = rs.solve(graph)
    solution = solution.with_start("c")
    write(graph, tmp_path / "g.pg")
    assert (tmp_path / "g.pg").read_text() == LADDER.replace("4 8", "4 0").replace("5 3", "5 1")
    write(solution, tmp_path / "s.pg", endless=1)
    assert (tmp_path / "s.pg").read_text() == (
        "parity 5;\n"
        "start 2;\n"
        '0 1 0 1,2 "a [draw -> 1]";\n'
        '1 1 1 0,3 "b [draw -> 0]";\n'
        '2 1 1 4,0 "c [draw -> 0]";\n'
        '3 1 0 5,1 "d [draw -> 1]";\n'
        '4 0 1 4 "top [loss 0]";\n'
        '5 1 1 5 "bottom [win 0]";\n'
    )
    rs.verify(read_solution(tmp_path / "s.pg"))


def test_ids_with_gaps_are_written_as_they_were(tmp_path: Path) -> None:
    text = "parity 30;\nstart 30;\n4 0 1 4;\n9 0 1 30;\n30 0 0 4,9;\n"
    document = given(text, "pg")
    write(document.graph, tmp_path / "g.pg")
    assert (tmp_path / "g.pg").read_text() == text


def test_nothing_is_written_of_what_a_file_cannot_hold(tmp_path: Path) -> None:
    edges = partial(rs.Graph.from_edges, [0], [1])
    for graph, stuck in (
        (edges(), "loss"),
        (rs.Graph.from_edges([0, 0], [0, 0], owner=[0]), "loss"),
        (edges(owner=[0, 1], terminal=[0, 3]), "loss"),
        (edges(owner=[0, 1]), "tie"),
        (edges(owner=[0, 1], names=["a", "b\n"]), "loss"),
    ):
        for end in ("pg", "sol") if not graph.names else ("pg",):
            if graph.num_vertices > 1 or end == "pg":
                with pytest.raises(rs.FormatError):
                    write(rs.solve(graph, stuck=stuck), tmp_path / f"g.{end}")
    assert list(tmp_path.iterdir()) == []


def test_names_that_look_like_answers_are_kept_in_a_solution(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges(["a [win 0]"], ["b [loss 1]"], owner=[0, 1])
    assert stored(rs.solve(graph), tmp_path / "s.pg").graph.names == graph.names


@pytest.mark.parametrize("name", ["pg", "sol"])
def test_endless_is_a_player(tmp_path: Path, name: str) -> None:
    solution = rs.solve(rs.Graph.from_edges([0], [1], owner=[0, 1]))
    for endless in (2, True, "0"):
        with pytest.raises(rs.FormatError):
            write(solution, tmp_path / f"g.{name}", endless=endless)


# -- .sol -------------------------------------------------------------------------------------------


def test_winners_are_written_and_read(tmp_path: Path) -> None:
    solution = rs.solve(given(LADDER, "pg").graph)
    write(solution, tmp_path / "s.sol", endless=0)
    # The winner's moves: 0 stays in the endless part, and so does 3; a sink goes on to itself.
    assert (tmp_path / "s.sol").read_text() == (
        "paritysol 5;\n0 0 1;\n1 0;\n2 0;\n3 0 1;\n4 0;\n5 1 5;\n"
    )
    assert read_pgsolver_solution(tmp_path / "s.sol") == {
        0: (0, 1),
        1: (0, None),
        2: (0, None),
        3: (0, 1),
        4: (0, None),
        5: (1, 5),
    }


def test_the_winners_moves_win(tmp_path: Path) -> None:
    # Checked without the solver: follow the written moves against every reply.
    text = "0 0 0 1,2;\n1 0 1 3,0;\n2 0 1 4,3;\n3 0 1 5;\n4 0 0 4;\n5 1 0 5;\n"
    graph = given(text, "pg").graph
    write(rs.solve(graph), tmp_path / "s.sol.gz", endless=0)
    answer = read_pgsolver_solution(tmp_path / "s.sol.gz")
    owner = [0, 1, 1, 1, 0, 0]
    successors = [[1, 2], [3, 0], [4, 3], [5], [4], [5]]
    for v, (winner, move) in answer.items():
        choices = [move] if owner[v] == winner else successors[v]
        assert all(answer[w][0] == winner for w in choices if w is not None)
        assert (move is not None) == (owner[v] == winner)
    assert {v: winner for v, (winner, _) in answer.items()} == {0: 1, 1: 1, 2: 1, 3: 1, 4: 0, 5: 1}


def test_the_empty_game() -> None:
    file = io.BytesIO()
    write(rs.Graph.from_edges([], [], owner=[]), file, format="pg")
    assert file.getvalue() == b"parity 0;\n"
    graph = given(file.getvalue(), "pg").graph
    assert graph == rs.Graph.from_edges([], [], owner=[])
