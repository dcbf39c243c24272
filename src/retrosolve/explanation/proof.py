"""Proof: why a position has its value, as a tree of the moves that decide it.

A WIN needs one move, the best. A LOSS, a TIE and a DRAW need all moves, since none of them may do
better. A position that play reaches in several ways is explained once, where it is nearest to the root.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.explanation import rendering
from retrosolve.explanation.words import Translate
from retrosolve.languages import DEFAULT, mark, translation
from retrosolve.runtime.files import one_line
from retrosolve.solution import Solution, preference
from retrosolve.solution.preference import RankedMove
from retrosolve.values import Move, Outcome, Value

MAX_POSITIONS = 1000

# What decides a position, by its value where that matters.
TERMINAL = mark("the rules end the game here")
STUCK = mark("there is no move")
ONLY_MOVE = {
    Value.WIN: mark("the only move wins"),
    Value.LOSS: mark("the only move loses"),
    Value.TIE: mark("the only move ties"),
    Value.DRAW: mark("the only move keeps the draw"),
}
EVERY_MOVE = {
    Value.WIN: mark("every move wins, none sooner than {move}"),
    Value.LOSS: mark("every move loses"),
    Value.TIE: mark("every move ties"),
    Value.DRAW: mark("every move keeps the draw"),
}
ONE_MOVE = {
    Value.WIN: mark("only {move} wins"),
    Value.TIE: mark("{move} ties and no move wins"),
    Value.DRAW: mark("{move} keeps the draw and every other move loses"),
}
SOME_MOVES = {
    Value.WIN: mark("{move} wins ({same} of {total} moves do)"),
    Value.TIE: mark("{move} ties ({same} of {total} moves do) and no move wins"),
    Value.DRAW: mark("{move} keeps the draw ({same} of {total} moves do) and every other move loses"),
}


@dataclass(eq=False, repr=False)
class Proof:
    """Why a position has its value: the moves that decide it, and why their targets have theirs.

    ``print(proof)`` shows the whole tree.

    Parameters
    ----------
    position : hashable
    text : str
        The position as text.
    outcome : Outcome
    player : str or None
        Who moves; None where the players alternate.
    reason : str
        What decides the position: the part of a sentence after "because".
    steps : list of Step
        The moves shown, best first. Empty where the game is over, where the same position is explained
        elsewhere in the tree (``repeats``), and where the explanation stops (``is_cut``).
    hidden_moves : int
        The number of moves that the proof needs but does not show.
    is_cut : bool
        Whether the moves are left out because of the depth or the size of the tree.
    repeats : Proof, optional
        The same position where it is explained.
    board : list of str
        The rows of the board, if the rules or the text of the position show one; only at the root and
        along the best play, like ``svg``.
    svg : str, optional
        The picture that the rules draw of the position.
    language : str
        The language of ``reason`` and of the text.

    Examples
    --------
    >>> import retrosolve as rs
    >>> proof = rs.explain(rs.solve(rs.Graph.from_edges(["a"], ["b"])), "a")
    >>> str(proof.outcome), proof.reason, [step.move.name for step in proof.steps]
    ('WIN in 1', 'the only move wins', ['b'])
    """

    position: Hashable
    text: str
    outcome: Outcome
    player: str | None = None
    reason: str = ""
    steps: list[Step] = field(default_factory=list)
    hidden_moves: int = 0
    is_cut: bool = False
    repeats: Proof | None = None
    board: list[str] = field(default_factory=list)
    svg: str | None = None
    language: str = DEFAULT

    def walk(self) -> Iterator[Place]:
        """Yield every place of the tree, each before the places below it."""
        stack = [Place(0, None, self, is_main=True)]
        while stack:
            place = stack.pop()
            yield place
            below = [
                Place(place.level + 1, step.move, step.proof, is_main=place.is_main and not number)
                for number, step in enumerate(place.proof.steps)
            ]
            stack.extend(reversed(below))

    def rows(self) -> Iterator[str]:
        """Yield the text, one line at a time."""
        return rendering.text_rows(self)

    def __str__(self) -> str:
        return "\n".join(self.rows())

    def __repr__(self) -> str:
        return f"Proof({one_line(self.text)}: {self.outcome}, {len(self.steps)} moves)"

    def _repr_html_(self) -> str:
        """Return the tree as nested lists, with pictures of the best play, for a notebook."""
        return rendering.html(self)


class Step(NamedTuple):
    """A move, and why the position that it leads to has its value."""

    move: Move
    proof: Proof


class Place(NamedTuple):
    """A position in a tree.

    Parameters
    ----------
    level : int
        The number of moves from the root.
    move : Move or None
        The move that leads to the position; None for the root.
    proof : Proof
    is_main : bool
        Whether all moves from the root are the best ones.
    """

    level: int
    move: Move | None
    proof: Proof
    is_main: bool


def prove(
    solution: Solution, position: Hashable, depth: int, width: int, language: str = DEFAULT
) -> Proof:
    """Return the proof of a position, of a number of plies and of moves of each position.

    Raises
    ------
    GraphError
        For a solution without remoteness, in which the proof of a win could refer to itself.
    PositionError
        If the solution does not contain the position.
    """
    if not solution.table.has_remoteness:
        raise GraphError("a proof needs remoteness: expected a solution made with remoteness=True")
    space = solution.space
    translate = translation(language).gettext
    position, vertex = space.resolved(position)
    root = _proof(solution, position, preference.outcome(solution.table, vertex))
    root.language = language
    known = {vertex: root}
    queue = deque([(root, depth)])
    while queue:
        proof, plies = queue.popleft()
        moves = preference.ranked_moves(space, solution.table, proof.position)
        proof.reason = _reason(solution, proof, moves, translate)
        needed = moves[:1] if proof.outcome.value is Value.WIN else moves
        proof.is_cut = bool(needed) and (plies == 0 or len(known) > MAX_POSITIONS)
        if proof.is_cut:
            continue
        proof.hidden_moves = max(0, len(needed) - width)
        for ranked in needed[:width]:
            move, vertex = ranked.move, ranked.vertex
            child = _proof(solution, move.position, move.outcome)
            if vertex in known and move.outcome.remoteness != 0:
                child.repeats = known[vertex]
            else:
                known.setdefault(vertex, child)
                queue.append((child, plies - 1))
            proof.steps.append(Step(move, child))
    for place in root.walk():
        if place.is_main:
            place.proof.svg = space.svg(place.proof.position)
            place.proof.board = _board(solution, place.proof)
    return root


def _proof(solution: Solution, position: Hashable, outcome: Outcome) -> Proof:
    """Return the proof of a position without its moves."""
    space = solution.space
    mover = space.player(np.array([space.index(position)]))
    player = None if mover is None else space.players[int(mover[0])]
    return Proof(position, space.text(position), outcome, player)


def _board(solution: Solution, proof: Proof) -> list[str]:
    """Return the rows of the board at a position: those of ``board_text``, if the rules define it."""
    draw = getattr(getattr(solution.space, "rules", None), "board_text", None)
    if draw is None:
        return rendering.board_rows(proof.text)
    return [one_line(row) for row in draw(proof.position).splitlines()]


def _reason(solution: Solution, proof: Proof, moves: list[RankedMove], translate: Translate) -> str:
    """Return what decides a position, given its moves, best first."""
    value, total = proof.outcome.value, len(moves)
    if not moves:
        vertex = solution.space.index(proof.position)
        ends = solution.space.terminal(vertex, vertex + 1)[0] != 0
        return translate(TERMINAL if ends else STUCK)
    same = sum(ranked.value is value for ranked in moves)
    if total == 1:
        template = ONLY_MOVE[value]
    elif same == total:
        template = EVERY_MOVE[value]
    else:
        template = (ONE_MOVE if same == 1 else SOME_MOVES)[value]
    name = f"`{one_line(moves[0].move.name)}`"
    return translate(template).format(move=name, same=same, total=total)
