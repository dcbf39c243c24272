"""The pages of the documentation and their blocks of code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs.site.languages import language_of
from retrosolve.languages import DEFAULT

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
GENERATED = ("reference/api", "reference/json-api", "reference/solvers", "gallery/games")
HERE = "http://127.0.0.1:8000"  # where pages suppose the explorer to be
SIZE = re.compile(r"([\d.]+) (?=kB|MB)")


def written() -> dict[str, str]:
    """The text of each page that somebody has written, by its path below the root."""
    paths = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    kept = [
        path
        for path in paths
        if not str(path.relative_to(ROOT)).startswith(tuple(f"docs/{one}" for one in GENERATED))
    ]
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in kept}


def is_translated(name: str) -> bool:
    """Whether a page is in another language than English."""
    return language_of(name.removesuffix(".md")) != DEFAULT


def blocks(text: str, language: str) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def run_block(block: str, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a block; what follows ``#> `` is what it prints, a line each."""
    exec(compile(block, names["__name__"], "exec"), names)
    assert capsys.readouterr().out.splitlines() == re.findall(r"#> (.*)", block)


def without_times(text: str) -> str:
    """The text without seconds, which differ from run to run."""
    return re.sub(r"\d+\.\d{3} s", "? s", text).strip()


def without_sizes(text: str) -> str:
    """The text without numbers of bytes, which differ with the library that compresses."""
    return SIZE.sub("? ", text)


def sizes(text: str) -> list[float]:
    """The numbers of kilobytes or megabytes that a text names."""
    return [float(size) for size in SIZE.findall(text)]
