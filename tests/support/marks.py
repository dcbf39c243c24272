"""Marks of tests: what `make test` or `make quick` leaves out, and what has to be compiled."""

import os
from fnmatch import fnmatchcase

import pytest
from hypothesis import settings

ALL = "RETROSOLVE_SLOW_TESTS" in os.environ

SLOW = pytest.mark.skipif(not ALL, reason="takes long: set RETROSOLVE_SLOW_TESTS")


def samples(few: int, many: int) -> int:
    """How many random subjects of one kind to try: ``many`` with RETROSOLVE_SLOW_TESTS."""
    return many if ALL else few


def examples(few: int, many: int) -> settings:
    """As many random examples of Hypothesis, and no more than its profile asks for."""
    return settings(max_examples=min(samples(few, many), settings.default.max_examples))


def is_long(mark: pytest.Mark, case: str, before: int) -> bool:
    """Whether `make test` leaves a case of a function out that is marked ``long``.

    The mark without arguments means all cases, with names of cases these (``*`` stands for any text), and
    with ``but=n`` all but the first ``n``. ``before`` cases of the function came before this one.
    """
    if mark.args:
        return any(fnmatchcase(case, name) for name in mark.args)
    return before >= int(mark.kwargs.get("but", 0))


# Left out of `make quick`. Files and folders that are so as a whole say `pytestmark = pytest.mark.thorough`.
THOROUGH = pytest.mark.thorough

COMPILED = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="takes minutes as plain Python"
)
