"""INPUT ``rules.py:ClassName,n=50``: a game from an author's file and the parameters of its class."""

from __future__ import annotations

import inspect
from pathlib import Path

from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.games.parameters import ParameterReader, parameters_of, read_parameters
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.runtime.places import error_place
from retrosolve.runtime.sources import CLASS_SEPARATOR, load_module, subclasses_in


def load_rules(text: str) -> Game | CompiledGame:
    """Make a game from an author's file.

    Parameters
    ----------
    text : str
        The path of a Python file, a colon and the name of a class in it; after that, each after a
        comma, parameters of its constructor, ``n=50``. The file is executed.

    Returns
    -------
    Game or CompiledGame
        The game.

    Raises
    ------
    RulesError
        If there is no such file, class or parameter, or executing one of them fails; with the line of
        the file that raised the exception.
    """
    before, _, rest = text.partition(CLASS_SEPARATOR)
    path = Path(before + ".py")
    name, _, parameters = rest.partition(",")
    game_class = _load_class(path, name)
    readers = constructor_readers(game_class)
    arguments = read_parameters(text, name, parameters, readers)
    try:
        return game_class(**arguments)
    except RetrosolveError:
        raise
    except Exception as error:
        given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        raise RulesError(f"{name}({given}) raised {_what(error)}") from error


def _load_class(path: Path, name: str) -> type[Game] | type[CompiledGame]:
    """Return a class of games from a file. Raises RulesError."""
    if not path.is_file():
        raise RulesError(f"there is no file {path}: expected rules in Python, rules.py:ClassName")
    try:
        module = load_module(path)
    except Exception as error:
        raise RulesError(f"{path} raised {_what(error)}") from error
    game_class = getattr(module, name, None)
    if isinstance(game_class, type) and issubclass(game_class, Game | CompiledGame):
        return game_class
    known = [
        key
        for key, kind in vars(module).items()
        if isinstance(kind, type)
        and issubclass(kind, Game | CompiledGame)
        and kind.__module__ == module.__name__
    ]
    examples = f", such as {', '.join(known)}" if known else ""
    raise RulesError(f"{path} has no game {name!r}: expected a subclass of retrosolve.Game{examples}")


def constructor_readers(game_class: type) -> dict[str, ParameterReader]:
    """Return the parameters of a constructor that can be given by name, with their readers."""
    if "__init__" not in {name for kind in game_class.__mro__[:-1] for name in vars(kind)}:
        return {}
    signature = inspect.signature(game_class.__init__)  # type: ignore[misc]
    return parameters_of(list(signature.parameters.values())[1:])


def _what(error: Exception) -> str:
    """Return an exception as text, with the line of the author's code that raised it."""
    place = "" if isinstance(error, SyntaxError) else error_place(error)
    return f"{type(error).__name__}: {error}{place}"


def missing_class(path: Path) -> str:
    """Return the error for a file of rules that was given without a class.

    Parameters
    ----------
    path : Path
        A Python file. It is parsed, not executed.
    """
    known = subclasses_in(path, {"Game", "CompiledGame"})
    examples = " or ".join(f"{path}:{name}" for name in known) or f"{path}:ClassName"
    return f"{path} is a file of Python rules: expected {examples}"
