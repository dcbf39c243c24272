"""What all tests share."""

import fnmatch
import gc
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from retrosolve.compilation import jit
from retrosolve.runtime import tuning
from retrosolve.runtime.sources import PREFIX
from tests.support.marks import ALL, is_long, samples

Tune = Callable[..., None]

# Kernels compile on first use, so a first example may be slow; that is not a failure.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", max_examples=samples(50, 300), **COMMON)
settings.register_profile("quick", max_examples=15, **COMMON)
settings.load_profile("suite")

# A shell ignores interrupts in what it runs in the background, and so would every program that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent

# Names of cases in marks of long tests that no case has.
MISNAMED = pytest.StashKey[list[tuple[str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-messages", action="store_true", help="write tests/messages.txt, to be read"
    )
    parser.addoption("--within", type=float, default=math.inf, help="start no test after SECONDS")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the mark ``long`` only on the cases that are meant, and leave these out of `make test`."""
    cases: dict[str, list[str]] = {}
    named: dict[str, tuple[str, ...]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and (mark := item.get_closest_marker("long")):
            function = item.nodeid.partition("[")[0]
            case = item.callspec.id if hasattr(item, "callspec") else ""
            before = cases.setdefault(function, [])
            if not is_long(mark, case, len(before)):
                item.own_markers.remove(mark)
            before.append(case)
            named[function] = mark.args
    config.stash[MISNAMED] = [
        (function, name)
        for function, names in named.items()
        for name in names
        if not fnmatch.filter(cases[function], name)
    ]
    if not ALL:
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


STARTED = time.monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.monotonic() - STARTED > item.config.option.within:
        pytest.skip("the time of make quick is over")


# Collect garbage rarely: modules, tests and a compiler leave much that stays, to be looked through each time.
gc.set_threshold(400_000, 20, 50)


def pytest_collection_finish() -> None:
    """Look no more through what collecting the tests has left."""
    gc.freeze()


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
