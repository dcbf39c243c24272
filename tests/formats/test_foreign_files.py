"""Files of other programs, and by hand: each is read as ``tests/data/foreign_files.json`` says, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.formats import read_graph_file
from retrosolve.formats.files import find_content
from tests.support.foreign_files import DATA, FOREIGN_FILES, ForeignFile, described

BY_CONTENT = ("dot", "graphml", "json", "pg")


@pytest.mark.parametrize("file", [pytest.param(file, id=file.what) for file in FOREIGN_FILES])
def test_foreign_file_is_read_as_the_table_says(
    file: ForeignFile, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if isinstance(file.read, str):
        with pytest.raises(rs.FormatError) as raised:
            file.meet(tmp_path)
        assert "\n" not in str(raised.value)
        assert len(str(raised.value)) < 600
        if file.read == "board":
            assert find_content(tmp_path / file.name).format == "board"
    else:
        assert described(file.meet(tmp_path)) == file.read
        if file.name.removeprefix("g.") in BY_CONTENT and file.encoding == "utf-8":
            unknown = (tmp_path / file.name).rename(tmp_path / "g")
            assert described(read_graph_file(unknown)) == file.read
    assert capfd.readouterr() == ("", "")


def test_the_table_of_foreign_files_is_one_row_a_line() -> None:
    lines = DATA.read_text("utf-8").splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == json.loads("\n".join(lines))
    assert len({file.what for file in FOREIGN_FILES}) == len(FOREIGN_FILES)
