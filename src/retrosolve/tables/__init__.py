"""Tables: the value and remoteness of every vertex, in several forms."""

from retrosolve.tables.base import ArrayTable, PackedTable, Table
from retrosolve.tables.coded import CodedTable

__all__ = ["ArrayTable", "CodedTable", "PackedTable", "Table"]
