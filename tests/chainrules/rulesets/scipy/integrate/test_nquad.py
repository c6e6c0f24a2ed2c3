"""The rules of integrals over several variables, against finite differences."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad, nquad, tplquad

from chainrules.ad import ADConfig, grad, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised

INTEGRALS = {
    "dblquad": (
        lambda x: dblquad(lambda s, t: math.exp(-x[0] * s * t), 0, x[1], lambda t: t * x[0], 1.0)[0],
        [0.3, 0.8],
    ),
    "args": (lambda x: dblquad(lambda s, t, a: a * s, x[1], 1.0, 0.0, lambda t: t, (x[0],))[0], [0.3, 0.8]),
    "nquad": (
        lambda x: nquad(lambda s, t, a: a * s * t, [lambda t, a: (0, a * t), (0, x[1])], args=(x[0],))[0],
        [0.3, 0.8],
    ),
    "args of dblquad in a list": (
        lambda x: dblquad(lambda s, t, a, b: a * s * b, 0.0, 1.0, 0.0, lambda t: t, [x[0], x[1]])[0],
        [0.3, 0.8],
    ),
    "args in an array": (
        lambda x: nquad(lambda s, t, a, b: a * s * b, [lambda t, a, b: (0, a * t), (0, x[1])], args=x)[0],
        [0.3, 0.8],
    ),
    "options": (
        lambda x: nquad(lambda s, t: x[0] * s, [(0, 1), (0, x[1])], opts={"limit": 9})[0],
        [0.3, 0.8],
    ),
}


def check(f, x):
    """Compare both modes with differences."""
    steps = 1e-5 * np.eye(len(x))
    expected = [(f(x + step) - f(x - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-7)
    np.testing.assert_allclose(jvp(f, (x,), (np.ones_like(x),))[1], np.sum(expected), rtol=1e-7)


@pytest.mark.parametrize("name", INTEGRALS)
def test_both_modes(name):
    """By limits that are numbers or functions, by arguments, and by all that functions hold."""
    f, x = INTEGRALS[name]
    check(f, np.array(x))
    record_exercised(dblquad, frule.find(ADConfig(), (None,) * 6, dblquad, math.pow, 0.0, 1.0, 0.0, 1.0))
    record_exercised(dblquad, rrule.find(ADConfig(), dblquad, math.pow, 0.0, 1.0, 0.0, 1.0))


@pytest.mark.at_length
def test_tplquad():
    """The functions of the inner limits take the variables in their order, the outermost first."""
    x, rest = np.array([0.3, 0.8]), {"epsabs": 1e-3, "epsrel": 1e-3}

    def volume(x):
        return tplquad(lambda r, s, t: 1.0, 0, 1, 0, x[1], lambda t, s: 0.0, lambda t, s: x[0] * t, **rest)[0]

    np.testing.assert_allclose(grad(volume)(x), [0.4, 0.15])


def test_second_order():
    """The Hessian of a volume by its sides, times a direction."""
    volume = grad(lambda x: nquad(lambda s, t: 1.0, [(0, x[0]), (0, x[1])])[0])
    _, product = jvp(volume, (np.array([0.3, 0.8]),), (np.array([1.0, 3.0]),))
    np.testing.assert_allclose(product, [3.0, 1.0], atol=1e-12)
    record_exercised(nquad, frule.find(ADConfig(), (None,) * 3, nquad, math.pow, []))
    record_exercised(nquad, rrule.find(ADConfig(), nquad, math.pow, []))


def test_parameters_of_weights():
    """They are no constants, and say so."""

    def area(w):
        return nquad(lambda s, t: s, [(0, 1), (0, 1)], opts={"weight": "cos", "wvar": w})[0]

    with pytest.raises(DerivativeNotImplementedError, match="parameters of a weight"):
        grad(area)(2.0)
    with pytest.raises(DerivativeNotImplementedError, match="parameters of a weight"):
        jvp(area, (2.0,), (1.0,))


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = nquad(lambda s, t: s * t * held[0] * x, [(0, 1), (0, 1)])[0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


def test_points_that_move():
    """A jump within several integrals is an error: its derivative is an integral over the others."""

    def f(p):
        return nquad(lambda s, t: t if s < p else 3.0 * t, [(0, 1), (0, 1)], opts=[{"points": [p]}, {}])[0]

    for derivative in (grad(f), lambda p: jvp(f, (p,), (1.0,))[1]):
        with pytest.raises(DerivativeNotImplementedError, match="by the points or the parameters"):
            derivative(0.6)
