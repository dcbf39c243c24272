"""Wheel and sdist in clean environments: ``python -m tests.package.clean_environments``.

Each extra has a program that needs it and nothing else. A program of a user is checked by mypy and pyright.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SOLVED = """
import sys, tempfile
import retrosolve as rs
assert "numpy" not in sys.modules
from retrosolve.games.chess import ChessEnding
solution = rs.solve(ChessEnding("KRK", board=4))
rs.verify(solution)
folder = tempfile.mkdtemp() + "/krk"
solution.save(folder)
assert rs.open(folder).counts() == solution.counts()
"""
GRAPH = "import retrosolve as rs; graph = rs.Graph.from_edges(['a', 'b', 'b'], ['b', 'a', 'c'])\n"
PROGRAMS = {
    "": SOLVED,
    "formats": GRAPH + "for kind in ('graphml', 'dot', 'parquet'):\n"
    "    rs.write(rs.solve(graph), 'g.' + kind); rs.verify(rs.read_solution('g.' + kind))\n",
    "frames": GRAPH
    + "assert rs.solve(graph).to_pandas()['value'].tolist() == ['loss', 'win', 'loss']\n"
    "assert rs.solve(graph).to_networkx().nodes['b']['value'] == 'win'\n",
    "openspiel": "import retrosolve as rs\n"
    "solution = rs.solve(rs.adapters.openspiel('tic_tac_toe'))\n"
    "assert len(solution) == 5478 and str(solution[solution.start]) == 'TIE in 9'\n"
    "solution = rs.solve(rs.adapters.openspiel('breakthrough(rows=4,columns=3)'))\n"
    "assert len(solution) == 10689 and str(solution[solution.start]) == 'WIN in 9'\n",
    "plots": GRAPH
    + "from matplotlib.figure import Figure\nrs.plots.histogram(rs.solve(graph), ax=Figure().subplots())\n",
    "ray": GRAPH + "counts = rs.solve(graph, solver='ray', partitions=2).counts()\n"
    "assert counts == rs.solve(graph).counts()\n",
    "web": GRAPH + "import threading, time, urllib.request\n"
    "from retrosolve.web.app import application\nfrom retrosolve.web.library import Entry, Library\n"
    "from retrosolve.web.server import listen, server_of\n"
    "listening = listen('127.0.0.1', 0)\n"
    "server = server_of(application(Library([Entry('g', 'g', rs.solve(graph).with_start('a'))])))\n"
    "threading.Thread(target=server.run, args=([listening],), daemon=True).start()\n"
    "while not server.started: time.sleep(0.01)\n"
    "address = f'http://127.0.0.1:{listening.getsockname()[1]}/g/g/'\n"
    "assert b'<html' in urllib.request.urlopen(address).read()\n",
}
MISSING = """
import retrosolve as rs
try:
    rs.solve(rs.Graph.from_edges([0], [1])).to_pandas()
except rs.RetrosolveError as error:
    assert "retrosolve[frames]" in str(error), error
else:
    raise SystemExit("pandas is installed without the extra")
"""


def main() -> None:
    """Build, install and run; the first failure ends it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, sdist = built(folder)
        for extra, program in PROGRAMS.items():
            python = environment(
                folder / f"env-{extra}", sys.executable, f"{wheel}[{extra}]" if extra else str(wheel)
            )
            call(python, "-c", program, cwd=folder)
            if not extra:
                call(python, "-c", MISSING, cwd=folder)
                call(python, "-m", "retrosolve", "--help", cwd=folder)
                call(python, "-m", "retrosolve", "solve", "stones", "--json", cwd=folder)
            say(f"wheel, extra {extra or 'none'}")
        python = environment(folder / "env-oldest", sys.executable, str(wheel), *oldest())
        call(python, "-c", SOLVED, cwd=folder)
        call(python, "-m", "retrosolve", "--help", cwd=folder)
        call(python, "-m", "retrosolve", "verify", "chess:KRK,board=4", cwd=folder)
        say("wheel, oldest libraries")
        call(environment(folder / "env-sdist", sys.executable, str(sdist)), "-c", SOLVED, cwd=folder)
        say("sdist")
        for version in VERSIONS:
            found = interpreter(version)
            if found is None:
                say(f"Python {version} was not found: nothing was tested with it")
                continue
            call(environment(folder / f"env-{version}", found, str(wheel)), "-c", SOLVED, cwd=folder)
            say(f"wheel, Python {version}")
        check_types(folder, wheel)


def built(folder: Path) -> tuple[Path, Path]:
    """Return the wheel and the sdist, built in an isolated environment."""
    python = environment(folder / "env-build", sys.executable, "build")
    call(python, "-m", "build", "-o", str(folder / "dist"), str(ROOT), cwd=folder)
    (wheel,), (sdist,) = (folder / "dist").glob("*.whl"), (folder / "dist").glob("*.tar.gz")
    return wheel, sdist


def oldest() -> list[str]:
    """Return the oldest versions of the libraries that the package claims to work with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [library.replace(">=", "==") for library in project["dependencies"]]


def check_types(folder: Path, wheel: Path) -> None:
    """Check the program of a user against the installed package."""
    python = environment(folder / "env-types", sys.executable, str(wheel), "mypy", "basedpyright")
    shutil.copy(Path(__file__).parent / "user_program.py", folder / "user_program.py")
    call(python, "-m", "mypy", "--strict", "user_program.py", cwd=folder)
    say("mypy --strict")
    (folder / "pyrightconfig.json").write_text(
        '{"include": ["user_program.py"], "typeCheckingMode": "standard"}'
    )
    call(python, "-m", "basedpyright", "--pythonpath", python, cwd=folder)
    say("pyright")


def environment(folder: Path, python: str, *packages: str) -> str:
    """Return the interpreter of a new environment with some packages."""
    call(python, "-m", "venv", str(folder), cwd=folder.parent)
    made = str(folder / "bin" / "python")
    call(
        made, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages, cwd=folder.parent
    )
    return made


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version of Python, None if there is none."""
    installed = [
        shutil.which(f"python{version}"),
        *Path.home().glob(f".pyenv/versions/{version}.*/bin/python"),
    ]
    for python in filter(None, map(str, filter(None, installed))):
        asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return python
    return None


def call(*command: str, cwd: Path) -> None:
    """Run a program; what it says is shown if it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)[:200]}\n{done.stdout}{done.stderr}")


def say(text: str) -> None:
    """Report a step that passed."""
    sys.stdout.write(f"{text}: passed\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
