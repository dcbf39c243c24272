"""Saved solutions of each version of the format, kept in tests/data, can be opened for ever."""

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.store import digest

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


@pytest.mark.parametrize("name", VERSION_3)
def test_version_3(name: str) -> None:
    expected, counts = VERSION_3[name]
    solution = rs.open(DATA / "version-3" / name, check=True)
    assert solution.verified
    assert tuple(solution.counts().values()) == counts
    assert solution.opened.digest == expected
    assert expected is None or digest(solution.table) == expected
    rs.verify(solution)


@pytest.mark.parametrize("name", VERSION_4)
def test_version_4(name: str) -> None:
    expected, counts = VERSION_4[name]
    solution = rs.open(DATA / "version-4" / name, check=True)
    assert solution.verified
    assert tuple(solution.counts().values()) == counts
    assert solution.opened.digest == expected == digest(solution.table)
    if name != "values-pairs":  # without remoteness only games of two tokens are proven
        rs.verify(solution)


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
