"""PGSolver's solutions of parity games, ``.sol``: the winner of each vertex and a winning move.

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
from typing import IO, Any

import numpy as np

from retrosolve.errors import FormatError
from retrosolve.formats.graphfile import GraphFile, OutputFile
from retrosolve.formats.pgsolver import check_endless, end_values, statement_ids
from retrosolve.runtime.files import Utf8, load, short_repr
from retrosolve.values import Value

HEADER = re.compile(r"\s*paritysol\s+([0-9]{1,18})\s*;", re.ASCII)
STATEMENT = re.compile(r"\s*([0-9]{1,18})\s+([01])(?:\s+([0-9]{1,18}))?\s*;", re.ASCII)


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

    header = HEADER.match(text)
    place = header.end() if header else 0
    answer: dict[int, tuple[int, int | None]] = {}
    while found := STATEMENT.match(text, place):
        place = found.end()
        id_ = int(found[1])
        if id_ in answer:
            raise source.error(f"vertex {id_} for the second time: expected one statement", line(place))
        answer[id_] = int(found[2]), None if found[3] is None else int(found[3])
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


def write(graph_file: GraphFile, endless: int | None = None) -> list[OutputFile]:
    """Return the file to write: the winner of each vertex, ``endless`` for a draw."""
    check_endless(endless)
    return [OutputFile(lambda file: _write(graph_file, endless, file))]


def _write(graph_file: GraphFile, endless: int | None, file: IO[bytes]) -> None:
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
