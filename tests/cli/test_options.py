"""Options that no other test of their command gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from retrosolve.cli import run


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


def test_export_without_pictures_is_smaller(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for option in ("--pictures", "--no-pictures"):
        folder = tmp_path / option.strip("-")
        printed(capsys, "export", "tictactoe", "--static", str(folder), option)
        assert (folder / "index.html").is_file()
        sizes.append(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))
    assert sizes[1] < sizes[0]
