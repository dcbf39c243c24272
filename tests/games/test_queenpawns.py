"""Queen and pawns: its index, its rules against plain ones, and what is published."""

from bisect import bisect_right
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.queen_and_pawns import WON, QueenAndPawns
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import SLOW, samples
from tests.support.published import figures
from tests.support.tiers import edges_and_samples

pytestmark = pytest.mark.thorough

# Positions without the one that is won, and in how many plies the pawns win. Source: gilith/solve.
PUBLISHED = {
    int(n): (known["positions"], int(known["start"].removeprefix("pawns win in ")))
    for n, known in figures("queen-and-pawns").items()
}
EDGES_OF_5, WON_OF_5, LOST_OF_5 = 114604, 16342, 8660
WINS_IN_ONE_OF_5 = 11582

Board = tuple[tuple[int, int], frozenset[tuple[int, int]], str]
WAYS = [(right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]


class PlainQueen(rs.Game):
    """The same in plain Python: the queen, the pawns, who moves; or a word where the pawns have won."""

    def __init__(self, n: int) -> None:
        self.n = n

    def start(self) -> Any:
        n = self.n
        return ((n - 1) // 2, n - 1), frozenset((f, 1) for f in range(n)), "pawns"

    def moves(self, board: Any) -> list[tuple[str, Any]]:
        if board == "won":
            return []
        queen, pawns, mover = board
        return self.queen_moves(queen, pawns) if mover == "queen" else self.pawn_moves(queen, pawns)

    def pawn_moves(self, queen: Any, pawns: Any) -> list[tuple[str, Any]]:
        targets = []
        for f, r in pawns:
            if (f - 1, r + 1) == queen or (f + 1, r + 1) == queen:
                return [("win", "won")]
            if r == self.n - 2 and (f, r + 1) != queen:
                return [("win", "won")]
            if (f, r + 1) not in pawns | {queen}:
                targets.append(((f, r), (f, r + 1)))
                if r == 1 and r + 2 < self.n - 1 and (f, r + 2) not in pawns | {queen}:
                    targets.append(((f, r), (f, r + 2)))
        return [(f"{named(a)}-{named(b)}", (queen, pawns - {a} | {b}, "queen")) for a, b in targets]

    def queen_moves(self, queen: Any, pawns: Any) -> list[tuple[str, Any]]:
        moves = []
        for right, up in WAYS:
            to = (queen[0] + right, queen[1] + up)
            while to[0] in range(self.n) and to[1] in range(self.n):
                way = "x" if to in pawns else "-"
                moves.append((f"Q{named(queen)}{way}{named(to)}", (to, pawns - {to}, "pawns")))
                if to in pawns:
                    break
                to = (to[0] + right, to[1] + up)
        return moves

    def text(self, board: Any) -> str:
        if board == "won":
            return "the pawns have won"
        queen, pawns, mover = board
        places = [[(f, r) for f in range(self.n)] for r in reversed(range(self.n))]
        rows = (
            "".join("Q" if p == queen else "P" if p in pawns else "." for p in row) for row in places
        )
        return f"{'/'.join(rows)} {mover}"


def named(place: tuple[int, int]) -> str:
    return f"{'abcdefgh'[place[0]]}{place[1] + 1}"


@pytest.mark.long("5")
@pytest.mark.parametrize("n", [5, 6])
def test_published_figures(n: int) -> None:
    game = QueenAndPawns(n)
    solution = rs.solve(game)
    positions, plies = PUBLISHED[n]
    assert len(solution) - 1 == positions
    assert solution[game.start()] == rs.Outcome(rs.Value.WIN, plies)
    rs.verify(solution)


def test_values_on_five_by_five_as_published() -> None:
    solution = rs.solve(QueenAndPawns(5))
    counts = solution.counts()
    assert (counts[rs.Value.WIN], counts[rs.Value.LOSS] - 1) == (WON_OF_5, LOST_OF_5)
    assert solution.space.num_edges - WINS_IN_ONE_OF_5 == EDGES_OF_5


@SLOW
@pytest.mark.parametrize("n", [7, 8])
def test_published_figures_of_large_boards(n: int) -> None:
    game = QueenAndPawns(n)
    solution = rs.solve(game)
    positions, plies = PUBLISHED[n]
    assert len(solution) - 1 == positions
    assert solution[game.start()] == rs.Outcome(rs.Value.WIN, plies)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_every_position_is_as_in_plain_rules(n: int) -> None:
    game, same = QueenAndPawns(n), PlainQueen(n)
    view = InterpretedGame(game)
    compiled, plain = rs.solve(game), rs.solve(same)
    for v in range(0, len(plain), samples(7, 1) if n == 5 else 1):
        board: Any = plain.space.position(v)
        position = game.parse(same.text(board))
        assert game.text(position) == same.text(board)
        assert compiled[position] == plain[board]
        moves = {(name, game.text(target)) for name, target in view.moves(position)}
        assert moves == {(name, same.text(target)) for name, target in same.moves(board)}
    if n == 5:
        every = [same.moves(plain.space.position(v)) for v in range(len(plain))]
        edges, wins = sum(map(len, every)), every.count([("win", "won")])
        counts = plain.counts()
        assert (counts[rs.Value.WIN], counts[rs.Value.LOSS] - 1) == (WON_OF_5, LOST_OF_5)
        assert (edges - wins, wins) == (EDGES_OF_5, WINS_IN_ONE_OF_5)


def test_positions_found_are_as_many_as_published() -> None:
    found = rs.solve(InterpretedGame(QueenAndPawns(5)))
    assert len(found) - 1 == PUBLISHED[5][0]


@pytest.mark.parametrize("n", [3, 4])
def test_every_move_leads_to_a_lower_tier(n: int) -> None:
    game = QueenAndPawns(n)
    assert game.size is not None
    for position in range(game.size):
        check_tier(game, position)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_moves_lead_to_lower_tiers_on_larger_boards(n: int) -> None:
    game = QueenAndPawns(n)
    for position in edges_and_samples(game, 1000):
        check_tier(game, position)


def check_tier(game: QueenAndPawns, position: int) -> None:
    """What is a position reads back as written, and its moves are to positions of lower tiers."""
    assert game.tiers is not None
    end = game.terminal(position, game.data)
    if end == INVALID:
        return
    assert (end == LOSS) == (position == WON)
    assert game.parse(game.text(position)) == position
    out = np.zeros(game.max_moves, np.int64)
    targets = out[: game.successors(position, out, game.data)].tolist()
    assert len(set(targets)) == len(targets)
    tier = bisect_right(game.tiers, position) - 1
    for target in targets:
        assert 0 <= target < game.tiers[tier]
        assert game.terminal(target, game.data) in (NOT_TERMINAL, LOSS)
        assert target == WON or game.text(position).split()[1] != game.text(target).split()[1]


def test_indices_that_stand_for_a_position() -> None:
    game = QueenAndPawns(3)
    assert game.size is not None
    ends = [game.terminal(position, game.data) for position in range(game.size)]
    assert (ends[WON], ends.count(LOSS)) == (LOSS, 1)
    # Three files with a pawn or none, two movers: a queen on any square that has no pawn.
    assert ends.count(NOT_TERMINAL) == 2 * (9 + 3 * 8 + 3 * 7 + 6)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("..Q../...../...../PPPPP/..... pawns", ["a2-a3", "a2-a4", "b2-b3", "b2-b4", "c2-c3", "c2-c4", "d2-d3", "d2-d4", "e2-e3", "e2-e4"]),
        ("...../...../P.Q../..P../..... pawns", ["a3-a4"]),
        ("...../..Q../...../..P../..... pawns", ["c2-c3"]),
        ("...../.Q.../P..../...../..... pawns", ["win"]),
        ("Q..../P..../....P/...../..... pawns", ["e3-e4"]),
        ("Q..../.P..P/...../...../..... pawns", ["win"]),
        ("Q..../P..../...../...../..... pawns", []),
        ("...../...../...../PP.../Q.... queen", ["Qa1-b1", "Qa1-c1", "Qa1-d1", "Qa1-e1", "Qa1xa2", "Qa1xb2"]),
    ],
)  # fmt: skip
def test_moves_by_name(text: str, names: list[str]) -> None:
    game = QueenAndPawns(5)
    assert sorted(name for name, _ in InterpretedGame(game).moves(game.parse(text))) == names


def test_the_position_that_is_won() -> None:
    game = QueenAndPawns(5)
    assert game.text(WON) == "the pawns have won"
    assert game.parse("the pawns have won") == WON
    assert InterpretedGame(game).moves(WON) == []


@pytest.mark.parametrize("n", [2, 9, 5.0, True])
def test_sizes_that_are_none(n: Any) -> None:
    with pytest.raises(rs.RulesError, match="expected a whole number from 3 to 8"):
        QueenAndPawns(n)


@pytest.mark.parametrize("text", ["", "Q../PPP/...", "Q../PPP/... nobody", "QQ./PPP/... pawns", ".../PPP/... queen", "Q.P/PP./... pawns", "Q../PPP/..P pawns", "Q.../PPP/... pawns"])  # fmt: skip
def test_texts_that_are_no_position(text: str) -> None:
    with pytest.raises(rs.PositionError):
        QueenAndPawns(3).parse(text)


def test_two_pawns_on_a_file_are_no_position() -> None:
    with pytest.raises(rs.PositionError, match="at most one P on file b"):
        QueenAndPawns(5).parse("Q..../...../.P.../.P.../..... pawns")


def test_the_rules_keep_to_their_contract() -> None:
    assert "successors" in rs.check_game(QueenAndPawns(8), samples=150).rules


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("..Q../...../...../PPPPP/..... pawns", "WIN in 5"),
        ("...../.Q.../P..../...../..... pawns", "WIN in 1"),  # the pawn takes her, or gets through
        ("...../...../P.Q../...../..... queen", "WIN in 1"),  # she takes the last pawn
        ("Q..../P..../...../...../..... pawns", "LOSS in 0"),  # blocked
    ],
)
def test_positions_with_known_answers(text: str, outcome: str) -> None:
    game = QueenAndPawns(5)
    assert str(rs.solve(game)[game.parse(text)]) == outcome
