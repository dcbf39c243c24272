"""Chance: how likely the player to move is to win, as an interval that is proven.

Where a game throws dice, its positions have three owners: the two players, and chance. A value is the
payoff that the player to move can expect if both play best: 1 for a win, -1 for a loss, 0 for a tie, or
the payoffs of the game. As a probability x stands for (1 + x) / 2: that of winning, a tie counted as
half a win. Chance counts as the first player, so that what is expected there is expected for him.

With T the rule of one move (the best successor for a player, the mean of them for chance), any values
U with U >= T(U) are bounds from above and any L with L <= T(L) are bounds from below, if no play goes
on for ever. Where one can, the lower bound counts it as lost, and the upper bound as won: they hold
whatever endless play is worth, and the interval may stay wide.

Sources: Shapley, "Stochastic games" (1953), doi:10.1073/pnas.39.10.1095; Condon, "The complexity of
stochastic games" (1992), doi:10.1016/0890-5401(92)90048-K; Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs" (2018), doi:10.1016/j.tcs.2016.12.003.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives.base import Codec, EdgeData, Objective, Probed
from retrosolve.values import Outcome, Value, stuck_value

KEYS_PER_POINT = 1 << 30  # moves whose values differ by less, about 1e-9, are equally good
NOTHING = 1e-9
LABELS = {Value.WIN: "better", Value.LOSS: "worse", Value.TIE: "even", Value.DRAW: "open"}


def fixed(number: float, digits: int) -> str:
    """Return a number with at most some digits after the point, without zeros at the end.

    >>> fixed(70.5, 2), fixed(-0.001, 2), fixed(120000.4, 0)
    ('70.5', '0', '120000')
    """
    text = f"{number:z.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Odds(NamedTuple):
    """Bounds of the value of a position for the player to move; at a throw, for the first player.

    Parameters
    ----------
    low, high : float
        What the player can expect at least and at most: a probability, or a payoff.
    is_payoff : bool
        Whether the bounds are payoffs.

    Examples
    --------
    >>> odds = Odds(0.5154, 0.5156)
    >>> print(odds, odds.opposite(), odds.kind.name, sep=", ")
    51.55 %, 48.45 %, WIN
    """

    low: float
    high: float
    is_payoff: bool = False

    @property
    def label(self) -> str:
        """The side of the middle that the bounds are on: better, worse, even or open."""
        return LABELS[self.kind]

    @property
    def kind(self) -> Value:
        """WIN or LOSS for who is better off, TIE for nobody, DRAW where the bounds do not say."""
        middle = 0.0 if self.is_payoff else 0.5
        return Value(int(kinds_of(np.array([self.low - middle]), np.array([self.high - middle]))[0]))

    @property
    def ends(self) -> bool:
        """False: no remoteness belongs to it."""
        return False

    @property
    def is_certain(self) -> bool:
        """Whether a win or a loss is certain."""
        return not self.is_payoff and (self.low == 1 or self.high == 0)

    @property
    def middle(self) -> float:
        """The middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low

    @property
    def name(self) -> str:
        """The value in text, to as many digits as both bounds share, at most ten of a percentage.

        Both bounds are written where they are more than one percent or 0.01 points apart, to three
        digits of the difference.
        """
        scale, unit = (1, "") if self.is_payoff else (100, " %")
        low, high = scale * self.low, scale * self.high
        width = high - low
        if width > 0.01 * scale:
            digits = max(0, math.ceil(2 - math.log10(width)))
            return f"{fixed(low, digits)} to {fixed(high, digits)}{unit}"
        digits = min(10, max(0, math.floor(-math.log10(max(width, 1e-10) / 2))))
        return fixed((low + high) / 2, digits) + unit

    @property
    def detail(self) -> str:
        """The same as the name: the kind says less."""
        return self.name

    def opposite(self) -> Odds:
        """Return the same for the other player."""
        whole = 0.0 if self.is_payoff else 1.0
        return Odds(whole - self.high, whole - self.low, self.is_payoff)

    def __str__(self) -> str:
        return self.name


class Favour(NamedTuple):
    """Who is better off, in counts of positions.

    Parameters
    ----------
    kind : Value
        WIN for the player to move, LOSS for the other one, TIE for neither, DRAW if bounds do not say.
    """

    kind: Value

    @property
    def label(self) -> str:
        """The word: better, worse, even or open."""
        return LABELS[self.kind]

    @property
    def name(self) -> str:
        """The word again."""
        return self.label

    @property
    def ends(self) -> bool:
        """False: no remoteness belongs to it."""
        return False

    @property
    def detail(self) -> str:
        """Empty."""
        return ""

    def opposite(self) -> Favour:
        """Return the same for the other player."""
        return Favour(self.kind.opposite())

    def __str__(self) -> str:
        return self.label


FAVOURS = Codec(
    [Favour(kind) for kind in Value],
    [Favour(kind) for kind in (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW)],
)
"""What positions are counted by; the codes are those of the kinds."""


def kinds_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the kind of each interval about 0; less than about 1e-9 is nothing."""
    kinds = np.full(len(low), int(Value.DRAW), np.uint8)
    kinds[low > 0] = Value.WIN
    kinds[high < 0] = Value.LOSS
    kinds[(low >= -NOTHING) & (high <= NOTHING)] = Value.TIE
    return kinds


class Chance(Objective):
    """The probability that the player to move wins, or the payoff to expect, with proven bounds.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move, where the game has no payoffs or after a throw of compiled rules.
    tolerance : float
        How far apart the bounds of a position may be, where play surely ends: at least 1e-12. Solving
        goes on until all are as close, or one more step moves none by more than rounding may.

    Raises
    ------
    GraphError
        For another value of a parameter.

    Notes
    -----
    16 bytes per position. Without cycles each position is visited once; components of positions that
    lead to each other are visited again until their bounds are close, from below and from above.

    Examples
    --------
    Who moves takes a coin that wins twice in three, or passes on; the other one has a fair coin:

    >>> import retrosolve as rs
    >>> edges = [("a", "good"), ("a", "b"), ("b", "fair"), ("good", "won"), ("good", "lost"),
    ...          ("fair", "won"), ("fair", "lost")]
    >>> owner = {"a": 0, "b": 1, "good": rs.CHANCE, "fair": rs.CHANCE, "won": 0, "lost": 0}
    >>> graph = rs.Graph.from_edges(edges, owner=owner, terminal={"won": "win", "lost": "loss"},
    ...                             weight=[0, 0, 0, 2, 1, 1, 1])
    >>> solution = rs.solve(graph)
    >>> print(solution["a"], solution["b"], solution.best_moves("a")[0].name, sep=", ")
    66.6666666667 %, 50 %, good
    """

    name = "chance"
    has_levels = False

    def __init__(self, stuck: str | Value = "loss", tolerance: float | str = 1e-10) -> None:
        self.stuck = stuck_value(stuck)
        try:
            self.tolerance = float(tolerance)
        except (TypeError, ValueError):
            self.tolerance = math.nan
        if isinstance(tolerance, bool) or not 1e-12 <= self.tolerance <= 1:
            raise GraphError(f"tolerance={tolerance!r}: expected a number from 1e-12 to 1")

    @property
    def parameters(self) -> dict[str, Any]:
        """The tolerance, and what it means to be stuck."""
        return {"stuck": self.stuck.label, "tolerance": self.tolerance}

    def codec(self, labels: Sequence[str] | None = None) -> Codec:
        """Return the classes by which positions are counted."""
        return FAVOURS

    def fields(self, outcome: Outcome) -> dict[str, Any]:
        """Return an outcome, ready for JSON, with its bounds, ``low`` and ``high``."""
        odds = outcome.value
        return {**super().fields(outcome), "low": odds.low, "high": odds.high}

    def words(self, codec: Codec, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return the middles of intervals, whole numbers of the least difference that counts.

        Parameters
        ----------
        codec : Codec
        values : float [k]
            Middles, in payoffs.
        remoteness : int [k]
            Ignored.
        """
        words: IntArray = np.rint(values * KEYS_PER_POINT).astype(np.int64)
        return words

    def outcome(self, word: int) -> Outcome:
        """Return who is better off."""
        return Outcome(Favour(Value.WIN if word > 0 else Value.LOSS if word else Value.TIE), None)

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there."""
        return np.where(edges.same, words, -words)

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys: the most to expect first."""
        return -words

    def worth(
        self, probed: Probed, vertex: int, claim: tuple[int, int], edge: EdgeData
    ) -> tuple[int, Outcome, Outcome]:
        """Return the key of a move, what it is worth to its player, and the outcome of its target."""
        after = probed.decoded(vertex)
        seen = after.value if edge.same else after.value.opposite()
        return -round(seen.middle * KEYS_PER_POINT), Outcome(seen, None), after


def end_payoffs(terminal: NDArray[np.uint8], payoff: IntArray | None, stuck: Value) -> Any:
    """Return the payoff of the player to move where the game is over, float64 [k]."""
    if payoff is not None:
        return payoff.astype(np.float64)
    worth = np.zeros(256)
    worth[[Value.WIN, Value.LOSS]] = 1, -1
    return worth[np.where(terminal == 0, int(stuck), terminal)]
