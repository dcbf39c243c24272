"""Options that no other test of their command gives."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from retrosolve.cli import run

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


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def test_depth_and_width_limit_an_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    whole = printed(capsys, "explain", "hexapawn", "--depth", "9", "--width", "9")
    near = printed(capsys, "explain", "hexapawn", "--depth", "1", "--width", "9")
    narrow = printed(capsys, "explain", "hexapawn", "--depth", "9", "--width", "1")
    assert "left out" not in whole
    for part in (near, narrow):
        assert "... is left out: a larger depth or width shows more." in part
        assert len(part) < len(whole)
    assert "(1 of 3 shown ...)" in narrow
    assert "(1 of 3 shown ...)" not in near


def test_columns_of_owners_and_ends_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nb,a\n")
    (tmp_path / "edges.vertices.csv").write_text("place,who,how\na,0,\nb,1,\nc,0,win\n")
    edges = str(tmp_path / "edges.csv")
    options = ["--vertex", "place", "--owner", "who", "--terminal", "how"]
    assert json.loads(printed(capsys, "probe", edges, "c", "--json", *options))["value"] == "win"
    assert json.loads(printed(capsys, "probe", edges, "b", "--json", *options))["value"] == "draw"


def test_columns_of_both_ends_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "paid.csv").write_text("source,payer,payee\n1,a,b\n2,b,a\n3,b,c\n")
    paid, columns = str(tmp_path / "paid.csv"), ["--source", "payer", "--target", "payee"]
    assert json.loads(printed(capsys, "solve", paid, "--start", "b", "--json", *columns))["edges"] == 3
    assert json.loads(printed(capsys, "probe", paid, "b", "--json", *columns))["value"] == "win"


def test_a_sample_of_a_saved_solution_is_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "saved")
    printed(capsys, "solve", "foxhounds:n=4", "-o", saved)
    assert "about 50 of " in printed(capsys, "verify", saved, "--sample", "50")
    assert json.loads(printed(capsys, "verify", saved, "--sample", "50", "--json"))["verified"] is None
    assert json.loads(printed(capsys, "verify", saved, "--json"))["verified"] is True


def test_a_part_of_a_saved_solution_is_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "saved")
    printed(capsys, "solve", "kalah:pits=2,seeds=1", "-o", saved)
    assert "part 2 of 3 of " in printed(capsys, "verify", saved, "--part", "2/3")
    assert json.loads(printed(capsys, "verify", saved, "--part", "3/3", "--json"))["verified"] is None
    for part in ("4/3", "0/3", "3", "a/b"):
        assert run(["verify", saved, "--part", part]) == 2
        assert "expected the number of a part and of all, such as 2/5" in capsys.readouterr().err


def test_the_seed_of_a_data_set_selects_its_positions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = []
    for seed in ("1", "2", "1"):
        file = tmp_path / "moves.parquet"
        printed(capsys, "dataset", "tictactoe", str(file), "--sample", "60", "--seed", seed)
        drawn.append(set(pd.read_parquet(file)["position"]))
    assert drawn[0] == drawn[2] != drawn[1]


def test_the_seed_of_a_check_selects_its_positions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.py").write_text(WRONG_FAR_ON)
    found = []
    for seed in [*map(str, range(8)), "0"]:
        arguments = [f"{tmp_path / 'rules.py'}:Heap", "--samples", "60", "--seed", seed, "--json"]
        run(["check", *arguments])
        found.append(tuple(json.loads(capsys.readouterr().out)["findings"]))
    assert found[0] == found[-1]
    assert len(set(found)) > 1


@pytest.mark.thorough
def test_the_seed_of_a_checked_solver_selects_its_graphs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(SELDOM_WRONG)
    shown = []
    for seed in [*map(str, range(8)), "0"]:
        assert run(["check-solution", str(tmp_path / "mine.py"), "--seed", seed]) == 1
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[-1]
    assert len(set(shown)) > 1


def test_plan_of_a_cluster_names_its_nodes_and_partitions(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "plan", "stones", "--solver", "ray", "--nodes", "4", "--partitions", "8")
    assert "on each of 4 nodes, 8 partitions in all" in text


@pytest.mark.parametrize(
    ("option", "value"), [("--address", "local"), ("--snapshots", "s3://bucket/folder")]
)
def test_option_of_a_cluster_without_one_is_refused(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "stones", option, value]) == 2
    name = option.removeprefix("--")
    assert f"{name}={value!r} with solver='auto': expected solver='ray'" in capsys.readouterr().err


def test_host_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "stones", "--host", "no host", "--port", "0", "--no-browser"]) == 2
    assert "cannot listen on no host" in capsys.readouterr().err


@pytest.mark.thorough
def test_export_without_pictures_is_smaller(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for option in ("--pictures", "--no-pictures"):
        folder = tmp_path / option.strip("-")
        printed(capsys, "export", "tictactoe", "--static", str(folder), option)
        assert (folder / "index.html").is_file()
        sizes.append(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))
    assert sizes[1] < sizes[0]
