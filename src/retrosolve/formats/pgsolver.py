"""PGSolver's parity games, ``.pg``, read as reachability games, and their solutions, ``.sol``.

    parity 3;
    start 0;
    0 0 0 1,2 "a";
    1 0 1 0,3 "b";
    2 1 0 2 "sink";
    3 0 1 3 "other";

The header (``parity`` and the largest id or the number of vertices) and ``start`` are optional. Each
vertex has a statement: its id, priority, owner, successors, and optionally a name in quotes. Statements
end with ``;`` and may span or share lines. Ids may have gaps and come in any order; vertices are
numbered in the order of their ids, and every successor needs a statement.

Read as a reachability game, a vertex whose only successor is itself, a *sink*, ends the game, and
player (priority mod 2) wins. It becomes a terminal vertex without edges, WIN if its owner is that
player, otherwise LOSS. The priorities of all other vertices are not used: play that reaches no sink is
endless, a DRAW. If all of them have the parity of one player p, ``solution.winner(endless=p)`` is
the solution of the parity game, and p wins endless play in files that are written of the graph. If odd
and even are mixed it need not be: a note says so, and neither the graph nor draws are written.

Vertices are named by their names if all have one and these differ, otherwise by their ids. A solution
is stored at the end of the names, ``"a [win 7 -> 3]"``: value, remoteness, id of a best successor.

A solution of a parity game, ``.sol``, holds the winner of each vertex and a winning move, and no graph:

    paritysol 2;
    0 0 1;
    1 0;
    2 1 2;

After the header with the largest id, each statement has the id of a vertex, its winner, and, if the
winner moves there, a winning successor. A terminal vertex moves to itself, as in the ``.pg`` file; the
ids are the same. Such a file holds no graph.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from itertools import islice, pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, numbered_ranges, row_bounds
from retrosolve.errors import FormatError
from retrosolve.formats.attributes import WORDS
from retrosolve.formats.graphfile import (
    GraphFile,
    OutputFile,
    build_graph,
    check_claim,
    check_writable,
    text_names,
)
from retrosolve.runtime.files import Source, Utf8, load, short_repr
from retrosolve.spaces.graph import Graph, put
from retrosolve.values import Value

HEADER = re.compile(r"\s*(parity|start)\s+([0-9]{1,18})\s*;", re.ASCII)
STATEMENT = re.compile(
    r"\s*([0-9]{1,18})\s+([0-9]{1,18})\s+([01])\s+([0-9]{1,18}(?:\s*,\s*[0-9]{1,18})*)"
    r'\s*("[^"\n]*"\s*)?;',
    re.ASCII,
)
STATEMENT_OR_ODD = re.compile(rf"{STATEMENT.pattern}|\s*(\S)", re.ASCII)
CLAIM = re.compile(r"(?:(.*) )?\[(win|loss|tie|draw)(?: ([0-9]{1,18}))?(?: -> ([0-9]{1,18}))?\]", re.S)
BLANKS = " \t\n\r\f\v"
UNWRITABLE = re.compile(r'["\n\r\0]')


def read(source: Source) -> GraphFile:
    """Read a parity game as a reachability game. Raises FormatError."""
    file = _Statements(source)
    row = file.row
    elsewhere = np.bincount(row[file.successors != row], minlength=len(file.ids))
    sinks = elsewhere == 0
    parities = tuple(np.unique(file.priority[~sinks] % 2).tolist())
    wins = file.priority % 2 == file.owner
    terminal = np.where(sinks, np.where(wins, np.uint8(Value.WIN), np.uint8(Value.LOSS)), np.uint8(0))
    texts, claims = _claims(file.names)
    ids = file.ids.tolist()
    names: Sequence[Hashable] | None = None if ids == list(range(len(ids))) else ids
    if ids and all(text is not None for text in texts) and len(set(texts)) == len(texts):
        names = texts
    graph = build_graph(
        source,
        lambda: Graph.from_csr(
            row_bounds(np.where(sinks, 0, file.degree)),
            file.successors[~sinks[row]],
            file.owner.astype(np.uint8),
            terminal if sinks.any() else None,
            names,
        ),
    )
    put(graph, "parities", parities)
    unused = source.error(
        "priorities of vertices that are not sinks are odd and even; they are not used, "
        "so this is the reachability game and not the parity game"
    )
    notes = (str(unused),) if len(parities) > 1 else ()
    start = None if file.start is None else graph.position(file.start)
    if claims is None:
        return GraphFile(graph, start, notes=notes)
    value = np.array([WORDS[word] for word, _, _ in claims], np.uint8)
    remoteness = np.array([plies for _, plies, _ in claims], np.int64)
    rank = {id_: vertex for vertex, id_ in enumerate(ids)}
    best = np.array([-1 if b < 0 else rank.get(b, -2) for _, _, b in claims], np.int64)
    claim = check_claim(source, graph, value, remoteness, best)
    return GraphFile(graph, start, *claim, notes=notes)


class _Statements:
    """The header and the statements of a file, the latter in the order of their ids.

    Parameters
    ----------
    source : Source
        The file.

    Attributes
    ----------
    start : int or None
        The number of the initial vertex.
    ids, priority, owner, degree : int64 [n]
    successors : int64 [m]
        The numbers of the successors' statements, row by row.
    names : list of (str or None)

    Raises
    ------
    FormatError
    """

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text()
        self.header: dict[str, tuple[int, int]] = {}
        self.start: int | None = None
        self.first = self._read_header()
        # All at once: a match and a few Python numbers for each statement took four times as long.
        found = STATEMENT_OR_ODD.findall(self.text, self.first)
        if any(odd for *_, odd in found):
            raise self._odd_statement()
        if not found and not self.header:
            raise source.error("no statements: expected 'id priority owner successors;'")
        ids, priority, owner, rows, names, _ = zip(*found, strict=True) if found else [()] * 6
        written, degree = _numbers(ids), _numbers([row.count(",") + 1 for row in rows])
        self.order = np.argsort(written, kind="stable")
        self.ids, self.degree = written[self.order], degree[self.order]
        self._check_ids()
        successors = _numbers(",".join(rows).split(",") if rows else ())
        self.priority, self.owner = _numbers(priority)[self.order], _numbers(owner)[self.order]
        self.names = [names[at].rstrip(BLANKS)[1:-1] if names[at] else None for at in self.order]
        number = np.searchsorted(self.ids, successors)
        unknown = np.flatnonzero(self.ids[np.minimum(number, len(found) - 1)] != successors)
        if len(unknown):
            statement = int(np.searchsorted(np.cumsum(degree), unknown[0], side="right"))
            raise self.error(
                f"successor {successors[unknown[0]]}: expected a vertex that has a statement",
                self._end_of(statement),
            )
        begin = np.cumsum(degree) - degree
        self.row, places = numbered_ranges(begin[self.order], self.degree)
        self.successors = number[places]

    def error(self, text: str, place: int) -> FormatError:
        """Return the error for a place in the text."""
        return _error_at(self.source, self.text, text, place)

    def _end_of(self, statement: int) -> int:
        """Return the offset at which a statement ends, by its number in the order of the file."""
        return next(islice(STATEMENT.finditer(self.text, self.first), statement, None)).end()

    def _read_header(self) -> int:
        """Read the header, and return the offset at which it ends. Raises FormatError."""
        place = 0
        while match := HEADER.match(self.text, place):
            word, place = match[1], match.end()
            if word in self.header or (word == "parity" and self.header):
                raise self.error(
                    f"{short_repr(match[0].strip())}: "
                    "expected 'parity N;' once and first, then 'start V;'",
                    place,
                )
            self.header[word] = int(match[2]), place
        return place

    def _check_ids(self) -> None:
        """Raise FormatError for an id with two statements, and for a header that does not fit."""
        again = self.order[1:][self.ids[1:] == self.ids[:-1]]
        if len(again):
            place = self._end_of(int(again.min()))
            vertex = self.ids[np.flatnonzero(self.order == again.min())[0]]
            raise self.error(f"vertex {vertex} for the second time: expected one statement", place)
        n, largest = len(self.ids), int(self.ids[-1]) if len(self.ids) else -1
        declared, place = self.header.get("parity", (n, 0))
        if declared not in (n, largest, largest + 1):
            raise self.error(
                f"'parity {declared};' but there are {n} vertices, the largest {largest}: "
                "expected one of these numbers",
                place,
            )
        if "start" in self.header:
            start, place = self.header["start"]
            at = np.flatnonzero(self.ids == start)
            if not len(at):
                raise self.error(f"start {start}: expected a vertex that has a statement", place)
            self.start = int(at[0])

    def _odd_statement(self) -> FormatError:
        """Return the error for the first malformed statement."""
        place = self.first
        while match := STATEMENT.match(self.text, place):
            place = match.end()
        rest = self.text[place : place + 100_000]
        start = place + len(rest) - len(rest.lstrip(BLANKS))
        words = re.match(r'[^;"\n]*(?:"[^"\n]*"?)?[^;"\n]*;?', self.text[start : start + 1000])
        statement = words[0] if words else ""
        expected = "'id priority owner successors \"name\";'"
        numbers = re.match(r"\s*[0-9]+\s+[0-9]+\s+([^\s;]+)", statement, re.ASCII)
        if re.search(r"[0-9]{19}", statement):
            expected = "numbers of at most 18 digits"
        elif statement.count('"') % 2:
            expected = "a quote at the end of the name, on the same line"
        elif numbers and numbers[1] not in ("0", "1"):
            expected = "owner 0 or 1 after the priority"
        elif numbers and re.fullmatch(r'\s*\d+\s+\d+\s+[01]\s*(".*")?\s*;', statement, re.ASCII):
            expected = "at least one successor (a sink has itself)"
        elif not statement.endswith(";"):
            expected = f"{expected} with its ;"
        return self.error(f"{short_repr(statement.strip())}: expected {expected}", start)


def _error_at(source: Source, text: str, message: str, place: int) -> FormatError:
    """Return the error for a place in the text of a file."""
    return source.error(message, text.count("\n", 0, place) + 1)


def _numbers(texts: Sequence[Any]) -> NDArray[np.int64]:
    """Return whole numbers, or such that are written in decimal, as an array."""
    return np.fromiter(map(int, texts), np.int64, len(texts))


def _claims(
    names: list[str | None],
) -> tuple[list[str | None], list[tuple[str, int, int]] | None]:
    """Split names from the solution at their ends, if all names have one."""
    matches = [match for name in names if (match := CLAIM.fullmatch(name or ""))]
    if not names or len(matches) < len(names):
        return names, None
    claims = [(m[2], int(m[3] or -1), int(m[4] or -1)) for m in matches]
    return [m[1] for m in matches], claims


# -- writing --------------------------------------------------------------------------------------


def statement_ids(graph: Graph) -> tuple[list[int], list[str] | None]:
    """Return the ids to write, and the names if they are not the ids."""
    names = graph.names
    numbers = list(range(graph.num_vertices))
    if names is None:
        return numbers, None
    ids = [name for name in names if type(name) is int and 0 <= name < 10**18]
    if names and len(ids) == len(names) and all(a < b for a, b in pairwise(ids)):
        return ids, None
    return numbers, text_names(graph)


def end_values(graph_file: GraphFile) -> ByteArray:
    """Return the value of each terminal or stuck vertex, 0 for the others, uint8[n]."""
    graph = graph_file.graph
    value = (graph.out_degrees() == 0) * np.uint8(WORDS[graph_file.stuck or "loss"])
    return value if graph.terminals is None else np.where(graph.terminals, graph.terminals, value)


def endless_winner(graph_file: GraphFile, endless: int | None) -> int | None:
    """Return who wins endless play, as asked or as in the file that the graph was read from.

    Raises FormatError if ``endless`` is neither None nor a player.
    """
    if endless is not None and (isinstance(endless, bool) or endless not in (0, 1)):
        raise FormatError(f"endless={short_repr(endless)}: expected 0 or 1")
    parities = graph_file.graph.parities
    return parities[0] if endless is None and len(parities) == 1 else endless


def write(graph_file: GraphFile, endless: int | None = None) -> list[OutputFile]:
    """Return the file to write, a parity game in which ``endless`` wins endless play."""
    winner = endless_winner(graph_file, endless)
    _check_kind(graph_file)
    return [OutputFile(lambda file: _write(graph_file, winner or 0, file))]


def _check_kind(graph_file: GraphFile) -> None:
    """Raise FormatError for lost priorities, points, chance and results that are not outcomes."""
    graph, results = graph_file.graph, graph_file.results
    formats = "expected csv, tsv, parquet, npz, json, dot or graphml"
    if len(graph.parities) > 1:
        raise FormatError(f"{LOST}, and a .pg file needs them: {formats}")
    points = {"rewards": graph.reward, "payoffs": graph.payoff, "weights": graph.weight}
    points["moves of chance"] = graph.owner if graph.has_chance else None
    for what, array in points.items():
        if array is not None:
            raise FormatError(f"a .pg file cannot hold {what}: {formats}")
    if results is not None:
        raise FormatError(f"a .pg file cannot hold results of {results.objective.name!r}: {formats}")


def _write(graph_file: GraphFile, endless: int, file: IO[bytes]) -> None:
    """Write a parity game to a file."""
    graph = graph_file.graph
    if graph.owner is None:
        raise FormatError("a .pg file needs an owner for each vertex, and this graph has none")
    end = end_values(graph_file)
    ids, names = statement_ids(graph)
    _check_writable(graph, end, names, graph_file.value is not None)
    labels = _labels(graph_file, ids, names)
    out = Utf8(file)
    out.write(f"parity {max(ids, default=0)};\n")
    if graph_file.start is not None:
        out.write(f"start {ids[graph.index(graph_file.start)]};\n")
    for v, (id_, owner) in enumerate(zip(ids, graph.owner.tolist(), strict=True)):
        if end[v]:
            winner = owner if end[v] == Value.WIN else 1 - owner
            out.write(f"{id_} {winner} {owner} {id_}")
        else:
            row = ",".join(str(ids[w]) for w in graph.neighbors(v).tolist())
            out.write(f"{id_} {endless} {owner} {row}")
        out.write(f' "{labels[v]}";\n' if labels else ";\n")


def _check_writable(graph: Graph, end: ByteArray, names: list[str] | None, with_answer: bool) -> None:
    """Raise FormatError for ties, self-loops and names that a .pg file cannot hold."""
    ties = np.flatnonzero(end == Value.TIE)
    if len(ties):
        raise FormatError(
            f"vertex {short_repr(graph.position(int(ties[0])))} ends in a tie: "
            "a .pg file can hold only wins and losses"
        )
    row = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
    elsewhere = np.bincount(row[row != graph.indices], minlength=graph.num_vertices)
    alone = np.flatnonzero((end == 0) & (elsewhere == 0))
    if len(alone):
        raise FormatError(
            f"vertex {short_repr(graph.position(int(alone[0])))} has only an edge to itself: "
            "a .pg file would end the game there"
        )
    check_writable(names, UNWRITABLE.search, "a .pg file", "no double quotes, line ends or NUL")
    if names and not with_answer and all(CLAIM.fullmatch(name) for name in names):
        raise FormatError(
            f"names such as {short_repr(names[0])} would be read as answers in a .pg file"
        )


def _labels(graph_file: GraphFile, ids: list[int], names: list[str] | None) -> list[str] | None:
    """Return the text in quotes of each vertex, None if there is none."""
    if graph_file.value is None or graph_file.remoteness is None or graph_file.best is None:
        return names
    words, labels = list(WORDS), []
    claims = (graph_file.value.tolist(), graph_file.remoteness.tolist(), graph_file.best.tolist())
    for v, (value, plies, best) in enumerate(zip(*claims, strict=True)):
        parts = [words[value]]
        if plies >= 0:
            parts.append(str(plies))
        if best >= 0:
            parts.append(f"-> {ids[best]}")
        labels.append(("" if names is None else f"{names[v]} ") + f"[{' '.join(parts)}]")
    return labels


LOST = "the odd and even priorities of the parity game were not kept when it was read"
SOLUTION_HEADER = re.compile(r"\s*paritysol\s+([0-9]{1,18})\s*;", re.ASCII)
SOLUTION_STATEMENT = re.compile(r"\s*([0-9]{1,18})\s+([01])(?:\s+([0-9]{1,18}))?\s*;", re.ASCII)


def read_pgsolver_solution(path: Any) -> dict[int, tuple[int, int | None]]:
    """Read a ``.sol`` file.

    Parameters
    ----------
    path : str, Path or binary file
        The file; the extension ``.gz`` means gzip compression.

    Returns
    -------
    dict of int to (int, int or None)
        The winner of each id, and a winning successor where the winner moves.

    Raises
    ------
    FormatError

    Notes
    -----
    Cost: time linear in the size of the file, one to two microseconds a vertex.

    Examples
    --------
    >>> import io
    >>> read_pgsolver_solution(io.BytesIO(b"paritysol 1; 0 1; 1 1 0;"))
    {0: (1, None), 1: (1, 0)}
    """
    gzipped = not hasattr(path, "read") and str(path).lower().endswith(".gz")
    source = load(path, gzipped)
    text = source.text()
    header = SOLUTION_HEADER.match(text)
    place = header.end() if header else 0
    answer: dict[int, tuple[int, int | None]] = {}
    while match := SOLUTION_STATEMENT.match(text, place):
        place = match.end()
        id_ = int(match[1])
        if id_ in answer:
            raise _error_at(
                source, text, f"vertex {id_} for the second time: expected one statement", place
            )
        answer[id_] = int(match[2]), None if match[3] is None else int(match[3])
    rest = text[place:].strip(BLANKS)
    if rest or (not answer and not header):
        raise _error_at(
            source,
            text,
            f"{short_repr(rest.partition(chr(10))[0])}: expected 'paritysol N;' and "
            "'id winner successor;' with winner 0 or 1",
            text.find(rest[:1], place) if rest else 0,
        )
    largest = max(answer, default=0)
    if header and int(header[1]) not in (largest, largest + 1, len(answer)):
        raise _error_at(
            source,
            text,
            f"'paritysol {header[1]};' but the largest vertex is {largest}: expected that number",
            header.end(),
        )
    return answer


def write_solution(graph_file: GraphFile, endless: int | None = None) -> list[OutputFile]:
    """Return the file to write: the winner of each vertex, ``endless`` for a draw."""
    winner = endless_winner(graph_file, endless)
    return [OutputFile(lambda file: _write_winners(graph_file, winner, file))]


def _write_winners(graph_file: GraphFile, endless: int | None, file: IO[bytes]) -> None:
    """Write a solution to a file."""
    solution = graph_file.solution()
    if solution is None or graph_file.best is None:
        raise FormatError("a .sol file holds winners: expected a Solution, not a graph")
    graph, value = graph_file.graph, solution.table.values()
    if graph.owner is None:
        raise FormatError("a .sol file needs an owner for each vertex, and this graph has none")
    ties = np.flatnonzero(value == Value.TIE)
    if len(ties):
        raise FormatError(
            f"{len(ties)} positions are ties, such as {short_repr(graph.position(int(ties[0])))}: "
            "a .sol file needs a winner for each"
        )
    draws = int(np.count_nonzero(value == Value.DRAW))
    if draws and len(graph.parities) > 1:
        first = short_repr(graph.position(int(np.argmax(value == Value.DRAW))))
        raise FormatError(
            f"{LOST}, and they decide {draws} positions, such as {first}: a .sol file needs a winner "
            "for each, expected another format"
        )
    if draws and endless is None:
        raise FormatError(
            f"{draws} positions are draws: a .sol file needs a winner for each, "
            "pass endless=0 or endless=1 (convert --endless), the player who wins endless play"
        )
    ids, _ = statement_ids(graph)
    move = np.where(
        end_values(graph_file) != 0, np.arange(graph.num_vertices), graph_file.best
    ).tolist()
    out = Utf8(file)
    out.write(f"paritysol {max(ids, default=0)};\n")
    winners = solution.winner(endless).tolist()
    for v, (winner, owner) in enumerate(zip(winners, graph.owner.tolist(), strict=True)):
        strategy = f" {ids[move[v]]}" if winner == owner else ""
        out.write(f"{ids[v]} {winner}{strategy};\n")
