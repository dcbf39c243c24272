"""What is written to a file of graphs is what is read, for every subject and format; or nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.formats import FORMATS, read_graph_file, read_pgsolver_solution, write
from retrosolve.formats.graphfile import GraphFile, as_graph_file
from tests.conformance.subjects import SHORT, cases

KEPT = ("outcome", "score", "nimber", "conversion")  # objectives whose results files hold
OF_PARITY = ("pg", "sol")  # which need owners, and winners everywhere
SLOWLY_READ = ("dot", "graphml")  # by libraries that take seconds for a large game
BRIEF = (
    "graph",
    "graph, values",
    "two tokens",
    "conversion",
    "score",
    "score, no levels",
    "nimber",
    "chance",
)


def check_read(read: GraphFile, written: GraphFile, format: str) -> None:
    """Check that a file holds what it was written from, but for best moves, which are checked and not kept."""
    lost = {"csv": {"stuck"}, "tsv": {"stuck"}, "pg": {"stuck", "terminal"}}.get(format, set())
    found = read.entries()
    for name, entry in written.entries().items():
        if name != "best" and name not in lost:
            assert np.array_equal(found[name], entry), name
    if format != "pg":  # there, who is stuck is at an end
        assert read.graph == written.graph
        assert written.graph.owner is None or read.graph.players == written.graph.players


def check_colours(path: Path, written: GraphFile) -> None:
    """Check that each node of a DOT file is filled with the colour of its value."""
    kinds = written.value if written.results is None else written.results.kinds
    fills = re.findall(r'fillcolor="(#\w+)"', path.read_text("utf-8"))
    assert fills == [APPEARANCE[rs.Value(kind)].fill for kind in kinds.tolist()]


def check_winners(path: Path, written: GraphFile) -> None:
    """Check that a .sol file has the winner of each vertex, and a move that keeps the win."""
    answer, owner = [*read_pgsolver_solution(path).values()], written.graph.owner.tolist()
    assert [winner for winner, _ in answer] == written.solution().winner(endless=0).tolist()
    for player, (winner, move) in zip(owner, answer, strict=True):
        assert (move is not None) == (player == winner)
        assert move is None or answer[move][0] == winner


def check_file(solution: rs.Solution, format: str, path: Path) -> None:
    """Check that a solution, and its game alone, is read as it was written; or that nothing is written."""
    options = {"endless": 0} if format in OF_PARITY else {}
    try:
        write(solution, path, **options)
    except rs.RetrosolveError:
        alike = len({str(position) for position in solution}) < len(solution)  # 3 and "3"
        held = not alike and solution.objective.name in KEPT and not solution.space.has_sums
        assert not held or format in OF_PARITY
        assert not path.exists()
        return
    written = as_graph_file(solution)
    if format == "sol":
        check_winners(path, written)
        return
    check_read(read_graph_file(path), written, format)
    if format == "dot":
        check_colours(path, written)
    read = rs.read_solution(path)
    rs.verify(read)
    again = path.with_name(f"again.{path.name}")
    write(read, again, **options)
    assert again.read_bytes() == path.read_bytes()
    write(solution.space, path, **options)
    check_read(read_graph_file(path), as_graph_file(solution.space), format)


@pytest.mark.parametrize("name", SHORT)
def test_what_is_read_is_what_was_written(name: str, tmp_path: Path, interpreted: None) -> None:
    for number, case in enumerate(cases(name, tmp_path, 2)):
        solution = case.solve()
        for format, kind in FORMATS.items():
            if kind.writer and (format not in SLOWLY_READ or (name in BRIEF and not number)):
                check_file(solution, format, tmp_path / f"{number}.{format}{'.gz' * (number % 2)}")
