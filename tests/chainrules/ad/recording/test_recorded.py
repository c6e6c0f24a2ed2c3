"""Recorded values: what they say they are, and that nothing is read in silence."""

import copy
import itertools
import json
import math
import operator
import pickle

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.backend import RecordingBackend
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.recorded import Recorded, holds_recorded, record
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import NotRecordableError, Tape
from chainrules_core import primal_of, zero_tangent
from chainrules_core.speed import value_for_dispatch
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


def recorded(plain):
    """A recorded value that stands for a plain one."""
    return Tape(record, Recorded).recorded(plain, Slot("argument", 0))


@pytest.mark.parametrize(
    "plains",
    list(itertools.permutations([np.ones(2), 1.5, True])),
    ids=repr,
)
def test_zeros_of_several_kinds(plains):
    """One type stands for values of all types: none is taken for the one before."""
    zero_tangent.clear_cache()  # as in a new process

    for plain in plains:
        assert type(zero_tangent(recorded(plain))) is type(zero_tangent(plain))


@pytest.mark.parametrize(
    "plain", [np.ones(2), 1.5, np.float64(1.5), np.float32(1.5), 1j, 3, True, np.bool_(True)], ids=repr
)
def test_the_two_questions(plain):
    """`primal_of` stops at it; for dispatch it is what it stands for, and by `isinstance` too."""
    x = recorded(plain)
    assert primal_of(x) is x
    assert value_for_dispatch(x) is plain
    assert isinstance(x, type(plain))
    assert type(x) is Recorded
    assert zero_tangent(x).__class__ is zero_tangent(plain).__class__
    assert holds_recorded([1, {"a": (x,)}])
    assert not holds_recorded([1, plain])


@pytest.mark.parametrize(
    "read",
    [
        np.asarray,
        float,
        complex,
        str,
        repr,
        "{}".format,
        math.sin,
        pickle.dumps,
        lambda x: np.fromiter(x, float),
        lambda x: np.zeros(1).__setitem__(0, x),
        lambda x: hash(x),
        lambda x: x.tobytes(),
        lambda x: x.data,
        lambda x: np.add(1.0, 2.0, out=np.zeros(())).__iadd__(x),
        memoryview,
    ],
)
@pytest.mark.parametrize("plain", [np.array([0.5]), 0.5, np.float64(0.5)])
def test_nothing_is_read_in_silence(plain, read):
    """Code that is not recorded gets no values, and the tape remembers it, or Python refuses."""
    x = recorded(plain)
    with pytest.raises((NotRecordableError, TypeError, ValueError, AttributeError)) as caught:
        read(x)
    by_python = isinstance(caught.value, TypeError | AttributeError)
    assert x._tape.refusal is not None or by_python


def test_decisions_are_guards():
    """Truth, whole numbers, and the elements of arrays of these."""
    x = recorded(np.array([3, 4]))
    assert x[0] == 3
    assert [10, 11, 12, 13][x[0]] == 13
    assert int(x[1]) == 4
    assert list(np.asarray(x)) == [3, 4]
    assert {3: "a"}[x[0]] == "a"
    kinds = [step.kind for step in x._tape.steps if step.kind != "operation"]
    assert kinds == ["truth", "number", "number", "elements", "number", "truth"]


def test_views_know_their_owner():
    """`base` is the recorded array, since the engine asks which array a view is of."""
    x = recorded(np.arange(6.0))
    assert x.reshape(2, 3).base is x
    assert x[1:].base is x
    assert x.base is None
    assert not hasattr(recorded(1.5), "base")
    hidden = np.arange(6.0)
    view = recorded(hidden[1:])
    with pytest.raises(NotRecordableError, match="not recorded"):
        view.base + 1.0


def test_copies_and_writes():
    """Copies are operations, and writes steps of their own; into a plain array nothing is written."""
    x = recorded(np.arange(3.0))
    y = copy.deepcopy(x)
    y[0] = 5.0
    y += x
    np.add.at(y, [0, 0], 1.0)
    assert [step.kind for step in x._tape.steps] == ["operation", "write", "write", "write"]
    np.testing.assert_array_equal(y._plain, [7.0, 2.0, 4.0])
    with pytest.raises(NotRecordableError, match="not recorded"):
        np.add(x, 1.0, out=np.zeros(3))


def test_refused_by_code_in_c():
    """It is no float to code that asks for one by its type."""
    with pytest.raises((TypeError, NotRecordableError)):
        json.dumps(recorded(0.5))


def test_a_hidden_value():
    """A backend that finds none among the arguments refuses."""
    with pytest.raises(NotRecordableError, match="hidden"):
        RecordingBackend().call(np.sum, (object(),), {})


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: x + Slot, "a value meets an instance of type"),
        (lambda x: np.modf(x, out=(x, x)), "modf writes into several arrays"),
        (lambda x: x[_traced()], "read at a traced position"),
        (lambda x: x.__setitem__(0, _traced()), "a traced value is written into an array that is not"),
        (lambda x: x.dot(_traced()), "the method `dot` of a recorded array is given a traced value"),
        (lambda x: x.ctypes, "`ctypes` of an array is read"),
    ],
)
def test_uses_that_are_refused(use, message):
    """The message says which."""
    x = recorded(np.arange(3.0))
    with pytest.raises(NotRecordableError, match=message):
        use(x)


def _traced():
    """A value that is differentiated by."""
    values = []
    grad(lambda x: values.append(x) or np.sum(x))(np.ones(3))
    return values[0]


def test_questions_and_parts_are_operations():
    """Of numbers too; each is a step, or a guard behind one."""
    x, y = recorded(np.array([1.0, 2.5])), recorded(np.float64(2.5))
    z = recorded(np.array([1.0 + 2.0j]))
    assert 2.5 in x
    assert 3.0 not in x
    assert round(y, 1)._plain == 2.5
    assert copy.copy(x)._plain.tolist() == [1.0, 2.5]
    assert (z.real._plain, z.imag._plain, x.T._plain[0]) == (1.0, 2.0, 1.0)
    assert y.base is None
    out = x * 0.0
    assert np.sum(np.stack([x, x]), axis=0, out=out) is out
    assert out._plain.tolist() == [2.0, 5.0]
    kinds = [step.kind for step in x._tape.steps]
    assert kinds.count("truth") == 2
    assert kinds[-1] == "write"


def is_true(x):
    """Asks for the very flag."""
    large = x > 1.0
    return x * 2.0 if large is True else x * 3.0


def is_no_flag(x):
    """The same of the other one."""
    return x * 2.0 if (x > 1.0) is not False else x * 3.0


def matches_flags(x):
    """The same by patterns."""
    match x > 1.0:
        case True:
            return x * 2.0
        case _:
            return x * 3.0


def asks_a_function(x):
    """A function that is handed the flag, which was made before."""
    return x * 2.0 if _is_true(x > 1.0) else x * 3.0


def _is_true(flag):
    return flag is True


def is_that_of_a_variable(x):
    """A name holds the flag that is asked for."""
    yes = True
    return x * 2.0 if (x > 1.0) is yes else x * 3.0


def is_numpys(x):
    """NumPy has two of its own."""
    return x * 2.0 if (np.float64(1.0) * x > 1.0) is np.True_ else x * 3.0


def is_by_functions(x):
    """The functions of `operator`, the second one called by Python."""
    other = sum(map(operator.is_not, [x > 1.0], [True]))
    return x * 2.0 if operator.is_(x > 1.0, True) else x * other


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize(
    "f",
    [is_true, is_no_flag, matches_flags, asks_a_function, is_that_of_a_variable, is_numpys, is_by_functions],
)
def test_the_very_flags(f, first):
    """They are decided by where a program asks for them, since no recorded value is one."""
    points = [(1.5,), (0.5,), (2.0,)]
    agrees(f, points[first:] + points[:first])


def test_flags_that_were_made_before():
    """They are recorded already."""

    def f(x):
        return is_flag(x > 1.0) * x

    def is_flag(flag):
        match flag:
            case True:
                return 2.0
        return 3.0

    with pytest.raises(CompilationError, match="which of Python's flags"):
        compiled(f, strict=True)(1.5)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: float(x) * y + (1.0 if float(x) is x else 2.0),
        lambda x, y: abs(complex(x, y)),
        lambda x, y: float(np.float64(x)) * np.float64(y),
        lambda x, y: np.float32(x) * np.float16(y),
        lambda x, y: float(np.array([x, y]).sum()) ** 2,
        lambda x, y: float(x > y) * y + np.bool_(x > y) * x,
        lambda x, y: np.asarray(float(x)) * y,
        lambda x, y: np.sum(np.arange(int(y), 7.0)) * x + np.sum(np.arange(np.int64(y) + 1)),
        lambda x, y: np.sum(np.arange(x, y, 0.25)) * x,
        lambda x, y: math.copysign(x, y) * math.erf(x),
        lambda x, y: float(np.array([x, y])) if x > 1.0 else y,
    ],
)
def test_conversions_of_numbers(f):
    """They are operations; a whole number that is read by C code is a decision."""
    points = [(1.3, 2.0), (-0.3, 4.0), (0.5, -0.0)]
    for p in (points, points[::-1]):
        agrees(f, p)
        agrees(grad(f, (0, 1)), p)


def test_comparisons_with_nothing():
    """A number is not `None`."""
    tape = Tape(record, Recorded)
    x = tape.recorded(np.int64(1), Slot("argument", 0))
    assert (x == None, x != None) == (False, True)  # noqa: E711 - what is tested
    assert not tape.steps


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.interp(x[0], np.cumsum(x**2), x) + np.sum(np.interp(x, np.cumsum(x**2), x)),
        lambda x: np.median(x) * np.quantile(x, 0.3) + np.nanmedian(x),
        lambda x: np.sum(np.delete(x, np.argmax(x)) ** 2) + np.sum(np.compress(x > 0.5, x)),
        lambda x: np.nanmax(np.append(x**2, np.nan)) * np.nanstd(x),
        lambda x: np.sum(np.array(x[0]) * x) + np.sum(np.asarray(float(x[1])) * x),
    ],
)
def test_rules_that_compute_with_places(f):
    """Which elements they pick are recorded operations."""
    points = [(np.array(x),) for x in ([0.3, -1.2, 2.5, 0.9], [5.0, 4.0, 3.0, 2.0], [-0.3, 1.0, 2.2, 5.0])]
    for p in (points, points[::-1]):
        agrees(f, p)
        agrees(grad(f), p)
