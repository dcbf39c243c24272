"""Manifests and arrays that make no sense although all checksums fit: one sentence each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
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


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_entry("format", "zip"), r"manifest\.json: format 'zip': expected 'retrosolve solution'"),
        (with_entry("version", 2), r"manifest\.json: version 2: expected 3"),
        (with_entry("version", True), r"version True: expected 3"),
        (with_entry("num_vertices", -1), r"num_vertices is -1: expected a whole number, 0 or more"),
        (with_entry("num_vertices", 10**12), r"num_vertices is 1000000000000, but the table has 5"),
        (with_entry("num_vertices", 4), r"num_positions is 5: expected 5, the sum .* at most 4"),
        (with_entry("num_vertices", None), r"num_vertices is None: expected a whole number"),
        (with_entry("num_positions", 6), r"num_positions is 6: expected 5, the sum of the counts"),
        (with_entry("num_positions", "5"), r"num_positions is '5': expected a whole number"),
        (with_entry("num_edges", 5.0), r"num_edges is 5\.0: expected"),
        (with_entry("num_edges", 0), r"num_edges is 0, but the space has 4: expected as many"),
        (with_entry("num_edges", True), r"num_edges is True: expected a whole number"),
        (with_entry("table", "tables"), r"table 'tables': expected codes or bitplanes"),
        (with_entry("table", None), r"table None: expected codes or"),
        (with_entry("table|kind", ["codes"]), r"table \{.*: expected codes or"),
        (with_entry("table|kind", "packed"), r"table \{.*: expected codes or"),
        (with_entry("table|kind", "bitplanes"), r"array \{'name': 'table/value'.*: expected a description"),
        (with_entry("table|arrays", None), r"arrays None: expected a list"),
        (with_entry("table|arrays", []), r"the table has no array value: expected one"),
        (with_entry("table|arrays|0", 3), r"array 3: expected a description"),
        (with_entry("table|arrays|0|name", "table/../x"), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|name", "space/value"), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|name", "table/remoteness"), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|dtype", ["|u1"]), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|dtype", "|O"), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|shape", 4), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|shape", [-4]), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|shape", [5]), r"value/c/0 is damaged, it has 8 bytes, not 9"),
        (with_entry("table|arrays|0|order", "F"), r"array \{.*: expected a description"),
        (with_entry("table|arrays|0|block", 7), r"array \{.*: expected a description"),
        (with_entry("table|arrays|2|block", 0), r"array \{.*: expected a description"),
        (with_entry("table|arrays|2|shard", 3), r"array \{.*: expected a description"),
        (with_entry("table|arrays|2|shape", [2**61]), r"array \{.*: expected a description"),
        (with_entry("table|arrays|2|codes", 8), r"num_vertices is 5, but the table has 8"),
        (with_entry("table|arrays|2|codes", 9), r"array \{.*: expected a description"),
        (with_entry("table|filled", 1), r"filled is 1: expected true or false"),
        (with_entry("table|digest", None), r"digest None: expected a SHA-256, null for bits"),
        (with_entry("table|digest", "x"), r"the digest is x, that of the table [0-9a-f]{64}: expected"),
        (with_entry("space", None), r"space None: expected a graph or rules"),
        (with_entry("space", [1]), r"space \[1\]: expected a graph or rules"),
        (with_entry("space", {}), r"space \{.*\}: expected a graph or rules"),
        (with_entry("space|kind", ["graph"]), r"space \{.*: expected a graph or rules"),
        (with_entry("space|kind", "rules"), r"the path of the rules is None: expected an absolute one"),
        (with_entry("space|initial", 5), r"start 5: expected a vertex, 0\.\.4"),
        (with_entry("space|initial", "a"), r"start 'a': expected a vertex, 0\.\.4"),
        (with_entry("space|players", None), r"players is None: expected two names"),
        (with_entry("space|players", ["x", 1]), r"players is \['x', 1\]: expected two names"),
        (with_entry("players", None), r"players is None: expected two names"),
        (with_entry("players", ["x"]), r"players is \['x'\]: expected two names"),
        (with_entry("players", ["x", "\ud800"]), r"players\[1\] is .*: expected Unicode text"),
        (with_entry("files|names.json|bytes", 3), r"names\.json is damaged, it has 27 bytes, not 3"),
        (with_entry("files|names.json|crc32", "x"), r"names\.json is damaged, .*checksum \d+, not 'x'"),
        (with_entry("files|names.json", 3), r"file 'names\.json': expected its size and checksum"),
        (with_entry("files", []), r"files is \[\]: expected an object"),
        (with_entry("files", {}), r"array \{.*: expected a description"),
        (with_entry("files|../../x", ZERO), r"file '\.\./\.\./x' is not a part of a saved solution"),
        (without("space/indptr/c/0"), r"file 'space/indptr/c/0' is missing in the list: expected"),
        (with_entry("arrays", {}), r"arrays \{\}: expected a list"),
        (with_entry("arrays", []), r"file 'space/indices/c/0' is not a part of a saved solution"),
        (with_entry("options", None), r"options None: expected stuck, solver and remoteness"),
        (with_entry("options|remoteness", 1), r"options \{.*: expected stuck, solver and remoteness"),
        (with_entry("options|stuck", "draw"), r"stuck 'draw': expected loss, win or tie"),
        (with_entry("options|solver", None), r"solver is None: expected its name"),
        (with_entry("start", 5), r"start 5: expected a vertex, 0\.\.4"),
        (with_entry("start", "a"), r"start 'a': expected a vertex"),
        (with_entry("verified", 1), r"verified is 1: expected true or false"),
        (with_entry("fingerprint", 3), r"fingerprint is 3: expected another"),
        (with_entry("versions", None), r"versions is None: expected another"),
        (with_entry("counts", {"win": 5}), r"counts \{'win': 5\}: expected \{'win': 1, 'loss': 1, "),
        (with_entry("histogram", None), r"histogram None: expected counts by value and remoteness"),
        (with_entry("histogram|win", {"01": 1}), r"histogram \{.*: expected counts by value"),
        (with_entry("histogram|win", {"x": 1}), r"histogram \{.*: expected counts by value"),
        (with_entry("histogram|win", {"1": -1}), r"histogram \{.*: expected counts by value"),
        (with_entry("histogram|win", {"1": 1.0}), r"histogram \{.*: expected counts by value"),
        (with_entry("histogram|win", [1]), r"histogram \{.*: expected counts by value"),
        (with_entry("histogram|win", {"1": 2}), r"counts \{.*: expected \{'win': 2"),
        (with_entry("histogram|win", {"3": 1}), r"the histogram is not that of the table: expected them"),
        (with_entry("counts_by_player", 3), r"counts_by_player 3: expected counts for two players, or"),
        (with_entry("counts_by_player|0|win", 2), r"counts_by_player \[.*: expected the counts in two"),
        (with_entry("counts_by_player", None), r"counts_by_player are not those of the table: expected"),
        (with_array("space/indices", int64(1, 0, 2, 9)), r"hold no graph: indices\[3\] is 9"),
        (with_array("space/indptr", int64(0, 1, 3, 2, 4, 4)), r"hold no graph: indptr\[3\] is 2"),
        (with_array("space/owner", uint8(0, 1, 2, 0, 0)), r"hold no graph: owner\[2\] is 2: expected 0"),
        (with_array("space/indptr", int64(0, 1, 3, 4, 4, 4).reshape(1, 6)), r"indptr has shape \(1, 6\)|hold no"),
        (with_array("space/indptr", [0.5]), r"array \{.*: expected a description"),
        (with_array("table/value", uint8(1, 2, 7, 3)), r"holds no table: value 7: expected one of 0, 1, 2"),
        (with_array("table/value", uint8(1, 2)), r"value has shape \(2,\) and remoteness \(4,\): expected"),
        (with_array("table/value", int64(1, 2, 0, 3)), r"value has dtype int64 and remoteness int64"),
        (
            with_all(with_array("table/value", uint8(*[1] * 6)), with_array("table/remoteness", int64(*[1] * 6))),
            r"expected as many, at most one for each of 5 vertices",
        ),
        (with_array("table/remoteness", int64(5, 5, 5, 5)), r"remoteness 5 of the value \d: expected another"),
        (with_array("table/remoteness", int64(-2, 0, 0, 0)), r"remoteness -2 of the value"),
        (with_array("table/part-0", uint8(9, 0, 0, 0, 0)), r"c/0 is damaged, block 0 holds 9, not below 4"),
        (with_array("table/part-0", uint8(0, 0, 0, 0, 0)), r"the digest is .*, that of the table"),
        (with_array("table/part-0", uint8(0, 0, 0, 0)), r"num_vertices is 5, but the table has 4: expected"),
        (with_names(["a"]), r"names\.json holds no list of 5 names"),
        (with_names({"a": 1}), r"names\.json holds no list of 5 names"),
        (with_names(["a", "b", "c", "d", 1.5]), r"names\.json has 1\.5 for vertex 4: expected text or"),
        (with_names(["a", "b", "c", "d", "a"]), r"hold no graph: names\[4\] is 'a', and so is"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(saved: Path, change: Any, pattern: str) -> None:
    refuses(saved, change, pattern)


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
        (with_entry("num_vertices", 12), r"num_vertices is 12, but the table has 11: expected as many"),
        (with_entry("counts", None), r"counts None: expected \{"),
        (with_entry("start", 11), r"start 11: expected a vertex, 0\.\.10"),
        (with_entry("fingerprint", "0" * 64), r"Heap now lead to other positions or moves .*game="),
        (with_entry("space|kind", "graph"), r"the graph has no arrays indptr and indices: expected both"),
        (with_entry("space|name", 3), r"space \{.*: expected the name of a class and its arguments"),
        (with_entry("space|arguments", []), r"space \{.*: expected the name of a class and its arguments"),
        (with_entry("space|path", 3), r"the path of the rules is 3: expected an absolute one"),
        (with_entry("space|path", ""), r"the path of the rules is '': expected an absolute one"),
        (with_entry("space|path", "/dev/zero"), r"the path of the rules is '/dev/zero': expected an"),
        (with_entry("space|path", "a\n\ud800\0"), r"the path of the rules is 'a\\n\\ud800\\x00': expected"),
        (with_entry("space|path", "/a\n\ud800"), r"the rules /a\\n\\ud800 (are gone|cannot be read)"),
        (with_entry("space|digest", None), r"the digest of the rules is None: expected a SHA-256"),
        (with_entry("space|digest", "0" * 64), r"heap\.py have changed since they were saved: .*game="),
        (with_entry("space|name", "Pile"), r"heap\.py:Pile is no class of games: .*game="),
        (with_entry("space|name", "rs"), r"heap\.py:rs is no class of games"),
        (with_entry("space|name", "Heap.n.n"), r"heap\.py:Heap\.n\.n is no class method that makes"),
        (with_entry("space|name", "Heap.none"), r"Heap\.none is no class method that makes games: .*game="),
        (with_entry("space|arguments", {"m": 3}), r"Heap could not be made again \(TypeError: .*game="),
        (with_entry("space|arguments", {"n": [1]}), r"starts from \[1\]|starts from no position"),
        (with_entry("space|arguments", {"n": 12}), r"the game starts from no position, 12 .*game="),
        (with_entry("space|module", "retrosolve.games.none"), r"there is no module retrosolve\.games\.none in this"),
        (with_entry("space|module", "retrosolve.none"), r"the module 'retrosolve\.none' is not .*heap\.py any more"),
        (with_entry("space|module", "retrosolve..x"), r"the module 'retrosolve\.\.x' is not .*heap\.py any more"),
        (with_entry("space|module", "none_such"), r"the module 'none_such' is not .*heap\.py any more: .*game="),
        (with_entry("space|module", [3]), r"the module \[3\] is not .*heap\.py any more: .*game="),
        (with_entry("space|module", "json"), r"the module 'json' is not .*heap\.py any more: .*game="),
        (
            with_all(with_entry("space|module", "retrosolve.games.stones"), with_entry("space|name", "Game")),
            r"retrosolve\.games\.stones:Game is no class of games: .*game=",
        ),
    ],
)  # fmt: skip
def test_what_makes_no_sense_for_rules(tmp_path: Path, change: Any, pattern: str) -> None:
    refuses(saved_kind("explored", tmp_path), change, pattern)


PLANES = np.zeros((26, 4, 5), np.uint64)


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_array("table/planes", PLANES), r"the histogram is not that of the table"),
        (with_array("table/planes", PLANES[:25]), r"num_vertices is 1352, but the table has 1300"),
        (with_array("table/planes", PLANES.astype(np.int64)), r"planes has dtype int64 .*: expected uint64"),
        (with_array("table/planes", PLANES[0]), r"planes has dtype uint64 and shape \(4, 5\): expected"),
        (with_array("table/planes", PLANES[:, :3]), r"shape \(26, 3, 5\): expected uint64, four rows"),
        (with_array("table/planes", PLANES[..., :0]), r"place holds \d+ to \d+: expected 0 to -1"),
        (with_array("table/place", np.arange(25)), r"num_vertices is 1352, but the table has 1300"),
        (with_array("table/place", np.arange(26) + 300), r"place holds 300 to 325: expected 0 to 319"),
        (with_array("table/place", np.arange(26) - 1), r"place holds -1 to 24: expected 0 to 319"),
        (with_array("table/place", np.arange(26, dtype=np.uint8)), r"place has dtype uint8 .*: expected a list"),
        (with_array("table/place", np.zeros((26, 1), np.int64)), r"place has .* shape \(26, 1\): expected"),
        (with_entry("table|kind", "codes"), r"array \{.*: expected a description"),
        (with_entry("table|digest", "x"), r"digest 'x': expected a SHA-256, null for bits"),
        (with_entry("start", 1352), r"start 1352: expected a vertex, 0\.\.1351"),
        (with_entry("space|arguments|text", "PT"), r"num_vertices is 1352, but the space has 8: expected"),
        (with_entry("space|arguments|text", "?"), r"could not be made again \(.*Error: .*game="),
    ],
)  # fmt: skip
def test_what_makes_no_sense_for_boards(tmp_path: Path, change: Any, pattern: str) -> None:
    refuses(saved_kind("board", tmp_path), change, pattern)


def test_a_start_that_is_no_position(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("queenpawns:n=4"))
    solution.save(tmp_path / "s")
    nowhere = int(np.flatnonzero(solution.table.values() == 255)[0])
    change = with_entry("start", nowhere)
    refuses(tmp_path / "s", change, rf"manifest\.json: start {nowhere} is no position: expected one")


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_arguments_that_json_cannot_hold(number: float, tmp_path: Path) -> None:
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
        ('{"format": "retrosolve solution", "version": 3}', "it has changed since it was written: expected"),
        ("[" * 100_000, "too deep|expected JSON"),
        ("\xff", "is not UTF-8"),
    ],
)  # fmt: skip
def test_a_damaged_manifest(saved: Path, text: str, pattern: str) -> None:
    (saved / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(rs.StoreError, match=pattern):
        rs.open(saved)


def test_what_is_no_saved_solution(tmp_path: Path) -> None:
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
