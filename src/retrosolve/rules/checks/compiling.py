"""Check that numba compiles the functions of compiled rules."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

import numpy as np

from retrosolve.compilation import jit
from retrosolve.compilation.complaints import complaint
from retrosolve.errors import RulesError

WITH_OUT = ("successors", "predecessors", "survey", "predecessor_indices")


def check_compiles(name: str, functions: Mapping[str, Any], data: Any) -> None:
    """Compile the functions of a game, each alone, unless numba's compiler is switched off.

    Parameters
    ----------
    name : str
        The name of the game.
    functions : mapping of str to callable
        The author's functions, in plain Python.
    data : tuple
        Their last argument, in the form for compiled code.

    Raises
    ------
    RulesError
        For the first function that cannot be compiled.
    """
    if jit.is_off():
        return
    import numba

    from retrosolve.compilation.frozen import Freezer

    freezer = Freezer(uuid.uuid4().hex)
    typeof: Any = numba.typeof
    out, last = typeof(np.zeros(1, np.int64)), typeof(data)
    for rule, function in functions.items():
        written = (out,) if rule in WITH_OUT else ()
        try:
            freezer.jitted(function, False).compile((numba.int64, *written, last))
        except Exception as error:
            reason = complaint(error, functions.values())
            raise RulesError(f"{name}.{rule} cannot be compiled: {reason}") from error
