"""Game, Puzzle and CompiledGame: the contracts for authors of rules.

The positions of a Game are any hashable objects, and its rules are plain Python. Those of a
CompiledGame, for games of millions of positions, are whole numbers from 0 to 2^63 - 1, and its rules
are functions of such numbers, written in the subset of Python that numba compiles: numbers, arrays and
loops, but no objects. retrosolve compiles them into its kernels, together with the functions that they
call; they need no decorator. Without compilation they are ordinary Python functions, which can be
called and tested.

Nothing here explores, compiles or solves: ``retrosolve.rules.adapters`` connects these classes with the
machinery that does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.compilation.arguments import compiled_data, interpreted_data
from retrosolve.errors import PositionError
from retrosolve.rules.spec import Specified
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace, Throw, space_of
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, Value

__all__ = ["INVALID", "LOSS", "NOT_TERMINAL", "TIE", "WIN", "CompiledGame", "Game", "Puzzle"]

if TYPE_CHECKING:  # which knows defaults of type parameters; Python does from 3.13 on
    from typing_extensions import TypeVar

    from retrosolve.spaces.lanes import Lanes

    P = TypeVar("P", bound=Hashable, default=Any)
    N = TypeVar("N", bound=int, default=int)
else:
    from typing import TypeVar

    P, N = TypeVar("P"), TypeVar("N")


class _Rules(Specified, Generic[P]):
    """What authors may define in a :class:`Game` and in a :class:`CompiledGame` alike."""

    players: tuple[str, str] = ("0", "1")
    """OPTIONAL. The names of the two players, for reports."""

    objective: str = "outcome"
    """OPTIONAL. The question that is asked unless another is named. See :class:`Game`."""

    win_in_moves: str = ""
    """OPTIONAL. How players of the game count a win in moves of the winner. See :class:`Game`."""

    turns_board: bool = False
    """OPTIONAL. Whether ``svg`` draws the board as the player to move sees it. See :class:`Game`."""

    piece_kinds: tuple[str, str] | None = None
    """OPTIONAL. The kinds of the pieces of both players in ``svg``. See :class:`Game`."""

    def start(self) -> P:
        """Return the initial position. REQUIRED, unless ``starts`` is defined.

        A compiled game with ``size`` requires it only with ``reachable_only``; elsewhere its solution
        has no start without it.

        Returns
        -------
        hashable
        """
        raise NotImplementedError(f"{type(self).__name__} gives no start(): expected a position")

    def starts(self) -> Iterable[P]:
        """Return the positions to explore from. OPTIONAL, for games with several initial positions.

        Returns
        -------
        iterable of hashable
            The first one is the start of the solution, of a compiled game ``start()``. Default: only
            ``start()``.
        """
        return (self.start(),)

    def text(self, position: P) -> str:
        """Return a position as readable text. OPTIONAL, by default ``str(position)``.

        Exported files name positions by it, if it differs for all positions.
        """
        return str(position)

    def svg(self, position: P) -> str | None:
        """Return a picture of a position, a whole ``<svg>`` element. OPTIONAL.

        Elements with ``data-point="a1"`` can be clicked on a page; see ``move_points``. The package
        ``retrosolve.drawing`` has boards and shapes.
        """
        return None

    def move_points(self, position: P, target: P) -> Sequence[str] | None:
        """Return the points of the picture to click for a move, in order. OPTIONAL, with ``svg``.

        Parameters
        ----------
        position, target : hashable
            Where the move leads from and to.

        Returns
        -------
        sequence of str or None
            Labels that the picture of ``position`` has in ``data-point``, such as ``("e2", "e4")``,
            without blanks; none for a move that is not on the board, such as to pass.
            The points of a move must not be those of a move to another position, nor the first of them.
        """
        return None

    def features(self, position: P) -> Sequence[float]:
        """Return a position as numbers to learn from, as many for each position. OPTIONAL.

        Best as the player to move sees it. ``retrosolve dataset`` and ``solution.features`` have them.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no features()")

    def null_move(self, position: P) -> P | None:
        """Return a position with the other player to move. OPTIONAL, for mutual zugzwangs.

        None where that is no position; a position that play does not reach may be returned too, and by
        a compiled game an index that is none.
        """
        return None

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions and moves of the game.

        Parameters
        ----------
        context : Context, optional
            The memory budget and progress callback for exploring positions.

        Raises
        ------
        RulesError
            For rules that break their contract.
        MemoryBudgetError
            If the positions exceed the memory budget.
        """
        return space_of(self, context)


class Game(_Rules[P]):
    """The rules of a game in plain Python.

    Subclass it and define ``start`` and ``moves``; all other methods are optional. Positions are any
    hashable objects, NumPy numbers included; :func:`retrosolve.solve` explores all positions reachable
    from ``start()``. ``class Nim(Game[tuple[int, ...]])`` names their type for type checkers; it is Any
    in ``class Nim(Game)``.

    Attributes
    ----------
    players : tuple of str
        OPTIONAL. The names of the two players, for reports. Default ``("0", "1")``: the pages of the
        explorer then speak of the first and the second player. They also do where nothing says who
        moves, ``player`` or ``side_to_move``.
    objective : str
        OPTIONAL. The question that is asked of the game unless ``solve`` is told another one, as
        ``solve(objective=)`` takes it: ``"score"`` for a game that counts points.
    win_in_moves : str
        OPTIONAL. How players of the game count a win in moves of the winner, ``"mate in {moves}"`` in
        chess, beside plies. Players must alternate. Default: no such count.
    turns_board : bool
        OPTIONAL. Whether ``svg`` draws the board from the side of the player to move, so that the
        points of a move are elsewhere in the next picture. Default False.
    piece_kinds : tuple of (str, str), optional
        OPTIONAL. The kinds of the pieces of both players in ``svg``, such as ``("red", "yellow")``:
        pages show a piece beside whose turn it is. Default None.

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
        ``move_points``, ``null_move``, ``features``; ``payoff`` and ``reward`` for the objective
        ``score``; for ``chance``, ``weight``.

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

    throws_alone: ClassVar[bool] = True  # CHANCE may own positions; in compiled rules it owns none

    def moves(self, position: P) -> Iterable[tuple[Any, P] | P]:
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
            is always read as a name and a position. Two moves may lead to the same position. A
            position that is yielded must not change afterwards: who makes a move on one object and
            takes it back yields a copy.
            Without moves the player to move is stuck, which ``solve(stuck=)`` counts as a loss by
            default.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no moves(): expected (name, position)")

    def terminal(self, position: P) -> Value | None:
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
        By default the game ends only at positions without moves. WIN and LOSS need a player, 0 or 1, by
        ``player``: where that returns CHANCE they are refused.
        """
        return None

    def player(self, position: P) -> int:
        """Return who moves: 0, 1 or ``rs.CHANCE``. OPTIONAL, for games whose players do not alternate.

        Parameters
        ----------
        position : hashable
            Any reachable position, terminal ones included: there who would move, as WIN and LOSS are
            for that player.

        Notes
        -----
        By default the players alternate, and the solution has no ``winner()``: a position alone does
        not determine who moves. With it, one byte per position is stored. Where it returns
        ``retrosolve.CHANCE`` dice are thrown: the moves there are what may come of it, for the
        objective ``chance``. A plain 2 may be a third player and is refused.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no player()")

    def payoff(self, position: P) -> int:
        """Return the points that the player to move wins at the end of the game. OPTIONAL.

        Parameters
        ----------
        position : hashable
            A position at which ``terminal`` returned a value, or without moves.

        Returns
        -------
        int
            Negative if the other player wins them. For the objective ``score``; others ignore it.

        Notes
        -----
        By default 1 for a WIN, -1 for a LOSS and 0 for a TIE. Only 0 where ``player`` returns CHANCE.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no payoff()")

    def reward(self, position: P, target: P) -> int:
        """Return the points that a move wins for the player who makes it. OPTIONAL.

        Parameters
        ----------
        position, target : hashable
            Where the move leads from and to, as ``moves`` returned it.

        Returns
        -------
        int
            By default 0. Not 0 only if play cannot come back from ``target`` to ``position``. For the
            objective ``score``; others ignore it, but games in which chance moves are refused.
        """
        return 0

    def weight(self, position: P, target: P) -> int:
        """Return how often chance takes a move, compared with its other ones. OPTIONAL.

        Parameters
        ----------
        position, target : hashable
            Where the move leads from and to, as ``moves`` returned it; ``player`` returns CHANCE at
            ``position``.

        Returns
        -------
        int
            Above 0, by default 1.
        """
        return 1

    def canonical(self, position: P) -> P:
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

    def parse(self, text: str) -> P:
        """Return the position that ``text`` denotes, the inverse of ``text``. OPTIONAL.

        By default positions are looked up by their ``text`` among those explored, which calls ``text``
        for every position. With ``canonical`` these are the representatives alone.

        Raises
        ------
        PositionError
            If there is no such position.
        """
        raise PositionError(f"{text!r}: {type(self).__name__} does not define parse()")

    def implements(self, name: str) -> bool:
        """Return whether the author defined the optional method ``name``."""
        return getattr(type(self), name) is not getattr(Game, name)


class Puzzle(Game[P]):
    """The rules of a puzzle: one player moves until the puzzle is solved.

    Subclass it and define ``start``, ``moves`` and ``solved``; all methods of :class:`Game` but
    ``player`` and ``terminal`` are optional.

    Raises
    ------
    RulesError
        As for :class:`Game`.

    Notes
    -----
    A puzzle is a game in which player 0 always moves, and a solved position is a WIN. So the outcome of
    a position is WIN with the length of its shortest solutions as remoteness; LOSS if all ways to move
    end without a move and unsolved; DRAW if one can move forever, but not to a solution.
    ``best_moves`` are the first moves of all shortest solutions, and ``line`` is one of them.

    Cost: that of a :class:`Game`, 12 bytes a position and 4 a move beyond the positions themselves.

    Examples
    --------
    Measure 4 litres with jugs of 3 and 5 litres:

    >>> import retrosolve as rs
    >>> class Jugs(rs.Puzzle):
    ...     def start(self):
    ...         return (0, 0)
    ...     def solved(self, jugs):
    ...         return 4 in jugs
    ...     def moves(self, jugs):
    ...         a, b = jugs
    ...         to_b, to_a = min(a, 5 - b), min(b, 3 - a)
    ...         return [
    ...             ("fill 3", (3, b)), ("fill 5", (a, 5)), ("empty 3", (0, b)), ("empty 5", (a, 0)),
    ...             ("pour 3 into 5", (a - to_b, b + to_b)), ("pour 5 into 3", (a + to_a, b - to_a)),
    ...         ]
    >>> solution = rs.solve(Jugs())
    >>> str(solution[0, 0])
    'WIN in 6'
    >>> for move in solution.line((0, 0)):
    ...     print(move.name, move.position)
    fill 5 (0, 5)
    pour 5 into 3 (3, 2)
    empty 3 (0, 2)
    pour 5 into 3 (2, 0)
    fill 5 (2, 5)
    pour 5 into 3 (3, 4)
    """

    players = ("player", "nobody")

    def solved(self, position: P) -> bool:
        """Return whether the puzzle is solved at a position. REQUIRED.

        ``moves`` is not called there.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no solved(): expected True or False")

    def terminal(self, position: P) -> Value | None:
        """Return WIN if the puzzle is solved, else None."""
        return Value.WIN if self.solved(position) else None

    def player(self, position: P) -> int:
        """Return 0: the same player always moves."""
        return 0


class CompiledGame(_Rules[N]):
    """The rules of a game as functions to compile.

    Subclass it, set ``max_moves`` and define ``successors`` and ``start``, or ``size`` for a game with
    a dense index. The rules are static methods of numbers; ``text``, ``svg``, ``parse``,
    ``from_object``, ``move_name``, ``move_aliases``, ``move_points``, ``texts``, ``move_names``,
    ``features``, ``null_move``, ``side_to_move`` and ``exchanged`` are ordinary methods that are never
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
        ``from_object``, ``move_name``, ``move_aliases``, ``move_points``, ``texts``, ``move_names``,
        ``features``, ``null_move``, ``side_to_move``, ``exchanged``; ``payoff`` and ``reward`` for the
        objective ``score``; ``outcomes`` and ``max_outcomes``, ``outcome_name`` for the objective
        ``chance``.
    OPTIONAL, with ``size``
        ``rank`` and ``unrank``, ``predecessors`` and ``max_predecessors``, ``tiers``, ``tier_targets``
        and ``tier_names``, ``component_size``, ``reachable_only``, ``injective_rank``, ``survey``,
        ``predecessor_indices``; ``lanes``, with ``outcomes``.

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

    max_outcomes: int = 0
    """REQUIRED with ``outcomes``. The most outcomes of a throw, at most 64."""

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

    lanes: Lanes | None = None
    """OPTIONAL, with ``outcomes`` and ``size``. What dice make of the places of one player.

    For games whose players never meet, see :class:`retrosolve.ranking.Lanes`. A position is then a pair
    of places, and its index that of :func:`retrosolve.ranking.pair_index`; ``size`` and ``tiers`` are
    those of the lanes. Who is at place 0 has won: ``terminal`` is LOSS if the other player is there,
    else WIN if the one to move is. Every position has the same throws, after which the mover goes to
    one of the targets of his place, and the other player moves. The solver ``lanes`` then takes 4 bytes
    a position and makes no moves one by one.
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

    successors: ClassVar[Callable[..., Any]]
    """REQUIRED. ``successors(position, out, data) -> count``: write the targets of all moves.

    ``out`` is int64[max_moves]; the targets go into ``out[:count]``, and the same one may be written
    more than once. It is called only where ``terminal`` returns NOT_TERMINAL. A count of 0 means that
    the player to move is stuck.
    """

    outcomes: ClassVar[Callable[..., Any] | None] = None
    """OPTIONAL, for the objective ``chance``. ``outcomes(position, out, weights, data) -> count``.

    Write what a throw may make of a position before its player moves, and how often: ``out`` and
    ``weights`` are int64[64], weights are above 0. What it writes need have no index: ``successors`` is
    called with it, not with a position of the index, and writes positions of the index again. There
    ``~target`` stands for a target at which the same player moves again; otherwise the other one does.
    A player without a move is stuck: by the ``stuck`` rule that is a win, a loss or a tie, and 1, -1 or
    0 points in a game with payoffs. Not together with ``player``, ``canonical``, ``predecessors``,
    ``survey`` and ``reward``.
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
    def progress(position: int, data: Any) -> int:
        """Return how far play has come, 0 to 32767. OPTIONAL, with ``outcomes``.

        Parameters
        ----------
        position : int
        data : tuple

        Notes
        -----
        Bounds are computed first for the positions of a tier that have come furthest. The better most
        moves lead on, the sooner they are close.
        """
        return 0

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
    """OPTIONAL, with ``size``. Terminal value, moves and targets of an index.

    ``survey(index, out, data) -> (result, moves, within, beyond)``: the result of ``terminal``, INVALID
    also for an index whose position is not canonical; the number of moves; how many different indices
    of the same tier they lead to; and how many of earlier tiers, written to ``out``: with ``player`` an
    index j as ~j where the same player moves on. All 0 unless NOT_TERMINAL. It saves making the moves
    that stay within the tier.
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

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        """Return the points that the player to move wins at the end of the game. OPTIONAL.

        It is called where ``terminal`` returns a value and where there are no moves. By default 1 for a
        WIN, -1 for a LOSS and 0 for a TIE. For the objective ``score``; others ignore it.
        """
        return 0

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        """Return the points that a move wins for the player who makes it. OPTIONAL, with ``size``.

        ``target`` is what ``successors`` writes. Not 0 only for a move to an earlier tier. For the
        objective ``score``; others ignore it.
        """
        return 0

    def parse(self, text: str) -> N:
        """Return the position that ``text`` denotes, the inverse of ``text``. OPTIONAL.

        By default the text is a whole number.

        Raises
        ------
        PositionError
            If there is no such position. Any other exception becomes one.
        """
        try:
            return cast("N", int(text))
        except ValueError:
            raise PositionError(f"{text!r} is no position: expected a whole number") from None

    def from_object(self, thing: object) -> N | None:
        """Return the position that an object of another library stands for. OPTIONAL.

        For whatever is neither a whole number nor a text. None, which is the default, if the rules do
        not know such objects.

        Raises
        ------
        PositionError
            If there is no such position. Any other exception becomes one.
        """
        return None

    def move_name(self, position: N, target: N) -> str:
        """Return the name of a move. OPTIONAL, by default the text of its target."""
        return self.text(target)

    def texts(self, positions: NDArray[np.int64]) -> list[str]:
        """Return many positions as text. OPTIONAL, for exports: by default ``text`` of each."""
        return [self.text(cast("N", position)) for position in positions.tolist()]

    def move_names(
        self, positions: NDArray[np.int64], targets: NDArray[np.int64], results: NDArray[np.uint8]
    ) -> list[str]:
        """Return the names of many moves. OPTIONAL, for exports: by default ``move_name`` of each.

        Parameters
        ----------
        positions, targets : int64 [k]
            Where each move leads from and to. The moves from a position are all there, together.
        results : uint8 [k]
            The result of ``terminal`` at each target.
        """
        pairs = zip(positions.tolist(), targets.tolist(), strict=True)
        return [self.move_name(cast("N", position), cast("N", target)) for position, target in pairs]

    def move_aliases(self, position: N, target: N) -> Sequence[str]:
        """Return other names of a move that a person may type. OPTIONAL, by default none.

        No move from the same position may have one of them as its own name.
        """
        return ()

    def side_to_move(self, position: N) -> int | None:
        """Return the player to move, 0 or 1, for pages. OPTIONAL, for games without ``player``.

        ``players`` has their names. None if a position does not tell, which is the default.
        """
        return None

    def exchanged(self, position: N) -> N | None:
        """Return the position with the players exchanged, for exported pages. OPTIONAL.

        Needed where ``canonical`` changes who moves, by ``side_to_move``.

        Parameters
        ----------
        position : int
            A representative, or the target of a move from one.

        Returns
        -------
        int or None
            The position in which the other player is to move, with the same outcome; its moves lead to
            the exchanged targets. None, which is the default, if no play leads there.
        """
        return None

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

    def named_moves(self, position: N) -> list[tuple[str, N]]:
        """Return the name and the target of each move from a position, without compiling the rules."""
        if self.implements("outcomes"):
            return [
                (f"{throw.name}: {name}", target)
                for throw in self.throws(position)
                for name, target, _ in throw.moves
            ]
        out = np.zeros(self.max_moves, np.int64)
        count = int(self.successors(position, out, self.plain_data))
        return [(self.move_name(position, target), target) for target in out[:count].tolist()]

    def throws(self, position: N) -> list[Throw]:
        """Return the results of a throw at a position, without compiling the rules."""
        from retrosolve.spaces.checked import MAX_OUTCOMES  # beside the kernels of compiled games

        thrown, weights = np.zeros((2, MAX_OUTCOMES), np.int64)
        count = int(self.outcomes(position, thrown, weights, self.plain_data))  # type: ignore[misc]
        throws = []
        for after, weight in zip(thrown[:count].tolist(), weights[:count].tolist(), strict=True):
            out = np.zeros(self.max_moves, np.int64)
            moves = out[: int(self.successors(after, out, self.plain_data))].tolist()
            named = [(self.move_name(after, max(t, ~t)), max(t, ~t), t < 0) for t in moves]
            throws.append(Throw(self.outcome_name(position, after), weight, named))
        return throws

    def outcome_name(self, position: N, outcome: N) -> str:
        """Return the name of an outcome of a throw. OPTIONAL, by default ``text`` of what it makes."""
        return self.text(outcome)
