"""pack(): a saved solution compressed harder, and the forms of a table that only files have."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import retrosolve as rs
from retrosolve.cli import group
from retrosolve.games import parse_game
from retrosolve.store import pack
from retrosolve.store.blocks import ArrayWriter, opened_blocks, write_blocks
from retrosolve.tables.base import MAX_KINDS, pack_pairs, values_only
from tests.support.saved import reseal, saved, snapshot, with_array

ENDING = "chess:KRK,board=4"


def kept_ending(folder: Path) -> rs.Solution:
    solution = rs.solve(parse_game(ENDING))
    rs.verify(solution)
    solution.save(folder)
    return solution


def test_packing_keeps_the_digest_and_the_proof_and_replaces_what_is_open(tmp_path: Path) -> None:
    solution = kept_ending(tmp_path / "s")
    before = rs.open(tmp_path / "s")
    pack(tmp_path / "s", tmp_path / "small")
    after = rs.open(tmp_path / "small", check=True)
    assert after.verified
    assert after.num_bytes < before.num_bytes
    assert after.opened.digest == before.opened.digest == solution.digest()
    pack(tmp_path / "s")
    assert snapshot(tmp_path / "s") == snapshot(tmp_path / "small")
    assert before[before.start] == solution[solution.start]  # what is open stays whole


def test_packing_needs_no_rules(tmp_path: Path) -> None:
    path = saved("explored", tmp_path)
    (tmp_path / "heap.py").unlink()
    pack(path, level=22)
    assert rs.open(path, check=True).counts()[rs.Value.LOSS] == 4
    with pytest.raises(rs.StoreError):
        rs.open(path, trust_rules=True)


def test_damage_is_found_first_and_the_old_directory_stays(tmp_path: Path) -> None:
    path = saved("graph", tmp_path)
    file = path / "table" / "part-0" / "c" / "0"
    data = bytearray(file.read_bytes())
    data[0] ^= 1
    file.write_bytes(data)
    there = snapshot(path)
    with pytest.raises(rs.StoreError):
        pack(path)
    assert snapshot(path) == there


def test_values_alone_are_filled_and_the_rules_say_what_is_no_position(tmp_path: Path) -> None:
    solution = kept_ending(tmp_path / "s")
    pack(tmp_path / "s", tmp_path / "v", remoteness=False)
    opened = rs.open(tmp_path / "v", check=True)
    manifest = json.loads((tmp_path / "v" / "manifest.json").read_text())
    assert manifest["table"]["filled"]
    assert manifest["objective"]["name"] == "win-loss-draw"
    assert not opened.table.has_remoteness
    assert opened.verified
    assert opened.num_bytes < rs.open(tmp_path / "s").num_bytes
    assert opened.counts() == solution.counts()
    assert opened.digest() == rs.Solution(solution.space, values_only(solution.table)).digest()
    right, n = solution.table.values(), len(solution.table.values())
    at = np.random.default_rng(1).integers(0, n, 500)
    for part in (slice(None), slice(7, 700), slice(3, n, 7), slice(5, 5), at, at[:30]):
        assert np.array_equal(opened.table.values(part), right[part])
        assert (opened.table.remoteness(part) == -1).all()
    assert np.array_equal(opened.table.counts(9, 900), np.bincount(right[9:900], minlength=256))
    for position in list(solution)[::29]:
        assert opened[position] == (solution[position].value, None)
        assert {move.name for move in solution.best_moves(position)} <= {
            move.name for move in opened.best_moves(position)
        }


def test_values_of_reachable_positions_only_are_not_filled(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("tictactoe"))
    space = rs.solve(parse_game("foxhounds:n=4")).space
    for kept in (solution, rs.solve(space)):
        rs.Solution(kept.space, values_only(kept.table), kept.stuck, num_edges=1).save(tmp_path / "s")
        opened = rs.open(tmp_path / "s")
        assert not opened.opened.manifest.record["table"]["filled"]
        assert np.array_equal(opened.table.values(), kept.table.values())


@pytest.mark.parametrize("length", [0, 1, 5, 1003])
def test_codes_of_two_bits_are_read_as_they_were_written(length: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(length)
    codes = rng.integers(0, MAX_KINDS, length).astype(np.uint8)
    writer = ArrayWriter(tmp_path / "z", {})
    stored = writer.blocks("a", length, np.uint8, 3, packed=True)
    write_blocks(tmp_path / "z", stored, 3, lambda a, b: pack_pairs(codes[a:b]))
    opened = {name: (tmp_path / "z" / name).open("rb") for name in stored.chunks}
    array = opened_blocks(stored, tmp_path / "z", opened, MAX_KINDS)
    assert len(array) == length
    assert np.array_equal(array.read(0, length), codes)
    for _ in range(20 if length else 0):
        start, stop = sorted(rng.integers(0, length + 1, 2).tolist())
        assert np.array_equal(array.read(start, stop), codes[start:stop])
        at = rng.integers(0, length, 30)
        assert np.array_equal(array.take(at), codes[at])
        assert array.item(int(at[0])) == codes[at[0]]
    for file in opened.values():
        file.close()


def test_a_code_of_two_bits_that_stands_for_nothing(tmp_path: Path) -> None:
    path = saved("graph", tmp_path)
    reseal(path, with_array("table/value", np.array([1, 2, 3], np.uint8)))
    reseal(path, with_array("table/remoteness", np.array([1, 0, 0])))
    opened = rs.open(path)
    for read in (opened.table.values, lambda: [opened.table.outcome(v) for v in range(5)]):
        with pytest.raises(rs.StoreError):
            read()


def test_the_command_packs_and_prints_the_size(tmp_path: Path) -> None:
    kept_ending(tmp_path / "s")
    size = rs.open(tmp_path / "s").num_bytes
    ran = CliRunner().invoke(group, ["pack", str(tmp_path / "s"), "--level", "22", "--json"])
    record = json.loads(ran.output)
    assert (record["bytes_before"], record["bytes"]) == (size, rs.open(tmp_path / "s").num_bytes)
    assert record["bits_per_position"] == round(8 * record["bytes"] / 464, 4)
    ran = CliRunner().invoke(
        group, ["pack", str(tmp_path / "s"), str(tmp_path / "v"), "--no-remoteness"]
    )
    assert ran.exit_code == 0
    assert rs.open(tmp_path / "v").num_bytes < record["bytes"]
