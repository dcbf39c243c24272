"""What compiled kernels depend on: every change of it gives another digest, and nothing else does."""

import enum
import os
import subprocess
import sys
import types
from collections import namedtuple
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace

import numba
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.compilation import digest, jit, specialize
from tests.compilation.test_two_threads import SIZE
from tests.conftest import Tune
from tests.support.marks import COMPILED


def module(**names: object) -> ModuleType:
    made = types.ModuleType("constants")
    vars(made).update(names)
    return made


def digest_of(body: str, **names: object) -> str | None:
    """The digest of a function that uses some global names."""
    names["np"] = np
    exec(f"def rule(position, data=1):\n    {body}", names)
    return jit.dependencies({"rule": names["rule"]})


def plain(amount: int) -> FunctionType:
    def step(position):
        return position - 1 if amount else 0

    return step


def step_of(amount: int, default: int = 1, more: int = 1) -> FunctionType:
    names: dict[str, object] = {}
    exec(f"def step(p, back={default}, *, more={more}):\n    return p - {amount}", names)
    return names["step"]


def back(p):
    return p - 1


def level(value: int) -> type[enum.IntEnum]:
    return enum.IntEnum("Level", {"LOW": value, "HIGH": 9})


BIG = np.arange(30_000)
CHANGED = BIG.copy()
CHANGED[17_000] = 0

PAIRS = [
    ("return c.K", "c", module(K=2), module(K=4)),
    ("return c.b.K", "c", module(b=module(K=2)), module(b=module(K=4))),
    ("return c.K", "c", type("C", (), {"K": 2}), type("C", (), {"K": 4})),
    ("return c.b.K", "c", module(b=type("C", (), {"K": 2})), module(b=type("C", (), {"K": 4}))),
    ("return h.step(position)", "h", module(step=step_of(1)), module(step=step_of(2))),
    ("return step(position)", "step", step_of(1), step_of(2)),
    ("return step(position)", "step", step_of(1, 1), step_of(1, 2)),
    ("return step(position)", "step", step_of(1, 1, 1), step_of(1, 1, 2)),
    ("return step(position)", "step", plain(1), plain(0)),
    ("return h.step(position)", "h", module(step=numba.njit(step_of(1))), module(step=numba.njit(step_of(2)))),
    ("return h.step(position)", "h", module(step=numba.vectorize(step_of(1))), module(step=numba.vectorize(step_of(2)))),
    ("return Level.LOW", "Level", level(1), level(2)),
    ("return low", "low", level(1).LOW, level(2).LOW),
    ("return table[0]", "table", BIG, CHANGED),
    ("return table[0]", "table", np.asfortranarray(BIG.reshape(2, -1)), np.asfortranarray(CHANGED.reshape(2, -1))),
    ("return table[0]", "table", BIG.reshape(2, -1), np.asfortranarray(BIG.reshape(2, -1))),
    ("return table[0]", "table", BIG.reshape(2, -1), BIG.reshape(-1, 2)),
    ("return table[0]", "table", np.zeros(2, [("a", "i4"), ("b", "i4")]), np.zeros(2, [("b", "i4"), ("a", "i4")])),
    ("return t[0]", "t", namedtuple("T", "a b")(1, 2), namedtuple("T", "b a")(1, 2)),
    ("return T(1, 2)", "T", namedtuple("T", "a b"), namedtuple("T", "b a")),
    ("return kind(1)", "kind", np.int32, np.int64),
    ("return kind(1)", "kind", numba.int32, numba.int64),
    ("return t[0]", "t", ("ab", "c"), ("a", "bc")),
    ("return t[0]", "t", ((1,), 2), (1, (2,))),
    ("return getattr(c, 'K', 1)", "c", module(K=2), module(K=4)),
    ("return getattr(c, 'K', 1)", "c", module(), module(K=1)),
    ("return getattr(c, 'K')", "c", type("C", (), {"K": 2}), type("C", (), {"K": 4})),
    ("return (lambda d: getattr(d, 'K', 1))(c)", "c", module(K=2), module(K=4)),
    ("return hasattr(c, 'K')", "c", module(), module(K=1)),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(PAIRS)))
def test_changes_of_the_rules_change_the_digest(case: int) -> None:
    body, name, before, after = PAIRS[case]
    found = [digest_of(body, **{name: value}) for value in (before, before, after)]
    assert None not in found
    assert found[0] == found[1] != found[2]


def test_an_attribute_that_a_global_text_names_changes_the_digest() -> None:
    body = "return getattr(c, NAME, 1)"
    found = [digest_of(body, c=module(K=k), NAME="K") for k in (2, 2, 4)]
    assert found[0] == found[1] != found[2]


def test_options_of_a_helper_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    made = [numba.njit(back), numba.njit(fastmath=True)(back), numba.njit(fastmath={"nsz"})(back)]
    made += [numba.njit("i8(i8)")(back), numba.njit("i4(i8)")(back), numba.vectorize(back)]
    made += [numba.vectorize(["i8(i8)"])(back), numba.vectorize(["i4(i4)"])(back)]
    found = {digest_of("return h.step(position)", h=module(step=step)) for step in made}
    assert len(found) == len(made)
    assert None not in found


def test_values_that_are_equal_have_digests_of_their_own() -> None:
    one = [1, 1.0, True, 1 + 0j, "1", b"1", np.int32(1), np.int64(1), np.float64(1), np.str_("1"), None]
    more = [
        0.0,
        -0.0,
        (1,),
        [1],
        {1},
        frozenset([1]),
        {1: 1},
        (),
        ((),),
        ...,
        range(1),
        slice(1),
        2**200,
    ]
    values = [*one, *more, np.array(1), np.array([1]), np.array([1], np.int32), np.datetime64(1, "s")]
    assert len({digest_of("return value", value=value) for value in values}) == len(values)
    assert len({digest_of(f"return {value!r}") for value in one[:6]}) == 6


def test_irrelevant_changes_keep_the_digest() -> None:
    assert digest_of("return c.K", c=module(K=2, L=3)) == digest_of("return c.K", c=module(K=2, L=4))
    assert digest_of("return c.K", c=module(K=2)) == digest_of("return c.K", c=module(K=2), other=5)
    used = numba.njit(back)
    fresh = digest_of("return step(position)", step=used)
    assert used(5) == 4
    assert digest_of("return step(position)", step=used) == fresh
    loop = module(K=2)
    loop.again = loop
    first = digest_of("return c.again.again.K", c=loop)
    loop.K = 4
    assert None is not first != digest_of("return c.again.again.K", c=loop) is not None
    assert digest_of("return rule(position)") is not None  # it calls itself


def test_unhashable_rules_have_no_digest() -> None:
    unknown = [object(), SimpleNamespace(K=2), np.array([None]), len.__call__, iter(()), property(back)]
    for value in unknown:
        assert digest_of("return value.K", value=value) is None
        assert digest_of("return c.value.K", c=module(value=[1, value])) is None


def test_a_module_of_the_user_is_no_library_whatever_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert digest.library_name(np.linalg) == "numpy.linalg"
    assert digest.library_name(os.path.join) == f"{os.path.__name__}.join"
    assert digest.library_name(len) == "builtins.len"
    assert digest.library_name(np.minimum) == "numpy.minimum"
    own = types.ModuleType("token")
    own.K = 2
    monkeypatch.setitem(sys.modules, "token", own)
    assert digest.library_name(own) is None
    first = digest_of("return token.K", token=own)
    own.K = 4
    assert None is not first != digest_of("return token.K", token=own)


HASHED = """
from retrosolve.compilation import jit
WORDS, PLACES = {"ab", "cd", "ef", "gh"}, frozenset("ijkl")
def rule(position, data):
    return position in {"mn", "op", "qr", "st"} or data in WORDS or data in PLACES
print(jit.dependencies({"rule": rule}))
"""


def test_sets_have_one_digest_in_every_process() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", HASHED], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1
    assert found != {"None\n"}


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache on disk and in the process."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    specialize._shared.clear()
    return tmp_path / "cache"


def row_of(c: ModuleType, body: str) -> rs.CompiledGame:
    names: dict[str, object] = {"c": c}
    exec(f"def successors(p, out, data):\n    {body}", names)
    rules = {"max_moves": 3, "size": SIZE, "successors": staticmethod(names["successors"])}
    return type("Row", (rs.CompiledGame,), rules)()


@pytest.mark.usefixtures("own_cache")
def test_getattr_in_rules_has_the_value_of_the_attribute_compiled_and_not(tune: Tune) -> None:
    c = module(K=1)
    body = "out[0] = out[1] = p - 1\n    return getattr(c, 'K', 0) * hasattr(c, 'K') if p else 0"
    for c.K in (1, 2):
        for compile_from in (10**12, 0):
            tune(compile_from=compile_from, compile_again_from=compile_from)
            degrees = row_of(c, body).state_space().out_degrees()[:20].tolist()
            assert degrees == [0] + [c.K] * 19


@COMPILED
@pytest.mark.usefixtures("own_cache")
def test_getattr_of_a_module_without_the_attribute_cannot_be_compiled(tune: Tune) -> None:
    tune(compile_from=0, compile_again_from=0)
    with pytest.raises(rs.RulesError, match="module 'constants' has no attribute 'K'"):
        rs.solve(row_of(module(), "return getattr(c, 'K', 0)"))


@pytest.mark.long
@pytest.mark.usefixtures("own_cache")
def test_a_solution_is_refused_once_its_rules_have_changed() -> None:
    """Its kernels are those of the rules as they were; the uncompiled rules tell."""
    c = module(K=3)
    game = row_of(c, "out[0] = p - c.K\n    return 1 if p >= c.K else 0")
    first = rs.solve(game)
    rs.verify(first)
    c.K = 4
    with pytest.raises(rs.VerificationError):
        rs.verify(first)
    second = rs.solve(game)
    rs.verify(second)
    assert [str(s[12]) for s in (first, second)] == ["LOSS in 4", "WIN in 3"]


@pytest.mark.usefixtures("own_cache")
def test_rules_that_break_their_contract_once_they_have_changed() -> None:
    c = module(K=0)
    names: dict[str, object] = {"c": c}
    exec("def successors(p, out, data):\n    out[0] = p - 1\n    return 1 if p else 0", names)
    exec("def terminal(p, data):\n    return c.K", names)
    rules = {name: staticmethod(names[name]) for name in ("successors", "terminal")}
    solution = rs.solve(type("Row", (rs.CompiledGame,), {"max_moves": 1, "size": SIZE, **rules})())
    rs.verify(solution)
    c.K = 9
    with pytest.raises(rs.RulesError, match=r"Row.terminal\(\d+\) gave 9: expected NOT_TERMINAL"):
        rs.verify(solution)


@pytest.mark.usefixtures("own_cache")
def test_the_fields_of_named_tuples_in_data_count() -> None:
    def solved(fields: str) -> str:
        class Heap(rs.CompiledGame):
            max_moves, size = 1, SIZE
            data = namedtuple("Steps", fields)(3, 4)

            @staticmethod
            def successors(position, out, data):
                out[0] = position - data.a
                return 1 if position >= data.a else 0

        solution = rs.solve(Heap())
        digests.append(solution.space.kernels.digest())
        return str(solution[12])

    digests: list[str] = []
    assert [solved("a b"), solved("b a"), solved("a b")] == ["LOSS in 4", "WIN in 3", "LOSS in 4"]
    assert digests[0] == digests[2] != digests[1]


EDITED = """
import retrosolve as rs
import constants.deep
class Heap(rs.CompiledGame):
    max_moves, size = 1, 100_000
    @staticmethod
    def successors(position, out, data):
        out[0] = position
        return 1 if position % constants.deep.K else 0
print(Heap().state_space().out_degrees().sum())
"""


@pytest.mark.long
def test_a_module_edited_between_two_runs(tmp_path: Path) -> None:
    (tmp_path / "constants").mkdir()
    (tmp_path / "constants" / "__init__.py").write_text("")
    (tmp_path / "rules.py").write_text(EDITED)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    found = []
    for k in (3, 4):
        (tmp_path / "constants" / "deep.py").write_text(f"K = {k}\n")
        done = subprocess.run(
            [sys.executable, "rules.py"], cwd=tmp_path, env=environment, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        found.append(done.stdout.strip())
    assert found == ["66666", "75000"]
