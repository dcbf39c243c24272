"""The one mark of tests, ``long``, and how many random subjects they try.

`make test` leaves out what is ``long``. `make test-long` runs everything, with many random subjects.
"""

import os
from fnmatch import fnmatchcase

import pytest
from hypothesis import settings

ALL = "RETROSOLVE_LONG" in os.environ


def samples(few: int, many: int) -> int:
    """How many random subjects of one kind to try: ``many`` by `make test-long`."""
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


COMPILED = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="takes minutes as plain Python"
)
