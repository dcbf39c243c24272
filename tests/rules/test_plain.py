"""Rules in plain Python: exploring, what goes wrong in them, and folding positions together."""

import random

import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.games.stones import Stones
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.games.token import Token
from retrosolve.rules.exploring import explored_space
from retrosolve.runtime.context import Context
from retrosolve.testing import STUCK, GraphGame, assert_same_answers, random_graph
from tests.support.published import figures


def test_an_error_that_does_not_come_again_is_told() -> None:
    class Interrupted(rs.Game):
        asked = 0

        def start(self) -> int:
            return 3

        def moves(self, n: int) -> list[tuple[str, int]]:
            self.asked += 1
            if self.asked == 2:
                raise TimeoutError("too long")
            return [("on", n - 1)] if n else []

    with pytest.raises(rs.RulesError, match=r"Interrupted.moves\(2\) raised TimeoutError: too long"):
        rs.solve(Interrupted())


def test_endless_games_stop_before_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(rs.Game):
        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("on", n + 1)]

    asked = iter([10**12] * 3)
    monkeypatch.setattr("retrosolve.runtime.memory.available", lambda: next(asked, 1))
    message = (
        r"65537 positions were found and there are more, and of this machine's .* 1 bytes are left"
    )
    with pytest.raises(rs.MemoryBudgetError, match=message):
        rs.solve(Endless())


def test_stones_in_normal_play_lose_at_multiples_of_three() -> None:
    solution = rs.solve(Stones(n=100))
    rs.verify(solution)
    assert [n for n in range(101) if solution[n].value is Value.LOSS] == list(range(0, 101, 3))
    assert solution[10] == (Value.WIN, 7)
    assert [move.name for move in solution.line(4)] == ["take 1", "take 1", "take 2"]


def test_stones_in_misere_play_lose_one_past_multiples_of_three() -> None:
    solution = rs.solve(Stones(n=100), stuck="win")
    rs.verify(solution)
    assert [n for n in range(101) if solution[n].value is Value.LOSS] == list(range(1, 101, 3))


@pytest.mark.parametrize("stuck", ["loss", "win", "tie"])
def test_stones_equal_a_recursion(stuck: str) -> None:
    for take in ((1,), (2, 3), (1, 3, 4), (2, 5, 7)):
        solution = rs.solve(Stones(60, take), stuck)
        expected: dict[int, tuple[str, int]] = {}
        for n in range(61):
            after = [expected[n - k] for k in take if k <= n]
            if not after:
                expected[n] = (stuck, 0)
            elif wins := [plies for value, plies in after if value == "loss"]:
                expected[n] = ("win", 1 + min(wins))
            elif ties := [plies for value, plies in after if value == "tie"]:
                expected[n] = ("tie", 1 + min(ties))
            else:
                expected[n] = ("loss", 1 + max(plies for _, plies in after))
        reached = [n for n in range(61) if n in solution]
        assert 60 in reached
        for n in reached:
            assert solution[n] == (Value.parse(expected[n][0]), expected[n][1])


def test_tic_tac_toe_is_the_published_table() -> None:
    published = figures("tic-tac-toe")
    solution = rs.solve(TicTacToe())
    rs.verify(solution)
    assert len(solution) == published["positions"]
    assert solution.space.num_edges == published["own_edges"]
    ends = [p for p in list(solution) if TicTacToe().terminal(p) is not None]
    assert len(ends) == published["terminal"]
    assert sum(1 for p in ends if TicTacToe().terminal(p) is Value.TIE) == published["terminal_draws"]
    for value, table in published["remoteness_side_to_move"].items():
        expected = {int(plies): count for plies, count in table.items()}
        assert solution.histogram()[Value.parse(value)] == expected
    counts = solution.counts()
    assert counts[Value.DRAW] == 0
    own = published["own_values_side_to_move"]
    assert (counts[Value.WIN], counts[Value.LOSS], counts[Value.TIE]) == (
        own["W"],
        own["L"],
        own["draw"],
    )
    winner = solution.winner().tolist()
    by_owner = published["own_values_by_owner"]
    assert [winner.count(side) for side in (0, 1, -1)] == [by_owner[k] for k in ("X", "O", "draw")]


class Folded(TicTacToe):
    """Tic-tac-toe up to the eight symmetries of the board."""

    def canonical(self, board: str) -> str:
        images = [board, board[::-1]]
        images += ["".join(b[3 * (i % 3) + i // 3] for i in range(9)) for b in images]
        images += [b[6:] + b[3:6] + b[:3] for b in images]
        return min(images)


def test_folding_by_symmetry_changes_no_outcome() -> None:
    folded, full = rs.solve(Folded()), rs.solve(TicTacToe())
    rs.verify(folded)
    assert len(folded) == figures("tic-tac-toe")["up_to_D4"]
    for position in list(full):
        assert folded[position] == full[position]
        assert folded.moves(position) == full.moves(position)


class Mirror(rs.Game):
    """A loop on four cells where one move leads to the mirror image of where it started."""

    def start(self) -> int:
        return 1

    def moves(self, position: int) -> list[tuple[str, int]]:
        return {1: [("over", -1), ("on", 2)], -1: [("over", 1), ("on", -2)]}.get(position, [])


class MirrorFolded(Mirror):
    def canonical(self, position: int) -> int:
        return abs(position)


def test_a_move_to_a_mirror_image_is_a_real_move() -> None:
    for stuck in ("loss", "win", "tie"):
        full, folded = rs.solve(Mirror(), stuck), rs.solve(MirrorFolded(), stuck)
        assert [folded[p] for p in (1, -1, 2)] == [full[p] for p in (1, -1, 2)]
    assert rs.solve(MirrorFolded(), "win")[1] == (Value.DRAW, None)


def test_explored_rules_equal_the_graph_they_describe() -> None:
    rng = random.Random(41)
    for i in range(500):
        graph = random_graph(rng)
        stuck = STUCK[i % 3]
        explored, stored = rs.solve(GraphGame(graph), stuck), rs.solve(graph, stuck)
        assert_same_answers(explored, stored)
        for v in range(graph.num_vertices):
            token = rs.solve(Token(graph, v), stuck)
            assert token[v] == stored[v]


def test_several_starts_and_none() -> None:
    class Many(Stones):
        def starts(self) -> list[int]:
            return [5, 8]

    class None_(Stones):  # noqa: N801
        def starts(self) -> list[int]:
            return []

    assert len(rs.solve(Many())) == 9
    nothing = rs.solve(None_())
    assert (len(nothing), nothing.start) == (0, None)


def test_positions_not_reached_are_refused() -> None:
    solution = rs.solve(Stones(5))
    for position in (6, "a", [1], None):
        with pytest.raises(rs.PositionError, match="was not reached from the start"):
            solution[position]


class Rules(rs.Game):
    """Rules that are right until a test breaks one of them."""

    def start(self) -> object:
        return 2

    def moves(self, n: int) -> object:
        return [("down", n - 1)] if n else []


def breaks(name: str, function: object) -> type[Rules]:
    return type("Broken", (Rules,), {name: function})


def fails(self: rs.Game, *position: object) -> None:
    raise KeyError("oops")


def endless(self: rs.Game, n: int) -> object:
    while True:
        yield ("again", n)


BROKEN = [
    (breaks("moves", fails), r"Broken\.moves\(2\) raised KeyError: 'oops'"),
    (breaks("start", fails), r"Broken\.starts\(\) raised KeyError: 'oops'"),
    (breaks("terminal", fails), r"Broken\.terminal\(2\) raised KeyError"),
    (breaks("player", fails), r"Broken\.player\(2\) raised KeyError"),
    (breaks("canonical", fails), r"Broken\.canonical\(2\) raised KeyError"),
    (breaks("moves", lambda self, n: 5), r"moves\(2\) gave 5: expected pairs \(name, position\)"),
    (breaks("moves", lambda self, n: [n - 1]), r"moves\(2\) gave 1: expected a pair"),
    (breaks("moves", lambda self, n: [("a", 1, 2)]), r"moves\(2\) gave \('a', 1, 2\)"),
    (breaks("moves", lambda self, n: [(1, 2)]), r"moves\(2\) gave \(1, 2\): expected a pair \(name"),
    (breaks("moves", lambda self, n: [("a", [1])]), r"2 leads to \[1\], which cannot be hashed"),
    (breaks("moves", lambda self, n: (fails(self) for _ in "a")), r"moves\(2\) raised KeyError"),
    (breaks("moves", endless), r"moves\(2\) gave over 1000000 moves: does it ever end"),
    (breaks("start", lambda self: {}), r"'start' leads to \{\}, which cannot be hashed"),
    (breaks("player", lambda self, n: 2), r"player\(2\) gave 2: expected 0 or 1"),
    (breaks("player", lambda self, n: True), r"player\(2\) gave True: expected 0 or 1"),
    (breaks("terminal", lambda self, n: 1), r"terminal\(2\) gave 1: expected Value\.WIN"),
    (breaks("terminal", lambda self, n: Value.DRAW), r"terminal\(2\) gave <Value\.DRAW: 0>"),
    (rs.Game, r"Game\.starts\(\) raised NotImplementedError: Game gives no start"),
    (type("NoMoves", (rs.Game,), {"start": lambda self: 0}), r"NoMoves gives no moves"),
]


@pytest.mark.parametrize(("game", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_broken_rules_show_the_position(game: type[rs.Game], message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.solve(game())


def test_a_limit_on_positions_holds() -> None:
    with pytest.raises(rs.RulesError, match="more than 10 positions, the limit given"):
        explored_space(Stones(10), Context(), limit=10)
    assert explored_space(Stones(10), Context(), limit=11).num_vertices == 11


def test_bad_parameters_of_built_in_games() -> None:
    from retrosolve.games import parse_game

    assert parse_game("stones").start() == 10
    assert parse_game("stones:n=7,take=1+3").start() == 7
    for text, message in (
        ("stone", "there is no game 'stone': expected one of stones"),
        ("stones:m=3", r"'m=3' is no parameter of stones: expected n=\.\.\., take=\.\.\."),
        ("stones:n", "'n' is no parameter of stones"),
        ("stones:n=x", "n='x': expected a whole number"),
        ("stones:n=-1", "n=-1: expected 0 stones or more"),
        ("stones:n=1,n=2", "n is given twice"),
        ("stones:take=1+", r"take='1\+': expected whole numbers joined by \+"),
        ("stones:take=0", r"take=\(0,\): expected one or more numbers above 0"),
        ("tictactoe:n=3", "no parameter of tictactoe: expected none"),
    ):
        with pytest.raises(rs.RulesError, match=message):
            parse_game(text)
