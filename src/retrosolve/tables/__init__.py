"""Tables: the value and remoteness of every vertex, in several forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrosolve.runtime.lazy import lazy_attributes
from retrosolve.tables.base import ArrayTable, PackedTable, Table
from retrosolve.tables.coded import CodedTable

if TYPE_CHECKING:
    from retrosolve.tables.bitplanes import BitplaneTable
    from retrosolve.tables.intervals import IntervalTable, PackedIntervals
else:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "BitplaneTable": "retrosolve.tables.bitplanes:BitplaneTable",
            "IntervalTable": "retrosolve.tables.intervals:IntervalTable",
            "PackedIntervals": "retrosolve.tables.intervals:PackedIntervals",
        },
    )

__all__ = [
    "ArrayTable",
    "BitplaneTable",
    "CodedTable",
    "IntervalTable",
    "PackedIntervals",
    "PackedTable",
    "Table",
]
