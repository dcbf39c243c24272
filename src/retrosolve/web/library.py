"""Library: the solutions that the explorer shows, by name, and work with them that takes long.

Such work is done one after the other in a thread: other pages are answered meanwhile.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import GraphError, RetrosolveError
from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.languages.phrases import Proven
from retrosolve.objectives import Chance, ChoiceObjective, WinLossDraw
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.tables.base import kinds_only
from retrosolve.web.jobs import Task

if TYPE_CHECKING:
    from anyio import CapacityLimiter

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE = 1  # function that takes long: more would take the interpreter from pages that are quick
MADE_SEPARATOR = "~"
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._=+-]+")
MAX_MADE = 32


def name_of(text: str) -> str:
    """Return a name for addresses of a text.

    >>> name_of("chess:KRK,board=4")
    'chess-KRK-board=4'
    """
    return NOT_IN_NAMES.sub("-", text).strip("-.") or "game"


class NoSuchGameError(RetrosolveError):
    """There is no game of this name in the explorer."""


class StillSolvingError(RetrosolveError):
    """A game is being solved, or the solve has failed.

    Parameters
    ----------
    task : Task
    """

    def __init__(self, task: Task) -> None:
        super().__init__(task.error or f"{task.title} is being solved: expected to ask again later")
        self.task = task


class Label(NamedTuple):
    """What a page says of a game besides its position; see :class:`Entry`."""

    name: str
    title: str
    has_film: bool
    has_reasons: bool
    signs: tuple[Any, ...]
    proven: Proven | None


@dataclass(frozen=True, eq=False)
class Entry:
    """A solution that the explorer shows.

    Parameters
    ----------
    name : str
        As it stands in addresses.
    title : str
        For people.
    solution : Solution

    Attributes
    ----------
    kept : dict
        What pages that take long have computed, or why they cannot; it goes with the solution.
    nimbers : Solution or None
        The solution as it is where ``solution`` says who wins alone.
    """

    name: str
    title: str
    solution: Solution
    kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)
    nimbers: Solution | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Show who wins alone where no best move is chosen. Raises GraphError for heaps."""
        solution = self.solution
        if isinstance(solution.objective, ChoiceObjective | Chance):
            return
        if solution.space.has_sums:
            raise GraphError(
                f"{solution.space!r} has no pages, since a move may leave several heaps: expected "
                "retrosolve probe or play"
            )
        shown = Solution(
            solution.space, kinds_only(solution.table), solver=solution.solver,
            num_edges=solution.num_edges, objective=WinLossDraw(solution.stuck),
        )  # fmt: skip
        if solution.start is not None:
            shown = shown.with_start(solution.start)
        object.__setattr__(self, "solution", shown)
        object.__setattr__(self, "nimbers", solution)

    @property
    def answers(self) -> Solution:
        """The solution with all that it says, nimbers too."""
        return self.solution if self.nimbers is None else self.nimbers

    @property
    def proven(self) -> Proven | None:
        """What is proven of the solution."""
        return self.answers.proven

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Call a function once for each key; return its result or raise its error each time."""
        if key not in self.kept:
            try:
                self.kept[key] = make()
            except RetrosolveError as error:
                self.kept[key] = error
        made: Any = self.kept[key]
        if isinstance(made, RetrosolveError):
            raise made.with_traceback(None)
        return cast("T", made)

    @property
    def has_reasons(self) -> bool:
        """Whether moves explain positions: where they are chosen, that needs remoteness."""
        solution = self.answers
        return solution.table.has_remoteness or not isinstance(solution.objective, ChoiceObjective)

    @property
    def signs(self) -> tuple[Any, ...]:
        """The results that signs on its pages stand for."""
        is_chance = isinstance(self.solution.objective, Chance)
        return self.solution.table.codec.reported if is_chance else tuple(APPEARANCE)

    @cached_property
    def has_film(self) -> bool:
        """Whether a film can show the solve, and the game is as small, by an estimate of its moves."""
        space, explained = self.solution.space, self.solution.objective.has_steps
        return (
            explained and space.num_vertices <= MAX_MOVES and space.estimate().likely_edges <= MAX_MOVES
        )


Maker = Callable[[str], tuple[str, Solution]]


class Library:
    """The solutions that the explorer shows.

    Besides those that were opened, a solution may be described by its name alone: ``kind~description``
    is made by the maker of that kind when it is first asked for, and the last ones are kept.

    Parameters
    ----------
    entries : iterable of Entry
    makers : mapping of str to callable
        By kind: a function from a description to a title and a solution. It raises RetrosolveError for
        a description that it cannot read.
    """

    def __init__(
        self, entries: Iterable[Entry], makers: Mapping[str, Maker] = MappingProxyType({})
    ) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._makers = makers
        self._made: OrderedDict[str, Entry] = OrderedDict()
        self._tasks: dict[str, Task] = {}
        self._lock = threading.Lock()

    def entries(self) -> list[Entry]:
        """Return the solutions that were opened."""
        return list(self._entries.values())

    def tasks(self) -> list[Task]:
        """Return the solves that go on or have failed."""
        return list(self._tasks.values())

    def task(self, name: str) -> Task | None:
        """Return the solve of a game that goes on; None if there is none."""
        task = self._tasks.get(name)
        return None if task is None or task.error else task

    def begin(self, task: Task) -> None:
        """Add a solve that goes on."""
        self._tasks[task.name] = task

    def finish(self, task: Task, solution: Solution) -> None:
        """Add the solution of a task, in its place."""
        self._entries[task.name] = Entry(task.name, task.title, solution)
        self._tasks.pop(task.name, None)
        task.ended.set()

    def entry(self, name: str) -> Entry:
        """Return a solution by its name. Raises NoSuchGameError and StillSolvingError."""
        if name in self._entries:
            return self._entries[name]
        if name in self._tasks:
            raise StillSolvingError(self._tasks[name])
        kind, separator, description = name.partition(MADE_SEPARATOR)
        if separator and kind in self._makers:
            return self._make(name, self._makers[kind], description)
        raise NoSuchGameError(f"there is no game {name!r}: expected one of {', '.join(self._entries)}")

    def is_listed(self, name: str) -> bool:
        """Return whether a solution was opened, and not described by its name."""
        return name in self._entries

    def is_open(self, name: str) -> bool:
        """Return whether a solution is at hand, with its rules: nothing has to be solved or opened."""
        entry = self._entries.get(name) or self._made.get(name)
        solution = None if entry is None else entry.solution
        return solution is not None and (
            not isinstance(solution, OpenedSolution) or solution.opened.is_built
        )

    def _make(self, name: str, maker: Maker, description: str) -> Entry:
        """Return a solution described by its name, made unless it was kept."""
        with self._lock:
            if name in self._made:
                self._made.move_to_end(name)
                return self._made[name]
        entry = Entry(name, *maker(description))
        with self._lock:
            self._made[name] = entry
            while len(self._made) > MAX_MADE:
                self._made.popitem(last=False)
        return entry


_limits: WeakKeyDictionary[asyncio.AbstractEventLoop, CapacityLimiter] = WeakKeyDictionary()


async def in_turn(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that takes long, called in a thread when others have ended."""
    from anyio import CapacityLimiter, to_thread  # here: --help reads this file without extra web

    loop = asyncio.get_running_loop()
    if loop not in _limits:
        _limits[loop] = CapacityLimiter(AT_ONCE)
    return await to_thread.run_sync(partial(function, *args, **kwargs), limiter=_limits[loop])


async def once_in_turn(entry: Entry, key: Hashable, make: Callable[[], T]) -> T:
    """Call a function that takes long as ``Entry.once`` does, in a thread and in turn."""
    known = key in entry.kept
    return entry.once(key, make) if known else await in_turn(entry.once, key, make)
