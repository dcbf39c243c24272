"""Explanations as Markdown and as pages."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import retrosolve as rs
from retrosolve.cli import run


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["explain", *arguments]) == 0
    return capsys.readouterr().out


def test_steps_are_headings_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "stones:n=2", "--as", "markdown").splitlines()[:3] == [
        "## At the start", "", "- 0 has no move: LOSS in 0.",
    ]  # fmt: skip
    page = printed(capsys, "stones:n=2", "--as", "html").strip()
    assert page.startswith('<!doctype html><html lang="en" dir="ltr">')
    assert "<h2>At the start</h2><ul><li>0 has no move: LOSS in 0.</li></ul>" in page


def test_a_proof_is_a_nested_list(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "stones:n=4", "--depth", "2", "--as", "markdown").splitlines()
    assert lines[0].startswith("- 4 is WIN in")
    assert lines[1].startswith("  - `take 1` leads to 3, LOSS in")
    page = printed(capsys, "tictactoe", "--depth", "1", "--as", "html", "--language", "fa").strip()
    assert '<html lang="fa" dir="rtl">' in page
    body = page[page.index("<body>") : page.index("</html>")]
    assert ElementTree.fromstring(body.replace("&nbsp;", " ")).find(".//ul/li") is not None


def test_boards_are_blocks_of_markdown() -> None:
    solution = rs.solve(rs.pursuit.PoliceAndThief.from_text("P.\n.T"))
    assert solution.start is not None
    text = rs.explain(solution, solution.start).markdown()
    start = text.index("```text")
    assert text.startswith("- policeman 1,1")
    assert text[start:].splitlines()[1].strip() == "P."


def test_names_are_escaped() -> None:
    steps = rs.explain(rs.Graph.from_edges(["<b>"], ["a&b"]))
    assert "&lt;b&gt;" in steps._repr_html_()
    assert "<b>" not in steps._repr_html_()
