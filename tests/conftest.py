"""What all tests share."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from retrosolve.compilation import jit
from retrosolve.runtime import tuning
from retrosolve.runtime.sources import PREFIX
from tests.support.marks import THOROUGH, samples

Tune = Callable[..., None]

# Kernels compile on first use, so a first example may be slow; that is not a failure.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", max_examples=samples(50, 300), **COMMON)
settings.register_profile("quick", max_examples=25, **COMMON)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent

# Folders and files that `make quick` leaves out.
THOROUGH_PATHS = (
    "tests/compilation",
    "tests/formats/test_fuzz_readers.py",
    "tests/formats/test_hostile.py",
    "tests/formats/test_malformed.py",
    "tests/formats/test_roundtrip.py",
    "tests/games",
    "tests/pursuit",
    "tests/rules/test_broken_rules.py",
    "tests/rules/test_checks.py",
    "tests/rules/test_compiled.py",
    "tests/rules/test_kinds_of_positions.py",
    "tests/rules/test_places.py",
    "tests/rules/test_ranking.py",
    "tests/rules/test_workers.py",
    "tests/solvers/test_budget.py",
    "tests/solvers/test_long_play.py",
    "tests/solvers/test_scale.py",
    "tests/spaces/test_reachable.py",
    "tests/store/test_damage.py",
    "tests/store/test_killed.py",
    "tests/store/test_manifest.py",
    "tests/store/test_opening.py",
    "tests/store/test_reopened.py",
    "tests/store/test_resume.py",
    "tests/store/test_stateful.py",
    "tests/store/test_store_at_once.py",
    "tests/verification/test_mutations.py",
    "tests/verification/test_recall.py",
    "tests/web",
    "src/retrosolve/games",
)


@cache
def is_thorough(path: Path) -> bool:
    """Whether `make quick` leaves out a file or folder."""
    inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    return inside in THOROUGH_PATHS or inside.startswith(tuple(f"{other}/" for other in THOROUGH_PATHS))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of what is left out: collecting takes a quarter of the time of `make quick`."""
    return (config.option.markexpr == "not thorough" and is_thorough(collection_path)) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what these hold as thorough, before marks select."""
    for item in items:
        if is_thorough(item.path):
            item.add_marker(THOROUGH)


def pytest_collection_finish() -> None:
    """Collect garbage rarely: a compiler leaves much that stays, to be looked through each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(400_000, 20, 50)


@pytest.fixture
def tune() -> Iterator[Tune]:
    """Change fields of the tuning until the test ends: ``tune(compile_from=0)``."""
    with ExitStack() as stack:

        def change(**fields: float) -> None:
            stack.enter_context(tuning.using(**fields))

        yield change


@pytest.fixture
def alone(tune: Tune) -> None:
    """Compile what a process of its own would, not what pays where the compiler is loaded."""
    tune(compile_again_from=tuning.current().compile_from)


@pytest.fixture
def interpreted(tune: Tune) -> None:
    """Compile nothing: kernels of a game take seconds, and are the same functions."""
    tune(compile_from=10**9, compile_again_from=10**9)


@pytest.fixture
def uncompiled_kernels(interpreted: None, monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    """Use the kernels for large graphs, as the plain Python that they also are."""
    tune(compile_from=0)
    monkeypatch.setattr(jit, "compiled", lambda kernel: kernel)


@pytest.fixture(autouse=True, scope="session")
def nothing_is_flushed() -> Iterator[None]:
    """Flush no file to disk in this process: thousands of times take long, and only a loss of power tells.

    Processes that are killed in tests, and the errors of flushing, are not concerned.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(autouse=True)
def rules_are_forgotten() -> Iterator[None]:
    """Forget the modules of rules that a test has loaded.

    Hypothesis reads the source of every module there is, and a test may have put a pipe or an endless
    device in the place of one.
    """
    yield
    for name in [name for name in sys.modules if name.startswith(PREFIX)]:
        del sys.modules[name]


@pytest.fixture
def boards() -> Path:
    """The folder of example boards."""
    return ROOT / "examples" / "boards"
