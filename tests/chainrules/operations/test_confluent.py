"""Tricomi's function and its derivatives, as integrals."""

import mpmath
import numpy as np
import pytest

from chainrules.operations import confluent
from chainrules.operations.confluent import confluent_integral, has_confluent_integral
from chainrules_core import derivatives_given_output
from tests.chainrules.rule_checks import check_rule_in_double

POINTS = [
    *((0.5, 1.5, 0.3), (0.5, 1.5, 20.0), (2.5, 0.3, 0.1), (0.05, 1.0, 1.0)),
    *((10.0, -5.0, 3.0), (50.0, 3.0, 2.0), (2.0, 30.0, 5.0), (1.0, 0.5, 1e-3), (100.0, 100.0, 50.0)),
    *((0.5, 0.5, 1e4), (0.03, 0.5, 3.0)),
]


@pytest.mark.parametrize("x", POINTS)
def test_accuracy(x):
    """13 digits of the function and of its derivatives."""
    y = confluent_integral(0, 0, *x)
    ((_, _, *slopes),) = derivatives_given_output(y, confluent_integral.__primitive__, 0, 0, *x)

    with mpmath.workdps(30):
        size = float(mpmath.hyperu(*x))
        for place, slope in enumerate(slopes):
            expected = float(mpmath.diff(mpmath.hyperu, x, tuple(int(i == place) for i in range(3))))
            assert slope == pytest.approx(expected, rel=1e-13, abs=1e-13 * size)
    assert y == pytest.approx(size, rel=3e-14)


@pytest.mark.parametrize(
    "x", [(0.5, 1.5, 0.3), (0.5, 1.5, 20.0), (0.05, 1.0, 1.0), (1.0, 0.5, 1e-3), (0.5, 0.5, 1e4)]
)
def test_what_is_summed(x, monkeypatch):
    """The integrand as far as it is more than rounding, on both sides, and not much farther."""
    sums, every_u = confluent._sum, []

    def spy(j, k, points, u):
        every_u.append(u.ravel())
        return sums(j, k, points, u)

    monkeypatch.setattr(confluent, "_sum", spy)
    confluent_integral(0, 0, *x)
    ((a, b, x), (u,)) = x, every_u
    log_integrand = a * u - x * np.exp(u) + (b - a - 1.0) * np.logaddexp(0.0, u)
    fall_after, fall_before = log_integrand.max() - log_integrand[[0, -1]]
    assert 80.0 < fall_after < 100.0
    assert 44.4 < fall_before < 46.0
    assert u[0] - u[1] == pytest.approx(0.2)


def test_outside_the_domain():
    """NaN where the integral does not converge."""
    a = np.array([-0.5, 1e-3, 1.0, 1.0, np.inf, 1.0, 1e9])
    points = a, 1.5, np.array([1.0, 1.0, -1.0, 0.0, 1.0, np.inf, 1.0])

    assert np.isnan(confluent_integral(0, 0, *points)).all()
    assert not has_confluent_integral(*points).any()
    assert has_confluent_integral(0.02, 1.5, 1.0)
    assert has_confluent_integral(1.0, 1e6 - 1.0, 1.0)


@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (5000,)])
def test_shapes_and_precision(shape):
    """Those of the arguments; more elements than are computed at once."""
    x = np.full(shape, 2.0, np.float32)

    U = confluent_integral(0, 0, 1.0, 2.0, x)

    assert U.shape == shape
    assert U.dtype == np.float32
    np.testing.assert_allclose(U, 0.5, rtol=1e-6)  # U(1, 2, x) = 1/x: https://dlmf.nist.gov/13.6.E4


@pytest.mark.parametrize(("j", "k"), [(0, 0), (1, 0), (0, 1)])
def test_rules(j, k):
    """By all arguments, twice."""
    check_rule_in_double(
        confluent_integral.__primitive__, j, k, 0.7, np.array([1.5, 2.2]), np.array([[0.5], [3.0]])
    )
