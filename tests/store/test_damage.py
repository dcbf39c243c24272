"""Damage to the files of a saved solution: found when it is read, and never a wrong answer."""

from __future__ import annotations

import os
import random
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.store.manifest import MANIFEST
from tests.support.marks import samples
from tests.support.saved import ALL_FILES, KIND_OF, kind_with, reseal, snapshot, without
from tests.support.saved import saved as saved_kind


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_file_that_is_missing_or_cut_off_is_refused_at_once(tmp_path: Path, name: str) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
    data = (saved / name).read_bytes()
    for size in (None, 0, max(1, len(data) - 2)):
        if size is None:
            (saved / name).unlink()
        elif size < len(data):
            (saved / name).write_bytes(data[:size])
        for check in (True, False):
            with pytest.raises(rs.StoreError):
                rs.open(saved, check=check)


@pytest.mark.parametrize("name", KIND_OF)
def test_a_file_that_the_manifest_does_not_list(tmp_path: Path, name: str) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
    reseal(saved, without(name))
    if name == "names.json":
        assert rs.open(saved)[0] == (rs.Value.DRAW, None)  # a graph may do without
        return
    with pytest.raises(rs.StoreError):
        rs.open(saved)


def answers(solution: rs.Solution) -> Any:
    """All that a solution knows."""
    every = [[move.name for move in solution.moves(p)] for p in solution]
    arrays = solution.table.values().tolist(), solution.table.remoteness().tolist()
    return arrays, every, solution.counts(), solution.start, solution.space.spec()


@pytest.mark.parametrize("name", ALL_FILES)
def test_any_byte_that_changed(tmp_path: Path, name: str) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
    right = answers(rs.open(saved, trust_rules=True))
    whole = (saved / name).read_bytes()
    rng, places = random.Random(name), [0, 7, 60, len(whole) // 2, len(whole) - 5, len(whole) - 1]
    places += [rng.randrange(len(whole)) for _ in range(samples(0, 60))]
    places += range(0, len(whole), 41) if name == MANIFEST else []
    for place in {*places}:
        data = bytearray(whole)
        data[min(place, len(data) - 1)] ^= 4
        (saved / name).write_bytes(data)
        with pytest.raises(rs.StoreError):
            rs.open(saved, check=True)
        if name.endswith("zarr.json"):
            assert answers(rs.open(saved, trust_rules=True)) == right  # only other programs read it
        else:
            with pytest.raises(rs.StoreError):
                answers(rs.open(saved, trust_rules=True))
    (saved / name).write_bytes(whole)
    assert answers(rs.open(saved, check=True, trust_rules=True)) == right


def twins(kind: str) -> tuple[rs.Solution, rs.Solution]:
    """Two solutions with files of the same names, most of them of the same size, and other answers."""
    if kind == "graph":
        names = ["a", "b", "c", "d", "e"]
        graphs = [
            rs.Graph.from_edges(*edges, 5, [0, 1, 0, 1, 0], {"e": "tie"}, names=order)
            for edges, order in (
                (([0, 1, 1, 2], [1, 0, 2, 3]), names),
                (([0, 1, 2, 2], [1, 2, 0, 3]), names[::-1]),
            )
        ]
        return tuple(map(rs.solve, graphs))
    if kind == "index":
        return tuple(rs.solve(parse_game(f"chess:K{piece}K,board=3")) for piece in "RQ")
    return tuple(rs.solve(parse_game("hexapawn"), stuck=stuck) for stuck in ("loss", "win"))


@pytest.mark.long(but=1)
@pytest.mark.parametrize("kind", ["graph", "plain rules", "index"])
def test_files_of_another_solution_are_refused(tmp_path: Path, kind: str) -> None:
    """Each file alone, and some at random: an error, or the answers of the solution whose manifest it is.

    Files that are exchanged within a solution are refused as well.
    """
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder, solution in zip(folders, twins(kind), strict=True):
        solution.save(folder)
    right = [answers(rs.open(folder)) for folder in folders]
    assert right[0] != right[1]
    contents = [snapshot(folder) for folder in folders]
    names = sorted(contents[0])
    assert names == sorted(contents[1])
    rng, mixed, refused = random.Random(kind), tmp_path / "mixed", 0
    some = [set(rng.sample(names, rng.randint(1, len(names)))) for _ in range(samples(10, 400))]
    for swapped in [*({name} for name in names), *some]:
        shutil.copytree(folders[0], mixed)
        for name in swapped:
            (mixed / name).write_bytes(contents[1][name])
        whose = MANIFEST in swapped
        same = snapshot(mixed) == contents[whose]
        if same:
            assert answers(rs.open(mixed, check=True)) == right[whose], swapped
        else:
            with pytest.raises(rs.StoreError):
                rs.open(mixed, check=True)
            try:
                found = answers(rs.open(mixed))
            except rs.StoreError:
                refused += 1
            else:
                assert found == right[whose], swapped
        shutil.rmtree(mixed)
    assert refused > len(some) / 4
    content = contents[0]
    differing = [(a, b) for a, b in combinations(names, 2) if content[a] != content[b]]
    for one, other in rng.sample(differing, min(len(differing), samples(15, 1000))):
        shutil.copytree(folders[0], mixed)
        (mixed / one).write_bytes(content[other])
        (mixed / other).write_bytes(content[one])
        with pytest.raises(rs.StoreError):
            rs.open(mixed, check=True)
        shutil.rmtree(mixed)


@pytest.fixture(scope="module")
def long_line() -> rs.Solution:
    """A table of several blocks."""
    return rs.solve(rs.Graph.from_edges(range(200_000), range(1, 200_001)))


@pytest.fixture
def blocks(tmp_path: Path, long_line: rs.Solution) -> Path:
    """Where such a table is saved."""
    long_line.save(tmp_path / "s")
    return tmp_path / "s"


@pytest.mark.long
def test_a_damaged_block_damages_no_other(blocks: Path) -> None:
    path = blocks / "table" / "part-0" / "c" / "0"
    right = rs.open(blocks).remoteness()
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    table = rs.open(blocks).table
    assert table.remoteness(slice(100_000, None)).tolist() == right[100_000:].tolist()
    assert table.outcome(150_000) == (2, 50_000)
    for read in (lambda: table.outcome(5), lambda: table.values(np.array([5, 150_000])), table.values):
        with pytest.raises(rs.StoreError):
            read()


@pytest.mark.long
def test_a_file_that_is_cut_off_while_it_is_open(blocks: Path) -> None:
    solution = rs.open(blocks)
    assert solution.table.outcome(5) == (1, 199_995)
    os.truncate(blocks / "table" / "part-0" / "c" / "0", 1000)
    assert solution.table.outcome(5) == (1, 199_995)  # it has been read
    with pytest.raises(rs.StoreError):
        solution.table.outcome(199_999)
    for wrong in (-1, 200_001, 1 << 40):
        for at in (
            lambda w=wrong: solution.table.outcome(w),
            lambda w=wrong: solution.table.values(np.array([3, w])),
        ):
            with pytest.raises(IndexError):
                at()
