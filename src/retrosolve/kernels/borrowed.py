"""Arguments whose references compiled code does not count.

numba counts references to an array wherever it takes one out of a tuple or hands it on, by atomic
instructions, which can take longer than the rules of a game. The caller of a kernel keeps its arguments
until the kernel returns, so nothing needs to be counted there.
"""

from typing import Any


def borrowed(value: Any) -> Any:
    """Return an array or a tuple of them, to be used only while the caller keeps it."""
    return value


def compiled_borrowed() -> Any:
    """Return the same, compiled: the arrays have no owner whose references could be counted."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            members: Any = kind
            for place, member in enumerate(members):
                item = builder.extract_value(value, place)
                item = without_owner(context, builder, member, item)
                value = builder.insert_value(value, item, place)
        return value

    @intrinsic
    def borrow(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return without_owner(context, builder, signature.args[0], arguments[0])

        return value(value), generate

    return borrow
