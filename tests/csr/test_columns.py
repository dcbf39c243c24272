"""Edges in the columns of pandas, Polars and Arrow, and as pairs."""

import random
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
    "polars enum": lambda x: pl.Series(x, dtype=pl.Enum(sorted({*x} - {None}, reverse=True))),
    "arrow": pa.array,
    "arrow in pieces": lambda x: pa.chunked_array([pa.array(x[:1]), pa.array(x[1:])]),
    "arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "arrow dictionaries": lambda x: pa.chunked_array(
        [pa.array(x[1:]).dictionary_encode(), pa.array(x[:1]).dictionary_encode()][::-1]
    ),
    "arrow views": lambda x: pa.array(x, pa.string_view()),
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


def subject(seed: int) -> tuple[list[str], list[str], list[str]]:
    """Rows of vertices, sources and targets; some names in only one of them, some not ASCII."""
    rng = random.Random(seed)
    names = [rng.choice(["", "a", "ü", "\0", " "]) + str(i) for i in range(12)]
    source = rng.choices(names[:9], k=20)
    target = rng.choices(names[3:], k=20)
    return rng.sample([*names, "alone"], 6), source, target


@pytest.mark.parametrize("other", ["pandas str", "pandas category", "tuple"])
@pytest.mark.parametrize("kind", TEXT)
def test_text_is_numbered_in_order_of_first_appearance(kind: str, other: str) -> None:
    for seed in range(2):
        rows, source, target = subject(seed)
        graph = Graph.from_edges(TEXT[kind](source), TEXT[other](target))
        names = list(dict.fromkeys(name for edge in zip(source, target, strict=True) for name in edge))
        assert graph.names == tuple(names)
        assert sorted(zip(source, target, strict=True)) == sorted(
            (graph.names[v], graph.names[w]) for v in range(len(names)) for w in graph.neighbors(v)
        )
        assert [graph.index(name) for name in names] == list(range(len(names)))
        if kind != "generator":
            columns = {"source": TEXT[kind](source), "target": TEXT[other](target)}
            wide = Graph.from_pandas(columns, vertices={"id": TEXT[kind](rows)}, vertex="id")
            assert wide.names == tuple(dict.fromkeys(rows + names))
            assert wide.num_edges == len(source)


@pytest.mark.parametrize(
    "kind", [kind for kind in TEXT if kind.startswith(("pandas", "polars", "arrow"))]
)
def test_missing_entries_are_refused(kind: str) -> None:
    with pytest.raises(rs.GraphError, match=r"target\[2\] is missing"):
        Graph.from_edges(TEXT[kind](["b", "a", "b"]), TEXT[kind](["a", "c", None]))


def test_names_that_arrow_cannot_hold_are_numbered_too() -> None:
    pair = ["\ud800", "b"]
    source, target = (pd.Series(names, dtype=object) for names in (pair, pair[::-1]))
    assert Graph.from_edges(source, target).names == ("\ud800", "b")


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


def test_many_categories_are_numbered_as_names_are() -> None:
    rng = np.random.default_rng(0)
    source, target = np.char.add("v", rng.integers(0, 300, (2, 2000)).astype(str))
    by_list = Graph.from_edges(source.tolist(), target.tolist())
    frame = pd.DataFrame({"a": source, "b": target}).astype("category")
    assert Graph.from_edges(frame.a, frame.b) == by_list
    assert Graph.from_edges(frame.a, target) == by_list


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
    with pytest.raises(rs.GraphError):
        rs.Graph.from_edges([1, number], [1, 2])
    with pytest.raises(rs.GraphError):
        rs.Graph.from_edges([0], [1], owner={0: number, 1: 0})


@pytest.mark.parametrize("kind", MIXED)
@pytest.mark.parametrize("text", ["7", "007", " 7.0", "-7"])
def test_text_that_looks_like_a_number_among_numbers_raises(kind: str, text: str) -> None:
    # as pandas reads a column of ids in parts of different types
    with pytest.raises(rs.GraphError):
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
