"""The table of built-in games. A game is imported when it is made, not when it is listed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from retrosolve.errors import RulesError
from retrosolve.games.parameters import (
    one_of,
    read_ending,
    read_flag,
    read_integer,
    read_integers,
    read_parameters,
    write_value,
)
from retrosolve.objectives.chance import Odds
from retrosolve.objectives.score import Margin
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.lazy import load
from retrosolve.runtime.text import mark
from retrosolve.values import NimValue, Outcome, Value

if TYPE_CHECKING:
    from retrosolve.rules.contract import CompiledGame, Game

PLAYERS = ("policeman", "thief")
GRAND_SLAMS = ("nothing", "take", "forbidden")
STEP = one_of("king", "rook", "bishop", "knight")


@dataclass(frozen=True)
class GameSpec:
    """A built-in game: where it is, what it is, and how each parameter is read from text.

    Parameters
    ----------
    name : str
        Name on the command line.
    location : str
        ``"module:attribute"`` of the class or function that makes the game.
    summary : str
        One line for the list of games.
    parameters : dict of str to callable
        Parameters in order, each with the reader of its text, which raises ValueError.
    positions : int
        Positions of the game with default parameters.
    outcome : Outcome
        The published answer for its start.
    source : str
        Where that is published.
    title : str
        The name in words, in English; pages translate it.
    rules : str
        The rules in two sentences, likewise.
    unnamed : str, optional
        The parameter that may come first without its name.
    has_picture : bool
        Whether positions have a picture.

    Examples
    --------
    >>> game = GAMES["hexapawn"]
    >>> game.positions, str(game.outcome)
    (135, 'LOSS in 6')
    """

    name: str
    location: str
    summary: str
    parameters: dict[str, Callable[[str], Any]]
    positions: int
    outcome: Outcome
    source: str
    title: str
    rules: str
    unnamed: str | None = None
    has_picture: bool = True

    @property
    def make(self) -> Callable[..., Game | CompiledGame]:
        """Class or function that makes the game; imported here."""
        made: Callable[..., Game | CompiledGame] = load(self.location)
        return made

    def defaults(self) -> dict[str, str]:
        """Return the default of each parameter, as text that its reader accepts.

        Examples
        --------
        >>> GAMES["stones"].defaults()
        {'n': '10', 'take': '1+2'}
        """
        signature = inspect.signature(self.make).parameters
        return {name: write_value(signature[name].default) for name in self.parameters}


GAMES: dict[str, GameSpec] = {
    game.name: game
    for game in (
        GameSpec(
            "stones",
            "retrosolve.games.stones:Stones",
            "take stones from a heap",
            {"n": read_integer, "take": read_integers},
            11,
            Outcome(Value.WIN, 7),
            "folklore",
            mark("Stones"),
            mark(
                "The players take one or two stones in turn from a heap. Who cannot take a stone loses."
            ),
        ),
        GameSpec(
            "tictactoe",
            "retrosolve.games.tictactoe:TicTacToe",
            "three in a row on a 3x3 board",
            {},
            5478,
            Outcome(Value.TIE, 9),
            "folklore; Wikipedia; brianhliou/solved-games",
            mark("Tic-tac-toe"),
            mark(
                "The players put their marks in turn on a board of three by three cells. Three "
                "marks in a row win; a full board without a row is a tie."
            ),
        ),
        GameSpec(
            "octal",
            "retrosolve.games.heaps:Octal",
            "an octal game of heaps, by default Kayles: nimbers of all heaps",
            {"code": str, "n": read_integer},
            1001,
            Outcome(NimValue(1), None),
            "R. K. Guy and C. A. B. Smith, 1956; OEIS A002186",
            mark("Octal games"),
            mark(
                "The players take pins from a row in turn, and what is left of it may fall into two. "
                "Who cannot move loses; the digits of the code say how many may be taken, and how."
            ),
            has_picture=False,
        ),
        GameSpec(
            "grundy",
            "retrosolve.games.heaps:Grundy",
            "P. M. Grundy's game: split a heap into two of different sizes",
            {"n": read_integer},
            1001,
            Outcome(NimValue(17), None),
            "P. M. Grundy, 1939; OEIS A002188",
            mark("Grundy's game"),
            mark(
                "The players split a heap in turn into two heaps of different sizes. Who cannot "
                "split a heap loses."
            ),
            has_picture=False,
        ),
        GameSpec(
            "wythoff",
            "retrosolve.games.wythoff:Wythoff",
            "W. A. Wythoff's game of two heaps",
            {"n": read_integer},
            231,
            Outcome(Value.WIN, 1),
            "W. A. Wythoff, 1907; OEIS A004481",
            mark("Wythoff's game"),
            mark(
                "The players take any number from one of two heaps, or the same number from both. Who "
                "cannot take anything loses."
            ),
        ),
        GameSpec(
            "turning",
            "retrosolve.games.turning:TurningCoins",
            "coins to turn: turtles, mock turtles or ruler",
            {"rule": one_of("turtles", "mock", "ruler"), "n": read_integer},
            256,
            Outcome(Value.WIN, 11),
            "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 14",
            mark("Turning coins"),
            mark(
                "The players turn coins of a row, the rightmost of them from heads to tails. Who "
                "cannot turn a coin loses."
            ),
        ),
        GameSpec(
            "nogo",
            "retrosolve.games.nogo:NoGo",
            "stones of either colour, without capturing",
            {"rows": read_integer, "columns": read_integer, "symmetry": read_flag},
            12675,
            Outcome(Value.LOSS, 8),
            "T. Folkersen, M. Müller and H. Du, results of MCGS, 2025",
            mark("NoGo"),
            mark(
                "The players put stones of either colour on a board in turn. Each group of stones "
                "must keep an empty point beside it. Who cannot put a stone loses."
            ),
        ),
        GameSpec(
            "mutorere",
            "retrosolve.games.mutorere:MuTorere",
            "eight men on a star with eight points",
            {"symmetry": read_flag},
            1180,
            Outcome(Value.DRAW, None),
            "Wikipedia, after GamesCrafters",
            mark("Mu torere"),
            mark(
                "Each player has four pieces on the points of a star, and moves one along a line "
                "to the free place; into the centre only from beside an opponent. Who cannot "
                "move loses."
            ),
        ),
        GameSpec(
            "lgame",
            "retrosolve.games.lgame:LGame",
            "E. de Bono's game of two Ls on a 4x4 board",
            {"symmetry": read_flag},
            18368,
            Outcome(Value.DRAW, None),
            "Wikipedia; GamesCrafters",
            mark("L game"),
            mark(
                "A player puts the own L somewhere else on the board, turned or mirrored as "
                "needed, and may then move one neutral piece. Who has no other place for the L "
                "loses."
            ),
        ),
        GameSpec(
            "morris3",
            "retrosolve.games.morris3:ThreeMensMorris",
            "three men's morris: three in a row, put down and then moved",
            {},
            3870,
            Outcome(Value.WIN, 9),
            "brianhliou/solved-games",
            mark("Three men's morris"),
            mark(
                "The players put three pieces each on the points, and then move them along the "
                "lines. Three in a row win."
            ),
        ),
        GameSpec(
            "hexapawn",
            "retrosolve.games.hexapawn:Hexapawn",
            "M. Gardner's game of pawns",
            {"columns": read_integer, "rows": read_integer},
            135,
            Outcome(Value.LOSS, 6),
            "M. Gardner, 1962; Wikipedia; brianhliou/solved-games",
            mark("Hexapawn"),
            mark(
                "Pawns move one square ahead or capture diagonally, as in chess. Who reaches the "
                "other side, or leaves the opponent without a move, wins."
            ),
        ),
        GameSpec(
            "foxhounds-plain",
            "retrosolve.games.fox_and_hounds.plain:FoxAndHoundsPlain",
            "fox and hounds on an n x n board, in plain Python",
            {"n": read_integer},
            8175,
            Outcome(Value.WIN, 21),
            "gilith/solve",
            mark("Fox and hounds"),
            mark(
                "The fox moves one dark square diagonally in any direction, a hound only "
                "forwards. The fox wins behind the hounds; the hounds win when the fox cannot "
                "move."
            ),
        ),
        GameSpec(
            "police",
            "retrosolve.pursuit.police:on_board",
            "policeman and thief on the board of a file",
            {
                "board": str,
                "policeman": STEP,
                "thief": STEP,
                "stay": one_of("both", "nobody", *PLAYERS),
                "first": one_of(*PLAYERS),
                "exits": one_of("both", *PLAYERS),
                "wrap": read_flag,
                "swap": read_flag,
            },
            1352,
            Outcome(Value.WIN, 9),
            "e-maxx, Games on arbitrary graphs",
            mark("Policeman and thief"),
            mark(
                "Policeman and thief walk in turn on a board with walls and exits, one step "
                "each. The policeman wins on the cell of the thief, the thief at an exit."
            ),
            unnamed="board",
        ),
        GameSpec(
            "cops",
            "retrosolve.pursuit.cops:on_graph",
            "cops and robber on the graph of a file",
            {"graph": str, "cops": read_integer, "passing": read_flag, "directed": read_flag},
            4621,
            Outcome(Value.WIN, 3),
            "arXiv:1308.2841",
            mark("Cops and robber"),
            mark(
                "The cops choose vertices of a graph, then the robber; they move along edges in "
                "turn, all cops at once. The cops win on the vertex of the robber, who wins if "
                "that never happens."
            ),
            unnamed="graph",
        ),
        GameSpec(
            "chess",
            "retrosolve.games.chess:ChessEnding",
            "chess endings of up to five men; chess:4men are all of up to four, chess:5men all",
            {"ending": read_ending, "board": read_integer, "symmetry": read_flag},
            50477,
            Outcome(Value.WIN, 31),
            "Syzygy statistics; UCI krkopt",
            mark("Chess endings"),
            mark(
                "The rules of chess with few pieces on the board. A stalemate or too little "
                "material is a tie."
            ),
            unnamed="ending",
        ),
        GameSpec(
            "foxhounds",
            "retrosolve.games.fox_and_hounds:FoxAndHounds",
            "fox and hounds on an n x n board, compiled",
            {"n": read_integer},
            709868,
            Outcome(Value.LOSS, 44),
            "gilith/solve",
            mark("Fox and hounds"),
            mark(
                "The fox moves one dark square diagonally in any direction, a hound only "
                "forwards. The fox wins behind the hounds; the hounds win when the fox cannot "
                "move."
            ),
        ),
        GameSpec(
            "connect4",
            "retrosolve.games.connect4:ConnectFour",
            "connect four on a board of any size",
            {"rows": read_integer, "columns": read_integer, "connect": read_integer},
            161029,
            Outcome(Value.TIE, 16),
            "J. Tromp; OEIS A212693",
            mark("Connect Four"),
            mark(
                "The players drop stones in turn into the columns of an upright board. Four in a "
                "row win; a full board without a row is a tie."
            ),
        ),
        GameSpec(
            "awari",
            "retrosolve.games.awari:Awari",
            "sow seeds and capture twos and threes",
            {"seeds": read_integer, "pits": read_integer, "grandslam": one_of(*GRAND_SLAMS)},
            125970,
            Outcome(Margin(8), 1),
            "J. Romein and H. Bal, 2002",
            mark("Awari"),
            mark(
                "The seeds of a pit are sown one by one counterclockwise. Who ends in a pit of the "
                "other player with two or three seeds captures them, and those in like pits before it."
            ),
        ),
        GameSpec(
            "ur",
            "retrosolve.games.ur:Ur",
            "the Royal Game of Ur: race and capture by throws of dice",
            {"pieces": read_integer, "rules": one_of("finkel", "blitz", "masters")},
            12870,
            Outcome(Odds(0.5185729074956, 0.5185729074957), None),
            "RoyalUr-Java; J. Olieslagers",
            mark("The Royal Game of Ur"),
            mark(
                "Four dice say how far a piece moves along the path; one that is hit begins anew. A "
                "rosette gives another throw, and who brings all pieces off the board first wins."
            ),
        ),
        GameSpec(
            "pig",
            "retrosolve.games.pig:Pig",
            "throw a die as often as you dare",
            {"goal": read_integer},
            4201,
            Outcome(Odds(0.6155585498049, 0.6155585498052), None),
            "T. Neller and C. Presser, 2004",
            mark("Pig"),
            mark(
                "A player throws a die and adds up the points until he holds, or loses those of the "
                "turn with a 1. Who first has the points of the goal wins."
            ),
        ),
        GameSpec(
            "bearoff",
            "retrosolve.games.bearoff:Bearoff",
            "bear off at the end of backgammon",
            {"points": read_integer, "checkers": read_integer},
            784,
            Outcome(Odds(0.7544943492227, 0.7544943492229), None),
            "GNU Backgammon",
            mark("Bearing off"),
            mark(
                "Two dice say how far checkers move towards the edge of the board and off it. Who has "
                "borne off all of his first wins."
            ),
        ),
        GameSpec(
            "rolls",
            "retrosolve.games.bearoff:Rolls",
            "bear off alone in the fewest throws",
            {"points": read_integer, "checkers": read_integer},
            442,
            Outcome(Odds(-2.91328447825112, -2.91328447825110, True), None),
            "retrosolve",
            mark("Bearing off alone"),
            mark(
                "Two dice say how far the checkers of one player move towards the edge of the board "
                "and off it. He wants to need few throws on average."
            ),
            has_picture=False,
        ),
        GameSpec(
            "einstein",
            "retrosolve.games.einstein:Einstein",
            "a die says which stone moves to the opposite corner",
            {"board": read_integer, "stones": read_integer},
            150003,
            Outcome(Odds(170 / 243, 170 / 243), None),
            "rules by I. Althöfer, 2004; value by retrosolve",
            mark("EinStein würfelt nicht!"),
            mark(
                "A die says which stone moves one cell towards the opposite corner; a stone in its way "
                "is taken. Who first comes to that corner or takes all stones of the other player wins."
            ),
        ),
        GameSpec(
            "race",
            "retrosolve.games.race:Race",
            "a race on any graph by throws of a die",
            {"edges": str, "die": read_integer, "hits": read_flag},
            156,
            Outcome(Odds(0.66790627327920, 0.66790627327922), None),
            "retrosolve",
            mark("Race on a graph"),
            mark("A die says how many edges a player follows. Who first comes to the goal wins."),
        ),
        GameSpec(
            "kalah",
            "retrosolve.games.kalah:Kalah",
            "sow seeds into a store and move again",
            {"pits": read_integer, "seeds": read_integer, "capture": read_flag},
            37128,
            Outcome(Margin(4), 1),
            "G. Irving, J. Donkers and J. Uiterwijk, 2000",
            mark("Kalah"),
            mark(
                "The seeds of a pit are sown counterclockwise, also into the own store; who ends there "
                "moves again. The last seed in an own empty pit captures the seeds opposite."
            ),
        ),
        GameSpec(
            "dots",
            "retrosolve.games.dots:DotsAndBoxes",
            "draw lines between dots and close boxes",
            {"rows": read_integer, "columns": read_integer},
            4209,
            Outcome(Margin(2), 8),
            "E. Berlekamp, 2000",
            mark("Dots and boxes"),
            mark(
                "The players draw lines between neighbouring dots in turn. Who closes a box owns it "
                "and draws again; who owns more boxes wins."
            ),
        ),
        GameSpec(
            "queenpawns",
            "retrosolve.games.queen_and_pawns:QueenAndPawns",
            "a queen against a row of pawns on an n x n board",
            {"n": read_integer},
            25003,
            Outcome(Value.WIN, 5),
            "gilith/solve",
            mark("Queen and pawns"),
            mark(
                "A queen moves as in chess and captures pawns, which move one square ahead. The "
                "queen wins when she has captured all pawns, the pawns when one comes through."
            ),
        ),
        GameSpec(
            "quoridor",
            "retrosolve.games.quoridor:Quoridor",
            "M. Marchesi's race of two pawns and walls on an n x n board",
            {"n": read_integer, "walls": read_integer},
            312860,
            Outcome(Value.LOSS, 12),
            "jh85/smallgames, 2026",
            mark("Quoridor"),
            mark(
                "A player moves the pawn one step or puts up a wall that leaves a way for both. "
                "Who first reaches the opposite side wins."
            ),
        ),
        GameSpec(
            "morris6",
            "retrosolve.games.morris6:SixMensMorris",
            "six men's morris, without flying",
            {"men": read_integer, "symmetry": read_flag},
            1545778,
            Outcome(Value.DRAW, None),
            "R. Gasser, 1996; brianhliou/solved-games",
            mark("Six men's morris"),
            mark(
                "The players put their pieces on the points and then move them along the lines; "
                "three in a line take a piece of the opponent. Who is down to two pieces or cannot "
                "move loses."
            ),
        ),
        GameSpec(
            "morris9",
            "retrosolve.games.morris9:nine_mens_morris",
            "nine men's morris; takes hours, with fewer men seconds",
            {"men": read_integer, "diagonals": read_flag, "placing": read_flag, "lasker": read_flag},
            26798457321,
            Outcome(Value.DRAW, None),
            "R. Gasser, 1996; G. E. Gévay and G. Danner, 2014",
            mark("Nine men's morris"),
            mark(
                "The players put nine pieces each on the points and then move them along the "
                "lines; three in a line take a piece of the opponent. Who is down to two pieces or "
                "cannot move loses."
            ),
        ),
        GameSpec(
            "baghchal",
            "retrosolve.games.baghchal:bagh_chal",
            "tigers hunt goats on a 5x5 board; takes two hours, on a smaller one seconds",
            {
                "size": read_integer,
                "goats": read_integer,
                "captures": read_integer,
                "placing": read_flag,
            },
            33135682053,
            Outcome(Value.DRAW, None),
            "Lim Y. J. and J. Nievergelt, 2009",
            mark("Bagh-chal"),
            mark(
                "Four tigers jump over goats to capture them, and win with the fifth. Twenty goats are "
                "placed one by one, and then move a step along the lines; they win when no tiger can "
                "move."
            ),
        ),
        GameSpec(
            "musketeers",
            "retrosolve.games.musketeers:ThreeMusketeers",
            "three musketeers against 22 enemies on a 5x5 board; takes ten minutes",
            {"size": read_integer},
            2412181504,
            Outcome(Value.LOSS, 33),
            "S. Sackson, 1969",
            mark("Three musketeers"),
            mark(
                "The musketeers capture an enemy beside them in each move, and win when they cannot; "
                "the enemies move a step. The enemies win when the musketeers stand in one row or "
                "column."
            ),
        ),
        GameSpec(
            "dobutsu",
            "retrosolve.games.dobutsu:DobutsuShogi",
            "shogi for children on a 3x4 board; with rows=5 takes an hour",
            {"drops": read_flag, "rows": read_integer},
            99485570,
            Outcome(Value.LOSS, 78),
            "T. Tanaka, 2009",
            mark("Dobutsu shogi"),
            mark(
                "Each animal moves one step in the directions of its dots, and a captured one "
                "changes sides. Who takes the lion, or brings the own lion safely to the other "
                "side, wins."
            ),
        ),
        GameSpec(
            "teeko",
            "retrosolve.games.teeko:Teeko",
            "four pieces each, put down and then moved, on a 5x5 board",
            {"advanced": read_flag},
            96428136,
            Outcome(Value.DRAW, None),
            "G. Steele, 1998; MathWorld",
            mark("Teeko"),
            mark(
                "The players put four pieces each on a board of five by five cells, and then "
                "move them one step. Four in a row or in a square win."
            ),
        ),
    )
}


def spec_of(rules: object) -> GameSpec | None:
    """Return the built-in game of some rules; None for other rules.

    Parameters
    ----------
    rules : object
        The rules of a game, or None.

    Examples
    --------
    >>> spec = spec_of(parse_game("chess:KRK"))
    >>> spec.title, spec_of(None)
    ('Chess endings', None)
    """
    module = type(rules).__module__
    exact = f"{module}:{type(rules).__qualname__}"
    homes = {spec.location.partition(":")[0]: spec for spec in GAMES.values()}
    matching = [home for home in homes if module == home or module.startswith(f"{home}.")]
    of_class = (spec for spec in GAMES.values() if spec.location == exact)
    return next(of_class, homes[max(matching, key=len)] if matching else None)


def name_in(text: str) -> str | None:
    """Return the name of the built-in game that a text begins with, in any case; None without one.

    >>> name_in("Chess:kqk"), name_in("chess.csv")
    ('chess', None)
    """
    name = text.partition(":")[0].lower()
    return name if name in GAMES else None


def spec_in(text: str) -> GameSpec:
    """Return the built-in game that a text begins with. Raises RulesError."""
    name = name_in(text)
    if name is None:
        first = text.partition(":")[0]
        raise RulesError(f"there is no game {first!r}: expected one of {', '.join(GAMES)}")
    return GAMES[name]


def parse_game(text: str) -> Game | CompiledGame:
    """Return a built-in game from text such as ``stones:n=10,take=1+2`` or ``chess:KRK,board=6``.

    Parameters
    ----------
    text : str
        The name of the game, as ``retrosolve games`` lists them, in any case; after a colon its
        parameters, separated by commas.

    Returns
    -------
    Game or CompiledGame

    Raises
    ------
    RulesError
        If the game or a parameter is unknown, or a value cannot be read.

    See Also
    --------
    retrosolve.read_graph : A graph from a file.

    Notes
    -----
    Cost: that of importing the module of the game and making its tables, at most a second. The modules
    of other games are not imported.

    Examples
    --------
    >>> import retrosolve as rs
    >>> print(rs.solve(rs.game("stones:n=7"))[7])
    WIN in 5
    >>> rs.game("checkers")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    retrosolve.errors.RulesError: there is no game 'checkers': expected one of stones, tictactoe, ...
    """
    if not isinstance(text, str):
        raise RulesError(f"{short_repr(text)} is no text: expected the name of a game, as 'chess:KRK'")
    spec, arguments = read_game(text)
    return spec.make(**arguments)


def read_game(text: str) -> tuple[GameSpec, dict[str, Any]]:
    """Return the built-in game that a text names and its arguments, not made. Raises RulesError.

    >>> read_game("stones:n=7")[1]
    {'n': 7}
    """
    spec, rest = spec_in(text), text.partition(":")[2]
    return spec, read_parameters(text, spec.name, rest, spec.parameters, spec.unnamed)
