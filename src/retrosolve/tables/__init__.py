"""Tables: the value and remoteness of every vertex, in several forms."""

from __future__ import annotations

from retrosolve.tables.base import ArrayTable, PackedTable, Table
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.intervals import IntervalTable, PackedIntervals

__all__ = [
    "ArrayTable",
    "BitplaneTable",
    "CodedTable",
    "IntervalTable",
    "PackedIntervals",
    "PackedTable",
    "Table",
]
