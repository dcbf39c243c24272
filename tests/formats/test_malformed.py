"""Malformed files: one line that names the file, the place, what was found and what was expected."""

import gzip
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import retrosolve as rs
from retrosolve.formats import dot, read_graph_file, read_pgsolver_solution, read_solution
from retrosolve.runtime import memory


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def own_npz(**changes: Any) -> bytes:
    arrays = {"version": 1, "indptr": np.array([0, 1, 1]), "indices": np.array([1])} | changes
    return npz(**{key: array for key, array in arrays.items() if array is not None})


def npy_claiming(shape: str, dtype: str = "<i8", body: bytes = b"") -> bytes:
    """An archive whose indptr has a header of our choice."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body
    file = io.BytesIO(own_npz(indptr=None))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("indptr.npy", array)
    return file.getvalue()


def bomb() -> bytes:
    """An archive whose directory claims far more bytes than there are."""
    data = bytearray(own_npz())
    place = data.rindex(b"indptr.npy") - 46 + 24  # the unpacked size in the central directory
    data[place : place + 4] = (3 * 10**9).to_bytes(4, "little")
    return bytes(data)


def own_json(**changes: Any) -> bytes:
    found = {"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []]} | changes
    return json.dumps(found).encode()


def parquet(columns: dict[str, Any], metadata: dict[str, str] | None = None) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), file)
    return file.getvalue()


def own_parquet(metadata: dict[str, str] | None = None, **changes: Any) -> bytes:
    return parquet({"vertex": [0, 1], "successors": [[1], []]} | changes, metadata)


def graphml(inside: str, before: str = "") -> str:
    return f'<graphml>\n{before}<graph edgedefault="directed">\n{inside}</graph></graphml>'


NODE_KEYS = "".join(
    f'<key id="{key}" for="node" attr.name="{key}" attr.type="string"/>'
    for key in ("owner", "terminal", "value", "remoteness", "best", "start")
)
TWO = '<node id="a"/><node id="b"/>'

CSV = [
    ("", r": no rows: expected edges, or a header such as source,target"),
    ("\n \n", r": no rows: expected edges"),
    ("0,1\n1,2,3\n", r", line 2: 3 cells, '1,2,3': expected 2"),
    ("0,1,2\n", r", line 1: 3 columns and no header: expected two vertices, or a header"),
    ("0\n", r", line 1: 1 columns and no header"),
    ("source,target,source\n0,1,2\n", r", line 1: two columns 'source': expected one"),
    ("source,target,w\n0,1\n", r", line 2: 2 cells, '0,1': expected 3"),
    ("a,b\n0,1\n1,2\n", r", line 1: text above nothing but numbers: expected a header such as"),
    ("from,tu\n0,1\n1,2\n", r", line 1: text above nothing but numbers"),
    ("0,1\n-1,2\n", r", line 2: vertex '-1': expected 0 or more, or names=True \(--names\)"),
    ("0,1\n\n1," + "9" * 5000 + "\n", r", line 3: vertex '999.*: expected at most 18 digits, or names=True"),
    ("a,b\nb,\n", r", line 2: vertex '': expected a name"),
    ("source,target\n,\n", r", line 2: vertex '': expected a name"),
    ('a,b\n"b,c\nd,e\n', r", line 3: unexpected end of data: expected cells"),
    ('a,b\n"b"x,c\n', r", line 2: .*: expected cells, those with quotes or line ends in quotes"),
    (b"a,b\nb,\xff\n", r", line 2: byte b'\\xff' is not UTF-8: expected UTF-8 text"),
    ("a,b\n".encode("utf-16"), r", line 1: UTF-16 text"),
    ("a,b\nb,\0\n", r", line 2: a NUL byte: expected text"),
    ("a,b\nb," + "x" * 200_000, r", line 2: a cell of over 131072 characters: expected at most"),
    ("u,v\nv,w\n", r", line 1: 'v' is a vertex further on, so this may be an edge or a header"),
    ("from,to\nto,from\n", r", line 1: 'from' is a vertex further on"),
]  # fmt: skip

NPZ = [
    (b"", r": damaged archive, .*: expected a \.npz file"),
    (b"PK\x03\x04" + bytes(40), r": damaged archive"),
    (own_npz()[:-30], r": damaged archive"),
    (own_npz(indices=None), r": no array indices: expected at least version, indptr and indices"),
    (own_npz(version=None), r": no array version"),
    (own_npz(version=2), r": version 2: expected 1"),
    (own_npz(version=[1, 1]), r": array version has shape \(2,\)"),
    (own_npz(indptr=np.array([0, 2, 1])), r": indptr\[2\] is 1, less than indptr\[1\]"),
    (own_npz(indptr=np.array([0.0, 1, 1])), r": indptr has dtype float64: expected integers"),
    (own_npz(indices=np.array([2])), r": indices\[0\] is 2, but the graph has 2 vertices"),
    (own_npz(indices=np.array([{}], object)), r": array indices has dtype 'object': expected numbers"),
    (own_npz(owner=np.array([0])), r": owner has 1 entries: expected 2, one a vertex"),
    (own_npz(owner=np.array([0, 3])), r": owner\[1\] is 3: expected 0 or 1"),
    (own_npz(terminal=np.array([0, 4])), r": terminal\[1\] is 4: expected"),
    (own_npz(names=np.array(["a", "a"])), r": names\[1\] is 'a', and so is names\[0\]: names differ"),
    (own_npz(names=np.array([1.5, 2])), r": array names has shape \(2,\) and dtype float64"),
    (own_npz(value=np.array([1, 2])), r": no remoteness: expected value and remoteness, or neither"),
    (own_npz(best=np.array([1, -1])), r": best without value and remoteness"),
    (own_npz(value=np.array([1, 5]), remoteness=np.array([1, 0])), r": value of vertex 1 is 5"),
    (own_npz(value=np.array([1, 2]), remoteness=np.array([2, 0])), r": remoteness of vertex 0 is 2"),
    (own_npz(value=np.array([1, 2, 2]), remoteness=np.array([1, 0])), r": value has 3 entries"),
    (own_npz(value=np.array([0, 2]), remoteness=np.array([1, 0])), r": vertex 0 is a draw with "
     r"remoteness 1: expected none for a draw, and only there"),
    (own_npz(value=np.array([1, 2]), remoteness=np.array([1, -1])), r": vertex 1 is a loss with "
     r"remoteness none"),
    (own_npz(value=np.array([1, 2]), remoteness=np.array([1, 0]), best=np.array([0, -1])),
     r": best of vertex 0 is 0: expected a successor"),
    (own_npz(stuck="draw"), r": stuck 'draw': expected loss, win or tie"),
    (own_npz(start=2), r": start 2: expected a vertex, 0\.\.1"),
    (npy_claiming("(1000000000000,)"), r": array indptr has shape \(1000000000000,\) .* but 0 bytes"),
    (npy_claiming("(-1,)", body=bytes(8)), r": array indptr has shape \(-1,\)"),
    (npy_claiming("(4,)", "|O", bytes(32)), r": array indptr has dtype 'object'"),
    (npy_claiming("nonsense"), r": damaged archive"),
    (bomb(), r": array indptr claims 3000000000 bytes: expected what is there"),
    (npz(format=b"coo", shape=(1, 1), data=[1], row=[0], col=[0]), r": a sparse matrix of format b'coo': "
     r"expected csr, which A\.tocsr\(\) gives"),
    (npz(format=b"csr", shape=(1, 2), data=[1], indices=[1], indptr=[0, 1]), r": a matrix of shape "
     r"\[1, 2\] with 2 row starts: expected a square one"),
    (npz(format=b"csr", shape=(1, 1), data=[1]), r": no array indptr: expected a csr matrix"),
    (npz(format=b"csr", shape=(1, 1), data=[1, 1], indices=[0], indptr=[0, 1]), r": 2 entries for 1"),
]  # fmt: skip

PG = [
    ("", r": no statements: expected 'id priority owner successors;'"),
    ("parity 7;\n0 0 0 0;\n", r", line 1: 'parity 7;' but there are 1 vertices, the largest 0"),
    ("parity 0;\nparity 0;\n0 0 0 0;\n", r", line 2: 'parity 0;': expected 'parity N;' once and first"),
    ("start 0;\nparity 0;\n0 0 0 0;\n", r", line 2: 'parity 0;': expected 'parity N;' once"),
    ("parity 0;\nstart 3;\n0 0 0 0;\n", r", line 2: start 3: expected a vertex that has a statement"),
    ("0 0 0 1;\n1 0 2 0;\n", r", line 2: '1 0 2 0;': expected owner 0 or 1 after the priority"),
    ("0 0 0 0;\n1 0 1 7;\n", r", line 2: successor 7: expected a vertex that has a statement"),
    ("0 0 0 0;\n0 0 1 0;\n", r", line 2: vertex 0 for the second time: expected one statement"),
    ("0 0 0;\n", r", line 1: '0 0 0;': expected at least one successor"),
    ('0 0 0 "a";\n', r", line 1: '0 0 0 \"a\";': expected at least one successor"),
    ("0 0 0 0\n", r", line 1: '0 0 0 0': expected 'id priority owner successors \"name\";' with its ;"),
    ("0 0 0 0;\n1 0 1 0,\n", r", line 2: '1 0 1 0,': expected .* with its ;"),
    ('0 0 0 0 "a;\n', r", line 1: .*: expected a quote at the end of the name, on the same line"),
    ("0 0 0 0;\n-1 0 0 0;\n", r", line 2: '-1 0 0 0;': expected 'id priority owner"),
    ("parity game\n", r", line 1: 'parity game': expected"),
    ("0 0 0 " + "9" * 30 + ";\n", r", line 1: .*: expected numbers of at most 18 digits"),
    ("0 0 0 0;\xff".encode("latin-1"), r", line 1: byte b'\\xff' is not UTF-8"),
    ('0 0 0 1 "[win 9 -> 1]";\n1 0 0 1 "[win 0]";\n', r": remoteness of vertex 0 is 9: expected -1 to 1"),
    ('0 0 0 1 "[win 1 -> 5]";\n1 0 0 1 "[win 0]";\n', r": best of vertex 0 is -2"),
    ('0 0 0 1 "[draw 1]";\n1 0 0 1 "[win 0]";\n', r": vertex 0 is a draw with remoteness 1"),
]  # fmt: skip

GRAPHML = [
    ("", r", line 1: no element found: expected GraphML"),
    ("<graphml>\n<graph edgedefault='directed'>\n<node id='a'></graph>", r", line 3: mismatched tag: expected"),
    ("<graphml>\n\n&x;</graphml>", r", line 3: undefined entity: expected GraphML"),
    ("<gexf></gexf>", r": file not successfully read as graphml: expected GraphML"),
    ("<graphml></graphml>", r": file not successfully read as graphml: expected GraphML"),
    (graphml("<node/>"), r": a node without id, or an edge without source or target: expected GraphML"),
    (graphml("<node id='a'/>\n<node id='a'/>"), r": node 'a': expected one graph, and each node once in it"),
    (graphml(f"{TWO}\n<edge source='a'/>"), r": a node without id, or an edge without source or target"),
    (graphml(f"{TWO}\n<edge source='a' target='c'/>"), r": edge at 'c': expected the id of a node"),
    (graphml(f"{TWO}<node id='a'/><edge source='a' target='c'/>"), r": node 'a': expected one graph"),
    (graphml(f"{TWO}<edge source='a' target='b' directed='false'/>"),
     r": directed=false edge found in directed graph: expected GraphML"),
    (graphml(TWO).replace("</graphml>", "<graph edgedefault='directed'><node id='c'/></graph></graphml>"),
     r": node 'c': expected one graph, and each node once in it"),
    (graphml("<hyperedge/>"), r": GraphML reader doesn't support hyperedges: expected GraphML"),
    (graphml("<data key='k'/>"), r": Bad GraphML data: no key k: expected GraphML"),
    (graphml("", "<key id='k' for='node' attr.name='owner' attr.type='number'/>"),
     r": unknown 'number': expected GraphML"),
    (graphml("<node id='a'><data key='k'>x</data></node>",
     "<key id='k' for='node' attr.name='owner' attr.type='int'/>"), r": invalid literal for int.*: expected"),
    ('<!DOCTYPE x\n[<!ENTITY a "b">]>' + graphml(TWO), r", line 2: an entity: expected none but those of XML"),
    ('<?xml version="1.0" encoding="nonsense"?>' + graphml(TWO), r": unknown encoding: nonsense: expected"),
    (graphml('<node id="a"><data key="owner">3</data></node>', NODE_KEYS), r", node 'a': owner '3': "
     r"expected 0 or 1"),
    (graphml('<node id="a"><data key="owner">1</data></node><node id="b"/>', NODE_KEYS),
     r": vertex 'b' has no owner, others have one: expected all or none"),
    (graphml('<node id="a"><data key="terminal">draw</data></node>', NODE_KEYS),
     r", node 'a': terminal 'draw': expected win, loss, tie or nothing"),
    (graphml('<node id="a"><data key="start">1</data></node><node id="b"><data key="start">true</data>'
     '</node>', NODE_KEYS), r": start at 'a' and at 'b': expected one"),
    (graphml('<node id="a"><data key="value">win</data><data key="remoteness">0</data>'
     '<data key="best">c</data></node>', NODE_KEYS), r", node 'a': best 'c': expected a vertex"),
    (graphml('<data key="stuck">never</data>',
     '<key id="stuck" for="graph" attr.name="stuck"/>'), r": stuck 'never': expected loss, win or tie"),
    (graphml('<data key="v">2</data>', '<key id="v" for="graph" attr.name="retrosolve"/>'),
     r": version '2': expected 1"),
    (graphml('<data key="v">1</data><data key="a">owner size</data>', '<key id="v" for="graph" '
     'attr.name="retrosolve"/><key id="a" for="graph" attr.name="attributes"/>'),
     r": attribute 'size': expected owner, player, terminal"),
    (graphml('<data key="v">1</data>', '<key id="v" for="graph" attr.name="retrosolve"/>').replace(
     '"directed"', '"undirected"'), r": undirected edges: expected edgedefault 'directed'"),
]  # fmt: skip

DOT = [
    ("", r", line 1: column 1, Expected .*: expected DOT"),
    ("{}", r", line 1: column 1, Expected .*, found '\{': expected DOT"),
    ("digraph", r", line 1: column 8, Expected .*, found end of text: expected DOT"),
    ("digraph {\n a -> b\n", r", line 3: column 1, Expected .*, found end of text: expected DOT"),
    ("digraph { a -- b }", r", line 1: '--': expected '->'"),
    ("graph {\n a -> b }", r", line 2: '->': expected '--'"),
    ("digraph { a -> }", r", line 1: column 13, .*, found '-': expected DOT"),
    ("digraph { }\ndigraph { }", r", line 1: 'digraph \{ \}' after the graph: expected one graph, and"),
    ("digraph {\n} }", r", line 2: '\}' after the graph: expected one graph, and nothing else"),
    ('digraph {\n "a }', r", line 2: column 2, .*: expected DOT"),
    ('digraph {\n "' + "9" * 5000, r", line 2: column 2, .*: expected DOT"),
    ('digraph {\n "' + r"\"" * 100_000, r", line 2: column 2, .*: expected DOT"),
    ("digraph {\n\n/* a }", r", line 3: column 1, .*: expected DOT"),
    ("digraph {\n <a }", r", line 2: column 2, .*: expected DOT"),
    ("digraph { a\n [owner=0 }", r", line 2: column 2, .*, found '\[': expected DOT"),
    ("digraph { a [owner=0, ] b ] }", r", line 1: column 27, .*, found '\]': expected DOT"),
    ("digraph {;}", r", line 1: column 10, .*, found ';': expected DOT"),
    ("digraph { a; subgraph s -> a }", r": 'subgraph' as a node: expected a name, keywords in quotes"),
    ("digraph { a -> Node }", r": 'Node' as a node: expected a name, keywords in quotes"),
    ("digraph { a [name=x] }", r": .*multiple values for argument 'name': expected DOT"),
    ("digraph { a [owner=3] }", r", node 'a': owner '3': expected 0 or 1"),
    ("digraph { node [owner=1]; a }", r": owner for all nodes: expected it at each node"),
    ("digraph { edge [reward=3]; a -> b }", r": reward for all edges: expected it at each edge"),
    ("graph { { edge [weight=3]; a -- b } a [owner=2]; b [owner=2] }", r": weight for all edges: expect"),
    ("digraph { { node [label=x owner=1]; a } }", r": owner for all nodes: expected it at each node"),
    ("digraph { a [owner=1]; b }", r": vertex 'b' has no owner, others have one"),
    ("digraph { graph [retrosolve=9]; }", r": version '9': expected 1"),
    ("digraph { retrosolve=1; attributes=size }", r": attribute 'size': expected owner, player, terminal"),
    ("digraph { stuck=x }", r": stuck 'x': expected loss, win or tie"),
    ('digraph { a [value=win, remoteness=1] b }', r": vertex 'b' has no value: expected one"),
    ('digraph { a [value=win, remoteness=x] }', r", node 'a': remoteness 'x': expected a whole number"),
    ('digraph { a [value=win, remoteness=0, best=c] }', r", node 'a': best 'c': expected a vertex"),
    ("digraph {\n" + "{" * 200 + "}" * 200, r", line 2: '\{': expected blocks at most 8 deep"),
]  # fmt: skip

PARQUET = [
    (b"", r": .*: expected a Parquet file"),
    (b"PAR1" + bytes(100) + b"PAR1", r": .*: expected a Parquet file"),
    (own_parquet()[:-20], r": .*: expected a Parquet file"),
    (parquet({"a": [1]}), r": columns \['a'\]: expected successors, or source and target"),
    (own_parquet(vertex=[1, 0]), r": column vertex is not 0, 1, 2 and so on"),
    (own_parquet(vertex=["a", "b"]), r": column vertex has type string: expected whole numbers"),
    (own_parquet(successors=[1, 2]), r": column successors has type int64: expected lists of vertices"),
    (own_parquet(successors=[[1], None]), r": column successors has nulls"),
    (own_parquet(successors=[[1], [None]]), r": column successors has nulls: expected a number"),
    (own_parquet(successors=[[1], [2]]), r": indices\[1\] is 2, but the graph has 2 vertices"),
    (own_parquet(owner=[0, None]), r": column owner has nulls"),
    (own_parquet(owner=[0, 3]), r": owner\[1\] is 3: expected 0 or 1"),
    (own_parquet(terminal=["draw", None]), r": terminal\[0\] is 'draw': expected win, loss, tie or null"),
    (own_parquet(terminal=[1, 2]), r": terminal\[0\] is 1: expected win"),
    (own_parquet(name=["a", None]), r": name\[1\] is None: expected text or a whole number"),
    (own_parquet(value=["win", None], remoteness=[1, 0]), r": value\[1\] is None: expected win, loss"),
    (own_parquet(value=["win", "loss"]), r": no remoteness: expected value and remoteness, or neither"),
    (own_parquet(value=["win", "loss"], remoteness=["1", "0"]), r": column remoteness has type string"),
    (own_parquet({"retrosolve": "3"}), r": version '3': expected 1"),
    (own_parquet({"stuck": "x"}), r": stuck 'x': expected loss, win or tie"),
    (own_parquet({"start": "x"}), r": start 'x': expected a vertex, 0\.\.1"),
    (parquet({"source": [0], "target": [-1]}), r": target\[0\] is -1: expected 0 or more"),
    (parquet({"source": [0], "target": [0.5]}), r": target\[0\] is 0\.5: expected a whole number or a name"),
    (parquet({"source": ["a"], "target": [None]}), r": target\[0\] is missing: expected a whole number"),
    (parquet({"src": [0], "dst": [1], "SRC": [1]}), r": two columns 'src': expected one"),
]  # fmt: skip

JSON = [
    (b"", r", line 1: column 1, .*: expected JSON"),
    (b'{"format": "retrosolve",\n x}', r", line 2: column 2, .*: expected JSON"),
    (b"[1]", r": \[1\]: expected an object"),
    (b'{"vertices": NaN}', r": NaN is not JSON: expected a number"),
    (b'{"vertices": 1, "vertices": 1}', r": key 'vertices' twice: expected it once"),
    (b"[" * 100_000, r": lists within lists too deep|: column"),
    (b'{"vertices": ' + b"9" * 5000 + b"}", r": .*: expected smaller numbers"),
    (own_json(version=2), r": version 2: expected 1"),
    (own_json(version=True), r": version True: expected 1"),
    (own_json(format="chess"), r": format 'chess': expected 'retrosolve'"),
    (own_json(weights=1), r": unknown key 'weights': expected format, version"),
    (own_json(vertices=-1), r": vertices is -1: expected a whole number, 0 or more"),
    (own_json(vertices=2.0), r": vertices is 2\.0: expected a whole number"),
    (own_json(vertices=10**15), r": successors has 2 entries: expected 1000000000000000"),
    (own_json(successors=None), r": no successors: expected a list of lists"),
    (own_json(successors={"0": [1]}), r": successors is \{'0': \[1\]\}: expected a list"),
    (own_json(successors=[[1], 0]), r": successors\[1\] is 0: expected a list"),
    (own_json(successors=[[1], [2]]), r": successors\[1\]\[0\] is 2: expected a vertex, 0\.\.1"),
    (own_json(successors=[[True], []]), r": successors\[0\]\[0\] is True: expected a vertex"),
    (own_json(names=["a", 1.5]), r": names\[1\] is 1\.5: expected text or a whole number"),
    (own_json(names=["a", "a"]), r": names\[1\] is 'a', and so is names\[0\]"),
    (own_json(owner=[0, False]), r": owner\[1\] is False: expected 0 or 1"),
    (own_json(terminal=["draw", None]), r": terminal\[0\] is 'draw': expected win, loss, tie or null"),
    (own_json(stuck=3), r": stuck 3: expected loss, win or tie"),
    (own_json(start=2), r": start 2: expected a vertex"),
    (own_json(start=[]), r": start \[\]: expected a vertex"),
    (own_json(value=["win", None], remoteness=[1, 0]), r": value\[1\] is None: expected"),
    (own_json(value=["win", "loss"], remoteness=[1, -1]), r": remoteness\[1\] is -1: expected"),
    (own_json(value=["win", "loss"], remoteness=[1, 10**30]), r": remoteness\[1\] is 10+: expected"),
]  # fmt: skip

MALFORMED = [
    pytest.param(data.encode() if isinstance(data, str) else data, name, pattern, id=f"{name}-{i}")
    for name, cases in {
        "csv": CSV,
        "npz": NPZ,
        "pg": PG,
        "graphml": GRAPHML,
        "dot": DOT,
        "parquet": PARQUET,
        "json": JSON,
    }.items()
    for i, (data, pattern) in enumerate(cases)
]


@pytest.mark.thorough
@pytest.mark.parametrize(("data", "name", "pattern"), MALFORMED)
def test_malformed(
    tmp_path: Path,
    data: bytes,
    name: str,
    pattern: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / f"bad.{name}"
    path.write_bytes(data)
    with pytest.raises(rs.FormatError) as raised:
        read_graph_file(path)
    text = str(raised.value)
    assert "\n" not in text
    assert len(text) < 500
    assert text.startswith(str(path))
    assert re.match(pattern, text[len(str(path)) :]), text
    assert "expected" in text or "names differ" in text or "the graph has" in text
    assert capfd.readouterr() == ("", "")


@pytest.mark.thorough
def test_more_edges_between_groups_than_a_short_file_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = (" ".join(f"{name}{i}" for i in range(50)) for name in "ab")
    data = f"digraph {{ {{{left}}} -> {{{right}}} }}".encode()
    monkeypatch.setattr(dot, "EDGES_BETWEEN_GROUPS", 50 * 50 - 100 * len(data))
    assert read_graph_file(io.BytesIO(data), "dot").graph.num_edges == 50 * 50
    monkeypatch.setattr(dot, "EDGES_BETWEEN_GROUPS", 50 * 50 - 1 - 100 * len(data))
    with pytest.raises(rs.FormatError, match=r"over 2499 edges between groups: expected fewer"):
        read_graph_file(io.BytesIO(data), "dot")


TABLES = [
    ("owner\n0\n", {}, r": header 'owner': expected one column called vertex, name or id"),
    ("", {}, r", line 1: header '': expected one column"),
    ("vertex,name\n0,a\n", {}, r", line 1: header 'vertex,name': expected one column"),
    ("vertex,owner,owner\n0,1,1\n", {}, r", line 1: two columns 'owner': expected one"),
    ("vertex,owner\n0\n", {}, r", line 2: 1 cells: expected 2, as the header has"),
    ("vertex,owner\nx,0\n", {}, r", line 2: vertex 'x': expected a whole number, 0 or more"),
    ("vertex,owner\n0,0\n0,1\n", {}, r", line 3: vertex 0 for the second time: expected one row"),
    ("vertex,owner\n0,0\n1,3\n", {}, r", line 3: owner '3': expected 0 or 1"),
    ("vertex,owner\n0,0\n", {}, r": vertex 1 has no owner, others have one: expected all or none"),
    ("vertex,owner\n0,0\n1,\n", {}, r": vertex 1 has no owner, others have one"),
    ("vertex\n" + "9" * 19 + "\n", {}, r", line 2: vertex '999.*: expected a whole number, 0 or more, of at most 18"),
    ("vertex,terminal\n0,lost\n", {}, r", line 2: terminal 'lost': expected win, loss, tie or nothing"),
    ("vertex,stuck\n0,loss\n", {}, r", line 2: vertex 0 is called stuck but has moves: expected none"),
    ("vertex,stuck\n2,loss\n3,win\n", {}, r", line 3: stuck 'win' after 'loss': expected one of them"),
    ("vertex,stuck\n2,never\n", {}, r", line 2: stuck 'never': expected loss, win or tie"),
    ("vertex,start\n0,1\n1,1\n", {}, r": start at 0 and at 1: expected one"),
    ("vertex,value,remoteness\n0,win,1\n", {}, r": vertex 1 has no value: expected one"),
    ("vertex,value,remoteness\n0,won,1\n1,loss,0\n", {}, r", line 2: value 'won': expected win, loss"),
    ("vertex,value,remoteness\n0,win,1\n1,loss,-1\n", {}, r", line 3: remoteness '-1': expected a whole"),
    ("vertex,value,remoteness\n0,win,1\n1,loss,\n", {}, r": vertex 1 is a loss with remoteness none"),
    ("vertex,value,remoteness,best\n0,win,1,7\n1,loss,0,\n", {}, r", line 2: best '7': expected a vertex"),
    ("vertex,value,remoteness,best\n0,win,1,0\n1,loss,0,\n", {}, r": best of vertex 0 is 0: expected a"),
    ("name,owner\na,0\na,1\n", {}, r", line 3: vertex 'a' for the second time"),
    ("id,owner\nx,0\n", {"names": False}, r", line 2: vertex 'x': expected a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "options", "pattern"), TABLES)
def test_malformed_vertex_tables(
    tmp_path: Path, table: str, options: dict[str, Any], pattern: str
) -> None:
    (tmp_path / "g.csv").write_text("source,target\n0,1\n")
    path = tmp_path / "g.vertices.csv"
    path.write_text(table)
    with pytest.raises(rs.FormatError) as raised:
        read_graph_file(tmp_path / "g.csv", **options)
    text = str(raised.value)
    assert text.startswith(str(path)), text
    assert re.match(pattern + "|, line 1" + pattern, text[len(str(path)) :]), text


def test_numbers_asked_for_and_names_found(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("0,1\n1,2\nx,2\n")
    with pytest.raises(
        rs.FormatError,
        match=r"line 3: vertex 'x' in a file of numbers: expected a whole number, 0 or more$",
    ):
        read_graph_file(path, names=False)


@pytest.mark.parametrize(("kind", "names"), [("vertex", True), ("name", False)])
def test_a_vertex_table_of_the_other_kind(tmp_path: Path, kind: str, names: bool) -> None:
    (tmp_path / "g.csv").write_text("0,1\n")
    (tmp_path / "g.vertices.csv").write_text(f"{kind}\n0\n1\n")
    with pytest.raises(rs.FormatError, match=r"g\.csv: its vertex table has (names|numbers)"):
        read_graph_file(tmp_path / "g.csv", names=names)


PACKED = gzip.compress(b"source,target\n0,1\n" * 1000, mtime=0)


@pytest.mark.parametrize(
    ("data", "pattern"),
    [
        (b"", r"starts with b'': expected gzip data"),
        (b"0,1\n", r"starts with b'0,': expected gzip data"),
        (PACKED[:-9], r"damaged gzip data, .*end-of-stream"),
        (PACKED[:-8] + bytes(8), r"damaged gzip data, CRC check failed"),
        (PACKED[:12] + b"\xff" * 20 + PACKED[32:], r"damaged gzip data"),
        (PACKED + b"more", r"damaged gzip data"),
    ],
)
def test_damaged_gzip(tmp_path: Path, data: bytes, pattern: str) -> None:
    path = tmp_path / "g.csv.gz"
    path.write_bytes(data)
    with pytest.raises(rs.FormatError, match=rf"^{re.escape(str(path))}: {pattern}"):
        read_graph_file(path)


def test_a_file_without_an_answer_is_no_solution(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("0,1\n")
    with pytest.raises(rs.FormatError, match=r"g\.csv holds no value and remoteness"):
        read_solution(path)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", r", line 1: '': expected 'paritysol N;'"),
        ("0 2;", r", line 1: '0 2;': expected 'paritysol N;' and 'id winner successor;'"),
        ("0 0;\n0 1;", r", line 2: vertex 0 for the second time"),
        ("paritysol 9;\n0 0;", r", line 1: 'paritysol 9;' but the largest vertex is 0"),
        ("paritysol 1;\n0 0;\n\n1 1", r", line 4: '1 1': expected"),
    ],
)
def test_malformed_solutions_of_parity_games(tmp_path: Path, text: str, pattern: str) -> None:
    path = tmp_path / "g.sol"
    path.write_text(text)
    with pytest.raises(rs.FormatError, match=re.escape(str(path)) + pattern):
        read_pgsolver_solution(path)


@pytest.mark.thorough
def test_more_than_the_memory_is_refused_before_it_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A million equal values are a few bytes; so are a million zeros, packed.
    n = 1_000_000
    files = {
        "g.parquet": parquet({"successors": pa.array([[]] * n, pa.list_(pa.int32()))}),
        "l.parquet": parquet({"successors": pa.array([[0] * 2000] * 1000, pa.list_(pa.int32()))}),
        "g.npz": npz(version=1, indptr=np.zeros(n, np.int64), indices=np.zeros(0, int)),
        "g.csv.gz": gzip.compress(bytes(8 * n)),
    }
    limit = memory.Limit("machine", 8_500_000, 8_500_000)
    monkeypatch.setattr(memory, "limits", lambda: [limit])
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(rs.MemoryBudgetError, match=rf"^reading .*{name} needs about"):
            read_graph_file(tmp_path / name)
