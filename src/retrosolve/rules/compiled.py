"""CompiledGame: the contract for compiled rules, for games of millions of positions.

Positions are whole numbers from 0 to 2^63 - 1. The rules are functions of such numbers, written in the
subset of Python that numba compiles: numbers, arrays and loops, but no objects. retrosolve compiles
them into its kernels, together with the functions that they call; they need no decorator. Without
compilation they are ordinary Python functions, which can be called and tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from retrosolve.compilation.arguments import compiled_data, interpreted_data
from retrosolve.errors import FormatError, PositionError
from retrosolve.rules import indexing
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.rules.spec import Specified
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import Sample, StateSpace
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN

__all__ = ["INVALID", "LOSS", "NOT_TERMINAL", "TIE", "WIN", "CompiledGame"]


class CompiledGame(Specified):
    """The rules of a game as functions to compile.

    Subclass it, set ``max_moves`` and define ``successors`` and ``start``, or ``size`` for a game with
    a dense index. The rules are static methods of numbers; ``text``, ``svg``, ``parse``,
    ``move_name``, ``move_points``, ``passed`` and ``side_to_move`` are ordinary methods that are never
    compiled.

    Raises
    ------
    RulesError
        By whatever calls the rules, if they break their contract; the message names the position.

    Notes
    -----
    REQUIRED
        ``successors`` and ``max_moves``; ``start`` or ``size``.
    OPTIONAL
        ``data``, ``terminal``, ``player``, ``canonical``, ``starts``, ``text``, ``parse``, ``svg``,
        ``move_name``, ``move_points``, ``passed``, ``side_to_move``.
    OPTIONAL, with ``size``
        ``rank`` and ``unrank``, ``predecessors`` and ``max_predecessors``, ``tiers``, ``tier_targets``
        and ``tier_names``, ``component_size``, ``reachable_only``, ``injective_rank``, ``survey``,
        ``predecessor_indices``.

    Every function receives ``data`` as its last argument. Parameters and tables of the game belong
    there: one compilation then serves all values of the parameters. Functions must be deterministic,
    must not change ``data`` and must not read entries of ``out`` that they have not written. Entries
    of ``out`` beyond the returned count are ignored.

    A dense index (``size``) with ``predecessors`` takes 2 bytes per index, or 3 where a number of moves
    and a remoteness do not fit into them, and stores no edge. Without
    ``predecessors`` moves are stored, 4 bytes each, or generated again for each level if the memory
    budget is too small. Without ``size`` positions are explored from the start, which takes 8 bytes per
    position and a hash table, and 4 per move as long as the memory budget has room for them.

    The solver checks what the rules return: counts, targets, indices and tiers. Rules that break this
    contract end it with a RulesError that names the position. :func:`retrosolve.check_game` also tests
    whether the functions agree with each other.

    Examples
    --------
    >>> import retrosolve as rs
    >>> class Heap(rs.CompiledGame):
    ...     max_moves = 2
    ...     def __init__(self, n):
    ...         self.size = n + 1
    ...     def start(self):
    ...         return self.size - 1
    ...     @staticmethod
    ...     def successors(position, out, data):
    ...         out[0], out[1] = position - 1, position - 2
    ...         return min(position, 2)
    >>> Heap(10).named_moves(10)
    [('9', 9), ('8', 8)]
    """

    data: Any = ()
    """OPTIONAL. The last argument of every function: a tuple or named tuple of numbers and arrays.

    It must not change. Keep it short, because it is passed at every call: many small tables are faster
    as the rows of one array. An entry of an integer array of any width is read as an int64, compiled
    and in plain Python; unsigned arrays are copied to the next wider signed type. Integers must fit
    into an int64.
    """

    max_moves: int = 0
    """REQUIRED. An upper bound on the moves of a position: the length of ``out`` in ``successors``."""

    max_predecessors: int = 0
    """REQUIRED with ``predecessors``. The length of ``out`` there."""

    size: int | None = None
    """OPTIONAL. The number of indices of a game with a dense index ``0..size-1``.

    Every index is solved, reachable from the start or not, unless ``reachable_only`` is True. Without
    it, positions are explored from the start and stored together with their moves.
    """

    reachable_only: bool = False
    """OPTIONAL, with ``size``. Whether only positions reachable from the start are solved and counted.

    The rules are never called with other indices, which then need not denote a position. By default
    the rules must accept every index.
    """

    injective_rank: bool = False
    """OPTIONAL, with ``reachable_only``, ``rank`` and ``predecessors``. Whether ``rank`` is injective.

    No two positions that ``predecessors`` writes may have the same index, reachable or not. Without
    it, each is compared with the position of its index, one call of ``unrank`` per predecessor.
    """

    tiers: tuple[int, ...] | None = None
    """OPTIONAL, with ``size``. The first index of each tier, ascending from 0.

    Moves may lead only to the same tier or to earlier ones. Tiers are solved one after the other, with
    working memory for a single tier. Without it, the whole game is one tier: the working memory covers
    every index.
    """

    tier_names: tuple[str, ...] | None = None
    """OPTIONAL, with ``tiers``. The name of each tier; ``stats`` counts tiers of one name together."""

    component_size: int | None = None
    """OPTIONAL, with ``size``. The number of indices of a component; it divides the size of each tier.

    The indices ``0..component_size-1`` are a component, the next as many another one, and so on. A move
    leads to its own component or to an earlier tier. Such are games in which something only grows, like
    walls or stones that stay, while little else moves. Components are solved one after the other with
    their moves stored, ``44 + 12 * max_moves`` bytes for each of their indices and thread; that is fast
    as long as they fit into the cache of the processor.
    """

    def tier_targets(self, tier: int) -> Iterable[int]:
        """Return the earlier tiers that moves out of a tier may lead to. OPTIONAL, with ``tiers``.

        Parameters
        ----------
        tier : int
            From 0 to ``len(tiers) - 1``.

        Returns
        -------
        iterable of int
            By default all earlier tiers. A solve that writes finished tiers to disk keeps only these
            in memory. A move to another tier ends it with a RulesError.
        """
        return range(tier)

    players: tuple[str, str] = ("0", "1")
    """OPTIONAL. The names of the two players, for reports."""

    def start(self) -> int:
        """Return the initial position. REQUIRED without ``size`` and with ``reachable_only``.

        Elsewhere the solution has no start without it.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no start(): expected a position")

    def starts(self) -> Iterable[int]:
        """Return the positions to explore from. OPTIONAL, for games with several initial positions.

        Returns
        -------
        iterable of int
            By default only ``start()``, which also remains the start of the solution.
        """
        return (self.start(),)

    successors: ClassVar[Callable[..., Any]]
    """REQUIRED. ``successors(position, out, data) -> count``: write the targets of all moves.

    ``out`` is int64[max_moves]; the targets go into ``out[:count]``, and the same one may be written
    more than once. It is called only where ``terminal`` returns NOT_TERMINAL. A count of 0 means that
    the player to move is stuck.
    """

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return the result if the game is over at a position. OPTIONAL.

        Parameters
        ----------
        position : int
            Any position, reachable or not, unless ``reachable_only`` is True.
        data : tuple

        Returns
        -------
        int
            WIN, LOSS or TIE for the player to move, NOT_TERMINAL if the game is not over, INVALID if
            the index denotes no position. No move may lead to an INVALID position.

        By default the game ends only at positions without moves, and every index is a position.
        """
        return NOT_TERMINAL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index of a position. OPTIONAL, together with ``unrank``.

        Parameters
        ----------
        position : int
            A target of a move or a predecessor; a canonical one if ``canonical`` is defined.
        data : tuple

        Returns
        -------
        int
            Below ``size``, and ``unrank`` of it is ``position``. By default the position itself.

        Notes
        -----
        Somebody may look up any whole number below 2^63. It is a position if ``unrank`` of the rank of
        its canonical form is that form again and ``terminal`` is not INVALID there; ``canonical``,
        ``rank`` and ``unrank`` may raise any exception for a number that is none.
        """
        return position

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index. OPTIONAL, together with ``rank``.

        It must accept every index from 0 to ``size - 1``, unless ``reachable_only`` is True.
        """
        return index

    predecessors: ClassVar[Callable[..., Any] | None] = None
    """OPTIONAL, with ``size``. ``predecessors(position, out, data) -> count``: ``successors`` reversed.

    ``out`` is int64[max_predecessors]. Every position of the same tier with a move to ``position`` must
    be written; those of later tiers may be omitted. A position may be written more than once. Terminal
    and INVALID positions may be written too and are ignored, provided that their index is not that of
    another position. With ``canonical``, write the predecessors of ``position`` itself, canonical or
    not.
    """

    survey: ClassVar[Callable[..., Any] | None] = None
    """OPTIONAL, with ``size``, without ``player``. The first pass in one call, no move made in vain.

    ``survey(index, out, data) -> (result, moves, within, beyond)``: what ``terminal`` returns, INVALID
    also for what is not canonical; the number of moves; how many different indices of the same tier
    they lead to; and how many of earlier tiers, written to ``out``. All 0 unless NOT_TERMINAL.
    """

    predecessor_indices: ClassVar[Callable[..., Any] | None] = None
    """OPTIONAL, with ``predecessors``, without ``player`` and ``reachable_only``.

    ``predecessor_indices(index, out, data) -> count``: write the indices of the predecessors of the
    position of an index, each different canonical one of the same tier once. ``out`` is
    int64[max_predecessors]. Like ``survey`` it takes an index, not a position.
    """

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the representative of a position under symmetry. OPTIONAL.

        Parameters
        ----------
        position : int
            A start, a target of a move, a predecessor or the position of an index.
        data : tuple

        Returns
        -------
        int
            The same position for all symmetric ones, with the same player to move, the same terminal
            value and moves to the same representatives; the representative of a representative is
            itself. Only representatives are solved; other indices are INVALID in the solution.
        """
        return position

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return the player to move, 0 or 1. OPTIONAL, for games in which players do not alternate.

        It is called for valid positions only. By default the players alternate, and the solution has
        no ``winner()``.
        """
        raise NotImplementedError("no player()")

    def text(self, position: int) -> str:
        """Return a position as readable text. OPTIONAL, by default ``str(position)``."""
        return str(position)

    def svg(self, position: int) -> str | None:
        """Return a picture of a position, a whole ``<svg>`` element. OPTIONAL. See :class:`Game`."""
        return None

    def move_points(self, position: int, target: int) -> Sequence[str] | None:
        """Return the points of the picture to click for a move. OPTIONAL. See :class:`Game`."""
        return None

    def parse(self, text: str) -> int:
        """Return the position that ``text`` denotes, the inverse of ``text``. OPTIONAL.

        By default the text is a whole number.

        Raises
        ------
        PositionError
            If there is no such position. Any other exception becomes one.
        """
        try:
            return int(text)
        except ValueError:
            raise PositionError(f"{text!r} is no position: expected a whole number") from None

    def move_name(self, position: int, target: int) -> str:
        """Return the name of a move. OPTIONAL, by default the text of its target."""
        return self.text(target)

    def passed(self, position: int) -> int | None:
        """Return a position with the other player to move. OPTIONAL, for mutual zugzwangs.

        None where that is no position; an index that is none may be returned too.
        """
        return None

    def side_to_move(self, position: int) -> int | None:
        """Return who moves, 0 or 1, for pages. OPTIONAL, for games without ``player``.

        ``players`` has their names. None if a position does not tell, which is the default.
        """
        return None

    # -- what the package makes of them --------------------------------------------------------

    def implements(self, name: str) -> bool:
        """Return whether the author defined the optional function ``name``."""
        defined = getattr(type(self), name, None)
        return defined is not None and defined is not getattr(CompiledGame, name, None)

    @property
    def compiled_data(self) -> Any:
        """``data`` as the last argument of compiled functions. Raises RulesError for other types."""
        return self._data_forms()[1]

    @property
    def plain_data(self) -> Any:
        """``data`` as the last argument of the functions in plain Python, with the same integers."""
        return self._data_forms()[2]

    def _data_forms(self) -> tuple[Any, Any, Any]:
        """Return ``data`` and its two forms, made once unless the attribute is set to another."""
        forms: tuple[Any, Any, Any] | None = self.__dict__.get("_forms")
        if forms is None or forms[0] is not self.data:
            compiled = compiled_data(self.data, type(self).__name__)
            self._forms = forms = self.data, compiled, interpreted_data(compiled)
        return forms

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of the game's positions, with edges generated by the compiled rules.

        Without ``size`` the positions are explored first, and the edges are stored.

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
        if self.size is None:
            return indexing.explored_space(self, context or Context())
        space = indexing.indexed_space(self)
        indexing.check_start(space)
        return space

    def known_space(self) -> StateSpace | None:
        """Return the space of a game with a dense index; None if positions have to be explored."""
        return None if self.size is None else self.state_space()

    def sample(self) -> Sample:
        """Return a first estimate from exploring at most 10,000 positions, for at most a second."""
        return indexing.sampled(self)

    def explored(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions reachable from the start, by the rules as plain Python."""
        return self.plain().state_space(context)

    def restored(self, arrays: dict[str, Any], num_vertices: int) -> StateSpace:
        """Return the space of a saved solution from its arrays, without exploring.

        Raises
        ------
        FormatError
            For another number of positions than was saved, before anything is compiled.
        """
        if self.size is None and "positions" not in arrays:
            raise FormatError("no file positions.npy: expected one")
        size = len(arrays["positions"]) if self.size is None else self.size
        if size != num_vertices:
            raise FormatError(
                f"num_vertices is {num_vertices}, but the space has {size}: expected as many"
            )
        if self.size is None:
            return indexing.restored_space(self, arrays["positions"])
        return indexing.indexed_space(self, tested=True)

    def plain(self) -> InterpretedGame:
        """Return the rules as plain Python."""
        return InterpretedGame(self)

    def instrumented(self) -> InstrumentedGame:
        """Return the rules as plain Python with checks that raise RulesError for a broken contract."""
        if self.size is None:
            indexing.check_declarations(self)
        else:
            indexing.indexed_space(self)
        return InstrumentedGame(self)

    def named_moves(self, position: int) -> list[tuple[str, int]]:
        """Return the name and the target of each move from a position, without compiling the rules."""
        out = np.zeros(self.max_moves, np.int64)
        count = int(self.successors(position, out, self.plain_data))
        return [(self.move_name(position, target), target) for target in out[:count].tolist()]
