"""Pages in several languages: which page is which in another one, and the direction of its text."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

from retrosolve.languages import DEFAULT, LANGUAGES

FIRST = "start/introduction"  # for pages that are in English alone
READ = (FIRST, "learn/by-hand", "learn/naive", "learn/backward", "learn/exercises", "howto/lesson")
"""The pages that are in other languages, in the order of reading."""


class Link(NamedTuple):
    """A page in another language."""

    code: str
    name: str
    address: str


def language_of(docname: str) -> str:
    """Return the language of a page: ``learn/naive.fa`` is in Persian.

    >>> language_of("learn/naive.fa"), language_of("reference/api/game"), language_of("learn/naive")
    ('fa', 'en', 'en')
    """
    code = docname.rpartition(".")[2]
    return code if "." in docname and code in LANGUAGES else DEFAULT


def original_of(docname: str) -> str:
    """Return the English page of a page."""
    code = language_of(docname)
    return docname if code == DEFAULT else docname.removesuffix(f".{code}")


def read_with(docname: str, pages: Container[str]) -> list[str]:
    """Return the pages in the language of a page, in the order of reading.

    >>> read_with("learn/naive.fa", {"learn/naive.fa", "start/introduction.fa", "learn/naive.ru"})
    ['start/introduction.fa', 'learn/naive.fa']
    """
    return [page for name in READ if (page := f"{name}.{language_of(docname)}") in pages]


def links(docname: str, pages: Container[str], address: Callable[[str], str]) -> list[Link]:
    """Return the same page in each language, or the introduction where it is in English alone."""
    original, found = original_of(docname), []
    for code, language in LANGUAGES.items():
        suffix = "" if code == DEFAULT else f".{code}"
        place = original + suffix
        known = place if place in pages else FIRST + suffix
        found.append(Link(code, language.name, address(known)))
    return found
