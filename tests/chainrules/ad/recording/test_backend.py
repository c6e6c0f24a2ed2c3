"""Calls of primitives with recorded values."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, jvp, vectorized
from chainrules.ad.recording.backend import RecordingBackend
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.recorded import Recorded, is_recorded, record
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Tape
from chainrules.operations.scatter import scatter
from chainrules.operations.writing import written
from chainrules_core import contains_nan, primitive, rrule
from tests.chainrules.ad.recording.agreement import agrees


def test_they_are_written_down_whole():
    """One line for one call; what is scattered is written into zeros."""
    tape = Tape(record, Recorded)
    x = tape.recorded(np.ones(2), Slot("argument", 0))
    y = written(x, 2.0, 0)
    assert is_recorded(y)
    assert [step.kind for step in tape.steps] == ["operation", "kind"]
    assert is_recorded(scatter(x, np.zeros(3), slice(0, 2)))
    assert [step.kind for step in tape.steps][2:] == ["operation", "write"]
    z = RecordingBackend().call(np.stack, ([x, x],), {"axis": 1})
    assert z.shape == (2, 2)
    assert RecordingBackend().primal(x) is x._plain


@pytest.mark.parametrize("value", [2.0, 0.0, np.nan, np.array([1.0, np.nan]), np.ones(2), 1j])
def test_what_rules_ask_most_is_one_step(value):
    """Whether a value holds a NaN, and whether a number is zero."""
    tape = Tape(record, Recorded)
    x = tape.recorded(value, Slot("argument", 0))
    assert contains_nan(x) is bool(np.any(value != value))  # noqa: PLR0124 - NaN alone is not itself
    assert [(step.kind, step.value) for step in tape.steps] == [("no NaN", contains_nan(value))]
    if not isinstance(value, np.ndarray):
        rrule(np.sin, value)[1](x)
        [decided] = [step.value for step in tape.steps if step.kind == "not zero"]
        assert decided is bool(value == 0)


def over_ratio(x):
    """Its cotangents may be zero, and its products undefined."""
    with np.errstate(all="ignore"):
        return np.sin(np.sin(x[0] * 3.0)) * x[1] / x[2]


@pytest.mark.parametrize("first", [(1.0, 2.0, 3.0), (1.0, 0.0, 3.0), (np.nan, 1.0, 2.0), (1.0, np.inf, 1.0)])
def test_programs_decide_as_rules_did(first):
    """Whichever numbers they are recorded for."""
    others = [(1.0, 2.0, 3.0), (2.0, 0.0, 3.0), (1.0, 1.0, 0.0), (np.nan, 1.0, 2.0), (0.5, np.inf, 1.0)]
    points = [(np.array(x),) for x in (first, *others)]
    agrees(grad(over_ratio), points)
    agrees(lambda x: jvp(over_ratio, (x,), (x,)), points)
    agrees(hessian(over_ratio), points)


def test_items_decide_as_rules_did():
    """Where some have a zero or a NaN, each group of items runs for itself."""
    rows = np.array([(1.0, 2.0, 3.0), (1.0, 0.0, 3.0), (np.nan, 1.0, 2.0), (0.5, 1.0, 4.0)])
    found = vectorized(grad(over_ratio))(rows)
    assert np.allclose(found, [grad(over_ratio)(x) for x in rows], equal_nan=True)


class Scaled:
    """Makes others of its class."""

    factor = 3.0

    def __init__(self, x):
        self.x = x

    def twice(self):
        """One of the same class."""
        return self.__class__(self.x * 2.0)

    def total(self):
        """Reads an attribute of the class."""
        return np.sum(self.x) * self.__class__.factor


class ScaledAgain(Scaled):
    """With another factor."""

    factor = 4.0


def test_classes_of_objects(monkeypatch):
    """They are read; what they hold is compared."""
    g = grad(lambda x: Scaled(x).twice().total() + ScaledAgain(x).twice().total())
    c, x = compiled(g, strict=True), np.arange(3.0)
    for factor in (4.0, -1.0):
        monkeypatch.setattr(ScaledAgain, "factor", factor)
        np.testing.assert_array_equal(c(x), g(x))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(x) * (2.0 if x.__class__ is np.ndarray else 3.0),
        lambda x: np.sum(x) * (2.0 if type(x) is np.ndarray else 3.0),
        lambda x: (x[0] * 2.0).__class__(3.0) * np.sum(x),
        lambda x: type(x[0] * 2.0)(3.0) * np.sum(x),
        lambda x: np.sum(x) * (2.0 if type(x.tolist()[0] ** 0.5) is complex else 3.0),
        lambda x: np.sum(x) * (2.0 if type([x[0]]) is list else 3.0),
    ],
)
def test_classes_of_values(f):
    """They follow from the signature, or are compared."""
    points = [(np.array([2.0, 3.0, 1.0]),), (np.array([-2.0, 3.0, 1.0]),)]
    agrees(f, points)
    agrees(f, points[::-1])
    agrees(grad(f), points)


def test_what_has_to_do_with_classes():
    """A recorded value is of no such class, and a program that makes classes has new ones at each call."""
    for f, reason in (
        (lambda x: np.sum(x) * (getattr(x, "__class__") is np.ndarray), "__class__"),  # noqa: B009 - as above
        (lambda x: np.sum(x) * type("A", (), {"a": 2.0}).a, "makes a class"),
    ):
        for g in (f, grad(f)):
            with pytest.raises(CompilationError, match=reason):
                compiled(g, strict=True)(np.ones(3))


def test_primitives_of_what_is_not_recorded():
    """They are looked into as functions are: what they read is compared."""
    scale = 2.0
    f = primitive(lambda x: x * scale)
    c = agrees(lambda x: x * f(np.ones(3)), [(np.ones(3),), (np.arange(3.0),)])
    scale = 5.0
    np.testing.assert_array_equal(c(np.ones(3)), 5.0 * np.ones(3))
