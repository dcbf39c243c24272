"""The built-in games: one a file, and the table that names them all."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.games.chess import ChessEnding
from retrosolve.games.connect4 import ConnectFour
from retrosolve.games.dobutsu import DobutsuShogi
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.fox_and_hounds_plain import FoxAndHoundsPlain
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.games.lgame import LGame
from retrosolve.games.morris3 import ThreeMensMorris
from retrosolve.games.morris6 import SixMensMorris
from retrosolve.games.mutorere import MuTorere
from retrosolve.games.queen_and_pawns import QueenAndPawns
from retrosolve.games.stones import Stones
from retrosolve.games.teeko import Teeko
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.pursuit.cops import on_graph
from retrosolve.pursuit.police import PLAYERS, STEPS, on_board
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.values import Outcome, Value


@dataclass(frozen=True)
class GameSpec:
    """A built-in game: how it is made, what it is, and how each parameter is read from text.

    With the default parameters it has ``positions`` positions, and the published answer for its
    start is ``outcome``; ``source`` says where that is published. ``unnamed`` is a parameter that may
    come first without its name.

    >>> game = GAMES["hexapawn"]
    >>> game.positions, str(game.outcome)
    (135, 'LOSS in 6')
    """

    name: str
    make: Callable[..., Game | CompiledGame]
    summary: str
    parameters: dict[str, Callable[[str], Any]]
    positions: int
    outcome: Outcome
    source: str
    unnamed: str | None = None

    def defaults(self) -> dict[str, str]:
        """Give the default of each parameter, as text that reads back as it.

        >>> GAMES["stones"].defaults()
        {'n': '10', 'take': '1+2'}
        """
        given = inspect.signature(self.make).parameters
        return {name: _written(given[name].default) for name in self.parameters}


def whole(text: str) -> int:
    """Read a whole number of at most nine digits."""
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise ValueError("a whole number")
    return int(text)


def numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers joined by plus signs, as in ``1+2``."""
    try:
        return tuple(whole(part) for part in text.split("+"))
    except ValueError:
        raise ValueError("whole numbers joined by +") from None


def yes_or_no(text: str) -> bool:
    """Read ``yes`` or ``no``.

    >>> yes_or_no("yes")
    True
    """
    if text not in ("yes", "no"):
        raise ValueError("yes or no")
    return text == "yes"


def one_of(*words: str) -> Callable[[str], str]:
    """Read one of these words.

    >>> one_of("king", "rook")("rook")
    'rook'
    """

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(" or ".join(words))
        return text

    return read


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


GAMES: dict[str, GameSpec] = {
    game.name: game
    for game in (
        GameSpec(
            "stones",
            Stones,
            "take stones from a heap",
            {"n": whole, "take": numbers},
            11,
            Outcome(Value.WIN, 7),
            "folklore",
        ),
        GameSpec(
            "tictactoe",
            TicTacToe,
            "three in a row on a 3x3 board",
            {},
            5478,
            Outcome(Value.TIE, 9),
            "folklore; Wikipedia; brianhliou/solved-games",
        ),
        GameSpec(
            "mutorere",
            MuTorere,
            "eight men on a star with eight points",
            {"symmetry": yes_or_no},
            1180,
            Outcome(Value.DRAW, None),
            "Wikipedia, after GamesCrafters",
        ),
        GameSpec(
            "lgame",
            LGame,
            "E. de Bono's game of two Ls on a 4x4 board",
            {"symmetry": yes_or_no},
            18368,
            Outcome(Value.DRAW, None),
            "Wikipedia; GamesCrafters",
        ),
        GameSpec(
            "morris3",
            ThreeMensMorris,
            "three men's morris: three in a row, put down and then moved",
            {},
            3870,
            Outcome(Value.WIN, 9),
            "brianhliou/solved-games",
        ),
        GameSpec(
            "hexapawn",
            Hexapawn,
            "M. Gardner's game of pawns",
            {"columns": whole, "rows": whole},
            135,
            Outcome(Value.LOSS, 6),
            "M. Gardner, 1962; Wikipedia; brianhliou/solved-games",
        ),
        GameSpec(
            "foxhounds-plain",
            FoxAndHoundsPlain,
            "fox and hounds on an n x n board, in plain Python",
            {"n": whole},
            8175,
            Outcome(Value.WIN, 21),
            "gilith/solve",
        ),
        GameSpec(
            "police",
            on_board,
            "policeman and thief on the board of a file",
            {
                "board": str,
                "policeman": one_of(*STEPS),
                "thief": one_of(*STEPS),
                "stay": one_of("both", "nobody", *PLAYERS),
                "first": one_of(*PLAYERS),
                "exits": one_of("both", *PLAYERS),
                "wrap": yes_or_no,
                "swap": yes_or_no,
            },
            1352,
            Outcome(Value.WIN, 9),
            "docs/design.md",
            unnamed="board",
        ),
        GameSpec(
            "cops",
            on_graph,
            "cops and robber on the graph of a file",
            {"graph": str, "cops": whole, "passing": yes_or_no},
            4621,
            Outcome(Value.WIN, 3),
            "arXiv:1308.2841",
            unnamed="graph",
        ),
        GameSpec(
            "chess",
            ChessEnding,
            "chess endings: two kings and up to two more pieces, a pawn among them",
            {"ending": str, "board": whole, "symmetry": yes_or_no},
            50939,
            Outcome(Value.WIN, 31),
            "Syzygy statistics; UCI krkopt",
            unnamed="ending",
        ),
        GameSpec(
            "foxhounds",
            FoxAndHounds,
            "fox and hounds on an n x n board, compiled",
            {"n": whole},
            709868,
            Outcome(Value.LOSS, 44),
            "gilith/solve",
        ),
        GameSpec(
            "connect4",
            ConnectFour,
            "connect four on a board of any size",
            {"rows": whole, "columns": whole, "connect": whole},
            161029,
            Outcome(Value.TIE, 16),
            "J. Tromp; OEIS A212693",
        ),
        GameSpec(
            "queenpawns",
            QueenAndPawns,
            "a queen against a row of pawns on an n x n board",
            {"n": whole},
            25003,
            Outcome(Value.WIN, 5),
            "gilith/solve",
        ),
        GameSpec(
            "morris6",
            SixMensMorris,
            "six men's morris, without flying",
            {"men": whole, "symmetry": yes_or_no},
            1545778,
            Outcome(Value.DRAW, None),
            "R. Gasser, 1996; brianhliou/solved-games",
        ),
        GameSpec(
            "dobutsu",
            DobutsuShogi,
            "shogi for children on a 3x4 board",
            {"drops": yes_or_no},
            99485570,
            Outcome(Value.LOSS, 78),
            "T. Tanaka, 2009",
        ),
        GameSpec(
            "teeko",
            Teeko,
            "four pieces each, put down and then moved, on a 5x5 board",
            {"advanced": yes_or_no},
            96428136,
            Outcome(Value.DRAW, None),
            "G. Steele, 1998; MathWorld",
        ),
    )
}


def parse_game(text: str) -> Game | CompiledGame:
    """Make a built-in game, as in ``stones:n=10,take=1+2`` or ``chess:KRK,board=6``.

    Raises RulesError for an unknown game or parameter, or a value that cannot be read.

    >>> parse_game("stones:n=7").start()
    7
    """
    name, _, given = text.partition(":")
    if name not in GAMES:
        raise RulesError(f"there is no game {name!r}: expected one of {', '.join(GAMES)}")
    game = GAMES[name]
    arguments: dict[str, Any] = {}
    for place, part in enumerate(given.split(",") if given else []):
        key, equals, value = part.partition("=")
        if not equals and game.unnamed and place == 0:
            key, equals, value = game.unnamed, "=", part
        if not equals or key not in game.parameters:
            known = ", ".join(f"{key}=..." for key in game.parameters) or "none"
            raise RulesError(f"{text}: {part!r} is no parameter of {name}: expected {known}")
        if key in arguments:
            raise RulesError(f"{text}: {key} is given twice: expected it once")
        try:
            arguments[key] = game.parameters[key](value)
        except ValueError as error:
            raise RulesError(f"{text}: {key}={value!r}: expected {error}") from None
    return game.make(**arguments)
