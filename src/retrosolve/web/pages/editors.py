"""The pages of the editors of boards and graphs, which are solved while they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from io import BytesIO
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import SYMBOLS
from retrosolve.errors import RetrosolveError
from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.formats import FORMATS
from retrosolve.formats.files import EdgeOptions, find_content, graph_in
from retrosolve.formats.graphfile import GraphFile
from retrosolve.languages import NUMERALS, digits, side_name, translation
from retrosolve.languages.phrases import OUTCOMES, outcome_text, verdict
from retrosolve.pursuit.police import SAMPLE as SAMPLE_BOARD
from retrosolve.pursuit.police import verdict as police_verdict
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address
from retrosolve.web.descriptions import (
    BOARD,
    GRAPH,
    MAX_ADDRESS,
    MAX_EDGES,
    MAX_NAME,
    MAX_SIDE,
    MAX_VERTICES,
    SmallGraph,
    board_name,
    board_of,
    editor_url,
    small_board,
    text_of,
)
from retrosolve.web.library import MADE_SEPARATOR
from retrosolve.web.rendering import asked_language, catalogue, language_of, render, status_of

INCOMPLETE = mark("All positions are solved. Put a policeman and a thief on the board to see who wins.")
# The letter of a cell, its key, and what it is called.
TOOLS = (
    (".", mark("free cell")), ("*", mark("wall")), ("E", mark("exit")), ("P", mark("policeman")),
    ("T", mark("thief")),
)  # fmt: skip


def solved_board(request: Request, name: str) -> dict[str, Any]:
    """Return a board, who wins, and where to go on."""
    to = catalogue(request)
    solution: Solution = request.app.state.library.entry(name).solution
    rules: Any = solution.space.rules
    record: dict[str, Any] = {
        "board": str(rules.board),
        "verdict": to.gettext(INCOMPLETE),
        "value": None,
        "plies": None,
        **_links(request, name, BOARD),
    }
    if solution.num_edges > MAX_MOVES:
        record["film"] = None
    if solution.start is not None:
        outcome = solution[solution.start]
        record["verdict"] = to.gettext(rules.verdict(outcome, solution.start))
        record["value"] = outcome.value.label
        if outcome.remoteness is not None:
            sentence = to.ngettext("in {plies} ply", "in {plies} plies", outcome.remoteness)
            record["plies"] = sentence.format(plies=digits(outcome.remoteness, to.gettext))
    return record


ERRORS = {
    "no_rows": mark("no rows: expected lines of {letters}"),
    "header": mark("the first line promises {rows} rows, the board has {count}"),
    "letter": mark("row {row}, column {column} is '{letter}': expected {letters}"),
    "length": mark("row {row} has {count} cells: expected {columns}"),
    "size": mark("a board of {rows} by {columns} cells: expected at most {most} by {most}"),
    "twice": mark("row {row}, column {column} has a second {token}: expected one"),
    "no_edges": mark("no edges: expected lines with two vertices each, such as a,b"),
    "edge_line": mark("line {line} is no edge: expected two vertices, such as a,b"),
    "json": mark("this is no graph file in JSON: expected one that was saved here"),
    "large": mark(
        "a graph of {vertices} vertices and {edges} edges is too large: expected 1 to {most} vertices "
        "and at most {most_edges} edges"
    ),
    "address": mark("the address describes no graph: expected one that the editor made"),
    "address_length": mark("the address has more than {most} characters: expected shorter names"),
    "letters": mark("{vertex} is no name: expected 1 to 40 characters, no blanks around them"),
    "taken": mark("There already is a vertex {vertex}."),
    "full": mark("There are {most} already, and no more are possible."),
}
"""What is wrong with a drawing, by its key in the scripts of the editors."""
LETTERS = mark(". (free), * (blocked), E (exit), P (policeman) or T (thief)")
FORMS = 200  # plural forms of larger numbers repeat every hundred


def plural(to: NullTranslations, singular: str, several: str) -> dict[str, Any]:
    """Return the forms of a sentence, and the number of the form for 0 to 199 and on.

    >>> found = plural(NullTranslations(), "{n} ply", "{n} plies")
    >>> found["forms"], found["index"][:4], len(found["index"])
    (['{n} plies', '{n} ply'], [0, 1, 0, 0], 200)
    """
    said = [to.ngettext(singular, several, n) for n in range(FORMS)]
    forms = list(dict.fromkeys(said))
    return {"forms": forms, "index": [forms.index(sentence) for sentence in said]}


def words(to: NullTranslations) -> dict[str, Any]:
    """Return the sentences of both editors, for the scripts that solve what is drawn."""
    letters = to.gettext(LETTERS)
    errors = {key: to.gettext(sentence) for key, sentence in ERRORS.items()}
    outcomes = {value.label: Outcome(value, 1) for value in (Value.WIN, Value.LOSS, Value.DRAW)}
    tie = (
        "The game ends without a winner in {plies} ply",
        "The game ends without a winner in {plies} plies",
    )
    return {
        "errors": {key: sentence.replace("{letters}", letters) for key, sentence in errors.items()},
        "english": "" if to.gettext("Details:") == "Details:" else to.gettext("Details:") + " ",
        "incomplete": to.gettext(INCOMPLETE),
        "police": {label: to.gettext(police_verdict(outcome)) for label, outcome in outcomes.items()},
        "plies": plural(to, "in {plies} ply", "in {plies} plies"),
        "with_thief": to.gettext("with the thief here: {verdict}"),
        "verdicts": {
            "draw": to.gettext("Draw: perfect play never ends"),
            "tie": [
                to.gettext("The game ends without a winner"),
                to.gettext("The game has ended without a winner"),
                plural(to, *tie),
            ],
            "win": [
                to.gettext("Win for {player}"),
                to.gettext("Game over, won by {player}"),
                plural(to, "Win for {player} in {plies} ply", "Win for {player} in {plies} plies"),
            ],
        },
        "outcomes": {value.label: to.gettext(text) for value, text in OUTCOMES.items()},
        "sides": [to.gettext("First player"), to.gettext("Second player")],
        "from": to.gettext("From {vertex}: {verdict}"),
        "player": to.gettext("player {number}"),
        "signs": SYMBOLS,
        "digits": to.gettext(NUMERALS)[:10],
        "cell": to.gettext("row {row}, column {column}: {what}"),
        "name": to.gettext("Name of {vertex}"),
        "start": to.gettext("Start at {vertex}"),
        "owner": to.gettext("Who moves at {vertex}"),
        "terminal": to.gettext("The game ends at {vertex}"),
        "remove": to.gettext("Remove {vertex}"),
        "edge": to.gettext("Remove the edge from {source} to {target}"),
        "goes_on": to.gettext("goes on"),
        "win": to.gettext("win for the player to move"),
        "loss": to.gettext("loss for the player to move"),
        "tie": to.gettext("tie"),
        "nobody": to.gettext("nobody"),
        "empty": to.gettext("Add a vertex to begin."),
    }


SAMPLE_GRAPH = "a-s.b.c.d.e.f~a-b.b-a.b-c.c-d.e-c.f-e.f-b"
WRITTEN = ("json", "csv")
STUCK = ("loss", "win", "tie")


def small_graph(text: str) -> SmallGraph:
    """Return the graph in a JSON graph file or an edge list. Raises RetrosolveError."""
    data = text.encode()
    kind = "json" if text.lstrip().startswith("{") else "edges"
    file = graph_in(find_content(BytesIO(data), kind), EdgeOptions())
    return SmallGraph.of(file.graph, file.start, file.stuck or STUCK[0])


def solved_graph(request: Request, name: str) -> dict[str, Any]:
    """Return a graph, the outcome of each vertex, its texts, and where to go on."""
    drawn, to = SmallGraph.parse(name.partition(MADE_SEPARATOR)[2]), catalogue(request)
    solution: Solution = request.app.state.library.entry(name).solution
    outcomes = [solution[vertex] for vertex in drawn.names]
    first = drawn.start or 0
    sentence = to.gettext("From {vertex}: {verdict}").format(
        vertex=drawn.names[first], verdict=_verdict(drawn, outcomes[first], first, to)
    )
    return {
        "names": drawn.names,
        "edges": drawn.edges,
        "owner": drawn.owner,
        "terminal": [None if value is Value.DRAW else value.label for value in drawn.terminal or ()],
        "start": drawn.start,
        "stuck": drawn.stuck,
        "signs": SYMBOLS,
        "outcomes": [
            {
                "value": outcome.value.label,
                "remoteness": outcome.remoteness,
                "text": outcome_text(outcome, to.gettext),
                "winner": winner(outcome, drawn.owner[v]) if drawn.owner is not None else None,
            }
            for v, outcome in enumerate(outcomes)
        ],
        "verdict": sentence,
        "value": outcomes[first].value.label,
        "texts": {kind: file_text(kind, drawn) for kind in WRITTEN},
        **_links(request, name, GRAPH),
    }


def _verdict(drawn: SmallGraph, outcome: Outcome, vertex: int, to: NullTranslations) -> str:
    """Return who wins from a vertex: by the number of the player, or by who moves first."""
    value, plies = outcome
    won_by = winner(outcome, 0 if drawn.owner is None else drawn.owner[vertex])
    if won_by is None:
        return verdict(value, plies, None, to)
    name = side_name(("", ""), won_by, False, to)
    if drawn.owner is not None:
        name = to.gettext("player {number}").format(number=digits(won_by, to.gettext))
    return verdict(Value.WIN, plies, name, to)


def winner(outcome: Outcome, owner: int) -> int | None:
    """Return the player who wins at a vertex; None if nobody does."""
    if outcome.value is Value.WIN:
        return owner
    return 1 - owner if outcome.value is Value.LOSS else None


def file_text(kind: str, drawn: SmallGraph) -> str:
    """Return a graph as the content of a file; an edge list has edges only."""
    write = FORMATS[kind].write
    assert write is not None
    start = None if drawn.start is None else drawn.names[drawn.start]
    *_, edges = write(GraphFile(drawn.graph(), start, stuck=drawn.stuck))
    out = BytesIO()
    edges.write(out)
    return out.getvalue().decode()


def _links(request: Request, name: str, kind: str) -> dict[str, str | None]:
    """Return the addresses that the page of an editor leads to."""
    language = asked_language(request)
    address = Address(name, language=language)
    edit = editor_url(kind, name, language)
    return {"play": address.url(), "film": address.url("film"), "edit": edit}


class Editor(NamedTuple):
    """An editor: its page, and the answers to what is drawn there.

    Parameters
    ----------
    kind : {"board", "graph"}
    sample : str
        The description of the game that it begins with.
    named : callable
        Returns the name of a game that is described in an address. Raises RetrosolveError.
    read : callable
        Returns the name of a game given as text. Raises RetrosolveError.
    solved : callable
        Returns the answer for the name of a game.
    values : dict
        The values that the template of the page needs besides.
    limits : dict
        How large a drawing may be, for the scripts.
    """

    kind: str
    sample: str
    named: Callable[[str], str]
    read: Callable[[str], str]
    solved: Callable[[Request, str], dict[str, Any]]
    values: dict[str, Any]
    limits: dict[str, Any]

    def data(self, description: str, language: str, asked: str | None = None) -> dict[str, Any]:
        """Return what the scripts of the editor need: a drawing, words and limits."""
        to = translation(language)
        drawing = description
        if self.kind == BOARD:
            drawing = str(board_of(description))
        return {
            self.kind: drawing, "words": words(to), "language": asked, "standalone": False, "url": None
        } | self.limits  # fmt: skip

    def page(self, request: Request) -> Response:
        """Show the editor with the game of the address, or go to the address of one given as text.

        A text that describes no game stays in its field, beside a game for an example.
        """
        typed, refusal = request.query_params.get("text"), None
        if typed is not None:
            try:
                name = self.read(typed)
            except RetrosolveError as error:
                refusal = error
            else:
                return RedirectResponse(editor_url(self.kind, name, asked_language(request)), 303)
        name = self.named(request.query_params.get(self.kind, self.sample))
        found = self.solved(request, name)
        language, asked = language_of(request), asked_language(request)
        data = self.data(name.partition(MADE_SEPARATOR)[2], language, asked)
        if self.kind == GRAPH:  # the server reads more formats than the page
            data["url"] = "/api/graphs" + (f"?language={asked}" if asked else "")
        status = 200 if refusal is None else status_of(refusal)
        values = self.values | {
            "found": found, "typed": typed, "refusal": refusal, "data": data,
            "details": catalogue(request).gettext("Details:"),
        }  # fmt: skip
        return render(request, f"{self.kind}_editor.html", status, **values)

    async def answer(self, request: Request) -> Response:
        """Solve the game in the body of a request."""
        return await run_in_threadpool(self._answer, request, await request.body())

    def _answer(self, request: Request, body: bytes) -> Response:
        return JSONResponse(self.solved(request, self.read(text_of(body))))


boards = Editor(
    BOARD,
    board_name(small_board(SAMPLE_BOARD)).partition(MADE_SEPARATOR)[2],
    lambda description: board_name(board_of(description)),
    lambda text: board_name(small_board(text)),
    solved_board,
    {"tools": TOOLS, "most": MAX_SIDE},
    {"most": MAX_SIDE},
)
graphs = Editor(
    GRAPH,
    SAMPLE_GRAPH,
    lambda description: SmallGraph.parse(description).name(),
    lambda text: small_graph(text).name(),
    solved_graph,
    {"stuck": STUCK},
    {
        "limits": {
            "vertices": MAX_VERTICES,
            "edges": MAX_EDGES,
            "letters": MAX_NAME,
            "address": MAX_ADDRESS,
        }
    },
)
