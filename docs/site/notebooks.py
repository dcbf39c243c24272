"""Pages as notebooks to download: their text, their code with what it prints, and their figures."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.site.figures import FIGURES, TRANSLATED
from docs.site.languages import language_of
from retrosolve import __version__
from retrosolve.languages import DEFAULT, LANGUAGES

SOURCE = Path(__file__).parent.parent
TRANSLATED_PAGES = ("start/introduction", "learn/by-hand", "learn/naive", "learn/backward")
OTHER_PAGES = (
    "learn/exercises.fa", "learn/exercises.ru",
    "learn/draws", "learn/owners", "learn/nimbers", "learn/scores", "learn/chance", "learn/exercises",
    "howto/cookbook", "howto/verify", "gallery/notebook",
)  # fmt: skip
NOTEBOOKS = (
    *(name if code == DEFAULT else f"{name}.{code}" for name in TRANSLATED_PAGES for code in LANGUAGES),
    *OTHER_PAGES,
)
"""The pages of which there is a notebook; the first ones are in all languages."""
BLOCK = re.compile(r"(?ms)^```(\S*)(?: ([^\n]+))?\n(.*?)^```\n")
LINK = re.compile(r"\[([^]]+)\]\((?!https?:)[^)\s]*\)")
ANCHOR = re.compile(r'(?s)<a href="(?!https?:)[^"]*">(.*?)</a>')
NEEDS = (
    "From the documentation of retrosolve {version}. It needs the package, installed from a clone of "
    "its repository."
)


def place(docname: str) -> str:
    """Return where the notebook of a page is in the site."""
    return f"notebooks/{docname.replace('/', '-')}.ipynb"


def notebook_files() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each notebook."""
    for docname in NOTEBOOKS:
        page = (SOURCE / f"{docname}.md").read_text("utf-8")
        yield place(docname), json.dumps(notebook(page, docname), ensure_ascii=False, indent=1) + "\n"


def notebook(page: str, docname: str) -> dict[str, Any]:
    """Return a page as a notebook of format 4.5."""
    page = re.sub(r"(?s)\A---\n.*?\n---\n", "", page)
    cells = [cell for cell in _cells(page, language_of(docname)) if "".join(cell["source"]).strip()]
    cells.insert(1, _text(NEEDS.format(version=__version__)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cells(page: str, language: str) -> Iterator[dict[str, Any]]:
    """Yield the cells of a page: the title alone, then a cell for each block and the text before it."""
    title, _, page = page.lstrip().partition("\n")
    yield _text(title)
    end = 0
    for block in BLOCK.finditer(page):
        kind, argument, body = block.groups()
        before, end = page[end : block.start()], block.end()
        if kind in ("python", "{code-cell}"):
            yield _text(before)
            yield _code(body)
        elif kind == "{drawn}":
            yield _text(before)
            yield _figure(argument, body, language)
        elif kind.startswith("{"):  # films and parts of other pages
            yield _text(before)
        else:
            yield _text(before + block[0])
    yield _text(page[end:])


def _lines(text: str) -> list[str]:
    """Return a text as notebooks keep it."""
    return text.strip("\n").splitlines(keepends=True)


def _text(text: str) -> dict[str, Any]:
    """Return a cell of text; links within the site become text."""
    text = ANCHOR.sub(r"\1", LINK.sub(r"\1", text))
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(body: str) -> dict[str, Any]:
    """Return a cell of code with what it prints."""
    code = "".join(line for line in body.splitlines(keepends=True) if not line.startswith("#>"))
    printed = [f"{line}\n" for line in re.findall(r"^#> (.*)$", body, re.MULTILINE)]
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "source": _lines(code),
        "outputs": outputs,
    }


def _figure(name: str, caption: str, language: str) -> dict[str, Any]:
    """Return a cell with a figure, whose drawings are attached to it."""
    drawn = FIGURES[name](language) if name in TRANSLATED else FIGURES[name]()
    drawings = _drawings(drawn)
    files = {f"{name}-{number}.svg": one for number, one in enumerate(drawings)}
    shown = " ".join(f"![{name}](attachment:{file})" for file in files)
    cell = _text(caption)
    cell["source"] = [f"{shown}\n", "\n", *cell["source"]]
    cell["attachments"] = {
        file: {"image/svg+xml": base64.b64encode(one.encode()).decode()} for file, one in files.items()
    }
    return cell


def _drawings(text: str) -> list[str]:
    """Return the outermost drawings of a text.

    >>> _drawings("<div><svg>1<svg>2</svg></svg><svg>3</svg></div>")
    ['<svg>1<svg>2</svg></svg>', '<svg>3</svg>']
    """
    depth, start, found = 0, 0, []
    for tag in re.finditer(r"<svg\b|</svg>", text):
        if tag[0] == "</svg>":
            depth -= 1
            if depth == 0:
                found.append(text[start : tag.end()])
        else:
            if depth == 0:
                start = tag.start()
            depth += 1
    return found
