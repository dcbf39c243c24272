"""Bad usage of the command line, each line by itself: nothing is printed as an answer, and no file is changed."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.bad_input import Input, command

# Lines that need no file.
LINES = """
probe chess:KRK,board=3 --index 5
solve stones --out o --checkpoint-every never
serve stones --allow-embedding blog --no-browser
solve ''
solve stones --misere --stuck loss
solve stones --memory lots
solve stones --memory ''
solve stones:n=100 --memory 10
solve stones --start some
solve stones --start ''
solve stones --out ''
solve stones --out out.csv
solve stones --resume
solve stones --objective best
solve stones --table some
solve stones --address local
solve stones --source s --target s
solve nothing.txt
solve nothing.csv
solve shogi:KRK
solve rules.py:Game
solve wythoff:n=10001
solve stones:n=ten
solve stones:size=3
solve stones:take=
solve stones:n=1,n=2
solve morris6:symmetry=2
solve chess:K,board=4
solve stones -o o.xlsx
solve nothing -o out.edges
solve nothing -o no/out.csv
solve nothing -o no/out
solve stones -o out.pg
verify stones --part 4/3
verify stones --full --sample 9
probe stones 99
probe stones --index 11
probe stones --index
probe - -
stats stones --zugzwangs
convert stones out.xyz
convert stones ''
convert stones out.csv --misere
convert stones out.csv --rows
convert stones out.csv --endless 1
convert stones new.vertices.csv
dataset stones out.csv
games checkers
film stones out.gif
plot stones out.gif
compare stones ''
check-solution none.py
serve --processes 2 --no-browser
serve stones stones --no-browser
""".strip().splitlines()

RULES = """
import retrosolve as rs

class Heap(rs.Game):
    def __init__(self, n: int, take=(1, 2), misere=False, *, name: str = "heap", more=None): ...

class Large(Heap):
    def __init__(self):
        1 / 0

class Wrong(rs.Game):
    def start(self):
        return 9
    def terminal(self, n):
        return 5 if n == 4 else None
    def moves(self, n):
        return [("on", n - 1)] if n else []

class Many(Wrong):
    def moves(self, n):
        return [("on", n + 1)]
"""
GRAPH = "source,target,weight\na,b,1\nb,a,2\n"
OWNED = {"o.csv": "source,target\na,b\nb,a\na,c\n", "o.vertices.csv": "name,owner\na,0\nb,1\nc,1\n"}

# Lines with their files: names and texts.
WITH_FILES: list[tuple[str, dict[str, str | bytes]]] = [
    *((f"solve r.py{rest}", {"r.py": RULES}) for rest in (
        "", ":Mine", ":rs", ":Large", ":Heap", ":Heap,m=5", ":Heap,n=five", ":Heap,n=5,misere=2", ":Heap,n=5,n=6",
        ":Wrong", ":Many --limit 100",
    )),
    ("solve broken.py", {"broken.py": "def ("}),
    ("solve broken.py:G", {"broken.py": "def ("}),
    ("solve late.py:G", {"late.py": "def f():\n    return 1 / 0\n\n\nf()\n"}),
    ("solve notes", {"notes": "hello\n"}),
    ("solve empty.txt", {"empty.txt": ""}),
    ("check g.csv", {"g.csv": "0,1\n"}),
    ("check-solution r.py", {"r.py": RULES}),
    ("check-solution mine.py --draw out.png", {"mine.py": "solve = dict"}),
    ("solve g.json --header", {"g.json": "{}"}),
    ("solve g.csv --vertices ''", {"g.csv": "a,b\n"}),
    ("solve g.csv --start 7", {"g.csv": "0,1\n1,x\n"}),
    ("solve g.csv --start 3", {"g.csv": "0,1\n1,2\n"}),
    ("solve g.csv --start b", {"g.csv": "0,1\n1,2\n"}),
    ("solve g.csv --solver acyclic", {"g.csv": "0,1\n1,0\n"}),
    ("solve g.csv --solver bitset", {"g.csv": "0,1\n1,0\n"}),
    ("probe g.csv", {"g.csv": "0,1\n"}),
    ("play g.csv", {"g.csv": "0,1\n"}),
    ("explain long.csv", {"long.csv": "".join(f"{v},{v + 1}\n" for v in range(200))}),
    ("solve o.csv -o out.pg --stuck tie", OWNED),
    ("convert d.csv d.sol", {"d.csv": "a,b\nb,a\n", "d.vertices.csv": "name,owner\na,0\nb,1\n"}),
    ("solve nothing -o file/out.csv", {"file": ""}),
    ("solve nothing -o file", {"file": ""}),
    ("solve g.csv -o g.csv", {"g.csv": GRAPH}),
    ("solve g.csv -o ./../{here}/g.csv", {"g.csv": GRAPH}),
    ("solve g.csv -o link.csv", {"g.csv": GRAPH}),
    ("solve g.csv -o hard.csv", {"g.csv": GRAPH}),
    ("solve g.csv -o g.vertices.csv", {"g.csv": GRAPH, "g.vertices.csv": "name\na\nb\n"}),
    ("solve g.csv --vertices v.vertices.csv -o v.csv", {"g.csv": GRAPH, "v.vertices.csv": "name\na\nb\n"}),
    ("solve cops:g.csv,cops=1 -o g.csv", {"g.csv": GRAPH}),
    ("convert g.csv link.csv --solve", {"g.csv": GRAPH}),
]  # fmt: skip


def refused(line: str, files: dict[str, str | bytes]) -> Input:
    """Run a line, and tell of what it prints or writes although it is refused."""

    def meet(folder: Path) -> str:
        (folder / "folder.csv").mkdir()
        (folder / "taken").mkdir()
        (folder / "taken" / "kept").touch()
        if "g.csv" in files:
            (folder / "g.csv").touch()
            (folder / "link.csv").symlink_to(folder / "g.csv")
            (folder / "hard.csv").hardlink_to(folder / "g.csv")
        before = {path.name for path in folder.rglob("*")} | {*files, "__pycache__"}
        said = command(*shlex.split(line.replace("{here}", folder.name)), **files)(folder)
        changed = [
            path.name for path in folder.rglob("*") if path.name not in before and path.suffix != ".pyc"
        ]
        assert not changed, changed
        assert all((folder / name).read_bytes() == _bytes(content) for name, content in files.items())
        return str(said).replace(str(folder), "HERE").replace(folder.name, "HERE")

    return meet


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


INPUTS: dict[str, Input] = {
    **{line: refused(line, {}) for line in LINES},
    **{line: refused(line, files) for line, files in WITH_FILES},
    **{line: refused(line, {}) for line in ("solve nothing -o taken", "solve nothing -o folder.csv")},
    "solve a name that is too long": refused("solve stones:n=" + 300 * "1", {}),
}
