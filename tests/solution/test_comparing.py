"""compare() of games that number their positions otherwise, and its progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.solution import comparison
from tests.support.even import EVEN, Backwards, Even, Plain

ROOT = Path(__file__).parents[2]


def test_plain_and_compiled_rules_of_one_game_are_compared_in_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain, compiled, backwards = (f"{EVEN}:{name}" for name in ("Plain", "Even", "Backwards"))
    assert run(["compare", plain, plain]) == 0
    assert capsys.readouterr().out == "equal: 21 positions\n"
    assert run(["compare", compiled, backwards]) == 1


def test_numbers_of_compiled_games_are_compared_without_their_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = rs.solve(Even()), rs.solve(Backwards())
    by_text = rs.compare(one, rs.solve(Plain()))
    assert (by_text.num_positions, by_text.missing, by_text.values, by_text.remoteness) == (
        1000,
        979,
        0,
        0,
    )
    monkeypatch.setattr(comparison, "_located", None)
    forth, back = rs.compare(one, other), rs.compare(other, one)
    assert (forth.num_positions, forth.missing, forth.values, forth.remoteness) == (1003, 3, 0, 0)
    assert back[:4] == forth[:4]


@pytest.mark.long
def test_images_are_one_position_in_a_game_that_folds_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In either order: each position of the plain game is one in the other, which has fewer."""
    games = ["examples/leap.py:Leap", "examples/leap.py:Tabled"]
    for order in (games, games[::-1]):
        assert run(["compare", *(str(ROOT / game) for game in order)]) == 0
        assert capsys.readouterr().out == "equal: 11536 positions\n"
    folded = rs.solve(rs.game("mutorere:symmetry=yes"))
    assert rs.compare(rs.solve(rs.game("mutorere")), folded)[:4] == (1180, 0, 0, 0)


def test_passes_over_a_table_report_progress_and_can_be_ended() -> None:
    one, other = rs.solve(Even()), rs.solve(Backwards())
    ending = rs.solve(rs.game("chess:KRK,board=4"))
    n = ending.table.num_vertices
    for stage, total, work in (
        (
            "comparing",
            1003,
            lambda progress: rs.compare(one, other, progress=progress),
        ),  # the longer one
        ("finding examples", n, lambda progress: ending.examples(progress=progress)),
        ("looking for zugzwangs", 0, lambda progress: [*ending.zugzwangs(progress=progress)]),
    ):
        reports: list[rs.Progress] = []
        assert work(reports.append) == work(None)
        assert {report.stage for report in reports} == {stage}
        assert (reports[-1].done, reports[-1].total) == (total, total) or not total

        def stop(progress: Any) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            work(stop)


def test_a_comparison_prints_the_first_position_and_both_outcomes() -> None:
    graph = rs.Graph.from_edges(["a", "b"], ["b", "c"])
    found = rs.compare(rs.solve(graph), rs.solve(graph, stuck="win"))
    assert str(found).splitlines() == [
        "3 positions: 0 of one of them only, 3 other values, 0 same value and other remoteness",
        "The first difference is a: LOSS in 2 in the first, WIN in 2 in the second",
    ]
    assert str(rs.compare(rs.solve(graph), rs.solve(graph))) == "equal: 3 positions"
    longer = rs.solve(rs.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"]))
    forth, back = rs.compare(rs.solve(graph), longer), rs.compare(longer, rs.solve(graph))
    assert "a: LOSS in 2 in the first, WIN in 3 in the second" in str(forth)
    assert back.outcomes == forth.outcomes[::-1]
    assert forth.outcomes == (rs.solve(graph)["a"], longer["a"])


def test_probabilities_without_a_common_number_are_other_values() -> None:
    """Both are better off than not; the bounds of a looser solve enclose those of a closer one."""
    edges = [("a", "coin"), ("coin", "a"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 0, "coin": rs.CHANCE, "won": 0, "lost": 0}
    ends = {"won": "win", "lost": "loss"}
    twice, thrice = (
        rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 1, good, 1])
        for good in (2, 3)
    )
    found = rs.compare(rs.solve(twice), rs.solve(thrice))
    assert (found.num_positions, found.values) == (4, 2)
    assert "a: 66.6666666667 % in the first, 75 % in the second" in str(found)
    loose = rs.solve(twice, objective="chance:tolerance=1e-3")
    assert loose != rs.solve(twice)
    assert rs.compare(loose, rs.solve(twice)).equal
