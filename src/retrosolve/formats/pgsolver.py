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
the solution of the parity game; if odd and even are mixed it need not be, and a warning is logged.

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

import logging
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Any

import numpy as np

from retrosolve.arrays import ByteArray
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
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value

logger = logging.getLogger(__name__)

HEADER = re.compile(r"\s*(parity|start)\s+([0-9]{1,18})\s*;", re.ASCII)
STATEMENT = re.compile(
    r"\s*([0-9]{1,18})\s+([0-9]{1,18})\s+([01])\s+([0-9]{1,18}(?:\s*,\s*[0-9]{1,18})*)"
    r'\s*(?:"([^"\n]*)"\s*)?;',
    re.ASCII,
)
CLAIM = re.compile(r"(?:(.*) )?\[(win|loss|tie|draw)(?: ([0-9]{1,18}))?(?: -> ([0-9]{1,18}))?\]", re.S)
UNWRITABLE = re.compile(r'["\n\r\0]')


@dataclass
class _Statements:
    """The statements of a file, in order; ``place`` is the offset at which each one ends."""

    source: Source
    text: str
    header: dict[str, tuple[int, int]] = field(default_factory=dict)
    number: dict[int, int] = field(default_factory=dict)
    priority: list[int] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    successors: list[list[int]] = field(default_factory=list)
    name: list[str | None] = field(default_factory=list)
    place: list[int] = field(default_factory=list)

    def error(self, text: str, place: int) -> FormatError:
        """Return the error for a place in the text."""
        return self.source.error(text, self.text.count("\n", 0, place) + 1)


def read(source: Source) -> GraphFile:
    """Read a parity game as a reachability game. Raises FormatError."""
    file = _statements(source)
    _check_header(file)
    order = [v for _, v in sorted(file.number.items())]
    ids = sorted(file.number)
    rank = {id_: i for i, id_ in enumerate(ids)}
    sink = [set(file.successors[v]) == {id_} for id_, v in zip(ids, order, strict=True)]
    _warn_if_mixed(source, [file.priority[v] for v, s in zip(order, sink, strict=True) if not s])
    owner = [file.owner[v] for v in order]
    terminal = [
        (Value.WIN if file.priority[v] % 2 == file.owner[v] else Value.LOSS) if s else 0
        for v, s in zip(order, sink, strict=True)
    ]
    indptr = np.zeros(len(ids) + 1, np.int64)
    flat: list[int] = []
    for i, (v, s) in enumerate(zip(order, sink, strict=True)):
        if not s:
            flat += [rank[w] for w in file.successors[v]]
        indptr[i + 1] = len(flat)
    texts, claims = _claims([file.name[v] for v in order])
    plain = ids == list(range(len(ids)))
    names: Sequence[Hashable] | None = None if plain else ids
    if ids and all(text is not None for text in texts) and len(set(texts)) == len(texts):
        names = texts
    graph = build_graph(
        source,
        lambda: Graph.from_csr(
            indptr,
            np.array(flat, np.int64),
            np.array(owner, np.uint8),
            np.array(terminal, np.uint8) if any(sink) else None,
            names,
        ),
    )
    start = None
    if "start" in file.header:
        start = graph.position(rank[file.header["start"][0]])
    if claims is None:
        return GraphFile(graph, start)
    value = np.array([WORDS[word] for word, _, _ in claims], np.uint8)
    remoteness = np.array([plies for _, plies, _ in claims], np.int64)
    best = np.array([-1 if b < 0 else rank.get(b, -2) for _, _, b in claims], np.int64)
    return GraphFile(graph, start, *check_claim(source, graph, value, remoteness, best))


def _statements(source: Source) -> _Statements:
    """Parse the header and the statements of a file."""
    text = source.text()
    file = _Statements(source, text)
    place = 0
    while match := HEADER.match(text, place):
        word, number = match[1], int(match[2])
        if word in file.header or (word == "parity" and file.header):
            raise file.error(
                f"{short_repr(match[0].strip())}: expected 'parity N;' once and first, then 'start V;'",
                match.end(),
            )
        file.header[word] = number, match.end()
        place = match.end()
    while match := STATEMENT.match(text, place):
        place = match.end()
        id_ = int(match[1])
        if id_ in file.number:
            raise file.error(f"vertex {id_} for the second time: expected one statement", place)
        file.number[id_] = len(file.number)
        file.priority.append(int(match[2]))
        file.owner.append(int(match[3]))
        file.successors.append([int(w) for w in match[4].split(",")])
        file.name.append(match[5])
        file.place.append(place)
    if text[place:].strip(" \t\n\r\f\v"):
        raise _odd_statement(file, place)
    if not file.number and not file.header:
        raise source.error("no statements: expected 'id priority owner successors;'")
    return file


def _odd_statement(file: _Statements, place: int) -> FormatError:
    """Return the error for the malformed statement at a place in the text."""
    rest = file.text[place : place + 100_000]
    start = place + len(rest) - len(rest.lstrip(" \t\n\r\f\v"))
    words = re.match(r'[^;"\n]*(?:"[^"\n]*"?)?[^;"\n]*;?', file.text[start : start + 1000])
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
    return file.error(f"{short_repr(statement.strip())}: expected {expected}", start)


def _check_header(file: _Statements) -> None:
    """Check the number of vertices, the start, and that every successor has a statement."""
    n, largest = len(file.number), max(file.number, default=-1)
    if "parity" in file.header:
        declared, place = file.header["parity"]
        if declared not in (n, largest, largest + 1):
            raise file.error(
                f"'parity {declared};' but there are {n} vertices, the largest {largest}: "
                "expected one of these numbers",
                place,
            )
    if "start" in file.header:
        start, place = file.header["start"]
        if start not in file.number:
            raise file.error(f"start {start}: expected a vertex that has a statement", place)
    for successors, place in zip(file.successors, file.place, strict=True):
        for w in successors:
            if w not in file.number:
                raise file.error(f"successor {w}: expected a vertex that has a statement", place)


def _warn_if_mixed(source: Source, priorities: list[int]) -> None:
    """Log a warning if the priorities are odd and even."""
    if len({priority % 2 for priority in priorities}) > 1:
        logger.warning(
            "%s: priorities of vertices that are no sinks are odd and even; they are not used, "
            "so this is the reachability game and not the parity game",
            source.name,
        )


def _claims(
    names: list[str | None],
) -> tuple[list[str | None], list[tuple[str, int, int]] | None]:
    """Split names from the solution at their ends, if all names have one."""
    found = [None if name is None else CLAIM.fullmatch(name) for name in names]
    matches = [match for match in found if match is not None]
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
    stuck = Value[(graph_file.stuck or "loss").upper()]
    no_way_out = graph.out_degrees() == 0
    value = np.where(no_way_out, np.uint8(stuck), np.uint8(0))
    if graph.terminals is not None:
        value = np.where(graph.terminals != 0, graph.terminals, value)
    return value.astype(np.uint8)


def check_endless(endless: int | None) -> None:
    """Raise FormatError unless ``endless`` is None or a player."""
    if endless is not None and (isinstance(endless, bool) or endless not in (0, 1)):
        raise FormatError(f"endless={short_repr(endless)}: expected 0 or 1")


def write(graph_file: GraphFile, endless: int | None = None) -> list[OutputFile]:
    """Return the file to write, a parity game in which ``endless`` (default 0) wins endless play."""
    check_endless(endless)
    return [OutputFile(lambda file: _write(graph_file, endless or 0, file))]


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

    def line(place: int) -> int:
        return text.count("\n", 0, place) + 1

    header = SOLUTION_HEADER.match(text)
    place = header.end() if header else 0
    answer: dict[int, tuple[int, int | None]] = {}
    while match := SOLUTION_STATEMENT.match(text, place):
        place = match.end()
        id_ = int(match[1])
        if id_ in answer:
            raise source.error(f"vertex {id_} for the second time: expected one statement", line(place))
        answer[id_] = int(match[2]), None if match[3] is None else int(match[3])
    rest = text[place:].strip(" \t\n\r\f\v")
    if rest or (not answer and not header):
        start = text.find(rest[:1], place) if rest else 0
        raise source.error(
            f"{short_repr(rest.partition(chr(10))[0])}: expected 'paritysol N;' and "
            "'id winner successor;' with winner 0 or 1",
            line(start),
        )
    largest = max(answer, default=0)
    if header and int(header[1]) not in (largest, largest + 1, len(answer)):
        raise source.error(
            f"'paritysol {header[1]};' but the largest vertex is {largest}: expected that number",
            line(header.end()),
        )
    return answer


def write_solution(graph_file: GraphFile, endless: int | None = None) -> list[OutputFile]:
    """Return the file to write: the winner of each vertex, ``endless`` for a draw."""
    check_endless(endless)
    return [OutputFile(lambda file: _write_winners(graph_file, endless, file))]


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
    if draws and endless is None:
        raise FormatError(
            f"{draws} positions are draws: a .sol file needs a winner for each, "
            "pass endless=0 or endless=1, the player who wins endless play"
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
