"""Errors: each message is on one line, whatever names and paths are in it."""

import pickle

import pytest

import retrosolve as rs
from retrosolve import errors

KINDS = [kind for kind in vars(errors).values() if getattr(kind, "__module__", "") == errors.__name__]
KINDS = [kind for kind in KINDS if isinstance(kind, type)]


@pytest.mark.parametrize("kind", KINDS)
def test_message_is_on_one_line(kind: type[rs.RetrosolveError]) -> None:
    error = kind("no file a\nb\x07c\u200d")
    assert error.args[0].startswith("no file a\\nb\\x07c\u200d")
    assert pickle.loads(pickle.dumps(error)).args == error.args
