"""Solution: look-ups, moves, lines, counts, tables, and how it shows itself."""

import random

import numpy as np
import pandas as pd

import retrosolve as rs
from retrosolve import Move, Outcome, Value
from retrosolve.testing import STUCK, random_graph

NAMED = rs.Graph.from_edges(
    ["a", "a", "a", "a", "b", "c", "d", "d", "f"],
    ["b", "c", "d", "b", "t", "e", "a", "d", "b"],
    terminal={"t": Value.TIE},
)


def test_look_up_and_moves_best_first() -> None:
    solution = rs.solve(NAMED)
    assert solution["a"] == Outcome(Value.TIE, 2)
    assert solution["c"] == Outcome(Value.WIN, 1)
    assert solution.moves("a") == [
        Move("b", "b", Outcome(Value.TIE, 1)),
        Move("d", "d", Outcome(Value.TIE, 3)),
        Move("c", "c", Outcome(Value.WIN, 1)),
    ]
    assert [move.name for move in solution.best_moves("a")] == ["b"]
    assert [move.name for move in solution.line("d")] == ["a", "b", "t"]
    assert solution.moves("t") == []
    assert solution.line("t") == []
    assert solution.start is None
    assert len(solution) == 7


def test_a_move_outcome_is_that_of_the_position_moved_to() -> None:
    rng = random.Random(2)
    for i in range(60):
        graph = random_graph(rng)
        solution = rs.solve(graph, stuck=STUCK[i % 3])
        best = solution.best_successors()
        for v in range(graph.num_vertices):
            moves = solution.moves(v)
            assert all(solution[move.position] == move.outcome for move in moves)
            live = graph.terminals is None or not graph.terminals[v]
            assert sorted(int(m.name) for m in moves) == sorted(
                set(graph.neighbors(v).tolist()) if live else []
            )
            assert best[v] == (moves[0].position if moves else -1)
            for move in solution.best_moves(v):
                assert keeps(solution, v, move)
            worse = [move for move in moves if move not in solution.best_moves(v)]
            assert not any(keeps(solution, v, move) for move in worse)


def keeps(solution: rs.Solution, v: int, move: Move) -> bool:
    """Whether a move keeps value and remoteness, straight from their definition."""
    owner = solution.space.owner
    same = owner is not None and owner[v] == owner[move.position]
    value, plies = solution[v]
    seen = move.outcome.value if same else move.outcome.value.opposite()
    if value is Value.DRAW:
        return seen is Value.DRAW
    return seen is value and move.outcome.remoteness == plies - 1


def test_lines_count_down_and_draws_stop_at_a_repetition() -> None:
    rng = random.Random(4)
    for i in range(40):
        graph = random_graph(rng)
        solution = rs.solve(graph, stuck=STUCK[i % 3])
        for v in range(graph.num_vertices):
            value, plies = solution[v]
            line = solution.line(v)
            visited = [v, *(move.position for move in line)]
            if value is Value.DRAW:
                assert visited[-1] in visited[:-1]
                assert len(set(visited)) == len(visited) - 1
            else:
                assert [move.outcome.remoteness for move in line] == list(range(plies))[::-1]


def test_counts_histogram_longest() -> None:
    solution = rs.solve(NAMED)
    assert solution.counts() == {Value.WIN: 1, Value.LOSS: 1, Value.TIE: 5, Value.DRAW: 0}
    assert solution.histogram() == {
        Value.WIN: {1: 1},
        Value.LOSS: {0: 1},
        Value.TIE: {0: 1, 1: 1, 2: 2, 3: 1},
        Value.DRAW: {},
    }
    assert solution.longest() == {Value.WIN: 1, Value.LOSS: 0, Value.TIE: 3}
    loop = rs.solve(rs.Graph.from_edges([0], [0]))
    assert loop.histogram()[Value.DRAW] == {None: 1}
    assert loop.longest()[Value.WIN] is None


def test_columns_make_a_data_frame() -> None:
    frame = pd.DataFrame(rs.solve(NAMED).columns())
    assert list(frame.columns) == ["vertex", "name", "terminal", "value", "remoteness", "best"]
    row = frame[frame.name == "a"].iloc[0]
    assert (row.value, row.remoteness, frame.name[row.best]) == (Value.TIE, 2, "b")
    owned = rs.solve(rs.Graph.from_edges([0], [1], owner=[0, 1]))
    assert owned.columns()["owner"].tolist() == [0, 1]


def test_winner_is_the_player_who_wins() -> None:
    owned = rs.solve(rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1]))
    assert owned.winner().tolist() == [-1, -1]
    assert owned.winner(endless=1).tolist() == [1, 1]
    # Each may go round or end in a tie; who wins endless play goes round.
    ties = rs.Graph.from_edges([0, 0, 1, 1], [0, 2, 1, 2], owner=[0, 1, 0], terminal={2: Value.TIE})
    assert rs.solve(ties).winner().tolist() == [-1, -1, -1]
    assert rs.solve(ties).winner(endless=1).tolist() == [-1, 1, -1]
    scored = rs.solve(rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1]), objective="score")
    assert scored.winner().tolist() == [-1, -1]


def test_arrays_have_the_promised_types_and_are_read_only() -> None:
    solution = rs.solve(NAMED)
    assert (solution.table.values().dtype, solution.remoteness().dtype) == (np.uint8, np.int32)
    assert not solution.table.values().flags.writeable


def test_repr_and_html_of_a_solution() -> None:
    solution = rs.solve(NAMED)
    assert repr(solution) == "Solution(positions=7, win=1, loss=1, tie=5, draw=0)"
    html = solution._repr_html_()
    assert "<td>TIE</td><td>5</td><td>3</td>" in html
    assert str(solution["a"]) == "TIE in 2"
    assert str(Outcome(Value.DRAW, None)) == "DRAW"


def test_a_notebook_shows_the_start_where_the_rules_draw_it() -> None:
    from xml.etree import ElementTree

    from retrosolve.games.stones import Stones
    from retrosolve.games.tictactoe import TicTacToe

    class Undrawn(Stones):
        def svg(self, n: int) -> None:
            return None

    shown = rs.solve(TicTacToe())._repr_html_()
    picture, _, table = shown.partition("</svg>")
    ElementTree.fromstring(picture + "</svg>")
    assert table.startswith("<table>")
    assert picture == TicTacToe().svg(".........").removesuffix("</svg>")
    assert rs.solve(Undrawn(n=60))._repr_html_().startswith("<table>")
