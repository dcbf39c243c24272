"""The tables of the site are whole, and solving a game again gives what the registry shows."""

import pytest

import retrosolve as rs
from benchmarks.tables import TABLES, markdown, read

QUICK, LARGEST = 100_000, 5_000_000
SOLVED = {case["game"]: case for case in read("registry")["cases"] if case["positions"] <= LARGEST}


@pytest.mark.parametrize("name", TABLES)
def test_table_has_a_cell_below_each_heading(name: str) -> None:
    heading, rule, *rows = markdown(name).partition("\n\n")[0].splitlines()
    assert len(rows) > 3
    assert {row.replace("\\|", "").count("|") for row in (heading, rule, *rows)} == {heading.count("|")}


@pytest.mark.long("lgame")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[] if case["positions"] <= QUICK else pytest.mark.long)
        for text, case in SOLVED.items()
    ],
)
def test_digest_and_counts_are_those_of_a_solve(text: str) -> None:
    case = SOLVED[text]
    solution = rs.solve(rs.game(text), stuck=case["stuck"])
    assert solution.digest() == case["digest"]
    assert {value.label: count for value, count in solution.counts().items()} == case["counts"]
    assert solution[case["example"]].remoteness == case["longest"]
