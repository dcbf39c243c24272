"""Pictures: what they escape, how they are restyled, and the layout of graphs."""

from itertools import combinations
from math import pi
from xml.etree import ElementTree

import numpy as np
import pytest

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.boards import chequered, squares, text_board, text_points
from retrosolve.drawing.graphs import free_direction
from retrosolve.drawing.layout import spread
from retrosolve.drawing.picture import CELL, KINDS, MIN_POINT, Picture
from retrosolve.values import Value


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    low, high = sorted(luminance(color) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_values_differ_with_and_without_colour() -> None:
    assert set(APPEARANCE) == set(Value)
    for part in ("color", "dark", "fill", "terminal", "symbol", "word"):
        assert len({getattr(look, part) for look in APPEARANCE.values()}) == len(Value)
    for look in APPEARANCE.values():
        assert contrast(look.color, "#ffffff") >= 4.5
        assert contrast(look.dark, "#14171c") >= 4.5


def test_any_text_is_escaped() -> None:
    nasty = "<script>&\"'\x00\x1b]\udc80ü"
    picture = Picture(10, 10, nasty)
    picture.text(5, 5, nasty)
    picture.point(nasty, 0, 0, 30, 30, nasty)
    root = ElementTree.fromstring(str(picture))
    assert [e.text for e in root.iter() if e.text] == ["<script>&\"'??]?ü"] * 3
    (point,) = [e for e in root.iter() if "data-point" in e.attrib]
    assert point.attrib["data-point"] == "<script>&\"'??]?ü"


def test_kinds_are_classes_with_defaults() -> None:
    picture = Picture(10, 10, "", mover_relative=True)
    picture.disc(5, 5, 4, "piece mover mine")
    root = ElementTree.fromstring(str(picture))
    (disc,) = [e for e in root if e.tag.endswith("circle")]
    assert disc.attrib["class"] == "piece mover mine"
    assert disc.attrib["fill"] == KINDS["mover"]["fill"]
    assert root.attrib["class"] == "position relative"
    assert "style" not in str(picture)


def test_small_points_are_enlarged_around_their_middle() -> None:
    picture = Picture(100, 100, "")
    picture.point("a", 50, 50, 4, 8)
    (point,) = [e for e in ElementTree.fromstring(str(picture)).iter() if "data-point" in e.attrib]
    x, y, width, height = (float(point.attrib[side]) for side in ("x", "y", "width", "height"))
    assert (width, height) == (MIN_POINT, MIN_POINT)
    assert (x + width / 2, y + height / 2) == (52, 54)


def test_a_path_is_laid_out_in_line_and_parts_lie_apart() -> None:
    line = spread(np.arange(4), np.arange(1, 5), 5)
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    assert np.ptp(lengths) < 0.05 * lengths.mean()
    assert np.linalg.norm(line[4] - line[0]) > 0.95 * lengths.sum()
    two = spread(np.array([0, 2]), np.array([1, 3]), 4)
    assert min(np.linalg.norm(two[a] - two[b]) for a in (0, 1) for b in (2, 3)) > 0.2
    assert spread(np.zeros(0, int), np.zeros(0, int), 1).tolist() == [[0.5, 0.5]]
    assert np.isfinite(spread(np.zeros(0, int), np.zeros(0, int), 6)).all()


# What who has no cones for green, or for red, sees of linear RGB: G. Machado, M. Oliveira and L. Fernandes, 2009.
VISION = {
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
}
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.9505], [1.0], [1.089]])


def lab(color: str, seen: list[list[float]]) -> np.ndarray:
    """A colour as CIELAB, as somebody sees it."""
    parts = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ np.clip(np.array(seen) @ linear, 0, 1), 0))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_areas_differ_for_who_tells_no_red_from_green() -> None:
    fills = [look.fill for look in APPEARANCE.values()]
    for seen in VISION.values():
        colours = [lab(fill, seen) for fill in fills]
        apart = [np.linalg.norm(a - b) for a, b in combinations(colours, 2)]
        assert min(apart) > 14, [round(float(d)) for d in apart]


def test_the_sign_of_a_vertex_is_away_from_its_edges() -> None:
    assert free_direction([]) == -pi / 4
    for taken in ([0.0], [pi / 2, -pi / 2], [0.3, 2.0, -1.0]):
        angle = free_direction(taken)
        assert min(abs((angle - other + pi) % (2 * pi) - pi) for other in taken) > 0.7


@pytest.mark.parametrize("size", [3, 5, 8])
def test_names_of_rows_and_columns_stand_within_the_squares(size: int) -> None:
    board = chequered("Empty", size)
    drawn = ElementTree.fromstring(str(board.picture))
    texts = [one for one in drawn.iter() if one.tag.endswith("text")]
    labels = {one.text: (float(one.get("x", "")), float(one.get("y", ""))) for one in texts}
    assert set(labels) == {*"abcdefgh"[:size], *map(str, range(1, size + 1))}
    for number in range(size):
        for name, column, row in (
            ("abcdefgh"[number], number, size - 1),
            (str(size - number), 0, number),
        ):
            left, top = board.corner(column, row)
            x, y = labels[name]
            assert left < x < left + CELL
            assert top < y < top + CELL
    assert float(drawn.get("width", "")) - size * CELL < 0.1 * CELL


@pytest.mark.parametrize("n", [3, 8])
def test_squares_beside_each_other_differ_and_a1_is_dark(n: int) -> None:
    for board, dark in ((chequered("", n), (n - 1) % 2), (squares("", n, n), 0)):
        drawn = [e.get("class") for e in ElementTree.fromstring(str(board.picture)).iter()]
        kinds = [kind for kind in drawn if kind in ("light", "dark")]
        assert kinds == [("dark", "light")[(r + c + dark) % 2] for r in range(n) for c in range(n)]


def test_boards_as_text_are_drawn_and_clicked_from_square_to_square() -> None:
    assert text_board("X" * 2) is None
    assert {text_board("XO\n..") is None, text_board("XO\n...\n.") is None} == {False}
    assert text_points("XO/..", "XO/..") is None
    assert text_points("R./..", "../.R") == ("1,1", "2,2")
    assert text_points("RB/..", ".R/..") == ("1,1", "1,2")  # the piece that is taken is not clicked
