"""Game: the contract for rules in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from retrosolve.errors import PositionError
from retrosolve.rules.calls import moves_of, targets_of
from retrosolve.rules.exploring import explored_space, sampled
from retrosolve.rules.recall import Recall
from retrosolve.rules.spec import Specified
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import ProgressCallback
from retrosolve.spaces.base import CsrSpace, Sample, StateSpace
from retrosolve.values import Value


class Game(Specified):
    """The rules of a game in plain Python.

    Subclass it and define ``start`` and ``moves``; all other methods are optional. Positions are any
    hashable objects, NumPy numbers included; :func:`retrosolve.solve` explores all positions reachable
    from ``start()``.

    Attributes
    ----------
    players : tuple of str
        OPTIONAL. The names of the two players, for reports. Default ``("0", "1")``.

    Raises
    ------
    RulesError
        By whatever calls the rules, if they break their contract; the message names the position.

    Notes
    -----
    REQUIRED
        ``start`` (or ``starts``), ``moves``.
    OPTIONAL
        ``terminal``, ``player``, ``canonical``, ``starts``, ``text``, ``parse``, ``svg``,
        ``move_points``, ``passed``.

    All rules must be deterministic and must not change the position that they receive. Positions are
    compared with ``==``: the same object must represent the same game state, so if it matters who
    moves, the position must include it. Rules that break this contract or raise an exception end the
    exploration with a RulesError that names the position.

    Exploring calls each rule once per position and takes 12 bytes per position and 4 per move, beyond
    the position objects and their dict entries. The rules are called for batches of positions, and in
    several processes where they are slow, unless ``solve(workers=1)``. Positions that would not arrive
    in another process equal and of the same type are explored in one. That suits games of up to a few
    million positions; use :class:`CompiledGame` for larger ones. :func:`retrosolve.check_game` tests
    the contract on samples.

    Examples
    --------
    >>> class Countdown(Game):
    ...     def start(self):
    ...         return 3
    ...     def moves(self, n):
    ...         return [(f"take {k}", n - k) for k in (1, 2) if k <= n]
    >>> import retrosolve as rs
    >>> str(rs.solve(Countdown())[3])
    'LOSS in 2'
    """

    players: tuple[str, str] = ("0", "1")

    def start(self) -> Any:
        """Return the initial position. REQUIRED, unless ``starts`` is defined.

        Returns
        -------
        hashable
        """
        raise NotImplementedError(f"{type(self).__name__} gives no start(): expected a position")

    def moves(self, position: Any) -> Iterable[Any]:
        """Return the moves from a position. REQUIRED.

        Parameters
        ----------
        position : hashable
            A position at which ``terminal`` returned None.

        Returns
        -------
        iterable of (object, hashable), or of hashable
            The name of each move and the position that it leads to, in the same order each time, also
            for an equal position: sort a set before you iterate over it. Names are shown by ``str``. Or
            the positions alone, which are then named by their text, and must be numbers if ``position``
            is one, text if it is text, and so on, since names alone would look the same. A tuple of two
            is always read as a name and a position. Two moves may lead to the same position.
            Without moves the player to move is stuck, which ``solve(stuck=)`` counts as a loss by
            default.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no moves(): expected (name, position)")

    def starts(self) -> Iterable[Any]:
        """Return the positions to explore from. OPTIONAL, for games with several initial positions.

        Returns
        -------
        iterable of hashable
            The first one is the start of the solution. Default: only ``start()``.
        """
        return (self.start(),)

    def terminal(self, position: Any) -> Value | None:
        """Return the result if the game is over at a position. OPTIONAL.

        Parameters
        ----------
        position : hashable
            Any reachable position.

        Returns
        -------
        Value or None
            WIN, LOSS or TIE for the player to move, None if the game is not over.

        Notes
        -----
        By default the game ends only at positions without moves.
        """
        return None

    def player(self, position: Any) -> int:
        """Return the player to move, 0 or 1. OPTIONAL, for games in which players do not alternate.

        Parameters
        ----------
        position : hashable
            Any reachable position, terminal ones included.

        Notes
        -----
        By default the players alternate, and the solution has no ``winner()``: a position alone does
        not determine who moves. With it, one byte per position is stored.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no player()")

    def canonical(self, position: Any) -> Any:
        """Return the representative of a position under symmetry. OPTIONAL.

        Parameters
        ----------
        position : hashable
            A start or the target of a move.

        Returns
        -------
        hashable
            The same position for all symmetric ones, with the same player to move, the same terminal
            value and moves to the same representatives; the representative of a representative is
            itself.

        Notes
        -----
        Only representatives are explored and stored. By default each position represents itself: a
        game with a symmetry group of order g then takes up to g times the time and memory.
        """
        return position

    def text(self, position: Any) -> str:
        """Return a position as readable text. OPTIONAL, by default ``str(position)``.

        Exported files name positions by it, if it differs for all positions.
        """
        return str(position)

    def parse(self, text: str) -> Any:
        """Return the position that ``text`` denotes, the inverse of ``text``. OPTIONAL.

        By default positions are looked up by their ``text`` among those explored, which calls ``text``
        for every position.

        Raises
        ------
        PositionError
            If there is no such position.
        """
        raise PositionError(f"{text!r}: {type(self).__name__} does not define parse()")

    def svg(self, position: Any) -> str | None:
        """Return a picture of a position, a whole ``<svg>`` element. OPTIONAL.

        Elements with ``data-point="a1"`` can be clicked on a page; see ``move_points``. The package
        ``retrosolve.drawing`` has boards and shapes.
        """
        return None

    def move_points(self, position: Any, target: Any) -> Sequence[str] | None:
        """Return the points of the picture to click for a move, in order. OPTIONAL, with ``svg``.

        Parameters
        ----------
        position, target : hashable
            Where the move leads from and to.

        Returns
        -------
        sequence of str or None
            Labels that the picture of ``position`` has in ``data-point``, such as ``("e2", "e4")``,
            without blanks.
            The points of a move must not be those of a move to another position, nor the first of them.
        """
        return None

    def passed(self, position: Any) -> Any:
        """Return a position with the other player to move. OPTIONAL, for mutual zugzwangs.

        None where that is no position; a position that play does not reach may be returned too.
        """
        return None

    # -- what the package makes of them --------------------------------------------------------

    def implements(self, name: str) -> bool:
        """Return whether the author defined the optional method ``name``."""
        return getattr(type(self), name) is not getattr(Game, name)

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of all positions reachable from the start, with stored edges.

        Parameters
        ----------
        context : Context, optional
            The memory budget and progress callback of the exploration.

        Raises
        ------
        RulesError
            For rules that break their contract.
        MemoryBudgetError
            If the positions exceed the memory budget.
        """
        return explored_space(self, context or Context())

    def known_space(self) -> StateSpace | None:
        """Return the space if it is known without exploring, which it is not: None."""
        return None

    def sample(self) -> Sample:
        """Return a first estimate from exploring at most 10,000 positions, for at most a second."""
        return sampled(self)

    def explored(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions reachable from the start, by the rules as plain Python."""
        return self.state_space(context)

    def restored(self, arrays: dict[str, Any], num_vertices: int) -> StateSpace:
        """Return the space of a saved solution from its arrays; plain rules explore it again.

        Raises
        ------
        LimitError
            For more positions than were saved, as soon as there are more.
        """
        return self.state_space(Context(limit=max(num_vertices, 1)))

    def recheck(
        self,
        graph: CsrSpace,
        order: Sequence[Any],
        number: Mapping[Any, int],
        progress: ProgressCallback,
    ) -> None:
        """Call the rules again for a sample of positions and compare the results with a graph.

        Parameters
        ----------
        graph : CsrSpace
            The graph that exploring the rules has made.
        order : sequence of hashable
            The position of each vertex.
        number : mapping
            The vertex of each position.
        progress : callable

        Raises
        ------
        VerificationError
            For a position at which they differ.
        RulesError
            For rules that break their contract.
        """
        Recall(self, graph, order, number, progress).run()

    def plain(self) -> Game:
        """Return the rules as plain Python: the game itself."""
        return self

    def instrumented(self) -> Game:
        """Return the rules with checks of their contract: the game itself."""
        return self

    def named_moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves from a position as a list of names and positions.

        Raises
        ------
        RulesError
            For anything but pairs of a name and a position.
        """
        return moves_of(self, position)

    def targets(self, position: Any) -> list[Hashable]:
        """Return the positions that the moves from a position lead to."""
        return targets_of(self, position)
