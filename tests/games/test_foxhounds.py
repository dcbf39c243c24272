"""Fox and hounds: the compiled rules against the plain ones and what is published."""

from bisect import bisect_right

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.fox_and_hounds.plain import FoxAndHoundsPlain
from retrosolve.rules.contract import INVALID, NOT_TERMINAL
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import SLOW
from tests.support.published import figures
from tests.support.tiers import edges_and_samples

pytestmark = pytest.mark.thorough

PUBLISHED = figures("fox-and-hounds")
START = {"4": "LOSS in 8", "6": "WIN in 21", "8": "LOSS in 44"}


@pytest.mark.long("6", "8")
@pytest.mark.parametrize("n", [4, 6, 8])
def test_published_figures(n: int) -> None:
    known = PUBLISHED[str(n)]
    game = FoxAndHounds(n)
    solution = rs.solve(game)
    assert len(solution) == known["positions"]
    assert str(solution[game.start()]) == START[str(n)]
    winner = "hounds" if START[str(n)].startswith("LOSS") else "fox"
    verb = "win" if winner == "hounds" else "wins"
    assert known["start"] == f"{winner} {verb} in {solution[game.start()].remoteness}"
    if "edges" in known:
        assert solution.space.num_edges == known["edges"]
        counts = solution.counts()
        assert (counts[rs.Value.WIN], counts[rs.Value.LOSS]) == (known["W"], known["L"])
    rs.verify(solution)


def as_plain(game: FoxAndHounds, position: int) -> tuple[int, tuple[int, ...], str]:
    """The same position in the words of the plain rules."""
    n, half = game.n, game.n // 2

    def square(s: int) -> int:
        rank, column = divmod(s, half)
        return rank * n + 2 * column + (rank % 2 == 0)

    hounds = tuple(square(s) for s in range(n * half) if position >> 7 >> s & 1)
    return square(position >> 1 & 63), hounds, game.players[position & 1]


@pytest.mark.long("6")
@pytest.mark.parametrize("n", [4, 6])
def test_every_position_is_as_in_the_plain_rules(n: int) -> None:
    game = FoxAndHounds(n)
    view = InterpretedGame(game)
    compiled, solution, plain = rs.solve(game), rs.solve(view), rs.solve(FoxAndHoundsPlain(n))
    assert len(solution) == len(plain)
    for v in range(len(solution)):
        position = int(solution.space.position(v))
        same = as_plain(game, position)
        assert compiled[position] == solution[position] == plain[same]
        moves = {as_plain(game, target) for _, target in view.moves(position)}
        assert plain.space.terminals[plain.space.index(same)] or moves == {
            target for _, target in FoxAndHoundsPlain(n).moves(same)
        }
        assert game.parse(game.text(position)) == position


@SLOW
def test_the_largest_board() -> None:
    game = FoxAndHounds(10)
    solution = rs.solve(game)
    assert len(solution) == PUBLISHED["10"]["positions"]
    assert str(solution[game.start()]) == "LOSS in 72"


@pytest.mark.parametrize("n", [4, 6, 8, 10])
def test_the_index_is_dense_and_moves_lead_to_lower_tiers(n: int) -> None:
    game = FoxAndHounds(n)
    assert game.size is not None
    assert game.tiers is not None
    out = np.zeros(game.max_moves, np.int64)
    for index in range(game.size) if n == 4 else edges_and_samples(game, 2000):
        position = int(game.unrank(index, game.data))
        assert int(game.rank(position, game.data)) == index
        if game.terminal(position, game.data) == NOT_TERMINAL:
            below = game.tiers[bisect_right(game.tiers, index) - 1]
            for target in out[: game.successors(position, out, game.data)].tolist():
                assert 0 <= int(game.rank(target, game.data)) < below
                assert game.terminal(target, game.data) != INVALID


def test_unreachable_squares_of_the_fox_have_no_index() -> None:
    game = FoxAndHounds(4)
    assert [game.text(game.start()), game.text(game.start() ^ 2), game.text(game.start() ^ 1)] == [
        ".F/../../HH fox", "F./../../HH fox", ".F/../../HH hounds",
    ]  # fmt: skip
    for text in (".F/../../HH fox", "../.F/../HH hounds", "../.F/HH/.. hounds"):
        assert game.rank(game.parse(text), game.data) >= 0
    solution = rs.solve(game)
    for text in ("../F./../HH fox", ".F/../../HH hounds", "F./../../H. fox", "HF.././..H hounds"):
        with pytest.raises(rs.PositionError, match="is no position: expected"):
            game.parse(text)
        with pytest.raises(rs.PositionError):
            solution[text]
    assert game.rank(game.start() ^ 1, game.data) == game.rank(1 << 7 | 6 << 1, game.data) == -1


def test_moves_are_named_by_squares() -> None:
    game = FoxAndHounds(8)
    names = [name for name, _ in InterpretedGame(game).moves(game.start())]
    assert sorted(names) == ["e8-d7", "e8-f7"]
    after = InterpretedGame(game).moves(game.start())[0][1]
    assert sorted(name for name, _ in InterpretedGame(game).moves(after)) == [
        "b1-a2", "b1-c2", "d1-c2", "d1-e2", "f1-e2", "f1-g2", "h1-g2",
    ]  # fmt: skip


@pytest.mark.parametrize("n", [3, 5, 12, 2, 8.0])
def test_sizes_that_are_none(n: object) -> None:
    with pytest.raises(rs.RulesError, match="expected an even number from 4 to 10"):
        FoxAndHounds(n)


@pytest.mark.parametrize("text", ["", "F", "..F./..../..../..../..../..../..../HHHH nobody", "F F fox"])
def test_texts_that_are_no_position(text: str) -> None:
    with pytest.raises(rs.PositionError):
        FoxAndHounds(8).parse(text)
