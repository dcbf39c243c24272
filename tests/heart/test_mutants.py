"""Faults planted in a copy of the package fail the tests that their rows name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.heart.mutants import MUTANTS, SOURCES, places

ROOT = Path(__file__).parent.parent.parent
OFTEN = ("local proof: remoteness", "worklist: owners")  # all take about a minute


def test_text_of_a_mutant_occurs_once() -> None:
    for name, mutant in MUTANTS.items():
        assert mutant.old != mutant.new
        assert len(places(mutant)) == 1, (
            f"{name}: {mutant.old!r} has moved: name the line that computes this"
        )


def run_heart(sources: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run tests with the package in ``sources``, kernels as plain Python."""
    options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    environment = os.environ | {
        "PYTHONPATH": str(sources),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", *options, *tests]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.long) for name in MUTANTS]
)
def test_heart_fails_with_a_mutant(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    shutil.copytree(SOURCES, tmp_path / "retrosolve", ignore=shutil.ignore_patterns("__pycache__"))
    (place,) = places(mutant)
    path = tmp_path / "retrosolve" / place.relative_to(SOURCES)
    path.write_text(path.read_text(encoding="utf-8").replace(mutant.old, mutant.new), encoding="utf-8")
    done = run_heart(tmp_path, mutant.tests)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert " failed" in done.stdout.splitlines()[-1]


@pytest.mark.long
def test_heart_passes_without_a_mutant(tmp_path: Path) -> None:
    shutil.copytree(SOURCES, tmp_path / "retrosolve", ignore=shutil.ignore_patterns("__pycache__"))
    tests = dict.fromkeys(test for mutant in MUTANTS.values() for test in mutant.tests)
    done = run_heart(tmp_path, tuple(tests))
    assert done.returncode == pytest.ExitCode.OK, done.stdout
