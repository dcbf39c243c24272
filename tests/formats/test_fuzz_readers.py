"""Whatever the bytes are, a reader gives a document or a FormatError, and prints nothing."""

import io
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import FORMATS, read_graph_file, read_pgsolver_solution, write
from tests.support.marks import examples, samples

READERS = [name for name, kind in FORMATS.items() if kind.read is not None]
OWNED = rs.Graph.from_edges(
    [0, 0, 1, 2, 2, 4],
    [1, 2, 0, 2, 3, 0],
    owner=[0, 1, 0, 1, 1],
    terminal=[0, 0, 0, 1, 0],
    names=["a", "b b", "c,c", "d", "é"],
)
PLAIN = rs.Graph.from_edges([0, 0, 1, 2, 2, 4], [1, 2, 0, 2, 3, 0])
SPLICES = (
    b"", b"0", b"1", b"-1", b"999999999999", b"9" * 40, b",", b";", b"\n", b"\r", b'"', b"\\", b"<",
    b">", b"{", b"}", b"[", b"]", b"\0", b"\xff", b"\xef\xbb\xbf", b"null", b"NaN", b"1e9", b"win",
    b"draw", b"owner", b"->", b"--", b"/*", b"#", b"'", b"&x;", b"<node id='z'/>", b" [win 1 -> 0]",
)  # fmt: skip


@cache
def valid(name: str) -> list[bytes]:
    """Valid files of a format, small ones."""
    found = []
    subjects = [PLAIN, OWNED, rs.solve(OWNED), rs.solve(PLAIN, stuck="win")]
    if name == "edges":
        return [b"# a comment\n0 1 {}\n1\t2 {'w': 2}\n", b"3 2\n1 2\n2 3\n", b"a;b\nb;c\n"]
    if name == "pg":
        subjects = [OWNED, rs.solve(OWNED, stuck="win")]
    for subject in subjects:
        if name in ("csv", "tsv") and subject is not PLAIN:
            continue  # needs a second file, see below
        file = io.BytesIO()
        write(subject, file, format=name)
        found.append(file.getvalue())
    return found


TABLE = b"""name,owner,terminal,stuck,value,remoteness,best,start
a,0,,,win,1,b,1
b,1,,loss,loss,0,,
"c,c",1,tie,,tie,0,,
"""


@st.composite
def mutated(draw: st.DrawFn, files: list[bytes]) -> bytes:
    """A valid file with some of its bytes flipped, cut out, copied or put in."""
    data = bytearray(draw(st.sampled_from(files)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(("flip", "truncate", "insert", "splice", "cut", "copy"))):
            case "flip" if place < len(data):
                data[place] ^= 1 << draw(st.integers(0, 7))
            case "truncate":
                del data[place:]
            case "insert":
                data[place:place] = draw(st.binary(min_size=1, max_size=4))
            case "splice":
                data[place:place] = draw(st.sampled_from(SPLICES))
            case "cut":
                del data[place : place + draw(st.integers(1, 20))]
            case "copy":
                data[place:place] = data[place : place + draw(st.integers(1, 40))]
    return bytes(data)


def check_error(error: rs.FormatError) -> None:
    assert "\n" not in str(error)
    assert len(str(error)) < 600


def check_read(data: bytes, name: str) -> bool:
    """Read, and say whether there was a graph."""
    try:
        document = read_graph_file(io.BytesIO(data), name)
    except rs.FormatError as error:
        check_error(error)
        return False
    graph = document.graph
    assert graph.num_vertices <= 2_000_000 + 100 * len(data)
    assert len(graph.indices) == graph.indptr[-1]
    solution = document.solution()
    if solution is not None:
        assert len(solution) == graph.num_vertices
    return True


@pytest.fixture(autouse=True)
def no_progress(capfd: pytest.CaptureFixture[str]) -> None:
    yield
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", READERS)
def test_the_seeds_are_valid(name: str) -> None:
    assert valid(name)
    assert all(check_read(data, name) for data in valid(name))


@pytest.mark.parametrize("name", READERS)
@examples(40, 100)
@given(data=st.binary(max_size=200))
def test_any_bytes(name: str, data: bytes) -> None:
    check_read(data, name)


@pytest.mark.parametrize("name", ["csv", "tsv", "pg", "dot", "json", "graphml"])
@examples(60, 150)
@given(data=st.lists(st.sampled_from((*SPLICES, b"a", b" ", b"graph", b"digraph {", b"parity 1;",
                                      b"0 0 0 0;", b'{"vertices":', b"<graphml>")), max_size=30))  # fmt: skip
def test_any_words(name: str, data: list[bytes]) -> None:
    check_read(b"".join(data), name)


@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name: str) -> None:
    # pydot takes thirty times as long as the other readers.
    @settings(max_examples=samples(40, 400) if name == "dot" else samples(120, 400))
    @given(data=mutated(valid(name)))
    def check(data: bytes) -> None:
        check_read(data, name)

    check()


@pytest.mark.parametrize("name", READERS)
def test_files_cut_off_anywhere(name: str) -> None:
    whole = valid(name)[-1]
    step = samples(5, 1) if name == "dot" else 1
    read = [check_read(whole[:end], name) for end in range(0, len(whole), step)]
    if name == "pg":  # N may be the largest id or the number of vertices
        assert all(whole[:end].rstrip().endswith(b";") for end in range(len(whole)) if read[end])
        assert sum(read) < 4
    elif name not in ("csv", "tsv", "edges"):  # a shorter edge list is an edge list
        assert not any(read[:-1])


@examples(60, 150)
@given(edges=mutated([b'source,target\na,b\nb,"c,c"\n']), table=mutated([TABLE]))
def test_damaged_vertex_tables(
    tmp_path_factory: pytest.TempPathFactory, edges: bytes, table: bytes
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "fuzz.csv").write_bytes(edges)
    (folder / "fuzz.vertices.csv").write_bytes(table)
    try:
        read_graph_file(folder / "fuzz.csv")
    except rs.FormatError as error:
        check_error(error)


@examples(60, 150)
@given(data=st.binary(max_size=40) | mutated([b"paritysol 2;\n0 0 1;\n1 0;\n2 1 2;\n"]))
def test_solutions_of_parity_games(data: bytes) -> None:
    try:
        answer = read_pgsolver_solution(io.BytesIO(data))
    except rs.FormatError as error:
        check_error(error)
    else:
        assert all(winner in (0, 1) for winner, _ in answer.values())


@examples(60, 150)
@given(data=st.data())
def test_damaged_gzip(data: st.DataObject) -> None:
    file = io.BytesIO()
    write(PLAIN, file, format="csv.gz")
    packed = data.draw(mutated([file.getvalue()]))
    try:
        read_graph_file(io.BytesIO(packed), "csv.gz")
    except rs.FormatError as error:
        check_error(error)
