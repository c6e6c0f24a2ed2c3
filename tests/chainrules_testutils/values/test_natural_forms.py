"""The natural and the structural form of tangents, also inside of other values."""

# ruff: noqa: D103 - the name of a method says what it is of

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, thunk, to_natural, to_structural
from chainrules_core.structured import Diagonal, Symmetric, UniformScaling
from chainrules_testutils import rand_tangent, test_rrule, to_vec
from chainrules_testutils.values.natural_forms import natural_cotangent, natural_tangent, structural_cotangent
from tests.chainrules_testutils.calls import FOO, V, X

S = Symmetric(X)
S_BAR = Tangent[Symmetric](data=np.ones((3, 3)))
HALVES = Symmetric(np.array([[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]))


def test_cotangents():
    """`to_natural` gives the form; in forward mode a structural tangent holds the tangents of the fields."""
    assert natural_cotangent(S, S_BAR) == natural_cotangent(S, thunk(lambda: S_BAR)) == HALVES
    assert natural_tangent(S, S_BAR) == Symmetric(np.ones((3, 3)))


def test_parts():
    """Natural forms are found inside of structures; the rest of a structure stays as it is."""
    pair_bar = natural_cotangent((S, 1.0), Tangent[tuple](S_BAR, 2.0))

    assert type(pair_bar) is Tangent[tuple]
    assert pair_bar[0] == HALVES
    assert pair_bar[1] == 2.0


@pytest.mark.parametrize(
    ("x", "x_bar"),
    [
        (S, HALVES),
        (S, ZeroTangent()),
        (S, Tangent[Diagonal](diag=V)),
        (FOO, rand_tangent(FOO)),
        (1.0, thunk(lambda: 2.0)),
        (1.0, Tangent[tuple](1.0)),
        ((1.0, "a"), Tangent[tuple](2.0, NoTangent())),
    ],
)
def test_what_has_no_other_form(x, x_bar):
    """Values without another form stay the same object, thunks and other values included."""
    assert natural_cotangent(x, x_bar) is x_bar
    assert natural_tangent(x, x_bar) is x_bar


def test_structural_form():
    """A natural cotangent has a structural form where a method makes it."""
    assert structural_cotangent(S, HALVES).data[0, 1] == 1.0
    assert structural_cotangent(UniformScaling(2.0), UniformScaling(3.0)).factor == 3.0
    for x, x_bar in [(S, S_BAR), (1.0, 2.0), (V, V), (FOO, FOO), ((1.0,), Tangent[tuple](2.0))]:
        assert structural_cotangent(x, x_bar) is None


@dataclass(frozen=True)
class Twin:
    """A class of somebody else's: a vector in the plane whose two elements are one number."""

    both: float

    def __add__(self, other):
        """The sum of two vectors."""
        return Twin(self.both + other.both)


@to_vec.dispatch
def twin_to_vec(x: Twin):
    return np.array([np.sqrt(2) * x.both]), lambda vec: Twin(float(vec[0] / np.sqrt(2)))


@rand_tangent.dispatch
def rand_tangent_of_twin(x: Twin, rng: object = None):
    return Twin(rand_tangent(x.both, rng))


@to_structural.dispatch
def structural_of_twin(x: Twin, x_bar: Twin):
    return Tangent[Twin](both=2 * x_bar.both)


@to_natural.dispatch
def natural_of_twin(x: Twin, x_bar: Tangent[Twin]):
    return Twin(x_bar.both / 2)


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_classes_of_others(mode):
    """A class with methods for coordinates and forms has both forms in the testers."""

    def total(x):
        return 2 * np.sin(x.both)

    def rule(form):
        def total_rrule(config, f, x):
            return f(x), lambda y_bar: (NoTangent(), form(np.cos(x.both) * (0.0 + y_bar)))

        return total_rrule

    for form in (Twin, lambda both: Tangent[Twin](both=2 * both)):
        report = test_rrule(total, Twin(0.7), rrule_f=rule(form), mode=mode)
        assert report.failed == 0
