"""The rules of `scipy.integrate.quad` and `quad_vec`, against finite differences."""

import math

import numpy as np
import pytest
from scipy.integrate import IntegrationWarning, quad, quad_vec

from chainrules.ad import ADConfig, grad, jvp, vjp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, contains_carrier
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along, check_via_ad

EXACT = {"epsabs": 1e-12, "epsrel": 1e-12}
INTEGRALS = {
    "limits": (lambda x: quad(math.sin, x[0], x[1] ** 2, **EXACT)[0], [0.3, 1.2]),
    "closure": (lambda x: quad(lambda t: math.exp(-x[0] * t) * x[1], 0, x[1], **EXACT)[0], [0.3, 1.2]),
    "args": (lambda x: quad(lambda t, a, b: a * t**b, 0, 1, args=(x[0], x[1]), **EXACT)[0], [0.3, 1.2]),
    "one argument": (lambda x: quad(lambda t, a: a * np.exp(a * t), 0, 1, x[0], **EXACT)[0], [0.3]),
    "an array": (lambda x: quad(lambda t, a: a[0] * np.exp(a[1] * t), 0, 1, (x,), **EXACT)[0], [0.3, 1.2]),
    "to infinity": (lambda x: quad(lambda t: np.exp(-x[0] * t), x[1], np.inf, **EXACT)[0], [0.8, 0.3]),
    "whole line": (lambda x: quad(lambda t: np.exp(-x[0] * t * t), -np.inf, np.inf, **EXACT)[0], [0.8]),
    "cos": (
        lambda x: quad(lambda t: np.exp(x[0] * t), x[1], 1.0, weight="cos", wvar=x[2], **EXACT)[0],
        [0.3, 0.2, 2.0],
    ),
    "sin": (
        lambda x: quad(lambda t: np.exp(x[0] * t), 0.2, x[1], weight="sin", wvar=x[2], **EXACT)[0],
        [0.3, 1.2, 2.0],
    ),
    "cauchy": (
        lambda x: quad(lambda t: np.exp(x[0] * t), x[1], 1.0, weight="cauchy", wvar=x[2], **EXACT)[0],
        [0.3, 0.2, 0.6],
    ),
    "points": (lambda x: quad(lambda t: abs(t - 0.5) * x[0] ** 3, 0, 1, points=[0.5], **EXACT)[0], [0.3]),
    "a branch": (
        lambda x: quad(lambda t: x[0] ** 2 * t if t > 0.5 else x[1] * t, 0, 1, points=[0.5])[0],
        [0.3, 1.2],
    ),
    "a jump that moves": (
        lambda x: quad(lambda t: x[0] * t if t < x[1] ** 2 else x[1], x[0], 1, points=[0.2, x[1] ** 2])[0],
        [0.3, 0.8],
    ),
    "several jumps": (
        lambda x: quad(lambda t: np.searchsorted(x, t) ** 2.0 * x[0], 1.0, 0.0, points=x, **EXACT)[0],
        [0.3, 0.8],
    ),
    "complex on one side": (
        lambda x: np.abs(
            quad(lambda t: 1j * x[0] if t < x[1] else t * x[0], 0, 1, points=(x[1], 7), complex_func=True)[0]
        ),
        [0.3, 0.2],
    ),
    "full output": (lambda x: quad(lambda t: t * x[0] ** 3, 0, 1, full_output=1, **EXACT)[0], [0.3]),
    "complex": (
        lambda x: np.abs(quad(lambda t: np.exp(1j * x[0] * t) * x[1], 0, 1, complex_func=True)[0]),
        [0.3, 0.5],
    ),
    "functor": (lambda x: quad(Growth(x[0]), 0, 1, **EXACT)[0], [0.3]),
    "bound method": (lambda x: quad(Growth(x[0]).decay, 0, 1, **EXACT)[0], [0.3]),
}


class Growth:
    """A rate, and functions of time that hold it."""

    def __init__(self, rate):
        self.rate = rate

    def __call__(self, t):
        """Grow."""
        return math.exp(self.rate * t)

    def decay(self, t):
        """Decay."""
        return math.exp(-self.rate * t)


def test_limits():
    """Both rules of a call are right, whichever system asks."""
    test_frule(quad, math.sin, 0.3, 1.2, config=ADConfig())
    test_rrule(quad, math.sin, 0.3, 1.2, config=ADConfig())


@pytest.mark.parametrize("name", INTEGRALS)
def test_both_modes_to_second_order(name):
    """Limits, arguments, weights, and all that the integrand holds."""
    f, x = INTEGRALS[name]
    check_along(f, np.array(x), np.linspace(0.5, 1.0, len(x)))


def test_further_arguments():
    """One that is no tuple, of a complex integral, and what a weight needs."""
    check_first_order(
        lambda x: np.abs(quad(lambda t, a: np.exp(1j * a * t), 0, 1, x[0], complex_func=True)[0]),
        np.array([0.3]),
    )
    check_first_order(
        lambda x: (
            quad(math.exp, x[0], 1.0, weight="cauchy", wvar=x[1], **EXACT)[0]
            + quad(math.exp, x[0], 1.0, weight="sin", wvar=x[1], **EXACT)[0]
        ),
        np.array([0.2, 0.6]),
    )


@pytest.mark.every_case
@pytest.mark.parametrize("weight", ["alg", "alg-loga", "alg-logb", "alg-log"])
def test_singularities_move_with_the_limits(weight):
    """The weights with powers of the distances to the limits, by these, and by what the integrand holds."""

    def area(x):
        return quad(lambda t: np.exp(x[0] * t), x[1], x[2], weight=weight, wvar=(-0.3, 0.4), **EXACT)[0]

    check_first_order(area, np.array([0.3, 0.2, 1.3]))


@pytest.mark.every_case
@pytest.mark.parametrize(("weight", "place"), [("alg", 0), ("alg", 1), ("alg-loga", 1), ("alg-logb", 0)])
def test_exponents_of_a_weight(weight, place):
    """The derivative by an exponent is the integral with a logarithm more."""

    def area(x):
        wvar = (x[0], 0.4) if place == 0 else (-0.3, x[0])
        return quad(np.cos, 0.2, 1.3, weight=weight, wvar=wvar, **EXACT)[0]

    check_first_order(area, np.array([0.3]))


def check_first_order(f, x):
    """Compare both modes with differences."""
    steps = 1e-5 * np.eye(len(x))
    expected = [(f(x + step) - f(x - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-7)
    np.testing.assert_allclose(jvp(f, (x,), (np.ones_like(x),))[1], np.sum(expected), rtol=1e-7)


def test_squared_logarithms_are_not_implemented():
    """No weight of QUADPACK has them."""
    with pytest.raises(DerivativeNotImplementedError, match="squared logarithm"):
        grad(lambda p: quad(math.cos, 0.0, 1.0, weight="alg-log", wvar=(p, 0.4))[0])(-0.3)


def test_an_integral_in_an_integral():
    """Its limit is the variable of the outer one."""

    def area(x):
        return quad(lambda t: quad(lambda s: math.exp(-x[0] * s * t), 0.0, t * x[1])[0], 0, 1)[0]

    check_first_order(area, np.array([0.3, 0.5]))


@pytest.mark.parametrize(("exp", "size"), [(math.exp, abs), (np.exp, np.abs)])
def test_a_narrow_part(exp, size):
    """The derivative of it is seen where QUADPACK sees it for the sake of a kink beside it."""

    def area(p):
        return quad(lambda t, p: size(t - 0.3) + p * exp(-(((t - 0.3) / 1e-3) ** 2)), 0.2, 1.5, args=(p,))[0]

    assert grad(area)(0.7) == pytest.approx(1e-3 * np.sqrt(np.pi), rel=1e-9)
    assert jvp(area, (0.7,), (1.0,))[1] == pytest.approx(1e-3 * np.sqrt(np.pi), rel=1e-9)


@pytest.mark.parametrize(
    "limits",
    [
        *((0.0, 10.0), (10.0, 0.0), (0.0, np.inf), (4.0, -np.inf)),
        pytest.param((-np.inf, np.inf), marks=pytest.mark.at_length),
    ],
)
@pytest.mark.parametrize("exp", [math.exp, np.exp])
def test_a_narrow_integrand(exp, limits):
    """Its derivatives of both orders are integrated where it is, in finite and infinite intervals."""

    def area(p):
        return quad(lambda t: p[1] * exp(-(((t - 3.3) / p[0]) ** 2)), *limits)[0]

    root, width, sign = np.sqrt(np.pi), 0.07, np.sign(limits[1] - limits[0])
    p = np.array([width, 2.0])
    assert area(p) == pytest.approx(sign * 2.0 * width * root, rel=1e-9)
    assert grad(area)(p) == pytest.approx(sign * root * np.array([2.0, width]), rel=1e-7)
    assert jvp(area, (p,), (np.ones(2),))[1] == pytest.approx(sign * root * (2.0 + width), rel=1e-7)
    second = grad(lambda p: np.sum(grad(area)(p)))(p)
    assert second == pytest.approx(sign * root * np.ones(2), rel=1e-6)


def test_a_narrow_part_beside_a_singularity():
    """QUADPACK extrapolates then, and has intervals all the same."""

    def area(p):
        return quad(lambda t: abs(t - 5.1) ** -0.5 + p * np.exp(-(((t - 4.93) / 0.02) ** 2)), 0.0, 10.0)[0]

    assert grad(area)(0.7) == pytest.approx(0.02 * np.sqrt(np.pi), rel=1e-7)


@pytest.mark.parametrize("limits", [(0.0, 10.0), (10.0, 0.0), (0.0, np.inf)])
@pytest.mark.parametrize("full_output", [0, 1])
def test_a_narrow_complex_integrand(limits, full_output):
    """The intervals are those of both parts; SciPy integrates from the lower limit, whichever is first."""

    def area(p):
        def f(t):
            return p * np.exp(-(((t - 3.3) / 0.07) ** 2)) + 0.1j * p * np.exp(-(((t - 0.6) / 0.07) ** 2))

        result = quad(f, *limits, complex_func=True, full_output=full_output)[0]
        return np.real(result) + 10.0 * np.imag(result)

    assert grad(area)(0.7) == pytest.approx(area(0.7) / 0.7, rel=1e-7)
    assert jvp(area, (0.7,), (1.0,))[1] == pytest.approx(area(0.7) / 0.7, rel=1e-7)


def test_an_empty_complex_integral():
    """There are no intervals, and nothing to say of them."""
    assert grad(lambda p: quad(lambda t: p * t, 1, 1, complex_func=True, full_output=1)[0].real)(0.7) == 0.0


def test_a_warning_of_quadpack():
    """It is the same with derivatives as without, and none where the caller asks for all that is known."""
    with pytest.warns(IntegrationWarning, match="maximum number of subdivisions"):
        vjp(lambda p: quad(lambda t: p / t, 0.0, 1.0)[0], 1.0)
    assert len(vjp(lambda p: quad(lambda t: p / t, 0.0, 1.0, full_output=1), 1.0)[0]) == 4


def test_a_large_array():
    """What the integrand holds is integrated by parts of which each is computed if it is wanted."""
    data = np.linspace(0.0, 1.0, 200)

    def mean(p, data):
        return quad(lambda t: p * t * data[7], 0, 1)[0]

    np.testing.assert_allclose(grad(mean)(2.0, data), data[7] / 2)
    np.testing.assert_allclose(grad(mean, argnums=1)(2.0, data), np.eye(200)[7])


def test_what_nobody_asks_for_is_a_constant():
    """One call says what has a derivative; elsewhere neither data nor the variable is traced."""
    data, traced = np.linspace(0.0, 1.0, 100), []

    def f(t, p):
        traced.append(contains_carrier((t, data)))
        return np.sum(np.exp(-p * t * data))

    def area(p):
        return quad(f, 0.0, 1.5, args=(p,), **EXACT)[0]

    expected = (area(2.0 + 1e-5) - area(2.0 - 1e-5)) / 2e-5
    traced.clear()
    assert grad(area)(2.0) == pytest.approx(expected, rel=1e-8)
    assert sum(traced) == 1


def test_a_derivative_whose_integral_diverges():
    """It is an error, which has the number of what failed, and says what to do."""
    with pytest.raises(
        NoDerivativeError, match=r"did not converge: its value is .* estimated error of .*points"
    ):
        grad(lambda p: quad(lambda t: np.sqrt(t * t + p), 0.0, 1.0)[0])(0.0)


@pytest.mark.parametrize("integral", [quad, quad_vec])
def test_what_is_held_must_stay_as_it_was(integral):
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = integral(lambda t: t * held[0] * x, 0, 1)[0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


# --- Integrals of arrays ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(quad_vec(lambda t: np.exp(-x * t), 0, x[1])[0] ** 2),
        lambda x: quad_vec(lambda t: x[0] * np.exp(-x[1] * t), x[2], np.inf)[0],
        lambda x: np.sum(quad_vec(lambda t: np.outer(x, x) * abs(t - 0.5), 0, 1, points=[0.5])[0]),
        lambda x: np.sum(np.abs(quad_vec(lambda t: np.exp(1j * x * t), 0, 1, full_output=True)[0])),
    ],
)
def test_integrals_of_arrays(f):
    """By the limits, and all that the integrand holds."""
    check_along(f, np.array([0.3, 1.2, 2.0]), np.array([0.5, 0.7, 1.0]))


def test_rules_of_quad_vec():
    """Both rules of a call are right, whichever system asks."""
    check_via_ad(quad_vec, lambda t: np.array([math.sin(t), t * t]), 0.3, 1.2)


def test_nothing_moves():
    """An integral of constants has none."""
    assert (
        jvp(lambda x: x * quad_vec(math.sin, 0.0, 1.0)[0], (2.0,), (1.0,))[1]
        == quad_vec(math.sin, 0.0, 1.0)[0]
    )


def test_a_jump_of_arrays():
    """The jump of the integrand at a point that moves, where another one stands still."""

    def f(x):
        return np.sum(
            quad_vec(lambda t: np.ones(2) * (x[0] * t if t < x[1] else x[1]), 0, 1, points=[x[1], 0.8])[0]
        )

    check_first_order(f, np.array([0.3, 0.6]))
