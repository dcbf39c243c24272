"""Every public name has a page that says what it takes, what it raises, what it costs, and an example."""

import enum
import importlib
import inspect
import re
from types import ModuleType
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString

import retrosolve as rs
from docs.site.api import GROUPS, public_names
from retrosolve import testing

COST = re.compile(r"Cost:|[Tt]ime|memory|[Bb]ytes?|O\(|pass|microseconds|MB")
NOTHING_RAISED = "Raises nothing"
NAMES = [(module, name) for module, name in public_names() if "." not in name]


def what(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def is_record(found: Any) -> bool:
    """Whether this holds what others have computed: a named tuple, a data class or an enumeration."""
    if not inspect.isclass(found):
        return False
    return issubclass(found, tuple | enum.Enum) or hasattr(found, "__dataclass_fields__")


def own_parameters(found: Any) -> list[str]:
    """The parameters that somebody who calls this passes."""
    if inspect.isclass(found) and (issubclass(found, enum.Enum) or "__init__" not in vars(found)):
        return []
    return [name for name in inspect.signature(found).parameters if name != "self" and name[0] != "_"]


def missing(found: Any) -> list[str]:
    """The sections that the docstring should have and has not."""
    if inspect.isclass(found) and issubclass(found, BaseException):
        required = ["Examples"]
    elif is_record(found):
        required = ["Parameters", "Examples"] if not issubclass(found, enum.Enum) else ["Examples"]
    else:
        required = ["Raises", "Notes", "Examples", *(["Parameters"] if own_parameters(found) else [])]
    doc = NumpyDocString(inspect.getdoc(found) or "")
    notes = "\n".join(doc["Notes"])
    absent = [name for name in required if not doc[name]]
    if NOTHING_RAISED in notes and "Raises" in absent:
        absent.remove("Raises")
    if "Notes" in required and notes and not COST.search(notes):
        absent.append("cost")
    return absent


def test_public_names_are_those_of_the_pages() -> None:
    pages: dict[str, set[str]] = {}
    for group in GROUPS:
        pages.setdefault(group.module, set()).update(
            name for page in group.pages for name in page.names
        )
    inner = {name for name in rs.__all__ if isinstance(getattr(rs, name), ModuleType)}
    assert inner == {"adapters", "objectives", "plots", "pursuit", "ranking", "testing"}
    assert pages["retrosolve"] == {*rs.__all__, "open", "sum"} - inner - {"__version__"}
    for module in (rs.pursuit, rs.plots, rs.ranking, testing):
        constants = {name for name in module.__all__ if not callable(getattr(module, name))}
        assert pages[module.__name__] == set(module.__all__) - constants


@pytest.mark.parametrize(("module", "name"), NAMES, ids=[f"{module}.{name}" for module, name in NAMES])
def test_a_name_has_parameters_errors_cost_and_an_example(module: str, name: str) -> None:
    assert missing(what(module, name)) == []


def test_every_public_member_has_a_docstring() -> None:
    members = [(module, *name.split(".")) for module, name in public_names() if "." in name]
    bare = [
        f"{name}.{member}"
        for module, name, member in members
        if not inspect.getdoc(inspect.getattr_static(what(module, name), member))
    ]
    assert bare == []


def test_planted_gap_in_a_docstring_is_found() -> None:
    def undocumented(position: int) -> None:
        """Do nothing."""

    assert missing(undocumented) == ["Raises", "Notes", "Examples", "Parameters"]
