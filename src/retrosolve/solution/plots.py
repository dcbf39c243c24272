"""Pictures of solutions by Matplotlib: each function takes ``ax=``, draws there, and returns it.

Matplotlib is imported when a picture is drawn. It comes with ``pip install 'retrosolve[plots]'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.layout import MAX_DRAWN, spread
from retrosolve.errors import GraphError
from retrosolve.languages import ASCII, DEFAULT, NUMERALS, digits, translation
from retrosolve.languages.phrases import PLAIN, label_text
from retrosolve.runtime.files import import_library
from retrosolve.solution import Solution
from retrosolve.solution.solution import check_solution
from retrosolve.solution.view import LineOfPlay
from retrosolve.values import INVALID, Move, Outcome, Result, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

__all__ = ["graph", "histogram", "history", "levels", "tiers"]

LOG_FROM = 1000  # the largest count from which small ones would not be seen on a linear scale
WIDTH = 0.85
DISC_SIZE = 420
SHRINK = 11
LOOP = 0.03  # half the width of a loop
MAX_NAMED = 40  # positions that have room for their names
MAX_LABEL = 12
REACH = 0.75  # how far towards the middle the longest win or loss is drawn
MARKER_SIZE = 9


def axes(ax: Axes | None) -> Axes:
    """Return the axes that were given, or those of a new figure.

    Raises FormatError if Matplotlib is missing.
    """
    if ax is not None:
        return ax
    pyplot = import_library("matplotlib.pyplot", "a plot", "plots")
    made: Axes = pyplot.subplots(layout="constrained")[1]
    return made


def whole_numbers(axis: Axis) -> None:
    """Let an axis have ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _write_numbers(ax: Axes, to: NullTranslations, which: str = "xy") -> None:
    """Let axes have numbers as a language writes them; those of English are Matplotlib's own."""
    if to is PLAIN:
        return
    from matplotlib.ticker import FuncFormatter

    numerals = str.maketrans(ASCII, to.gettext(NUMERALS))
    for letter in which:
        axis: Axis = getattr(ax, f"{letter}axis")
        axis.set_major_formatter(FuncFormatter(lambda at, _: f"{at:,.10g}".translate(numerals)))


def _decided(solution: Solution) -> list[Any]:
    """Return the values of positions from which play ends, in the order of their numbers."""
    results = solution.table.codec.results
    return [value for value in results if value is not None and value.ends]


def value_name(value: Result, to: NullTranslations) -> str:
    """Return a value with its symbol, as the legend names it."""
    return f"{APPEARANCE[value].symbol} {label_text(value, to.gettext)}"


def bar_style(value: Result, to: NullTranslations) -> dict[str, Any]:
    """Return how bars of a value are drawn: colour, hatch and name for the legend."""
    look = APPEARANCE[value]
    return {
        "facecolor": look.fill,
        "hatch": look.hatch,
        "edgecolor": "white",
        "linewidth": 0.5,
        "label": value_name(value, to),
    }


def histogram(solution: Solution, ax: Axes | None = None, *, language: str = DEFAULT) -> Axes:
    """Draw how many positions have each remoteness, by value.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    language : {"en", "fa", "ru", "tr", "vi"}
        Of titles, axes and values.

    Returns
    -------
    Axes
        A bar for each value and remoteness that occurs. Draws are counted in the legend.

    Raises
    ------
    GraphError
        For a solution without remoteness.

    Notes
    -----
    Cost: a pass over the table, unless the solution is saved.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> ax = rs.plots.histogram(solution, ax=Figure().subplots())
    >>> [len(bars) for bars in ax.containers]
    [2, 2]
    """
    _check_remoteness(solution, "histogram")
    ax, to = axes(ax), translation(language)
    counted = solution.histogram()
    shown = [value for value in _decided(solution) if counted[value]]
    largest = 0
    for place, value in enumerate(shown):
        plies = np.array(list(counted[value]), float)
        counts = list(counted[value].values())
        largest = max(largest, *counts)
        width = WIDTH / len(shown)
        ax.bar(plies + (place - (len(shown) - 1) / 2) * width, counts, width, **bar_style(value, to))
    for value in counted:
        if not value.ends and (endless := sum(counted[value].values())):
            number = digits(endless, to.gettext)
            named = f"{value_name(value, to)}: {number}"
            ax.plot([], [], "s", color=APPEARANCE[value].color, label=named)
    if largest >= LOG_FROM:
        ax.set_yscale("log")
    ax.set(
        title=to.gettext("Positions by remoteness"),
        xlabel=to.gettext("remoteness (plies)"),
        ylabel=to.gettext("positions"),
    )
    _write_numbers(ax, to)
    if ax.get_legend_handles_labels()[1]:
        # The best place takes long to find among many bars, and is mostly this.
        ax.legend(loc="upper right")
    return ax


def levels(solution: Solution, ax: Axes | None = None, *, language: str = DEFAULT) -> Axes:
    """Draw the share of positions that is decided after each level of the solve, by value.

    Level n decides the positions of remoteness n. What remains above the areas is drawn, or not decided
    yet.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    language : {"en", "fa", "ru", "tr", "vi"}
        Of titles, axes and values.

    Returns
    -------
    Axes
        An area for each value.

    Raises
    ------
    GraphError
        For a solution without remoteness.

    Notes
    -----
    Cost: that of :func:`histogram`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2, 4], [1, 2, 3, 4]))
    >>> ax = rs.plots.levels(solution, ax=Figure().subplots())
    >>> [area.get_label() for area in ax.collections]
    ['▲ win', '▼ loss']
    """
    _check_remoteness(solution, "levels")
    ax, to = axes(ax), translation(language)
    counted = solution.histogram()
    decided = _decided(solution)
    last = max((plies or 0 for value in decided for plies in counted[value]), default=0)
    below = np.zeros(last + 1)
    total = max(len(solution), 1)
    for value in decided:
        if not counted[value]:
            continue
        each = np.zeros(last + 1)
        for plies, count in counted[value].items():
            each[plies or 0] = count
        above = below + np.cumsum(each) / total
        ends = [*below, below[-1]], [*above, above[-1]]
        style = bar_style(value, to)
        ax.fill_between(np.arange(last + 2), *ends, step="post", **style)
        below = above
    ax.set(
        title=to.gettext("Positions decided level by level"),
        xlabel=to.gettext("level (remoteness in plies)"),
        ylabel=to.gettext("share of all positions"),
        ylim=(0, 1),
        xlim=(0, last + 1),
    )
    _write_numbers(ax, to)
    if ax.collections:
        ax.legend(loc="upper left")
    return ax


def tiers(solution: Solution, ax: Axes | None = None, *, language: str = DEFAULT) -> Axes:
    """Draw the positions of each tier by value, the tier that is solved first at the bottom.

    Parameters
    ----------
    solution : Solution
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    language : {"en", "fa", "ru", "tr", "vi"}
        Of titles, axes and values.

    Returns
    -------
    Axes
        A bar for each tier and value that occurs. A game without tiers has one bar.

    Raises
    ------
    FormatError
        If Matplotlib is missing and there is no ``ax``.

    Notes
    -----
    Cost: a pass over the table.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.connect4 import ConnectFour
    >>> from matplotlib.figure import Figure
    >>> game = ConnectFour(rows=2, columns=2, connect=2)
    >>> ax = rs.plots.tiers(rs.solve(game), ax=Figure().subplots())
    >>> [len(bars) for bars in ax.containers] == [len(game.tiers)] * 2
    True
    """
    check_solution(solution)
    ax, to = axes(ax), translation(language)
    starts = [*solution.space.tiers, solution.space.num_vertices]
    counts = [solution.table.counts(start, stop) for start, stop in pairwise(starts)]
    rows = np.arange(len(counts))
    begins = np.zeros(len(counts))
    codec = solution.table.codec
    best_first = list(APPEARANCE)
    for value in sorted(codec.reported, key=lambda value: best_first.index(value.kind)):
        each = np.array([int(part[codec.value(value)]) for part in counts])
        if each.any():
            ax.barh(rows, each, WIDTH, begins, **bar_style(value, to))
            begins += each
    ax.set(
        title=to.gettext("Positions by tier"), xlabel=to.gettext("positions"), ylabel=to.gettext("tier")
    )
    whole_numbers(ax.yaxis)
    _write_numbers(ax, to)
    if ax.containers:
        ax.legend()
    return ax


def _check_remoteness(solution: Solution, plot: str) -> None:
    check_solution(solution)
    if not solution.table.has_remoteness:
        raise GraphError(f"{plot} needs remoteness, which {solution.objective!r} does not have")


def graph(solution: Solution, ax: Axes | None = None, *, language: str = DEFAULT) -> Axes:
    """Draw the positions and moves of a small game, coloured by value.

    Parameters
    ----------
    solution : Solution
        Of at most 200 positions.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    language : {"en", "fa", "ru", "tr", "vi"}
        Of titles, axes and values.

    Returns
    -------
    Axes
        A collection of discs for each value that occurs, an arrow for each move, and the text, the
        symbol of the value and the remoteness of each position; of more than 40 positions, the symbol
        alone.

    Raises
    ------
    GraphError
        For more positions.

    Notes
    -----
    Cost: O(n^3) time to place n positions, less than a second for 200.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from matplotlib.figure import Figure
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> ax = rs.plots.graph(solution, ax=Figure().subplots())
    >>> [len(discs.get_offsets()) for discs in ax.collections], len(ax.patches)
    ([1, 2], 3)
    """
    check_solution(solution)
    space, table = solution.space, solution.table
    n = space.num_vertices
    if n > MAX_DRAWN:
        raise GraphError(f"{n} positions are too many to draw: expected at most {MAX_DRAWN}")
    ax, to = axes(ax), translation(language)
    from matplotlib.patches import FancyArrowPatch

    edges = space.successors(0, n)
    source = np.repeat(np.arange(n), np.diff(edges.indptr))
    places = spread(source, edges.indices, n)
    values = table.values(slice(0, n))
    remoteness = table.codec.shown(values, table.remoteness(slice(0, n)))
    for v, w in sorted(set(zip(source.tolist(), edges.indices.tolist(), strict=True))):
        # A loop leaves its disc on one side and comes back on the other, above it.
        aside = np.array([LOOP, 0.0]) if v == w else np.zeros(2)
        bend = f"arc3,rad={-4.5 if v == w else 0.08}"
        ax.add_patch(
            FancyArrowPatch(
                places[v] - aside, places[w] + aside, arrowstyle="-|>", mutation_scale=12, color="0.55",
                shrinkA=SHRINK, shrinkB=SHRINK, connectionstyle=bend, zorder=1,
            )
        )  # fmt: skip
    kinds = table.codec.kinds[values]
    for kind, look in APPEARANCE.items():
        at = np.flatnonzero(kinds == kind)
        if len(at):
            x, y = places[at].T
            ax.scatter(x, y, s=DISC_SIZE, color=look.fill, label=value_name(kind, to), zorder=2)
    named = n <= MAX_NAMED
    for v in np.flatnonzero(values != INVALID).tolist():
        label = space.text(space.position(v)).encode(errors="backslashreplace").decode()
        plies = "" if remoteness[v] < 0 else digits(remoteness[v], to.gettext)
        value = table.codec.results[values[v]]
        look = APPEARANCE[value]
        sign = look.symbol if isinstance(value, Value) else f"{value.name} "
        inside = label[:MAX_LABEL] if named else look.symbol
        ink = "black" if value.kind is Value.TIE else "white"
        ax.annotate(
            inside, places[v], ha="center", va="center", color=ink, fontsize=8, zorder=3, clip_on=False
        )
        if named:  # on paper of its own, so that no arrow crosses it
            ax.annotate(
                sign + plies, places[v], (SHRINK, SHRINK - 2), textcoords="offset points",
                fontsize=8, zorder=4, bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"},
            )  # fmt: skip
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.margins(0.12)
    ax.legend(markerscale=0.5)
    return ax


def history(
    solution: Solution,
    line: LineOfPlay | Sequence[Move] | None = None,
    ax: Axes | None = None,
    *,
    language: str = DEFAULT,
) -> Axes:
    """Draw where a line of play stood after each ply, for the player who moves first in it.

    A won position is drawn at the top and a lost one at the bottom, the nearer to the edge the nearer
    the end is; ties and draws in the middle.

    Parameters
    ----------
    solution : Solution
    line : LineOfPlay or sequence of Move, optional
        The moves: a LineOfPlay, or a list of them from the start; by default perfect play from the
        start.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    language : {"en", "fa", "ru", "tr", "vi"}
        Of titles, axes and values.

    Returns
    -------
    Axes
        A marker for each position.

    Raises
    ------
    GraphError
        If neither the line nor the solution has a start.

    Notes
    -----
    Cost: that of looking up the moves of the line.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> from matplotlib.figure import Figure
    >>> ax = rs.plots.history(rs.solve(Stones(5)), ax=Figure().subplots())
    >>> [round(float(y), 2) for y in ax.lines[0].get_ydata()]
    [0.25, 0.5, 0.75, 1.0]
    """
    check_solution(solution)
    to = translation(language)
    start = line.start if isinstance(line, LineOfPlay) else solution.start
    if start is None:
        raise GraphError("history needs a line of play: expected a solution with a start, or line=")
    moves = solution.line(start) if line is None else list(line)
    outcomes = _seen_by_first(solution, start, moves)
    farthest = max((plies for _, plies in outcomes if plies is not None), default=1) or 1
    heights = [_height(outcome, farthest) for outcome in outcomes]
    ax = axes(ax)
    ax.plot(range(len(heights)), heights, color="0.6", zorder=1)
    for value in dict.fromkeys(outcome.value for outcome in outcomes):
        at = [ply for ply, outcome in enumerate(outcomes) if outcome.value == value]
        look = APPEARANCE[value]
        ax.plot(
            at,
            [heights[ply] for ply in at],
            linestyle="",
            marker=look.marker,
            markersize=MARKER_SIZE,
            color=look.color,
            label=value_name(value, to),
        )
    ax.axhline(0, color="0.8", linewidth=1, zorder=0)
    ax.set(
        title=to.gettext("Value of a line of play"),
        xlabel=to.gettext("ply"),
        ylabel=to.gettext("for the first player"),
        ylim=(-1.15, 1.15),
    )
    ax.set_yticks([-1, 0, 1], [to.gettext("lost"), to.gettext("even"), to.gettext("won")])
    whole_numbers(ax.xaxis)
    _write_numbers(ax, to, "x")
    ax.legend()
    return ax


def _seen_by_first(solution: Solution, start: object, moves: Sequence[Move]) -> list[Outcome]:
    """Return the outcomes of the start and after each move, for the player who moves first."""
    positions = [start, *(move.position for move in moves)]
    outcomes = [solution[position] for position in positions]
    indices = np.array([solution.space.index(position) for position in positions])
    movers = solution.space.player(indices)
    sides = np.arange(len(positions)) % 2 if movers is None else movers != movers[0]
    return [
        Outcome(value.opposite() if side else value, plies)
        for side, (value, plies) in zip(sides.tolist(), outcomes, strict=True)
    ]


def _height(outcome: Outcome, farthest: int) -> float:
    """Return where to draw an outcome, from -1 for a lost game to 1 for one that is won."""
    kind = outcome.value.kind
    if kind not in (Value.WIN, Value.LOSS):
        return 0.0
    height = 1 - REACH * (outcome.remoteness or 0) / farthest
    return height if kind is Value.WIN else -height
