"""Solutions that were saved in the current format stay readable: kept in tests/data."""

import shutil
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.store import digest
from tests.support.saved import reseal, with_entry

DATA = Path(__file__).parent.parent / "data" / "version-7"

SAVED = {
    "graph": ("648ce02204603784f8ddad64e8a155b558d2ae6306115d0b2c46fbec8dc08000", (1, 1, 1, 2)),
    "board": ("43ccc5d50c22137d457a5b0dfaaaee8655f95bd1760d27a61bcf9ea4dfb3a98b", (739, 613, 0, 0)),
    "tiers": ("7f6d685f39e5fc87408211b072024bf1c3e74e2552fd5908ecd2bf8bd60fc632", (266, 268, 160, 0)),
    "values-pairs": (
        "0340604361bd2a06c884249325d67f425ff28b3608c9bbdce007ef357232fc25",
        (167, 198, 99, 0),
    ),
}


@pytest.mark.parametrize("name", SAVED)
def test_solution_saved_in_this_format_opens_with_same_digest(name: str) -> None:
    expected, counts = SAVED[name]
    solution = rs.open(DATA / name, check=True)
    assert solution.verified
    assert tuple(solution.counts().values()) == counts
    assert solution.digest() == digest(solution.table) == expected
    if name != "values-pairs":  # without remoteness only games of two tokens are proven
        rs.verify(solution)


@pytest.mark.parametrize("version", [8, "7", True])
def test_other_version_raises(version: object, tmp_path: Path) -> None:
    shutil.copytree(DATA / "graph", tmp_path / "s")
    reseal(tmp_path / "s", with_entry("version", version))
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "s")


def test_renumbered_game_is_refused_and_its_table_still_read() -> None:
    solution = rs.open(DATA / "renumbered")
    expected = "12a3593fc1f8a762bcf8d5068b6bea4aab29b42468ec6275d5b83588f6df3d29"
    assert tuple(solution.counts().values()) == (167, 198, 120, 0)
    assert solution.digest() == expected == digest(solution.table)
    with pytest.raises(rs.StoreError):
        solution.space.index(0)


def test_filled_table_of_renumbered_game_is_refused(tmp_path: Path) -> None:
    shutil.copytree(DATA / "values-pairs", tmp_path / "s")
    reseal(tmp_path / "s", with_entry("space|arguments|board", 5))
    with pytest.raises(rs.StoreError):
        digest(rs.open(tmp_path / "s").table)
