"""Manifests and arrays that make no sense although all checksums fit."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.store.specs import Origin, space_from
from tests.support.marks import samples
from tests.support.saved import reseal, with_all, with_array, with_entry, with_names
from tests.support.saved import saved as saved_kind


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return saved_kind("graph", tmp_path)


def uint8(*numbers: int) -> Any:
    return np.array(numbers, np.uint8)


def int64(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


WRONG: tuple[Any, ...] = (
    None, True, -1, 7, 10**12, 2**61, 1.5, "x", "/x", "\ud800", [], [1], {}, {"x": 1},
)  # fmt: skip


def entries(inside: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every entry of a manifest."""
    for key in inside if isinstance(inside, dict) else range(len(inside)):
        yield (*path, key)
        if isinstance(inside[key], dict | list):
            yield from entries(inside[key], (*path, key))


def answers(solution: rs.Solution) -> Any:
    """What must not change unnoticed."""
    every = [sorted(move.name for move in solution.moves(p)) for p in solution]
    arrays = solution.table.values().tolist(), solution.table.remoteness().tolist()
    return arrays, every, solution.counts(), solution.digest()


@pytest.mark.long("board")
@pytest.mark.parametrize("kind", ["graph", "explored", "board"])
def test_wrong_entry_of_manifest_raises_one_line_or_changes_no_answer(
    kind: str, tmp_path: Path
) -> None:
    saved = saved_kind(kind, tmp_path)
    right = answers(rs.open(saved, trust_rules=True))
    path = saved / "manifest.json"
    whole = path.read_text()
    manifest = json.loads(whole)
    del manifest["sha256"]
    every = [(key, wrong) for key in entries(manifest) for wrong in (*WRONG, MISSING)]
    # A graph may do without names; other arguments may be another game with the same values.
    legal = ("files", "names.json"), ("space", "arguments")
    every = [(key, wrong) for key, wrong in every if key[:2] not in legal]
    refused = 0
    for key, wrong in random.Random(kind).sample(every, samples(250, len(every))):
        path.write_text(whole)
        reseal(saved, with_entry_at(key, wrong))
        try:
            assert answers(rs.open(saved, check=True, trust_rules=True)) == right, (key, wrong)
        except rs.StoreError as error:
            text = str(error)
            assert "\n" not in text, (key, wrong)
            places = (str(saved), "game=", "is made with")
            assert any(place in text for place in places), (key, wrong, text)
            refused += 1
    assert refused > 100


MISSING = object()


def with_entry_at(key: tuple[str | int, ...], wrong: Any) -> Any:
    """A change of one entry of the manifest, or a manifest without it."""

    def change(_: Path, manifest: dict[str, Any]) -> None:
        inside: Any = manifest
        for part in key[:-1]:
            inside = inside[part]
        if wrong is MISSING:
            del inside[key[-1]]
        else:
            inside[key[-1]] = wrong

    return change


def refuses(saved: Path, change: Any) -> None:
    """A solution whose rules may run is not opened."""
    reseal(saved, change)
    with pytest.raises(rs.StoreError):
        rs.open(saved, check=True, trust_rules=True)


# Each other one of these has its row in tests/bad_input.
@pytest.mark.parametrize(
    "change",
    [
        with_array("space/indptr", int64(0, 1, 3, 2, 4, 4)),
        with_array("space/owner", uint8(0, 1, 2, 0, 0)),
        with_array("space/indptr", int64(0, 1, 3, 4, 4, 4).reshape(1, 6)),
        with_array("space/indptr", [0.5]),
        with_all(with_array("table/value", uint8(*[1] * 6)), with_array("table/remoteness", int64(*[1] * 6))),
        with_array("table/remoteness", int64(-2, 0, 0, 0)),
        with_array("table/part-0", uint8(9, 0, 0, 0, 0)),
        with_array("table/part-0", uint8(0, 0, 0, 0, 0)),
        with_array("table/part-0", uint8(0, 0, 0, 0)),
        with_names({"a": 1}),
        with_entry("table|arrays|0|name", "table/../x"),
        with_entry("table|arrays|0|name", "space/value"),
        with_entry("table|arrays|0|name", "table/remoteness"),
        with_entry("table|arrays|0|order", "F"),
        with_entry("table|arrays|2|codes", 9),
        with_entry("histogram|win", {"1": 2}),
    ],
)  # fmt: skip
def test_inconsistent_array_or_entry_raises(saved: Path, change: Any) -> None:
    refuses(saved, change)


@pytest.mark.parametrize(
    "change",
    [
        *(with_entry("space|name", name) for name in ("rs", "Heap.n.n", "Heap.none")),
        *(with_entry("space|path", path) for path in ("a\n\ud800\0", "/a\n\ud800")),
        *(with_entry("space|arguments", arguments) for arguments in ([], {"n": [1]}, {"n": 12})),
        *(with_entry("space|module", module) for module in ("retrosolve.none", "retrosolve..x", "json", [3])),
        *(with_entry(key, "0" * 64) for key in ("space|digest", "fingerprint")),
    ],
)  # fmt: skip
def test_rules_that_are_not_those_saved_raise(tmp_path: Path, change: Any) -> None:
    refuses(saved_kind("explored", tmp_path), change)


def test_a_start_that_is_no_position(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("queenpawns:n=4"))
    solution.save(tmp_path / "s")
    nowhere = int(np.flatnonzero(solution.table.values() == 255)[0])
    refuses(tmp_path / "s", with_entry("start", nowhere))


@pytest.mark.parametrize("text", ['{"version": NaN}', "[" * 100_000])
def test_damaged_manifest_raises(saved: Path, text: str) -> None:
    (saved / "manifest.json").write_text(text)
    with pytest.raises(rs.StoreError):
        rs.open(saved)


@pytest.mark.parametrize("tiers", [[1], [0, 1, 1], [0, 5], []])
def test_tiers_of_a_graph_that_are_not_rising_vertices_are_refused(
    tiers: list[int], tmp_path: Path
) -> None:
    graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 3], 5).with_tiers([0, 2])
    arrays = dict(graph.arrays())
    assert list(space_from(graph.spec(), arrays, Origin(tmp_path, 5)).tiers) == [0, 2]
    arrays["tiers"] = np.array(tiers, np.int64)
    with pytest.raises(rs.FormatError):
        space_from(graph.spec(), arrays, Origin(tmp_path, 5))
