"""What workers and the first process send each other: positions, results and rules, as bytes."""

from __future__ import annotations

import marshal
import pickle
import sys
from array import array
from pathlib import Path
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.expanding import Expander, Expansion
from retrosolve.runtime.sources import PREFIX, ReadSource, load_module

MARSHALLED = b"M"  # pickles begin with another byte


def encoded(item: Any) -> bytes:
    """Return positions or an expansion as bytes: marshal takes plain objects only, in half the time."""
    if isinstance(item, Expansion):
        item = item.degrees.tobytes(), *item[1:]
    try:
        return MARSHALLED + marshal.dumps(item)
    except ValueError:
        return pickle.dumps(item, pickle.HIGHEST_PROTOCOL)


def decoded(data: bytes | memoryview) -> Any:
    """Return positions or an expansion from their bytes."""
    plain = data[:1] == MARSHALLED
    item = marshal.loads(memoryview(data)[1:]) if plain else pickle.loads(data)
    return Expansion(array("i", item[0]), *item[1:]) if isinstance(item, tuple) else item


def pickled_expander(expander: Expander) -> bytes:
    """Return an expander as bytes, with the source of rules that are no importable module."""
    game = expander.game
    module = type(game).__module__
    loader = sys.modules[module].__loader__ if module.startswith(PREFIX) else None
    file = (loader.path, loader.source) if isinstance(loader, ReadSource) else None
    try:
        return pickle.dumps((file, pickle.dumps(expander.copy())))
    except Exception as error:
        raise RulesError(
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
