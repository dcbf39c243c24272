"""Saved solutions of each version of the format, kept in tests/data, can be opened for ever."""

import shutil
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.store import digest, pack
from tests.support.saved import reseal, with_entry

DATA = Path(__file__).parent.parent / "data"

VERSION_3 = {
    "graph": ("648ce02204603784f8ddad64e8a155b558d2ae6306115d0b2c46fbec8dc08000", (1, 1, 1, 2)),
    "board": (None, (739, 613, 0, 0)),
    "hexapawn": ("3a296accbaa62ec892a5fcd93c3d29e88e0f8773d1abe7c76ca3dd060c8347da", (55, 80, 0, 0)),
}

VERSION_4 = {
    "graph": ("648ce02204603784f8ddad64e8a155b558d2ae6306115d0b2c46fbec8dc08000", (1, 1, 1, 2)),
    "board": ("53aecd2f632f1ff49b6a5c54f76613c15e71e9729ef4cb6eeea6594ce4f83f85", (739, 613, 0, 0)),
    "chess-pairs": (
        "9a6901813ba3dbeb5add66dcbb1b4aee8863c35a1889eda328b2ac5127159c1f",
        (167, 198, 99, 0),
    ),
    "values-pairs": (
        "1fc254c12a391a963b7eb51b81824e9941b00efbca1b6ec8a46dcc5beffd0546",
        (167, 198, 99, 0),
    ),
}


VERSION_5 = VERSION_4 | {
    "tiers": ("7f6d685f39e5fc87408211b072024bf1c3e74e2552fd5908ecd2bf8bd60fc632", (266, 268, 160, 0)),
}

# Without remoteness the digest is that of two bits a vertex from version 6 on.
VERSION_6 = {
    "graph": VERSION_5["graph"],
    "board": ("43ccc5d50c22137d457a5b0dfaaaee8655f95bd1760d27a61bcf9ea4dfb3a98b", (739, 613, 0, 0)),
    "values-pairs": (
        "0340604361bd2a06c884249325d67f425ff28b3608c9bbdce007ef357232fc25",
        (167, 198, 99, 0),
    ),
}
VERSIONS = {4: VERSION_4, 5: VERSION_5, 6: VERSION_6}


@pytest.mark.parametrize("name", VERSION_3)
def test_version_3(name: str) -> None:
    expected, counts = VERSION_3[name]
    solution = rs.open(DATA / "version-3" / name, check=True)
    assert solution.verified
    assert tuple(solution.counts().values()) == counts
    assert solution.opened.digest == expected
    assert expected is None or digest(solution.table) == expected
    rs.verify(solution)


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in VERSIONS for name in VERSIONS[version]]
)
def test_versions_4_to_6(version: int, name: str) -> None:
    expected, counts = VERSIONS[version][name]
    solution = rs.open(DATA / f"version-{version}" / name, check=True)
    assert solution.verified
    assert tuple(solution.counts().values()) == counts
    assert solution.opened.manifest.found["table"]["digest"] == expected
    assert solution.digest() == digest(solution.table) == VERSION_6.get(name, (expected,))[0]
    if name != "values-pairs":  # without remoteness only games of two tokens are proven
        rs.verify(solution)


def test_a_digest_of_version_5_without_remoteness_is_compared(tmp_path: Path) -> None:
    shutil.copytree(DATA / "version-5" / "board", tmp_path / "s")
    reseal(tmp_path / "s", with_entry("table|digest", VERSION_6["board"][0]))
    with pytest.raises(rs.StoreError, match=f"that of the table {VERSION_5['board'][0]}"):
        rs.open(tmp_path / "s", check=True)


def test_a_solution_of_version_5_without_remoteness_is_packed_with_the_digest_of_today(
    tmp_path: Path,
) -> None:
    pack(DATA / "version-5" / "board", tmp_path / "s")
    assert rs.open(tmp_path / "s", check=True).opened.digest == VERSION_6["board"][0]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("version-3", "2f4235760c1818632fe128b1c9d79be39fb02d4ccf8663c83478efd38a4f2bfb"),
        ("version-4", "12a3593fc1f8a762bcf8d5068b6bea4aab29b42468ec6275d5b83588f6df3d29"),
    ],
)
def test_a_game_that_has_been_numbered_anew_is_refused_and_its_table_still_read(
    version: str, expected: str
) -> None:
    solution = rs.open(DATA / version / "chess")
    assert tuple(solution.counts().values()) == (167, 198, 120, 0)
    assert solution.opened.digest == expected == digest(solution.table)
    with pytest.raises(rs.StoreError, match="the space has 693"):
        solution.space.index(0)


def test_a_table_without_remoteness_is_refused_if_its_game_has_been_numbered_anew() -> None:
    with pytest.raises(rs.StoreError, match="the space has 693"):
        digest(rs.open(DATA / "version-4" / "values").table)
