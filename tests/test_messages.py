"""Each bad input says the sentence that stands in ``messages.txt``, which ``--update-messages`` writes."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import retrosolve as rs
from tests import bad_input
from tests.bad_input import Input

LINE_HERE = re.compile(r"(tests/bad_input/\w+\.py), line \d+")
MESSAGES = Path(__file__).with_name("messages.txt")

INPUTS: dict[str, Input] = {
    f"{room.name}: {name}": meet
    for room in pkgutil.iter_modules(bad_input.__path__)
    for name, meet in importlib.import_module(f"{bad_input.__name__}.{room.name}").INPUTS.items()
}


def sentence(meet: Input, folder: Path) -> str:
    """Return what a user reads, on one line."""
    try:
        shown = str(meet(folder))
    except rs.RetrosolveError as error:
        shown = f"{type(error).__name__}: {error}"
    shown = LINE_HERE.sub(r"\1, line N", shown)  # which moves when a row is added
    return shown.replace(f"{folder}/", "").replace("\n", " | ")


def known() -> dict[str, str]:
    """Return the sentences that stand in the file."""
    lines = MESSAGES.read_text("utf-8").splitlines()
    return dict(line.split(" => ", 1) for line in lines if line and not line.startswith("#"))


@pytest.fixture(autouse=True, scope="module")
def updated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Write the file anew before it is compared, where that is asked for."""
    if request.config.getoption("--update-messages"):
        said = {name: sentence(INPUTS[name], tmp_path_factory.mktemp("bad")) for name in sorted(INPUTS)}
        head = "# Bad input => what a user reads. Written by pytest --update-messages; review the difference.\n"
        MESSAGES.write_text(
            head + "".join(f"{name} => {text}\n" for name, text in said.items()), "utf-8"
        )


@pytest.mark.parametrize("name", sorted(INPUTS))
def test_bad_input_is_answered_by_its_sentence(name: str, tmp_path: Path) -> None:
    assert sentence(INPUTS[name], tmp_path) == known()[name]


def test_each_sentence_has_its_input() -> None:
    assert list(known()) == sorted(INPUTS)
