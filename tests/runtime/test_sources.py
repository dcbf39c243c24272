"""Python files given by their path."""

import os
import sys
from pathlib import Path

import pytest

from retrosolve.runtime.sources import load_module


def test_a_file_that_was_changed_within_the_same_second_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    rules = tmp_path / "rules.py"
    for number in (1, 2):
        rules.write_text(f"number = {number}\n")
        os.utime(rules, (1_000_000_000, 1_000_000_000))
        module = load_module(rules)
        assert module.number == number
