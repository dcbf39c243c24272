"""Tables: the value and remoteness of every vertex, in several forms, and the list of these forms."""

from __future__ import annotations

from retrosolve.tables.arrays import ArrayTable
from retrosolve.tables.base import Table
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.tables.packed import PackedTable

__all__ = ["TABLES", "ArrayTable", "BitplaneTable", "PackedTable", "Table"]

TABLES: dict[str, type[Table]] = {
    table.kind: table for table in (ArrayTable, PackedTable, BitplaneTable)
}
