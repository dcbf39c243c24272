"""Pages can be downloaded as notebooks, which print what their pages show."""

import json
import re
from typing import Any

import nbformat
import pytest

from docs.site.notebooks import NOTEBOOKS, notebook_files, place
from tests.support.pages import DOCS

FILES = dict(notebook_files())
EXECUTED = ("learn/backward", "learn/by-hand.fa")


def code(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in found["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("docname", NOTEBOOKS)
def test_a_notebook_is_valid_and_names_no_file_of_the_site(docname: str) -> None:
    found = json.loads(FILES[place(docname)])
    nbformat.validate(found)
    text = "".join(
        "".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "markdown"
    )
    assert not re.search(r"\]\((?!https?:|attachment:)|<a |```{|^---", text, re.MULTILINE)
    attached = {name for cell in found["cells"] for name in cell.get("attachments", {})}
    assert set(re.findall(r"\(attachment:([^)]+)\)", text)) == attached
    assert code(found)


@pytest.mark.parametrize("docname", NOTEBOOKS)
def test_a_notebook_has_the_code_of_its_page(docname: str) -> None:
    page = (DOCS / f"{docname}.md").read_text("utf-8")
    blocks = re.findall(r"```(?:python|{code-cell} ipython3)\n(.*?)```", page, re.DOTALL)
    cells = code(json.loads(FILES[place(docname)]))
    assert len(cells) == len(blocks)
    for cell, block in zip(cells, blocks, strict=True):
        printed = "".join("".join(output["text"]) for output in cell["outputs"])
        assert printed.splitlines() == re.findall(r"#> (.*)", block)
        assert "".join(cell["source"]).split() == re.sub(r"(?m)^#>.*\n", "", block).split()


@pytest.mark.parametrize("docname", EXECUTED)
def test_a_notebook_prints_what_it_shows(docname: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for cell in code(json.loads(FILES[place(docname)])):
        exec("".join(cell["source"]), names)
        shown = "".join("".join(output["text"]) for output in cell["outputs"])
        assert capsys.readouterr().out == shown


@pytest.mark.thorough
def test_jupyter_executes_a_notebook() -> None:
    from nbclient import NotebookClient

    found = nbformat.reads(FILES[place("learn/naive")], as_version=4)
    expected = ["".join(output["text"]) for cell in code(found) for output in cell["outputs"]]
    NotebookClient(found, timeout=60, kernel_name="python3").execute()
    outputs = ["".join(output["text"]) for cell in code(found) for output in cell["outputs"]]
    assert outputs == expected
