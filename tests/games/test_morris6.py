"""Six men's morris: its moves, its index with and without symmetry, and, where asked for, the counts."""

import random
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.morris6 import MIN_MEN, NAMES, POINTS, SixMensMorris, morris_board
from retrosolve.rules.contract import LOSS
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import COMPILED, SLOW

pytestmark = pytest.mark.thorough

SQUARES = [[(0, 0), (0, 2), (0, 4), (2, 4), (4, 4), (4, 2), (4, 0), (2, 0)], [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1)]]  # fmt: skip
PLACES = [place for square in SQUARES for place in square]


@pytest.fixture(scope="module", params=[True, False], ids=["symmetry", "no symmetry"])
def game(request: pytest.FixtureRequest) -> SixMensMorris:
    return SixMensMorris(symmetry=request.param)


def lines(length: int) -> list[set[int]]:
    """The sets of points in a row with nothing between: 3 on a side, or 2 next to each other."""
    found = []
    for square in (range(8), range(8, 16)):
        for k in range(0, 8, length - 1):
            found.append({square[(k + j) % 8] for j in range(length)})
    return found + ([{k, k + 8} for k in (1, 3, 5, 7)] if length == 2 else [])


def moves_by_hand(text: str) -> set[str]:
    """The texts of the positions that moves lead to, from the rules as they are told."""
    board, hand = text.replace("/", "").split(" ")
    left = int(hand)

    def men_in_mills(marks: str, mark: str) -> set[int]:
        mills = [mill for mill in lines(3) if all(marks[s] == mark for s in mill)]
        return set().union(*mills)

    def put(marks: str, s: int, mark: str) -> str:
        return marks[:s] + mark + marks[s + 1 :]

    steps = []
    for to in (s for s in range(16) if board[s] == "."):
        if left:
            steps.append((put(board, to, "X"), to))
            continue
        for pair in (pair for pair in lines(2) if to in pair):
            (origin,) = pair - {to}
            if board[origin] == "X":
                steps.append((put(put(board, origin, "."), to, "X"), to))
    found = set()
    for marks, to in steps:
        others = {s for s in range(16) if marks[s] == "O"}
        results = [marks]
        if to in men_in_mills(marks, "X") and others:
            men = others - men_in_mills(marks, "O") or others
            results = [put(marks, s, ".") for s in men]
        for result in results:
            seen = result.translate(str.maketrans("XO", "OX"))
            found.add(f"{seen[:8]}/{seen[8:]} {max(left - 1, 0)}")
    return found


def played(game: SixMensMorris, many: int) -> Iterator[int]:
    """Positions of random play from the start, those where the game is over among them."""
    rng = random.Random(many)
    out = np.zeros(game.max_moves, np.int64)
    position = game.start()
    for _ in range(many):
        yield position
        count = game.successors(position, out, game.data)
        over = game.terminal(position, game.data) or count == 0
        position = game.start() if over else int(out[rng.randrange(count)])


def test_the_board() -> None:
    assert [f"{'abcde'[column]}{5 - row}" for row, column in PLACES] == list(NAMES)
    assert sorted(morris_board().rows_of(3)) == sorted(sum(1 << s for s in mill) for mill in lines(3))
    rows = [{s for s in range(POINTS) if PLACES[s][axis] == k} for axis in (0, 1) for k in (0, 1, 3, 4)]
    assert sorted(map(sorted, rows)) == sorted(map(sorted, lines(3)))


def test_the_moves_are_those_of_the_rules(game: SixMensMorris) -> None:
    for position in played(game, 1500):
        text = game.text(position)
        assert game.parse(text) == position
        targets = [target for _, target in InterpretedGame(game).moves(position)]
        texts = {game.text(target) for target in targets}
        assert texts == moves_by_hand(text)
        assert len(texts) == len(targets)
        assert (game.terminal(position, game.data) == LOSS) == (
            text.endswith(" 0") and text.count("X") < MIN_MEN
        )


def test_rank_and_unrank_are_inverse(game: SixMensMorris) -> None:
    rng = random.Random(0)
    bounds = (*game.tiers, game.size)
    assert len(bounds) == len(set(bounds))
    ends = [index for first, last in pairwise(bounds) for index in (first, last - 1)]
    for index in ends + [rng.randrange(game.size) for _ in range(2000)]:
        position = int(game.unrank(index, game.data))
        assert int(game.rank(position, game.data)) == index
        assert game.parse(game.text(position)) == position


def test_images_are_one() -> None:
    game = SixMensMorris()
    one = game.parse("XX.O..../.O...... 8")
    images = [
        "..XX.O../...O.... 8",
        ".XX...../.O...... 8",
        ".O....../XX.O.... 8",
        "O.....XX/.......O 8",
    ]
    alike = [
        game.canonical(game.parse(text), game.data) == game.canonical(one, game.data) for text in images
    ]
    assert alike == [True, False, True, False]
    assert SixMensMorris(symmetry=False).canonical(one, SixMensMorris(symmetry=False).data) == one


def test_moves_are_named() -> None:
    game = SixMensMorris()
    names = [name for name, _ in InterpretedGame(game).moves(game.start())]
    assert names == list(NAMES)
    names = [name for name, _ in InterpretedGame(game).moves(game.parse("XX.X..../OOO.O... 0"))]
    assert names == ["a5-a3", "c5-e5", "e3-e5xd2", "e3-e1", "e3-d3"]


@pytest.mark.parametrize("men", [2, 7, 6.0, True])
def test_numbers_of_men_that_there_are_not(men: int) -> None:
    with pytest.raises(rs.RulesError, match="expected a whole number from 3 to 6"):
        SixMensMorris(men)


@pytest.mark.parametrize("text", ["", "........ 12", "......../........", "......../........ 13", "XXXXXX../X....... 0", "X......./........ 12", "......./......... 12", "Y......./........ 11"])  # fmt: skip
def test_invalid_text_raises(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position: expected"):
        SixMensMorris().parse(text)


@pytest.mark.long
def test_the_rules_keep_to_their_contract(game: SixMensMorris) -> None:
    assert "predecessors" in rs.check_game(game, samples=600, limit=0).rules
    assert "rank" in rs.check_game(SixMensMorris(3), samples=300, limit=0).rules


@pytest.mark.long
@COMPILED
def test_symmetry_changes_no_answer() -> None:
    folded, full = SixMensMorris(3), SixMensMorris(3, symmetry=False)
    small, large = rs.solve(folded), rs.solve(full)
    assert small.longest() == large.longest()
    for position in played(full, 2000):
        assert small[position] == large[position]
    assert str(small[folded.start()]) == "DRAW"
    rs.verify(small)


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

    def text(self, position: int) -> str:
        return f"{super().text(position >> 1)} {position & 1}"


moves, origins, over = SixMensMorris.successors, SixMensMorris.predecessors, SixMensMorris.terminal
place, at = SixMensMorris.rank, SixMensMorris.unrank


@SLOW
@pytest.mark.parametrize(("men", "positions"), [(5, 17_844_721), (6, 42_372_745)])
def test_the_published_counts(men: int, positions: int) -> None:
    game = Coloured(men)
    solution = rs.solve(game)
    assert len(solution) == positions
    assert str(solution[game.start()]) == "DRAW"


@SLOW
def test_the_whole_game() -> None:
    game = SixMensMorris()
    solution = rs.solve(game)
    assert len(solution) == 1_545_778
    assert str(solution[game.start()]) == "DRAW"
    rs.verify(solution)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("XX.X..../OO..O... 0", "WIN in 1"),  # closes a mill and leaves two men
        ("XX....../OO...... 2", "WIN in 3"),  # so does a man put down, once all are placed
        ("OOO...../X....... 1", "LOSS in 2"),
    ],
)
def test_positions_with_known_answers(text: str, outcome: str) -> None:
    game = SixMensMorris(3)
    assert str(rs.solve(game)[game.parse(text)]) == outcome
