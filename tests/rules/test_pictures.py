"""check_game draws positions and clicks moves."""

from typing import Any

import pytest

import retrosolve as rs
from retrosolve.drawing.picture import Picture


class Marked(rs.Game):
    """Two moves from 2, one from 1; each number is a point."""

    svgs: Any = None
    points: Any = None

    def start(self) -> int:
        return 2

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [(f"to {m}", m) for m in range(n)]

    def svg(self, n: int) -> Any:
        if self.svgs is not None:
            return self.svgs
        picture = Picture(100, 24, f"{n} & <more>")
        picture.point("b c", 90, 0, 24, 24)
        for m in range(n):
            picture.point(str(m), 24 * m, 0, 24, 24)
        return str(picture)

    def move_points(self, n: int, target: int) -> Any:
        return self.points(n, target) if self.points else (str(target),)


def test_good_pictures_are_listed() -> None:
    assert str(rs.check_game(Marked())) == "all 3 positions: moves, svg, move_points"


@pytest.mark.parametrize(
    ("svg", "message"),
    [
        ("<svg><text>a & b</text></svg>", r"svg\(2\) is not well-formed XML: not well-formed"),
        ("<g></g>", r"svg\(2\) is a <g>: expected <svg>"),
        (7, r"svg\(2\) gave 7: expected text or None"),
        ("<svg/>", r"move_points\(2, 0\) gave \('0',\): expected one or more points of the picture"),
    ],
)
def test_bad_pictures_are_found(svg: Any, message: str) -> None:
    game = Marked()
    game.svgs = svg
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(game)
    report = rs.check_game(game, collect=True)
    assert len(report.findings) == 1


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (lambda n, target: "0", "gave '0': expected one or more points"),
        (lambda n, target: ("b c",), "expected labels without blanks"),
        (lambda n, target: None, "gave None: expected one or more points"),
        (lambda n, target: ("0",), r"gave \('0',\), as for the move to 0: expected other points"),
        (lambda n, target: ("0", "1")[: target + 1], "begins with the points of the move to 0"),
    ],
)
def test_points_that_tell_no_move_are_found(points: Any, message: str) -> None:
    game = Marked()
    game.points = points
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(game)


def test_a_position_may_have_no_picture() -> None:
    class Undrawn(Marked):
        def svg(self, n: int) -> Any:
            return None

    assert rs.check_game(Undrawn()).findings == ()
