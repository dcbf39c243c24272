"""Solutions as rows: one for each position, a block at a time."""

import csv
import gzip
import io
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import retrosolve as rs
from retrosolve.arrays import ByteArray
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.objectives.base import Codec
from retrosolve.solution import frames


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Blocks of 100 vertices; how many positions were decoded at a time."""
    monkeypatch.setattr(frames, "VERTICES_PER_BLOCK", 100)
    decoded: list[int] = []
    whole = frames._value_words

    def counted(values: ByteArray, codec: Codec) -> frames.Words:
        decoded.append(len(values))
        return whole(values, codec)

    monkeypatch.setattr(frames, "_value_words", counted)
    return decoded


def test_a_saved_game_is_converted_a_block_at_a_time(tmp_path: Path, small_blocks: list[int]) -> None:
    solution = rs.solve(parse_game("chess:KRK,board=4"))
    solution.save(tmp_path / "s")
    text = solution.space.text
    right = [(text(position), value.label, plies) for position, (value, plies) in solution.items()]
    for name in ("t.csv", "t.tsv.gz", "t.parquet"):
        small_blocks.clear()
        assert run(["convert", str(tmp_path / "s"), str(tmp_path / name)]) == 0
        assert len(small_blocks) == -(-solution.space.num_vertices // 100)
        data = (tmp_path / name).read_bytes()
        if name == "t.parquet":
            file = pq.ParquetFile(io.BytesIO(data))
            assert file.num_row_groups == len(small_blocks)
            found = [tuple(row.values()) for row in file.read().to_pylist()]
        else:
            lines = io.StringIO((gzip.decompress(data) if name.endswith("gz") else data).decode())
            header, *rows = csv.reader(lines, delimiter="\t" if "tsv" in name else ",")
            assert header == ["position", "value", "remoteness"]
            found = [(text, value, int(plies) if plies else None) for text, value, plies in rows]
        assert found == right


def test_rows_and_graphs_are_chosen(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("police"), objective="win-loss-draw")
    solution.save(tmp_path / "s")
    assert run(["convert", str(tmp_path / "s"), str(tmp_path / "g.csv")]) == 0
    assert (tmp_path / "g.csv").read_text().startswith("position,player,value\n")
    assert not (tmp_path / "g.vertices.csv").exists()
    assert run(["convert", "stones", str(tmp_path / "r.csv"), "--rows", "--solve"]) == 0
    assert (tmp_path / "r.csv").read_text().splitlines()[:2] == [
        "position,value,remoteness",
        "10,win,7",
    ]
    rs.solve(parse_game("chess:KRK,board=3")).save(tmp_path / "k")
    assert run(["convert", str(tmp_path / "k"), str(tmp_path / "k.csv"), "--graph"]) == 0
    assert (tmp_path / "k.csv").read_text().startswith("source,target\n")
