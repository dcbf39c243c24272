"""Values, moves and errors print as words, each on one line."""

import json
import pickle

import numpy as np

import retrosolve as rs
from retrosolve import Move, Outcome, Value, errors


def test_a_value_prints_as_its_name_and_is_its_code() -> None:
    assert [str(value) for value in Value] == ["DRAW", "WIN", "LOSS", "TIE"]
    assert f"{Value.WIN} {Value.TIE:>5}{Value.LOSS:d}" == "WIN   TIE2"
    assert repr(Value.WIN) == "<Value.WIN: 1>"
    assert json.dumps(Value.LOSS) == "2"
    assert np.uint8(1) == Value.WIN


def test_a_move_prints_its_name_target_and_outcome() -> None:
    assert str(Move("take 1", 9, Outcome(Value.LOSS, 6))) == "take 1 -> 9 (LOSS in 6)"
    assert f"{Move('b', 'b', Outcome(Value.DRAW, None))}" == "b (DRAW)"


def test_an_error_is_on_one_line_whatever_names_and_paths_are_in_it() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    for kind in kinds:
        if kind.__module__ == errors.__name__ and issubclass(kind, rs.RetrosolveError):
            error = kind("no file a\nb\x07c\u200d")
            assert error.args[0].startswith("no file a\\nb\\x07c\u200d")
            assert pickle.loads(pickle.dumps(error)).args == error.args
