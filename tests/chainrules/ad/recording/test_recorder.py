"""Running a program once to record it: everything is as before when that fails."""

import math
import sys

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.special

from chainrules.ad import grad, interception
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.recorder import IS_RECORDING, owner, record_program
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.tape import FailedError, NotRecordableError
from tests.chainrules.ad.recording.agreement import agrees

DATA = np.zeros(3)
TABLE = {"a": 1}
KEPT = [1]


def leaves_traces(x):
    """Writes everywhere, and is refused at last."""
    DATA[0] = 7.0
    TABLE["b"] = 2
    KEPT[0] = x
    return print(x)


def test_a_refused_program_leaves_nothing_behind():
    """What it wrote is put back, since it runs again."""
    with pytest.raises(NotRecordableError, match="print"):
        record_program(leaves_traces, (np.ones(2),), {})
    assert DATA[0] == 0.0
    assert TABLE == {"a": 1}
    assert KEPT == [1]
    assert sys.getprofile() is None
    assert not IS_RECORDING.get()


def test_a_refused_program_leaves_numpys_state_behind_as_it_was():
    """The end of a block is a call, of which nothing comes any more."""

    def f(x):
        try:
            with np.errstate(all="raise"):
                return x * int(x)
        except ValueError:
            return x

    state = np.geterr()
    with pytest.raises(NotRecordableError, match="not finite"):
        record_program(f, (np.nan,), {})
    assert np.geterr() == state


def test_programs_that_fail():
    """They may fail by themselves."""
    with pytest.raises(FailedError, match="ZeroDivisionError"):
        record_program(lambda x: x * (1 / 0), (np.ones(2),), {})


def test_recordings():
    """Steps, names and the result."""

    def f(x):
        square = x * x
        return np.sum(square)

    recording = record_program(f, (np.ones(2),), {})
    assert "square" in recording.names.values()
    assert owner(np.ones(4).reshape(2, 2)[0]).shape == (4,)


def constant(x):
    """An array that depends on nothing."""
    return np.ones(3) * 2.0 if x.size else x


WHOLE = {
    "constant": constant,
    "number": lambda x: math.sin(x[0]) + math.hypot(x[1], 2.0) + math.floor(x[2]) + math.fsum([x[0], 1.0]),
    "sums": lambda x: scipy.special.logsumexp(x) + scipy.special.softmax(x=x),
    "transform": lambda x: np.abs(scipy.fft.rfft(x)) ** 2 + scipy.fft.dct(x, norm="ortho")[:2],
    "factors": lambda x: (
        scipy.linalg.cholesky(np.outer(x, x) + 9.0 * np.eye(3)) * scipy.linalg.det(np.diag(x))
    ),
    "nothing": lambda x: scipy.fft.fft(np.ones(3)) + x,
    "solution": lambda x: scipy.linalg.solve(np.diag(x), x + np.ones(3)),
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", WHOLE.values(), ids=WHOLE)
def test_functions_that_ask_no_protocol(f):
    """Those of `math` and SciPy are called whole, with numbers and arrays."""
    x = np.array([0.5, -1.5, 2.0])
    agrees(f, [(x,), (x * 2.0,), (x + 1.0,)])


def test_writes_by_functions_that_are_called_whole():
    """Into arguments by position and by name."""

    def f(x):
        a = x * 1.0
        return scipy.linalg.cholesky(a=a, overwrite_a=True) + a

    with pytest.raises(NotRecordableError, match="writes into what it is given"):
        record_program(f, (np.asfortranarray([[2.0, 1.0], [1.0, 3.0]]),), {})


def test_uninitialized_arrays():
    """They hold zeros."""

    def f(x):
        y, z = np.empty(2), np.empty_like(x)
        y[0] = x[0]
        return y, z

    recording = record_program(f, (np.ones(2),), {})
    assert [y.tolist() for y in recording.tape.plain(recording.result)] == [[1.0, 0.0], [0.0, 0.0]]


def test_where_nothing_is_recorded():
    """Without interception, and beside a profiler."""
    with interception(False), pytest.raises(NotRecordableError, match="intercepted"):
        record_program(grad(np.sum), (np.ones(2),), {})
    sys.setprofile(lambda *_: None)
    try:
        with pytest.raises(NotRecordableError, match="profiler"):
            record_program(grad(np.sum), (np.ones(2),), {})
    finally:
        sys.setprofile(None)


def test_arguments_that_are_changed():
    """Items of a list that is given."""

    def f(xs):
        xs[0] = 2.0 * xs[0]
        return xs[0]

    with pytest.raises(NotRecordableError, match="it changes an argument"):
        record_program(f, ([1.0],), {})


class Talking:
    """NumPy asks for its iterator, and goes on after an error."""

    def __iter__(self):
        print("called")
        return iter([])


TALKING = Talking()


def test_refusals_that_are_swallowed(capsys):
    """They are remembered, and nothing has happened."""
    with pytest.raises(NotRecordableError, match="it calls `print`"):
        record_program(lambda x: x if np.iterable(TALKING) else -x, (1.0,), {})
    assert capsys.readouterr().out == ""


def test_interruptions():
    """They go through, and nothing stays as it was changed."""

    def f(x):
        KEPT[0] = x
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_program(f, (1.0,), {})
    assert KEPT == [1]


HALVED = np.frompyfunc(lambda x: x / 2, 1, 1)


@pytest.mark.parametrize("f", [lambda x: HALVED(x).astype(float), lambda x: np.exp(1000.0 * x) * 0.0])
def test_functions_that_operations_call_back(f):
    """Those of which ufuncs are made, and what NumPy tells of errors: nobody has looked into them."""
    told = []
    is_told = np.errstate(over="call", call=lambda *_: told.append(1))
    with is_told, pytest.raises(NotRecordableError, match="not looked into"):
        record_program(f, (np.ones(2),), {})
    assert not told


def test_imports(tmp_path, monkeypatch):
    """One that does not run is no obstacle; a first one happens once, and is recorded from then on."""
    (tmp_path / "module_of_a_branch.py").write_text("import sys\nsys.times_of_a_branch += 1\nfactor = 3.0\n")
    monkeypatch.setattr(sys, "times_of_a_branch", 0, raising=False)
    monkeypatch.syspath_prepend(tmp_path)

    def f(x):
        y = np.sum(x * x)
        if x[0] < 0.0:
            import module_of_a_branch  # noqa: PLC0415 - what is tested

            y = y * module_of_a_branch.factor
        return y

    c = compiled(f, strict=True)
    for x in (np.ones(2), np.full(2, 2.0)):
        assert c(x) == f(x)
    assert len(c.variants) == 1
    with pytest.raises(CompilationError, match="it imports `module_of_a_branch`"):
        c(-np.ones(2))
    assert sys.times_of_a_branch == 0
    for x in (-np.ones(2), np.ones(2), np.full(2, -2.0), np.ones(2)):
        f(x)
        assert compiled(f, strict=True)(x) == c(x) == f(x)
    assert sys.times_of_a_branch == 1
    monkeypatch.delitem(sys.modules, "module_of_a_branch")
