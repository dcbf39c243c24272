"""Bad input: one line on stderr that names the place, exit status 2, nothing written."""

import re
from pathlib import Path

import pytest

from retrosolve.cli import run

# Files by name and content, the arguments, and what the one line must say.
BAD: list[tuple[dict[str, str | bytes], list[str], str]] = [
    ({}, [], "Usage"),
    ({}, ["guess"], r"No such command 'guess'"),
    ({}, ["solve"], r"Missing argument 'INPUT'"),
    ({}, ["solve", "a", "b"], r"unexpected extra argument"),
    ({}, ["solve", "stones", "--speed"], r"No such option:? '?--speed"),
    ({}, ["solve", "stones", "--solver", "magic"], r"'magic' is not one of 'auto', 'reference'"),
    ({}, ["solve", "stones", "--stuck", "draw"], r"'draw' is not one of 'loss', 'win', 'tie'"),
    ({}, ["solve", "stones", "--misere", "--stuck", "loss"], r"contradict each other"),
    ({}, ["solve", "stones", "--threads", "0"], r"0 is not in the range x>=1"),
    ({}, ["solve", "stones", "--threads", "two"], r"'two' is not a valid integer"),
    ({}, ["solve", "stones", "--memory", "lots"], r"'lots' is no amount of memory"),
    ({}, ["solve", "stones", "--memory", "0"], r"'0' is no amount of memory"),
    ({}, ["solve", "stones:n=100", "--memory", "10"], r"the budget is 10 bytes"),
    ({}, ["solve", "stones", "--plies", "-1"], r"-1 is not in the range"),
    ({}, ["solve", "nothing.txt"], r"'nothing.txt' is neither a file nor a game"),
    ({}, ["solve", "nothing.csv"], r"nothing\.csv: No such file or directory"),
    ({}, ["solve", "stones:n=" + 300 * "1"], r"'stones:n=1+'\.\.\. is too long for the name of a file"),
    ({}, ["solve", "wythoff:n=10001"], r"n=10001: expected 0 to 10000 tokens"),
    ({}, ["solve", "shogi:KRK"], r"neither a file nor a game: .* one of stones, tictactoe"),
    ({}, ["solve", "stones:n=ten"], r"n='ten': expected a whole number"),
    ({}, ["solve", "stones:size=3"], r"'size=3' is no parameter of stones: expected n="),
    ({}, ["solve", "stones:take="], r"take='': expected whole numbers joined by \+"),
    ({}, ["solve", "stones", "--start", "99"], r"99"),
    ({}, ["solve", "stones", "--start", "some"], r"'some'"),
    ({}, ["solve", "police", "--start", "nowhere"], r"nowhere"),
    ({}, ["solve", "chess:KRK,board=4", "--start", "x"], r"'x'"),
    ({}, ["solve", "rules.py:Game"], r"there is no file rules\.py"),
    ({"r.py": "x = 1"}, ["solve", "r.py:Mine"], r"r\.py has no game 'Mine'"),
    ({"r.py": "x = 1"}, ["solve", "r.py:x"], r"expected a subclass of retrosolve\.Game"),
    ({"r.py": "import nothing_such"}, ["solve", "r.py:G"], r"r\.py raised ModuleNotFoundError"),
    ({"r.py": "def ("}, ["solve", "r.py:G"], r"r\.py raised SyntaxError"),
    (
        {"r.py": "import retrosolve as rs\nclass G(rs.Game):\n    def __init__(self): 1 / 0"},
        ["solve", "r.py:G"],
        r"G\(\) raised ZeroDivisionError",
    ),
    (
        {
            "r.py": "import retrosolve as rs\nclass G(rs.Game):\n    def start(self): return 0\n"
            "    def moves(self, n): return [('on', [n])]"
        },
        ["solve", "r.py:G"],
        r"0 leads to \[0\], which cannot be hashed",
    ),
    (
        {"b.txt": ""},
        ["solve", "b.txt"],
        r"b\.txt: no lines: tried board, csv, .*; as a board: no rows",
    ),
    (
        {"notes": "hello\n"},
        ["solve", "notes"],
        r"notes: line 'hello' is of no known format .*: tried board,",
    ),
    (
        {"g.txt": "1 2\n2\n"},
        ["solve", "g.txt"],
        r"g\.txt, line 2: 1 cells, '2': expected 2, an edge in each line.*\(read as edges",
    ),
    (
        {"r.py": "import retrosolve as rs\nclass Nim(rs.Game): ...\nclass Big(Nim): ...\nclass X: ..."},
        ["solve", "r.py"],
        r"r\.py is a file of Python rules: expected r\.py:Nim or r\.py:Big$",
    ),
    (
        {"r.py": "def ("},
        ["solve", "r.py"],
        r"r\.py is a file of Python rules: expected r\.py:ClassName",
    ),
    (
        {"g.csv": "x,y\n0,1\n"},
        ["solve", "g.csv"],
        r"line 1: text above nothing but numbers: .*\(--header\)",
    ),
    ({"g.json": "{}"}, ["solve", "g.json", "--header"], r"header= .* are for edge lists, not json"),
    ({"b.txt": "P.T\n..\n"}, ["solve", "b.txt"], r"b\.txt, line 2: row 2 has 2 cells: expected 3"),
    ({"b.txt": "3 3\nP.T\n...\n"}, ["solve", "b.txt"], r"promises 3 rows, the board has 2"),
    ({"b.txt": "P.T\n.#.\n"}, ["solve", "b.txt"], r"line 2: row 2, column 2 is '#'"),
    ({"b.txt": "P.P\n"}, ["solve", "b.txt"], r"row 1, column 3 has a second policeman"),
    ({"b.txt": b"\x80\x81"}, ["solve", "b.txt"], r"b\.txt, line 1: byte b'\\x80' is not UTF-8"),
    ({"g.csv": "0,1\n1,x\n"}, ["solve", "g.csv", "--start", "7"], r"no vertex is named '7'"),
    ({"g.csv": "0,1\n1,2\n"}, ["solve", "g.csv", "--start", "3"], r"there is no vertex 3"),
    ({"g.csv": "0,1\n1,2\n"}, ["solve", "g.csv", "--start", "b"], r"'b' is not a vertex"),
    ({"g.csv": "0,1\n1\n"}, ["solve", "g.csv"], r"g\.csv, line 2"),
    ({"g.csv": "0,1\n1,2,3\n"}, ["solve", "g.csv"], r"g\.csv, line 2"),
    ({"g.csv": "a,b\n0,1\n1,2\n"}, ["solve", "g.csv"], r"g\.csv, line 1: .*header"),
    (
        {"g.csv": "0,1\n", "v.csv": "vertex,owner\n0,3\n1,0\n"},
        ["solve", "g.csv", "--vertices", "v.csv"],
        r"v\.csv, line 2",
    ),
    (
        {"g.csv": "0,1\n", "v.csv": "vertex,owner\n0,1\n"},
        ["solve", "g.csv", "--vertices", "v.csv"],
        r"owner",
    ),
    (
        {"g.csv": "0,1\n", "v.csv": "vertex,terminal\n0,won\n"},
        ["solve", "g.csv", "--vertices", "v.csv"],
        r"v\.csv, line 2",
    ),
    ({"g.npz": b"PK\x03\x04junk"}, ["solve", "g.npz"], r"g\.npz"),
    ({"g.npz": b""}, ["solve", "g.npz"], r"g\.npz"),
    ({"g.pg": "parity 1;\n0 0 0 1;\n"}, ["solve", "g.pg"], r"g\.pg"),
    ({"g.pg": "parity 1;\n0 0 2 0;\n"}, ["solve", "g.pg"], r"g\.pg, line 2"),
    ({"g.pg": "parity 1;\n0 0 0 0;\n0 0 0 0;\n"}, ["solve", "g.pg"], r"g\.pg, line 3"),
    ({"g.graphml": "<graphml>"}, ["solve", "g.graphml"], r"g\.graphml"),
    ({"g.dot": "digraph {"}, ["solve", "g.dot"], r"g\.dot"),
    ({"g.parquet": "PAR1"}, ["solve", "g.parquet"], r"g\.parquet"),
    ({"g.json": '{"format": "other"}'}, ["solve", "g.json"], r"g\.json"),
    ({"g.json": "[[[["}, ["solve", "g.json"], r"g\.json"),
    ({"g.csv.gz": b"\x1f\x8b\x08\x00"}, ["solve", "g.csv.gz"], r"g\.csv\.gz"),
    ({"saved/manifest.json": "{}"}, ["solve", "saved"], r"saved"),
    ({"saved/other": "{}"}, ["verify", "saved"], r"saved"),
    ({}, ["convert", "stones", "out.xyz"], r"'out\.xyz' has no known ending: expected one of \.csv"),
    ({}, ["games", "checkers"], r"there is no game 'checkers': expected one of stones, tictactoe"),
    (
        {},
        ["film", "stones", "out.gif"],
        r"'out\.gif' has no known ending: expected one of \.html, \.htm",
    ),
    (
        {},
        ["plot", "stones", "out.gif"],
        r"'out\.gif' has no known ending: expected one of \.svg, \.png",
    ),
    (
        {"solver.py": "solve = dict"},
        ["check-solution", "solver.py", "--draw", "out.png"],
        r"'out\.png' has no known ending: expected \.svg",
    ),
    ({}, ["convert", "stones", "out.csv", "--misere"], r"say how to solve: expected --solve too"),
    ({}, ["convert", "stones", "out.csv", "--endless", "1"], r"--endless is for \.pg and \.sol files"),
    ({}, ["convert", "stones", "out.pg"], r"needs an owner for each vertex"),
    ({}, ["convert", "stones", "no/such/folder/out.csv"], r"no/such/folder"),
    (
        {"g.csv": "0,1\n1,0\n", "g.vertices.csv": "id,owner\n0,0\n1,1\n"},
        ["convert", "g.csv", "g.sol"],
        r"endless",
    ),
    ({"o.txt": "kept"}, ["solve", "stones", "-o", "o.txt"], r"'o\.txt' has no known ending: expected"),
    (
        {"g.csv": "".join(f"{v},{v + 1}\n" for v in range(200))},
        ["explain", "g.csv"],
        r"no start and many positions: expected --start POSITION",
    ),
    ({}, ["probe", "stones", "99"], r"99"),
    ({}, ["solve", ""], r"Invalid value for 'INPUT': the text is empty"),
    ({}, ["solve", "stones", "--out", ""], r"Invalid value for '--out': the text is empty"),
    ({}, ["solve", "stones", "-o", ""], r"Invalid value for '-o' / '--output': the text is empty"),
    ({}, ["solve", "stones", "--memory", ""], r"'--memory': the text is empty"),
    ({}, ["solve", "stones", "--start", ""], r"no position .* is written ''"),
    ({}, ["probe", "stones", ""], r"no position .* is written ''"),
    ({"g.csv": "a,b\n"}, ["solve", "g.csv", "--vertices", ""], r"'--vertices': the text is empty"),
    ({}, ["convert", "stones", ""], r"'OUTPUT': the text is empty"),
    ({}, ["compare", "stones", ""], r"the text is empty"),
    (
        {"g.csv": "0,1\n1,0\n"},
        ["solve", "g.csv", "--solver", "acyclic"],
        r"and this is one: 1 -> 0 -> 1",
    ),
    (
        {"g.csv": "0,1\n1,0\n"},
        ["solve", "g.csv", "--solver", "bitset"],
        r"bitset solver takes games of two tokens",
    ),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("files", "arguments", "message"), BAD, ids=[" ".join(a) for _, a, _ in BAD])
def test_bad_input_is_one_line_and_status_two(
    files: dict[str, str | bytes],
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search(message, captured.err)
    if arguments:
        assert captured.err.count("\n") == 1
        assert captured.err.startswith("retrosolve: ")
    after = {
        path: path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert after == before


OWNED = {"o.csv": "source,target\na,b\n", "o.vertices.csv": "name,owner\na,0\nb,1\n"}
TABLE = {
    "g.csv": "source,target,weight\na,b,1\nb,a,2\n",
    "g.vertices.csv": "name,colour\na,red\nb,blue\n",
}

# Destinations that are refused before INPUT is read: it would take for ever, or does not exist.
REFUSED: list[tuple[dict[str, str], list[str], str]] = [
    ({}, ["solve", "nothing", "-o", "out.xlsx"], r"'out\.xlsx' has no known ending: expected one of \.csv .*, or a folder, out\.xlsx/"),
    ({}, ["solve", "nothing", "-o", "out.cvs"], r"'out\.cvs' has no known ending"),
    ({}, ["solve", "nothing", "-o", "out.edges"], r"edges files are not written: expected \.csv,"),
    ({}, ["solve", "nothing", "-o", "no/out.csv"], r"cannot write no/out\.csv: there is no folder .*no$"),
    ({}, ["solve", "nothing", "-o", "no/out"], r"cannot save no/out: .*no is no writable folder"),
    ({"out/kept": ""}, ["solve", "nothing", "-o", "out"], r"out is no saved solution: expected a new path"),
    ({"out": ""}, ["solve", "nothing", "-o", "out"], r"out is a file: expected a new path"),
    ({"out.csv/kept": ""}, ["solve", "nothing", "-o", "out.csv"], r"cannot write out\.csv: it is a folder"),
    ({"out.vertices.csv/kept": ""}, ["solve", "nothing", "-o", "out.csv"], r"out\.vertices\.csv: it is a folder"),
    ({"file": ""}, ["solve", "nothing", "-o", "file/out.csv"], r"there is no folder .*file$"),
    (TABLE, ["solve", "g.csv", "-o", "g.csv"], r"cannot write g\.csv: it is the input, which is never replaced"),
    (TABLE, ["solve", "g.csv", "-o", "./../{here}/g.csv"], r"it is the input"),
    (TABLE, ["solve", "g.csv", "-o", "link.csv"], r"cannot write link\.csv: it is the input"),
    (TABLE, ["solve", "g.csv", "-o", "hard.csv"], r"cannot write hard\.csv: it is the input"),
    (TABLE, ["solve", "g.csv", "-o", "g.vertices.csv"], r"g\.vertices\.csv: it is the input"),
    (TABLE | {"o.vertices.csv": "name\na\n"}, ["solve", "g.csv", "--vertices", "o.vertices.csv", "-o", "o.csv"], r"o\.vertices\.csv: it is the input"),
    (TABLE, ["solve", "cops:g.csv,cops=1", "-o", "g.csv"], r"it is the input"),
    (TABLE, ["convert", "g.csv", "g.csv"], r"it is the input"),
    (TABLE, ["convert", "g.csv", "link.csv", "--solve"], r"it is the input"),
    (OWNED, ["convert", "o.csv", "new.vertices.csv"], r"cannot write new\.vertices\.csv: it would be read as the vertex table of new\.csv, expected another name$"),
    (TABLE, ["convert", "g.csv", "no/out.dot"], r"there is no folder"),
    (TABLE, ["solve", "g.csv", "-o", "out.pg"], r"a \.pg file needs an owner for each vertex"),
    (OWNED, ["solve", "o.csv", "-o", "out.pg", "--stuck", "tie"], r"vertex 'b' ends in a tie: a \.pg file can hold only"),
    (OWNED, ["convert", "o.csv", "out.sol", "--solve", "--stuck", "tie"], r"'b' ends in a tie: a \.sol file"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "arguments", "message"), REFUSED, ids=[" ".join(a) for _, a, _ in REFUSED]
)
def test_a_destination_is_refused_before_any_work(
    files: dict[str, str],
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    if "g.csv" in files:
        (tmp_path / "link.csv").symlink_to(tmp_path / "g.csv")
        (tmp_path / "hard.csv").hardlink_to(tmp_path / "g.csv")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr("retrosolve.solve", None)  # solving would fail
    assert run([a.replace("{here}", tmp_path.name) for a in arguments]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert sorted(tmp_path.rglob("*")) == before
    assert all((tmp_path / name).read_text() == content for name, content in files.items())


def test_a_saved_solution_is_not_saved_over_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["solve", "stones:n=5", "-o", "v1.0/"]) == 0
    assert run(["solve", "stones:n=6", "-o", "v1.0"]) == 0
    assert run(["solve", "v1.0", "-o", "v1.0"]) == 2
    assert "cannot save v1.0: it is the input" in capsys.readouterr().err
