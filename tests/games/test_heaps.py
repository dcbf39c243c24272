"""Octal games, Grundy's game, Wythoff's and turning coins against published nimbers and plain recursions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games.heaps import Grundy, Octal
from retrosolve.games.turning import RULES, TurningCoins
from retrosolve.games.wythoff import Wythoff
from retrosolve.objectives import Nimber, NimValue
from retrosolve.objectives.nimber import NimberCodec
from retrosolve.rules.heaps import HeapGame
from retrosolve.solvers import heaps
from retrosolve.tables.coded import coded_table
from tests.conftest import Tune
from tests.support.marks import samples

# Winning Ways, chapter 4, and OEIS A002186: Kayles, heaps 0 to 71, and the 12 nimbers that repeat from
# then on.
KAYLES = """
0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8 6 7 4 1 2 3 1 4 7 2 1 8 2 7 4 1 2 8
1 4 7 2 1 4 2 7 4 1 2 8 1 4 7 2 1 8 6 7
"""
KAYLES_PERIOD = "4 1 2 8 1 4 7 2 1 8 2 7"
# OEIS A002187: Dawson's Kayles, 0.07, the heaps 1 to 34 and the 34 nimbers of the heaps 69 to 102.
DAWSON = "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4"
DAWSON_PERIOD = "8 1 1 2 0 3 1 1 0 3 3 2 2 4 4 5 5 9 3 3 0 1 1 3 0 2 1 1 0 4 5 3 7 4"
# OEIS A002188: Grundy's game, heaps 0 to 40.
GRUNDY = "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4 1 2 4 1 2 4 1"
# OEIS A071509: the octal game .1777, heaps 1 to 88.
SLOW_GAME = """
1 1 2 2 3 4 1 1 6 6 3 2 2 1 1 6 6 8 4 4 5 10 1 1 8 3 3 4 4 7 6 6 8 8 4 1 1 6 7 8 4 4 5 10 8 1 1 15 5 4 4 7
6 6 1 1 4 3 3 6 1 1 4 4 3 8 8 1 1 10 14 8 4 13 6 6 1 1 8 3 3 13 1 1 6
"""
# OEIS A004481: Wythoff's game, rows 0 to 5.
WYTHOFF = ["0 1 2 3 4 5", "1 2 0 4 5 3", "2 0 1 5 3 4", "3 4 5 6 2 0", "4 5 3 2 7 6", "5 3 4 0 6 8"]


def ints(text: str) -> list[int]:
    return list(map(int, text.split()))


def nimbers(game: rs.Game) -> list[int]:
    solution = rs.solve(game)
    assert solution.objective == Nimber()
    results = [-1 if one is None else one.number for one in solution.table.codec.results]
    found: list[int] = np.array(results)[solution.table.values()].tolist()
    return found


def recursive(game: HeapGame) -> list[int]:
    """The nimbers by the definition, from the options that the rules list."""
    found: list[int] = []
    for heap in range(game.n + 1):
        options = set()
        for left in game.options(heap):
            total = 0
            for part in left:
                total ^= found[part]
            options.add(total)
        found.append(next(k for k in range(len(options) + 1) if k not in options))
    return found


def random_code(rng: random.Random) -> str:
    places = "".join(rng.choice("01234567") for _ in range(rng.randint(1, 4)))
    return f"{rng.choice('004')}.{places}"


# The first heaps whose nimbers are published, and the period, from which heap on; OEIS A071435, A071453,
# A077069 and, after Gangolli and Plambeck, A071464: the last exceptions are one before.
PERIODS = {
    "0.77": (600, {0: KAYLES, 72: KAYLES_PERIOD}, (12, 71, True)),
    "0.07": (600, {1: DAWSON, 69: DAWSON_PERIOD}, (34, 53, True)),
    "0.137": (
        599,
        {0: DAWSON, 68: DAWSON_PERIOD},
        (34, 52, True),
    ),  # Dawson's chess: heaps smaller by one
    "0.177": (1500, {}, (20, 497, True)),
    "0.117": (1500, {}, (48, 47, True)),
    "4.777": (1500, {}, (20, 19, True)),
    "0.1777": (3000, {1: SLOW_GAME}, None),
    "0.127": (100_000, {}, (4, 46578, True)),
}


@pytest.mark.parametrize(
    "code", [pytest.param(c, marks=pytest.mark.long if c == "0.127" else ()) for c in PERIODS]
)
def test_octal_games_have_the_published_nimbers_and_periods(code: str) -> None:
    n, published, period = PERIODS[code]
    game = Octal(code, n=n)
    found = nimbers(game)
    for first, text in published.items():
        assert found[first : first + len(ints(text))] == ints(text)
    assert period is None or game.period(np.array(found)) == period


@pytest.mark.long
@pytest.mark.parametrize("code", ["0.77", "0.07"])
def test_a_hundred_thousand_heaps_are_as_periodic(code: str) -> None:
    game = Octal(code, n=100_000)
    assert game.period(np.array(nimbers(game))) == PERIODS[code][2]


def test_grundys_game_has_the_published_nimbers() -> None:
    assert nimbers(Grundy(n=300))[:41] == ints(GRUNDY)


def test_wythoffs_game_has_the_published_nimbers_and_golden_losses() -> None:
    solution = rs.solve(Wythoff(n=20), objective="nimber")
    rows = [[solution[min(a, b), max(a, b)].value.number for b in range(6)] for a in range(6)]
    assert rows == [ints(row) for row in WYTHOFF]
    golden = (1 + 5**0.5) / 2
    lost = {(int(k * golden), int(k * golden**2)) for k in range(9)}
    assert set(solution.where("0")) == lost
    assert rs.solve(Wythoff(n=20))[3, 5] == (rs.Value.LOSS, 4)


def test_moves_of_huge_heaps_are_counted_without_an_array_of_heaps() -> None:
    n = 999_999_999
    assert Octal("0.7", n).state_space().num_edges == n + (n - 1) ** 2 // 4


@pytest.mark.parametrize("unequal", [False, True])
def test_random_codes_agree_with_the_definition(
    monkeypatch: pytest.MonkeyPatch, tune: Tune, unequal: bool
) -> None:
    monkeypatch.setattr(heaps, "FIRST_HEAPS", 16)
    monkeypatch.setattr(heaps, "HEAPS_PER_REPORT", 32)
    monkeypatch.setattr(heaps, "FIRST_NIMBERS", 4)
    rng = random.Random(41)
    for number in range(samples(40, 600)):
        tune(compile_from=0 if number % 2 else 10**9)
        game = HeapGame(random_code(rng), rng.randint(0, 150), unequal)
        solution = rs.solve(game)
        assert [solution[heap].value.number for heap in range(game.n + 1)] == recursive(game)
        assert solution.num_edges == sum(len(list(game.options(h))) for h in range(game.n + 1))
        rs.verify(solution)


class Explored(rs.Game):
    """The same rules as a game in plain Python, whose sums are explored."""

    def __init__(self, game: HeapGame) -> None:
        self.game = game

    def start(self) -> Any:
        return (5, 6)

    def moves(self, position: Any) -> Any:
        return self.game.moves(position)


def test_sums_of_heaps_agree_with_solved_sums() -> None:
    rng, won = random.Random(42), 0
    for _ in range(samples(12, 200)):
        game = HeapGame(random_code(rng).replace("4.", "0."), 6, rng.random() < 0.5)
        sums, single = rs.solve(Explored(game)), rs.solve(game)
        for position, outcome in sums.items():
            assert single[position].value.kind is outcome.value
            best = single.best_moves(position)
            assert bool(best) == bool(sums.moves(position))
            if outcome.value is rs.Value.WIN:
                assert all(sums[move.position].value is rs.Value.LOSS for move in best)
                won += 1
    assert won > 100


def test_every_change_of_one_nimber_is_refused() -> None:
    rng = random.Random(43)
    for _ in range(samples(15, 200)):
        game = HeapGame(random_code(rng), rng.randint(1, 60), rng.random() < 0.3)
        right = recursive(game)
        space = game.state_space()
        for heap in rng.sample(range(game.n + 1), min(10, game.n + 1)):
            for wrong in {right[heap] + 1, max(0, right[heap] - 1), 0, rng.randint(0, 9)}:
                if wrong == right[heap]:
                    continue
                claims = [*right[:heap], wrong, *right[heap + 1 :]]
                codec = NimberCodec([NimValue(k) for k in sorted(set(claims))])
                values = np.array([codec.value(NimValue(k)) for k in claims], np.uint8)
                table = coded_table(codec, values, np.full(len(claims), -1))
                with pytest.raises(rs.VerificationError):
                    rs.verify(rs.Solution(space, table, objective=Nimber()))


def test_saved_heaps_are_opened_with_their_sums(tmp_path: Path) -> None:
    solution = rs.solve(Octal("0.77", n=50), out=tmp_path / "kayles")
    rs.verify(solution)
    with rs.open(tmp_path / "kayles") as saved:
        assert dict(saved) == dict(rs.solve(Octal("0.77", n=50)))
        assert saved[(3, 5)].value == NimValue(7)
        assert str(saved.view((3, 3)).outcome) == "*0"
        assert rs.sum((saved, 7), (saved, (1, 1, 2))).outcome is rs.Value.LOSS
        assert rs.sum((saved, 7), (saved, 3)).outcome is rs.Value.WIN
        assert len(saved.line(50)) > 3
        rs.verify(saved)


def test_columns_and_pictures_of_heaps_show_no_moves_between_them() -> None:
    solution = rs.solve(Octal("0.77", n=20))
    frame = solution.to_pandas(moves=True)
    assert "best" not in frame
    assert frame["optimal"].tolist()[5] == ["5 to 2+2"]
    assert "best" in rs.solve(Wythoff(n=3), objective="nimber").to_pandas()
    assert "<svg" not in solution._repr_html_()


def test_command_line_prints_the_period(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "octal:code=0.77,n=300"]) == 0
    assert "nimbers repeat with period 12 from heap 71 on, for ever" in capsys.readouterr().out
    assert run(["probe", "octal:code=0.77,n=300", "3+5"]) == 0
    assert capsys.readouterr().out.startswith("3+5: *7, the player to move wins\n  5 to 3 ")


@pytest.mark.long
def test_a_million_heaps_of_1777_are_solved_and_proven() -> None:
    rs.verify(rs.solve(Octal("0.1777", n=1_000_000)))


# -- turning coins: the nimbers of Winning Ways, chapter 14, and rows as sums of their heads

N = 8


def single(place: int) -> str:
    return "T" * (place - 1) + "H" + "T" * (N - place)


def known(rule: str, place: int) -> int:
    """The nimber of a head at a place, from 1."""
    if rule == "turtles":
        return place
    if rule == "mock":
        odious = [k for k in range(1, 4 * N) if k.bit_count() % 2]
        return odious[place - 1]
    return place & -place


@pytest.mark.parametrize("rule", RULES)
def test_heads_have_the_published_nimbers_and_rows_their_sums(rule: str) -> None:
    solution = rs.solve(TurningCoins(rule, N), objective="nimber")
    rs.verify(solution)
    assert len(solution) == 2**N
    for row, outcome in solution.items():
        total = NimValue(0)
        for place in range(1, N + 1):
            if row[place - 1] == "H":
                total += NimValue(known(rule, place))
        assert outcome.value == total
    assert solution[single(3)].value.number == known(rule, 3)


def test_moves_turn_the_last_coin_to_tails() -> None:
    moves = dict(TurningCoins("mock", 3).moves("THH"))
    assert moves["turn 1+3"] == "HHT"
    assert moves["turn 1+2+3"] == "HTT"
    assert dict(TurningCoins("ruler", 3).moves("TTH")) == {
        "turn 1+2+3": "HHT",
        "turn 2+3": "THT",
        "turn 3": "TTT",
    }
