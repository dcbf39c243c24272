"""Films and editors of the site: pages in one file, which need no server and load nothing."""

from __future__ import annotations

from collections.abc import Iterator

from docs.site.languages import FIRST
from docs.site.words import COUNTER_OF_A, SIX_VERTICES
from retrosolve.languages import DEFAULT, LANGUAGES
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Library
from retrosolve.web.standalone import HEADINGS, drawing_file, film_file

FILMS: dict[str, tuple[str, dict[str, str]]] = {
    "by-hand": ("graph~a.b.c.d.e.f~a-b.b-a.b-c.c-d.e-c.f-e.f-b", SIX_VERTICES),
    "counters": ("graph~a.b.c.d.e~a-b.a-c.a-d.b-e.c-e.d-e", COUNTER_OF_A),
    "ties": ("graph~a.b.c-t.d.e~a-b.b-a.b-c.d-b.d-e.e-d", {"en": "Ties spread"}),
    "owners": (
        "graph~s-0.a-1.goal-0w.b-0.t-1~s-a.a-s.a-goal.b-goal.b-t.t-b",
        {"en": "An attractor grows"},
    ),
    "pursuit": ("board~P....-.xx.E-...T.", {"en": "Policeman and thief"}),
}
"""The game of each film as an address of the explorer describes it, and its title in each language."""


def film_pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each film in each of its languages."""
    library = Library([], MAKERS)
    for name, (description, titles) in FILMS.items():
        solution = library.entry(description).solution
        for language, title in titles.items():
            yield film_place(name, language), film_file(solution, title, language)


def editor_pages(home: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each editor, of boards and of graphs, in each language."""
    for kind in HEADINGS:
        for code in LANGUAGES:
            links = [(f"{FIRST}.{code}.html" if code != DEFAULT else "index.html", home)]
            yield in_language(f"draw-{kind}", code), drawing_file(kind, code, links)


def film_place(name: str, language: str) -> str:
    """Return where the page of a film is in the site."""
    return in_language(f"films/{name}", language)


def in_language(name: str, language: str) -> str:
    """Return the name of a page in a language.

    >>> in_language("draw-board", "en"), in_language("draw-board", "fa")
    ('draw-board.html', 'draw-board.fa.html')
    """
    return f"{name}.html" if language == DEFAULT else f"{name}.{language}.html"
