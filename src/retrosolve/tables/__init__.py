"""Tables: the value and remoteness of every vertex, in several forms."""

from __future__ import annotations

from retrosolve.tables.arrays import ArrayTable
from retrosolve.tables.base import Table
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.tables.coded import CodedTable
from retrosolve.tables.intervals import IntervalTable
from retrosolve.tables.packed import PackedTable

__all__ = ["ArrayTable", "BitplaneTable", "CodedTable", "IntervalTable", "PackedTable", "Table"]
