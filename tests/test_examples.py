"""The examples and README's code run and say what they promise."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from published import figures

ROOT = Path(__file__).parent.parent


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cat_and_mouse_as_judged() -> None:
    for graph, answer in figures("judge-lc913").items():
        assert example("cat_and_mouse").judge(json.loads(graph)) == answer


def test_berzerk_as_judged() -> None:
    for text, answer in figures("judge-cf787c").items():
        size, first, second = (list(map(int, part.split())) for part in text.split("|"))
        judged = example("berzerk").judge(size[0], first[1:], second[1:])
        assert list(judged) == answer


@pytest.mark.parametrize(
    ("name", "given", "printed"),
    [
        ("stones", "", "WIN in 7 by ['take 1']\n"),
        ("cat_and_mouse", "", "0\n"),
        ("berzerk", "5\n2 3 2\n3 1 2 3\n", "Lose Win Win Loop\nLoop Win Win Win\n"),
    ],
)
def test_examples_run_as_programs(name: str, given: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (printed, "")


README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", PYTHON)
def test_readme_code_runs(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines after a print's ``# `` are what it prints."""
    monkeypatch.chdir(ROOT)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    promised = re.findall(r"#> (.*)", block)
    assert capsys.readouterr().out.splitlines() == promised


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d{3} s", "? s", text).strip()


@pytest.mark.parametrize("block", CONSOLE)
def test_readme_commands_print_what_it_shows(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for part in block.strip().split("$ ")[1:]:
        command, _, output = part.partition("\n")
        if not command.startswith("retrosolve "):
            continue
        done = subprocess.run(
            [sys.executable, "-m", *command.split()], capture_output=True, text=True, check=True
        )
        assert without_times(done.stdout) == without_times(output)


def test_readme_has_its_examples() -> None:
    assert len(PYTHON) >= 4
    assert len(CONSOLE) >= 2
