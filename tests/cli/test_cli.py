"""The command line: answers, JSON, exit statuses, and what it writes."""

import io
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import GAMES
from retrosolve.tables import ArrayTable
from tests.support.police import COUNTS

ROOT = Path(__file__).parent.parent.parent
TOKEN = str(ROOT / "examples" / "token.csv")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert run(list(arguments)) == status
    captured = capsys.readouterr()
    if status == 0 and arguments[0] != "convert":
        assert captured.err == ""
    return captured.out


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    return json.loads(printed(capsys, "solve", *arguments, "--json"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("solver", ["auto", "retrograde", "bitset"])
def test_boards_as_json(
    name: str, solver: str, boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = record(capsys, str(boards / f"{name}.txt"), "--solver", solver)
    _, policeman, thief = COUNTS[name]
    for player, counts in (("policeman", policeman), ("thief", thief)):
        expected = dict(zip(("win", "loss", "draw"), counts, strict=True)) | {"tie": 0}
        assert answer["counts_by_player"][player] == expected
    for i, word in enumerate(("win", "loss", "draw")):
        assert answer["counts"][word] == policeman[i] + thief[i]
    assert answer["positions"] == sum(policeman) + sum(thief)
    assert answer["verified"] is True


def test_json_has_the_promised_keys(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = record(capsys, str(boards / "caught.txt"))
    assert list(answer) == [
        "input",
        "solver",
        "positions",
        "edges",
        "start",
        "counts",
        "counts_by_player",
        "longest",
        "seconds",
        "peak_memory_bytes",
        "verified",
        "rules_called_again",
    ]
    assert answer["start"] == {
        "position": "policeman 7,8, thief 3,2, policeman to move",
        "value": "win",
        "remoteness": 17,
    }
    assert answer["seconds"] > 0
    assert answer["peak_memory_bytes"] > 10**7
    assert set(answer["longest"]) == {"win", "loss", "tie"}


@pytest.mark.thorough
def test_a_board_on_screen(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, (answer, _, _) in COUNTS.items():
        lines = printed(capsys, "solve", str(boards / f"{name}.txt")).splitlines()
        board = (boards / f"{name}.txt").read_text().splitlines()[1:]
        assert lines[:10] == board
        assert lines[10] == answer
    text = printed(capsys, "solve", str(boards / "caught.txt"), "--plies", "2")
    assert "WIN for the policeman, who moves first; remoteness 17 plies" in text
    assert "1. policeman: up left" in text
    assert "2. thief: stay" in text
    assert "3. " not in text
    assert "all 15,488 positions proven" in text


def test_a_board_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PE\r\n.T\r\n")))
    assert record(capsys, "-")["start"]["value"] == "win"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\nb,c\n")))
    assert record(capsys, "-", "--format", "csv", "--start", "a")["start"] == {
        "position": "a",
        "value": "loss",
        "remoteness": 2,
    }


def test_graphs_games_and_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert record(capsys, TOKEN)["start"] is None
    assert record(capsys, TOKEN, "--start", "b")["start"]["value"] == "draw"
    stones = record(capsys, "stones:n=10,take=1+2")
    assert stones["start"] == {"position": 10, "value": "win", "remoteness": 7}
    misere = record(capsys, "stones:n=10,take=1+2", "--misere")["start"]
    assert misere["value"] == "loss"
    asked = record(capsys, "stones:n=10,take=1+2", "--objective", "outcome:stuck=win")
    assert asked["start"] == misere
    assert record(capsys, "stones:n=10", "--stuck", "tie")["counts"]["tie"] == 11
    assert record(capsys, "tictactoe")["positions"] == 5478
    rules = str(ROOT / "examples" / "stones.py")
    assert record(capsys, f"{rules}:Stones") | {"input": "", "seconds": 0, "peak_memory_bytes": 0} == (
        stones | {"input": "", "seconds": 0, "peak_memory_bytes": 0}
    )


@pytest.mark.parametrize("name", GAMES)
def test_more_is_said_of_a_game(capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = printed(capsys, "games", name)
    assert " ".join(GAMES[name].rules.split()) in " ".join(text.split())
    for parameter in GAMES[name].parameters:
        assert parameter in text.partition("positions ")[0]
    assert ">>>" not in text
    (listed,) = json.loads(printed(capsys, "games", name, "--json"))
    assert listed["name"] == name


def test_a_game_on_screen(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "solve", "stones:n=4")
    assert text.startswith("Start 4: WIN in 3 plies, the player to move wins\nPerfect play:\n")
    assert "  1. take 1  ->  3  (LOSS in 2)\n" in text
    assert "Start 4: LOSS in 3 plies" in printed(
        capsys, "solve", "stones:n=4", "--misere", "--no-verify"
    )


def test_a_puzzle_has_no_row_for_a_player_who_never_moves(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "stats", str(ROOT / "examples" / "sliding.py") + ":Sliding,rows=2,columns=3")
    assert "player to move  360" in text
    assert "nobody" not in text


def test_a_note_says_that_a_game_ends_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for edges, note in (
        ("a,b\nb,a\n", "note: every position is a draw, since the game ends nowhere\n"),
        ("a,b\nb,a\nc,d\n", ""),
    ):
        (tmp_path / "g.csv").write_text(f"source,target\n{edges}")
        assert run(["solve", str(tmp_path / "g.csv")]) == 0
        assert capsys.readouterr().err == note


def test_a_note_says_that_points_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = "note: points do not count: --objective score asks for them\n"
    (tmp_path / "g.csv").write_text("source,target,reward\na,b,3\na,c,1\n")
    (tmp_path / "rules.py").write_text(
        "import retrosolve as rs\n"
        "class Coins(rs.Game):\n"
        "    def start(self): return (3, 1)\n"
        "    def moves(self, row): return [('left', row[1:]), ('right', row[:-1])] if row else []\n"
        "    def reward(self, row, target): return sum(row) - sum(target)\n"
    )
    for subject in ("g.csv", "rules.py:Coins"):
        assert run(["solve", str(tmp_path / subject)]) == 0
        assert capsys.readouterr().err == note
        assert run(["solve", str(tmp_path / subject), "--objective", "score"]) == 0
        assert run(["solve", str(tmp_path / subject), "--objective", "outcome"]) == 0
        assert capsys.readouterr().err == ""
    assert run(["solve", "connect4:rows=2,columns=2"]) == 0
    assert capsys.readouterr().err == ""


def test_numbers_that_are_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("7,9\n9,1000000000000\n")
    assert record(capsys, str(path), "--names", "--start", "7")["positions"] == 3
    owners = tmp_path / "who.csv"
    owners.write_text("name,owner\n7,0\n9,0\n1000000000000,1\n")
    answer = record(capsys, str(path), "--names", "--vertices", str(owners), "--start", "7")
    assert answer["start"]["value"] == "win"
    assert answer["counts_by_player"]["0"]["win"] == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["s.csv", "s.tsv", "s.npz", "s.graphml", "s.dot", "s.parquet", "s.json.gz", "saved"]
)
def test_a_solution_written_is_proven_as_it_stands(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / name)
    printed(capsys, "solve", TOKEN, "--misere", "-o", path)
    assert printed(capsys, "verify", path) == "all 6 positions proven\n"
    assert json.loads(printed(capsys, "verify", path, "--json"))["verified"] is True
    assert record(capsys, path)["counts"] == record(capsys, TOKEN, "--misere")["counts"]


@pytest.mark.parametrize("name", ["s.csv", "saved"])
def test_other_question_than_a_solution_answers_is_refused(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / name)
    printed(capsys, "solve", TOKEN, "-o", path)
    asked = ["probe", path, "a", "--objective"]
    for objective in ("nimber", "win-loss-draw", "outcome:stuck=win"):
        assert run([*asked, objective]) == 2
        assert "the solution was made with Outcome(stuck='loss'), not " in capsys.readouterr().err
    for objective in ("outcome", "outcome:stuck=loss"):
        assert printed(capsys, *asked, objective) == printed(capsys, "probe", path, "a")


def test_a_wrong_solution_on_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "s.npz"
    printed(capsys, "solve", TOKEN, "-o", str(path))
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["remoteness"] = np.where(arrays["remoteness"] == 1, 3, arrays["remoteness"])
    np.savez(path, **arrays)
    assert run(["verify", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("retrosolve: not proven: ")
    assert captured.err.count("\n") == 1
    assert run(["solve", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False


def test_a_solver_that_errs_is_caught_by_the_proof(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    right = rs.solve

    def wrong(*arguments: Any, **options: Any) -> rs.Solution:
        solution = right(*arguments, **options)
        value = solution.table.values().copy()
        value[0] = rs.Value.TIE
        return rs.Solution(solution.space, ArrayTable(value, solution.remoteness()))

    monkeypatch.setattr(rs, "solve", wrong)
    assert run(["solve", "stones", "-o", str(tmp_path / "s.npz")]) == 1
    assert "not proven: 10 (vertex 0) is claimed TIE in 7" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_verify_solves_what_is_not_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        printed(capsys, "verify", "tictactoe")
        == "all 5,478 positions proven; rules called again at 512 of 5,478\n"
    )


def test_convert_keeps_the_graph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    original = rs.read_graph(TOKEN)
    path = TOKEN
    for name in ("a.npz", "b.graphml", "c.dot.gz", "d.parquet", "e.json", "f.tsv"):
        printed(capsys, "convert", path, str(tmp_path / name))
        path = str(tmp_path / name)
        assert rs.read_graph(path) == original
    printed(capsys, "convert", path, str(tmp_path / "x"), "--to", "json")
    assert json.loads((tmp_path / "x").read_text())["vertices"] == 6


def test_convert_solves_for_a_pgsolver_solution(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = tmp_path / "g.pg"
    game.write_text("parity 3;\n0 0 0 1,2;\n1 0 1 0,3;\n2 0 0 2;\n3 1 1 3;\n")
    out = tmp_path / "g.sol"
    printed(capsys, "convert", str(game), str(out))
    assert out.read_text() == "paritysol 3;\n0 0 2;\n1 1 3;\n2 0 2;\n3 1 3;\n"


@pytest.mark.thorough
def test_a_note_says_before_the_solve_that_a_pgsolver_solution_has_no_draws(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, boards: Path
) -> None:
    out = str(tmp_path / "g.sol")
    for command in (
        ["convert", str(boards / "draw.txt"), out],
        ["solve", str(boards / "draw.txt"), "-o", out],
    ):
        assert run(command) == 2
        note, error = capsys.readouterr().err.splitlines()
        assert note.startswith("note: a .sol file needs a winner for each position: if there are draws")
        assert "positions are draws" in error
    assert run(["convert", str(boards / "draw.txt"), out, "--endless", "0"]) == 0
    assert "note: " not in capsys.readouterr().err


@pytest.mark.thorough
def test_boards_convert_to_graphs(
    boards: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "board.npz"
    printed(capsys, "convert", str(boards / "draw.txt"), str(path))
    counts = record(capsys, str(path))["counts"]
    assert counts == record(capsys, str(boards / "draw.txt"))["counts"]


def test_explain_tells_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "explain", "stones:n=3")
    assert text == (
        "At the start\n"
        "  0 has no move: LOSS in 0.\n"
        "Level 1: looking back from what is decided in 0\n"
        "  2 can move to 0, which is LOSS for the player to move there: WIN in 1.\n"
        "  1 can move to 0, which is LOSS for the player to move there: WIN in 1.\n"
        "Level 2: looking back from what is decided in 1\n"
        "  Moving from 3 to 2 would lose, since 2 is WIN for the player to move there; "
        "moves left to examine: 1 of 2.\n"
        "  3 has only moves to positions that are WIN for the other player (2, 1): LOSS in 2.\n"
    )
    assert "DRAW" in printed(capsys, "explain", TOKEN)


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "Commands:\n  solve" in capsys.readouterr().out
    assert run(["solve", "-h"]) == 0
    text = capsys.readouterr().out
    for option in ("--stuck", "--solver", "--threads", "--memory", "--no-verify", "--json", "--output"):
        assert option in text
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"retrosolve, version {version('retrosolve')}\n"


def test_as_a_program_it_says_nothing_on_stderr_that_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "retrosolve", "solve", "stones:n=20000", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["positions"] == 20001


def test_the_installed_command_is_this_program() -> None:
    program = Path(sys.executable).parent / "retrosolve"
    done = subprocess.run(
        [program, "solve", "nothing.such"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("retrosolve: 'nothing.such' is neither a file nor a game")


@pytest.mark.thorough
def test_plan_tells_what_a_solve_would_take(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "plan", str(boards / "caught.txt"))
    assert [line.split()[0] for line in text.splitlines()] == [
        "solver",
        "vertices",
        "edges",
        "memory",
        "time",
        "proof",
    ]
    planned = json.loads(printed(capsys, "plan", TOKEN, "--memory", "1GB", "--json"))
    assert (planned["solver"], planned["num_vertices"], planned["num_edges"]) == ("retrograde", 6, 7)
    assert "vertices  11" in printed(capsys, "plan", "stones")
    assert "a position" in printed(capsys, "plan", "lgame")
