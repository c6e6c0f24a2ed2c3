"""The rules of minima: against the roots of gradients, in both modes and to second order."""

import math

import numpy as np
import pytest
from scipy.optimize import Bounds, minimize, minimize_scalar, root

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised

P = np.array([0.5, -0.2])


def energy(t, p):
    """A function with one minimum."""
    return np.sum(np.cosh(t - p)) + t[0] * t[1] * p[0]


def slope(t, p):
    """Its gradient by `t`."""
    return np.sinh(t - p) + t[::-1] * p[0]


def by_root(p):
    """The minimum, as a solution."""
    return root(slope, [0.0, 0.0], args=(p,), tol=1e-12).x


METHODS = {
    "BFGS": {"jac": slope, "tol": 1e-10},
    "L-BFGS-B": {"jac": slope, "tol": 1e-14},
    "trust-constr": {"jac": slope, "tol": 1e-10},
    "SLSQP": {"jac": slope, "tol": 1e-15},
    "Nelder-Mead": {"options": {"xatol": 1e-9, "fatol": 1e-16}},
    "Newton-CG": {"jac": slope, "tol": 1e-10},
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_the_true_hessian(method):
    """By arguments and by what the function closes over."""

    def by_arguments(p):
        return minimize(energy, [0.0, 0.0], args=(p,), method=method, **METHODS[method]).x

    options = {name: x for name, x in METHODS[method].items() if name != "jac"}

    def by_closure(p):
        return minimize(lambda t: energy(t, p), [0.0, 0.0], method=method, **options)["x"]

    expected = grad(lambda p: by_root(p)[0])(P)
    np.testing.assert_allclose(grad(lambda p: by_arguments(p)[0])(P), expected, rtol=1e-5)
    np.testing.assert_allclose(jvp(by_arguments, (P,), (P,))[1][0], expected @ P, rtol=1e-5)
    record_exercised(minimize, frule.find(ADConfig(), (None,) * 3, minimize, energy, P))
    record_exercised(minimize, rrule.find(ADConfig(), minimize, energy, P))
    if method in {"L-BFGS-B", "Nelder-Mead"}:
        np.testing.assert_allclose(grad(lambda p: by_closure(p)[0])(P), expected, rtol=1e-4)


def test_second_order():
    """The rule is differentiated itself."""

    def f(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, tol=1e-10).x[0]

    np.testing.assert_allclose(hessian(f)(P), hessian(lambda p: by_root(p)[0])(P), rtol=1e-6)


def test_the_value_at_the_minimum():
    """The envelope theorem: the derivative of the function at a fixed minimum."""
    x = by_root(P)
    expected = grad(lambda p: energy(x, p))(P)

    def value(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, tol=1e-10).fun

    np.testing.assert_allclose(grad(value)(P), expected, rtol=1e-7)
    np.testing.assert_allclose(jvp(value, (P,), (P,))[1], expected @ P, rtol=1e-7)


def test_a_function_that_returns_its_gradient_too():
    """Only its value is to be least."""

    def f(p):
        return minimize(
            lambda t, p: (energy(t, p), slope(t, p)), [0.0, 0.0], args=(p,), jac=True, tol=1e-10
        ).x[0]

    np.testing.assert_allclose(grad(f)(P), grad(lambda p: by_root(p)[0])(P), rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], grad(f)(P) @ P, rtol=1e-7)


@pytest.mark.parametrize(
    "options", [{"tol": 1e-10}, {"bounds": (-3.0, 3.0), "options": {"xatol": 1e-9}}, {"method": "golden"}]
)
def test_one_unknown(options):
    """With and without bounds that do not hold it: ``sinh(x - p) = -q``."""

    def f(x):
        return minimize_scalar(lambda t, p: math.cosh(t - p) + t * x[1], args=(x[0],), **options).x

    expected = [1.0, -1.0 / np.sqrt(1.0 + P[1] ** 2)]
    np.testing.assert_allclose(grad(f)(P), expected, rtol=1e-5)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], expected @ P, rtol=1e-5)
    record_exercised(minimize_scalar, frule.find(ADConfig(), (None,) * 2, minimize_scalar, math.cosh))
    record_exercised(minimize_scalar, rrule.find(ADConfig(), minimize_scalar, math.cosh))


@pytest.mark.parametrize("bounds", [[(-1.0, 0.1), (None, None)], Bounds([-1.0, -9.0], [0.1, 9.0])])
def test_a_bound_that_holds_an_unknown(bounds):
    """It stays there, and the others move as if it were a constant."""

    def f(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, bounds=bounds, tol=1e-14).x

    expected = grad(lambda p: root(lambda t: slope(np.stack([0.1, t[0]]), p)[1:], [0.0], tol=1e-12).x[0])(P)
    np.testing.assert_allclose(grad(lambda p: f(p)[0])(P), [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(grad(lambda p: f(p)[1])(P), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], [0.0, expected @ P], rtol=1e-6, atol=1e-12)


def square(t, p):
    """A parabola."""
    return np.sum((t - p) ** 2)


REFUSED = {
    "constraints": (
        lambda p: minimize(square, [0.0], (p,), constraints={"type": "eq", "fun": lambda t: t[0] - p}).x[0],
        DerivativeNotImplementedError,
        "with `constraints`",
    ),
    "a bound": (
        lambda p: minimize(square, [0.0], (p,), bounds=[(-9.0, p / 2.0)]).x[0],
        DerivativeNotImplementedError,
        "by a bound that holds it",
    ),
    "no multiplier": (
        lambda p: minimize(square, [0.0], (p,), bounds=[(1.0, None)]).x[0],
        NoDerivativeError,
        "does not hold it, with the multiplier 0",
    ),
    "flat": (
        lambda p: minimize(lambda t: (t[0] - 1.0) ** 4 * p, [1.0]).x[0],
        NoDerivativeError,
        "singular, with the condition",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_derivative(name):
    """The condition that does not hold is told, or what is not implemented."""
    f, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        grad(f)(1.0)
    with pytest.raises(error, match=message):
        jvp(f, (1.0,), (1.0,))


def test_the_approximate_hessian():
    """It is no constant."""
    with pytest.raises(DerivativeNotImplementedError, match="the field `hess_inv`"):
        grad(lambda p: minimize(square, [0.0], (p,)).hess_inv[0, 0])(1.0)


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = minimize(lambda t: (t[0] - held[0] * x) ** 2, [0.0]).x[0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)
