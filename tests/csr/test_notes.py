"""Notes on names: which there are for names that may be a slip, the same through every door."""

import io
import logging
from collections.abc import Callable
from decimal import Decimal

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import read_graph, write
from retrosolve.spaces.csr.notes import WORDS, of_names

MISSING = [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("nan")]


@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_missing_vertices_are_refused(missing: object) -> None:
    network = nx.DiGraph([("a", "b")])
    network.add_nodes_from([] if missing is None else [missing])  # NetworkX refuses None
    with pytest.raises(rs.GraphError, match="missing"):
        rs.Graph.from_dict({"a": [missing]})  # type: ignore[list-item]
    with pytest.raises(rs.GraphError, match="missing"):
        rs.Graph.from_csr([0, 0, 0], [], names=["a", missing])  # type: ignore[list-item]
    if missing is not None:
        with pytest.raises(rs.GraphError, match="missing"):
            rs.Graph.from_networkx(network)


def test_what_networkx_makes_of_missing_cells_is_refused() -> None:
    frame = pd.DataFrame({"source": ["a", None, "c"], "target": ["b", "a", None]})
    network = nx.from_pandas_edgelist(frame, create_using=nx.DiGraph)
    with pytest.raises(rs.GraphError, match="missing"):
        rs.Graph.from_networkx(network)


DOORS: dict[str, Callable[[list[str], list[str]], rs.Graph]] = {
    "lists": rs.Graph.from_edges,
    "pandas": lambda source, target: rs.Graph.from_pandas(
        pd.DataFrame({"source": source, "target": target})
    ),
    "networkx": lambda source, target: rs.Graph.from_networkx(
        nx.DiGraph([*zip(source, target, strict=True)])
    ),
    "dictionary": lambda source, target: rs.Graph.from_dict(
        {v: [w] for v, w in zip(source, target, strict=True)}
    ),
    **{
        kind: lambda source, target, kind=kind: _stored(kind, source, target)
        for kind in ("csv", "json", "parquet")
    },
}


def _stored(kind: str, source: list[str], target: list[str]) -> rs.Graph:
    """Return a graph that was written to a file and read again."""
    file = io.BytesIO()
    if kind == "csv":
        file.write("".join(f"{v},{w}\n" for v, w in zip(source, target, strict=True)).encode())
    else:
        write(rs.Graph.from_edges(source, target), file, kind)
    file.seek(0)
    logging.getLogger("retrosolve").handlers[0].records.clear()  # type: ignore[attr-defined]
    return read_graph(file, kind)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (["a", "b"], ["b", "NaN"], "'NaN' is a vertex"),
        (["a", "b"], ["b", "null"], "'null' is a vertex"),
        (["\u00e9", "b"], ["b", "e\u0301"], "names differ from others"),
        (["\u0623", "b"], ["b", "\u0627\u0654"], "names differ from others"),
        (["a", "b"], ["b", "banana"], None),
        (["\u00e9", "b"], ["b", "\u00e8"], None),
    ],
)
def test_a_note_is_the_same_through_every_door(
    door: str, source: list[str], target: list[str], expected: str | None
) -> None:
    heard: list[str] = []

    class Listener(logging.Handler):
        records = heard

        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage())

    logger, listener = logging.getLogger("retrosolve"), Listener()
    logger.handlers.insert(0, listener)
    try:
        DOORS[door](source, target)
    finally:
        logger.removeHandler(listener)
    assert len(heard) == (expected is not None)
    assert expected is None or expected in heard[0]


def test_names_that_differ_by_blanks_are_noted_once() -> None:
    notes = of_names(["a", "a ", " a", "b", "b\xa0", "c d"])
    assert len(notes) == 1
    assert notes[0].endswith("3 of them, such as 'a' and 'a '")


@pytest.mark.parametrize(("source", "target", "noted"), [
    ([1], [3], True), ([1, 2], [2, 1], True), ([0, 1], [1, 2], False), ([10**12], [7], True)
])  # fmt: skip
def test_numbers_that_are_left_out_are_noted(
    source: list[int], target: list[int], noted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    rs.Graph.from_edges(source, target)
    assert bool(caplog.records) is noted
    if noted:
        assert f"vertices={max(*source, *target) + 1}" in caplog.text
    caplog.clear()
    if max(source) < 10:
        rs.Graph.from_edges(source, target, vertices=4)
    rs.Graph.from_pandas({"source": source, "target": target})
    read_graph(io.BytesIO(f"{source[0]},{target[0]}\n".encode()), "csv")
    assert not caplog.records


@given(
    st.lists(
        st.text(alphabet="aN u\u0301\u00fa\0\ud800\xa0\n", max_size=3) | st.sampled_from(sorted(WORDS)),
        unique=True,
    )
)
def test_notes_are_those_of_looking_at_each_name(names: list[str]) -> None:
    import unicodedata

    notes = of_names(names)
    alike = len(names) - len({unicodedata.normalize("NFC", name).strip() for name in names})
    words = [name for name in names if name in WORDS]
    assert len(notes) == bool(words) + bool(alike)
    assert not alike or f": {alike} of them" in notes[-1]
