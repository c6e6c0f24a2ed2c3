"""The likeliest power of the transformations of Box and Cox, and of Yeo and Johnson."""

import numpy as np
import pytest
from scipy import optimize, stats

from chainrules.ad import hessian
from chainrules.formulas.probabilities.likeliest_powers import by_likeliest_power, of_box_cox, of_yeo_johnson
from chainrules_core import frule, rrule
from chainrules_testutils import jacobian
from chainrules_testutils.comparing.finite_differences import fixed_step

rng = np.random.default_rng(3)
POSITIVE, SIGNED = rng.gamma(3.0, 1.0, 7) + 0.2, 2.0 * rng.normal(size=7)
CASES = [
    (stats.boxcox, POSITIVE),
    # A number whose logarithm is 0, and a power near 0.
    (stats.boxcox, np.exp([0.1, 0.5, -0.3, -0.4, 0.2, 0.0])),
    (stats.yeojohnson, SIGNED),
    (stats.yeojohnson, -np.abs(SIGNED)),
]
IDS = ["Box and Cox", "near 0", "Yeo and Johnson", "below 0"]


def box_cox(x, power):
    """By its definition, for complex powers too, and the logarithm of its slope at the power 2."""
    return (x**power - 1.0) / power, np.log(x)


def yeo_johnson(x, power):
    """The same of Yeo and Johnson's."""
    above, below = np.where(x >= 0, x, 0.0), np.where(x >= 0, 0.0, -x)
    upper, lower = ((1.0 + z) ** p for z, p in ((above, power), (below, 2.0 - power)))
    return (upper - 1.0) / power - (lower - 1.0) / (2.0 - power), np.sign(x) * np.log1p(np.abs(x))


def exactly(transform, near):
    """The transformed numbers and the power, where the slope of the likelihood is zero to the last digits.

    SciPy's search stops some 1e-8 before, and not evenly, so that differences of its powers are noise. The
    slope is that of a complex step: W. Squire and G. Trapp, SIAM Review 40 (1998).
    """
    by_definition = box_cox if transform is stats.boxcox else yeo_johnson

    def slope(power, x):
        y, log = by_definition(x, power + 1e-30j)
        variance = np.mean((y - np.mean(y)) ** 2)
        return ((power + 1e-30j) * np.mean(log) - 0.5 * np.log(variance)).imag / 1e-30

    def call(x):
        power = optimize.brentq(slope, near - 3.0, near + 3.0, args=(x,), xtol=1e-15, rtol=1e-14)
        return np.append(by_definition(x, power)[0], power)

    return call


@pytest.mark.parametrize(("transform", "x"), CASES, ids=IDS)
def test_derivatives(transform, x):
    """In both modes those of the likeliest power itself."""
    expected = jacobian(None, exactly(transform, transform(x)[1]), x)[0]
    (y, power), pullback = rrule(transform, x)
    np.testing.assert_array_equal(y, transform(x)[0])
    assert power == transform(x)[1]
    weights = rng.normal(size=len(x) + 1)
    x_bar = pullback((weights[:-1], weights[-1]))[1]
    np.testing.assert_allclose(x_bar, weights @ expected, rtol=1e-8, atol=1e-8)
    x_dot = rng.normal(size=len(x))
    _, (y_dot, power_dot) = frule((None, x_dot), transform, x)
    np.testing.assert_allclose(np.append(y_dot, power_dot), expected @ x_dot, rtol=1e-8, atol=1e-8)


def test_at_0():
    """Between the two halves the first derivatives are continuous, and the second ones jump."""

    def of_last(last):
        x = np.append(SIGNED[:5], last)
        _, pullback = rrule(stats.yeojohnson, x)
        return pullback((np.arange(6.0), 1.0))[1]

    for last in (-1e-10, 1e-10):
        np.testing.assert_allclose(of_last(last), of_last(0.0), rtol=1e-7)


@pytest.mark.parametrize(("transform", "x"), [CASES[0], CASES[2]], ids=[IDS[0], IDS[2]])
def test_second_derivatives(transform, x):
    """Two steps of Newton's method have them right, one does not."""

    def sum_of_cubes(x):
        y, power = transform(x)
        return np.sum(y**3) * power

    exact_one = exactly(transform, transform(x)[1])

    def exact(x):
        *y, power = exact_one(x)
        return np.sum(np.power(y, 3)) * power

    of_x = jacobian(fixed_step, lambda x: jacobian(fixed_step, exact, x)[0][0], x)[0]
    scale = np.max(np.abs(of_x))
    # Differences of differences have some seven digits.
    np.testing.assert_allclose(hessian(sum_of_cubes)(x), of_x, rtol=1e-6, atol=1e-6 * scale)


@pytest.mark.parametrize("parts", [of_box_cox, of_yeo_johnson])
def test_other_powers(parts):
    """They do not move as the likeliest does."""
    transform = stats.boxcox if parts is of_box_cox else stats.yeojohnson
    power = transform(POSITIVE)[1]
    assert by_likeliest_power(parts, POSITIVE, power) is not None
    assert by_likeliest_power(parts, POSITIVE, power + 1e-4) is None


def test_bounded_powers():
    """SciPy bounds a power, with a warning, so that the numbers stay finite."""
    x = np.array([2003.0, 1950.0, 1997.0, 2000.0, 2009.0, 2009.0, 1980.0, 1999.0, 2007.0, 1991.0])
    with pytest.warns(UserWarning, match="constrained optimum"):
        assert rrule(stats.boxcox, x) is None
