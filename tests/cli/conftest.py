"""Commands are run as in a process of their own."""

from tests.support.commands import sh

__all__ = ["sh"]
