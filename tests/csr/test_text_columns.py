"""Columns of text of every library: numbered as a dictionary numbers them, edge by edge."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import retrosolve as rs

COLUMNS: dict[str, Callable[[list[str]], Any]] = {
    "pandas": pd.Series,
    "objects": lambda names: pd.Series(names, dtype=object),
    "categories": lambda names: pd.Series(names, dtype="category"),
    "polars": pl.Series,
    "arrow": pa.array,
    "chunks": lambda names: pa.chunked_array([names[:3], names[3:]]),
    "views": lambda names: pa.array(names, pa.string_view()),
    "list": list,
}


def subject(seed: int) -> tuple[list[str], list[str], list[str]]:
    """Rows of vertices, sources and targets; some names in only one of them, some not ASCII."""
    rng = random.Random(seed)
    names = [rng.choice(["", "a", "ü", "\0", " "]) + str(i) for i in range(12)]
    source = rng.choices(names[:9], k=20)
    target = rng.choices(names[3:], k=20)
    return rng.sample([*names, "alone"], 6), source, target


@pytest.mark.parametrize("other", ["pandas", "categories", "list"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_text_is_numbered_in_order_of_first_appearance(kind: str, other: str) -> None:
    for seed in range(3):
        rows, source, target = subject(seed)
        columns = {"source": COLUMNS[kind](source), "target": COLUMNS[other](target)}
        graph = rs.Graph.from_pandas(columns)
        names = list(dict.fromkeys(name for edge in zip(source, target, strict=True) for name in edge))
        assert graph.names == tuple(names)
        assert sorted(zip(source, target, strict=True)) == sorted(
            (graph.names[v], graph.names[w]) for v in range(len(names)) for w in graph.neighbors(v)
        )
        assert [graph.index(name) for name in names] == list(range(len(names)))
        wide = rs.Graph.from_pandas(columns, vertices={"id": COLUMNS[kind](rows)}, vertex="id")
        assert wide.names == tuple(dict.fromkeys(rows + names))
        assert wide.num_edges == len(source)


def test_text_with_missing_or_other_entries_is_refused_with_its_place() -> None:
    good = pd.Series(["a", "b", "c"])
    for bad in (
        pd.Series(["a", "b", None]),
        pd.Series(["a", "b", 1.5], dtype=object),
        pa.array(["a", "b", None]),
    ):
        with pytest.raises(rs.GraphError, match=r"source\[2\] is (missing|1.5): expected"):
            rs.Graph.from_edges(bad, good)
    mixed = rs.Graph.from_edges(pd.Series(["a", "b", 7], dtype=object), good)
    assert mixed.names == ("a", "b", 7, "c")


def test_names_that_arrow_cannot_hold_are_numbered_too() -> None:
    pair = ["\ud800", "b"]
    source, target = (pd.Series(names, dtype=object) for names in (pair, pair[::-1]))
    graph = rs.Graph.from_edges(source, target)
    assert graph.names == ("\ud800", "b")


def test_owners_and_terminal_values_may_be_given_by_name() -> None:
    source, target = pd.Series(["a", "b"]), pd.Series(["b", "c"])
    graph = rs.Graph.from_edges(source, target, owner={"a": 0, "b": 1, "c": 0}, terminal={"c": "win"})
    assert graph.owner.tolist() == [0, 1, 0]
    assert np.flatnonzero(graph.terminals).tolist() == [2]
    with pytest.raises(rs.GraphError, match="'x'"):
        rs.Graph.from_edges(source, target, terminal={"x": "win"})
