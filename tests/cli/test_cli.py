"""The command line: answers on screen and as JSON, exit statuses, and what it writes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.shell_completion import BashComplete

import retrosolve as rs
from retrosolve.cli import COMMANDS, group
from retrosolve.games import GAMES
from retrosolve.tables import ArrayTable
from tests.support.commands import Shell
from tests.support.police import COUNTS

TOKEN = "examples/token.csv"


@pytest.mark.parametrize("name", COUNTS)
def test_boards_as_json_and_on_screen(name: str, sh: Shell) -> None:
    verdict, policeman, thief = COUNTS[name]
    for solver in ("auto", "retrograde", "bitset"):
        answer = sh.json(f"solve examples/boards/{name}.txt --solver {solver}")
        for player, counts in (("policeman", policeman), ("thief", thief)):
            expected = dict(zip(("win", "loss", "draw"), counts, strict=True)) | {"tie": 0}
            assert answer["counts_by_player"][player] == expected
        assert answer["counts"]["win"] == policeman[0] + thief[0]
        assert answer["positions"] == sum(policeman) + sum(thief)
        assert answer["verified"] is True
    lines = sh(f"solve examples/boards/{name}.txt").splitlines()
    assert lines[:11] == [*Path(f"examples/boards/{name}.txt").read_text().splitlines()[1:], verdict]


def test_json_has_the_promised_keys(sh: Shell) -> None:
    answer = sh.json("solve examples/boards/caught.txt")
    assert list(answer) == [
        "input", "solver", "positions", "edges", "start", "counts", "counts_by_player", "longest", "seconds",
        "peak_memory_bytes", "verified", "rules_called_again",
    ]  # fmt: skip
    text = "policeman 7,8, thief 3,2, policeman to move"
    assert answer["start"] == {"position": text, "value": "win", "remoteness": 17}
    assert answer["seconds"] > 0
    assert answer["peak_memory_bytes"] > 10**7
    assert set(answer["longest"]) == {"win", "loss", "tie"}


def test_a_game_on_screen(sh: Shell) -> None:
    """The whole output, but for its times."""
    assert re.sub(r"\d+\.\d{3} s", "? s", sh("solve stones:n=4 --plies 2")) == (
        "Start 4: WIN in 3 plies, the player to move wins\n"
        "Perfect play, first 2 plies:\n"
        "    1. take 1  ->  3  (LOSS in 2)\n"
        "    2. take 1  ->  2  (WIN in 1)\n"
        "position  value  remoteness  best move\n"
        "4         WIN             3  take 1\n"
        "3         LOSS            2  take 1\n"
        "2         WIN             1  take 2\n"
        "1         WIN             1  take 1\n"
        "0         LOSS            0  -\n"
        "positions       win  loss  tie  draw\n"
        "all               3     2    0     0\n"
        "longest, plies    3     2    -     -\n"
        "7 moves, solver acyclic, all 5 positions proven; rules called again at 5 of 5\n"
        "Time: reading ? s, solving ? s, verifying ? s, in all ? s\n"
    )
    text = sh("solve examples/boards/caught.txt --plies 2")
    for line in (
        "WIN for the policeman, who moves first; remoteness 17 plies\n", "1. policeman: up left", "2. thief: stay",
        "all 15,488 positions proven",
    ):  # fmt: skip
        assert line in text
    assert "3. " not in text


def test_graphs_games_and_rules(sh: Shell) -> None:
    assert sh.json(f"solve {TOKEN}")["start"] is None
    assert sh.json(f"solve {TOKEN} --start b")["start"]["value"] == "draw"
    stones = sh.json("solve stones:n=10,take=1+2")
    assert stones["start"] == {"position": 10, "value": "win", "remoteness": 7}
    misere = sh.json("solve stones:n=10,take=1+2 --misere")["start"]
    assert misere["value"] == "loss"
    assert sh.json("solve stones --objective outcome:stuck=win")["start"] == misere
    assert sh.json("solve stones:n=10 --stuck tie --no-verify")["counts"]["tie"] == 11
    other = sh.json("solve examples/stones.py:Stones")
    same = {"input": "", "seconds": 0, "peak_memory_bytes": 0}
    assert other | same == stones | same
    text = sh("stats examples/sliding.py:Sliding,rows=2,columns=3")
    assert "player to move  360" in text
    assert "nobody" not in text


@pytest.mark.parametrize("name", GAMES)
def test_more_is_said_of_a_game(name: str, sh: Shell) -> None:
    text = sh(f"games {name}")
    assert " ".join(GAMES[name].rules.split()) in " ".join(text.split())
    assert all(parameter in text.partition("positions ")[0] for parameter in GAMES[name].parameters)
    assert ">>>" not in text
    (listed,) = sh.json(f"games {name}")
    assert listed["name"] == name


@pytest.mark.parametrize(
    "name", ["s.csv", "s.tsv", "s.npz", "s.graphml", "s.dot", "s.parquet", "s.json.gz", "saved"]
)
def test_a_solution_written_is_proven_as_it_stands(name: str, sh: Shell) -> None:
    solved = sh.json(f"solve {TOKEN} --misere -o {name}")
    assert sh(f"verify {name}") == "all 6 positions proven\n"
    assert sh.json(f"verify {name}")["verified"] is True
    assert sh.json(f"solve {name}")["counts"] == solved["counts"]
    for objective in ("nimber", "win-loss-draw", "outcome:stuck=loss"):
        sh(f"probe {name} a --objective {objective}", status=2)
    for stuck in ("--objective outcome:stuck=win", "--objective outcome", "--misere", "--stuck win"):
        assert sh(f"probe {name} a {stuck}") == sh(f"probe {name} a")


def test_a_wrong_solution_on_file_is_refused(sh: Shell) -> None:
    sh(f"solve {TOKEN} -o s.npz")
    with np.load("s.npz") as archive:
        arrays = dict(archive)
    arrays["remoteness"] = np.where(arrays["remoteness"] == 1, 3, arrays["remoteness"])
    np.savez("s.npz", **arrays)
    sh("verify s.npz", status=1, err=True)
    assert sh.err.startswith("retrosolve: not proven: ")
    assert sh.err.count("\n") == 1
    assert json.loads(sh("solve s.npz --json", status=1, err=True))["verified"] is False


def test_a_solver_that_errs_is_caught_by_the_proof(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    right = rs.solve

    def wrong(*arguments: Any, **options: Any) -> rs.Solution:
        solution = right(*arguments, **options)
        value = solution.table.values().copy()
        value[0] = rs.Value.TIE
        return rs.Solution(solution.space, ArrayTable(value, solution.remoteness()))

    monkeypatch.setattr(rs, "solve", wrong)
    sh("solve stones -o s.npz", status=1, err=True)
    assert sh.err.startswith("retrosolve: not proven: 10 (vertex 0) ")
    assert not Path("s.npz").exists()


def test_verify_solves_what_is_not_solved_and_reads_samples_and_parts_of_what_is(sh: Shell) -> None:
    assert sh("verify tictactoe") == "all 5,478 positions proven; rules called again at 512 of 5,478\n"
    sh("solve foxhounds:n=4 -o foxes")
    assert "about 50 of " in sh("verify foxes --sample 50")
    sh("solve kalah:pits=2,seeds=1 -o kalah")
    assert "part 2 of 3 of " in sh("verify kalah --part 2/3")
    for line in ("verify foxes --sample 50", "verify kalah --part 3/3"):
        assert sh.json(line)["verified"] is None
    for part in ("0/3", "3", "a/b"):
        sh(f"verify kalah --part {part}", status=2)


def test_convert_keeps_the_graph(sh: Shell) -> None:
    path = TOKEN
    for name in ("a.npz", "b.graphml", "c.dot.gz", "d.parquet", "e.json", "f.tsv"):
        sh(f"convert {path} {name}", err=True)
        path = name
        assert rs.read_graph(path) == rs.read_graph(TOKEN)
    sh(f"convert {path} x --to json", err=True)
    assert json.loads(Path("x").read_text())["vertices"] == 6
    draw = "examples/boards/draw.txt"
    sh(f"convert {draw} board.npz", err=True)
    assert sh.json("solve board.npz")["counts"] == sh.json(f"solve {draw}")["counts"]


def test_convert_solves_for_a_pgsolver_solution_which_has_no_draws(sh: Shell) -> None:
    Path("g.pg").write_text("parity 3;\n0 0 0 1,2;\n1 0 1 0,3;\n2 0 0 2;\n3 1 1 3;\n")
    sh("convert g.pg g.sol", err=True)
    assert Path("g.sol").read_text() == "paritysol 3;\n0 0 2;\n1 1 3;\n2 0 2;\n3 1 3;\n"
    draw = "examples/boards/draw.txt"
    for line in (f"convert {draw} draw.sol", f"solve {draw} -o draw.sol"):
        sh(line, status=2)
        note, _ = sh.err.splitlines()  # which comes before the solve
        assert note.startswith("note: a .sol file needs a winner for each position")
    assert not Path("draw.sol").exists()
    sh(f"convert {draw} draw.sol --endless 0", err=True)
    assert "note: " not in sh.err


def test_explain_prints_the_steps_as_far_as_asked(sh: Shell) -> None:
    assert sh("explain stones:n=3") == (
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
    assert "DRAW" in sh(f"explain {TOKEN}")
    whole, near, narrow = (
        sh(f"explain hexapawn --depth {depth} --width {width}")
        for depth, width in ((9, 9), (1, 9), (9, 1))
    )
    assert "left out" not in whole
    assert all("... is left out" in part and len(part) < len(whole) for part in (near, narrow))
    assert ("(1 of 3 shown ...)" in narrow, "(1 of 3 shown ...)" in near) == (True, False)


def test_plan_says_what_a_solve_would_take(sh: Shell) -> None:
    lines = sh("plan examples/boards/caught.txt").splitlines()
    assert [line.split()[0] for line in lines] == [
        "solver",
        "vertices",
        "edges",
        "memory",
        "time",
        "proof",
    ]
    planned = sh.json(f"plan {TOKEN} --memory 1GB")
    assert (planned["solver"], planned["num_vertices"], planned["num_edges"]) == ("retrograde", 6, 7)
    assert "vertices  11" in sh("plan stones")
    assert "a position" in sh("plan lgame")
    text = sh("plan stones --solver ray --nodes 4 --partitions 8")
    assert "on each of 4 nodes, 8 partitions in all" in text


def test_the_seed_selects_positions_and_graphs(sh: Shell) -> None:
    Path("mine.py").write_text(SELDOM_WRONG)
    Path("rules.py").write_text(WRONG_FAR_ON)
    for line in (
        "dataset tictactoe moves.parquet --sample 60", "check-solution mine.py", "check rules.py:Heap --samples 60",
    ):  # fmt: skip
        shown = []
        for seed in (*range(5), 0):
            out = sh(f"{line} --seed {seed}", status=None)
            shown.append(out or str(sorted(pd.read_parquet("moves.parquet")["position"])))
        assert shown[0] == shown[-1]
        assert len(set(shown)) > 1


SELDOM_WRONG = """
from tests.testing.test_exercise import backward

def solve(successors):
    edges = sum(map(len, successors.values()))
    return {} if len(successors) > 3 and edges % 11 == 5 else backward(successors)
"""
WRONG_FAR_ON = """
import retrosolve as rs

class Heap(rs.Game):
    def start(self):
        return 3000
    def moves(self, n):
        return [(f"take {k}", n - k) for k in (1, 2, 3) if k <= n]
    def terminal(self, n):
        return 7 if n < 2955 and n % 2 == 0 else None
"""


def test_export_without_pictures_is_smaller(sh: Shell) -> None:
    sizes = []
    for option in ("--pictures", "--no-pictures"):
        sh(f"export tictactoe --static site{option} {option}")
        assert Path(f"site{option}/index.html").is_file()
        sizes.append(
            sum(path.stat().st_size for path in Path(f"site{option}").rglob("*") if path.is_file())
        )
    assert sizes[1] < sizes[0]


def test_the_installed_command_is_this_program_and_silent_where_no_terminal_is() -> None:
    program = str(Path(sys.executable).parent / "retrosolve")
    for line, positions in (
        ([program, "solve", "stones:n=5"], 6), ([sys.executable, "-m", "retrosolve", "solve", "stones:n=20000"], 20001),
    ):  # fmt: skip
        done = subprocess.run([*line, "--json"], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        assert json.loads(done.stdout)["positions"] == positions


def test_version_and_completion(sh: Shell) -> None:
    assert sh("--version") == f"retrosolve, version {rs.__version__}\n"
    shell = BashComplete(group, {}, "retrosolve", "_RETROSOLVE_COMPLETE")
    assert [item.value for item in shell.get_completions([], "")] == list(COMMANDS)
    assert [item.value for item in shell.get_completions(["solve"], "--obj")] == ["--objective"]
    assert "_RETROSOLVE_COMPLETE=bash_complete" in shell.source()
