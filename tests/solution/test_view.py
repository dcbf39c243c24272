"""What a notebook shows of positions, solutions and graphs."""

import copy
import pickle
from pathlib import Path
from xml.etree import ElementTree

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game


def elements(html: str, tag: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(f"<div>{html}</div>").iter() if e.tag.endswith(tag)]


def test_a_position_shows_its_picture_and_its_moves_best_first() -> None:
    solution = rs.solve(parse_game("tictactoe"))
    shown = solution.view("XX.OO....")
    assert str(shown).splitlines()[:2] == ["XX./OO./...: ▲ WIN in 1", "  ▲ X at 1,3  (LOSS in 0)"]
    html = shown._repr_html_()
    assert len(elements(html, "svg")) == 1
    rows = ["".join(row.itertext()) for row in elements(html, "tr")]
    assert rows[1] == "▲X at 1,3LOSS in 0"
    assert len(rows) == 1 + len(solution.moves("XX.OO...."))
    assert repr(shown) == "PositionView(XX./OO./...: WIN in 1, 5 moves)"
    with pytest.raises(rs.PositionError):
        solution.view("XXXXXXXXX")


def test_a_position_without_a_picture_is_text() -> None:
    graph = rs.Graph.from_edges(["<a>", "b"], ["b", "<a>"])
    html = rs.solve(graph).view("<a>")._repr_html_()
    assert elements(html, "svg") == []
    assert [e.text for e in elements(html, "pre")] == ["<a>"]


def test_a_small_graph_is_drawn_and_coloured_once_it_is_solved() -> None:
    graph = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])
    plain = elements(graph._repr_html_(), "circle")
    assert len(plain) == 3
    assert {disc.attrib["class"] for disc in plain} == {"vertex piece second"}
    solved = elements(rs.solve(graph)._repr_html_(), "circle")
    classes = sorted(disc.attrib["class"] for disc in solved)
    assert classes == ["vertex loss", "vertex loss", "vertex win"]
    assert len(elements(graph._repr_html_(), "line")) == 3
    loop = rs.Graph.from_edges([0], [0])
    assert len(elements(loop._repr_html_(), "path")) == 1


def test_a_large_graph_is_text() -> None:
    graph = rs.Graph.from_edges([0], [1], 61)
    assert graph._repr_html_() == "<pre>Graph(vertices=61, edges=1)</pre>"
    assert rs.solve(graph)._repr_html_().startswith("<table>")
    assert rs.Graph.from_edges([], [])._repr_html_() == "<pre>Graph(vertices=0, edges=0)</pre>"


def test_a_solution_with_invalid_indices_has_no_graph() -> None:
    solution = rs.solve(parse_game("chess:KRK,board=3").state_space().materialize())
    assert "<svg" not in solution._repr_html_()


def test_a_line_of_play_is_text_and_a_table() -> None:
    solution = rs.solve(parse_game("stones:n=4"))
    line = solution.line(4)
    assert str(line) == (
        "  1. take 1  ->  3  (LOSS in 2)\n  2. take 1  ->  2  (WIN in 1)\n  3. take 2  ->  0  (LOSS in 0)"
    )
    rows = ["".join(row.itertext()) for row in elements(line._repr_html_(), "tr")]
    assert rows == [
        "moveleads to", "  1. take 1  ->  3▼ LOSS in 2", "  2. take 1  ->  2▲ WIN in 1",
        "  3. take 2  ->  0▼ LOSS in 0",
    ]  # fmt: skip
    assert repr(line) == "LineOfPlay(take 1, take 1, take 2)"
    assert pickle.loads(pickle.dumps(line)) == copy.copy(line) == line == list(line)
    assert (str(solution.line(0)), repr(solution.line(0))) == ("no move", "LineOfPlay()")
    long = repr(rs.solve(parse_game("stones:n=40")).line(40))
    assert long.endswith(", ... 27 moves)")
    assert len(long.split(", ")) == 13


def test_players_of_a_line_are_named_where_moves_do_not_say_it() -> None:
    line = rs.solve(parse_game("hexapawn")).line("WWW...BBBW", 2)
    assert [row.split(" ")[3] for row in str(line).splitlines()] == ["white:", "black:"]
    owned = rs.Graph.from_edges([0, 1], [1, 2], owner=[0, 1, 0])
    assert str(rs.solve(owned).line(0)) == "  1. 0: 1  (WIN in 1)\n  2. 1: 2  (LOSS in 0)"
    line = rs.solve(parse_game("tictactoe")).line("XX.OO....", 1)
    assert str(line) == "  1. X at 1,3  ->  XXX/OO./...  (LOSS in 0)"


def test_of_many_results_ten_are_shown_and_the_range_of_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    graph = rs.Graph.from_edges([], [], vertices=5000, payoff=[7777, *range(-1, 4998)])
    solution = rs.solve(graph, objective="score")
    assert repr(solution) == (
        "Solution(positions=5000, 7777=1, 4997=1, 4996=1, 4995=1, 4994=1, 4993=1, 4992=1, 4991=1, "
        "4990=1, 4989=1, 4990 others from 4988 to -1)"
    )
    rows = ["".join(row.itertext()) for row in elements(solution._repr_html_(), "tr")]
    assert (len(rows), rows[-1]) == (12, "4990 others from 4988 to -1")
    rs.write(graph, tmp_path / "g.json")
    assert run(["solve", str(tmp_path / "g.json"), "--objective", "score", "--table", "1"]) == 0
    assert "\n... and 4990 more values from 4988 to -1\n" in capsys.readouterr().out
    few = rs.Graph.from_edges([], [], vertices=11, payoff=range(11))
    assert repr(rs.solve(few, objective="score")).endswith(", 2=1, 1=1, 0=1)")
