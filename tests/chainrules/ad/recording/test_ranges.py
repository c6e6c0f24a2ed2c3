"""Ranges of what programs compute, from those of values that are looked at."""

import numpy as np
import pytest

from chainrules.ad.recording.ranges import Ranges
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.written import Asked

X = np.array([0.5, -2.0, 3.0])


def ranges_of(f, *args):
    """The ranges of a program's results if all arguments are looked at, and that of the last one."""
    recording = record_program(f, args, {})
    steps = dict(enumerate(recording.tape.steps))
    written = {id(step.target._plain) for step in steps.values() if step.kind == "write"}

    def memory_of(x):
        plain = getattr(x, "_plain", x)
        owner = plain.base if isinstance(plain, np.ndarray) and plain.base is not None else plain
        return id(owner) if id(owner) in written else None

    ranges = Ranges(steps, lambda x: x._slot, memory_of, Asked().ask)
    assert len(ranges.cheapest(lambda slot: slot.kind == "argument", [steps], lambda _: 1.0)) == 1
    bounded = ranges.known(recording.inputs)
    return ranges, bounded, recording


def is_known(f, *args):
    """Whether the result of a program is bounded, if the arguments are."""
    ranges, _, recording = ranges_of(f, *args)
    return ranges.is_bounded(recording.result)


def in_place(x, dtype=float):
    """A filled array, of the largest numbers that were ever in it."""
    y = np.zeros(3, dtype)
    y[:] = x
    y[0] += 1.0
    np.add(y, x, out=y)
    return y * 1.0


def multiplied_in_place(x):
    """A filled array that is multiplied by something unknown."""
    y = np.zeros(3)
    np.multiply(y, np.arccosh(x), out=y)
    y[:] = x
    return y * 1.0


def in_single_precision(x):
    """An array of another precision, which is written into."""
    y = np.zeros(3, np.float32)
    y[:] = x
    return y * 1.0


def written_with_underflow(x):
    """An array that something unknown is written into, where NumPy warns of underflow."""
    y = np.zeros_like(x)
    with np.errstate(under="warn"):
        y[:] = np.arccosh(x)
    return y * 1.0


def opposites_at_two_times(x):
    """The root of a product of an array's opposites, between which it changes its sign."""
    y = x * 1.5
    before = -y
    y[:] = -x
    return np.sqrt(before * -y)


KNOWN = {
    "sums": lambda x: np.mean(np.cumsum(x)) + np.sum(x, axis=0),
    "shapes": lambda x: np.reshape(x, (3, 1)).T[0] * 1.0,
    "joined": lambda x: np.concatenate([x, np.stack([x, x])[0], np.where(x > 0.0, x, -x)]) * 1.0,
    "powers": lambda x: x**2 + x**3.0,
    "products": lambda x: np.outer(x, x) @ x,
    "whole numbers": lambda x: (x > 0.0) * x + np.argsort(x) * 2.0,
    "an item": lambda x: x[np.argmax(x)] * 1.0,
    "a difference of squares": lambda x: 1.0 / (1.0 + np.exp(-x * x)),
    "a logarithm": lambda x: np.log(np.sum(np.exp(x))),
    "filled": lambda x: np.full_like(x, 2.0) * np.ones_like(x) * np.zeros_like(x),
    "in place": in_place,
}
UNKNOWN = {
    "a function without a range": lambda x: np.arccosh(x * x + 1.0),
    "a quotient": lambda x: 1.0 / x,
    "a quotient by the smallest numbers": lambda x: x * x / 1e-310,
    "a root": lambda x: (x * x + 1.0) ** 0.5,
    "an exponent": lambda x: (x * x + 1.0) ** x[0],
    "an infinite constant": lambda x: x * np.array([1.0, np.inf, 2.0]),
    "a constant that is no number": lambda x: np.where(x < 100.0, x, np.nan) * 1.0,
    "the greatest of no number": lambda x: np.maximum(x, np.nan),
    "a product with a number": lambda x: np.log(np.dot(x * x + 1.0, 2.0) - 4.0),
    "opposites at two times": opposites_at_two_times,
    "the smallest numbers": lambda x: np.log(np.exp(x - 245.0)),
    "below the smallest numbers": lambda x: np.sqrt(np.exp(x - 1230.0) * -1e300),
    "written with underflow": written_with_underflow,
    "a large power": lambda x: (x * 1e30) ** 9 * 1e30,
    "options": lambda x: np.sum(x, where=np.array([True, False, True])),
    "positional": lambda x: np.sum(x, 0, None),
    "three operands": lambda x: np.clip(x, 0.0, 1.0),
    "another precision": lambda x: x.astype(np.float32) * np.float32(2.0),
    "multiplied in place": multiplied_in_place,
    "written in single precision": in_single_precision,
}


SINGLE_KNOWN = {
    "sums": lambda x: np.mean(np.cumsum(x)) + np.sum(x, axis=0),
    "products": lambda x: np.outer(x, x) @ x,
    "an exponential": lambda x: 1.0 / (1.0 + np.exp(-x * x)),
    "a quotient": lambda x: 1.0 / np.exp(x),
    "a number of bytes": lambda x: x * np.arange(3, dtype=np.int8),
}
SINGLE_UNKNOWN = {
    "a large power": lambda x: (x * x * x) ** 7,
    "a mean whose sum overflows": lambda x: np.mean(x**2 * 1e32 * np.ones((3000, 1), np.float32)),
    "a number that overflows": lambda x: np.minimum(x, 1e39),
    "a number that is rounded to zero": lambda x: 1.0 / (x * x + 1e-50),
    "the smallest numbers": lambda x: np.log(np.exp(x - 10.0)),
    "a difference from what is rounded": lambda x: np.log(80.0000001 - x),
    "in place": lambda x: in_place(x, np.float32),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", KNOWN)
def test_known(name):
    """They follow from those of the arguments."""
    assert is_known(KNOWN[name], X)


@pytest.mark.every_case
@pytest.mark.parametrize("name", [*SINGLE_KNOWN, *SINGLE_UNKNOWN])
def test_single_precision(name):
    """Its largest number and its smallest one are others, and constants and results are rounded to it."""
    f = SINGLE_KNOWN.get(name) or SINGLE_UNKNOWN[name]
    with np.errstate(all="ignore"):
        assert is_known(f, X.astype(np.float32)) == (name in SINGLE_KNOWN)


@pytest.mark.every_case
@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown(name):
    """Such a result may be anything."""
    with np.errstate(all="ignore"):
        assert not is_known(UNKNOWN[name], X)


def test_what_may_fail():
    """A position may lie outside, whatever the numbers are."""
    _, bounded, recording = ranges_of(lambda x: x[np.argmax(x)] * 2.0, X)
    items = [i for i, step in enumerate(recording.tape.steps) if step.f.__name__ == "getitem"]
    assert items
    assert not bounded.intersection(items)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.cumsum(x),
        lambda x: -np.cumsum(-x),
        lambda x: np.mean(x),
        lambda x: np.concatenate(x, 0),
        lambda x: np.where([[True], [False]], x, 7.0),
        lambda x: np.dot(0.1, x),
        lambda x: np.outer(x, x),
        lambda x: np.sum(x, axis=1) + np.dot(x, x[0]),
        lambda x: x[0][np.array([1, 0])],
        lambda x: np.stack([x, 2.0 * x]),
    ],
)
def test_bounds(f):
    """They are around the result, of positive numbers too."""
    ranges, _, recording = ranges_of(lambda x: f(x * x + 0.1), np.array([[0.5, -2.0], [3.0, 0.1]]))
    low, high = ranges._known[recording.result._slot]
    y = recording.result._plain
    assert low <= np.min(y)
    assert np.max(y) <= high
    assert low >= 0.0


def test_zero():
    """What is positive is not zero; other numbers, and what is no number, may be."""
    ranges, _, recording = ranges_of(lambda x: (np.exp(x), x, -np.exp(x)), 1.0)
    assert [*map(ranges.is_off_zero, (*recording.result, None))] == [True, False, True, False]


def test_looks():
    """They stand behind what they look at, or in front of all."""
    ranges, _, recording = ranges_of(lambda x, y: x + y, X, X + 50.0)
    looks = ranges.looks(recording.inputs)
    assert {number: step.value for number, step in looks.items()} == {-1: 500.0, -2: 1e30}
    assert ranges.number(recording.result) == 0
    assert ranges.number(recording.inputs[0]) is None


def test_the_cheapest():
    """A sum of two arrays is looked at in their place; an empty array, and an infinite one, cannot be."""
    recording = record_program(lambda x, y: (x + y) * 2.0, (X, X + 1.0), {})
    steps = dict(enumerate(recording.tape.steps))
    ranges = Ranges(steps, lambda x: x._slot, lambda x: None, Asked().ask)
    (x,), nothing = ranges.cheapest(lambda slot: True, [steps, ()], lambda _: 1.0)
    assert not nothing
    assert x._slot == Slot("step", 0)
    for y in (np.array([]), np.array([np.inf])):
        recording = record_program(lambda x: x * 2.0, (y,), {})
        steps = dict(enumerate(recording.tape.steps))
        ranges = Ranges(steps, lambda x: x._slot, lambda x: None, Asked().ask)
        assert ranges.cheapest(lambda _: True, [steps], lambda _: 1.0) == [[]]


def test_many_together():
    """Of a result that depends on too many values, nothing is assumed."""
    arrays = [X + i for i in range(20)]

    def f(*arrays):
        return sum(arrays[1:], arrays[0])

    recording = record_program(f, tuple(arrays), {})
    steps = dict(enumerate(recording.tape.steps))
    ranges = Ranges(steps, lambda x: x._slot, lambda x: None, Asked().ask)
    assert [*map(len, ranges.cheapest(lambda x: x.kind == "argument", [steps], lambda _: 1.0))] == [16]


def test_products_with_lists():
    """They are recorded; nothing is known of them."""
    assert not is_known(lambda x: np.dot(np.outer(x, x)[:, :2], [x, 2.0 * x]), X)
