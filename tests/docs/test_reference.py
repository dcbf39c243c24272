"""Every public name has a page, which says what it takes, what it raises, what it costs, and an example."""

import enum
import importlib
import inspect
import re
from types import ModuleType
from typing import Any

from numpydoc.docscrape import NumpyDocString

import retrosolve as rs
from docs.site.api import GROUPS, public_names
from retrosolve import testing

COST = re.compile(r"Cost:|[Tt]ime|memory|[Bb]ytes?|O\(|pass|microseconds|MB")


def missing(found: Any) -> list[str]:
    """The sections that the docstring should have and has not."""
    required = ["Raises", "Notes", "Examples", "Parameters"]
    if inspect.isclass(found):
        if issubclass(found, BaseException | enum.Enum):
            required = ["Examples"]
        elif issubclass(found, tuple) or hasattr(found, "__dataclass_fields__"):
            required = ["Parameters", "Examples"]  # holds what others have computed
        elif "__init__" not in vars(found):
            required.remove("Parameters")
    if not [name for name in inspect.signature(found).parameters if name != "self" and name[0] != "_"]:
        required = [section for section in required if section != "Parameters"]
    doc = NumpyDocString(inspect.getdoc(found) or "")
    notes = "\n".join(doc["Notes"])
    absent = {name for name in required if not doc[name]}
    if "Raises nothing" in notes:
        absent.discard("Raises")
    if "Notes" in required and not COST.search(notes):
        absent.add("cost")
    return sorted(absent)


def test_public_names_are_those_of_the_pages() -> None:
    pages: dict[str, set[str]] = {}
    for group in GROUPS:
        pages.setdefault(group.module, set()).update(
            name for page in group.pages for name in page.names
        )
    inner = {name for name in rs.__all__ if isinstance(getattr(rs, name), ModuleType)}
    assert pages["retrosolve"] == {*rs.__all__, "open", "sum"} - inner - {"__version__"}
    for module in (rs.pursuit, rs.plots, rs.ranking, testing):
        constants = {name for name in module.__all__ if not callable(getattr(module, name))}
        assert pages[module.__name__] == set(module.__all__) - constants


def test_a_name_has_parameters_errors_cost_and_an_example() -> None:
    names = [(module, name) for module, name in public_names() if "." not in name]
    found = {name: missing(getattr(importlib.import_module(module), name)) for module, name in names}
    assert {name: absent for name, absent in found.items() if absent} == {}
