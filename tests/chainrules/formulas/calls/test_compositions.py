"""Compositions, whose derivatives are those of their parts."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.calls.compositions import Part, pull_composition, push_composition, value_of
from chainrules_core import NO_TANGENT, AbstractZero, unthunk


def composition(x, y):
    """Reductions, items, branches, a part that is used twice, and one that is not used."""
    total = np.sum(x * y, axis=0)
    np.exp(total)
    return np.where(x[0] > 0, total * x[0], y), np.max(x)


X, Y = np.array([0.5, 1.5, -0.7]), 1.3


def test_both_modes():
    """They are transposes of each other, and the tangent is the finite difference."""
    x_dot, y_dot = np.array([0.1, -0.4, 0.3]), 0.7
    dots = push_composition(composition, (X, Y), (x_dot, y_dot))
    h = 1e-6
    ends = [composition(X + t * x_dot, Y + t * y_dot) for t in (h, -h)]
    np.testing.assert_allclose(dots, (np.array(ends[0]) - np.array(ends[1])) / (2 * h), rtol=1e-7)
    bars = pull_composition(composition, (X, Y), (2.0, -1.0))
    assert bars[0] @ x_dot + bars[1] * y_dot == pytest.approx(2.0 * dots[0] - dots[1])


def test_constants():
    """What nothing depends on has no tangent and no cotangent."""
    assert isinstance(push_composition(lambda x, y: y * 2.0, (X, Y), (X, NO_TANGENT)), AbstractZero)
    assert isinstance(push_composition(lambda x: 2.0, (X,), (X,)), AbstractZero)
    assert isinstance(pull_composition(lambda x: 2.0, (X,), 1.0)[0], AbstractZero)
    assert isinstance(pull_composition(lambda x, y: y * 2.0, (X, Y), 1.0)[0], AbstractZero)


def test_traced_values():
    """A composition of traced values can be differentiated."""
    slope = grad(lambda y: np.sum(unthunk(pull_composition(composition, (X, y), (1.0, 0.0))[0])))
    h = 1e-6
    beside = [np.sum(pull_composition(composition, (X, Y + t), (1.0, 0.0))[0]) for t in (h, -h)]
    assert slope(Y) == pytest.approx((beside[0] - beside[1]) / (2 * h), rel=1e-6)


def test_bad_compositions():
    """Functions without rules, and methods of universal functions, are errors."""
    unknown = np.frompyfunc(lambda x: x, 1, 1)
    with pytest.raises(TypeError, match="no rule"):
        pull_composition(unknown, (1.0,), 1.0)
    with pytest.raises(TypeError):
        np.add.reduce(Part(X, None, None))


def test_values():
    """Decisions are made on values."""
    assert value_of(Part(X, None, None)) is X
    assert Part(X, None, None).shape == (3,)
