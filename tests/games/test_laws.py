"""Laws that hold for every built-in game: the rules keep their contract, and are those that are told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import GAMES, parse_game
from retrosolve.rules.calls import moves_of
from retrosolve.rules.contract import INVALID, CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from tests.games.plain_rules import RULES, Plain
from tests.support.marks import samples

VARIANTS = (
    "chess:KQQK", "chess:KPKP", "chess:KPKR,board=5", "chess:KRPKP,board=6", "chess:KPPKP", "chess:KPPPK",
    "chess:KNNPK,board=7", "chess:KRBKR", "chess:KQRK,board=3", "chess:4men", "chess:KBBK,symmetry=no",
    "connect4:rows=8,columns=6", "foxhounds:n=10", "queenpawns:n=8", "quoridor:n=3,walls=1",
    "dobutsu:drops=no", "dobutsu:rows=5", "dobutsu:rows=5,drops=no", "teeko:advanced=yes",
    "morris6:men=3,symmetry=no", "morris9:men=4,placing=no", "morris9:men=4,diagonals=yes",
    "morris9:men=4,lasker=yes", "morris9:men=5,lasker=yes,diagonals=yes", "musketeers:size=3",
    "baghchal:size=4,goats=6,captures=2", "baghchal:size=3,goats=5,captures=2,placing=no",
    "awari:seeds=6,pits=3,grandslam=take", "awari:seeds=6,pits=3,grandslam=forbidden",
    "kalah:pits=3,seeds=1,capture=yes", "bearoff:points=6,checkers=4", "ur:pieces=7", "ur:rules=blitz",
    "ur:rules=masters,pieces=3", "pig:goal=30", "einstein:board=4,stones=3", "race:hits=yes",
    "turning:rule=mock", "turning:rule=ruler", "mutorere:symmetry=yes", "lgame:symmetry=yes",
    "nogo:rows=2,columns=3,symmetry=yes",
)  # fmt: skip
LARGE = ("morris9", "morris9:men=10,lasker=yes")


@cache
def made(name: str) -> Any:
    return parse_game(name)


def positions(game: CompiledGame, count: int, rng: random.Random) -> Iterator[int]:
    """Positions of random play, and of random indices, which play may never reach."""
    view, position = InterpretedGame(game), game.start()
    for number in range(count):
        if number % 4 == 3:
            found = int(game.unrank(rng.randrange(game.size or 1), game.plain_data))
            own = game.terminal(found, game.plain_data) != INVALID
            if own and game.canonical(found, game.plain_data) == found:
                yield found
            continue
        yield position
        moves = [] if view.terminal(position) else view.moves(position)
        position = int(rng.choice(moves)[1]) if moves else game.start()


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_rules_index_texts_and_pictures_keep_their_contract(name: str) -> None:
    """Moves both ways, tiers, ranks, surveys, symmetry, names, texts changed a little, points of pictures."""
    report = rs.check_game(made(name), samples=samples(80, 2000), limit=0)
    if isinstance(made(name), CompiledGame):
        assert "parse" in report.rules
        check_index(
            made(name), random.Random(name), name.startswith(("morris9", "baghchal", "musketeers"))
        )


def check_index(game: CompiledGame, rng: random.Random, has_gaps: bool) -> None:
    """Also of what is no position; symmetry leaves gaps in an index of sets of men."""
    size, data = game.size or 0, game.plain_data
    ends = {first - k for first in (*(game.tiers or ()), size) for k in (0, 1)} - {-1, size}
    for index in (*ends, *(rng.randrange(size) for _ in range(samples(200, 5000)))):
        position = game.unrank(index, data)
        if not has_gaps or game.canonical(position, data) == position:
            assert game.rank(position, data) == index


def check_as_told(name: str, position: int) -> None:
    game, rules = made(name), RULES[name]
    view, text = InterpretedGame(game), game.text(position)
    assert view.terminal(position) == rules.over(text), text
    if view.terminal(position) is None:
        moves = [(way, game.text(target)) for way, target in view.moves(position)]
        told = rules.moves(text)
        assert len(dict(moves)) == len(moves)
        if isinstance(told, dict):
            assert {way: in_order(shown) for way, shown in moves} == told, text
        else:
            assert sorted(shown for _, shown in moves) == sorted(told), text


@pytest.mark.parametrize("name", RULES)
def test_moves_and_ends_are_those_of_the_rules_as_told(name: str) -> None:
    game, count = made(name), samples(40 if name in LARGE else 150, 10_000)
    for position in positions(game, count, random.Random(name)):
        assert game.parse(game.text(position)) == position
        check_as_told(name, position)


def in_order(text: str) -> str:
    """The text of a position, the walls of quoridor by name."""
    words = text.split(" ")
    return " ".join([*words[:5], *sorted(words[5:])])


@pytest.mark.long("baghchal*", "queenpawns:n=5", "connect4:rows=4*")
@pytest.mark.parametrize(
    "name",
    [
        *(name for name in RULES if "connect=" in name),
        "foxhounds:n=4", "quoridor:n=3,walls=1", "queenpawns:n=3", "queenpawns:n=4", "queenpawns:n=5",
        "musketeers:size=3", "baghchal:size=3,goats=5,captures=2",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("quoridor:n=3,walls=2", "quoridor:n=4,walls=1")),
    ],
)  # fmt: skip
def test_positions_have_the_outcomes_of_the_rules_as_told(name: str) -> None:
    game = made(name)
    solution = rs.solve(game)
    rs.verify(solution)
    plain = rs.solve(Plain(RULES[name], game.text(game.start())))
    step = 1 + len(plain) // 4000
    for number, (text, outcome) in enumerate(plain.items()):
        position = game.parse(text)
        assert solution[position] == outcome, text
        if number % step == 0:
            check_as_told(name, position)


# -- by hand --------------------------------------------------------------------------------------------

KNOWN = {
    "connect4": {
        "..../..../..../....": "TIE in 16", "..../..../OOO./XXX.": "WIN in 1",
        "..../.OXX/.OOO/XOXX": "LOSS in 2",  # O threatens a row and a column
        ".OOO/XXOO/XXOO/OXXX": "TIE in 1",
    },
    "morris6:men=3": {
        "XX.X..../OO..O... 0": "WIN in 1",  # closes a mill and leaves two men
        "XX....../OO...... 2": "WIN in 3",  # so does a man put down, once all are placed
        "OOO...../X....... 1": "LOSS in 2", "......../........ 6": "DRAW",
    },
    "queenpawns:n=5": {
        "..Q../...../...../PPPPP/..... pawns": "WIN in 5",
        "...../.Q.../P..../...../..... pawns": "WIN in 1",  # the pawn takes her, or gets through
        "...../...../P.Q../...../..... queen": "WIN in 1",  # she takes the last pawn
        "Q..../P..../...../...../..... pawns": "LOSS in 0",  # blocked
    },
    "musketeers:size=3": {
        "MMM/EEE/EEE enemies": "WIN in 0", "MMM/EEE/EEE musketeers": "LOSS in 0",
        "M../.M./..M musketeers": "WIN in 0", "M../.M./..M enemies": "LOSS in 0",
    },
    "baghchal:size=3,goats=5,captures=2": {"TGT/GGG/TGT 0 0 tigers": "LOSS in 0"},
    "quoridor:n=4,walls=1": {"a1 b1 0 0 first a1h b1v": "LOSS in 0"},  # walled in behind the other pawn
    "wythoff:n=8": {"3,5": "LOSS in 4"},
    "bearoff:points=6,checkers=1": {"1,0,0,0,0,0/1,0,0,0,0,0": "100 %"},
    "race:edges=start-goal,die=6": {"start,start": "100 %"},
    "race:edges=a-b-goal,die=2": {"b,a": "100 %"},
    "race:edges=c-goal+a-b+b-a": {"a,a": "0 to 100 %"},  # a race that cannot end
}  # fmt: skip


@pytest.mark.long("baghchal*")
@pytest.mark.parametrize("name", KNOWN)
def test_outcomes_known_by_hand(name: str) -> None:
    solution = rs.solve(made(name))
    space = solution.space
    found = {text: solution[space.parse(text)] for text in KNOWN[name]}
    shown = {
        text: str(one.value if isinstance(one.value, rs.objectives.Odds) else one)
        for text, one in found.items()
    }
    assert shown == KNOWN[name]


# Where the rules as told have no names: some of the names of moves from a position, or all of them.
NAMES = {
    "dobutsu": {
        "gle/.c./.C./ELG": "Gc4-c3 Cb3xb2 Lb4-c3 Lb4-a3", "..l/C.g/.H./L.. EGe": "Ca2-a1 Hb3-b2 Hb3xc2 E*a1 G*c4",
    },
    "dobutsu:rows=5": {"..l/C.g/.../.H./L.. EGe": "Ca2-a1 Hb4-b3 E*a1 G*c5"},
    "morris6": {
        "......../........ 12": "a5 c5 e5 e3 e1 c1 a1 a3 b4 c4 d4 d3 d2 c2 b2 b3",
        "XX.X..../OOO.O... 0": "a5-a3 c5-e5 e3-e5xd2 e3-e1 e3-d3",
    },
    "teeko": {"...../...../...../...../.....": "a1 e5", "X...X/...../..O../.OOO./X...X": "a1-a2 e5-d4"},
    "foxhounds": {
        "..F./..../..../..../..../..../..../HHHH fox": "e8-d7 e8-f7",
        "..../..F./..../..../..../..../..../HHHH hounds": "b1-a2 b1-c2 d1-c2 d1-e2 f1-e2 f1-g2 h1-g2",
    },
    "musketeers": {"EEEEM/EEEEE/EEMEE/EEEEE/MEEEE musketeers": "c3xc4 e5xd5"},
    "baghchal": {"TG.../...../...../...../T..TT 15 4 tigers": "a5-c5xb5 a5-b4 e1-e2"},
    "mutorere": {"XXXXOOOO . X to move": "X_from_1 X_from_4", "XXX.OOOO X X to move": "X_from_3 X_from_centre"},
    "hexapawn": {"BBB/.../WWW white to move": "a1-a2 b1-b2 c1-c2"},
    "morris3": {".../.../...": "put_1,1 put_2,3 put_3,3"},
    "chess:KQRK": {
        "7k/R7/8/8/8/8/8/KQ6 w - - 0 1": "Kb2 Qh7# Qh1+ Ra8+ Rc7", "8/8/8/8/8/8/1k6/Q2K4 b": "Kxa1 Kb3",
    },
    "chess:KPKR": {
        "2r5/1P6/8/8/8/2k5/8/K7 w": "Ka2 Kb1 b8=N bxc8=Q+", "8/8/8/1r6/8/k7/6P1/K7 w": "g3 g4",
    },
    "chess:KQKP": {"8/7p/8/k7/8/8/1Q6/K7 b": "h6 h5 Ka6", "8/8/8/8/8/8/1k5p/3K4 b": "h1=Q+"},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_moves_are_named(name: str) -> None:
    game = made(name)
    rules = game if isinstance(game, rs.Game) else InterpretedGame(game)
    for text, expected in NAMES[name].items():
        position = game.state_space().parse(text)
        assert game.text(position) == " ".join(text.split(" - - ")[:1])
        found = {way.replace(" ", "_") for way, _ in moves_of(rules, position)}
        assert set(expected.split()) <= found
