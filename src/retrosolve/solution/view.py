"""How positions, lines of play and small graphs print and show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sized
from gettext import NullTranslations

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import one_line
from retrosolve.languages import digits, player_name
from retrosolve.languages.phrases import PLAIN, outcome_text, phrase, position_text
from retrosolve.objectives import Conversion, Score
from retrosolve.objectives.outcome import Outcome
from retrosolve.runtime.text import board_rows, mark
from retrosolve.solution.preference import Solved, outcome_at, ranked_moves
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import Table
from retrosolve.values import INVALID, Move, Result, Value, clock_of
from retrosolve.values import Outcome as ValueAndPlies

PLIES_COUNT = {
    Conversion.name: mark("to the next conversion"), Score.name: mark("to the next points"),
}  # fmt: skip
"""What plies count to, for objectives whose plies do not count to the end."""
MAX_TEXT = 60
MAX_NAMES = 12


class PositionView:
    """A position with its outcome and its moves; prints as text, and a notebook shows its picture.

    Parameters
    ----------
    solved : Solution
    position : hashable

    Raises
    ------
    PositionError
        If the solution does not contain the position.

    Attributes
    ----------
    outcome : Outcome
    moves : list of (Result, Move)
        Best first, each with its value for the player who makes it.
    """

    def __init__(self, solved: Solved, position: Hashable) -> None:
        space = solved.space
        self.position, vertex = space.resolved(position)
        self.outcome = outcome_at(solved, self.position, vertex)
        self.text = space.text(self.position)
        self.svg = space.svg(self.position)
        ranked = ranked_moves(solved, self.position, vertex)
        self.moves: list[tuple[Result, Move]] = [(each.value, each.move) for each in ranked]

    def __str__(self) -> str:
        rows = [f"{one_line(self.text)}: {APPEARANCE[self.outcome.value].symbol} {self.outcome}"]
        for value, move in self.moves:
            rows.append(f"  {APPEARANCE[value].symbol} {one_line(move.name)}  ({move.outcome})")
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"PositionView({one_line(self.text)}: {self.outcome}, {count(self.moves)})"

    def _repr_html_(self) -> str:
        """Return the picture or the text, and a table of the moves, for a notebook."""
        from html import escape

        shown = self.svg or f"<pre>{escape(self.text)}</pre>"
        rows = "".join(
            f"<tr><td>{sign(value)}</td><td>{escape(move.name)}</td><td>{move.outcome}</td></tr>"
            for value, move in self.moves
        )
        heading = "<tr><th></th><th>move</th><th>leads to</th></tr>"
        caption = f"<caption>{sign(self.outcome.value)} {self.outcome}</caption>"
        return f"{shown}<table>{caption}{heading}{rows}</table>"


def win_in_moves(solved: Solved) -> str:
    """Return how players of a game count a win in moves of the winner, ``"mate in {moves}"`` in chess.

    Empty where the rules do not say. For an objective whose plies do not count to the end, what they
    count to.
    """
    if solved.objective.name in PLIES_COUNT:
        return PLIES_COUNT[solved.objective.name]
    rules = solved.space.rules
    return rules.win_in_moves if rules and solved.objective.name == Outcome.name else ""


def clock_text(solved: Solved, position: Hashable, to: NullTranslations = PLAIN) -> str:
    """Return where the halfmove clock of a position stands, and whether it counts; empty for 0."""
    clock, limit = clock_of(position), solved.objective.parameters.get("limit")
    if not clock:
        return ""
    if not solved.objective.has_clock:
        sentence = to.gettext("the halfmove clock, {clock}, does not count")
    else:
        sentence = to.gettext("the halfmove clock stands at {clock} of {limit} plies")
    return sentence.format(clock=digits(clock, to.gettext), limit=digits(limit, to.gettext))


class LineOfPlay(list[Move]):
    """A line of play: a list of moves that prints as numbered moves.

    Parameters
    ----------
    space : StateSpace
        The positions and their texts.
    start : hashable
        The position before the first move.
    moves : iterable of Move

    Notes
    -----
    Raises nothing. Printing asks for the text of each position, some microseconds each.

    Examples
    --------
    >>> import retrosolve as rs
    >>> line = rs.solve(rs.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])).line("a")
    >>> line
    LineOfPlay(b, c, d)
    >>> print(line)
      1. b  (LOSS in 2)
      2. c  (WIN in 1)
      3. d  (LOSS in 0)
    """

    def __init__(self, space: StateSpace, start: Hashable, moves: Iterable[Move] = ()) -> None:
        super().__init__(moves)
        self.space = space
        self.start = start

    def rows(self, to: NullTranslations = PLAIN) -> Iterator[str]:
        """Yield one line of text for each move: number, player, name, target and outcome.

        Parameters
        ----------
        to : NullTranslations
            The language of players, of moves and positions of built-in games, and of outcomes:
            ``languages.translation("fa")``.
        """
        for shown, move in zip(self._shown(to), self, strict=True):
            yield f"{shown}  ({outcome_in(to, move.outcome)})"

    def _shown(self, to: NullTranslations = PLAIN) -> Iterator[str]:
        """Yield number, player, name and target of each move."""
        position = self.start
        for number, move in enumerate(self, 1):
            movers = self.space.player(np.array(self.space.summands(position)))
            player = "" if movers is None else self.space.owners[int(movers[0])]
            name = one_line(phrase(move.name, to))
            who = "" if movers is None else one_line(player_name(player, to))
            who = f"{who}: " if who and not name.startswith(f"{who} ") else ""
            target = position_in(to, self.space.text(move.position))
            yield f"{digits(number, to.gettext):>3}. {who}{name}" + (
                "" if target == name else f"  ->  {target}"
            )
            position = move.position

    def _repr_html_(self) -> str:
        """Return the moves as a table for a notebook; each outcome is for the player who moves next."""
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(shown)}</td><td>{sign(move.outcome.value)} {move.outcome}</td></tr>"
            for shown, move in zip(self._shown(), self, strict=True)
        )
        return f"<table><tr><th>move</th><th>leads to</th></tr>{rows}</table>"

    def __str__(self) -> str:
        return "\n".join(self.rows()) or "no move"

    def __repr__(self) -> str:
        names = [one_line(move.name) for move in self[:MAX_NAMES]]
        if len(self) > MAX_NAMES:
            names.append(f"... {len(self)} moves")
        return f"LineOfPlay({', '.join(names)})"


def outcome_in(to: NullTranslations, outcome: ValueAndPlies) -> str:
    """Return an outcome as text in a language; in English as ``str`` has it.

    >>> outcome_in(PLAIN, ValueAndPlies(Value.WIN, 3))
    'WIN in 3'
    """
    return str(outcome) if to is PLAIN else outcome_text(outcome, to.gettext)


def position_in(to: NullTranslations, text: str) -> str:
    """Return the text of a position in a language, on one line that is not too long."""
    return shorten(position_text(text, to))


def board_of(space: StateSpace, position: Hashable) -> list[str]:
    """Return the rows of the board at a position, of ``board_text`` if the rules define it, or none.

    >>> from retrosolve.games.morris3 import ThreeMensMorris
    >>> board_of(ThreeMensMorris().state_space(), 0b001_000_000 << 9 | 0b010_000)
    ['...', '.X.', 'O..']
    """
    draw = getattr(space.rules, "board_text", None)
    text = draw(position) if draw else space.text(position)
    return board_rows(text) or ([one_line(text)] if draw and "/" not in text else [])


def sign(value: Result) -> str:
    """Return the symbol of a value in its colour, as HTML.

    >>> sign(Value.DRAW)
    '<span style="color: #1c5fb0" title="draw">∞</span>'
    """
    look = APPEARANCE[value]
    return f'<span style="color: {look.color}" title="{value.label}">{look.symbol}</span>'


def solved_graph(space: StateSpace, table: Table) -> str:
    """Return a picture of all positions and moves, coloured by value; empty for more than 60.

    It is empty too where moves lead to sums, which are no vertices.
    """
    from retrosolve.drawing.graphs import MAX_SHOWN, graph_picture

    n = 0 if space.has_sums else space.num_vertices
    values = table.values(slice(0, n)) if 0 < n <= MAX_SHOWN else np.array([INVALID], np.uint8)
    if (values == INVALID).any():
        return ""
    edges = space.successors(0, n)
    source = np.repeat(np.arange(n), np.diff(edges.indptr))
    labels = [one_line(space.text(space.position(v))) for v in range(n)]
    title = f"{n} positions and {len(source)} moves, coloured by value"
    shown = [Value(table.codec.kinds[value]) for value in values.tolist()]
    return str(graph_picture(title, labels, source, edges.indices, shown))


def count(moves: Sized) -> str:
    """Return how many moves there are, in words.

    >>> count([]), count(["a"])
    ('0 moves', '1 move')
    """
    return f"{len(moves)} move{'' if len(moves) == 1 else 's'}"


def shorten(text: str) -> str:
    """Return a text on one line of at most 60 characters.

    >>> shorten("a\\nb")
    'a\\\\nb'
    """
    text = one_line(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."
