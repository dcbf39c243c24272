"""Edges in the columns of pandas, Polars and Arrow, and as pairs."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve import Graph
from retrosolve.spaces.csr import columns

TEXT = {
    "pandas str": pd.Series,
    "pandas object": lambda x: pd.Series(x, dtype="object"),
    "pandas string": lambda x: pd.Series(x, dtype="string"),
    "pandas string[pyarrow]": lambda x: pd.Series(x, dtype="string[pyarrow]"),
    "pandas category": lambda x: pd.Series(x, dtype="category"),
    "pandas other index": lambda x: pd.Series(x, index=[7] * len(x)),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars category": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars enum": lambda x: pl.Series(x, dtype=pl.Enum(["c", "b", "a", "z"])),
    "arrow": pa.array,
    "arrow in pieces": lambda x: pa.chunked_array([pa.array(x[:1]), pa.array(x[1:])]),
    "arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "arrow dictionaries": lambda x: pa.chunked_array(
        [pa.array(x[1:]).dictionary_encode(), pa.array(x[:1]).dictionary_encode()][::-1]
    ),
    "arrow large": lambda x: pa.array(x, pa.large_string()),
    "numpy": np.array,
    "numpy object": lambda x: np.array(x, object),
    "tuple": tuple,
    "generator": iter,
}
NUMBERS = {
    "pandas": pd.Series,
    "pandas Int64": lambda x: pd.Series(x, dtype="Int64"),
    "pandas object": lambda x: pd.Series(x, dtype="object"),
    "pandas category": lambda x: pd.Series(x, dtype="category"),
    "pandas arrow": lambda x: pd.Series(x, dtype="int64[pyarrow]"),
    "polars": pl.Series,
    "arrow": lambda x: pa.array(x, pa.uint8()),
    "arrow in pieces": lambda x: pa.chunked_array([[v] for v in x]),
    "polars Int128": lambda x: pl.Series(x, dtype=pl.Int128),
    "masked nowhere": np.ma.array,
    "object": lambda x: np.array(x, object),
    "dictionary view": lambda x: dict.fromkeys(x).keys(),
}
BY_LIST = Graph.from_edges(["b", "a", "b"], ["a", "c", "b"])


@pytest.mark.parametrize("kind", TEXT)
def test_columns_of_text(kind: str) -> None:
    make = TEXT[kind]
    assert BY_LIST.names == ("b", "a", "c")
    assert Graph.from_edges(make(["b", "a", "b"]), make(["a", "c", "b"])) == BY_LIST
    assert Graph.from_edges(make(["b", "a", "b"]), ["a", "c", "b"]) == BY_LIST


@pytest.mark.parametrize(
    "kind", [kind for kind in TEXT if kind.startswith(("pandas", "polars", "arrow"))]
)
def test_missing_entry_error_names_row(kind: str) -> None:
    with pytest.raises(
        rs.GraphError, match=r"target\[2\] is missing: expected a whole number or a name"
    ):
        Graph.from_edges(TEXT[kind](["b", "a", "b"]), TEXT[kind](["a", "c", None]))


@pytest.mark.parametrize("kind", NUMBERS)
def test_columns_of_whole_numbers(kind: str) -> None:
    graph = Graph.from_edges(NUMBERS[kind]([5, 3]), NUMBERS[kind]([3, 4]))
    assert graph == Graph.from_edges([5, 3], [3, 4])
    assert graph.names == (3, 4, 5)


@pytest.mark.parametrize("installed", [True, False])
def test_polars_without_pyarrow(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not installed:
        monkeypatch.setattr(columns, "find_spec", lambda name: None)
    source, target = pl.Series(["b", "a", "b"]), pl.Series(["a", "c", "b"])
    assert Graph.from_edges(source, target) == BY_LIST


@pytest.mark.thorough
def test_many_categories_are_numbered_as_names_are() -> None:
    rng = np.random.default_rng(0)
    source, target = np.char.add("v", rng.integers(0, 300, (2, 2000)).astype(str))
    by_list = Graph.from_edges(source.tolist(), target.tolist())
    frame = pd.DataFrame({"a": source, "b": target}).astype("category")
    assert Graph.from_edges(frame.a, frame.b) == by_list
    assert Graph.from_edges(frame.a, target) == by_list


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (pd.Series([1.0, 2.0]), r"source has dtype float64: expected integers or names"),
        (pd.Series([True, False]), r"source has dtype bool"),
        (pd.Series([(1, 2), (3, 4)]), r"source\[0\] is \(1, 2\): expected a whole number or a name"),
        (pd.Series(["a", 1.5]), r"source\[1\] is 1\.5: expected a whole number or a name"),
        (pd.Series([-1, 2]), r"source\[0\] is -1: expected 0 or more"),
        (pl.Series([0.5, 2.0]), r"source\[0\] is 0\.5"),
        (pa.array([[1], [2]]), r"source has type list<.*>: expected integers or names"),
        ([1, "a", 1.5], r"source\[2\] is 1\.5: expected a whole number or a name"),
        ([1, "a", True], r"source\[2\] is True: expected a whole number or a name"),
        ([1, None], r"source\[1\] is missing: expected a whole number"),
        (["a", 2.5], r"source\[1\] is 2\.5: expected a name"),
        (pd.Series([1.0, 2.0]), r"such as column\.astype\('int64'\)"),
        ([True, 2], r"source\[0\] is True: expected an integer"),
        ([2, np.True_], r"source\[1\] is np\.True_: expected an integer"),
        (np.array([2, True], object), r"source\[1\] is True: expected an integer"),
        (pd.Series([2**70, 7], dtype=object), rf"source\[0\] is {2**70}: expected at most {2**63 - 1}"),
        (pl.Series([1, 2**100], dtype=pl.Int128), r"source\[1\] is out of range: expected -2\^63"),
        (pd.MultiIndex.from_tuples([(0, 1), (0, 2)]), r"source has 2 levels: expected an index of one"),
        (
            np.ma.array([0, 1], mask=[0, 1]),
            r"source\[1\] is missing: expected a whole number or a name",
        ),
        (np.ma.array(["a", "b"], mask=[0, 1]), r"source\[1\] is None: expected a name"),
    ],
)
def test_other_columns_are_refused_with_the_reason(source: Any, message: str) -> None:
    with pytest.raises(rs.GraphError, match=message):
        Graph.from_edges(source, [2, 1])


MIXED: dict[str, Any] = {
    "list": list,
    "object array": lambda x: np.array(x, object),
    "series": pd.Series,
    "category": lambda x: pd.Series(x, dtype="category"),
}


@pytest.mark.parametrize("kind", MIXED)
def test_numbers_among_names_are_names(kind: str) -> None:
    graph = Graph.from_edges(MIXED[kind]([3, "a", 3]), MIXED[kind](["a", np.int64(7), "b"]))
    assert graph.names == (3, "a", 7, "b")
    assert [type(name) for name in graph.names or ()] == [int, str, int, str]
    assert str(rs.solve(graph)["a"]) == "WIN in 1"
    by_columns = Graph.from_edges([3, 4], MIXED[kind](["a", "b"]))
    assert by_columns.names == (3, "a", 4, "b")
    vertices = {"id": MIXED[kind](["b", 3, 7, "a"]), "owner": [0, 1, 0, 1]}
    edges = {"source": MIXED[kind]([3, "a", 3]), "target": MIXED[kind](["a", 7, "b"])}
    owned = Graph.from_pandas(edges, vertices=vertices, vertex="id")
    assert owned.owner is not None
    assert dict(zip(owned.names or (), owned.owner.tolist(), strict=True)) == {
        "b": 0,
        3: 1,
        7: 0,
        "a": 1,
    }


def test_whole_numbers_of_several_types_are_numbers() -> None:
    source, target = [np.int8(0), np.uint64(1)], [np.uint64(1), 2]
    graph = rs.Graph.from_edges(source, target, owner=[np.uint64(1), np.int16(0), 0])
    assert [graph.neighbors(v).tolist() for v in range(3)] == [[1], [2], []]
    assert graph.owner is not None
    assert graph.owner.tolist() == [1, 0, 0]


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**70])
def test_whole_number_of_more_than_64_bits_raises(number: int) -> None:
    with pytest.raises(rs.GraphError, match=r"source\[1\] is out of range: expected -2\^63"):
        rs.Graph.from_edges([1, number], [1, 2])
    with pytest.raises(rs.GraphError, match=r"owner\[0\] is .*: expected 0 or 1, or rs.CHANCE"):
        rs.Graph.from_edges([0], [1], owner={0: number, 1: 0})


@pytest.mark.parametrize("kind", MIXED)
@pytest.mark.parametrize("text", ["7", "007", " 7.0", "-7"])
def test_text_that_looks_like_a_number_among_numbers_raises(kind: str, text: str) -> None:
    # as pandas reads a column of ids in parts of different types
    message = rf"target\[1\] is '{text}' and another vertex is 3: expected numbers or text throughout"
    with pytest.raises(rs.GraphError, match=message):
        Graph.from_edges(MIXED[kind]([3, "a"]), MIXED[kind](["a", text]))
    assert Graph.from_edges(MIXED[kind](["a", "b"]), MIXED[kind](["b", text])).names == ("a", "b", text)


@pytest.mark.parametrize(
    "pairs",
    [
        [("b", "a"), ("a", "c"), ("b", "b")],
        (pair for pair in [["b", "a"], ("a", "c"), ("b", "b")]),
        np.array([["b", "a"], ["a", "c"], ["b", "b"]]),
        {("b", "a"): 1, ("a", "c"): 2, ("b", "b"): 3}.keys(),
    ],
    ids=["list", "generator", "array", "keys"],
)
def test_pairs(pairs: Any) -> None:
    assert Graph.from_edges(pairs) == BY_LIST


def test_pairs_of_numbers() -> None:
    assert Graph.from_edges([(0, 1), (1, 0)]) == Graph.from_edges([0, 1], [1, 0])
    assert Graph.from_edges(np.array([[0, 1], [1, 0]]), owner=[0, 1, 1]).num_vertices == 3
    assert (
        Graph.from_edges([]).num_vertices == Graph.from_edges(np.zeros((0, 2), int)).num_vertices == 0
    )


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 1), (0, 1, 2)], r"edge 1 is \(0, 1, 2\): expected a pair of vertices"),
        (["ab"], r"edge 0 is 'ab': expected a pair"),
        ([0, 1], r"edge 0 is 0: expected a pair"),
        (np.zeros((3, 3), int), r"an array of shape \(3, 3\): expected \[edges, 2\]"),
        ("ab", r"the edges are str: expected source and target, pairs"),
        ({"a": "b"}, r"the edges are dict: .* pairs of vertices, or Graph\.from_dict"),
        (pd.DataFrame({"u": [0], "v": [1]}), r"a table: .* Graph\.from_pandas\(table, \.\.\.\)"),
    ],
)
def test_non_pair_error_names_row(pairs: Any, message: str) -> None:
    with pytest.raises(rs.GraphError, match=message):
        Graph.from_edges(pairs)
