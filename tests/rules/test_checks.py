"""Rules that break their contract are found out before a long run; good ones pass."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import GAMES
from retrosolve.games.chess import ChessEnding
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.rules.checks import compiled as compiled_checks
from tests.bad_input.compiled_rules import BREACHES, Line, Written, changed
from tests.bad_input.plain_rules import Marked, Ring, Wide, breaches, told
from tests.support.marks import COMPILED


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
    once, again = (rs.check_game(TicTacToe(), samples=50, seed=1) for _ in "ab")
    assert once == again


@pytest.mark.parametrize(
    ("game", "report"),
    [
        (Ring(), "all 12 positions: moves, terminal"),
        (Ring(canonical=lambda p: p), "all 12 positions: moves, terminal, canonical"),
        (Ring(starts=lambda: []), "all 0 positions: moves, terminal"),
        (Line(), "all 12 positions: moves, successors, predecessors, rank"),
        (changed(Line, size=None, start=lambda self: 11), "all 12 positions: moves, successors, predecessors"),
        (changed(Line, rank=lambda p, data: p, unrank=lambda i, data: i), "all 12 positions: moves, successors, predecessors, rank"),
        (Written(), "all 12 positions: moves, successors, predecessors, rank, parse"),
        (Marked(), "all 3 positions: moves, svg, move_points"),
        (type("Undrawn", (Marked,), {"svg": lambda self, n: None})(), "all 3 positions: moves, svg, move_points"),
    ],
)  # fmt: skip
def test_sound_rules_pass(game: Any, report: str) -> None:
    checked = rs.check_game(game)
    assert str(checked) == report
    assert checked.symmetry_checked == ("canonical" in report)


BROKEN: dict[str, Callable[[], Any]] = {
    **{name: lambda name=name: Ring(**breaches()[name]) for name in breaches()},
    **{name: lambda given=given: changed(Line, **given) for name, given in BREACHES.items()},
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_raised_is_found_too_where_findings_are_collected(name: str) -> None:
    collected = told(lambda game: "\n".join(rs.check_game(game, collect=True).findings), BROKEN[name]())
    assert told(rs.check_game, BROKEN[name]()) in collected


def test_an_endless_game_is_sampled() -> None:
    endless = Ring(
        start=lambda: 0,
        moves=lambda n: [("on", n + 1), ("far", 2 * n + 1)],
        terminal=lambda n: None,
        canonical=lambda n: n,
    )
    report = rs.CheckReport(300, False, ("moves", "terminal", "canonical"))
    assert rs.check_game(endless, samples=300, limit=50) == report


def test_what_no_sample_shows_is_found_by_solving_both_ways() -> None:
    assert not rs.check_game(Wide({5995: 5996}), samples=100, limit=6000).symmetry_checked
    with pytest.raises(rs.RulesError):
        rs.check_game(Wide({5995: 5996}), samples=100, limit=6001)


def test_parse_may_raise_any_exception_for_what_is_no_position() -> None:
    def parse(self: Any, text: str) -> int:
        return len(text) - 1 if text in {"." * k + "o" for k in range(12)} else int(text)

    assert rs.check_game(changed(Written, parse=parse)).complete


@COMPILED
def test_function_that_cannot_be_compiled_is_found() -> None:
    class Called(Line):
        """The name of the class is none that compiled code knows."""

        @staticmethod
        def canonical(position, data):
            return Called.own(position)

        @staticmethod
        def own(position):
            return position

    assert rs.check_game(Called()).complete
    with pytest.raises(rs.RulesError):
        rs.check_game(Called(), compiles=True)
    assert len(rs.check_game(Called(), collect=True, compiles=True).findings) == 1
    assert rs.check_game(Line(), compiles=True).complete


def test_data_is_what_it_was_and_can_still_be_written_to() -> None:
    table = np.arange(3)
    game = changed(Line, data=(table,))
    rs.check_game(game)
    assert game.data[0] is table
    assert table.flags.writeable


def test_some_of_many_starts_are_looked_at_before_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []
    check_moves = compiled_checks._MoveRelation.check_moves

    def noted(self: Any, position: int) -> None:
        looked_at.append(position)
        check_moves(self, position)

    monkeypatch.setattr(compiled_checks._MoveRelation, "check_moves", noted)
    compiled_checks.smoke_test(changed(Line, size=None, starts=lambda self: range(12, 5000)))
    assert looked_at[0] == 12
    assert len(looked_at) < 600
    assert looked_at[-1] > 4900
