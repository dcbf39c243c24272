"""Rules that break their contract are found out before a long run; good ones pass."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import GAMES, parse_game
from retrosolve.games.chess import ChessEnding
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.rules.checks import compiled as compiled_checks
from retrosolve.rules.contract import INVALID, CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.rules.perft import count_finished_games
from tests.support.marks import COMPILED
from tests.support.published import figures

pytestmark = pytest.mark.thorough


@pytest.mark.long(but=4)
@pytest.mark.parametrize("name", GAMES)
def test_built_in_games_keep_to_their_contract(name: str) -> None:
    checked = rs.check_game(GAMES[name].make(), samples=50)
    assert checked.positions > 10
    assert "moves" in checked.rules


def test_the_report_says_what_was_checked() -> None:
    checked = rs.check_game(ChessEnding("KRK", board=3), samples=10_000)
    rules = ("moves", "terminal", "canonical", "successors", "predecessors")
    indices = ("survey", "predecessor_indices", "rank")
    assert checked.rules == (*rules, *indices, "texts", "move_names", "svg", "move_points", "parse")
    assert checked.symmetry_checked
    assert checked.complete
    assert str(rs.check_game(FoxAndHounds(4))).startswith("all 83 positions: moves, terminal, player")
    assert rs.check_game(TicTacToe(), samples=50, seed=1) == rs.check_game(
        TicTacToe(), samples=50, seed=1
    )


class Ring(rs.Game):
    """Twelve points in a ring, one or two steps on; 0 is won. What a test changes is a keyword."""

    def __init__(self, **rules: Callable[..., Any]) -> None:
        self.changed = rules
        vars(self).update(rules)

    def start(self) -> Any:
        return 5

    def moves(self, p: Any) -> Any:
        return [(f"{k}", (p + k) % 12) for k in (1, 2)]

    def terminal(self, p: Any) -> Any:
        return rs.Value.LOSS if p == 0 else None

    def implements(self, name: str) -> bool:
        return name in self.changed or super().implements(name)


def test_the_ring_is_sound() -> None:
    assert str(rs.check_game(Ring())) == "all 12 positions: moves, terminal"
    folded = rs.check_game(Ring(canonical=lambda p: p))
    assert str(folded) == "all 12 positions: moves, terminal, canonical"
    assert folded.symmetry_checked
    assert str(rs.check_game(Ring(starts=lambda: []))) == "all 0 positions: moves, terminal"


def test_an_endless_game_is_sampled() -> None:
    class Endless(rs.Game):
        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("on", n + 1), ("far", 2 * n + 1)]

        def canonical(self, n: int) -> int:
            return n

    assert rs.check_game(Endless(), samples=300, limit=50) == rs.CheckReport(
        300, False, ("moves", "canonical")
    )


def counting(rule: Callable[[int, int], Any]) -> Callable[[int], Any]:
    """A rule that is told how often it was asked before."""
    calls = itertools.count()
    return lambda p: rule(p, next(calls))


class Stack:
    """A position that its own rules change."""

    def __init__(self, items: tuple[int, ...]) -> None:
        self.items = items

    def __repr__(self) -> str:
        return f"Stack{self.items}"

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and self.items == other.items


def popping(p: Stack) -> list[tuple[str, Stack]]:
    p.items = p.items[:-1]
    return []


def falling(make: Callable[[int], Any]) -> dict[str, Any]:
    """Rules over a number that falls to 0, in positions made by ``make``."""
    return {
        "start": lambda: make(5),
        "moves": lambda p: [(f"take {k}", make(p.n - k)) for k in (1, 2) if k <= p.n],
        "terminal": lambda p: None,
    }


class Unequal:
    """A position that is equal to itself only."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n})"


class Plain:
    """A position that is equal to itself only, and whose repr says so."""

    def __init__(self, n: int) -> None:
        self.n = n


class Scattered(Unequal):
    """Equal positions whose hash depends on how they were come by."""

    made = itertools.count()

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.number = next(Scattered.made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scattered) and self.n == other.n

    def __hash__(self) -> int:
        return self.number


def later() -> Callable[[int], list[tuple[str, int]]]:
    """Moves that are other ones once another position was asked for."""
    asked = []

    def moves(p: int) -> list[tuple[str, int]]:
        asked.append(p)
        return [("on", (p + 1 + (p == 5 and 7 in asked)) % 12)]

    return moves


def counted(*answers: Any) -> Callable[[int], Any]:
    """Give these answers in turn, whatever is asked."""
    given = itertools.cycle(answers)
    return lambda p: next(given)


def shared_moves() -> Callable[[int], Any]:
    """Give the same iterator to all, which is used up by the first."""
    moves = iter([("on", 3)])
    return lambda p: moves


def raising(*p: Any) -> Any:
    raise KeyError("oops")


ODD = rs.Value.WIN, rs.Value.LOSS, rs.Value.TIE

BROKEN = [
    ({"start": raising}, r"Ring\.starts\(\) raised KeyError: 'oops'"),
    ({"starts": lambda: 5}, r"starts\(\) gave 5: expected positions to start from"),
    ({"start": lambda: [1]}, r"'start' leads to \[1\], which cannot be hashed"),
    ({"start": lambda: (1, [2])}, r"'start' leads to \(1, \[2\]\), which cannot be hashed \(unhashable type: 'list'\)"),
    ({"moves": raising}, r"Ring\.moves\(5\) raised KeyError: 'oops'"),
    ({"moves": lambda p: 7}, r"moves\(5\) gave 7: expected pairs \(name, position\)"),
    ({"moves": lambda p: ["ab"]}, r"moves\(5\) gave 'ab': expected a pair \(name, position\)"),
    ({"moves": lambda p: [("a", [p])]}, r"5 leads to \[5\], which cannot be hashed"),
    ({"moves": lambda p: itertools.repeat(("a", p))}, r"moves\(5\) gave over 1000000 moves"),
    ({"moves": lambda p: [("a", 1 // (p - 5))]}, r"Ring\.moves\(5\) raised ZeroDivisionError"),
    ({"moves": counting(lambda p, n: [("a", p % 3), ("b", n % 3)])}, r"moves\(\d\) gave \[.*\] and then \[.*\]: expected the same each"),
    ({"moves": shared_moves()}, r"moves\(5\) gave \[\('on', 3\)\] and then \[\]: expected the same each time"),
    ({"moves": later()}, r"moves\(5\) gave \[\('on', 6\)\] and then \[\('on', 7\)\]: expected the same"),
    ({"terminal": raising}, r"Ring\.terminal\(5\) raised KeyError"),
    ({"terminal": lambda p: rs.Value.DRAW}, r"terminal\(5\) gave <Value\.DRAW: 0>: expected Value\.WIN"),
    ({"terminal": lambda p: True}, r"terminal\(5\) gave True: expected Value\.WIN"),
    ({"terminal": lambda p: 1}, r"terminal\(5\) gave 1: expected Value\.WIN"),
    ({"terminal": counted(*ODD[:2])}, r"terminal\(5\) gave <Value\.WIN: 1> and then <Value\.LOSS: 2>"),
    ({"terminal": counted(None, ODD[0], ODD[0]), "start": lambda: 11}, r"(moves|terminal)\(\d+\) gave .* and then"),
    ({"player": raising}, r"Ring\.player\(5\) raised KeyError"),
    ({"player": lambda p: 3}, r"player\(5\) gave 3: expected two players: 0 and 1; rs.CHANCE for dice"),
    ({"player": lambda p: True}, r"player\(5\) gave True: expected two players"),
    ({"player": counting(lambda p, n: n // 12 % 2)}, r"player\(\d+\) gave [01] and then [01]: expected the same"),
    ({"canonical": raising}, r"Ring\.canonical\(5\) raised KeyError"),
    ({"canonical": lambda p: [p]}, r"canonical\(5\) gave \[5\], which cannot be hashed"),
    ({"canonical": counting(lambda p, n: p if n % 7 else -p)}, r"canonical\(\d+\) gave .* and then"),
    ({"canonical": lambda p: (p + 1) % 12}, r"canonical\(5\) gave 6, and canonical of that 7: expected it kept"),
    ({"canonical": lambda p: 0}, r"terminal\(5\) and terminal\(0\), its canonical form, differ"),
    ({"canonical": lambda p: p - p % 2, "player": lambda p: p % 2}, r"player\(5\) and player\(4\), its canonical form, differ"),
    ({"canonical": lambda p: p - p % 2, "moves": lambda p: [("on", (p + 3) % 12)]}, r"5 and its canonical form 4 are not played alike: only 5 has a move to 8"),
    ({"start": lambda: Stack((1, 2)), "moves": popping}, r"the rules changed the position Stack\(1, 2\) to Stack\(1,\)"),
    (falling(Unequal), r"moves\(Unequal\(1\)\) gave \[\('take 1', Unequal\(0\)\)\] twice, and they are not equal: expected .* __eq__"),
    (falling(Plain), r"moves\(<.* at .*>\) gave .* twice, and they are not equal: expected .* __eq__"),
    (falling(Scattered), r"Scattered\((\d)\) and Scattered\(\1\) are equal, but their hashes are \d+ and \d+: expected the same"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_breaches_of_plain_rules(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RulesError, match=f"^{message}"):
        rs.check_game(Ring(**rules))


def test_a_position_that_is_changed_while_others_are_asked_for_is_found() -> None:
    class Board:
        def __init__(self, n: int) -> None:
            self.n = n
            self.visits = 0

        def __repr__(self) -> str:
            return f"Board({self.n}, {self.visits} visits)"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Board) and self.n == other.n

        def __hash__(self) -> int:
            return self.n

    class Visiting(rs.Game):
        """The last board notes its visits on the first."""

        first = Board(3)

        def start(self) -> Board:
            return self.first

        def moves(self, board: Board) -> list[tuple[str, Board]]:
            self.first.visits += board.n == 0
            return [("down", Board(board.n - 1))] if board.n else []

    with pytest.raises(rs.RulesError, match=r"^the rules changed the position Board\(3, 0 visits\) to"):
        rs.check_game(Visiting())


class Wide(rs.Game):
    """A tree of 3,000 inner nodes whose leaves are won and lost in turn."""

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [("left", 2 * n + 1), ("right", 2 * n + 2)]

    def terminal(self, n: int) -> rs.Value | None:
        return None if n < 3000 else rs.Value.WIN if n % 2 else rs.Value.LOSS


class WideFolded(Wide):
    def canonical(self, n: int) -> int:
        return 5996 if n == 5995 else n


def test_what_no_sample_shows_is_found_by_solving_both_ways() -> None:
    assert not rs.check_game(WideFolded(), samples=100, limit=6000).symmetry_checked
    with pytest.raises(
        rs.RulesError, match=r"5995 is WIN in 0, but LOSS in 0 when solved with canonical"
    ):
        rs.check_game(WideFolded(), samples=100, limit=6001)


def test_a_form_that_is_never_reached_is_found() -> None:
    class Astray(Wide):
        def canonical(self, n: int) -> int:
            return 2998 if n == 2997 else n

    with pytest.raises(rs.RulesError, match=r"canonical\(5995\) gave 5995, which no moves lead to"):
        rs.check_game(Astray(), samples=100)


def test_symmetry_that_changes_the_answer_is_found() -> None:
    """Alike one move ahead everywhere, and yet not: mirror images that swap who is ahead."""

    class Two(rs.Game):
        def start(self) -> tuple[int, int]:
            return (2, 0)

        def moves(self, p: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
            n = p[0]
            return [(f"to {t}", (n - 1, t)) for t in (0, 1)] if n else []

        def terminal(self, p: tuple[int, int]) -> rs.Value | None:
            return (rs.Value.WIN, rs.Value.TIE)[p[1]] if p[0] == 0 else None

        def canonical(self, p: tuple[int, int]) -> tuple[int, int]:
            return (p[0], 0) if p[0] else p

    assert rs.check_game(Two())  # here it is right: only the number left matters before the end

    class Wrong(Two):
        def start(self) -> tuple[int, int]:
            return (2, 1)

        def moves(self, p: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
            n, side = p
            return [("on", (n - 1, side))] if n else []

    with pytest.raises(rs.RulesError, match="not played alike"):
        rs.check_game(Wrong())


class Straight(CompiledGame):
    """Points 0..11, one or two steps down; what a test changes is a keyword of the class."""

    max_moves, max_predecessors, size = 2, 2, 12
    data = (np.arange(3),)

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)

    @staticmethod
    def predecessors(position, out, data):
        out[0], out[1] = position + 1, position + 2
        return min(2, 11 - position)


def test_the_line_is_sound() -> None:
    rules = "moves, successors, predecessors, rank"
    assert str(rs.check_game(Straight())) == f"all 12 positions: {rules}"
    explored = type("Found", (Straight,), {"size": None, "start": lambda self: 11})()
    assert str(rs.check_game(explored)) == "all 12 positions: moves, successors, predecessors"


def overrunning(position, out, data):
    for k in range(5):
        out[k] = 0
    return min(position, 2)


def changing(position, out, data):
    data[0][0] += 1
    return 0


def changing_and_back(position, out, data):
    data[1][0][0] += 1
    data[1][0][0] -= 1
    return 0


def one_more(position, out, data):
    count = Straight.successors(position, out, data)
    out[count] = 0
    return count + 1


def reading(position, out, data):
    out[0] = max(position - 1, 0)
    return 1 if out[1] != 0 else 0


def raising_function(*given):
    return [][given[0]]


def wrapped(i, data):
    return 11 - i


def forgetful(position, out, data):
    count = Straight.predecessors(position, out, data)
    return count - (position == 4)


def upwards(position, out, data):
    out[0] = position + 1
    return 1 if position < 12 else 0


NONE_AT_4 = {"terminal": lambda p, data: INVALID if p == 4 else 0}
BACKWARDS = {"rank": lambda p, data: 11 - p, "unrank": wrapped}
ALONE = {"predecessors": None}

BROKEN_COMPILED = [
    ({"max_moves": 0}, r"Line\.max_moves is 0: expected a whole number above 0"),
    ({"max_predecessors": 0}, r"Line\.max_predecessors is 0"),
    ({"max_predecessors": 0, "size": None, "start": lambda: 11}, r"Line\.max_predecessors is 0"),
    ({"size": 0}, r"Line\.size is 0"),
    ({"size": None}, r"Line\.starts\(\) raised NotImplementedError: Line gives no start"),
    ({"size": None, "start": lambda: -3}, r"Line starts from -3: expected a whole number below 2\^63"),
    ({"start": lambda: 2.5}, r"Line starts from 2\.5: expected a whole number"),
    ({"start": lambda: 4, **NONE_AT_4}, r"Line starts from 4, which terminal\(\) says is no position"),
    ({"tiers": (0, 5, 3)}, r"Line\.tiers is \(0, 5, 3\): expected rising indices from 0, all below 12"),
    ({"tiers": (1, 5)}, r"Line\.tiers is \(1, 5\)"),
    ({"tiers": (0, 5), **BACKWARDS}, r"\d+ of tier 0 leads to \d+ of tier 1: expected its own tier or an earlier one"),
    ({"successors": overrunning}, r"Line\.successors\(\d+\) writes past max_moves = 2: expected"),
    ({"successors": one_more}, r"Line\.successors\(\d+\) writes past max_moves = 2: expected"),
    ({"successors": lambda p, out, data: 1}, r"Line\.successors\(0\) gave 1, but left out\[0\] as it was"),
    ({"successors": lambda p, out, data: -1}, r"Line\.successors\(0\) gave -1: expected a whole number, 0 or more"),
    ({"successors": lambda p, out, data: 0.5}, r"Line\.successors\(0\) gave 0\.5: expected a whole number"),
    ({"successors": raising_function}, r"Line\.successors\(0\) raised IndexError"),
    ({"successors": reading, **ALONE}, r"Line\.successors\(0\) gave \[0\] and then \[\]: .* whatever out held before"),
    ({"successors": changing, **ALONE}, r"Line\.successors\(0\) changes data: expected it kept"),
    ({"successors": changing_and_back, **ALONE}, r"Line\.successors\(0\) changes data: expected it kept"),
    ({"data": (np.arange(3), [1, 2])}, r"Line\.data holds a list: expected numbers and arrays in a tuple"),
    ({"successors": lambda p, out, data: out.__setitem__(0, p - 12) or 1, **ALONE}, r"Line\.successors\(0\) wrote -12: expected a whole number, 0 or more"),
    ({"successors": upwards, **ALONE}, r"\d+ leads to 12, and Line\.rank\(12\) gave 12: expected a whole number below 12"),
    ({"terminal": lambda p, data: 9}, r"Line\.terminal\(0\) gave 9: expected NOT_TERMINAL"),
    ({"terminal": lambda p, data: 1.5}, r"Line\.terminal\(0\) gave 1\.5: expected a whole number"),
    ({"terminal": raising_function}, r"Line\.terminal\(0\) raised IndexError"),
    (NONE_AT_4, r"[56] leads to 4, which terminal\(\) says is no position: expected moves to positions only"),
    ({"player": lambda p, data: 2}, r"player\(0\) gave 2: expected 0 or 1"),
    ({"player": lambda p, data: 1.5}, r"Line\.player\(0\) gave 1\.5: expected a whole number"),
    ({"rank": lambda p, data: p}, r"Line gives one of rank\(\) and unrank\(\): expected both or neither"),
    ({"rank": lambda p, data: 12 - p, "unrank": wrapped}, r"Line\.unrank\(0\) gave 11, but rank\(11\) gave 1: expected 0"),
    ({"rank": lambda p, data: p, "unrank": lambda i, data: i % 12, "size": 13}, r"Line\.unrank\(12\) gave 0, but rank\(0\) gave 0: expected 12"),
    ({"unrank": lambda i, data: -1, "rank": lambda p, data: p}, r"Line\.unrank\(0\) gave -1: expected a whole number"),
    ({"canonical": lambda p, data: -p}, r"Line\.canonical\(1\) gave -1: expected a whole number, 0 or more"),
    ({"canonical": lambda p, data: p - p % 2, **ALONE}, r"1 and its canonical form 0 are not played alike: only 1 has a move to 0"),
    ({"predecessors": lambda p, out, data: 0}, r"\d+ has a move to \d+, but predecessors\(\d+\) leaves it out"),
    ({"predecessors": forgetful}, r"6 has a move to 4, but predecessors\(4\) leaves it out"),
    ({"predecessors": overrunning}, r"Line\.predecessors\(\d+\) writes past max_predecessors = 2: expected"),
    ({"predecessors": raising_function}, r"Line\.predecessors\(\d+\) raised IndexError"),
    ({"side_to_move": lambda p: p % 2, "exchanged": lambda p: p}, r"Line\.exchanged\(\d+\) gave \d+: expected the other player to move"),
    ({"side_to_move": lambda p: p % 2, "exchanged": lambda p: p ^ 1}, r"Line\.exchanged\(\d+\) gave \d+, of which terminal\(\) and the moves are .*: expected"),
    ({"move_name": raising_function}, r"Line\.move_name\(1, one of \[0\]\) raised IndexError"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "message"), BROKEN_COMPILED, ids=[message for _, message in BROKEN_COMPILED]
)
def test_breaches_of_compiled_rules(changed: dict[str, Any], message: str) -> None:
    functions = {k: staticmethod(v) if callable(v) else v for k, v in changed.items()}
    data = {"data": (np.arange(3), (np.arange(3),))}
    game = type("Line", (Straight,), data | functions)()
    with pytest.raises(rs.RulesError, match=f"^({message})"):
        rs.check_game(game)


def test_move_without_an_index_is_collected_with_the_position_before_it() -> None:
    functions = {"successors": staticmethod(upwards), "predecessors": None}
    game = type("Line", (Straight,), {"data": (np.arange(3), (np.arange(3),))} | functions)()
    findings = rs.check_game(game, collect=True).findings
    assert any(
        "11 leads to 12, and Line.rank(12) gave 12: expected a whole" in each for each in findings
    )


def test_what_is_no_position_may_not_have_the_index_of_one() -> None:
    class Wrapped(Straight):
        """Past the end of the line the index begins again."""

        @staticmethod
        def predecessors(position, out, data):
            out[0], out[1] = position + 1, position + 2
            return 2

        @staticmethod
        def terminal(position, data):
            return INVALID if position > 11 else 0

        @staticmethod
        def rank(position, data):
            return position % 12

        @staticmethod
        def unrank(index, data):
            return index

    with pytest.raises(
        rs.RulesError,
        match=r"^Wrapped\.predecessors\(1[01]\) wrote 12, which is no position, but rank .* index 0 of 0",
    ):
        rs.check_game(Wrapped())
    Wrapped.rank = staticmethod(lambda position, data: position)
    assert rs.check_game(Wrapped()).complete


def test_predecessor_with_the_index_of_another_position_is_found() -> None:
    class Doubled(Straight):
        """Predecessors are also written 12 further on, where they play alike and have the same index."""

        max_predecessors = 4

        @staticmethod
        def successors(position, out, data):
            out[0], out[1] = position % 12 - 1, position % 12 - 2
            return min(position % 12, 2)

        @staticmethod
        def predecessors(position, out, data):
            count = Straight.predecessors(position, out, data)
            for k in range(count):
                out[count + k] = out[k] + 12
            return 2 * count

        @staticmethod
        def rank(position, data):
            return position % 12

        @staticmethod
        def unrank(index, data):
            return index

    with pytest.raises(
        rs.RulesError,
        match=r"^Doubled\.predecessors\(0\) wrote 13, whose index is that of 1: expected one of its own",
    ):
        rs.check_game(Doubled())


class Written(Straight):
    """Points written as marks: the last of them is where the token is."""

    def text(self, position):
        return "." * position + "o"

    def parse(self, text):
        if not text.endswith("o") or set(text[:-1]) - {"."} or len(text) > 12:
            raise rs.PositionError(f"{text!r} is no position: expected dots and an o")
        return len(text) - 1


def test_parse_that_reads_what_text_writes_is_sound() -> None:
    assert str(rs.check_game(Written())).endswith("rank, parse")


def anything(self: Any, text: str) -> int:
    return len(text) - 1


def raising_number(self: Any, text: str) -> int:
    return len(text) - 1 if text in {"." * k + "o" for k in range(12)} else int(text)


@pytest.mark.parametrize(
    ("parse", "message"),
    [
        (
            lambda self, text: 2 * len(text) - 2,
            r"parse\('\.o'\) gave 2, but text\(1\) is that: expected 1",
        ),
        (lambda self, text: int(text), r"Written\.parse\('o'\) raised ValueError"),
        (
            anything,
            r"parse\('[.o]*'\) gave (-1|1\d): expected PositionError, because (-1|1\d) is not a position",
        ),
    ],
)
def test_parse_that_accepts_what_is_no_position_is_found(parse: Any, message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(type("Written", (Written,), {"parse": parse})())


@pytest.mark.parametrize(
    ("rule", "answer", "message"),
    [
        (
            "texts",
            lambda self, positions: ["o"] * len(positions),
            r"texts\(\) gave 'o' for \d+: expected",
        ),
        ("texts", lambda self, positions: [], r"texts\(\) gave None for 0: expected 'o'"),
        (
            "move_names",
            lambda self, positions, targets, results: ["a move"] * len(targets),
            r"move_names\(\) gave 'a move' for 1, 0: expected 'o', as move_name\(\) has it",
        ),
    ],
)
def test_texts_and_names_of_many_that_differ_from_single_ones_are_found(
    rule: str, answer: Any, message: str
) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(type("Written", (Written,), {rule: answer, "parse": raising_number})())


def test_parse_may_raise_any_exception_for_what_is_no_position() -> None:
    assert rs.check_game(type("Written", (Written,), {"parse": raising_number})()).complete


@COMPILED
def test_function_that_cannot_be_compiled_is_found() -> None:
    class Called(Straight):
        """The name of the class is none that compiled code knows."""

        @staticmethod
        def canonical(position, data):
            return Called.own(position)

        @staticmethod
        def own(position):
            return position

    assert rs.check_game(Called()).complete
    message = r"^Called\.canonical cannot be compiled: .*<class 'type'>.*\(tests/rules/test_checks"
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(Called(), compiles=True)
    assert len(rs.check_game(Called(), collect=True, compiles=True).findings) == 1
    assert rs.check_game(Straight(), compiles=True).complete


def test_two_positions_may_not_share_an_index() -> None:
    class Sharing(Straight):
        """From 11 one may also go to 20, whose index is that of 8."""

        predecessors = None
        max_moves = 3

        @staticmethod
        def successors(position, out, data):
            count = Straight.successors(position, out, data)
            out[count] = 20
            return count + (position == 11)

        @staticmethod
        def rank(position, data):
            return position % 12

        @staticmethod
        def unrank(index, data):
            return index

    with pytest.raises(
        rs.RulesError,
        match=r"^11 leads to 20, and Sharing\.rank\(20\) gave 8, but unrank\(8\) gave 8: expected 20",
    ):
        rs.check_game(Sharing())


def test_a_start_that_is_no_position_though_its_canonical_form_is_one() -> None:
    class Folded(Straight):
        predecessors = size = None

        def start(self):
            return 13

        @staticmethod
        def canonical(position, data):
            return 11 if position == 13 else position

        @staticmethod
        def terminal(position, data):
            return INVALID if position > 11 else 0

    with pytest.raises(
        rs.RulesError, match=r"^Folded starts from 13, which terminal\(\) says is no position"
    ):
        rs.check_game(Folded())


def test_data_is_what_it_was_and_can_still_be_written_to() -> None:
    table = np.arange(3)
    game = type("Line", (Straight,), {"data": (table,)})()
    rs.check_game(game)
    assert game.data[0] is table
    assert table.flags.writeable


def test_of_a_large_index_the_ends_of_all_tiers_are_looked_at() -> None:
    class Long(CompiledGame):
        max_moves, size, tiers = 1, 10**6, (0, 500_000)

        @staticmethod
        def successors(position, out, data):
            out[0] = position - 1 if position != 499_999 else 500_000
            return 1 if position > 0 else 0

    with pytest.raises(rs.RulesError, match=r"^499999 of tier 0 leads to 500000 of tier 1"):
        rs.check_game(Long(), samples=10)


def test_a_predecessor_without_a_move_is_found() -> None:
    class Loose(Straight):
        max_predecessors = 3

        @staticmethod
        def predecessors(position, out, data):
            count = Straight.predecessors(position, out, data)
            out[count] = position
            return count + 1

    with pytest.raises(
        rs.RulesError, match=r"^Loose\.predecessors\(\d+\) wrote \d+, which has no move there"
    ):
        rs.check_game(Loose())


@pytest.mark.parametrize(
    "given", [{"samples": 0}, {"samples": 1.5}, {"seed": "a"}, {"limit": -1}, {"seed": True}]
)
def test_what_cannot_be_asked_for(given: dict[str, Any]) -> None:
    with pytest.raises(rs.GraphError, match="expected a whole number"):
        rs.check_game(Ring(), **given)


def test_games_of_tic_tac_toe_as_published() -> None:
    known = figures("tic-tac-toe")
    games = count_finished_games(TicTacToe(), 9)
    ends: Counter[str] = Counter()
    for plies, by_end in games.items():
        for end, ways in by_end.items():
            winner = "XO"[plies % 2 == 0] if end == rs.Value.LOSS else "draw"
            ends[f"games_{winner}"] += ways
            ends["games"] += ways
    assert ends == {key: known[key] for key in ("games", "games_X", "games_O", "games_draw")}
    assert count_finished_games(TicTacToe(), 12) == games


def by_hand(game: rs.Game, position: Any, depth: int, ended: Counter[Any], plies: int = 0) -> int:
    """Play every sequence out; count those of ``depth`` moves, and how those that end before do."""
    end = game.terminal(position)
    moves = list(game.moves(position)) if end is None else []
    if not moves:
        ended[plies, end] += 1
    if plies == depth:
        return 1
    return sum(by_hand(game, target, depth, ended, plies + 1) for _, target in moves)


@pytest.mark.long("tictactoe-6", "morris3-5")
@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 6), ("hexapawn", 7), ("stones", 12), ("morris3", 5), ("lgame:symmetry=yes", 2), ("foxhounds:n=4", 8), ("chess:KRK", 2)])  # fmt: skip
def test_perft_equals_playing_every_game(name: str, depth: int) -> None:
    game = parse_game(name)
    plain = InterpretedGame(game) if isinstance(game, CompiledGame) else game
    for plies in range(depth + 1):
        ended: Counter[Any] = Counter()
        assert rs.perft(game, plies) == by_hand(plain, game.start(), plies, ended)
    counted = count_finished_games(game, depth)
    assert {(at, end): ways for at, by_end in counted.items() for end, ways in by_end.items()} == ended


def test_perft_counts_ways_not_positions() -> None:
    assert [rs.perft(Straight(), depth, position=5) for depth in range(6)] == [1, 2, 4, 7, 5, 1]
    assert rs.perft(Straight(), 6, position=5) == 0
    assert rs.perft(Ring(), 3, position=1) == 8
    assert count_finished_games(Straight(), 3, position=2) == {1: {None: 1}, 2: {None: 1}}


def test_perft_plays_from_a_position_as_text() -> None:
    chess = rs.game("chess:KRK")
    text = "8/8/8/8/8/k7/8/K6R w"
    assert rs.perft(chess, 1, position=text) == rs.perft(chess, 1, position=chess.parse(text)) == 14
    assert count_finished_games(chess, 1, position=text) == {}
    with pytest.raises(rs.PositionError, match="'KRK' is no position: expected rows"):
        rs.perft(chess, 1, position="KRK")
    with pytest.raises(rs.PositionError, match=r"4611686018427387904 is not a position"):
        rs.perft(chess, 1, position=2**62)
    with pytest.raises(
        rs.PositionError, match=r"'five' is not a position: parse\(\) raised ValueError"
    ):
        rs.perft(Ring(parse=int), 1, position="five")
    words = Ring(parse=raising, start=lambda: "a", moves=lambda p: [("", p)], terminal=lambda p: None)
    assert rs.perft(words, 3, position="b") == 1
    assert rs.perft(Ring(parse=int), 3, position="1") == rs.perft(Ring(), 3, position=1)


def test_perft_is_exact_and_calls_the_rules_once_a_position() -> None:
    asked = []
    ring = Ring(terminal=lambda p: None, moves=lambda p: asked.append(p) or [("a", p), ("b", p)])
    assert rs.perft(ring, 500) == 2**500
    assert len(asked) == 500


@pytest.mark.parametrize("count", [rs.perft, count_finished_games])
def test_what_perft_refuses(count: Callable[..., Any]) -> None:
    for depth in (-1, 1.0, True):
        with pytest.raises(rs.RulesError, match="expected a whole number, 0 or more"):
            count(Ring(), depth)
    for rules, message in (
        ({"moves": lambda p: [("a", [p])]}, r"5 leads to \[5\], which cannot be hashed"),
        ({"moves": raising}, r"Ring\.moves\(5\) raised KeyError"),
        ({"start": raising}, r"Ring\.starts\(\) raised KeyError"),
        ({"terminal": lambda p: 1}, r"terminal\(5\) gave 1"),
    ):
        with pytest.raises(rs.RulesError, match=message):
            count(Ring(**rules), 2)
    with pytest.raises(rs.RulesError, match=r"Bad\.successors\(3\) raised IndexError"):
        count(type("Bad", (Straight,), {"successors": staticmethod(raising_function)})(), 1, position=3)


def test_some_of_many_starts_are_looked_at_before_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    class Many(Straight):
        size = None

        @staticmethod
        def starts():
            return range(12, 5000)

    looked_at = []
    check_moves = compiled_checks._MoveRelation.check_moves

    def noted(self: Any, position: int) -> None:
        looked_at.append(position)
        check_moves(self, position)

    monkeypatch.setattr(compiled_checks._MoveRelation, "check_moves", noted)
    compiled_checks.smoke_test(Many())
    assert looked_at[0] == 12
    assert len(looked_at) < 600
    assert looked_at[-1] > 4900
