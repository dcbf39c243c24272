"""Dobutsu Shogi: its moves, its index, the variant without drops, and, where asked for, the whole game."""

import random
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.dobutsu import DobutsuShogi
from retrosolve.games.dobutsu import moves as rules
from retrosolve.games.dobutsu.moves import LOST, WON
from retrosolve.rules.contract import LOSS, NOT_TERMINAL
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime.tuning import using
from tests.support.marks import COMPILED, SLOW

pytestmark = pytest.mark.thorough

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {
    "G": STRAIGHT,
    "E": DIAGONAL,
    "C": [(1, 0)],
    "L": STRAIGHT + DIAGONAL,
    "H": STRAIGHT + DIAGONAL[:2],
}

Board = dict[tuple[int, int], str]


@pytest.fixture(
    scope="module",
    params=[(True, 4), (False, 4), (True, 5), (False, 5)],
    ids=["drops", "no drops", "drops on 5 rows", "no drops on 5 rows"],
)
def game(request: pytest.FixtureRequest) -> DobutsuShogi:
    return DobutsuShogi(*request.param)


def played(game: DobutsuShogi, many: int) -> Iterator[int]:
    """Positions of random play from the start, decided ones among them."""
    rng = random.Random(many)
    out = np.zeros(game.max_moves, np.int64)
    position = game.start()
    for _ in range(many):
        yield position
        count = game.successors(position, out, game.data)
        over = position == LOST or game.terminal(position, game.data) != NOT_TERMINAL
        position = game.start() if over or count == 0 else int(out[rng.randrange(count)])


def read(text: str) -> tuple[Board, str]:
    marks, _, hand = text.partition(" ")
    rows = marks.split("/")
    board = {
        (len(rows) - 1 - down, column): mark
        for down, row in enumerate(rows)
        for column, mark in enumerate(row)
        if mark != "."
    }
    return board, hand


def written(board: Board, hand: str, height: int) -> str:
    """The text of a position as the other player sees it."""
    rows = [
        "".join(board.get((row, 2 - column), ".").swapcase() for column in range(3))
        for row in range(height)
    ]
    return "/".join(rows) + (" " + "".join(sorted(hand.swapcase())) if hand else "")


def moves_by_hand(text: str, drops: bool) -> set[str]:
    """The texts of the positions that moves lead to, from the rules as they are told."""
    board, hand = read(text)
    height = text.count("/") + 1
    found, lost = set(), False
    for (row, column), mark in board.items():
        for up, right in STEPS.get(mark, []):
            to = (row + up, column + right)
            target = board.get(to, ".")
            if not (0 <= to[0] < height and 0 <= to[1] < 3) or target.isupper():
                continue
            lost = lost or target == "l"
            after = {place: m for place, m in board.items() if place != (row, column)}
            after[to] = "H" if mark == "C" and to[0] == height - 1 else mark
            gain = target.upper().replace("H", "C") if target != "." and drops else ""
            found.add(written(after, hand + gain, height))
    for mark in {m for m in hand if m.isupper()}:
        for place in {(row, column) for row in range(height) for column in range(3)} - set(board):
            found.add(written({**board, place: mark}, hand.replace(mark, "", 1), height))
    return {"lost"} if lost else found


def test_the_moves_are_those_of_the_rules(game: DobutsuShogi) -> None:
    for position in played(game, 1500):
        text = game.text(position)
        if position != LOST:
            assert game.parse(text) == position
            out = np.zeros(game.max_moves, np.int64)
            targets = out[: game.successors(position, out, game.data)].tolist()
            texts = [game.text(target) for target in targets]
            assert set(texts) == moves_by_hand(text, game.drops)
            assert len(set(targets)) == len(targets)


def test_rank_and_unrank_are_inverse(game: DobutsuShogi) -> None:
    rng = random.Random(0)
    bounds = (*game.tiers, game.size)
    ends = [index for first, last in pairwise(bounds) for index in (first, last - 1)]
    for index in ends + [rng.randrange(game.size) for _ in range(2000)]:
        position = int(game.unrank(index, game.data))
        assert int(game.rank(position, game.data)) == index
        assert game.parse(game.text(position)) == position


@pytest.mark.parametrize(
    ("rows", "one", "other"),
    [
        (4, "l../.../..L/GEC GEC", "..l/.../L../CEG CEG"),
        (4, ".l./..g/.../CL. GEEC", ".l./g../.../.LC CEEG"),
        (5, "l../.../.../..L/GEC GEC", "..l/.../.../L../CEG CEG"),
        (5, ".l./..g/.../.../CL. GEEC", ".l./g../.../.../.LC CEEG"),
    ],
)
def test_mirror_images_are_one(rows: int, one: str, other: str) -> None:
    game = DobutsuShogi(rows=rows)
    both = [game.parse(text) for text in (one, other)]
    images = {int(game.canonical(position, game.data)) for position in both}
    assert len(images) == 1
    assert images < set(both)


def test_positions_decided_by_the_lions() -> None:
    game = DobutsuShogi()
    for text, canonical, terminal in (
        (".l./.L./.../... CCEEGG", WON, NOT_TERMINAL),
        (".../.L./.../l.. CCEEGG", LOST, LOSS),
        (".../.L./.../l.G CCEEG", LOST, LOSS),
        (".../.L./.../lG. CCEEG", WON, NOT_TERMINAL),
        ("lost", LOST, LOSS),
        ("won", WON, NOT_TERMINAL),
    ):
        position = game.parse(text)
        assert game.text(position) == text
        assert game.canonical(position, game.data) == canonical
        assert game.terminal(position, game.data) == terminal
        if canonical == WON:
            assert InterpretedGame(game).moves(position) == [("take the lion", LOST)]


def test_moves_are_named() -> None:
    game = DobutsuShogi()
    names = [name for name, _ in InterpretedGame(game).moves(game.start())]
    assert names == ["Gc4-c3", "Cb3xb2", "Lb4-c3", "Lb4-a3"]
    names = [name for name, _ in InterpretedGame(game).moves(game.parse("..l/C.g/.H./L.. EGe"))]
    assert {"Ca2-a1", "Hb3-b2", "Hb3xc2", "E*a1", "G*c4"} <= set(names)
    assert len(set(names)) == len(names)
    five = DobutsuShogi(rows=5)
    names = [name for name, _ in InterpretedGame(five).moves(five.parse("..l/C.g/.../.H./L.. EGe"))]
    assert {"Ca2-a1", "Hb4-b3", "E*a1", "G*c5"} <= set(names)


@pytest.mark.parametrize("rows", [3, 6, "5", True])
def test_other_numbers_of_rows(rows: object) -> None:
    with pytest.raises(rs.RulesError, match=f"^rows={rows!r}: expected 4 or 5$"):
        DobutsuShogi(rows=rows)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gle/.c./.C./EL",
        "gle/.c./.C./ELG g",
        "gle/.c./.C./E.G",
        "gle/.c./.../ELG h",
        "Lle/.../.../..G CEcg",
        "gle/.c./.X./ELG",
        "gll/.c./.C./ELG",
    ],
)
def test_invalid_text_raises(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position: expected"):
        DobutsuShogi().parse(text)


@pytest.mark.parametrize("text", ["GlG/.c./.C./ELe", "gle/.c./.../ELG C", "gle/.c./.c./ELG"])
def test_invalid_text_without_drops_raises(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position: expected"):
        DobutsuShogi(drops=False).parse(text)


@pytest.mark.long(but=1)
def test_the_rules_keep_to_their_contract(game: DobutsuShogi) -> None:
    samples = 600 if game.rows == 4 else 150
    assert "predecessors" in rs.check_game(game, samples=samples, limit=0).rules


def test_the_size_of_the_index() -> None:
    arrangements = 1_567_925_964 // 132  # of six pieces on ten squares or in a hand: T. Tanaka
    assert DobutsuShogi().size == 21 * arrangements + 2
    arrangements = 11_986_076_088 // 168  # on thirteen squares or in a hand: jh85/smallgames
    assert DobutsuShogi(rows=5).size == 44 * arrangements + 2


def test_a_player_without_a_move() -> None:
    game = DobutsuShogi(rows=5)
    text = "GE./LGE/CC./.l./..."
    position = game.parse(text + " ")
    assert game.canonical(position, game.data) != WON
    assert game.terminal(position, game.data) == NOT_TERMINAL
    assert InterpretedGame(game).moves(position) == []
    assert moves_by_hand(text, True) == set()


class FewPieces(DobutsuShogi):
    """Without drops, on five rows, from a position with few pieces."""

    reachable_only = False

    def __init__(self, opening: str, pieces: int) -> None:
        super().__init__(drops=False, rows=5)
        self.opening = opening
        self.size, self.tiers = self.tiers[3 + pieces], self.tiers[: 3 + pieces]

    def start(self) -> int:
        return self.parse(self.opening)


class PlainRules(rs.Game):
    """The same as it is told."""

    def __init__(self, opening: str) -> None:
        self.opening = opening

    def start(self) -> str:
        return self.opening

    def moves(self, position: str) -> list[tuple[str, str]]:
        if position == "lost":
            return []
        return [(target, target) for target in sorted(moves_by_hand(position, False))]

    def terminal(self, position: str) -> rs.Value | None:
        through = "l" in position.rpartition("/")[2] and "lost" not in moves_by_hand(position, False)
        return rs.Value.LOSS if position == "lost" or through else None


@pytest.mark.parametrize(
    ("opening", "pieces"),
    [(".l./.../.../.C./.L.", 1), pytest.param(".lg/.../.../.C./.L.", 2, marks=SLOW)],
)
def test_five_rows_as_plain_rules_solve_them(opening: str, pieces: int) -> None:
    game = FewPieces(opening, pieces)
    with using(compile_from=300_000, compile_again_from=300_000):  # one piece without compiling
        solution = rs.solve(game)
    plain = rs.solve(PlainRules(opening))
    assert solution.space.num_vertices == game.size
    assert all(plain.counts()[value] for value in (rs.Value.WIN, rs.Value.LOSS, rs.Value.DRAW))
    for text, outcome in plain.items():
        assert solution[game.parse(text)] == outcome, text


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


all_moves, told, image = rules.successors, rules.canonical, rules.mirrored


@pytest.mark.long
@COMPILED
def test_without_drops_as_published() -> None:
    game = EveryEnd()
    solution = rs.solve(game)
    assert len(solution) == 797_658 + 1  # and LOST
    assert str(solution[game.start()]) == "DRAW"
    assert solution.longest()[rs.Value.WIN] == 37
    known = {
        "..l/L../.../...": "WIN in 1",  # he comes through where nobody takes him
        "l../..L/.../...": "WIN in 1",
        ".../.../l../..L": "LOSS in 2",  # the other one is about to
    }
    for text, outcome in known.items():
        assert str(solution[game.parse(text)]) == outcome


@SLOW
def test_without_drops_in_the_index() -> None:
    game = DobutsuShogi(drops=False)
    solution, every = rs.solve(game), rs.solve(EveryEnd())
    assert len(solution) == 387_715 + 2  # undecided ones, WON and LOST
    for position in played(EveryEnd(), 5000):
        assert solution[position] == every[position]


@SLOW
def test_the_whole_game() -> None:
    game = DobutsuShogi()
    solution = rs.solve(game)
    counts = solution.counts()
    assert counts[rs.Value.WIN] == 56_474_473 + 1  # and WON
    assert counts[rs.Value.LOSS] == 40_328_395 + 1  # and LOST
    assert counts[rs.Value.DRAW] == 2_682_700
    assert str(solution[game.start()]) == "LOSS in 78"
    plies = {move.name: move.outcome.remoteness for move in solution.moves(game.start())}
    assert plies == {"Gc4-c3": 77, "Lb4-c3": 77, "Lb4-a3": 77, "Cb3xb2": 75}
    assert solution.longest()[rs.Value.WIN] == 173
    assert solution.histogram()[rs.Value.WIN][173] == 12


class Unreached(DobutsuShogi):
    """Every index solved, whether play reaches it or not."""

    reachable_only = False


@SLOW
def test_the_fourteen_longest_wins_of_all_positions() -> None:
    assert rs.solve(Unreached()).histogram()[rs.Value.WIN][173] == 14
