"""Checks of pictures: well-formed SVG, with the points of every move."""

from __future__ import annotations

from collections.abc import Sequence
from string import whitespace
from typing import Any
from xml.etree import ElementTree

from retrosolve.errors import RulesError
from retrosolve.rules.calls import moves_of
from retrosolve.rules.contract import Game

MAX_PICTURES = 50


def check_pictures(game: Game, positions: Sequence[Any]) -> None:
    """Check the pictures of a sample of positions. Raises RulesError.

    Parameters
    ----------
    game : Game
    positions : sequence of hashable
        MAX_PICTURES of them are drawn, at equal distances.
    """
    for position in positions[:: max(1, len(positions) // MAX_PICTURES)]:
        points = _points(position, game.svg(position))
        if game.implements("move_points") and points is not None and not game.terminal(position):
            _check_moves(game, position, points)


def _points(position: Any, svg: Any) -> set[str] | None:
    """Return the labels of the points in a picture; None for a position without a picture."""
    if svg is None:
        return None
    if not isinstance(svg, str):
        raise RulesError(f"svg({position!r}) gave {svg!r}: expected text or None")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise RulesError(f"svg({position!r}) is not well-formed XML: {error}") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise RulesError(f"svg({position!r}) is a <{root.tag}>: expected <svg>")
    return {label for element in root.iter() if (label := element.get("data-point")) is not None}


def _check_moves(game: Game, position: Any, points: set[str]) -> None:
    """Check that the points of each move are in the picture and tell it from all others."""
    targets: dict[tuple[str, ...], Any] = {}
    for _, target in moves_of(game, position):
        given = game.move_points(position, target)
        clicked = () if given is None or isinstance(given, str) else tuple(given)
        what = f"move_points({position!r}, {target!r}) gave {given!r}"
        if not clicked or not set(clicked) <= points:
            raise RulesError(f"{what}: expected one or more points of the picture")
        if any(not label or set(label) & set(whitespace) for label in clicked):
            raise RulesError(f"{what}: expected labels without blanks")
        if targets.setdefault(clicked, target) != target:
            raise RulesError(f"{what}, as for the move to {targets[clicked]!r}: expected other points")
    for clicked, target in targets.items():
        for length in range(1, len(clicked)):
            if clicked[:length] in targets:
                raise RulesError(
                    f"move_points({position!r}, {target!r}) gave {clicked!r}, which begins with the "
                    f"points of the move to {targets[clicked[:length]]!r}: expected other points"
                )
