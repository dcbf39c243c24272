"""Games that a reader draws: boards of policeman and thief, and small graphs, described by their names.

The name of such a game is its whole description, so that an address with it needs no store:

- ``board~P.x-..E-T..``: the rows of a board, with ``x`` for a blocked cell;
- ``graph~a-s.b.c-w~a-b.b-c``: the vertices, then the edges. Flags of a vertex follow its name: ``0`` or
  ``1`` its owner, ``w``, ``l`` or ``t`` its terminal value, ``s`` the start. ``~win`` or ``~tie`` after
  the edges is what a position without moves is worth, if that is no loss. In a name, the bytes of
  what is neither a letter nor a digit nor ``_`` are written as ``!20``.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Self
from urllib.parse import quote, urlencode

from retrosolve.errors import RetrosolveError
from retrosolve.formats.board import Board, parse_board
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution
from retrosolve.solving import solve
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value
from retrosolve.web.library import MADE_SEPARATOR, Maker

BOARD, GRAPH = "board", "graph"
MAX_SIDE = 20
MAX_VERTICES = 100
MAX_EDGES = 400
MAX_ADDRESS = 8000  # characters of the name of a game in an address
MAX_NAME = 40
STRANGE = re.compile(r"\W")
ESCAPED = re.compile(r"(?:![0-9a-f]{2})+")
CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
FLAGS = {"w": Value.WIN, "l": Value.LOSS, "t": Value.TIE}
LETTERS = {value: letter for letter, value in FLAGS.items()}
VERTEX = re.compile(r"((?:\w|![0-9a-f]{2})+)(?:-([01]?)([wlt]?)(s?))?")
NORMAL = "loss"
YOUR_BOARD, YOUR_GRAPH = mark("Your board"), mark("Your graph")


class DescriptionError(RetrosolveError):
    """The description of a game cannot be read, or the game is too large for the editors."""


def board_name(board: Board) -> str:
    """Return the name of the game on a board.

    Examples
    --------
    >>> board_name(parse_board("P.*\\n..T"))
    'board~P.x-..T'
    """
    return BOARD + MADE_SEPARATOR + str(board).replace("\n", "-").replace("*", "x")


def board_of(description: str) -> Board:
    """Return the board that the name of a game describes. Raises RetrosolveError.

    Examples
    --------
    >>> print(board_of("P.x-..T"))
    P.*
    ..T
    """
    return small_board(description.replace("-", "\n").replace("x", "*"))


def small_board(text: str) -> Board:
    """Read a board of at most 20 by 20 cells.

    Raises
    ------
    DescriptionError
        For a larger board.
    FormatError
        For a text that is no board.
    """
    if len(text) > 4 * MAX_SIDE * MAX_SIDE:
        raise DescriptionError(_too_large(f"{len(text)} characters"))
    board = parse_board(text)
    if max(board.rows, board.columns) > MAX_SIDE:
        raise DescriptionError(_too_large(f"{board.rows} by {board.columns} cells"))
    return board


def _too_large(size: str) -> str:
    return f"a board of {size} is too large: expected at most {MAX_SIDE} by {MAX_SIDE} cells"


class SmallGraph(NamedTuple):
    """A graph that is drawn by hand.

    Parameters
    ----------
    names : tuple of str
        1 to 40 characters each, without blanks around them.
    edges : tuple of (int, int)
    owner : tuple of int, optional
    terminal : tuple of Value, optional
        DRAW where the game goes on; None where it does everywhere.
    start : int, optional
    stuck : {"loss", "win", "tie"}

    Examples
    --------
    >>> drawn = SmallGraph.parse("a-s.b.c-w~a-b.b-c.c-a")
    >>> drawn.edges, drawn.start, drawn.terminal
    (((0, 1), (1, 2), (2, 0)), 0, (<Value.DRAW: 0>, <Value.DRAW: 0>, <Value.WIN: 1>))
    >>> drawn.name()
    'graph~a-s.b.c-w~a-b.b-c.c-a'
    """

    names: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    owner: tuple[int, ...] | None = None
    terminal: tuple[Value, ...] | None = None
    start: int | None = None
    stuck: str = NORMAL

    @classmethod
    def of(cls, graph: Graph, start: object = None, stuck: str = NORMAL) -> Self:
        """Return a graph as one that is drawn by hand. Raises DescriptionError for a large one."""
        n = graph.num_vertices
        _check_size(n, graph.num_edges)
        if graph.reward is not None and graph.reward.any():
            raise DescriptionError(
                "a graph with rewards: expected none, which drawings have no place for"
            )
        names = tuple(graph.text(graph.position(v)) for v in range(n))
        edges = tuple((v, w) for v in range(n) for w in graph.neighbors(v).tolist())
        owner = None if graph.owner is None else tuple(graph.owner.tolist())
        terminal = None
        if graph.terminals is not None and graph.terminals.any():
            terminal = tuple(map(Value, graph.terminals.tolist()))
        first = None if start is None else graph.index(start)
        return cls(names, edges, owner, terminal, first, stuck).checked()

    @classmethod
    def parse(cls, description: str) -> Self:
        """Return the graph that the name of a game describes. Raises DescriptionError."""
        vertices, edges, stuck = ([*description.split(MADE_SEPARATOR), "", ""])[:3]
        if description.count(MADE_SEPARATOR) > 2 or stuck not in ("", "win", "tie"):
            raise DescriptionError(
                f"{short_repr(description)} is no graph: expected vertices~edges, vertices~edges~win "
                "or vertices~edges~tie"
            )
        rows = []
        for text in vertices.split(".") if vertices else []:
            match = VERTEX.fullmatch(text)
            if match is None:
                raise DescriptionError(
                    f"{short_repr(text)} is no vertex: expected a name of letters and digits, and "
                    "after '-' flags such as 0, 1, w, l, t and s"
                )
            rows.append(match.groups())
        names = tuple(_unescaped(name) for name, *_ in rows)
        number = {name: v for v, name in enumerate(names)}
        pairs = tuple(_edge(text, number) for text in edges.split(".")) if edges else ()
        owners = [owner for _, owner, _, _ in rows]
        if any(owners) and not all(owners):
            raise DescriptionError("some vertices have an owner: expected one for all, or for none")
        terminal = tuple(FLAGS.get(letter or "", Value.DRAW) for _, _, letter, _ in rows)
        starts = [v for v, (_, _, _, start) in enumerate(rows) if start]
        if len(starts) > 1:
            raise DescriptionError(f"{len(starts)} vertices are marked as the start: expected one")
        drawn = cls(
            names,
            pairs,
            tuple(map(int, owners)) if any(owners) else None,
            terminal if any(terminal) else None,
            starts[0] if starts else None,
            stuck or NORMAL,
        )
        return drawn.checked()

    def checked(self) -> Self:
        """Return the graph. Raises DescriptionError if it is too large, or a name cannot be one."""
        _check_size(len(self.names), len(self.edges))
        for name in self.names:
            if not 1 <= len(name) <= MAX_NAME or name != name.strip() or CONTROL.search(name):
                raise DescriptionError(
                    f"{short_repr(name)} is no name: expected 1 to {MAX_NAME} characters, no blanks "
                    "around them"
                )
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise DescriptionError(f"{twice!r} names two vertices: expected different names")
        length = len(quote(self.name()))
        if length > MAX_ADDRESS:
            raise DescriptionError(
                f"the address of the graph would have {length} characters: expected at most "
                f"{MAX_ADDRESS}, with shorter names or fewer edges"
            )
        return self

    def name(self) -> str:
        """Return the name of the game, which describes it."""
        said = [STRANGE.sub(_escape, name) for name in self.names]
        flags = []
        for v in range(len(self.names)):
            owner = "" if self.owner is None else str(self.owner[v])
            letter = "" if self.terminal is None else LETTERS.get(self.terminal[v], "")
            flags.append(owner + letter + "s" * (v == self.start))
        vertices = ".".join(f"{n}-{f}" if f else n for n, f in zip(said, flags, strict=True))
        edges = ".".join(f"{said[v]}-{said[w]}" for v, w in self.edges)
        parts = [GRAPH, vertices, edges, *([] if self.stuck == NORMAL else [self.stuck])]
        return MADE_SEPARATOR.join(parts)

    def graph(self) -> Graph:
        """Return the graph to solve."""
        graph = Graph.from_edges(
            [v for v, _ in self.edges],
            [w for _, w in self.edges],
            len(self.names),
            self.owner,
            self.terminal,
            self.names,
        )
        return graph if self.start is None else graph.with_start(self.names[self.start])


def _escape(match: re.Match[str]) -> str:
    """Return a character as bytes of UTF-8 in an address."""
    return "".join(f"!{byte:02x}" for byte in match[0].encode())


def _unescaped(text: str) -> str:
    """Return a name in an address as it is. Raises DescriptionError.

    >>> _unescaped("a!20b!c3!a9")
    'a bé'
    """
    try:
        return ESCAPED.sub(lambda m: bytes.fromhex(m[0].replace("!", "")).decode(), text)
    except UnicodeDecodeError:
        raise DescriptionError(f"{short_repr(text)} is no name: expected UTF-8 after '!'") from None


def _edge(text: str, number: dict[str, int]) -> tuple[int, int]:
    """Return the vertices of an edge."""
    source, _, target = text.partition("-")
    source, target = _unescaped(source), _unescaped(target)
    for name in (source, target):
        if name not in number:
            raise DescriptionError(
                f"the edge {short_repr(text)} has no vertex {short_repr(name)}: expected two names of "
                "vertices with '-' between them"
            )
    return number[source], number[target]


def _check_size(vertices: int, edges: int) -> None:
    """Raise DescriptionError for a graph without vertices, or one that is too large."""
    if not 1 <= vertices <= MAX_VERTICES or edges > MAX_EDGES:
        raise DescriptionError(
            f"a graph of {vertices} vertices and {edges} edges: expected 1 to {MAX_VERTICES} vertices "
            f"and at most {MAX_EDGES} edges"
        )


def text_of(body: bytes) -> str:
    """Return the text in the body of a request. Raises DescriptionError."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DescriptionError(f"byte {error.start} of the body is not UTF-8: expected text") from None


def editor_url(kind: str, name: str, language: str | None = None) -> str:
    """Return the address of an editor with a game.

    Examples
    --------
    >>> editor_url(BOARD, "board~P.E-..T")
    '/edit/board?board=P.E-..T'
    """
    description = name.partition(MADE_SEPARATOR)[2]
    asked = {kind: description} | ({} if language is None else {"language": language})
    return f"/edit/{kind}?{urlencode(asked)}"


def make_board(description: str) -> tuple[str, Solution]:
    """Return a title and the solution of a board. Raises RetrosolveError."""
    return YOUR_BOARD, solve(PoliceAndThief(board_of(description)))


def make_graph(description: str) -> tuple[str, Solution]:
    """Return a title and the solution of a graph. Raises RetrosolveError."""
    drawn = SmallGraph.parse(description)
    return YOUR_GRAPH, solve(drawn.graph(), stuck=drawn.stuck)


MAKERS: dict[str, Maker] = {BOARD: make_board, GRAPH: make_graph}
"""How the explorer makes games of these kinds from their names."""
