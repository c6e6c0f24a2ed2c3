"""Results that are named tuples of the user's, or tangents of objects, and named tuples as arguments."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root_scalar

from chainrules.ad import grad, value_and_grad, vectorized
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from chainrules_core import Tangent
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([0.3, -1.2])


class Point(NamedTuple):
    """Parts with names, and a method."""

    x: float
    y: np.ndarray

    def squared(self):
        """Read from the class."""
        return self.x * self.x + np.sum(self.y * self.y)


@dataclasses.dataclass
class Spring:
    """An object with fields."""

    stiffness: float
    rest: np.ndarray

    def energy(self, x):
        """Of all elements."""
        return 0.5 * self.stiffness * np.sum((x - self.rest) ** 2)


class Chain:
    """An object that holds others."""

    def __init__(self):
        self.springs = [Spring(2.0, np.zeros(2)), Spring(3.0, np.ones(2))]

    def energy(self, x):
        """The sum."""
        return sum(spring.energy(x) for spring in self.springs)


def same(y, plain):
    """Whether tangents, containers and numbers are the same, with their classes."""
    assert type(y) is type(plain)
    if isinstance(plain, np.ndarray | float):
        np.testing.assert_allclose(y, plain, rtol=1e-12)
    elif isinstance(plain, dict | tuple | list):
        keys = plain if isinstance(plain, dict) else range(len(plain))
        assert len(y) == len(plain)
        for key in keys:
            same(y[key], plain[key])
    elif hasattr(plain, "__tangent_backing__"):
        assert y.keys() == plain.keys()
        for key in plain.keys():  # noqa: SIM118 - a tangent goes over its values
            same(y[key], plain[key])


def test_gradients_by_objects():
    """They are compared with what the object is now, also in the results of later calls."""
    chain = Chain()
    for f in (grad(lambda m, x: m.energy(x)), value_and_grad(lambda m, x: m.energy(x), argnums=(0, 1))):
        c = compiled(f, strict=True)
        for change in (
            lambda: None,
            lambda: np.copyto(chain.springs[0].rest, X),
            chain.springs.reverse,
        ):
            change()
            for x in (X, 2.0 * X, X):
                same(c(chain, x), f(chain, x))
        assert any(variant.calls for variant in c.variants)


def test_arrays_belong_to_the_caller():
    """What is done with a result changes neither the program nor another result."""
    spring = Spring(2.0, np.zeros(2))
    c = compiled(grad(lambda m, x: m.energy(x) + np.sum(m.rest)), strict=True)
    first = [c(spring, X).rest.copy() for _ in range(3)]
    c(spring, X).rest[:] = 7.0
    np.testing.assert_array_equal(c(spring, X).rest, first[0])
    f = compiled(lambda x: (Point(1.0, x), [Point(2.0, x)]), strict=True)
    for _ in range(3):
        y, [z] = f(X)
        assert type(y) is type(z) is Point
        assert not any(np.may_share_memory(a, b) for a, b in ((y.y, X), (z.y, X), (y.y, z.y)))


def test_named_tuples_as_arguments():
    """They have the numbers in them for arguments, in a tuple of their class."""
    f = grad(lambda p: p.squared() * (2.0 if p.x > 0.0 else 3.0))
    c = compiled(f, strict=True)
    for x in (1.0, -1.0, 2.0, -2.0):
        same(c(Point(x, x * X)), f(Point(x, x * X)))
    assert [variant.calls for variant in c.variants] == [2, 2] or len(c.variants) == 2
    with pytest.raises(AttributeError):
        c((1.0, X))


def test_changed_class_of_a_named_tuple(monkeypatch):
    """Its methods are compared."""
    f = grad(lambda p: p.squared())
    c = compiled(f, strict=True)
    p = Point(2.0, X)
    same(c(p), f(p))
    monkeypatch.setattr(Point, "squared", lambda self: 5.0 * self.x)
    for _ in range(2):
        same(c(p), f(p))


def test_where_there_is_no_text_or_no_item(tmp_path):
    """Saved programs return built-in containers alone, and so do those for many items."""
    f = grad(lambda p: p.squared())
    with pytest.raises(CompilationError, match="a result that is a named tuple, or the tangent of an object"):
        compiled(f).save(tmp_path / "program.py", Point(2.0, X))
    with pytest.raises(CompilationError, match="it returns a named tuple, or the tangent of an object"):
        vectorized(lambda x: Point(1.0, x))(np.ones((3, 2)))


def test_tangents_that_a_program_makes():
    """They are results as those of gradients are."""
    c = compiled(lambda x: Tangent[complex](real=x[0], imag=2.0 * x[1]), strict=True)
    for x in (X, 3.0 * X):
        assert c(x) == Tangent[complex](real=x[0], imag=2.0 * x[1])


class Pair(NamedTuple):
    """The parts of a point by other names."""

    a: float
    b: np.ndarray


def test_programs_that_differ_in_classes_alone():
    """The text of one is not that of another, though both put the same values into containers."""
    c = compiled(lambda x, cls: cls(2.0, x * x), strict=True, compare=False)
    for cls in (Point, Pair, Spring, Point, Pair, Spring):
        assert type(c(X, cls)) is cls


def test_results_of_searches():
    """They are made anew, but for what is neither a number nor an array."""

    def solution(p, **options):
        return solve_ivp(lambda t, y: -p * y, (0.0, 1.0), [1.0], t_eval=np.linspace(0.0, 1.0, 3), **options)

    c = agrees(solution, [(0.7,), (0.9,)])
    assert repr(c(0.8)) == repr(solution(0.8))
    agrees(lambda p: {"all": [root_scalar(lambda x: x**3 - p, bracket=(0.0, 3.0))]}, [(0.7,), (0.9,)])
    with pytest.raises(CompilationError, match="is not recorded, an instance of OdeSolution"):
        compiled(lambda p: solution(p, dense_output=True), strict=True)(0.7)
