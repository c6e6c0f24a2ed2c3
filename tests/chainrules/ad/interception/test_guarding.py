"""Functions that cannot be entered, and call traced code back, are errors that name them."""

import functools

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
from scipy import ndimage

from chainrules.ad import grad, stop_gradient
from chainrules.ad.interception.guarding import calls_back_unseen, iterates
from chainrules_core import RuleNotFoundError


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda a: scipy.optimize.brentq(lambda t: t - a, 0.0, 5.0), "brentq"),
        (lambda a: scipy.integrate.quad(lambda t: t * a, 0.0, 1.0)[0], "quad"),
        (lambda a: scipy.optimize.minimize_scalar(lambda t: (t - a) ** 2).x, "minimize_scalar"),
        (lambda a: scipy.optimize.newton(functools.partial(lambda a, t: t - a, a), 1.0), "newton"),
        (lambda a: np.sum(ndimage.generic_filter(np.ones(3), lambda w: a * np.sum(w), 3)), "generic_filter"),
    ],
)
def test_callbacks_that_are_traced(f, name):
    """The derivative would be lost, or be that of the steps."""
    with pytest.raises(RuleNotFoundError, match=f"{name}.*calls .* back.*would be lost"):
        grad(f)(1.0)


def test_arguments_that_are_traced():
    """Likewise."""
    with pytest.raises(RuleNotFoundError, match=r"minimize.*not that of its result.*stop_gradient"):
        grad(lambda a: scipy.optimize.minimize(lambda t: np.sum(t * t), np.array([a])).fun)(1.0)


def test_constants():
    """Where nothing traced is involved they are called as they are."""

    def f(a):
        root = scipy.optimize.brentq(lambda t: t - 2.0, 0.0, 5.0)
        area, _ = scipy.integrate.quad(lambda t: t, 0.0, 1.0)
        filtered = ndimage.generic_filter(np.ones(3), np.sum, 3)
        return a * root * area * filtered[0]

    assert grad(f)(3.0) == pytest.approx(3.0)
    assert grad(lambda a: a * scipy.optimize.brentq(lambda t: t - stop_gradient(a), 0.0, 5.0))(3.0) == 3.0


def test_which_functions():
    """Those of Python's library are known; the functions of Rosenbrock do not search."""
    assert not calls_back_unseen(map)
    assert not calls_back_unseen(3)
    assert calls_back_unseen(np.frompyfunc)
    assert iterates(scipy.optimize.minimize)
    assert iterates(scipy.integrate.quad)
    assert not iterates(scipy.integrate.solve_ivp)
    assert not iterates(scipy.optimize.rosen)
    assert not iterates(test_which_functions)
