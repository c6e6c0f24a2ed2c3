"""The rules of integrals over several variables, against finite differences."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad, nquad, tplquad

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
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


def decaying(s, t):
    """An integrand of two variables."""
    return math.exp(-s * t)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "call",
    [
        (dblquad, decaying, 0.1, 0.8, 0.0, 1.0),
        (nquad, decaying, [(0.0, 0.8), (0.1, 1.0)]),
    ],
)
def test_limits(call):
    """Both rules of a call are right, whichever system asks."""
    test_frule(*call, config=ADConfig())
    test_rrule(*call, config=ADConfig())


def test_limits_of_three_variables():
    """The outermost of them, of a volume that grows with its cube."""
    call = tplquad, lambda r, s, t: t * t, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0
    dots = (NoTangent(), NoTangent(), 0.0, 3.0, *(NoTangent(),) * 4)
    y, y_dot = frule(ADConfig(), dots, *call)
    assert (y[0], y_dot[0]) == (pytest.approx(8 / 3), pytest.approx(12.0))
    bars = rrule(ADConfig(), *call)[1]((3.0, 0.0))
    assert (bars[2], bars[3]) == (pytest.approx(0.0), pytest.approx(12.0))
    record_exercised(tplquad, frule.find(ADConfig(), dots, *call))
    record_exercised(tplquad, rrule.find(ADConfig(), *call))


@pytest.mark.parametrize("name", INTEGRALS)
def test_both_modes(name):
    """By limits that are numbers or functions, by arguments, and by all that functions hold."""
    f, x = INTEGRALS[name]
    check(f, np.array(x))


@pytest.mark.at_length
def test_tplquad():
    """The functions of the inner limits take the variables in their order, the outermost first."""
    x, rest = np.array([0.3, 0.8]), {"epsabs": 1e-3, "epsrel": 1e-3}

    def volume(x):
        return tplquad(lambda r, s, t: 1.0, 0, 1, 0, x[1], lambda t, s: 0.0, lambda t, s: x[0] * t, **rest)[0]

    np.testing.assert_allclose(grad(volume)(x), [0.4, 0.15])


def test_second_order():
    """The Hessian of a volume by its sides."""
    H = hessian(lambda x: nquad(lambda s, t: 1.0, [(0, x[0]), (0, x[1])])[0])(np.array([0.3, 0.8]))
    np.testing.assert_allclose(H, [[0.0, 1.0], [1.0, 0.0]], atol=1e-12)


def test_parameters_of_weights():
    """They are no constants, and say so."""

    def area(w):
        return nquad(lambda s, t: s, [(0, 1), (0, 1)], opts={"weight": "cos", "wvar": w})[0]

    with pytest.raises(DerivativeNotImplementedError, match="parameters of a weight"):
        grad(area)(2.0)
    with pytest.raises(DerivativeNotImplementedError, match="parameters of a weight"):
        jvp(area, (2.0,), (1.0,))
