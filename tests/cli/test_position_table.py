"""``solve`` prints the positions of small games, and those that are asked for of large ones."""

import json
from pathlib import Path

import pytest

from retrosolve.cli import run
from retrosolve.cli.report import MAX_ROWS

ROOT = Path(__file__).parent.parent.parent
TOKEN = str(ROOT / "examples" / "token.csv")


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The rows of the table, without its heading; columns are two spaces apart."""
    assert run(["solve", *arguments]) == 0
    text = capsys.readouterr().out
    if "best move\n" not in text:
        return []
    table = text.partition("best move\n")[2].splitlines()
    end = next(i for i, line in enumerate(table) if line.startswith(("...", "positions  ")))
    return [line.split("  ") for line in table[:end]]


def cells(row: list[str]) -> list[str]:
    return [cell.strip() for cell in row if cell.strip()]


def test_a_small_graph_is_printed_vertex_by_vertex(capsys: pytest.CaptureFixture[str]) -> None:
    assert [cells(row) for row in rows(capsys, TOKEN)] == [
        ["a", "DRAW", "-", "b"],
        ["b", "DRAW", "-", "a"],
        ["c", "WIN", "1", "d"],
        ["d", "LOSS", "0", "-"],
        ["e", "LOSS", "2", "c"],
        ["f", "WIN", "3", "e"],
    ]


def test_the_player_is_named_where_it_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    found = [cells(row) for row in rows(capsys, "hexapawn", "--table", "2")]
    assert found == [
        ["BBB/.../WWW white to move", "white", "LOSS", "6", "b1-b2"],
        ["BBB/W../.WW black to move", "black", "WIN", "3", "b3xa2"],
    ]


@pytest.mark.parametrize(("n", "shown"), [(MAX_ROWS - 1, MAX_ROWS), (MAX_ROWS, 0)])
def test_larger_games_print_none_unless_asked(
    n: int, shown: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(rows(capsys, f"stones:n={n}")) == shown
    assert len(rows(capsys, f"stones:n={n}", "--table")) == MAX_ROWS
    assert rows(capsys, f"stones:n={n}", "--table", "0") == []


def test_rows_are_selected_by_value_and_number(capsys: pytest.CaptureFixture[str]) -> None:
    lost = rows(capsys, "stones:n=2000", "--list", "loss", "--table", "3")
    assert [cells(row)[:3] for row in lost] == [
        [str(n), "LOSS", str(n // 3 * 2)] for n in (1998, 1995, 1992)
    ]
    every = rows(capsys, "stones:n=2000", "--table", "all")
    assert [cells(row)[0] for row in every] == [str(n) for n in range(2000, -1, -1)]
    both = rows(capsys, TOKEN, "--list", "win", "--list", "draw", "--list", "win")
    assert [cells(row)[0] for row in both] == ["c", "f", "a", "b"]
    assert run(["solve", "stones:n=50", "--list", "loss", "--table", "4"]) == 0
    assert "... and 13 more; --table all prints all of them\n" in capsys.readouterr().out


def test_json_has_the_table_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", TOKEN, "--json", "--list", "draw", "--table", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["table"] == [
        {"position": "a", "value": "draw", "remoteness": None, "player": None, "best": "b"}
    ]
    assert run(["solve", TOKEN, "--json"]) == 0
    assert "table" not in json.loads(capsys.readouterr().out)


def test_a_large_graph_without_a_start_names_the_options(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "chain.csv"
    path.write_text("".join(f"v{i},v{i + 1}\n" for i in range(50)))
    assert run(["solve", str(path)]) == 0
    hint = "--table prints 40 positions, --list loss lost ones, --start POSITION one\n"
    assert hint in capsys.readouterr().out
    assert run(["solve", str(path), "--start", "v1"]) == 0
    assert hint not in capsys.readouterr().out


def test_a_number_of_rows_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "--table", TOKEN]) == 2
    error = capsys.readouterr().err
    assert "expected a number of rows or 'all'; INPUT goes before the option" in error


def test_columns_stay_aligned_over_batches(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "stones:n=2500", "--table", "all", "--plies", "0"]) == 0
    table = capsys.readouterr().out.partition("best move\n")[2].splitlines()[:2501]
    assert {line.index("take") for line in table[:-1]} == {table[0].index("take")}
