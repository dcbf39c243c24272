"""What workers and the first process send each other: positions, results and rules, as bytes.

Positions arrive as they were sent, types included. `marshal` does that for objects of a few exact
types, in a third of the time of `pickle`. It writes every other object that has a buffer, such as a
NumPy number, as plain bytes; where such a record may be, types are compared, and `pickle` is used
unless all are exact. A copy that `pickle` makes of the positions is compared with them before they
are sent.
"""

from __future__ import annotations

import marshal
import pickle
import re
import sys
from array import array
from cmath import isnan
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.expanding import Expander, Expansion
from retrosolve.runtime.sources import PREFIX, ReadSource, load_module
from retrosolve.spaces.identical import identical

MARSHALLED = b"M"  # pickles begin with another byte
VERSION = 4  # of marshal, since Python 3.4: the records below are those of this version
CONTAINERS = frozenset({tuple, frozenset})
EXACT = CONTAINERS | {int, str, bytes, bool, float, complex, type(None), type(...)}
NUMBERS = frozenset({float, complex})  # which may be NaN, and equal to nothing
SHARED = 0x80  # set in the first byte of a record that others refer to


def _records(of: Any, rest: bytes) -> list[tuple[bytes, re.Pattern[bytes]]]:
    """Return how the records of a kind of objects begin, and patterns of them."""
    code = marshal.dumps(of, VERSION)[0] & ~SHARED
    starts = (bytes([code]), bytes([code | SHARED]))
    return [(start, re.compile(re.escape(start) + rest, re.DOTALL)) for start in starts]


NOT_FINITE = rb".{6}[\xf0-\xff][\x7f\xff]"  # the exponent of a float of 8 bytes, the last of them first
SUSPECTS = [
    *_records(memoryview(b""), rb"...\0"),  # a length, below 2^24
    *_records(0.0, NOT_FINITE),
    *_records(0j, rb"(?:.{8})?" + NOT_FINITE),
]
MAX_SCANNED = 1 << 24


class TransportError(RulesError):
    """Positions do not arrive in another process as they were sent."""


def encoded(positions: list[Any]) -> bytes:
    """Return positions as bytes. Raises TransportError if they would not arrive as they are."""
    try:
        data = marshal.dumps(positions, VERSION)
        if not _may_differ(data) or _are_exact(positions):
            return MARSHALLED + data
    except ValueError:  # for an object that marshal does not take
        pass
    try:
        data = pickle.dumps(positions, pickle.HIGHEST_PROTOCOL)
        back = pickle.loads(data)
        pairs = zip(positions, back, strict=True)
        differing = next((pair for pair in pairs if not identical(*pair)), None)
    except Exception as error:
        raise TransportError(
            f"the positions from {_shown(positions[0])} on cannot be sent to another process "
            f"({type(error).__name__}: {error}): expected workers=1, or positions that pickle takes"
        ) from error
    if differing is not None:
        position, copy = differing
        raise TransportError(
            f"the position {_shown(position)} cannot be sent to another process (pickle makes "
            f"{_shown(copy)} of it): expected workers=1, or a position whose copy is equal to it and "
            "has the same type"
        )
    return data


def _shown(position: Any) -> str:
    """Return a position as text, or its type if it is nested too deeply for that."""
    try:
        return repr(position)
    except RecursionError:
        return f"one of type {type(position).__name__}"


def _may_differ(data: bytes) -> bool:
    """Return whether there may be an object in marshalled data that comes back as another.

    Takes 1 to 30 ns for each position: patterns are searched only if the data has their first byte.
    """
    return len(data) >= MAX_SCANNED or any(
        start in data and record.search(data) is not None for start, record in SUSPECTS
    )


def _are_exact(items: Sequence[Any]) -> bool:
    """Return whether marshal keeps all objects: they are of its types, no subclasses, and no NaN."""
    while items:
        kinds = set(map(type, items))
        if not kinds <= EXACT:
            return False
        if not kinds.isdisjoint(NUMBERS) and any(isnan(n) for n in items if type(n) in NUMBERS):
            return False
        if kinds.isdisjoint(CONTAINERS):
            return True
        if not kinds <= CONTAINERS:
            items = [item for item in items if type(item) in CONTAINERS]
        items = list(chain.from_iterable(items))
    return True


def decoded(data: bytes | memoryview) -> Any:
    """Return positions from their bytes. Raises TransportError if this process cannot make them."""
    if data[:1] == MARSHALLED:
        return marshal.loads(memoryview(data)[1:])
    try:
        return pickle.loads(data)
    except Exception as error:
        raise TransportError(
            f"positions cannot be read by another process ({type(error).__name__}: {error}): "
            "expected workers=1, or positions of a class in a module of its own"
        ) from error


def encoded_expansion(expansion: Expansion) -> bytes:
    """Return an expansion as bytes. Raises TransportError like :func:`encoded`."""
    degrees, moves, *rest = expansion
    return marshal.dumps((degrees.tobytes(), encoded(moves), *rest), VERSION)


def decoded_expansion(data: bytes | memoryview) -> Expansion:
    """Return an expansion from its bytes. Raises TransportError like :func:`decoded`."""
    degrees, moves, *rest = marshal.loads(data)
    return Expansion(array("i", degrees), decoded(moves), *rest)


def pickled_expander(expander: Expander) -> bytes:
    """Return an expander as bytes, with the source of rules that are no importable module.

    Raises TransportError for rules that pickle does not take.
    """
    game = expander.game
    module = type(game).__module__
    loader = sys.modules[module].__loader__ if module.startswith(PREFIX) else None
    file = (loader.path, loader.source) if isinstance(loader, ReadSource) else None
    try:
        return pickle.dumps((file, pickle.dumps(expander.copy())))
    except Exception as error:
        raise TransportError(
            f"{type(game).__name__} cannot be sent to another process ({type(error).__name__}: {error})"
            ": expected workers=1, or rules in a module of their own that pickle takes"
        ) from error


def unpickled_expander(data: bytes) -> Expander:
    """Return an expander from its bytes."""
    file, rest = pickle.loads(data)
    if file is not None:
        load_module(Path(file[0]), file[1])
    expander: Expander = pickle.loads(rest)
    return expander
