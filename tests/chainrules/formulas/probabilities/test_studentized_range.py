"""The studentized range: three integrals that belong together, beside SciPy's own, and limits."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules.formulas.probabilities import studentized_range
from chainrules.formulas.probabilities.studentized_range import log_above, log_below, log_density

POINTS = [
    (3.0, 3.0, 10.0),
    (1.0, 5.5, 2.0),
    (0.01, 3.0, 20.0),
    (2.0, 2.0, 7.0),
    (5.0, 50.0, 1000.0),
    (3.0, 3.0, 1.0),
    (40.0, 3.0, 5.0),
    (1000.0, 3.0, 2.0),
    (9.0, 3.0, 400.0),
    (3.0, 10.0, np.inf),
]
Z, K, DF = np.array(POINTS).T


def test_values():
    """SciPy integrates with an absolute tolerance, of which far tails have fewer digits."""
    below = stats.studentized_range.cdf(Z, K, DF)
    for formula, expected, rtol in (
        (log_density, stats.studentized_range.logpdf(Z, K, DF), 1e-7),
        (log_below, np.log(below), 2e-4),
        (log_above, np.log1p(-below), 2e-6),
    ):
        np.testing.assert_allclose(formula(Z, K, DF), expected, rtol=rtol)


@pytest.mark.parametrize("point", POINTS)
def test_integrals_belong_together(point):
    """Probabilities add up to 1, and their slopes are the density, also far out."""
    density, below, above = (f(*point) for f in (log_density, log_below, log_above))
    np.testing.assert_allclose(np.exp(below) + np.exp(above), 1.0, rtol=1e-12)
    slopes = [partial_derivative(f, 0)(*point) for f in (log_below, log_above)]
    np.testing.assert_allclose(slopes[0], np.exp(density - below), rtol=1e-11)
    np.testing.assert_allclose(slopes[1], -np.exp(density - above), rtol=1e-11)


@pytest.mark.parametrize("formula", [log_density, log_below, log_above])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_partial_derivatives(formula, place):
    """Against differences of the same sums, where they are taken at other places."""
    for point in POINTS[:-1]:  # one by one, since together all take as many terms as the widest
        step = 1e-3 * point[place]

        def at(shift, point=point, step=step):
            moved = list(point)
            moved[place] += shift * step
            return formula(*moved)

        expected = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * step)
        # The density of an estimate with many degrees is so many rounding errors large.
        np.testing.assert_allclose(
            partial_derivative(formula, place)(*point), expected, rtol=1e-6, atol=1e-10, err_msg=str(point)
        )


def test_known_deviation():
    """With infinitely many degrees the deviation is known; derivatives by them vanish."""
    for formula in (log_density, log_below, log_above):
        np.testing.assert_allclose(formula(3.0, 4.0, 1e6), formula(3.0, 4.0, np.inf), rtol=1e-5)
        assert partial_derivative(formula, 2)(3.0, 4.0, np.inf) == 0.0


def test_two_numbers():
    """The range of two is the modulus of Student's variable, times the root of 2."""
    z, df = np.array([0.3, 2.0, 30.0]), 6.0
    t = z / np.sqrt(2.0)
    np.testing.assert_allclose(log_density(z, 2.0, df), stats.t.logpdf(t, df) + 0.5 * np.log(2.0), rtol=1e-12)
    np.testing.assert_allclose(log_above(z, 2.0, df), stats.t.logsf(t, df) + np.log(2.0), rtol=1e-12)


def test_many_integrals(monkeypatch):
    """Not all are computed at once, which takes memory; that changes nothing."""
    k, df = K[:, np.newaxis], DF[-2:]
    for f in (log_below, partial_derivative(log_below, 1)):
        expected = f(3.0, k, df)
        with monkeypatch.context() as patch:
            patch.setattr(studentized_range, "_AT_ONCE", 7)
            np.testing.assert_allclose(f(3.0, k, df), expected, rtol=1e-12)
