"""What a saved solution contains: the arrays that are written, and the facts in its manifest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.spaces.base import StateSpace
from retrosolve.store.encoding import Encoder
from retrosolve.store.filling import Filling, choose_filling
from retrosolve.store.fingerprint import Values, candidates, fingerprint
from retrosolve.store.tiers import TierFiles
from retrosolve.store.writer import ArrayWriter
from retrosolve.tables import Table
from retrosolve.tables.coded import JoinedCodes
from retrosolve.tables.summary import REPORTED_VALUES, Distribution
from retrosolve.values import Value

NAMES = "names.json"
NAME_ARRAYS = {"names": "|u1", "name_stops": "<i8"}  # of edges on disk, in blocks as they may be large
SPACE_ARRAYS = ("indptr", "indices", "owner", "terminal", "positions", *NAME_ARRAYS)
TABLE_ARRAYS = ("value", "remoteness")


@dataclass(frozen=True)
class Saved:
    """A solution to be saved.

    Parameters
    ----------
    space : StateSpace
    table : Table
    stuck : Value
        The value of having no move.
    solver : str
        The name of the algorithm.
    num_edges : int
        The number of edges of the space.
    start : int, optional
        The index of the initial position.
    verified : bool
        Whether every value has been proven.
    identity : dict of str to str or None, optional
        What was solved and how, for a solve that may be resumed; see ``store.identity``.
    """

    space: StateSpace
    table: Table
    stuck: Value
    solver: str
    num_edges: int
    start: int | None = None
    verified: bool = False
    identity: dict[str, str | None] | None = None


def described(saved: Saved, found: Distribution, values: Values) -> dict[str, Any]:
    """Return the facts about a solution for its manifest; ``values`` are for its fingerprint."""
    from retrosolve.runtime.release import __version__  # reads metadata: as much as opening imports

    counts = found.counts()
    known = {} if saved.identity is None else {"identity": saved.identity}
    return known | {
        "fingerprint": fingerprint(saved.space, values),
        "players": list(saved.space.players),
        "options": {
            "stuck": saved.stuck.label,
            "solver": saved.solver,
            "remoteness": saved.table.has_remoteness,
        },
        "num_vertices": saved.space.num_vertices,
        "num_positions": sum(counts.values()),
        "num_edges": saved.num_edges,
        "start": saved.start,
        "counts": by_label(counts),
        "counts_by_player": found.by_player and [by_label(part) for part in found.by_player],
        "histogram": histogram_record(found.histogram),
        "verified": saved.verified,
        "versions": {
            "retrosolve": __version__,
            "numpy": np.__version__,
        },
    }


def by_label(counts: dict[Value, int]) -> dict[str, int]:
    """Return the number of vertices of each value, ready for JSON."""
    return {value.label: counts[value] for value in REPORTED_VALUES}


def histogram_record(histogram: dict[Value, dict[int | None, int]]) -> dict[str, dict[str, int]]:
    """Return a histogram, ready for JSON: the remoteness as text, "null" for None."""
    return {
        value.label: {
            "null" if plies is None else str(plies): n for plies, n in histogram[value].items()
        }
        for value in REPORTED_VALUES
    }


def write_space(writer: ArrayWriter, space: StateSpace, level: int) -> list[dict[str, Any]]:
    """Write the arrays of a space and return their descriptions."""
    found = []
    for name, array in space.arrays().items():
        path = f"space/{name}"
        if name in NAME_ARRAYS:
            read = partial(_part, array)
            found.append(writer.blocks(path, len(array), array.dtype, read, level).record())
        else:
            found.append(writer.whole(path, array).record())
    return found


def _part(array: Any, start: int, stop: int) -> NDArray[Any]:
    """Return the elements ``start..stop-1`` of an array in memory, in a file, or in blocks."""
    part: NDArray[Any] = array.take(np.arange(start, stop))
    return part


def write_table(
    writer: ArrayWriter, space: StateSpace, table: Table, level: int
) -> tuple[dict[str, Any], Distribution]:
    """Write a table; return its description and its distribution."""
    encoder = Encoder(table, space)
    filling = choose_filling(encoder, space, level)
    return write_codes(writer, encoder, filling, level), encoder.distribution()


def write_codes(writer: ArrayWriter, encoder: Encoder, filling: Filling, level: int) -> dict[str, Any]:
    """Write the codes of a table and what they stand for.

    Parameters
    ----------
    writer : ArrayWriter
    encoder : Encoder
    filling : Filling
    level : int
        The level of the compression.

    Returns
    -------
    dict
        The description of the table for the manifest.
    """
    value, remoteness = filling.dictionary
    read = partial(filling.read, encoder)
    size = encoder.table.num_vertices
    arrays = [
        writer.whole("table/value", value),
        writer.whole("table/remoteness", remoteness.astype(np.int64)),
        writer.blocks("table/part-0", size, encoder.dtype, read, level, filling.packed),
    ]
    return {
        "kind": "codes",
        "filled": filling.hole is not None,
        "digest": encoder.digest(),
        "arrays": [array.record() for array in arrays],
    }


def write_dictionary(
    writer: ArrayWriter, space: StateSpace, table: Table, tiers: TierFiles
) -> tuple[dict[str, Any], Distribution, Values]:
    """Write what the codes of finished tiers stand for.

    Returns
    -------
    tuple
        The description of the table, its distribution, and its values at the candidates for its
        fingerprint: reading these again would decompress a block for each.

    Notes
    -----
    A pass over the table.
    """
    dictionary = tiers.dictionary()
    codes, chosen = JoinedCodes(tiers.codes()), candidates(table.num_vertices)
    sample = np.empty(len(chosen), np.uint8)

    def read(start: int, stop: int) -> NDArray[Any]:
        part = codes.read(start, stop)
        low, high = np.searchsorted(chosen, [start, stop])
        sample[low:high] = dictionary.value[part[chosen[low:high] - start]]
        return part

    encoder = Encoder(table, space, dictionary, read)
    encoder.read_all()
    value, remoteness = dictionary
    arrays = [
        writer.whole("table/value", value).record(),
        writer.whole("table/remoteness", remoteness.astype(np.int64)).record(),
        *tiers.records(),
    ]
    table_record = {"kind": "codes", "filled": False, "digest": encoder.digest(), "arrays": arrays}
    return table_record, encoder.distribution(), lambda _candidates: sample
