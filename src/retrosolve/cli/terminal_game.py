"""``retrosolve play``: a game in the terminal, against a perfect or a fallible opponent.

It shows the board and the moves with their values, reads commands, and ends with a transcript.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from gettext import NullTranslations
from operator import attrgetter
from typing import Any

import click
from rich.text import Text

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, language_option, takes_input
from retrosolve.cli.output import rich_console
from retrosolve.cli.report import CELL_STYLES, BoardGame
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.boards import Coordinates, coordinates, drawn_points
from retrosolve.errors import one_line
from retrosolve.languages import ASCII, NUMERALS, digits, side_name, translation, typed
from retrosolve.languages.phrases import (
    FROM_LINE,
    balance_text,
    phrase,
    plies_apart,
    points_text,
    verdict,
)
from retrosolve.objectives.score import Margin
from retrosolve.solution.playing import GamePlay, Ply, Quality, balance, reply
from retrosolve.solution.preference import RankedMove
from retrosolve.solution.view import board_of, position_in, shorten, win_in_moves
from retrosolve.values import NimValue, Result

MAX_LISTED = 30
MARKS = {Quality.SLOW: "?!", Quality.HASTY: "?!", Quality.MISTAKE: "?"}
DIE = "⚅"
QUIT = ("q", "quit")
SIDES = {"first": (0,), "second": (1,), "both": (0, 1)}
Styled = tuple[str, str]


@click.command(
    epilog=epilog(
        "retrosolve play stones:n=10",
        "retrosolve play chess:KRK --mistakes 0.2 --seed 7",
        "retrosolve play saved --side both --no-values",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option(
    "--side",
    type=click.Choice(list(SIDES)),
    default="first",
    show_default=True,
    help="The side that you play: the player who moves first or second, or whom the rules name so.",
)
@click.option(
    "--mistakes",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="How often the opponent makes a move that is not a best one.",
)
@click.option("--seed", type=int, help="Seed of the opponent's choices.")
@click.option(
    "--values/--no-values",
    default=True,
    help="Whether positions and moves are shown with their values (default: yes).",
)
@language_option
def play(
    request: Request, side: str, mistakes: float, seed: int | None, values: bool, language: str
) -> None:
    """Play INPUT from its start, or from --start, against a perfect opponent.

    A saved solution is opened; anything else is solved first. Type the number or the name of a move, h
    for a hint, v for the values of all moves, u to take back, s to change sides, q to end the game. The
    game ends with a transcript.
    """
    solution = request.solution()
    if solution.start is None:
        raise rs.GraphError("INPUT has no start: expected --start POSITION")
    game = GamePlay(solution, solution.start)
    chance = random.Random(seed)
    TerminalGame(game, SIDES[side], mistakes, chance, translation(language), values).run()


class TerminalGame:
    """A game between a person and an opponent, or of a person who moves for both.

    Parameters
    ----------
    game : GamePlay
    humans : sequence of int
        The sides that the person plays.
    mistakes : float
        See :func:`~retrosolve.solution.playing.reply`.
    chance : Random
        Where the opponent's choices come from.
    to : NullTranslations
        The language.
    values : bool
        Whether positions and moves are shown with their values.
    """

    def __init__(
        self,
        game: GamePlay,
        humans: Sequence[int],
        mistakes: float,
        chance: random.Random,
        to: NullTranslations,
        values: bool,
    ) -> None:
        self.game = game
        self.humans = frozenset(humans)
        self.mistakes = mistakes
        self.chance = chance
        self.to = to
        self.values = values
        self.console = rich_console()
        self.met = [game.position]
        self.named: Coordinates | None = None
        self.counted = win_in_moves(game.solution)
        players = game.solution.space.players
        self.names = [side_name(players, side, game.named, to) for side in (0, 1)]

    def run(self) -> None:
        """Play until the game is over or the person ends it, and print the transcript."""
        going = True
        self._show_position()
        if (
            isinstance(self.game.outcome.value, Margin)
            and self.game.position != self.game.solution.start
        ):
            self._print(self.to.gettext(FROM_LINE))
        while going and self.game.moves:
            if self.game.awaits_throw:
                self._throw()
            elif self.game.side in self.humans:
                going = self._turn()
            else:
                place = reply(self.game.moves, self.mistakes, self.chance)
                self._make(self.game.moves[place - 1])
        self._show_transcript()

    # -- turns --------------------------------------------------------------------------------

    def _throw(self) -> None:
        """Throw the dice of the player to move, or make the move of chance."""
        who = f" {self._who(self.game.side)}:" if self.game.moves[0].is_choice else ""
        made = len(self.game.played)
        self._print(f"{DIE}{who} {self._move(self.game.throw(self.chance))}", "cyan")
        if len(self.game.played) > made:
            self.met.append(self.game.position)
            self._show_position()

    def _turn(self) -> bool:
        """Read commands until a move is made; return False if the person ends the game."""
        # Best first, or without values in the order of the rules.
        moves = self.game.moves if self.values else sorted(self.game.moves, key=attrgetter("place"))
        self._show_moves(moves, self.values)
        while True:
            command = self._read()
            if command in QUIT:
                return False
            if command in ("h", "hint"):
                self._show_hint()
            elif command in ("v", "values"):
                self._show_moves(moves, True, everything=True)
            elif command in ("u", "undo"):
                if self._undo():
                    return True
            elif command in ("s", "swap"):
                self.humans = frozenset({0, 1} - self.humans) if len(self.humans) == 1 else self.humans
                self._show_position()
                return True
            else:
                chosen = self._chosen(command, moves)
                if chosen is not None:
                    self._make(chosen)
                    return True
                self._print(self.to.gettext("Type the number or the name of a move, or a command:"))
                self._print(
                    self.to.gettext("h hint, v values of all moves, u undo, s swap sides, q quit")
                )

    def _read(self) -> str:
        """Return the person's command; the end of the input ends the game."""
        try:
            return self.console.input("> ").strip()
        except EOFError:
            self.console.print()
            return QUIT[0]

    def _chosen(self, command: str, moves: list[RankedMove]) -> RankedMove | None:
        """Return the move of a number or a name, also a translated one; None if there is none."""
        number = typed(command)
        numbered = number.isascii() and number.isdigit() and 1 <= int(number) <= len(moves)
        space, position = self.game.solution.space, self.game.position
        named = [
            move for move in moves if command in (one_line(move.move.name), self._move(move.move.name))
        ]
        if not named and not numbered:
            named = [
                m for m in moves if command in space.positions.move_aliases(position, m.move.position)
            ]
        return next(iter(named), moves[int(number) - 1] if numbered else None)

    def _make(self, move: RankedMove) -> None:
        """Make a move and show what follows."""
        mine = self.game.side in self.humans
        who = self._who(self.game.side)
        self.game.make(move)
        ply = self.game.played[-1]
        self.console.print()
        self._print(f"{who}: {self._with_points(ply.name, ply.reward)}", "bold")
        if mine and self.values and ply.quality is not Quality.BEST:
            self._print(self._criticism(ply), "magenta")
        if self.game.position in self.met:
            self._print(self.to.gettext("This position has occurred before."))
        self.met.append(self.game.position)
        if self.game.side in self.humans or not self.game.moves:
            self._show_position()

    def _undo(self) -> bool:
        """Take back the person's last move and what followed; return whether there was one."""
        played = self.game.played
        if not any(map(self._is_own, played)):
            self._print(self.to.gettext("There is no move to take back."))
            return False
        while True:
            mine = self._is_own(played[-1])
            self.game.undo()
            self.met.pop()
            if mine:
                break
        self._show_position()
        return True

    def _is_own(self, ply: Ply) -> bool:
        """Return whether the person has chosen a move."""
        return ply.side in self.humans and ply.quality is not Quality.CHANCE

    # -- showing ------------------------------------------------------------------------------

    def _show_position(self) -> None:
        """Print the board, or the position as text, and the verdict."""
        space, position = self.game.solution.space, self.game.position
        rows = board_of(space, position)
        draw = getattr(space.rules, "board_text", None)
        self._show_board(rows, bool(draw))
        if not rows or draw:
            self._show_text(space.text(position), draw(position) if draw and rows else "")
        self._show_points()
        if self.values and self.game.moves:
            outcome = self.game.outcome
            self.console.print(Text(*self._verdict(outcome.value, outcome.remoteness, self.game.side)))

    def _show_points(self) -> None:
        """Print the points that each player has taken, if points decide."""
        total, side = self.game.outcome.value, self.game.side
        if isinstance(total, Margin):
            me = min(self.humans) if len(self.humans) == 1 else side
            names = self._who(me), self._who(1 - me)
            taken = self.game.taken[me], self.game.taken[1 - me]
            total = total if side == me else total.opposite()
            told = self.values or not self.game.moves
            self._print(points_text(names, taken, total if told else None, self.to))

    def _show_text(self, text: str, board: str) -> None:
        """Print the text of a position, without the board that it begins with."""
        side, rest = self.game.side, text.removeprefix(board)
        if rest == f" {self.game.solution.space.players[side]}":
            self._print("  " + self.to.gettext("{player} to move").format(player=self.names[side]))
        elif rest:
            self._print(f"  {position_in(self.to, text)}")

    def _show_board(self, rows: list[str], coloured: bool) -> None:
        """Print the rows of a board, with the names of squares beside it and above or below it."""
        if not rows:
            return
        if self.named is None:  # all positions of a game have them in common
            self.named = coordinates(self._points(), len(rows), max(map(len, rows)))
        named = self.named
        width = max(map(len, named.rows), default=0)
        # A name of several characters stands upright, a character to a line.
        high = max(map(len, named.columns), default=0)
        columns = [name.rjust(high) for name in named.columns]
        heading = ["".join(name[line] for name in columns) for line in range(high)]
        headings = [Text(f" {'':<{width}} {line}".rstrip(), "dim") for line in heading]
        beside = named.rows if len(named.rows) == len(rows) else [""] * len(rows)
        board = [
            Text.assemble(
                (f" {name:>{width}} ", "dim"),
                *((cell, _cell_style(cell) if coloured else "") for cell in row),
            )
            for name, row in zip(beside, rows, strict=True)
        ]
        for line in [*headings, *board] if named.above else [*board, *headings]:
            self.console.print(line)

    def _points(self) -> list[tuple[float, float, str]]:
        """Return where the points of the board are that moves name, and their names."""
        space = self.game.solution.space
        rules: Any = space.rules
        if rules is not None and rules.implements("svg"):
            return drawn_points(space.svg(self.game.position) or "")
        board = getattr(rules, "board", None)
        if not isinstance(board, rs.Board):
            return []
        return [(x, y, board.names[s]) for y, row in enumerate(board.rows) for x, s in enumerate(row)]

    def _show_moves(self, moves: list[RankedMove], values: bool, everything: bool = False) -> None:
        """Print the moves with their numbers, and with their values if asked."""
        shown = moves if everything else moves[:MAX_LISTED]
        names = [self._with_points(move.move.name, move.reward) for move in shown]
        width = max(map(len, names))
        for number, (move, name) in enumerate(zip(shown, names, strict=True), 1):
            row = Text(f"{digits(number, self.to.gettext):>3} ")
            if values:
                words, style = self._judged(move)
                row.append(f"{name:<{width}}  ")
                row.append(words, style)
            else:
                row.append(name)
            self.console.print(row)
        if len(shown) < len(moves):
            more = len(moves) - len(shown)
            self._print(
                self.to.ngettext(
                    "{n} more move; v shows all", "{n} more moves; v shows all", more
                ).format(n=digits(more, self.to.gettext))
            )

    def _show_hint(self) -> None:
        """Print a best move, and how many are as good."""
        best = [move for move in self.game.moves if move.key == self.game.moves[0].key]
        move = best[0]
        words, style = self._judged(move)
        self.console.print(Text.assemble(f"{self._move(move.move.name)}  ", (words, style)))
        if len(best) > 1:
            others = len(best) - 1
            self._print(
                self.to.ngettext(
                    "{n} other move is as good", "{n} other moves are as good", others
                ).format(n=digits(others, self.to.gettext))
            )

    def _show_transcript(self) -> None:
        """Print the moves that were made, what each was worth, and the result."""
        self.console.print()
        self._print(self.to.gettext("Transcript"), "bold")
        names = [self._with_points(ply.name, ply.reward) for ply in self.game.played]
        width = max(map(len, names), default=0)
        who = max(len(self._who(side)) for side in (0, 1))
        for number, (ply, named) in enumerate(zip(self.game.played, names, strict=True), 1):
            words, style = self._verdict(ply.after.value, ply.after.remoteness, ply.side, True)
            name = named + MARKS.get(ply.quality, "")
            place = digits(number, self.to.gettext)
            mover = DIE if ply.quality is Quality.CHANCE else self._who(ply.side)
            row = Text(f"{place:>3}. {mover:<{who}}  {name:<{width + 2}}  ")
            self.console.print(row.append(words, style))
        self._show_result()
        value = self.game.outcome.value
        for side in (0, 1) if isinstance(value, rs.objectives.Odds) and self.game.played else ():
            made = balance(self.game.played, side)
            self._print(balance_text(self._who(side), *made, value.is_payoff, self.to))
        mistakes = sum(p.quality is Quality.MISTAKE and p.side in self.humans for p in self.game.played)
        if mistakes:
            self._print(
                self.to.ngettext(
                    "You made {n} mistake (?)", "You made {n} mistakes (?)", mistakes
                ).format(n=digits(mistakes, self.to.gettext))
            )

    def _show_result(self) -> None:
        """Print the result of a finished game."""
        if self.game.moves:
            self._print(self.to.gettext("The game is not finished."))
            return
        rules: Any = self.game.solution.space.rules
        if isinstance(rules, BoardGame):
            self._print(self.to.gettext(rules.verdict(self.game.outcome, self.game.position)))
        self.console.print(Text(*self._verdict(self.game.outcome.value, 0, self.game.side)))

    # -- words --------------------------------------------------------------------------------

    def _verdict(
        self, result: Result, remoteness: int | None, side: int, has_moved: bool = False
    ) -> Styled:
        """Return the outcome for ``side`` in a sentence to the person, and its style.

        Plies are counted from a position in which ``side`` moves, or after its move if it has moved.
        """
        player: str | None = self.names[side]
        value = result.kind if isinstance(result, NimValue) else result  # both have the same moves
        mover = value.opposite() if has_moved else value
        if len(self.humans) == 1:
            player = None
            value = value if side in self.humans else value.opposite()
        look = APPEARANCE[value]
        remoteness, moves = plies_apart(self.counted, rs.Outcome(mover, remoteness), self.to)
        aside = result.name if isinstance(result, NimValue) else moves
        words = verdict(value, remoteness, player, self.to) + (f" ({aside})" if aside else "")
        return f"{look.symbol} {words}", look.terminal

    def _judged(self, move: RankedMove) -> Styled:
        """Return the verdict on a move, with the nimber that it leaves."""
        words, style = self._verdict(move.value, move.plies, self.game.side)
        after = move.move.outcome.value
        return (f"{words} ({after.name})" if isinstance(after, NimValue) else words), style

    def _criticism(self, ply: Ply) -> str:
        """Return a sentence about a move that was not a best one."""
        if ply.quality is Quality.MISTAKE:
            sentence = self.to.gettext("That was a mistake: {move} is best.")
        else:
            sentence = self.to.gettext("That is not the best move: {move} is.")
        return sentence.format(move=self._move(ply.best))

    def _move(self, name: str) -> str:
        """Return the name of a move in the language, on one line that is not too long."""
        return shorten(phrase(name, self.to))

    def _with_points(self, name: str, points: int) -> str:
        """Return the name of a move, and the points that it wins."""
        said = f"{points:+}".translate(str.maketrans(ASCII, self.to.gettext(NUMERALS)))
        return f"{self._move(name)} ({said})" if points else self._move(name)

    def _who(self, side: int) -> str:
        """Return the name of a side in a transcript."""
        if len(self.humans) == 1:
            return self.to.gettext("You") if side in self.humans else self.to.gettext("Opponent")
        return self.names[side]

    def _print(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style))


def _cell_style(cell: str) -> str:
    """Return the style of a cell of a board with policeman and thief."""
    style = CELL_STYLES.get(cell, {})
    words = [word for word in ("bold", "dim") if style.get(word)]
    return " ".join([*words, *([style["fg"]] if "fg" in style else [])])
