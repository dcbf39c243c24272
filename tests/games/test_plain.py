"""Built-in games in plain Python, held to every figure published about them."""

import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.games.fox_and_hounds.plain import FoxAndHoundsPlain
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.games.lgame import PAIRS, PLACES, LGame
from retrosolve.games.morris3 import ThreeMensMorris
from retrosolve.games.mutorere import MuTorere
from retrosolve.games.tictactoe import TicTacToe
from tests.support.published import figures

WORDS = {Value.WIN: "win", Value.LOSS: "loss", Value.DRAW: "draw", Value.TIE: "draw"}


def solved(game: rs.Game) -> rs.Solution:
    solution = rs.solve(game)
    rs.verify(solution)
    return solution


def by_value(solution: rs.Solution, total: str) -> dict[str, int]:
    """The counts as published where there are no ties."""
    counts = solution.counts()
    assert counts[Value.TIE] == 0
    return {
        total: len(solution),
        "wins": counts[Value.WIN],
        "losses": counts[Value.LOSS],
        "draws": counts[Value.DRAW],
    }


def remotenesses(solution: rs.Solution) -> dict[str, int]:
    """The histogram in the words of the published one, as in ``{"L0": 120}``."""
    table = solution.histogram()
    return {
        f"{value.name[0]}{plies}": count
        for value in (Value.WIN, Value.LOSS)
        for plies, count in table[value].items()
    }


# -- tic-tac-toe ----------------------------------------------------------------------------------


class MisereTicTacToe(TicTacToe):
    """Whoever makes a line loses."""

    def terminal(self, board: str) -> Value | None:
        value = super().terminal(board)
        return value and value.opposite()


def test_tic_tac_toe_ends_as_published() -> None:
    published = figures("tic-tac-toe")
    solution = solved(TicTacToe())
    ends = [p for p in list(solution) if TicTacToe().terminal(p) is not None]
    winner = solution.winner()
    won = [int(winner[solution.space.index(p)]) for p in ends]
    assert [won.count(side) for side in (0, 1, -1)] == [
        published[name] for name in ("X_wins", "O_wins", "terminal_draws")
    ]
    assert WORDS[solution["." * 9].value] == published["start"]


def test_misere_tic_tac_toe_is_as_published() -> None:
    published = figures("tic-tac-toe")
    solution = solved(MisereTicTacToe())
    assert WORDS[solution["." * 9].value] == published["misere_start"]
    counts = solution.counts()
    own = {"W": counts[Value.WIN], "L": counts[Value.LOSS], "draw": counts[Value.TIE]}
    assert own == published["own_misere"]


# -- mū tōrere ------------------------------------------------------------------------------------


class EveryMuTorere(MuTorere):
    """Mū tōrere from every placement of the men, either to move."""

    reachable_only = False


@pytest.mark.long
def test_mu_torere_is_as_published() -> None:
    published = figures("mu-torere-E")
    solution, folded = solved(MuTorere()), solved(MuTorere(symmetry=True))
    assert (
        by_value(solution, "positions")
        | {
            "start": WORDS[solution["XXXXOOOO.X"].value],
            "max_remoteness": max(plies for plies in solution.longest().values() if plies is not None),
            "up_to_dihedral": by_value(folded, "states"),
            "all_placements": by_value(solved(EveryMuTorere()), "states"),
            "all_up_to_dihedral": len(solved(EveryMuTorere(symmetry=True))),
        }
        == published
    )
    for position in list(solution):
        assert folded[position] == solution[position]


# -- the L game -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def l_game() -> rs.Solution:
    return solved(LGame())


@pytest.mark.long
def test_the_l_game_is_as_published(l_game: rs.Solution) -> None:
    published = figures("l-game")
    solution, folded = l_game, solved(LGame(symmetry=True))
    lost = folded.histogram()[Value.LOSS]
    assert (
        by_value(solution, "positions")
        | {
            "canonical_D4": len(folded),
            "lost_at_0_canonical": lost[0],
            "lost_total_canonical": sum(lost.values()),
            "start": WORDS[solution[LGame().start()].value],
            "remoteness": remotenesses(solution),
            "canonical_remoteness": remotenesses(folded) | {"draw": folded.counts()[Value.DRAW]},
        }
        == published
    )
    for position in list(solution):
        assert folded[position] == solution[position]


def test_every_position_of_the_l_game_is_reached(l_game: rs.Solution) -> None:
    every = {
        (mover, other, pair)
        for mover in PLACES
        for other in PLACES
        for pair in PAIRS
        if not (mover & other or (mover | other) & pair)
    }
    assert every == set(l_game)


# -- three men's morris ---------------------------------------------------------------------------


@pytest.mark.long
def test_three_mens_morris_is_as_published() -> None:
    published = figures("three-mens-morris")
    solution = solved(ThreeMensMorris())
    assert published["start"] == "first player wins in 9 plies"
    assert solution["." * 9] == (Value.WIN, 9)
    opening = {"centre": ("2,2",), "corner": ("1,1", "1,3", "3,1", "3,3")}
    opening["edge"] = ("1,2", "2,1", "2,3", "3,2")
    after = {move.name: move.outcome.value.opposite() for move in solution.moves("." * 9)}
    assert after == {
        f"put {point}": Value.parse(published["opening"][kind])
        for kind, points in opening.items()
        for point in points
    }
    counts = by_value(solution, "n")
    assert [*counts.values()] == [published["own_counts"][key] for key in ("n", "W", "L", "D")]


# -- hexapawn -------------------------------------------------------------------------------------

SIZES = figures("hexapawn")["own_(cols,rows):(positions,value,plies)"]


def check_hexapawn(size: str) -> None:
    columns, rows = map(int, size.split(","))
    game = Hexapawn(columns, rows)
    solution = solved(game)
    value, plies = solution[game.start()]
    assert [len(solution), value.name[0], plies] == SIZES[size]


@pytest.mark.long("5,4", "4,5")
@pytest.mark.parametrize("size", [size for size in SIZES if size != "5,5"])
def test_hexapawn_is_as_published(size: str) -> None:
    check_hexapawn(size)


@pytest.mark.long
def test_hexapawn_on_5x5_is_as_published() -> None:
    check_hexapawn("5,5")


def test_hexapawn_is_won_by_whom_gardner_said() -> None:
    published = figures("hexapawn")
    assert published["3x3"] == "second player wins, 6 plies"
    assert rs.solve(Hexapawn())[Hexapawn().start()] == (Value.LOSS, 6)
    assert published["4x4"] == "first player wins"
    assert rs.solve(Hexapawn(4, 4))[Hexapawn(4, 4).start()].value is Value.WIN


# -- fox and hounds -------------------------------------------------------------------------------

BOARDS = figures("fox-and-hounds")


def check_fox_and_hounds(n: int) -> None:
    published = BOARDS[str(n)]
    game = FoxAndHoundsPlain(n)
    solution = solved(game)
    value, plies = solution[game.start()]
    winner = "fox wins" if value is Value.WIN else "hounds win"
    counts = solution.counts()
    found = {
        "positions": len(solution),
        "start": f"{winner} in {plies}",
        "edges": solution.space.num_edges,
        "W": counts[Value.WIN],
        "L": counts[Value.LOSS],
    }
    assert {name: found[name] for name in published} == published


@pytest.mark.parametrize("n", [4, 6])
def test_fox_and_hounds_in_plain_python_is_as_published(n: int) -> None:
    assert len(BOARDS[str(n)]) == 5
    check_fox_and_hounds(n)


@pytest.mark.long
def test_fox_and_hounds_on_8x8_is_as_published() -> None:
    check_fox_and_hounds(8)
