"""Pages that are one file: scripts, styles and data are inside, so that they open from a disk.

Browsers refuse to load modules from a disk. So a page has one script, into which its modules are put in
the order in which they need one another.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from retrosolve.drawing.appearance import SYMBOLS
from retrosolve.languages import DEFAULT, translation
from retrosolve.languages.phrases import title
from retrosolve.pursuit.police import PLAYERS
from retrosolve.solution import Solution
from retrosolve.web.descriptions import BOARD, GRAPH, MAX_SIDE
from retrosolve.web.library import Entry
from retrosolve.web.pages.editors import TOOLS, boards, graphs
from retrosolve.web.pages.film import described, film, words
from retrosolve.web.rendering import entry_of, language_of, rendered

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
POSITION = "Policeman and thief: policeman 1,1, thief 2,2, {player} to move"
STYLES = ("explorer.css", "graph.css", "film.css")


def bundled(entry: str) -> str:
    """Return a module of the pages and all that it imports as one script.

    Each module becomes a function that returns its exported names, so that equal names in two modules
    do not meet.

    Parameters
    ----------
    entry : str
        The name of a file in ``static``. It may wait at its top level; what it imports may not.

    Examples
    --------
    >>> script = bundled("trace.js")
    >>> script.count("function solve("), "import {" in script, "export " in script
    (1, False, False)
    """
    parts: dict[str, str] = {}

    def add(name: str) -> str:
        """Add a module after those that it imports; return its text without imports and exports."""
        text = (STATIC / name).read_text(encoding="utf-8")
        for _, other in IMPORT.findall(text):
            if other not in parts:
                body = add(other)
                names = ", ".join(EXPORT.findall((STATIC / other).read_text(encoding="utf-8")))
                parts[other] = (
                    f"const {_variable(other)} = (() => {{\n{body}return {{ {names} }};\n}})();"
                )
        return EXPORT.sub("", IMPORT.sub(_taken, text))

    body = add(entry)
    return "\n".join([*parts.values(), body])


def _variable(module: str) -> str:
    """Return the name of the variable that holds what a module exports."""
    return "module_" + re.sub(r"\W", "_", module)


def _taken(match: re.Match[str]) -> str:
    """Return the line that takes names from a module in place of an import."""
    names = match[1].replace(" as ", ": ")
    return f"const {{{names}}} = {_variable(match[2])};\n"


def single_file(template: str, language: str, script: str, styles: Iterable[str], **values: Any) -> str:
    """Return a page with its script and its styles inside.

    Its content security policy allows these alone, by their hashes, and no request.

    Parameters
    ----------
    template : str
        The name of a file in ``templates``, which extends ``single_file.html``.
    language : str
    script : str
        The name of the module that the page runs.
    styles : iterable of str
        The names of style sheets.
    **values
        What the template needs.
    """
    text = bundled(script)
    style = "".join((STATIC / name).read_text(encoding="utf-8") for name in styles)
    policy = (
        f"default-src 'none'; script-src {content_source(text)}; style-src {content_source(style)}; "
        f"img-src data:; form-action 'none'; base-uri 'none'"
    )
    inside = {"policy": policy, "script": Markup(text), "style": Markup(style)}
    return rendered(language, template, **inside, **values)


def content_source(text: str) -> str:
    """Return the source of a content security policy that allows this script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def as_data(value: object) -> Markup:
    """Return a value as JSON that can stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def film_file(solution: Solution, title: str, language: str = DEFAULT) -> str:
    """Return the film of a small game as a page in one file.

    Parameters
    ----------
    solution : Solution
    title : str
        For people.
    language : str

    Raises
    ------
    GraphError
        For a game that is too large to trace, or an objective that other algorithms answer.
    """
    entry, to = Entry("", title, solution), translation(language)
    values = described(entry, to) | {"data": as_data(film(entry, to))}
    return single_file("film_file.html", language, "film-page.js", STYLES, **values)


HEADINGS = {BOARD: "Policeman and thief on your own board", GRAPH: "A game on your own graph"}


def drawing_file(kind: str, language: str = DEFAULT, links: Iterable[tuple[str, str]] = ()) -> str:
    """Return an editor as a page in one file: it solves what is drawn and shows the film, by itself.

    Parameters
    ----------
    kind : {"board", "graph"}
    language : str
    links : iterable of (str, str)
        Addresses and names of other pages.
    """
    to, editor = translation(language), {BOARD: boards, GRAPH: graphs}[kind]
    data = editor.data(editor.sample, language) | {"standalone": True}
    moving = [title(POSITION.format(player=player), to) for player in PLAYERS]
    data["film"] = {
        "words": words(to.gettext),
        "signs": SYMBOLS,
        "players": PLAYERS,
        "positions": [
            text.partition(": ")[2].replace("1,1", "{p}").replace("2,2", "{t}") for text in moving
        ],
    }
    return single_file(
        "drawing_file.html",
        language,
        f"{kind}-editor.js",
        (*STYLES, "editor.css"),
        kind=kind,
        heading=to.gettext(HEADINGS[kind]),
        data=as_data(data),
        links=links,
        tools=TOOLS,
        most=MAX_SIDE,
        board=editor.sample,
        players=PLAYERS,
        has_board=kind == BOARD,
        drawn=kind == GRAPH,
        owned=False,
        positions=0,
    )


def film_answer(request: Request) -> Response:
    """Return the film of a game as a file to save."""
    entry = entry_of(request)
    page = film_file(entry.solution, entry.title, language_of(request))
    return HTMLResponse(page, headers={"Content-Disposition": 'attachment; filename="film.html"'})
