"""Policeman and thief: three ways to the same answer, and the answers themselves."""

import random
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PLAYERS, PoliceAndThief, verdict
from retrosolve.runtime.context import Context
from retrosolve.solvers import bitset, reference
from retrosolve.spaces.product import ProductSpace
from retrosolve.testing import random_board
from tests.conftest import Tune
from tests.support.marks import samples
from tests.support.police import COUNTS, PlainPolice, same

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_example_boards(name: str, boards: Path) -> None:
    police = PoliceAndThief.from_file(boards / f"{name}.txt")
    answer, policeman, thief = COUNTS[name]
    for solver in ("auto", "retrograde"):
        solution = rs.solve(police, solver=solver)
        rs.verify(solution)
        assert verdict(solution[police.initial]) == answer
        by_owner = solution.counts_by_player()
        assert by_owner is not None
        for player, expected in zip(PLAYERS, (policeman, thief), strict=True):
            counts = by_owner[player]
            assert (counts[Value.WIN], counts[Value.LOSS], counts[Value.DRAW]) == expected
            assert counts[Value.TIE] == 0


@pytest.mark.long(but=1)
@pytest.mark.parametrize("part", range(4))
def test_stored_and_made_edges_agree_on_random_boards(part: int) -> None:
    rng = random.Random(part)
    for _ in range(samples(250, 1000)):
        police = PoliceAndThief.from_text(random_board(rng, 4))
        made = rs.solve(police)
        assert made.solver == "bitset"
        stored = rs.solve(police.product().materialize())
        assert stored.solver in ("retrograde", "acyclic")
        assert same(made, stored)
        rs.verify(made)


def test_the_specification_agrees_on_random_boards() -> None:
    rng = random.Random(17)
    for _ in range(samples(300, 1000)):
        police = PoliceAndThief.from_text(random_board(rng, 3))
        made = rs.solve(police)
        assert same(made, rs.solve(police, solver="reference"))
        assert same(made, rs.solve(police.product().materialize(), solver="reference"))


def test_the_plain_rules_agree_on_random_boards() -> None:
    rng = random.Random(23)
    for _ in range(samples(150, 500)):
        police = PoliceAndThief.from_text(random_board(rng, 3))
        made, explored = rs.solve(police), rs.solve(PlainPolice(police))
        for v in range(len(explored)):
            position = explored.space.position(v)
            assert explored[position] == made[position]
            assert explored.moves(position) == made.moves(position)


def test_compiled_kernel_equals_plain_python(tune: Tune) -> None:
    rng = random.Random(29)
    for _ in range(200):
        police = PoliceAndThief.from_text(random_board(rng, 5))
        tune(compile_from=10**9)
        slow = rs.solve(police)
        tune(compile_from=0)
        assert same(slow, rs.solve(police))


@pytest.mark.long
def test_two_tokens_on_any_two_graphs_may_be_stuck() -> None:
    rng = random.Random(31)
    for _ in range(samples(250, 500)):
        k, m = rng.randint(0, 4), rng.randint(0, 4)
        tokens = [
            rs.Graph.from_edges(
                [rng.randrange(n) for _ in range(2 * n)], [rng.randrange(n) for _ in range(2 * n)], n
            )
            for n in (k, m)
        ]
        terminal = np.array([rng.choice((0, 0, 0, 1, 2, 3)) for _ in range(2 * k * m)], np.uint8)
        game = ProductSpace(*tokens, terminal)
        for stuck in (Value.LOSS, Value.WIN, Value.TIE):
            expected = reference.solve(game.materialize(), stuck, Context()).table
            found = bitset.solve(game, stuck, Context()).table
            assert np.array_equal(found.values(), expected.values())
            assert np.array_equal(found.remoteness(), expected.remoteness())
            alone = bitset.solve_values(game, stuck, Context()).table
            assert np.array_equal(alone.values(), expected.values())
            assert not alone.has_remoteness


def test_capture_comes_before_the_exit_on_the_thiefs_turn() -> None:
    police = PoliceAndThief.from_text("PE")
    solution = rs.solve(police)
    both_on_exit = ((1, 2), (1, 2), "thief")
    assert solution[both_on_exit] == (Value.LOSS, 0)
    # A program that looks at the exit first calls this a win for the thief.
    assert solution[(1, 2), (1, 2), "policeman"] == (Value.WIN, 0)
    assert solution[(1, 1), (1, 2), "thief"] == (Value.WIN, 0)
    assert solution[(1, 1), (1, 2), "policeman"] == (Value.LOSS, 0)


def test_exit_before_capture_on_the_thiefs_turn_changes_no_position_with_two_cells() -> None:
    rng = random.Random(37)
    changed = 0
    for _ in range(samples(100, 500)):
        police = PoliceAndThief.from_text(random_board(rng, 4))
        graph = police.product().materialize()
        terminals = graph.terminals.copy()
        both = [v for v in range(graph.num_vertices) if (p := police.position(v))[0] == p[1]]
        on_exit = [
            v
            for v in both
            if (p := police.position(v))[2] == "thief" and police.board.exits[p[0][0] - 1, p[0][1] - 1]
        ]
        terminals[on_exit] = Value.WIN
        other = rs.solve(rs.Graph.from_csr(graph.indptr, graph.indices, graph.owner, terminals))
        solution = rs.solve(police)
        for v in range(graph.num_vertices):
            if v in on_exit:
                changed += 1
                assert other[v] != solution[police.position(v)]
            else:
                assert other[v] == solution[police.position(v)]
    assert changed > 50


def test_the_thief_who_steps_onto_the_policeman_on_an_exit_is_caught() -> None:
    solution = rs.solve(PoliceAndThief.from_text(".E\nT*"))
    outcomes = {move.name: move.outcome for move in solution.moves(((1, 2), (1, 1), "thief"))}
    assert outcomes["right"] == (Value.WIN, 0)  # for the policeman, whose turn it then is
    assert solution[(1, 2), (1, 1), "thief"] == (Value.LOSS, 2)


def test_moves_are_eight_for_the_policeman_four_for_the_thief() -> None:
    police = PoliceAndThief.from_text("...\n.P.\n..T")
    assert len(police.moves(police.start())) == 9
    names = {name for name, _ in police.moves(((1, 1), (2, 2), "thief"))}
    assert names == {"stay", "up", "down", "left", "right"}
    assert police.text(police.start()) == "policeman 2,2, thief 3,3, policeman to move"


def test_lines_follow_the_remoteness(boards: Path) -> None:
    police = PoliceAndThief.from_file(boards / "caught.txt")
    solution = rs.solve(police)
    line = solution.line(police.initial)
    assert [move.outcome.remoteness for move in line] == list(range(16, -1, -1))
    last = line[-1].position
    assert last[0] == last[1]
    assert len(solution.line(police.initial, 5)) == 5


def test_a_board_without_tokens_has_all_positions_solved() -> None:
    police = PoliceAndThief.from_text("..E\n.*.")
    solution = rs.solve(police)
    assert (solution.start, len(solution)) == (None, 2 * 25)
    with pytest.raises(rs.PositionError, match="shows no policeman or no thief"):
        police.start()
    for bad in (((1, 1), (2, 2), "thief"), ((1, 1), (1, 2), "judge"), (1, 2), None, 7):
        with pytest.raises(rs.PositionError, match="no position of this board"):
            solution[bad]


def test_the_verdict_is_from_the_policemans_side_on_either_turn() -> None:
    win = rs.Outcome(Value.WIN, 3)
    assert verdict(win) == "Police catches the thief"
    assert verdict(win, "thief") == "The thief escapes"
    assert verdict(rs.Outcome(Value.DRAW, None), "thief") == "Draw"


@pytest.mark.parametrize(
    "text",
    [
        "2 3\r\nP.*\r\n.TE\r\n",
        "P.*\n.TE",
        "\ufeff2 3\nP.*  \n.TE \t\n\n\n",
        "\n\n2 3\nC.*\n.TE",
        "P.*\r.TE",
        # as `cin >>` reads them
        "2 3\n  P.*\n .TE",
        "2\n3\nP.*\n.TE",
        " 2 \n\n 3\n\nP.*\n\n.TE",
        "2 3\nP . *\n.\tT  E",
        "  P.*\n.TE",
    ],
)
def test_boards_are_read_however_their_lines_end(text: str) -> None:
    board = parse_board(text.encode())
    assert str(board) == "P.*\n.TE"
    assert (board.rows, board.columns) == (2, 3)


BAD_BOARDS = [
    ("", "no rows"),
    ("3 3\n", "no rows"),
    ("P.T\n..", r"line 2: row 2 has 2 cells: expected 3"),
    ("2 3\nP.T", r"the first line promises 2 rows, the board has 1"),
    ("1 4\nP.T", r"line 2: row 1 has 3 cells: expected 4"),
    ("P.T\n.x.", r"line 2: row 2, column 2 is 'x'"),
    ("P.p", r"row 1, column 3 is 'p'"),
    ("P..\n..P", r"line 2: row 2, column 3 has a second policeman: expected one, and row 1, column 1"),
    ("P..\n..C", r"second policeman"),
    ("T..\n.T.", r"row 2, column 2 has a second thief"),
    ("P T", r"row 1, column 2 is ' '"),
    ("2 3\nP . *\n.T E", r"line 3: row 2, column 3 is ' '"),
    ("2 3\nP . *\n. t E", r"line 3: row 2, column 2 is 't'"),
    ("P.T\n\n...", r"line 2: row 2 has 0 cells"),
    ("99999999999999999999 2\n..", r"promises 99999999999999999999 rows"),
    (b"\xff\xfe", r"byte 0 is not UTF-8 text"),
    ("P\0T", r"column 2 is '\\x00'"),
    (None, r"b\.txt is None: expected text"),
    (["P.T"], r"b\.txt is \['P\.T'\]: expected text"),
]


@pytest.mark.parametrize(("text", "message"), BAD_BOARDS)
def test_bad_boards_name_row_and_column(text: object, message: str) -> None:
    with pytest.raises(rs.FormatError, match=message) as caught:
        parse_board(text, "b.txt")  # type: ignore[arg-type]
    assert str(caught.value).startswith("b.txt")
    assert "\n" not in str(caught.value)


def test_a_board_too_large_for_the_machine_is_refused_before_any_work() -> None:
    police = PoliceAndThief.from_text("\n".join(["." * 600] * 600))
    with pytest.raises(rs.MemoryBudgetError, match=r"360000 free cells, .* needs about 130 GB"):
        rs.solve(police)
    with pytest.raises(rs.MemoryBudgetError, match=r"9000000 free cells, .* needs about 81 TB"):
        rs.plan(PoliceAndThief.from_text("\n".join(["." * 3000] * 3000)))
