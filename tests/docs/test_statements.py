"""Statements of pages that can be counted are complete: errors, packages, extras, how to install."""

import re
import tomllib

import pytest

import retrosolve as rs
from docs.site.api import ERRORS
from docs.site.languages import READ
from retrosolve.web.limits import MAX_BODY
from tests.support.pages import DOCS, ROOT, blocks, is_translated, written

DESIGN = (DOCS / "design.md").read_text("utf-8")
CLONE = "clone.md"  # says how to install, and is included in other pages


def test_lists_of_errors_name_every_public_error() -> None:
    public = {
        name
        for name in rs.__all__
        if isinstance(found := getattr(rs, name), type) and issubclass(found, rs.RetrosolveError)
    }
    (sentence,) = re.findall(r"^Every error is an `rs\.RetrosolveError`.*?\n\n", DESIGN, re.M | re.S)
    listed = re.findall(r"`(\w+Error)`", sentence)
    assert sorted([*listed, "RetrosolveError"]) == sorted(public)
    assert set(ERRORS) == public


def test_tree_of_the_design_names_every_package() -> None:
    tree = DESIGN.partition("src/retrosolve/\n")[2].partition("tests/ ")[0]
    packages = {path.parent.name for path in (ROOT / "src" / "retrosolve").glob("*/__init__.py")}
    assert set(re.findall(r"^  (\w+)/ ", tree, re.MULTILINE)) == packages


def test_table_of_kernels_names_files_that_exist_and_every_solver() -> None:
    table = (
        (DOCS / "inside" / "kernels.md").read_text("utf-8").partition("|---|")[2].partition("\n\n")[0]
    )
    listed = set(re.findall(r"`(\w+(?:/\w+)+)`", table))
    source = ROOT / "src" / "retrosolve"
    assert {name for name in listed if not (source / f"{name}.py").exists()} == set()
    solvers = {path.stem for path in (source / "solvers").glob("*.py")}
    plain = {"__init__", "reference", "tiers"}  # in Python, without kernels
    assert {name.removeprefix("solvers/") for name in listed if "solvers/" in name} == solvers - plain


def test_extras_of_users_are_listed_on_the_page_about_installing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (DOCS / "start" / "install.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `retrosolve\[(\w+)\]`", text, re.MULTILINE))
    assert listed == set(project["optional-dependencies"]) - {"bench", "test"}


@pytest.mark.parametrize("name", [name for name, text in written().items() if "pip install" in text])
def test_pages_that_say_how_to_install_name_the_clone(name: str) -> None:
    """The package is in no index: `pip install retrosolve` alone finds nothing."""
    text = written()[name]
    assert not re.search(r"pip install '?retrosolve(?!\[)", text)
    if "retrosolve[" in text and not name.endswith((CLONE, "install.md")):
        assert re.search(rf"^```\{{include\}} \S*{CLONE}$", text, re.MULTILINE)


def test_the_proxy_of_the_page_about_servers_has_the_limit_of_the_explorer() -> None:
    """`make test-proxy` runs these lines with nginx."""
    (lines,) = blocks((DOCS / "howto" / "deploy.md").read_text("utf-8"), "nginx")
    assert f"client_max_body_size {MAX_BODY // 1024}k;" in lines
    assert lines.count("{") == lines.count("}")


def test_translated_pages_lead_to_each_other() -> None:
    translated = {name.split(".")[0].removeprefix("docs/") for name in written() if is_translated(name)}
    assert translated == set(READ)
