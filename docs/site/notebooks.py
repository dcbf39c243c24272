"""Pages as notebooks to download: their text, their code with what it prints, and their figures.

A notebook opens elsewhere, with the package in a file beside it, and has a slide for each section.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docs.site.figures import FIGURES, TRANSLATED
from docs.site.languages import language_of
from docs.site.words import NEEDS
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
WHEEL = f"retrosolve-{__version__}-py3-none-any.whl"
INSTALL = f"""\
import importlib.util, subprocess, sys

if importlib.util.find_spec("retrosolve") is None:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "{WHEEL}"], check=True)
    importlib.invalidate_caches()
"""


def place(docname: str) -> str:
    """Return where the notebook of a page is in the site."""
    return f"notebooks/{docname.replace('/', '-')}.ipynb"


def wheel() -> bytes:
    """Return the package as a wheel, with the metadata of the installation that builds the site."""
    package = Path(__file__).parent.parent.parent / "src" / "retrosolve"
    paths = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    files = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in paths}
    about, installed = f"retrosolve-{__version__}.dist-info", distribution("retrosolve")
    for name in ("METADATA", "WHEEL", "entry_points.txt"):
        files[f"{about}/{name}"] = (installed.read_text(name) or "").encode()
    record = f"{about}/RECORD"
    lines = [f"{name},{_digest(content)},{len(content)}" for name, content in sorted(files.items())]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _digest(content: bytes) -> str:
    """Return the digest of a file as wheels write it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def notebook_files() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each notebook."""
    for docname in NOTEBOOKS:
        page = (SOURCE / f"{docname}.md").read_text("utf-8")
        yield place(docname), json.dumps(notebook(page, docname), ensure_ascii=False, indent=1) + "\n"


def notebook(page: str, docname: str) -> dict[str, Any]:
    """Return a page as a notebook of format 4.5."""
    page = re.sub(r"(?s)\A---\n.*?\n---\n", "", page)
    language = language_of(docname)
    title, *cells = [cell for cell in _cells(page, language) if "".join(cell["source"]).strip()]
    install = _code(INSTALL)
    install["metadata"]["tags"] = ["install"]
    needs = _text(NEEDS[language].format(version=__version__, wheel=WHEEL))
    cells = [title, needs, install, *cells]
    previous = ""
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
        cell["metadata"]["slideshow"] = {"slide_type": _slide(cell, previous)}
        previous = cell["cell_type"]
    for cell in (needs, install):
        cell["metadata"]["slideshow"] = {"slide_type": "skip"}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _slide(cell: dict[str, Any], previous: str) -> str:
    """Return the kind of slide of a cell: a section begins one, and text after code goes on below."""
    if cell["source"][0].startswith(("# ", "## ")):
        return "slide"
    return "subslide" if (cell["cell_type"], previous) == ("markdown", "code") else "-"


def _cells(page: str, language: str) -> Iterator[dict[str, Any]]:
    """Yield the cells of a page: the title, each section of a text, and each block."""
    title, _, page = page.lstrip().partition("\n")
    yield _text(title)
    end = 0
    for block in BLOCK.finditer(page):
        kind, argument, body = block.groups()
        before, end = page[end : block.start()], block.end()
        if kind in ("python", "{code-cell}"):
            yield from _texts(before)
            yield _code(body)
        elif kind == "{drawn}":
            yield from _texts(before)
            yield _figure(argument, body, language)
        elif kind.startswith("{"):  # films and parts of other pages
            yield from _texts(before)
        else:
            yield from _texts(before + block[0])
    yield from _texts(page[end:])


def _lines(text: str) -> list[str]:
    """Return a text as notebooks keep it."""
    return text.strip("\n").splitlines(keepends=True)


def _text(text: str) -> dict[str, Any]:
    """Return a cell of text; links within the site become text."""
    text = ANCHOR.sub(r"\1", LINK.sub(r"\1", text))
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _texts(text: str) -> Iterator[dict[str, Any]]:
    """Yield a cell for each section of a text."""
    yield from map(_text, re.split(r"(?m)^(?=## )", text))


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
