"""Every block of code on every page runs and prints what it shows."""

import re
import shlex
from typing import Any

import pytest

from retrosolve.cli import run
from tests.docs.pages import ROOT, TRANSLATED, blocks, run_block, without_times, written

PAGES = written()
SHOWN = [name for name in PAGES if f"/{TRANSLATED}" not in name.replace("introduction.md", "")]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


TUTORIAL = "docs/tutorial-rules.md"  # tests/test_examples.py runs it and compares it with an example


@pytest.mark.parametrize(
    "name", [name for name in SHOWN if blocks(PAGES[name], "python") and name != TUTORIAL]
)
def test_a_page_is_one_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From top to bottom, but for examples as doctests, which a test of their own runs."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(PAGES[name], "python"):
        if ">>> " not in block:
            run_block(block, names, capsys)


@pytest.mark.parametrize("name", [name for name in SHOWN if blocks(PAGES[name], "console")])
def test_commands_print_what_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(PAGES[name], "console"):
        for part in block.strip().split("$ ")[1:]:
            command, _, output = part.partition("\n")
            program, *arguments = shlex.split(command)
            assert program == "retrosolve"
            assert run(arguments) == 0
            assert without_times(capsys.readouterr().out) == without_times(output)


def test_introductions_have_the_same_code_in_every_language() -> None:
    original = blocks(PAGES["docs/start/introduction.md"], "python")
    translated = [name for name in PAGES if name not in SHOWN]
    assert {name.split(".")[1] for name in translated} == {"fa", "ru", "tr", "vi"}
    for name in translated:
        assert blocks(PAGES[name], "python") == original


def test_doctests_of_pages_stand_only_where_they_are_run() -> None:
    assert [name for name, text in PAGES.items() if ">>> " in text] == ["docs/formats.md"]


def test_code_is_in_a_language_that_is_run_or_shown_on_purpose() -> None:
    kinds = {kind for text in PAGES.values() for kind in re.findall(r"^```(\S*)", text, re.MULTILINE)}
    assert kinds <= {
        "",
        "python",
        "console",
        "js",
        "text",
        "bash",
        "yaml",
        "py",
        "{toctree}",
        "{drawn}",
        "{eval-rst}",
        "{code-cell}",
        "{include}",
    }
    assert [name for name, text in PAGES.items() if blocks(text, "js")] == ["docs/howto/embed.md"]
    # A cluster is not there for every run of the tests; tests of its own start one.
    assert {name for name, text in PAGES.items() if blocks(text, "py")} <= {"docs/cluster.md"}
