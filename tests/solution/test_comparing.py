"""compare() of games that number their positions otherwise, and its progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.solution import comparison

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]

RULES = """
import retrosolve as rs

class Plain(rs.Game):
    def start(self):
        return 40
    def moves(self, n):
        return [(f"take {k}", n - k) for k in (2, 4) if k <= n]
    def text(self, n):
        return f"{n} stones"
    def parse(self, text):
        return int(text.split()[0])

class Compiled(rs.CompiledGame):
    max_moves, size = 2, 21
    def start(self):
        return 40
    def text(self, n):
        return f"{n} stones"
    def parse(self, text):
        return int(text.split()[0])
    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 2, position - 4
        return min(position // 2, 2)
    @staticmethod
    def rank(position, data):
        return position // 2
    @staticmethod
    def unrank(index, data):
        return 2 * index
    @staticmethod
    def terminal(position, data):
        return 0

class Reversed(Compiled):
    size = 24
    @staticmethod
    def rank(position, data):
        return 23 - position // 2
    @staticmethod
    def unrank(index, data):
        return 2 * (23 - index)
"""

WRITTEN = """
class Written(rs.Game):
    def start(self):
        return 40
    def moves(self, n):
        return [(f"take {k}", n - k) for k in (2, 4) if k <= n]
    def text(self, n):
        return f"a heap of {n}"
"""


def test_plain_and_compiled_rules_of_one_game_are_compared_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.py"
    file.write_text(RULES)
    assert run(["compare", f"{file}:Plain", f"{file}:Compiled"]) == 0
    assert capsys.readouterr().out == "equal: 21 positions\n"
    assert run(["compare", f"{file}:Compiled", f"{file}:Reversed"]) == 1


def solved(tmp_path: Path, name: str) -> rs.Solution:
    """A game of the file of rules, solved."""
    from retrosolve.cli.inputs import load_rules

    file = tmp_path / "rules.py"
    file.write_text(RULES)
    return rs.solve(load_rules(f"{file}:{name}"))


def test_numbers_of_compiled_games_are_compared_without_their_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = solved(tmp_path, "Compiled"), solved(tmp_path, "Reversed")
    by_text = rs.compare(one, solved(tmp_path, "Plain"))
    assert (by_text.num_positions, by_text.equal) == (21, True)
    monkeypatch.setattr(comparison, "_located", None)
    forth, back = rs.compare(one, other), rs.compare(other, one)
    assert (forth.num_positions, forth.missing, forth.values, forth.remoteness) == (24, 3, 0, 0)
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


def test_comparing_reports_progress_and_can_be_ended(tmp_path: Path) -> None:
    one, other = solved(tmp_path, "Compiled"), solved(tmp_path, "Reversed")
    reports: list[rs.Progress] = []
    rs.compare(one, other, progress=reports.append)
    assert [report.stage for report in reports] == ["comparing"] * len(reports)
    assert (reports[-1].done, reports[-1].total) == (24, 24)  # of the solution with more positions

    def stop(progress: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rs.compare(one, other, progress=stop)
    with pytest.raises(rs.GraphError):
        rs.compare(one, other, progress=True)  # type: ignore[arg-type]


def test_examples_report_progress_and_can_be_ended() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    reports: list[rs.Progress] = []
    assert solution.examples(progress=reports.append) == solution.examples()
    n = solution.table.num_vertices
    assert reports == [rs.Progress("finding examples", n, n)]

    def stop(progress: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solution.examples(progress=stop)


def test_zugzwangs_report_progress() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    reports: list[rs.Progress] = []
    assert len(list(solution.zugzwangs(progress=reports.append))) == len(list(solution.zugzwangs()))
    assert {report.stage for report in reports} == {"looking for zugzwangs"}


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
    assert "a: WIN in 3 in the first, LOSS in 2 in the second" in str(back)
    assert forth.outcomes == (rs.solve(graph)["a"], longer["a"])


def test_nothing_in_common_is_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = tmp_path / "rules.py"
    named.write_text(RULES + WRITTEN)
    assert run(["compare", f"{named}:Plain", f"{named}:Written"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "No position is in both. Positions that are numbered otherwise are looked up by their text: "
        "expected text() and parse() to be alike"
    )


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
