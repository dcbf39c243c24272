"""Solutions on disk."""

from retrosolve.store.directory import open, save

__all__ = ["open", "save"]
