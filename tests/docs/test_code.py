"""Every block of code on every page runs and prints what it shows."""

import json
import logging
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games.stones import Stones
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from tests.support.pages import (
    HERE,
    ROOT,
    blocks,
    is_translated,
    run_block,
    sizes,
    without_sizes,
    without_times,
    written,
)
from tests.web.drawn import request, serving

PAGES = written()
SHOWN = [name for name in PAGES if not is_translated(name)]


@pytest.fixture(autouse=True)
def beside_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages name the examples as from the root of the repository; what they write goes elsewhere."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    logger = logging.getLogger("retrosolve")
    level = logger.level
    yield
    logger.setLevel(level)  # a page shows how notes are silenced


TUTORIAL = "docs/tutorial-rules.md"  # tests/test_examples.py runs it and compares it with an example


@pytest.mark.long(
    "docs/howto/boards.md",
    "docs/howto/train.md",
    "docs/learn/chance.md",
    "docs/learn/fifty-moves.md",
    "docs/learn/scores.md",
    "docs/learn/special.md",
)
@pytest.mark.parametrize(
    "name", [name for name in SHOWN if blocks(PAGES[name], "python") and name != TUTORIAL]
)
def test_a_page_is_one_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From top to bottom, but for examples as doctests, which a test of their own runs."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(PAGES[name], "python"):
        if ">>> " not in block:
            run_block(block, names, capsys)


@pytest.mark.long("docs/explorer.md", "docs/howto/boards.md")
@pytest.mark.parametrize("name", [name for name in SHOWN if blocks(PAGES[name], "console")])
def test_commands_print_what_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(PAGES[name], "console"):
        for part in block.strip().split("$ ")[1:]:
            command, _, output = part.partition("\n")
            program, *arguments = shlex.split(command)
            if program == "curl":
                assert_answered(arguments[-1], output)
                continue
            assert program == "retrosolve"
            assert run(arguments) == 0
            printed = capsys.readouterr().out
            assert without_sizes(without_times(printed)) == without_sizes(without_times(output))
            assert sizes(printed) == pytest.approx(sizes(output), rel=0.1)


def assert_answered(address: str, shown: str) -> None:
    """The explorer, showing the game of stones, answers what is shown, which may be broken into lines."""
    assert address.startswith(HERE)
    with serving(Library([Entry("stones", "stones", rs.solve(Stones(10)))], MAKERS)) as here:
        status, answer = request(here + address.removeprefix(HERE))
    assert (status, answer) == (200, json.loads(shown))


@pytest.mark.parametrize("name", [name for name in PAGES if is_translated(name)])
def test_translated_page_has_the_code_the_figures_and_the_films_of_the_original(name: str) -> None:
    original = PAGES[f"{name.split('.', maxsplit=1)[0]}.md"]
    shown = r"(?m)^```{(?:drawn|film)} .*|(?s:```python.*?```)"
    assert re.findall(shown, PAGES[name]) == re.findall(shown, original)
