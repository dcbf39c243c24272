"""The pictures of the built-in games: well-formed, with points to click for every move."""

import random
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.drawing.picture import MIN_POINT
from retrosolve.games import GAMES, parse_game
from retrosolve.games.ur import OVER, Ur
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.rules.calls import moves_of
from retrosolve.rules.interpreted import InterpretedGame

SVG = "{http://www.w3.org/2000/svg}"
OTHERS = {  # not drawn, or tested below
    "bearoff", "grundy", "octal", "pig", "race", "rolls", "ur",
}  # fmt: skip
SMALLER = {
    "foxhounds": "foxhounds:n=6",
    "connect4": "connect4:rows=4,columns=5",
    "cops": "cops:cops=2",
    "hexapawn": "hexapawn:columns=4,rows=4",
}
VARIANTS = (
    "chess:KPKR,board=5", "dobutsu:rows=5", "morris9:men=4,lasker=yes", "turning:rule=mock",
    "turning:rule=ruler",
)  # fmt: skip
DRAWN = [*(SMALLER.get(name, name) for name in GAMES if name not in OTHERS), *VARIANTS]


def plain(game: Any) -> rs.Game:
    """The rules as plain Python."""
    return game if isinstance(game, rs.Game) else InterpretedGame(game)


def random_play(game: Any, games: int = 2, plies: int = 24, seed: int = 1) -> Iterator[Any]:
    """Positions of random games."""
    rng = random.Random(seed)
    rules = plain(game)
    for _ in range(games):
        position = game.start()
        for _ in range(plies):
            moves = [] if rules.terminal(position) else moves_of(rules, position)
            yield position
            if not moves:
                break
            position = rng.choice(moves)[1]


def points_in(svg: str) -> dict[str, ElementTree.Element]:
    """The clickable elements of a picture by their labels."""
    found = [e for e in ElementTree.fromstring(svg).iter() if e.get("data-point") is not None]
    labelled = {e.attrib["data-point"]: e for e in found}
    assert len(labelled) == len(found)
    return labelled


@pytest.mark.parametrize("name", DRAWN)
def test_points_of_every_game_lie_in_its_picture_and_are_large_enough(name: str) -> None:
    """That each move has points of its own is a part of the contract of rules."""
    game = parse_game(name)
    for position in random_play(game):
        svg = game.svg(position)
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        assert root.findtext(f"{SVG}title")
        for point in points_in(svg).values():
            x, y, wide, high = (float(point.attrib[side]) for side in ("x", "y", "width", "height"))
            assert min(wide, high) >= MIN_POINT
            assert x > -wide / 2
            assert y > -high / 2
            assert x + wide / 2 < width
            assert y + high / 2 < height


def test_pieces_of_chess_are_named_for_those_who_do_not_see_them() -> None:
    game = parse_game("chess:KRK")
    points = points_in(game.svg(game.parse("k7/8/1K6/8/8/8/8/7R w")))
    titles = {label: "".join(point.itertext()) for label, point in points.items()}
    assert titles["h1"] == "h1: white rook"
    assert titles["a8"] == "a8: black king"
    assert titles["a1"] == "a1"


def test_a_pawn_has_its_new_pieces_to_choose_from() -> None:
    game = parse_game("chess:KPK")
    before = game.parse("8/1P6/8/8/8/k7/8/7K w")
    moves = {name: game.move_points(before, target) for name, target in game.named_moves(before)}
    assert moves["b8=Q"] == ("b7", "b8", "=Q")
    assert moves["b8=N"] == ("b7", "b8", "=N")
    assert {"=Q", "=R", "=B", "=N"} < set(points_in(game.svg(before)))
    assert "=Q" not in points_in(game.svg(game.parse("8/8/1P6/8/8/k7/8/7K w")))


def test_stones_of_connect_four_keep_their_colour() -> None:
    game = parse_game("connect4")
    board, seen = game.start(), []
    for _ in range(3):
        (board, *_) = [target for name, target in game.named_moves(board) if name == "a"]
        drawn = ElementTree.fromstring(game.svg(board))
        seen.append([e.attrib["class"] for e in drawn if e.get("class", "").startswith("piece")])
    assert seen[2][::-1] == ["piece red", "piece yellow", "piece red"]


def test_a_heap_is_taken_from_by_clicking_its_last_stones() -> None:
    stones = parse_game("stones:n=12,take=1+3")
    points = points_in(stones.svg(11))
    assert set(points) == {"1", "3"}
    assert stones.move_points(11, 8) == ("3",)
    assert stones.svg(11).count("<circle") == 11
    assert parse_game("stones:n=500").svg(300) is None


def test_decided_positions_of_dobutsu_have_one_point() -> None:
    game = parse_game("dobutsu")
    assert set(points_in(game.svg(1))) == {"take"} == set(game.move_points(1, 0))
    open_lion = game.parse("g../.el/.E./.LG Cc")
    assert game.move_points(open_lion, 0) == ("b3", "c2")


def test_a_board_too_large_to_click_has_no_picture() -> None:
    game = PoliceAndThief.from_text(f"P{'.' * 49}T\n" + ("." * 51 + "\n") * 49)
    assert game.svg(game.start()) is None
    smaller = PoliceAndThief.from_text(f"P{'.' * 48}T\n" + ("." * 50 + "\n") * 49)
    assert len(points_in(smaller.svg(smaller.start()) or "")) == 2500


@pytest.mark.parametrize("rules", ["finkel", "masters"])
def test_pieces_of_ur_are_moved_by_their_squares(rules: str) -> None:
    game = Ur(pieces=2, rules=rules)
    thrown, targets = np.zeros(5, np.int64), np.zeros(7, np.int64)
    for index in range(1, game.size, 97):
        board = int(game.unrank(index, game.data))
        drawn = ElementTree.fromstring(game.svg(board))
        pieces = [e.get("class") for e in drawn.iter(f"{SVG}circle")]
        squares = [side.partition("+")[0] for side in game.text(board).split("/")]
        waiting = [e.text for e in drawn.iter(f"{SVG}text")]
        assert sum(map(int, waiting)) + len(pieces) - len(waiting) == 4  # all pieces of both
        for kind, side in zip(("mover", "other"), squares, strict=True):
            assert pieces.count(f"piece {kind}") >= len([*filter(None, side.split(","))])
        points = points_in(game.svg(board))
        for throw in thrown[: game.outcomes(board, thrown, np.zeros(5, np.int64), game.data)].tolist():
            found = targets[: game.successors(throw, targets, game.data)].tolist()
            clicked = [tuple(game.move_points(board, max(made, ~made))) for made in found]
            assert len(set(clicked)) == len(clicked)
            for made, clicks in zip(found, clicked, strict=True):
                name = game.move_name(throw, max(made, ~made))
                assert clicks == (() if name == "pass" else tuple(name.split("-")))
                assert set(clicks) <= set(points)
    assert ">2</text>" in game.svg(OVER)


def test_players_of_a_race_are_drawn_on_its_graph() -> None:
    race = parse_game("race:edges=a-b-c-d-goal+a-d,die=2")
    drawn = ElementTree.fromstring(race.svg(race.parse("b,a")))
    places = {e.text: (e.attrib["x"], e.attrib["y"]) for e in drawn.iter(f"{SVG}text")}
    pieces = {e.attrib["class"]: e.attrib for e in drawn.iter(f"{SVG}circle")}
    assert [pieces["piece mover"]["cx"], pieces["piece other"]["cx"]] == [
        places["b"][0],
        places["a"][0],
    ]
    assert len([*drawn.iter(f"{SVG}line")]) == 5
    assert set(points_in(race.svg(race.start()))) == {"a", "b", "c", "d", "goal"}
    assert race.move_points(race.start(), race.parse("a,d")) == ("d",)
    assert parse_game(f"race:edges={'-'.join(map(str, range(99)))}").svg(0) is None


def test_checkers_and_scores_are_drawn() -> None:
    bearoff = parse_game("bearoff:points=3,checkers=6")
    drawn = bearoff.svg(bearoff.parse("1,0,2/0,6,0"))
    assert drawn.count('class="piece mover"') == 3
    assert drawn.count('class="piece other"') == 4  # of six, with their number
    assert ">6</text>" in drawn
    pig = parse_game("pig:goal=50")
    assert [*ElementTree.fromstring(pig.svg(pig.parse("20,35,12"))).itertext()][1:] == [
        "35 / 50",
        "20 + 12 / 50",
    ]
    assert ">50 / 50</text>" in pig.svg(pig.parse("over"))
