"""Values and moves print as words."""

import json

import numpy as np

from retrosolve import Move, Outcome, Value


def test_a_value_prints_as_its_name_and_is_its_code() -> None:
    assert [str(value) for value in Value] == ["DRAW", "WIN", "LOSS", "TIE"]
    assert f"{Value.WIN} {Value.TIE:>5}{Value.LOSS:d}" == "WIN   TIE2"
    assert repr(Value.WIN) == "<Value.WIN: 1>"
    assert json.dumps(Value.LOSS) == "2"
    assert np.uint8(1) == Value.WIN


def test_a_move_prints_its_name_target_and_outcome() -> None:
    assert str(Move("take 1", 9, Outcome(Value.LOSS, 6))) == "take 1 -> 9 (LOSS in 6)"
    assert f"{Move('b', 'b', Outcome(Value.DRAW, None))}" == "b (DRAW)"
