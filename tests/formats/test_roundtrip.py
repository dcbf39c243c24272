"""What is written is what is read, in every format."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import read_graph, read_solution, write
from retrosolve.formats.pgsolver import CLAIM, UNWRITABLE
from retrosolve.testing import STUCK
from retrosolve.testing.strategies import graphs
from tests.support.graph_files import (
    NAMES,
    WHOLE,
    can_hold,
    check_same_answer,
    named_graphs,
    solutions,
    stored,
)
from tests.support.marks import samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("formats")


def examples(name: str) -> settings:
    """As many random examples as the reader of a format, or the library that it calls, is fast."""
    return settings(max_examples=samples(12, 60) if name == "dot" else samples(30, 60))


@pytest.mark.parametrize("name", ["csv", "tsv", "npz", "parquet", "json"])
@settings(max_examples=samples(15, 30))
@given(graph=graphs(), data=st.data())
def test_ids_stay_numbers(folder: Path, name: str, graph: rs.Graph, data: st.DataObject) -> None:
    n = graph.num_vertices
    ids = sorted(data.draw(st.sets(st.integers(0, 40), min_size=n, max_size=n)))
    if ids == list(range(n)):
        return
    source = np.repeat(np.array(ids, np.int64), graph.out_degrees())
    target = np.array(ids, np.int64)[graph.indices]
    ends = {v: "tie" for v in ids if v not in {*source.tolist(), *target.tolist()}}
    labelled = rs.Graph.from_edges(source, target, terminal=ends or None)
    assert labelled.names == tuple(ids)
    assert stored(labelled, folder / f"ids.{name}").graph == labelled
    rs.solve(labelled).save(folder / "ids")
    assert rs.open(folder / "ids").space == labelled


@pytest.mark.long(but=1)
@pytest.mark.parametrize("name", WHOLE)
def test_solutions(folder: Path, name: str) -> None:
    path = folder / f"s.{name}"

    @examples(name)
    @given(solution=solutions())
    def check(solution: rs.Solution) -> None:
        assume(can_hold(name, solution.space))
        document = stored(solution, path)
        # A .csv tells what being stuck means at the vertices that are.
        check_same_answer(document, solution, stuck_told=name not in ("csv", "tsv"))
        if name in ("csv", "tsv") and document.stuck is None:
            ends = solution.space.out_degrees() == 0
            if solution.space.terminals is not None:
                ends &= solution.space.terminals == 0
            assert not ends.any()
        again = read_solution(path)
        assert again.solver == "file"
        assert again.start == solution.start
        rs.verify(again)

    check()


@pytest.mark.parametrize("name", ["npz", "json", "parquet"])
@settings(max_examples=30)
@given(data=st.data())
def test_names_that_are_whole_numbers_stay_numbers(
    folder: Path, name: str, data: st.DataObject
) -> None:
    plain = data.draw(graphs())
    numbers = st.integers(-(2**63), 2**63 - 1)
    n = plain.num_vertices
    assume(n)
    names = data.draw(st.lists(numbers, min_size=n, max_size=n, unique=True))
    graph = rs.Graph.from_csr(plain.indptr, plain.indices, plain.owner, plain.terminals, names)
    assert stored(graph, folder / f"i.{name}").graph == graph


@pytest.mark.parametrize("name", WHOLE)
def test_rows_stay_in_order_with_parallel_edges_too(folder: Path, name: str) -> None:
    for row in ([2, 0, 1], [2, 0, 2, 1, 0, 2]):
        graph = rs.Graph.from_edges([1] * len(row), row, 3)
        assert stored(graph, folder / f"p.{name}").graph.neighbors(1).tolist() == row


ODD_NAMES = [
    *("a\\\nb", "a\\nb", "a\nb", "a\\", "\\\\n", '"', '\\"', '"a":n', "a:n", "<a:n>", "graph", "Node", "subgraph"),
    *("strict", "->", "//x", "/*x*/", "#x", "{a}", "}", "&amp;", "<b>", "]]>", "\t", " \n "),
]  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("names", [ODD_NAMES, ["0", "1", "2"], ["2", "1", "0"]])
def test_odd_names(folder: Path, name: str, names: list[str]) -> None:
    n = len(names)
    graph = rs.Graph.from_edges(range(n), [*range(1, n), 0], names=names)
    solution = rs.solve(graph).with_start(names[2])
    check_same_answer(stored(solution, folder / f"o.{name}"), solution, name not in ("csv", "tsv"))


@pytest.mark.parametrize("name", [*WHOLE, "pg"])
def test_other_names_are_written_as_text(folder: Path, name: str) -> None:
    names = [(1, "x"), 2.5, frozenset()]
    graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 0], owner=[0, 1, 1], names=names)
    read = stored(graph.with_start((1, "x")), folder / f"o.{name}").graph
    assert (read.names, read.start) == (("(1, 'x')", "2.5", "frozenset()"), "(1, 'x')")
    assert np.array_equal(read.indices, graph.indices)


# -- .pg: owners needed, no ties, ends without edges -----------------------------------------------


def as_pg(graph: rs.Graph, stuck: str = "loss") -> rs.Graph:
    """The graph that a .pg file can tell: stuck vertices are terminal, and those have no edges."""
    edges = [
        (v, w)
        for v in range(graph.num_vertices)
        for w in graph.neighbors(v).tolist()
        if graph.terminals is None or not graph.terminals[v]
    ]
    terminal = np.zeros(graph.num_vertices, int) if graph.terminals is None else graph.terminals.copy()
    for v in range(graph.num_vertices):
        if not terminal[v] and not len(graph.neighbors(v)):
            terminal[v] = {"loss": rs.Value.LOSS, "win": rs.Value.WIN}[stuck]
    return rs.Graph.from_edges(
        [a for a, _ in edges],
        [b for _, b in edges],
        graph.num_vertices,
        graph.owner,
        terminal if terminal.any() else None,
        graph.names if graph.num_vertices else None,
    )


def pg_can_hold(graph: rs.Graph, stuck: str, with_answer: bool) -> bool:
    end = np.zeros(graph.num_vertices, int) if graph.terminals is None else graph.terminals
    alone = any(
        not end[v] and set(graph.neighbors(v).tolist()) == {v} for v in range(graph.num_vertices)
    )
    stuck_tie = stuck == "tie" and any(
        not end[v] and not len(graph.neighbors(v)) for v in range(graph.num_vertices)
    )
    names = graph.names or ()
    odd = any(UNWRITABLE.search(str(name)) for name in names)
    taken = bool(names) and not with_answer and all(CLAIM.fullmatch(str(name)) for name in names)
    return not (alone or stuck_tie or (end == rs.Value.TIE).any() or odd or taken)


@given(graph=named_graphs(owned=True), stuck=st.sampled_from(STUCK), endless=st.integers(0, 1))
def test_pg_solutions(folder: Path, graph: rs.Graph, stuck: str, endless: int) -> None:
    solution = rs.solve(graph, stuck=stuck, solver="reference")
    if graph.num_vertices:
        solution = solution.with_start(graph.position(graph.num_vertices - 1))
    path = folder / "s.pg"
    if pg_can_hold(graph, "loss", with_answer=False):
        assert stored(graph, path).graph == as_pg(graph)
    else:
        with pytest.raises(rs.FormatError):
            write(graph, path)
    if not pg_can_hold(graph, stuck, with_answer=True):
        with pytest.raises(rs.FormatError):
            write(solution, path)
        return
    document = stored(solution, path, endless=endless)
    assert document.graph == as_pg(graph, stuck)
    assert document.start == solution.start
    if graph.num_vertices:
        assert np.array_equal(document.value, solution.table.values())
        assert np.array_equal(document.remoteness, solution.remoteness())
        again = read_solution(path)
        rs.verify(again)
        assert np.array_equal(again.winner(endless), solution.winner(endless))


@given(st.sets(st.integers(0, 10**18 - 1), min_size=1, max_size=6), st.data())
def test_pg_ids_with_gaps_stay(folder: Path, ids: set[int], data: st.DataObject) -> None:
    names = sorted(ids)
    assume(names != list(range(len(names))))
    target = [data.draw(st.integers(0, len(ids) - 1)) for _ in ids]
    owner = [i % 2 for i in range(len(ids))]
    graph = rs.Graph.from_edges(range(len(ids)), target, len(ids), owner, names=names)
    if pg_can_hold(graph, "loss", with_answer=False):
        assert stored(graph, folder / "ids.pg").graph == graph


# -- open files, games ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*WHOLE, "pg"])
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_open_files(name: str, packed: str) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 0], owner=None if name in ("csv", "tsv") else [0, 1])
    file = io.BytesIO()
    write(graph, file, format=name + packed)
    data = file.getvalue()
    assert (data[:2] == b"\x1f\x8b") == bool(packed)
    assert read_graph(io.BytesIO(data), format=f".{name}{packed}".upper()) == graph
    file = io.BytesIO()
    write(graph, file, format=name + packed)
    assert file.getvalue() == data


class Vague(rs.Game):
    """Positions that look alike."""

    def start(self) -> int:
        return 5

    def moves(self, position: int) -> list[tuple[str, int]]:
        return [(f"take {k}", position - k) for k in (1, 2) if k <= position]

    def text(self, position: int) -> str:
        return "some left"


def test_a_game_whose_texts_are_alike_is_numbered(tmp_path: Path) -> None:
    solution = rs.solve(Vague())
    document = stored(solution, tmp_path / "g.json")
    assert (document.graph.names, document.start) == (None, 0)
    assert np.array_equal(document.value, solution.table.values())


@pytest.mark.long
@settings(max_examples=samples(30, 60))
@given(names=st.lists(NAMES | st.characters(), min_size=3, max_size=3, unique=True))
@example(names=["", " ", "\ud800"])
def test_a_name_is_kept_or_refused(folder: Path, names: list[str]) -> None:
    # Any characters at all: control characters, lone surrogates, NUL.
    graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 0], owner=[0, 1, 0], names=names)
    for name in (*WHOLE, "pg"):
        try:
            document = stored(graph, folder / f"n.{name}")
        except rs.FormatError as error:
            check_refusal(str(error))
        else:
            assert document.graph == graph, name


def check_refusal(text: str) -> None:
    assert "cannot hold" in text or "read as answers" in text
    assert "\n" not in text


@pytest.mark.parametrize("name", WHOLE)
def test_all_formats_keep_the_names_of_the_players(name: str, tmp_path: Path) -> None:
    graph = rs.Graph.from_edges(["a", "b"], ["b", "c"], owner={"a": 0, "b": 1, "c": 0})
    for players in (("cat", "the mouse"), ("1", "0")):
        for subject in (graph.with_start("a", players), rs.solve(graph.with_start("a", players))):
            write(subject, tmp_path / f"g.{name}")
            assert read_graph(tmp_path / f"g.{name}").players == players
    assert read_solution(tmp_path / f"g.{name}").space.players == players
    write(graph.with_start("a", ("0", "1")), tmp_path / f"g.{name}")
    assert b"player" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize("name", WHOLE)
def test_all_formats_write_chance_by_its_label(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"d.{name}"
    for owner, players in (([1, rs.CHANCE, 1], ("0", "1")), ([0, rs.CHANCE, 1], ("cat", "mouse"))):
        dice = rs.Graph.from_edges([0, 1, 1], [1, 0, 2], owner=owner).with_start(None, players)
        read = stored(dice, path).graph
        assert (read, read.players) == (dice, players)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert (b"chance" in content) == (name != "npz")
    if name in ("json", "graphml", "dot"):  # which say that this package wrote them, with a 2 before
        path.write_bytes(content.replace(b'"chance"', b"2").replace(b"chance", b"2"))
        assert read_graph(path) == dice
