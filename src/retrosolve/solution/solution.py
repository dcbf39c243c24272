"""Solution: the value and remoteness of every position of a solved game, and what follows from them.

A solution holds a space (the positions and moves) and a table (the values and remotenesses). Moves,
best moves and lines are computed on demand.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from retrosolve import objectives
from retrosolve.arrays import IntArray, is_whole, spans
from retrosolve.errors import GraphError, PositionError
from retrosolve.languages.phrases import Proven
from retrosolve.objectives.base import first_results, others
from retrosolve.runtime.context import ProgressCallback, check_progress, no_progress
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.lazy import load
from retrosolve.solution import bulk, frames, preference
from retrosolve.solution.bulk import BestMoves, Outcomes
from retrosolve.solution.view import LineOfPlay, PositionView, solved_graph
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import Table, summary
from retrosolve.values import Move, Outcome, Result, Value

if TYPE_CHECKING:
    from retrosolve.solution.regret import Policy, Regret
    from retrosolve.solution.zugzwang import Zugzwang
    from retrosolve.store import Saved

D = TypeVar("D")


class Solution(Mapping[Hashable, Outcome]):
    """The value and remoteness of every position of a game.

    :func:`retrosolve.solve` and :func:`retrosolve.open` return solutions. ``solution[position]`` is an
    :class:`Outcome`. A solution is a ``collections.abc.Mapping`` from positions to outcomes:
    ``len(solution)``, ``position in solution``, ``for position in solution``, ``solution.items()``,
    ``dict(solution)``. Arrays are in ``table``: ``table.values()`` and ``table.remoteness()``.

    Iteration decodes the table a part at a time, so it starts at once and takes little memory however
    large the table is. Like all mappings a solution is equal to a mapping of the same positions to the
    same outcomes, and cannot be hashed. Of solutions of one space equality compares the tables;
    otherwise it looks up each position, until one differs: :func:`retrosolve.compare` is faster there.

    Parameters
    ----------
    space : StateSpace
        The positions and moves that were solved.
    table : Table
        The value and remoteness of each vertex of ``space``.
    stuck : Value, optional
        The value of a position without moves, for the player to move: that of the objective, by default
        LOSS.
    solver : str
        The name of the algorithm.
    seconds : mapping
        The time of each stage of the solve. The stage "solving" includes the stages of the solver.
    num_edges : int, optional
        The number of moves, if the solver has counted them.
    levels : sequence of LevelUse
        What each level took of a distributed solve; nothing for others.
    objective : Objective, optional
        The question; by default the outcomes with this ``stuck``, or the values alone for a table
        without remoteness.

    Raises
    ------
    PositionError
        By ``solution[position]``, if there is no such position.
    GraphError
        For a ``stuck`` that is not that of the objective.

    Notes
    -----
    Looking up a position takes constant time, and its moves time proportional to their number.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> solution["b"], solution.best_moves("b")[0].name
    (Outcome(value=<Value.WIN: 1>, remoteness=1), 'c')
    >>> solution
    Solution(positions=3, win=1, loss=2, tie=0, draw=0)
    """

    __slots__ = (
        "_num_edges", "_objective", "_proven", "_space", "_start", "_table", "levels", "seconds",
        "solver",
    )  # fmt: skip

    def __init__(
        self,
        space: StateSpace,
        table: Table,
        stuck: Value | None = None,
        solver: str = "unknown",
        seconds: Mapping[str, float] = MappingProxyType({}),
        num_edges: int | None = None,
        levels: Sequence[Any] = (),
        objective: objectives.Objective | None = None,
    ) -> None:
        self._space, self._table = space, table
        if objective is None:
            kind = objectives.Outcome if table.has_remoteness else objectives.WinLossDraw
            objective = kind(Value.LOSS if stuck is None else stuck)
        elif stuck not in (None, objective.stuck):
            raise GraphError(f"stuck={stuck!r} with {objective!r}, which has its own: expected one")
        self._objective = objective
        self.levels = tuple(levels)
        self.solver = solver
        self.seconds = dict(seconds)
        self._num_edges = num_edges
        self._start: tuple[Hashable | None] | None = None  # by with_start()
        self._proven: Proven | None = None

    # -- the mapping --------------------------------------------------------------------------

    @property
    def space(self) -> StateSpace:
        """The positions and moves that were solved."""
        return self._space

    @property
    def table(self) -> Table:
        """The value and remoteness of each vertex of ``space``."""
        return self._table

    def __getitem__(self, position: Hashable) -> Outcome:
        """Return the outcome of a position. Raises PositionError if there is no such position."""
        return preference.outcome_at(self, position)

    def outcomes(self, positions: Any, missing_ok: bool = False) -> Outcomes:
        """Return the outcomes of many positions as arrays, much faster than one by one.

        Parameters
        ----------
        positions : iterable
            A list, an array or a column of pandas, Polars or Arrow, of whatever ``solution[...]``
            takes: numbers, names, text such as FENs. Rows of an array of two dimensions are tuples.
        missing_ok : bool
            Whether what is no position has the value 255 and the remoteness -1. By default it raises
            PositionError.

        Returns
        -------
        Outcomes
            With the arrays ``value`` and ``remoteness``, and ``low`` and ``high`` with chance.

        Raises
        ------
        PositionError
            For what is no position, with its place.

        Notes
        -----
        Numbers of compiled games are ranked by compiled code, millions a second, once that is compiled;
        names of graphs take a look into a dictionary each, about a microsecond. Rules parse text in
        Python, in some microseconds to some tens.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.game("stones:n=10,take=1+2"))
        >>> outcomes = solution.outcomes([10, 9, 8])
        >>> outcomes.value.tolist(), outcomes.remoteness.tolist()
        ([1, 2, 1], [7, 6, 5])
        >>> print(solution.outcomes(["8", "no"], missing_ok=True))
        Outcomes(WIN in 5, None)
        """
        return bulk.outcomes(self, positions, missing_ok)

    def best(self, positions: Any) -> BestMoves:
        """Return the best moves of many positions as arrays: the positions that they lead to.

        Parameters
        ----------
        positions : iterable
            As for :meth:`outcomes`.

        Returns
        -------
        BestMoves
            ``best[i]`` are the targets of all best moves of position i, in the order of the rules and
            in canonical form; ``best.first`` has one for each position.

        Raises
        ------
        PositionError
            For what is no position, with its place.

        Notes
        -----
        Edges on disk are read once for each position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "d"]))
        >>> solution.best(["a", "b"])[0], solution.best(["a", "d"]).first.tolist()
        (['b', 'c'], ['b', None])
        """
        return bulk.best(self, positions)

    def regret(
        self,
        policy: Policy,
        positions: Any = None,
        *,
        progress: ProgressCallback | None = None,
    ) -> Regret:
        """Return the losses of a policy against an opponent who knows it and plays perfectly.

        Parameters
        ----------
        policy : callable or mapping
            The move that it always makes at a position: a :class:`Move`, its name, or the position that
            it leads to. ``policy(position)``, or ``policy[position]`` of a mapping.
        positions : iterable, optional
            Where play begins, as for :meth:`outcomes`: ``[solution.start]`` for the start alone. By
            default all positions. The policy is asked at those that play against it can reach.
        progress : callable, optional
            Called with a :class:`Progress` now and then.

        Returns
        -------
        Regret
            The points that it loses from each position, whether it is to move or its opponent, and
            what its single moves lose.

        Raises
        ------
        PositionError
            For what is no position, with its place.
        GraphError
            If the policy returns no move, for objectives other than outcomes, scores and chance, and
            for games whose players throw before they move: no policy knows the throw.

        Notes
        -----
        Asks the rules in plain Python at each position, some tens of microseconds, besides the policy;
        then solves a graph of two vertices for each position. A policy is asked once at a position.

        Examples
        --------
        Who always takes one stone comes to a heap from which he should take two:

        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.game("stones:n=10,take=1+2"))
        >>> regret = solution.regret(lambda n: "take 1")
        >>> regret.exploitability, regret.keeping_share
        (0.8181818181818182, 0.7)
        >>> sorted(n for n, loss in zip(regret.positions, regret.loss[:, 0]) if loss)
        [2, 4, 5, 7, 8, 10]
        """
        from retrosolve.solution.regret import regret

        check_progress(progress)
        return regret(self, policy, positions, progress or no_progress)

    def __call__(self, position: Hashable) -> Outcome | None:
        """Return the outcome of a position, or None if there is no such position.

        ``series.map(solution)`` of pandas calls a solution, and so looks up the entries of the series
        only, text included. Were it not callable, pandas would make a Series of the whole solution.

        Examples
        --------
        >>> import pandas as pd
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> pd.Series(["b", "x"]).map(solution).tolist()
        [Outcome(value=<Value.LOSS: 2>, remoteness=0), None]
        """
        return self.get(position)

    __hash__: ClassVar[None]  # type: ignore[assignment]  # equal by content, so not hashable

    def __eq__(self, other: object) -> bool:
        """Return whether a mapping has the same positions with the same outcomes."""
        if self is other:
            return True
        if not isinstance(other, Mapping):
            return NotImplemented
        if isinstance(other, Solution) and self.space is other.space:
            return all(
                self.table.agrees(other.table, slice(*span)) for span in spans(self.table.num_vertices)
            )
        if len(self) != len(other):
            return False
        return all(other.get(position) == outcome for position, outcome in self.items())

    @overload
    def get(self, position: Hashable, /) -> Outcome | None: ...
    @overload
    def get(self, position: Hashable, /, default: Outcome | D) -> Outcome | D: ...
    def get(self, position: Hashable, /, default: D | None = None) -> Outcome | D | None:
        """Return the outcome of a position, or ``default`` if there is no such position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> print(solution.get("a"), solution.get("x"))
        WIN in 1 None
        """
        try:
            return self[position]
        except PositionError:
            return default

    def __contains__(self, position: Hashable) -> bool:
        """Return whether there is such a position."""
        return self.get(position) is not None

    def __len__(self) -> int:
        """Return the number of positions, INVALID indices not counted."""
        return sum(self.counts().values())

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over the positions in the order of their indices."""
        return self.where()

    def examples(
        self, *, progress: ProgressCallback | None = None
    ) -> dict[Any, dict[int | None, Hashable]]:
        """Return the first position of each value and remoteness that occur.

        Parameters
        ----------
        progress : callable, optional
            Called now and then with a Progress; an exception that it raises ends the search.

        Examples
        --------
        >>> import retrosolve as rs
        >>> rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3])).examples()[rs.Value.WIN]
        {1: 2, 3: 0}
        """
        check_progress(progress)
        return {
            value: {plies: self.space.position(vertex) for plies, vertex in part.items()}
            for value, part in summary.first_vertices(self.table, progress or no_progress).items()
        }

    def keys(self) -> KeysView[Hashable]:
        """Return a view of the positions in the order of their indices."""
        return KeysView(self)

    def items(self) -> ItemsView[Hashable, Outcome]:
        """Return a view of the pairs of a position and its outcome, in the order of their indices.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> for position, outcome in solution.items():
        ...     print(position, outcome)
        a WIN in 1
        b LOSS in 0
        """
        return OutcomeItems(self)

    def values(self) -> ValuesView[Outcome]:
        """Return a view of the outcomes, in the order of the indices of their positions.

        Notes
        -----
        ``table.values()`` and ``table.remoteness()`` return arrays, which are much faster.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> list(map(str, solution.values())), solution.table.values().tolist()
        (['WIN in 1', 'LOSS in 0'], [1, 2])
        """
        return OutcomeValues(self)

    def where(
        self, value: Result | str | None = None, remoteness: int | None = None
    ) -> Iterator[Hashable]:
        """Return an iterator over the positions with a value, with a remoteness, or with both.

        Parameters
        ----------
        value : Value or str, optional
            A value, as the objective has it, or its label; by default any.
        remoteness : int, optional
            Plies to the end of the game; by default any.

        Returns
        -------
        iterator of hashable
            The positions in the order of their indices.

        Raises
        ------
        GraphError
            For an unknown value, and for ``remoteness`` in a solution without remoteness.

        Notes
        -----
        O(n) time for all positions. The table is decoded 65,536 vertices at a time.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]))
        >>> list(solution.where(value="loss")), list(solution.where(remoteness=1))
        ([0, 2, 4], [3])
        """
        wanted, codec = None, self.table.codec
        if value is not None:
            wanted = codec.value(codec.result(value) if isinstance(value, str) else value)
        if remoteness is not None:
            if isinstance(remoteness, bool) or not isinstance(remoteness, int | np.integer):
                raise GraphError(f"remoteness={remoteness!r}: expected a number of plies, or None")
            if not self.table.has_remoteness:
                raise GraphError("this solution has no remoteness: expected where(value=...) only")
        found = summary.select(self.table, wanted, remoteness)
        return (self.space.position(v) for vertices in found for v in vertices.tolist())

    # -- what was solved ----------------------------------------------------------------------

    @property
    def start(self) -> Hashable | None:
        """The position from which the game is played, that of the game unless :meth:`with_start`."""
        return self.space.start if self._start is None else self._start[0]

    @property
    def verified(self) -> bool:
        """Whether :func:`retrosolve.verify` has proven every value; saved with the solution."""
        return self._proven is not None

    @property
    def proven(self) -> Proven | None:
        """The proof by :func:`retrosolve.verify`, which prints as a sentence; None without one.

        Saved with the solution.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.game("tictactoe"))
        >>> report = rs.verify(solution)
        >>> print(solution.proven)
        all 5,478 positions proven; rules called again at 512 of 5,478
        """
        return self._proven

    @property
    def objective(self) -> objectives.Objective:
        """The question that the solution answers."""
        return self._objective

    @property
    def stuck(self) -> Value:
        """The value of a position without moves, for the player to move, by the objective."""
        return self.objective.stuck

    @property
    def num_edges(self) -> int:
        """The number of moves. Takes a pass over all positions if the solver has not counted them."""
        return self.space.num_edges if self._num_edges is None else self._num_edges

    def remoteness(self) -> IntArray:
        """Return the distance to the end of the game from each vertex under perfect play.

        Returns
        -------
        int32 [n], int64 from 2^31 vertices on
            Plies, -1 for a DRAW and an INVALID index.

        Raises
        ------
        GraphError
            For a solution without remoteness.

        Notes
        -----
        Decodes the whole table; ``table.remoteness(at)`` decodes a part.
        """
        if not self.table.has_remoteness:
            raise GraphError("this solution has no remoteness: expected one of the objective outcome")
        return self.table.codec.shown(self.table.values(), self.table.remoteness())

    def best_successors(self) -> IntArray:
        """Return a best successor of each vertex, the target of the first of its best moves.

        Returns
        -------
        int64 [n]
            A vertex, or -1 where the game is over, and where chance moves or dice are thrown first.

        Notes
        -----
        O(n + m) time; a block of 2^18 vertices at a time.
        """
        return preference.best_successors(self)

    def winner(self, endless: int | None = None) -> NDArray[np.int8]:
        """Return which player wins at each vertex.

        Parameters
        ----------
        endless : {0, 1}, optional
            The player who wins infinite play, as the safe player does in a safety game. He prefers it
            to a TIE. By default a DRAW has no winner.

        Returns
        -------
        int8 [n]
            0 or 1, or -1 for nobody, as at every TIE without ``endless``. Of scores and with chance,
            who is better off.

        Raises
        ------
        GraphError
            For a graph without owners, whose vertices do not say who moves; and for ``endless`` with
            scores or chance, where values say what endless play is worth.

        Notes
        -----
        O(n) time; where there are ties, with ``endless``, O(n + m) time and memory.

        Examples
        --------
        >>> import retrosolve as rs
        >>> loop = rs.Graph.from_edges([0, 1], [0, 2], owner=[0, 0, 1])
        >>> rs.solve(loop).winner().tolist(), rs.solve(loop).winner(endless=1).tolist()
        ([-1, 0, 0], [1, 0, 0])
        """
        owner = self.space.player(np.arange(self.space.num_vertices))
        if owner is None:
            raise GraphError("winner() needs an owner for each vertex; here players just alternate")
        if endless is not None and (isinstance(endless, bool) or endless not in (0, 1)):
            raise GraphError(f"endless={endless!r}: expected 0, 1 or None")
        if endless is not None and not isinstance(self.objective, objectives.Outcome):
            raise GraphError(
                f"endless={endless!r} with {self.objective!r}, whose values say what endless play is "
                "worth: expected a solution of outcomes"
            )
        mover = (owner & 1).astype(np.int8)  # chance counts as the first player
        nobody = np.int8(-1)
        never = nobody if endless is None else np.int8(endless)
        kinds = np.minimum(self.table.codec.kinds[self.table.values()], 4)
        winner = np.choose(kinds, [never, mover, 1 - mover, nobody, nobody]).astype(np.int8)
        ties = kinds == Value.TIE
        if endless is not None and ties.any():
            # The player who wins endless play takes a tie only where the other one can force it.
            graph = self.space.materialize()
            goes_on = (graph.terminal(0, len(ties)) == 0) & (graph.out_degrees() > 0)
            attractor = load("retrosolve.solvers.attractors:attractor")
            forced = attractor(graph, 1 - endless, (ties & ~goes_on) | (winner == 1 - endless))
            winner[ties & ~forced] = endless
        return winner

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the solution as columns of equal length, ready for a data frame.

        Returns
        -------
        dict of str to ndarray
            ``vertex``; ``name`` if vertices have names; ``owner`` if they have owners; ``terminal`` if
            there are terminal values; ``value``, the codes of :class:`Value`, or of other results, with
            the points or bounds of :meth:`to_pandas`; ``remoteness``, -1 for a DRAW; ``best``, as
            :meth:`best_successors` has it. INVALID indices are left out.
        """
        return frames.columns(self)

    def features(self, positions: Any = None) -> NDArray[np.float64]:
        """Return positions in numbers, to learn from, as the rules make them.

        Parameters
        ----------
        positions : iterable, optional
            As for :meth:`outcomes`; by default all positions, in the order of :meth:`to_pandas`.

        Returns
        -------
        float64 [k, d]
            ``features(position)`` of the rules in each row.

        Raises
        ------
        PositionError
            For what is no position.
        GraphError
            If the rules do not define ``features``.
        RulesError
            If they do not return as many numbers for each position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.game("tictactoe"))
        >>> solution.features(["X../.O./..."]).tolist()[0][:5]
        [1.0, 0.0, 0.0, 0.0, 0.0]
        """
        space = self.space
        chosen = self if positions is None else bulk.as_positions(positions)
        return frames.features(space, (space.resolved(position)[0] for position in chosen))

    def to_pandas(self, moves: bool = False) -> Any:
        """Return the solution as a DataFrame of pandas, one row for each position.

        Parameters
        ----------
        moves : bool
            Whether to add columns of lists: ``optimal``, the names of all best moves; ``moves``, the
            names of all moves, best first; ``move_values``, what each is worth to the player who makes
            it; ``move_remoteness``, the remoteness of the position it leads to; and ``features``, the
            numbers that rules with a method ``features`` make of the position.

        Returns
        -------
        pandas.DataFrame
            ``position``, text, or numbers where vertices are that; ``player``, who moves, if positions
            say so; ``value``, a categorical of words; ``points`` of scores, ``low`` and ``high`` of
            chance; ``remoteness``, missing for a DRAW; ``best``, the name of a best move, missing where
            the game is over or chance comes first; there is none where moves lead to sums of heaps.
            INVALID indices are left out.

        Raises
        ------
        FormatError
            If pandas is not installed.

        Notes
        -----
        Blocks of 2^18 vertices are decoded in turn. Names of positions and best moves take 10 to 100
        microseconds a position by compiled rules, least where rules name many at once, as in chess;
        more by plain rules, and next to nothing in a graph. ``moves=True`` takes 50 to 300
        microseconds a position. :meth:`columns` returns numbers instead of words, :meth:`to_arrow` and
        :meth:`to_polars` the same columns.

        Examples
        --------
        >>> import retrosolve as rs
        >>> frame = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])).to_pandas()
        >>> frame[["position", "value", "remoteness"]]
          position value  remoteness
        0        a  loss           2
        1        b   win           1
        2        c  loss           0
        >>> frame["best"].tolist()[:2]
        ['b', 'c']
        """
        return frames.to_pandas(self, moves)

    def to_arrow(self, moves: bool = False) -> Any:
        """Return the solution as a table of Arrow with the columns of :meth:`to_pandas`.

        Parameters
        ----------
        moves : bool
            As for :meth:`to_pandas`.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        FormatError
            If pyarrow is not installed.

        Notes
        -----
        Libraries that take an Arrow PyCapsule stream, as ``pyarrow.table`` does, take a solution too.

        Examples
        --------
        >>> import retrosolve as rs
        >>> table = rs.solve(rs.Graph.from_edges(["a"], ["b"])).to_arrow()
        >>> table.column_names, table["remoteness"].to_pylist()
        (['position', 'value', 'remoteness', 'best'], [1, 0])
        """
        return frames.to_arrow(self, moves)

    def to_polars(self, moves: bool = False) -> Any:
        """Return the solution as a DataFrame of Polars with the columns of :meth:`to_pandas`.

        Parameters
        ----------
        moves : bool
            As for :meth:`to_pandas`.

        Returns
        -------
        polars.DataFrame

        Raises
        ------
        FormatError
            If Polars or pyarrow is not installed.

        Notes
        -----
        ``polars.DataFrame(solution)`` is something else: as of any mapping, it has a column for each
        position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> frame = rs.solve(rs.Graph.from_edges(["a"], ["b"])).to_polars()
        >>> frame.columns, frame["value"].to_list()
        (['position', 'value', 'remoteness', 'best'], ['win', 'loss'])
        """
        return frames.to_polars(self, moves)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the columns of :meth:`to_pandas` by the Arrow PyCapsule interface."""
        return frames.to_arrow(self, False).__arrow_c_stream__(requested_schema)

    def to_networkx(self) -> Any:
        """Return the positions and moves as a directed graph of NetworkX.

        Returns
        -------
        networkx.DiGraph, or MultiDiGraph if two moves from a position lead to the same one
            Nodes are positions and have ``value``, a word, ``remoteness`` unless a DRAW, ``owner`` if
            positions say who moves, ``player`` if the players have names, ``terminal`` and ``payoff``
            where the game ends and ``start`` at the start. Edges have ``name``, ``best``, True for the
            first of the best moves, and ``reward`` and ``weight`` if the game has those. The graph has
            ``stuck``.

        Raises
        ------
        FormatError
            If NetworkX is not installed.
        MemoryBudgetError
            If the graph would not fit in memory.

        Examples
        --------
        >>> import retrosolve as rs
        >>> graph = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])).to_networkx()
        >>> graph.nodes["b"], graph.edges["b", "c"]
        ({'value': 'win', 'remoteness': 1}, {'name': 'c', 'best': True})
        """
        return frames.to_networkx(self, self.stuck, self.start)

    def digest(self) -> str:
        """Return the SHA-256 of the values and remotenesses, whatever the form of the table.

        Notes
        -----
        Two passes over the table; the digest of a saved solution is known.
        """
        from retrosolve import store

        return store.digest(self.table)

    @property
    def num_bytes(self) -> int | None:
        """The number of bytes of all files of a saved solution; None for one that is not saved."""
        return None

    def counts(self) -> dict[Any, int]:
        """Return the number of positions of each value: WIN, LOSS, TIE, DRAW, zeros included.

        Other objectives have other values, of which those are counted that occur.
        """
        return summary.count_values(self.table)

    def counts_by_player(self) -> dict[str, dict[Any, int]] | None:
        """Return the number of positions of each value for each player to move.

        Returns
        -------
        dict of str to dict, or None
            The counts by the name of the player; None if positions do not say who moves.
        """
        counts = summary.count_values_by_player(self.table, self.space)
        return None if counts is None else dict(zip(self.space.players, counts, strict=True))

    def histogram(self) -> dict[Any, dict[int | None, int]]:
        """Return the number of positions by value and remoteness.

        Returns
        -------
        dict of Value to dict of int to int
            The remoteness of a DRAW is None, and of every position in a solution without remoteness.

        Examples
        --------
        >>> import retrosolve as rs
        >>> rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3])).histogram()[rs.Value.WIN]
        {1: 1, 3: 1}
        """
        return summary.histogram(self.table)

    def longest(self) -> dict[Any, int | None]:
        """Return the largest remoteness of each value but DRAW, None for one that does not occur."""
        return summary.longest(self.table)

    def moves(self, position: Hashable) -> list[Move]:
        """Return the moves from a position, best first.

        Returns
        -------
        list of Move
            Wins first, the fastest one first; then ties, likewise; draws; losses, the slowest first.
            Equally good moves keep the order of the rules. The outcome of a move is that of the
            position it leads to. Empty where the game is over.

        Raises
        ------
        PositionError
            If the solution does not contain the position.
        """
        return [ranked.move for ranked in preference.ranked_moves(self, position)]

    def best_moves(self, position: Hashable) -> list[Move]:
        """Return the moves that preserve the value and, unless it is a DRAW, the remoteness.

        In a solution without remoteness these are all moves that preserve the value; repeating such
        moves may postpone a win forever. Where dice are thrown first these are the best moves after
        each throw, and where chance moves there are none.

        Raises
        ------
        PositionError
            If the solution does not contain the position.
        """
        moves = preference.ranked_moves(self, position)
        return [ranked.move for ranked in preference.best_of(moves)]

    def line(self, position: Hashable, plies: int | None = None) -> LineOfPlay:
        """Return a line of perfect play from a position, the first best move at each step.

        Parameters
        ----------
        position : hashable
        plies : int, optional
            The maximum number of moves.

        Returns
        -------
        LineOfPlay
            A list of the moves to the end of the game, to a throw of dice, or to the first repetition
            of a position in a DRAW. It prints as numbered moves.

        Raises
        ------
        PositionError
            If the solution does not contain the position.
        GraphError
            If ``plies`` is no whole number.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges([0, 0, 1, 2], [1, 3, 2, 3]))
        >>> [move.name for move in solution.line(1)]
        ['2', '3']
        >>> print(solution.line(1))
          1. 2  (WIN in 1)
          2. 3  (LOSS in 0)
        """
        if plies is not None and not is_whole(plies):
            raise GraphError(f"plies={plies!r}: expected a whole number, or None")
        position = self.space.resolved(position)[0]
        line = LineOfPlay(self.space, position)
        visited = {position}
        while plies is None or len(line) < plies:
            best = preference.best_of(preference.ranked_moves(self, position))
            if not best or best[0].throw is not None:  # nobody chooses what is thrown
                break
            line.append(best[0].move)
            position = best[0].move.position
            if position in visited:
                break
            visited.add(position)
        return line

    def zugzwangs(self, *, progress: ProgressCallback | None = None) -> Iterator[Zugzwang]:
        """Return an iterator over the mutual zugzwangs, each once.

        In a mutual zugzwang each player does worse with the move than without it: both lose if they are
        to move, or one loses who would hold a draw or a tie, and the other then wins only if he need
        not move.

        Parameters
        ----------
        progress : callable, optional
            Called with a :class:`Progress` now and then.

        Returns
        -------
        iterator of Zugzwang
            Pairs ``(position, passed)`` of canonical positions, the same but for who moves; in the
            first, the player to move loses.

        Raises
        ------
        GraphError
            If the rules do not define ``null_move``.

        Notes
        -----
        Asks the rules in plain Python for each lost position, about 20 microseconds each.
        """
        from retrosolve.solution.zugzwang import mutual_zugzwangs

        check_progress(progress)
        return mutual_zugzwangs(self.space, self.table, progress or no_progress)

    def view(self, position: Hashable) -> PositionView:
        """Return a position with its outcome and moves, which a notebook shows with its picture.

        Raises
        ------
        PositionError
            If the solution does not contain the position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> print(rs.solve(rs.Graph.from_edges(["a", "b"], ["b", "c"])).view("a"))
        a: ▼ LOSS in 2
          ▼ b  (WIN in 1)
        """
        return PositionView(self, position)

    def with_start(self, position: Hashable) -> Self:
        """Return the same solution with another start; shares the space and the table.

        Raises
        ------
        PositionError
            If the solution does not contain the position.
        """
        solution = copy.copy(self)
        solution._start = (self.space.resolved(position)[0],)
        return solution

    def save(self, path: str | Path) -> None:
        """Save the solution as a directory that :func:`retrosolve.open` reads.

        Parameters
        ----------
        path : str or Path
            A saved solution there is replaced.

        Raises
        ------
        StoreError
            If something else is at ``path``, if it ends like a file of a graph, such as ``.csv``, which
            :func:`retrosolve.write` writes, or if the space cannot be saved.

        Notes
        -----
        Writes the arrays of the table and a specification of the game: for rules from a file, its path
        and a digest of its source. Edges are written for a graph only. Names of a graph that are
        neither text nor whole numbers become text, as in files of graphs: the vertex (0, 1) of the
        opened solution is "(0, 1)".
        """
        from retrosolve import store

        store.check_folder_name(path)
        store.save(self._to_record(), path)

    def close(self) -> None:
        """Let go of the files of a saved solution; a ``with`` statement does so at its end.

        One in memory has none, and stays as it is.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _to_record(self) -> Saved:
        """Return the parts of the solution that are saved."""
        from retrosolve import store

        start = None if self.start is None else self.space.index(self.start)
        return store.Saved(
            self.space, self.table, self.objective, self.solver, self.num_edges, start, self.proven
        )

    def __repr__(self) -> str:
        counts = self.counts()
        shown, more = first_results(counts)
        parts = [f"{value.label}={counts[value]}" for value in shown]
        parts += [others(more)] if more else []
        return f"Solution(positions={sum(counts.values())}, {', '.join(parts)})"

    def _repr_html_(self) -> str:
        """Return the start or a small graph as a picture, and a table of the counts, for a notebook."""
        picture = "" if self.start is None else self.space.svg(self.start) or ""
        picture = picture or solved_graph(self.space, self.table)
        caption = f"{len(self)} positions, solver {self.solver}"
        return picture + summary.html(self.counts(), self.longest(), caption)


def check_solution(subject: object) -> None:
    """Raise GraphError for what is no solution, such as a graph or a game."""
    if not isinstance(subject, Solution):
        raise GraphError(f"{short_repr(subject)} is no solution: expected one of solve() or open()")


class OutcomeValues(ValuesView[Outcome]):
    """The outcomes of all positions."""

    _mapping: Solution

    def __contains__(self, outcome: object) -> bool:
        """Return whether a position of the mapping has this outcome."""
        return any(each == outcome for each in self)

    def __iter__(self) -> Iterator[Outcome]:
        """Iterate over the outcomes in the order of the indices."""
        table = self._mapping.table
        return (outcome for part in summary.select(table) for outcome in table.decoded_all(part))


class OutcomeItems(ItemsView[Hashable, Outcome]):
    """The pairs of a position and its outcome."""

    _mapping: Solution

    def __contains__(self, item: object) -> bool:
        """Return whether ``item`` is a position of the mapping and its outcome."""
        if not (isinstance(item, tuple) and len(item) == 2):
            return False
        position, outcome = item
        return bool(self._mapping.get(position) == outcome)

    def __iter__(self) -> Iterator[tuple[Hashable, Outcome]]:
        """Iterate over the pairs in the order of the indices."""
        position, table = self._mapping.space.position, self._mapping.table
        for vertices in summary.select(table):
            yield from zip(map(position, vertices.tolist()), table.decoded_all(vertices), strict=True)
