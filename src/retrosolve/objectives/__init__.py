"""Objectives: what is asked of a game, one file for each, and the table of all of them."""

from __future__ import annotations

import inspect
from typing import Any

from retrosolve.errors import GraphError
from retrosolve.objectives.base import ChoiceObjective, Objective
from retrosolve.objectives.chance import Chance, Odds
from retrosolve.objectives.conversion import Conversion, LimitedValue
from retrosolve.objectives.nimber import Nimber
from retrosolve.objectives.outcome import Outcome, WinLossDraw
from retrosolve.objectives.score import Margin, Score
from retrosolve.values import NimValue, Value

OBJECTIVES: dict[str, type[Objective]] = {
    objective.name: objective for objective in (Outcome, WinLossDraw, Conversion, Score, Nimber, Chance)
}

__all__ = [
    "OBJECTIVES", "Chance", "ChoiceObjective", "Conversion", "LimitedValue", "Margin",
    "NimValue", "Nimber", "Objective", "Odds", "Outcome", "Score", "WinLossDraw", "from_record",
    "objective_of",
    "without_levels",
]  # fmt: skip


def objective_of(objective: str | Objective, stuck: str | Value | None = None) -> Objective:
    """Return the objective that the arguments of ``solve`` ask for.

    Parameters
    ----------
    objective : str or Objective
        An objective, or its name, perhaps with parameters: ``"outcome:stuck=win"``.
    stuck : str or Value, optional
        A parameter, for an objective named without it.

    Raises
    ------
    GraphError
        For an unknown name or parameter, and for a parameter that is given twice.

    Examples
    --------
    >>> objective_of("outcome", "tie"), objective_of("win-loss-draw:stuck=win")
    (Outcome(stuck='tie'), WinLossDraw(stuck='win'))
    """
    if isinstance(objective, Objective):
        if stuck is not None:
            raise GraphError(f"stuck={stuck!r} with {objective!r}, which has its own: expected one")
        return objective
    name, _, rest = objective.partition(":") if isinstance(objective, str) else ("", "", "")
    if name not in OBJECTIVES:
        names = ", ".join(OBJECTIVES)
        raise GraphError(f"objective={objective!r} is not known: expected one of {names}")
    given: dict[str, Any] = {} if stuck is None else {"stuck": stuck}
    for part in filter(None, rest.split(",")):
        taken = inspect.signature(OBJECTIVES[name]).parameters
        key, _, value = part.partition("=")
        if key not in taken or key in given:
            what = "is given twice" if key in given else "is no parameter"
            known = ", ".join(f"{each}=" for each in taken)
            raise GraphError(f"objective={objective!r}: {key!r} {what}: expected {known}, once")
        given[key] = value
    return OBJECTIVES[name](**given)


def from_record(record: object) -> Objective:
    """Return the objective of a record in JSON, as :meth:`Objective.record` returns it.

    Raises
    ------
    GraphError
        For anything else.

    Examples
    --------
    >>> from_record({"name": "outcome", "parameters": {"stuck": "win"}})
    Outcome(stuck='win')
    """
    if isinstance(record, dict) and isinstance(record.get("parameters"), dict):
        kind = OBJECTIVES.get(str(record.get("name")))
        if kind is not None:
            try:
                return kind(**record["parameters"])
            except GraphError:
                raise  # it says which parameter
            except (TypeError, ValueError):
                pass
    names = ", ".join(OBJECTIVES)
    raise GraphError(f"{record!r} is no objective: expected parameters, and a name among {names}")


def without_levels(objective: Objective) -> Objective:
    """Return the objective of the same values alone.

    Raises
    ------
    GraphError
        If there is none.

    Examples
    --------
    >>> without_levels(Outcome(stuck="tie"))
    WinLossDraw(stuck='tie')
    """
    for kind in OBJECTIVES.values():
        if kind.solved_as == objective.name:
            return kind(**objective.parameters)
    raise GraphError(f"no objective is {objective!r} without remoteness: expected the remoteness kept")
