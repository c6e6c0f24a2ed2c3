"""The signature of a call."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest

from chainrules.ad import CompilationError, CompilationWarning, compiled, grad, value_and_grad, vectorized
from chainrules.ad.recording.signature import (
    UnknownArgumentError,
    described,
    is_record,
    leaves_of,
    objects_in,
    repeated,
    with_leaves,
)

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case


def signature(x):
    """Of one argument."""
    return leaves_of(x, [])


@pytest.mark.parametrize(
    ("x", "y", "same"),
    [
        (1.0, 2.0, True),
        (1.0, np.float64(1.0), False),
        (1, 2, False),
        (True, 1, False),
        ("a", "b", False),
        (np.ones(2), np.zeros(2), True),
        (np.ones(2), np.ones(3), False),
        (np.ones(2), np.ones(4)[::2], False),
        (np.ones(2), np.ones(2, np.float32), False),
        ([1.0], (1.0,), False),
        ({"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 2.0}, False),
        ({"a": [np.ones(2)]}, {"a": [np.zeros(2)]}, True),
        (np.int64(1), 1, False),
    ],
)
def test_what_is_part_of_it(x, y, same):
    """Structure, kinds of numbers and arrays, and the values of everything else."""
    assert (signature(x) == signature(y)) is same
    hash(signature(x))


@pytest.mark.parametrize(
    "x", [object(), np.array(["a"]), np.ones(2).astype(">f8"), {1.5: 2}, {1, 2}, np.ma.ones(2)]
)
def test_unknown_arguments(x):
    """They are refused."""
    with pytest.raises(UnknownArgumentError):
        signature(x)


def test_leaves():
    """They are taken out and put back in one order."""
    x = np.ones(2)
    given = {"a": [x, 1], "b": (2.0, x)}
    leaves = []
    leaves_of(given, leaves)
    assert len(leaves) == 3
    assert repeated(leaves) == (0, 1, 0)
    assert with_leaves(given, iter("xyz")) == {"a": ["x", 1], "b": ("y", "z")}


def test_objects_are_known_by_identity():
    """Functions, classes, the user's objects; a bound method by its object, as it is made at each look."""

    class Model:
        def loss(self, x):
            return x

    model, other = Model(), Model()
    first, second = (leaves_of([model, np.sin, Model, model.loss], []) for _ in range(2))
    assert first == second
    for a, b in ((model, other), (model.loss, other.loss), (np.sin, np.cos), (Model.loss, lambda x: x)):
        assert leaves_of(a, []) != leaves_of(b, [])
    assert [*objects_in(({"m": model}, [1.0, np.ones(2), "a", None], np.sin))] == [model, np.sin]
    with pytest.raises(UnknownArgumentError, match="an instance of MaskedArray"):
        leaves_of(np.ma.array([1.0]), [])


def test_description():
    """Arrays by dtype and shape, numbers by class, all else as it is; long text is cut."""
    x = {"w": [np.ones((2, 3), np.float32), 1.0], "n": (3, None, np.float32(1.0))}, "text", "x" * 80
    assert described(x) == "({'w': [float32[2, 3], float], 'n': (3, None, float32)}, 'text', <str>)"


def test_broadcast_arrays():
    """They can be written into, but warn where anybody asks for that."""
    (x, _) = np.broadcast_arrays(np.arange(3.0), np.zeros((2, 3)))
    gradient = compiled(grad(lambda x: np.sum(np.sin(x))))
    for _ in range(3):
        np.testing.assert_array_equal(gradient(x), np.cos(x))


# --- Dataclasses --------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Line:
    """Parameters, with what is read of the class and a method."""

    slope: np.ndarray
    offset: float
    power: int = 2
    scale: ClassVar[float] = 1.0

    def at(self, x):
        """The line."""
        return (np.sum(self.slope * x) + self.offset) * self.scale


@dataclasses.dataclass(frozen=True)
class Fit:
    """Parameters in parameters."""

    line: Line
    weights: list
    name: str = "fit"


def line_loss(line, x=2.0):
    """Of numbers and a whole number in fields."""
    return line.at(x) ** line.power


def fitted(fit, x=2.0):
    """Of fields of fields."""
    return fit.line.at(x) * fit.weights[0] + np.sum(fit.weights[1] ** 2)


def lines():
    """New ones at each call."""
    return Line(np.array([1.0, -2.0]), 0.5), Line(np.array([0.3, 4.0]), -2.0), Line(np.ones(2), 1.0, 3)


def test_dataclasses_are_containers():
    """Of the numbers in their fields: a new one is no reason to record again, other whole numbers are."""
    c = compiled(grad(line_loss), strict=True)
    for line in (*lines(), *lines()):
        y, plain = c(line), grad(line_loss)(line)
        assert type(y) is type(plain)
        np.testing.assert_array_equal(y.slope, plain.slope)
        assert y.offset == plain.offset
    assert [variant.calls for variant in c.variants] == [3, 1]
    assert c.variants[0].signature == "line: Line(slope: float64[2], offset: float, power: 2)"

    fits = [Fit(line, [3.0, np.ones(2)]) for line in lines()[:2]]
    d = compiled(value_and_grad(fitted), strict=True)
    for fit in (*fits, *fits):
        (y, y_bar), (plain, plain_bar) = d(fit), value_and_grad(fitted)(fit)
        assert y == plain
        np.testing.assert_array_equal(y_bar.line.slope, plain_bar.line.slope)
        np.testing.assert_array_equal(y_bar.weights[1], plain_bar.weights[1])
    assert len(d.variants) == 1


def test_a_step_from_dataclass_to_dataclass():
    """A result may be one, which is made as it was left."""

    def step(line):
        slope = grad(line_loss)(line)
        return Line(line.slope - 0.1 * slope.slope, line.offset - 0.1 * slope.offset, line.power)

    c = compiled(step, strict=True)
    one = other = dataclasses.replace(lines()[0], offset=np.float64(0.5))
    for _ in range(5):
        one, other = c(one), step(other)
        assert type(one) is Line
        np.testing.assert_array_equal(one.slope, other.slope)
        assert (one.offset, one.power) == (other.offset, other.power)
    assert [variant.calls for variant in c.variants] == [4]


def test_classes_of_dataclasses(monkeypatch):
    """What their methods read is compared."""
    c, (line, *_) = compiled(line_loss, strict=True), lines()
    for _ in range(2):
        assert c(line) == line_loss(line)
    monkeypatch.setattr(Line, "scale", 3.0)
    assert c(line) == line_loss(line)
    monkeypatch.setattr(Line, "at", lambda self, x: self.offset)
    assert c(line) == line_loss(line)
    line.offset = 7.0
    assert c(line) == line_loss(line)
    line.other = 1.0  # it is more than its fields
    assert c(line) == line_loss(line)


def test_dataclasses_that_are_no_containers():
    """They are known by their identity, and their attributes are compared."""

    @dataclasses.dataclass(slots=True)
    class Slotted:
        offset: float

    @dataclasses.dataclass
    class Holding:
        offset: float
        other: object

    for other in (object(), np.array(["a"]), np.ones(1, object), {"a": object()}, Slotted(1.0)):
        assert not is_record(Holding(2.0, other))
    assert not is_record(Slotted(2.0))
    assert is_record(Holding(2.0, lines()))
    slotted = Slotted(2.0)
    c = compiled(lambda s, x: s.offset * x, strict=True)
    assert c(slotted, 3.0) == 6.0
    slotted.offset = 5.0
    assert c(slotted, 3.0) == 15.0


def test_arguments_that_are_changed():
    """Fields of a dataclass, too."""

    def changing(line):
        line.offset = 2.0 * line.offset
        return line_loss(line)

    c, (line, *_) = compiled(changing), lines()
    with pytest.warns(CompilationWarning, match="it changes an argument"):
        y = c(line)
    assert line.offset == 1.0
    assert y == line_loss(line)


@pytest.mark.parametrize("make", [lambda: [1.0], lambda: {0: 1.0}, lambda: lines()[0]])
def test_containers_that_are_the_same(make):
    """Programs ask whether they are, and write into them."""

    def f(a, b):
        return 2.0 if a is b else 1.0

    c = compiled(f, strict=True, compare=False)
    for _ in range(2):
        x, y = make(), make()
        assert c(x, y) == 1.0
        assert c(x, x) == 2.0
        assert c((x, y), (x, y)) == 1.0
    g = compiled(lambda a, b, d: 3.0 if a is d else f(a, b), strict=True, compare=False)
    for _ in range(2):
        x, y, z = make(), make(), make()
        assert (g(x, y, z), g(x, x, y), g(x, y, x)) == (1.0, 2.0, 3.0)


def test_memory_of_dataclasses():
    """Arrays in fields may be donated; others are not written into."""
    step = compiled(lambda line: line.slope * 2.0 + 1.0, donate=True, strict=True)
    for _ in range(3):
        slope = np.arange(200_000.0)
        np.testing.assert_array_equal(step(Line(slope.copy(), 1.0)), slope * 2.0 + 1.0)
        shared = np.arange(400_000.0)
        step(Line(shared[:200_000], 1.0))
        np.testing.assert_array_equal(shared, np.arange(400_000.0))
    kept = compiled(lambda line: line.slope * 2.0 + 1.0, strict=True)
    slope = np.arange(200_000.0)
    kept(Line(slope, 1.0))
    np.testing.assert_array_equal(slope, np.arange(200_000.0))


def test_dataclasses_elsewhere(tmp_path):
    """Modules of their own take none, and batches none."""
    line = lines()[0]
    with pytest.raises(CompilationError):
        compiled(line_loss).save(tmp_path / "line.py", line)
    with pytest.raises((CompilationError, TypeError)):
        vectorized(lambda line: line_loss(line))(Line(np.ones((3, 2)), 1.0))
