"""Faults drawn by a seed from each room of the package, and which of them the tests see.

``python -m tests.heart.drawn map MAP`` runs the suite once and writes which functions each test runs.
``python -m tests.heart.drawn run MAP --seed 7`` plants the faults one by one in a copy of the package and
runs, fastest first, the tests that run the function of each. ``... show --seed 7`` prints the faults only.

Faults are planted in the syntax tree: another comparison, operator or number, ``not`` left out, a statement
left out. Kernels run as plain Python. A test has a limit of processor time: past it the fault died if the
test is quick without the fault, else the test is left out. What the map misses (programs started by tests)
can hide a test that would have failed, never invent one.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

import pytest

import retrosolve

SOURCES = Path(retrosolve.__file__).parent
ROOT = Path(__file__).parent.parent.parent
TEST_SECONDS = 8  # of processor time, for one test
OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
LEFT_OUT = ast.AugAssign | ast.Raise | ast.Break | ast.Continue
NO_CODE = ("annotation", "returns", "decorator_list", "type_params")


class Fault(NamedTuple):
    """Bytes ``start`` to ``stop`` of a file, in ``function`` (its first line, 0 outside), become ``new``."""

    room: str
    path: str
    line: int
    function: int
    start: int
    stop: int
    new: str

    def __str__(self) -> str:
        old = (SOURCES / self.path).read_bytes()[self.start : self.stop].decode()
        return f"{self.path}:{self.line}: {' '.join(old.split())} -> {self.new}"


# -- the faults


def others(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    new: Any = copy.copy(node)
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            ops = [*node.ops[:i], OTHER[type(op)](), *node.ops[i + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in OTHER:
        new.op = OTHER[type(node.op)]()
        yield new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        new.value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield new
    elif leaves_out(node):
        yield ast.Pass()


def leaves_out(node: ast.AST) -> bool:
    """Whether a statement can be left out: one that writes to an array or object, a call, a raise."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript | ast.Attribute)
    return isinstance(node, LEFT_OUT) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )


def walk(node: ast.AST, function: int) -> Iterator[tuple[Any, int]]:
    """Nodes that run, with the first line of the function around them."""
    typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    if isinstance(node, ast.JoinedStr) or typing:
        return
    yield node, function
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if name not in NO_CODE and isinstance(child, ast.AST):
                yield from walk(child, function)


class Site(NamedTuple):
    """A node of the tree of a file, and what may stand in its place."""

    path: Path
    function: int
    node: Any
    new: Any

    def fault(self, room: str) -> Fault:
        data, node = self.path.read_bytes(), self.node
        starts = [0, *(i + 1 for i, byte in enumerate(data) if byte == ord("\n"))]
        start = starts[node.lineno - 1] + node.col_offset
        stop = starts[node.end_lineno - 1] + node.end_col_offset
        text = ast.unparse(ast.fix_missing_locations(self.new))
        text = text if isinstance(node, ast.stmt) else f"({text})"
        name = self.path.relative_to(SOURCES).as_posix()
        return Fault(room, name, node.lineno, self.function, start, stop, text)


def rooms() -> dict[str, list[Path]]:
    """The files of each folder of the package, and of all that lie beside the folders."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        first, *rest = path.relative_to(SOURCES).parts
        found[first if rest else "top"].append(path)
    return found


def draw(seed: int, count: int, only: list[str]) -> list[Fault]:
    """Return up to ``count`` faults of each room."""
    drawn = []
    for room, paths in rooms().items():
        if only == [""] or room in only:
            sites = [
                Site(path, function, node, new)
                for path in paths
                for node, function in walk(ast.parse(path.read_bytes()), 0)
                for new in others(node)
            ]
            chosen = random.Random(f"{seed}:{room}").sample(sites, min(count, len(sites)))
            drawn += [site.fault(room) for site in chosen]
    return drawn


# -- the tests of a fault


@cache
def mentions() -> dict[str, set[str]]:
    """The functions, as ``path:line``, in which each name occurs: kernels call kernels without a trace."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES.rglob("*.py"):
        where = path.relative_to(SOURCES).as_posix()
        for node, function in walk(ast.parse(path.read_bytes()), 0):
            if name := getattr(node, "id", None) or getattr(node, "attr", None):
                found[name].add(f"{where}:{function}")
    return found


@cache
def names() -> dict[str, str]:
    """The name of each function, by ``path:line``."""
    found = {}
    for path in SOURCES.rglob("*.py"):
        where = path.relative_to(SOURCES).as_posix()
        for node, _ in walk(ast.parse(path.read_bytes()), 0):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                line = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                found[f"{where}:{line}"] = node.name
    return found


class Map:
    """Which functions each test runs, and its seconds; and the tests that are slow as plain Python.

    Several maps are joined; tests of files that are not there are left out.
    """

    def __init__(self, paths: list[Path]) -> None:
        self.slow_path = paths[0].with_suffix(".slow")
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, set[str]] = defaultdict(set)
        for path in paths:
            read = json.loads(path.read_text())
            for test, (took, ran) in read["tests"].items():
                if test not in self.seconds and (ROOT / test.partition("::")[0]).exists():
                    self.seconds[test] = took
                    for number in ran:
                        self.tests[read["functions"][number]].add(test)
        self.slow: dict[str, bool] = {}
        if self.slow_path.exists():
            self.slow = json.loads(self.slow_path.read_text())

    def remember(self, test: str, slow: bool) -> None:
        self.slow[test] = slow
        self.slow_path.write_text(json.dumps(self.slow))

    def of(self, fault: Fault, limit: float) -> tuple[list[str], int]:
        """The tests of a fault, in the order in which to run them, and how many run its function."""
        if fault.function:
            runs = self.tests[f"{fault.path}:{fault.function}"]
        else:
            places = [place for place in self.tests if place.startswith(f"{fault.path}:")]
            runs = set().union(*(self.tests[place] for place in places))
        waves, seen, near = [runs], set(runs), {f"{fault.path}:{fault.function}"}
        for _ in range(4):  # what calls it, and what calls that
            near = {place for at in near for place in mentions().get(names().get(at, ""), ())}
            wave = set().union(*(self.tests[place] for place in near)) - seen
            waves.append(wave)
            seen |= wave
            if len(seen) > 100:
                break
        files = {test.partition("::")[0] for test in runs}
        waves.append({t for t in self.seconds if t.partition("::")[0] in files} - seen)
        chosen: list[str] = []
        total = 0.0
        for wave in waves:
            for test in sorted(wave, key=lambda t: self.seconds[t]):
                total += self.seconds[test] + 0.02
                if total < limit and not self.slow.get(test):
                    chosen.append(test)
        return chosen, len(seen)


def pytest_command(*more: str) -> list[str]:
    options = ["-x", "-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist"]
    plugin = ["-p", "tests.heart.tracing", "--hypothesis-profile=drawn"]
    return [sys.executable, "-m", "pytest", *options, *plugin, *more]


def outcome(sources: Path, tests: list[str], limit: float) -> tuple[str, str]:
    """Return what tests say of a package (died, survived, late, undecided), and the first that failed."""
    listed = sources / "tests.txt"
    listed.write_text("\n".join(tests))
    environment = os.environ | {
        "PYTHONPATH": str(sources), "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1",
        "DRAWN_TEST_SECONDS": str(TEST_SECONDS), "DRAWN_LATE": str(sources / "late.txt"),
        "DRAWN_TESTS": str(listed), "TMPDIR": str(sources / "tmp"),
    }  # fmt: skip
    (sources / "late.txt").unlink(missing_ok=True)
    (sources / "tmp").mkdir(exist_ok=True)

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(5 * limit) + 20,) * 2)
        resource.setrlimit(resource.RLIMIT_DATA, (8 << 30,) * 2)

    try:
        done = subprocess.run(
            pytest_command(*dict.fromkeys(test.partition("::")[0] for test in tests)), env=environment, capture_output=True, text=True, check=False,
            preexec_fn=limits, cwd=ROOT, timeout=1800,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "undecided", "waits for ever"
    finally:
        shutil.rmtree(sources / "tmp", ignore_errors=True)
    lines = done.stdout.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    if (sources / "late.txt").exists():
        return "late", (sources / "late.txt").read_text()
    if done.returncode == 0:
        return "survived", ""
    if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
        return "untested", ""
    if done.returncode in {pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}:
        return "died", (failed or [done.stdout.strip()[-60:]])[0].split(" - ")[0]
    return "undecided", f"status {done.returncode}"


def try_out(fault: Fault, known: Map, sources: Path, whole: Path, limit: float) -> tuple[str, str, int]:
    tests, running = known.of(fault, limit)
    if not running:
        return "untested", "", 0
    path = sources / "retrosolve" / fault.path
    data = path.read_bytes()
    path.write_bytes(data[: fault.start] + fault.new.encode() + data[fault.stop :])
    try:
        while tests:
            state, by = outcome(sources, tests, limit)
            if state != "late":
                return state, by, running
            if by not in known.slow:
                known.remember(by, outcome(whole, [by], limit)[0] != "survived")
            if not known.slow[by]:
                return "died", f"late: {by}", running
            tests = [test for test in tests[tests.index(by) :] if not known.slow.get(test)]
    finally:
        path.write_bytes(data)
    return "undecided", "all tests are slow", running


def run(options: argparse.Namespace) -> None:
    known, drawn = (
        Map([Path(path) for path in options.map]),
        draw(options.seed, options.count, options.rooms.split(",")),
    )
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for name in range(options.jobs + 1):
            shutil.copytree(
                SOURCES,
                Path(folder, str(name), "retrosolve"),
                ignore=shutil.ignore_patterns("__pycache__"),
            )
            if name:
                copies.put(Path(folder, str(name)))

        def one(fault: Fault) -> tuple[Fault, tuple[str, str, int]]:
            sources = copies.get()
            try:
                return fault, try_out(fault, known, sources, Path(folder, "0"), options.limit)
            finally:
                copies.put(sources)

        with ThreadPoolExecutor(options.jobs) as pool:
            for fault, (state, by, running) in pool.map(one, drawn):
                counts[fault.room][state] += 1
                print(f"{state}\t{running}\t{str(fault)[:160]}\t{by}", flush=True)
    for room, states in sorted(counts.items()):
        print(
            f"# {room}: " + ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
        )
    total = sum(counts.values(), Counter())
    print(f"# seed {options.seed}: {dict(sorted(total.items()))}")


def write_map(options: argparse.Namespace) -> None:
    """Run the suite by ``--jobs`` workers, and join what they have seen."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"DRAWN_MAP": folder}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.heart.tracing",
            "-n",
            str(options.jobs),
        ]
        command += ["--dist", "worksteal", "-m", options.marks, *options.tests]
        subprocess.run(command, env=environment, cwd=ROOT, check=False)
        functions: dict[str, int] = {}
        tests = {}
        for part in Path(folder).iterdir():
            for test, took, ran in map(json.loads, part.read_text().splitlines()):
                tests[test] = took, [functions.setdefault(f, len(functions)) for f in ran]
        Path(options.map).write_text(json.dumps({"functions": list(functions), "tests": tests}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("show", "run"):
        command = commands.add_parser(name)
        if name == "run":
            command.add_argument("map", nargs="+")
            command.add_argument(
                "--limit", type=float, default=40, help="seconds of tests for one fault"
            )
            command.add_argument("--jobs", type=int, default=1)
        command.add_argument("--seed", type=int, required=True)
        command.add_argument("--count", type=int, default=12, help="faults of one room")
        command.add_argument("--rooms", default="", help="such as formats,store; default: all")
    command = commands.add_parser("map")
    command.add_argument("map")
    command.add_argument("tests", nargs="*", default=["tests"])
    command.add_argument("--marks", default="not long")
    command.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.command == "map":
        write_map(options)
    elif options.command == "run":
        run(options)
    else:
        for fault in draw(options.seed, options.count, options.rooms.split(",")):
            print(fault)


if __name__ == "__main__":
    main()
