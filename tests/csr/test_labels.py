"""Edges between names: the numbers they get, by a dictionary and by the kernel."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.compilation import jit
from retrosolve.runtime import tuning
from retrosolve.spaces.csr import columns
from tests.conftest import Tune
from tests.support.marks import examples


def by_hand(edges: list[tuple[str, str]]) -> tuple[list[int], list[int], list[str]]:
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    return [names.index(a) for a, _ in edges], [names.index(b) for _, b in edges], names


def numbered(source: Any, target: Any) -> tuple[list[int], list[int], list[str]]:
    left, right, names = columns.factorize(source, target)
    return left.tolist(), right.tolist(), names


FORMS = {
    "lists": list,
    "objects": lambda names: np.array(names, object),
    "variable width": lambda names: np.array(names, np.dtypes.StringDType()),
}

# Few different letters, among them what numpy drops at the end and what takes the most room.
NAMES = st.text("ab\0é\U0001f600", max_size=6) | st.text(max_size=tuning.Tuning.max_label_length + 2)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", ["dictionary", "kernel", "kernel in plain Python"])
def test_names_are_numbered_in_order_of_first_appearance(form: str, way: str) -> None:
    @examples(100, 300)
    @given(st.lists(st.tuples(NAMES, NAMES), max_size=30))
    def check(edges: list[tuple[str, str]]) -> None:
        source, target = ([edge[side] for edge in edges] for side in (0, 1))
        compile_from = 10**9 if way == "dictionary" else 0
        with pytest.MonkeyPatch.context() as patch, tuning.using(compile_from=compile_from):
            if way == "kernel in plain Python":
                patch.setattr(jit, "compiled", lambda kernel: kernel)
            assert numbered(FORMS[form](source), FORMS[form](target)) == by_hand(edges)

    check()


@pytest.mark.parametrize("order", "<>")
def test_columns_of_fixed_width(order: str, tune: Tune) -> None:
    tune(compile_from=0)
    columns = np.array(["a", "bcd"], f"{order}U3"), np.array(["bcd", "éfghi"], f"{order}U5")
    assert numbered(*columns) == ([0, 1], [1, 2], ["a", "bcd", "éfghi"])


def test_so_many_names_that_the_table_grows(tune: Tune) -> None:
    tune(compile_from=0)
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 30_000, (2, 40_000))
    source, target = (np.char.add("v", column.astype(str)) for column in ids)
    left, right, names = columns.factorize(source, target)
    assert len(set(names)) == len(names) == len(np.unique(ids))
    assert names[left[0]] == source[0]
    assert (np.array(names)[left] == source).all()
    assert (np.array(names)[right] == target).all()
    both = np.stack([left, right], axis=1).ravel()
    assert (np.unique(both, return_index=True)[1].argsort() == np.arange(len(names))).all()


def test_very_long_names_take_the_room_of_their_letters(
    monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(compile_from=0)
    monkeypatch.setattr(jit, "compiled", None)
    assert numbered(["a"], ["b" * (tuning.Tuning.max_label_length + 1)])[2] == [
        "a",
        "b" * (tuning.Tuning.max_label_length + 1),
    ]


@pytest.mark.parametrize("compiling", [False, True])
def test_invalid_name_error_names_its_place(compiling: bool, tune: Tune) -> None:
    tune(compile_from=0 if compiling else 10**9)
    with pytest.raises(rs.GraphError, match=r"target\[1\] is 7\.5"):
        rs.Graph.from_edges(["a", "b"], ["b", 7.5])
