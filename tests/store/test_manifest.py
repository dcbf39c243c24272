"""Manifests and arrays that make no sense although all checksums fit: one sentence each."""

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
from tests.support.saved import reseal, with_all, with_array, with_entry, with_names, without
from tests.support.saved import saved as saved_kind

ZERO = {"crc32": 0, "bytes": 0}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return saved_kind("graph", tmp_path)


def uint8(*numbers: int) -> Any:
    return np.array(numbers, np.uint8)


def int64(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    7,
    10**12,
    2**61,
    1.5,
    "x",
    "/x",
    "\ud800",
    [],
    [1],
    {},
    {"x": 1},
)


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


@pytest.mark.thorough
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


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_entry("format", "zip"), r"manifest\.json: format 'zip': expected 'retrosolve solution'"),
        (with_entry("num_edges", 0), r"num_edges is 0, but the space has 4: expected as many"),
        (with_entry("table|arrays|0|dtype", "|O"), r"array \{.*: expected a description"),
        (with_entry("files|../../x", ZERO), r"file '\.\./\.\./x' is not a part of a saved solution"),
        (without("space/indptr/c/0"), r"file 'space/indptr/c/0' is missing in the list: expected"),
        (with_entry("histogram|win", {"3": 1}), r"the histogram is not that of the table: expected them"),
        (with_array("table/value", uint8(1, 2, 7, 3)), r"holds no table: value 7: expected one of 0, 1, 2"),
    ],
)  # fmt: skip
def test_inconsistent_manifest_raises_with_place_and_expectation(
    saved: Path, change: Any, pattern: str
) -> None:
    refuses(saved, change, pattern)


@pytest.mark.parametrize(
    "change",
    [
        with_array("space/indices", int64(1, 0, 2, 9)),
        with_array("space/indptr", int64(0, 1, 3, 2, 4, 4)),
        with_array("space/owner", uint8(0, 1, 2, 0, 0)),
        with_array("space/indptr", int64(0, 1, 3, 4, 4, 4).reshape(1, 6)),
        with_array("space/indptr", [0.5]),
        with_array("table/value", uint8(1, 2)),
        with_array("table/value", int64(1, 2, 0, 3)),
        with_all(with_array("table/value", uint8(*[1] * 6)), with_array("table/remoteness", int64(*[1] * 6))),
        with_array("table/remoteness", int64(5, 5, 5, 5)),
        with_array("table/remoteness", int64(-2, 0, 0, 0)),
        with_array("table/part-0", uint8(9, 0, 0, 0, 0)),
        with_array("table/part-0", uint8(0, 0, 0, 0, 0)),
        with_array("table/part-0", uint8(0, 0, 0, 0)),
        with_names(["a"]),
        with_names({"a": 1}),
        with_names(["a", "b", "c", "d", 1.5]),
        with_names(["a", "b", "c", "d", "a"]),
        with_entry("table|arrays|0|name", "table/../x"),
        with_entry("table|arrays|0|name", "space/value"),
        with_entry("table|arrays|0|name", "table/remoteness"),
        with_entry("table|arrays|0|order", "F"),
        with_entry("table|arrays|2|codes", 9),
        with_entry("histogram|win", {"01": 1}),
        with_entry("histogram|win", {"1": 2}),
        with_entry("counts_by_player|0|win", 2),
    ],
)  # fmt: skip
def test_inconsistent_array_or_entry_raises(saved: Path, change: Any) -> None:
    refuses(saved, change, "expected|is damaged|hold no graph")


def refuses(saved: Path, change: Any, pattern: str) -> None:
    """One line, which names the saved solution unless it names the rules."""
    reseal(saved, change)
    with pytest.raises(rs.StoreError, match=pattern) as raised:
        rs.open(saved, check=True, trust_rules=True)
    text = str(raised.value)
    assert "\n" not in text
    assert text.startswith(str(saved)) or "game=" in text


def test_invalid_values_where_a_graph_has_positions(tmp_path: Path) -> None:
    rs.solve(rs.Graph.from_edges([0, 1], [1, 3], 4, terminal=[0, 0, 255, 0])).save(tmp_path / "s")
    change = with_array("space/terminal", uint8(0, 0, 0, 255))
    expected = "expected 255 where the graph has no position, and only there"
    refuses(tmp_path / "s", change, f"value of vertex 2 is 255: {expected}|hold no graph")


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_array("space/positions", np.arange(9)), r"num_vertices is 11, but the space has 9"),
        (with_array("space/positions", np.arange(11).reshape(11, 1)), r"positions has shape \(11, 1\): expected a"),
        (with_array("space/positions", np.arange(11, 22)), r"the game starts from no position, .*game="),
        (with_entry("space|kind", "graph"), r"the graph has no arrays indptr and indices: expected both"),
        (with_entry("space|name", "Pile"), r"heap\.py:Pile is no class of games: .*game="),
        (with_entry("space|arguments", {"m": 3}), r"Heap could not be made again \(TypeError: .*game="),
        (with_entry("space|module", "json"), r"the module 'json' is not .*heap\.py any more, but .*game="),
    ],
)  # fmt: skip
def test_rules_that_do_not_fit_raise_with_remedy(tmp_path: Path, change: Any, pattern: str) -> None:
    refuses(saved_kind("explored", tmp_path), change, pattern)


@pytest.mark.parametrize(
    "change",
    [
        *(with_entry("space|name", name) for name in (3, "rs", "Heap.n.n", "Heap.none")),
        *(with_entry("space|path", path) for path in (3, "", "/dev/zero", "a\n\ud800\0", "/a\n\ud800")),
        *(with_entry("space|digest", digest) for digest in (None, "0" * 64)),
        *(with_entry("space|arguments", arguments) for arguments in ([], {"n": [1]}, {"n": 12})),
        *(
            with_entry("space|module", module)
            for module in ("retrosolve.games.none", "retrosolve.none", "retrosolve..x", "none.such", [3])
        ),
        with_all(with_entry("space|module", "retrosolve.games.stones"), with_entry("space|name", "Game")),
        with_entry("fingerprint", "0" * 64),
    ],
)  # fmt: skip
def test_rules_that_are_not_those_saved_raise(tmp_path: Path, change: Any) -> None:
    refuses(saved_kind("explored", tmp_path), change, "expected|starts from no position|starts from")


@pytest.mark.thorough
def test_a_start_that_is_no_position(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("queenpawns:n=4"))
    solution.save(tmp_path / "s")
    nowhere = int(np.flatnonzero(solution.table.values() == 255)[0])
    change = with_entry("start", nowhere)
    refuses(tmp_path / "s", change, rf"manifest\.json: start {nowhere} is no position: expected one")


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_arguments_that_json_cannot_hold_need_the_game(number: float, tmp_path: Path) -> None:
    rs.solve(Weighted(number)).save(tmp_path / "s")
    with pytest.raises(rs.StoreError, match=rf"made with {number}, which a file cannot hold: .*game="):
        rs.open(tmp_path / "s")[1]
    assert rs.open(tmp_path / "s").table.values().tolist() == [1, 2]
    assert rs.open(tmp_path / "s", game=Weighted(number)).start == 1


class Weighted(rs.Game):
    """A game made with a number that it does not use."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def start(self) -> int:
        return 1

    def moves(self, position: int) -> list[tuple[str, int]]:
        return [("on", 0)] if position else []


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", "column 1, Expecting value: expected JSON"),
        ("[]", r"manifest\.json: \[\]: expected an object"),
        ('{"version": NaN}', "NaN is not JSON"),
        ('{"version": 3, "version": 3}', "key 'version' twice"),
        ('{"format": "retrosolve solution", "version": 7}', "it has changed since it was written: expected"),
        ("[" * 100_000, "too deep|expected JSON"),
        ("\xff", "is not UTF-8"),
    ],
)  # fmt: skip
def test_damaged_manifest_raises(saved: Path, text: str, pattern: str) -> None:
    (saved / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(rs.StoreError, match=pattern):
        rs.open(saved)


def test_path_of_no_saved_solution_raises(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, pattern in {
        tmp_path / "none": "No such file or directory",
        tmp_path: "No such file or directory",
        tmp_path / "file": "Not a directory",
        tmp_path / "x\0": "embedded null",
        Path("/"): "expected the path of a directory",
    }.items():
        with pytest.raises(rs.StoreError, match=pattern):
            rs.open(path)
    with pytest.raises(rs.StoreError, match=r"^None is not a path: expected"):
        rs.open(None)


@pytest.mark.parametrize("tiers", [[1], [0, 2, 1], [0, 1, 1], [0, 5], []])
def test_tiers_of_a_graph_that_are_not_rising_vertices_are_refused(
    tiers: list[int], tmp_path: Path
) -> None:
    graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 3], 5).with_tiers([0, 2])
    arrays = dict(graph.arrays())
    origin = Origin(tmp_path, 5)
    assert list(space_from(graph.spec(), arrays, origin).tiers) == [0, 2]
    arrays["tiers"] = np.array(tiers, np.int64)
    with pytest.raises(rs.FormatError, match=r"^tiers are .*: expected rising vertices from 0$"):
        space_from(graph.spec(), arrays, origin)
