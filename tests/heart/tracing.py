"""A plugin of pytest for drawn faults: which functions each test runs, or a choice of tests with a limit for each."""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
from _lsprof import Profiler as Profile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "drawn", max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), database=None,
    derandomize=True, phases=[Phase.explicit, Phase.generate],
)  # fmt: skip


class Trace:
    """Appends to a file the functions of the package that each test runs, and its seconds."""

    def __init__(self, folder: str) -> None:
        self.path = Path(folder, os.environ.get("PYTEST_XDIST_WORKER", "main"))
        self.passed: set[str] = set()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        profiles: list[Profile] = []

        def start(*_: object) -> None:
            profiles.append(Profile(subcalls=False, builtins=False))
            profiles[-1].enable()

        before = seconds()
        threading.setprofile(start)  # at the first call of a new thread, in its place
        start()
        yield
        threading.setprofile(None)  # type: ignore[arg-type]
        profiles[0].disable()
        ran = set()
        for entry in (entry for profile in profiles for entry in profile.getstats()):
            _, inside, path = getattr(entry.code, "co_filename", "").partition("src/retrosolve/")
            if inside:
                ran.add(f"{path}:{entry.code.co_firstlineno}")
        if item.nodeid in self.passed:  # one that is skipped kills nothing
            line = json.dumps([item.nodeid, round(seconds() - before, 3), sorted(ran)])
            with self.path.open("a") as file:
                file.write(f"{line}\n")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)


class Limit:
    """Ends the session at a test that takes too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run the tests that are asked for, in this order."""
        asked = {
            test: i for i, test in enumerate(Path(os.environ["DRAWN_TESTS"]).read_text().splitlines())
        }
        items[:] = sorted(
            (item for item in items if item.nodeid in asked), key=lambda item: asked[item.nodeid]
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        def late(number: int, frame: object) -> None:
            Path(os.environ["DRAWN_LATE"]).write_text(item.nodeid)
            os._exit(1)

        signal.signal(signal.SIGPROF, late)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)


def seconds() -> float:
    """Processor time of this process and its children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if "DRAWN_MAP" in os.environ and (
        config.option.numprocesses is None or hasattr(config, "workerinput")
    ):
        config.pluginmanager.register(Trace(os.environ["DRAWN_MAP"]))
    if "DRAWN_TEST_SECONDS" in os.environ:
        config.pluginmanager.register(Limit(float(os.environ["DRAWN_TEST_SECONDS"])))
