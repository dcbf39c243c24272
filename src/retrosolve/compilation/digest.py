"""A digest of everything that compiled functions depend on.

A compiled function holds its own code and the values of all names in it: helpers, tables, attributes
of modules. ``Digest`` hashes functions together with these values, by content. Each value is written
as a kind, a number of parts, and the parts with their lengths, so that no two values are written
alike. Of numpy, numba and the standard library, whose versions belong into the digest, a name is
enough. What cannot be hashed by content raises Unhashable: a guess could serve one game the kernels of
another.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import struct
import sys
from abc import ABCMeta
from collections.abc import Iterable
from types import CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any, NamedTuple

import numpy as np

LIBRARIES = ("numpy", "numba", "llvmlite")
MAX_DESCRIBED = 1 << 12
BIT_COUNT = "of the absolute value"  # what ``int.bit_count`` is compiled to
BY_TEXT = frozenset({"getattr", "hasattr"})  # these name an attribute by text


class Unhashable(Exception):  # noqa: N818
    """A function depends on an object whose content cannot be hashed."""


class Digest:
    """A SHA-256 hash that values are added to, one after the other."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._numbers: dict[Any, int] = {}
        self._kept: list[Any] = []  # ids stay taken while their objects live
        self._contents: dict[int, bytes] = {}

    def hexdigest(self) -> str:
        """Return the hash of all values added so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()

    def add(self, value: Any, names: frozenset[str] = frozenset()) -> None:
        """Add a value; of a module or class, the attributes called one of ``names``.

        Raises Unhashable.
        """
        kind = type(value)
        if kind in _ATOMS:
            self._put(kind.__name__, _ATOMS[kind](value))
        elif kind in (tuple, list):
            self._put(kind.__name__, _size(value))
            for item in value:
                self.add(item, names)
        elif kind is CodeType:
            self._put("code", described(value).content)
        elif isinstance(value, np.ndarray):
            self._add_array(value)
        elif isinstance(value, np.dtype):
            self._add_dtype(value)
        elif isinstance(value, np.generic):
            self._refuse(value.dtype.hasobject, value)
            self._put("scalar", kind.__name__.encode(), value.tobytes())
            self._add_dtype(value.dtype)
        elif kind in (set, frozenset, dict):
            items = value.items() if kind is dict else value
            self._put(kind.__name__, *sorted(_alone(item, names) for item in items))
        elif kind in (range, slice):
            self._put(kind.__name__)
            self.add((value.start, value.stop, value.step))
        else:
            self._add_object(value, names)

    def _add_object(self, value: Any, names: frozenset[str]) -> None:
        """Add what has a name or is an instance of a class."""
        library = library_name(value)
        if library is not None:
            self._put("library", library.encode())
        elif isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, enum.Enum):
            self._put("member", type(value).__qualname__.encode())
            self.add((value.name, value.value), names)
        elif isinstance(value, tuple) and hasattr(type(value), "_fields"):
            self._put("named")
            self.add(type(value), names)
            self.add(tuple(value), names)
        elif isinstance(value, ModuleType):
            self._put("module")
            self._add_attributes(value, names)
        elif isinstance(value, type):
            self._add_class(value, names)
        else:
            self._add_compiled(value)

    def _add_function(self, function: FunctionType) -> None:
        if self._seen(id(function), function):
            return
        names = names_of(function)
        cells = [_cell(cell) for cell in function.__closure__ or ()]
        known = [name for name in sorted(names) if name in function.__globals__]
        self._put("function", _size(cells), *(name.encode() for name in known))
        self.add(function.__code__)
        self.add(function.__defaults__, names)
        self.add(function.__kwdefaults__, names)
        for value in cells:
            self.add(value, names)
        for name in known:
            self.add(function.__globals__[name], names)

    def add_content(self, code: CodeType) -> None:
        """Add what a code object consists of."""
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        self._put("code", code.co_code, code.co_exceptiontable, repr(counts).encode())
        if "bit_count" in code.co_names:
            self._put("bit_count", BIT_COUNT.encode())
        self.add((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
        self.add(code.co_consts)

    def _add_attributes(self, value: Any, names: frozenset[str]) -> None:
        if self._seen((id(value), names), value):
            return
        found = attributes(value, names)
        self._put("attributes", *(name.encode() for name in found))
        for attribute in found.values():
            self.add(attribute, names)

    def _add_class(self, value: type, names: frozenset[str]) -> None:
        name = value.__qualname__.encode()
        if issubclass(value, enum.Enum):
            self._put("enum", name)
            self.add(tuple((key, member.value) for key, member in value.__members__.items()), names)
        elif issubclass(value, tuple) and hasattr(value, "_fields"):
            self._put("fields", name)
            self.add((value._fields, getattr(value, "_field_defaults", None)), names)
        else:
            self._refuse(type(value) not in (type, ABCMeta), value)
            self._put("class", name)
            self._add_attributes(value, names)

    def _add_compiled(self, value: Any) -> None:
        """Add what numba made of a function: a dispatcher or a ufunc; or a type of numba's."""
        self._refuse(type(value).__module__.partition(".")[0] != "numba", value)
        if type(value).__module__ == "numba.core.types.scalars":
            self._put("type", type(value).__qualname__.encode(), str(value).encode())
            return
        dispatcher = getattr(value, "_dispatcher", value)
        function = getattr(dispatcher, "py_func", None)
        options = getattr(dispatcher, "targetoptions", None)
        self._refuse(not isinstance(function, FunctionType) or type(options) is not dict, value)
        self._put("compiled", type(value).__qualname__.encode(), *_signatures(value, dispatcher))
        self.add(options)
        self.add(getattr(value, "identity", None))
        self.add(function)

    def _add_array(self, array: Any) -> None:
        self._refuse(array.dtype.hasobject, array)
        key = id(array)
        if key not in self._contents:
            plain = np.asarray(array)
            plain = plain.T if plain.flags.f_contiguous else np.ascontiguousarray(plain)
            content: Any = plain.reshape(-1).view(np.uint8)
            self._contents[key] = hashlib.sha256(content).digest()
            self._kept.append(array)
        order = array.flags.c_contiguous, array.flags.f_contiguous, array.flags.aligned
        described = type(array).__name__, array.shape, order
        self._put("array", repr(described).encode(), self._contents[key])
        self._add_dtype(array.dtype)

    def _add_dtype(self, dtype: np.dtype[Any]) -> None:
        if dtype.fields is not None:
            self._put("record", str(dtype.itemsize).encode(), str(dtype.isalignedstruct).encode())
            self.add(tuple((name, *dtype.fields[name]) for name in dtype.names or ()))
        elif dtype.subdtype is not None:
            self._put("block")
            self.add(dtype.subdtype)
        else:
            self._put("dtype", dtype.str.encode())

    def _put(self, kind: str, *parts: bytes) -> None:
        lengths = "".join(f"{len(part)}," for part in parts)
        self._hash.update(f"{kind} {len(parts)} {lengths};".encode() + b"".join(parts))

    def _seen(self, key: Any, value: Any) -> bool:
        """Write which of the objects before it this is; return False if it is new."""
        if key in self._numbers:
            self._put("again", str(self._numbers[key]).encode())
            return True
        self._numbers[key] = len(self._numbers)
        self._kept.append(value)
        return False

    def _refuse(self, refused: bool, value: Any) -> None:
        if refused:
            raise Unhashable(f"cannot hash a {type(value).__module__}.{type(value).__qualname__}")


def structure(data: object) -> Any:
    """Return the part of ``data`` that its values do not change: which named tuples it is made of."""
    if not isinstance(data, tuple):
        return ()
    kind, parts = type(data), tuple(structure(item) for item in data)
    fields = getattr(kind, "_fields", None)
    return (parts, kind.__module__, kind.__qualname__, fields) if fields is not None else (parts,)


class CodeDescription(NamedTuple):
    """What a code object consists of, which never changes.

    Parameters
    ----------
    content : bytes
        A hash of it, and of the functions within it.
    names : frozenset of str
        The names of globals and attributes in it and in the functions within it; where ``getattr`` is
        among them, its texts too.
    """

    content: bytes
    names: frozenset[str]


@functools.lru_cache(MAX_DESCRIBED)  # solves ask for the same ones again
def described(code: CodeType) -> CodeDescription:
    """Return the description of a code object."""
    digest = Digest()
    digest.add_content(code)
    inner = [described(part).names for part in code.co_consts if isinstance(part, CodeType)]
    names = frozenset(code.co_names).union(*inner)
    if names & BY_TEXT:
        names |= {part for part in code.co_consts if type(part) is str}
    return CodeDescription(digest.hexdigest().encode(), names)


def names_of(function: FunctionType) -> frozenset[str]:
    """Return the names in a function, those included that ``getattr`` is given by a global name."""
    names = described(function.__code__).names
    if names & BY_TEXT:
        values = map(function.__globals__.get, names)
        names |= {value for value in values if type(value) is str}
    return names


def attributes(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the attributes of a module or class that are called one of ``names``, in order."""
    found = {}
    for name in sorted(names):
        try:
            found[name] = getattr(value, name)
        except Exception:  # a module may make its attributes: numba would fail here too
            continue
    return found


def library_name(value: Any) -> str | None:
    """Return the full name of an object of numpy, numba or the standard library; else None."""
    if isinstance(value, ModuleType):
        known = is_library(value.__name__) and sys.modules.get(value.__name__) is value
        return value.__name__ if known else None
    module = "numpy" if type(value) is np.ufunc else getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if not (isinstance(module, str) and isinstance(name, str) and is_library(module)):
        return None
    try:
        known = functools.reduce(getattr, name.split("."), sys.modules.get(module)) is value
    except AttributeError:
        return None
    return f"{module}.{name}" if known else None


def is_library(module: str) -> bool:
    """Return whether a module is of numpy, numba or the standard library, judged by where it lies."""
    top = module.partition(".")[0]
    if top in LIBRARIES:
        return True
    if top not in sys.stdlib_module_names or top not in sys.modules:
        return False
    origin = getattr(getattr(sys.modules[top], "__spec__", None), "origin", None)
    if origin in ("built-in", "frozen"):
        return True
    library = os.path.dirname(os.__file__) + os.sep
    return isinstance(origin, str) and origin.startswith(library) and "-packages" not in origin


def _alone(value: Any, names: frozenset[str]) -> bytes:
    alone = Digest()
    alone.add(value, names)
    return alone.hexdigest().encode()


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return ("empty cell",)


def _signatures(value: Any, dispatcher: Any) -> list[bytes]:
    """Return the signatures that the author gave; where none, those compiled so far do not matter."""
    given = getattr(value, "_frozen", False) or not getattr(dispatcher, "_can_compile", True)
    versions = dispatcher.overloads.values() if given else ()
    return [str(compiled.signature).encode() for compiled in versions]


def _size(items: Any) -> bytes:
    return str(len(items)).encode()


_ATOMS: dict[type, Any] = {
    NoneType: lambda value: b"",
    EllipsisType: lambda value: b"",
    bool: lambda value: b"1" if value else b"0",
    int: lambda value: hex(value).encode(),
    float: lambda value: struct.pack("<d", value),
    complex: lambda value: struct.pack("<dd", value.real, value.imag),
    str: lambda value: value.encode("utf-8", "surrogatepass"),
    bytes: lambda value: value,
}
