"""Compiled games without dice, held to what others have published; longer games where that is asked for."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.games import parse_game
from retrosolve.games.connect4 import ConnectFour
from retrosolve.games.dobutsu import DobutsuShogi
from retrosolve.games.dobutsu import moves as dobutsu
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.morris6 import NAMES, SixMensMorris, morris_board
from retrosolve.games.musketeers import ThreeMusketeers
from retrosolve.games.queen_and_pawns import QueenAndPawns
from retrosolve.games.quoridor import Quoridor
from retrosolve.games.teeko import Teeko, winning_sets
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL
from retrosolve.rules.interpreted import InterpretedGame
from tests.games.plain_rules import in_line, mill_lines, square_side
from tests.support.burnside import placements
from tests.support.marks import COMPILED
from tests.support.published import figures

TEEKO, FOXES, QUORIDOR = figures("teeko"), figures("fox-and-hounds"), figures("quoridor")
CONNECT = {
    tuple(map(int, size.split("x"))): n for size, n in figures("connect4-counts")["w x h"].items()
}
QUEENS = {int(n): known for n, known in figures("queen-and-pawns").items()}
FOX_STARTS = {"4": "LOSS in 8", "6": "WIN in 21", "8": "LOSS in 44", "10": "LOSS in 72"}


@pytest.mark.long("4-4", "3-4")
@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        pytest.param(*at, marks=pytest.mark.long if n > 10**7 else ())
        for at, n in CONNECT.items()
        if n < 10**8
    ],
)
def test_connect_four_has_the_published_positions(columns: int, rows: int) -> None:
    solution = rs.solve(ConnectFour(rows, columns))
    assert len(solution) == CONNECT[columns, rows]
    if (columns, rows) in ((4, 4), (4, 3), (5, 3), (3, 6)):  # nobody wins
        assert solution[solution.start] == rs.Outcome(Value.TIE, columns * rows)
    if (columns, rows) == (4, 4):
        assert list(solution.counts().values()) == [0, 38675, 32234, 90120]
    if len(solution) < 10**7:
        rs.verify(solution)


@pytest.mark.long("6", "8")
@pytest.mark.parametrize("n", [4, 6, 8, pytest.param(10, marks=pytest.mark.long)])
def test_fox_and_hounds_is_as_published(n: int) -> None:
    known, start = FOXES[str(n)], FOX_STARTS[str(n)]
    solution = rs.solve(FoxAndHounds(n))
    assert (len(solution), str(solution[solution.start])) == (known["positions"], start)
    winner = "hounds win" if start.startswith("LOSS") else "fox wins"
    assert known.get("start", f"{winner} in {start[-2:]}") == f"{winner} in {start.split()[-1]}"
    if "edges" in known:
        counts = solution.counts()
        assert solution.space.num_edges == known["edges"]
        assert (counts[Value.WIN], counts[Value.LOSS]) == (known["W"], known["L"])
    if n < 10:
        rs.verify(solution)


def test_squares_that_the_fox_does_not_reach_have_no_index() -> None:
    game = FoxAndHounds(4)
    solution = rs.solve(game)
    for text in (".F/../../HH fox", "../.F/../HH hounds", "../.F/HH/.. hounds"):
        assert game.rank(game.parse(text), game.data) >= 0
    for text in ("../F./../HH fox", ".F/../../HH hounds", "F./../../H. fox", "HF.././..H hounds"):
        with pytest.raises(rs.PositionError):
            solution[text]
    assert game.rank(game.start() ^ 1, game.data) == game.rank(1 << 7 | 6 << 1, game.data) == -1


@pytest.mark.long("5")
@pytest.mark.parametrize(
    "n", [5, 6, pytest.param(7, marks=pytest.mark.long), pytest.param(8, marks=pytest.mark.long)]
)
def test_queen_and_pawns_is_as_published(n: int) -> None:
    """One position more, which is won; the source counts moves that win at once as none."""
    solution = rs.solve(QueenAndPawns(n))
    outcome = solution[solution.start]
    assert len(solution) - 1 == QUEENS[n]["positions"]
    assert (outcome.value, f"pawns win in {outcome.remoteness}") == (Value.WIN, QUEENS[n]["start"])
    if n < 7:
        rs.verify(solution)
    if n == 5:
        counts = solution.counts()
        assert (counts[Value.WIN], counts[Value.LOSS] - 1) == (16342, 8660)
        assert solution.space.num_edges - 11582 == 114604


@pytest.mark.long("6-*")
@pytest.mark.parametrize(
    ("n", "walls"), [(6, 0), (6, 1), (7, 0), (7, 1), pytest.param(6, 2, marks=pytest.mark.long)]
)
def test_quoridor_has_the_published_counts(n: int, walls: int) -> None:
    """A player who cannot move has not lost there; elsewhere that is the default."""
    game = Quoridor(n, walls)
    solution = rs.solve(game, stuck="tie")
    assert "/".join(map(str, game.won_by_players(solution.table))) == QUORIDOR[f"{n}x{n},w={walls}"]
    if n == 6 or walls == 0:
        rs.verify(solution)
    winner = ("second", "first")[solution[game.start()].value == Value.WIN]
    assert f"{winner} player" == QUORIDOR["start"][f"{n}x{n}"]


def test_quoridor_has_the_published_numbers_of_sets_of_walls() -> None:
    assert [len(sets) for sets in Quoridor(6, 2)._sets.walls] == QUORIDOR["wall_sets_6x6"][:5]


def test_three_musketeers_have_the_positions_of_burnside() -> None:
    symmetries = ThreeMusketeers().board.symmetries
    assert symmetries is not None
    boards = placements(symmetries.tolist())
    total = 2 * sum(boards[3, enemies] for enemies in range(23))
    assert total == figures("three-musketeers")["positions_up_to_symmetry"]


# -- teeko ----------------------------------------------------------------------------------------------


def test_tiers_of_teeko_have_the_published_sizes() -> None:
    game = Teeko()
    sizes = np.diff((*game.tiers, game.size)).tolist()
    assert sizes[0] == TEEKO["movement_phase_placements"]
    assert sizes[1:] == [16824500, 3542000, 531300, 75900, 6900, 600, 25, 1]
    plan = rs.plan(game)
    assert (plan.solver, plan.num_vertices) == ("retrograde", 96691476)
    assert (plan.memory_bytes or 0) <= 3.02 * 96691476


@pytest.mark.parametrize(
    ("advanced", "published"), [(False, "standard 44 goals"), (True, "advanced 58 goals")]
)
def test_goals_of_teeko_are_lines_and_squares(advanced: bool, published: str) -> None:
    sides = {1, 2, 3, 4} if advanced else {1}
    places = combinations([divmod(s, 5) for s in range(25)], 4)
    goals = (four for four in places if in_line(four) or square_side(four) in sides)
    expected = {sum(1 << 5 * row + column for row, column in four) for four in goals}
    found, game = winning_sets(advanced), Teeko(advanced)
    assert len(found) == len(expected) == int(published.split()[1])
    assert set(found) == expected
    far = 1 | 1 << 4 | 1 << 20 | 1 << 24  # the largest square is a goal of the advanced game alone
    for goal in (*expected, far):
        other = 7 << 11 if not goal >> 11 & 7 else 7 << (0 if not goal & 7 else 20)
        over = LOSS if goal in expected else NOT_TERMINAL
        assert game.terminal(other | goal << 25, game.data) == over
        assert goal not in expected or game.terminal(goal | other << 25, game.data) == INVALID


@pytest.mark.long
@pytest.mark.parametrize("advanced", [False, True])
def test_teeko_is_as_published(advanced: bool) -> None:
    game = Teeko(advanced)
    solution = rs.solve(game)
    start = solution[game.start()]
    words = "draw" if start.value == Value.DRAW else f"first player wins ({start.remoteness} turns)"
    assert words == TEEKO["advanced 58 goals" if advanced else "standard 44 goals"]
    if advanced:
        values = {move.name: move.outcome.value for move in solution.moves(game.start())}
        assert values.pop("c3") == Value.LOSS
        others = {value.label for value in values.values()}
        assert others == {TEEKO["advanced, first drop not in centre"]}
    rs.verify(solution)


# -- six men's morris -----------------------------------------------------------------------------------

SQUARES = [[(0, 0), (0, 2), (0, 4), (2, 4), (4, 4), (4, 2), (4, 0), (2, 0)], [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1)]]  # fmt: skip


def test_board_of_six_mens_morris() -> None:
    places = [place for square in SQUARES for place in square]
    mills = [line for line in mill_lines(2) if len(line) == 3]
    assert [f"{'abcde'[column]}{5 - row}" for row, column in places] == list(NAMES)
    assert sorted(morris_board().rows_of(3)) == sorted(sum(1 << s for s in mill) for mill in mills)
    rows = [[s for s in range(16) if places[s][axis] == k] for axis in (0, 1) for k in (0, 1, 3, 4)]
    assert sorted(rows) == sorted(map(sorted, mills))


class Coloured(SixMensMorris):
    """Positions with a bit for the colour to move, nothing folded: as the published counts are."""

    def __init__(self, men: int) -> None:
        super().__init__(men, symmetry=False)
        self.size *= 2
        self.tiers = tuple(2 * first for first in self.tiers)

    @staticmethod
    def successors(position, out, data):
        count = moves(position >> 1, out, data)
        for k in range(count):
            out[k] = out[k] << 1 | 1 ^ position & 1
        return count

    @staticmethod
    def predecessors(position, out, data):
        count = origins(position >> 1, out, data)
        for k in range(count):
            out[k] = out[k] << 1 | 1 ^ position & 1
        return count

    @staticmethod
    def terminal(position, data):
        return over(position >> 1, data)

    @staticmethod
    def rank(position, data):
        return place(position >> 1, data) << 1 | position & 1

    @staticmethod
    def unrank(index, data):
        return at(index >> 1, data) << 1 | index & 1

    @staticmethod
    def canonical(position, data):
        return position

    def start(self) -> int:
        return super().start() << 1


moves, origins, over = SixMensMorris.successors, SixMensMorris.predecessors, SixMensMorris.terminal
place, at = SixMensMorris.rank, SixMensMorris.unrank


@pytest.mark.long
@pytest.mark.parametrize(("men", "positions"), [(5, 17_844_721), (6, 42_372_745)])
def test_six_mens_morris_has_the_published_counts(men: int, positions: int) -> None:
    solution = rs.solve(Coloured(men))
    assert (len(solution), str(solution[solution.start])) == (positions, "DRAW")


@pytest.mark.long
def test_six_mens_morris_is_proven_whole() -> None:
    solution = rs.solve(parse_game("morris6"))
    assert (len(solution), str(solution[solution.start])) == (1_545_778, "DRAW")
    rs.verify(solution)


# -- dobutsu shogi --------------------------------------------------------------------------------------


def test_index_of_dobutsu_has_the_published_arrangements() -> None:
    arrangements = 1_567_925_964 // 132  # of six pieces on ten squares or in a hand: T. Tanaka
    assert DobutsuShogi().size == 21 * arrangements + 2
    arrangements = 11_986_076_088 // 168  # on thirteen squares or in a hand: jh85/smallgames
    assert DobutsuShogi(rows=5).size == 44 * arrangements + 2


def test_lions_decide_and_mirror_images_of_dobutsu_are_one() -> None:
    game, five = DobutsuShogi(), DobutsuShogi(rows=5)
    for text, canonical, terminal in (
        (".l./.L./.../... CCEEGG", dobutsu.WON, NOT_TERMINAL),
        (".../.L./.../l.. CCEEGG", dobutsu.LOST, LOSS),
        (".../.L./.../l.G CCEEG", dobutsu.LOST, LOSS),
        (".../.L./.../lG. CCEEG", dobutsu.WON, NOT_TERMINAL),
        ("lost", dobutsu.LOST, LOSS),
        ("won", dobutsu.WON, NOT_TERMINAL),
    ):
        position = game.parse(text)
        assert game.text(position) == text
        assert game.canonical(position, game.data) == canonical
        assert game.terminal(position, game.data) == terminal
        if canonical == dobutsu.WON:
            assert InterpretedGame(game).moves(position) == [("take the lion", dobutsu.LOST)]
    for rules, *texts in (
        (game, "l../.../..L/GEC GEC", "..l/.../L../CEG CEG"),
        (game, ".l./..g/.../CL. GEEC", ".l./g../.../.LC CEEG"),
        (five, ".l./..g/.../.../CL. GEEC", ".l./g../.../.../.LC CEEG"),
    ):
        both = [rules.parse(text) for text in texts]
        images = {int(rules.canonical(position, rules.data)) for position in both}
        assert len(images) == 1
        assert images < set(both)


class EveryEnd(DobutsuShogi):
    """Without drops, all positions told apart but for mirror images; who can win at once does."""

    reachable_only = False
    predecessors = None

    def __init__(self) -> None:
        super().__init__(drops=False)
        self.size = self.tiers = None

    @staticmethod
    def successors(position, out, data):
        count = all_moves(position, out, data)
        for k in range(count):
            if told(out[k], data) == LOST:
                out[0] = LOST
                return 1
        return count

    @staticmethod
    def canonical(position, data):
        return min(position, image(position, data[0])) if position > WON else position


all_moves, told, image = dobutsu.successors, dobutsu.canonical, dobutsu.mirrored
LOST, WON = dobutsu.LOST, dobutsu.WON


@pytest.mark.long
@COMPILED
def test_dobutsu_without_drops_is_as_published() -> None:
    solution = rs.solve(EveryEnd())
    assert len(solution) == 797_658 + 1  # and LOST
    assert str(solution[solution.start]) == "DRAW"
    assert solution.longest()[Value.WIN] == 37
    # He comes through where nobody takes him; the other one is about to.
    known = {
        "..l/L../.../...": "WIN in 1",
        "l../..L/.../...": "WIN in 1",
        ".../.../l../..L": "LOSS in 2",
    }
    assert {text: str(solution[solution.space.parse(text)]) for text in known} == known


@pytest.mark.long
def test_dobutsu_without_drops_is_the_same_in_the_index() -> None:
    solution, every = rs.solve(DobutsuShogi(drops=False)), rs.solve(EveryEnd())
    assert len(solution) == 387_715 + 2  # undecided ones, WON and LOST
    for position in list(solution)[::77]:
        assert solution[position] == every[position]


@pytest.mark.long
@pytest.mark.parametrize("reachable", [True, False])
def test_dobutsu_is_as_published(reachable: bool) -> None:
    """With every index solved, whether play reaches it or not, there are two more of the longest wins."""
    solution = rs.solve(type("Every", (DobutsuShogi,), {"reachable_only": reachable})())
    assert solution.histogram()[Value.WIN][173] == (12 if reachable else 14)
    if not reachable:
        return
    counts = solution.counts()
    assert counts[Value.WIN] == 56_474_473 + 1  # and WON
    assert counts[Value.LOSS] == 40_328_395 + 1  # and LOST
    assert counts[Value.DRAW] == 2_682_700
    assert str(solution[solution.start]) == "LOSS in 78"
    plies = {move.name: move.outcome.remoteness for move in solution.moves(solution.start)}
    assert plies == {"Gc4-c3": 77, "Lb4-c3": 77, "Lb4-a3": 77, "Cb3xb2": 75}
    assert solution.longest()[Value.WIN] == 173
