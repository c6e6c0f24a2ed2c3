"""The rules of `statistics`, against finite differences."""

import statistics

import numpy as np
import pytest

from chainrules.ad import call, grad, hessian
from chainrules_core import Tangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import positive

XS, YS = [1.5, 2.5, 0.7, 3.1], [0.3, 1.9, 4.0, 0.8]


@pytest.mark.parametrize("xs", [XS, tuple(XS[:3]), positive(4), positive(3)])
@pytest.mark.parametrize(
    "f",
    [
        *(statistics.mean, statistics.fmean, statistics.geometric_mean, statistics.harmonic_mean),
        *(statistics.median, statistics.median_low, statistics.median_high, statistics.median_grouped),
        *(statistics.variance, statistics.pvariance, statistics.stdev, statistics.pstdev),
        statistics.quantiles,
    ],
)
def test_one_sample(f, xs):
    """Of lists, tuples and arrays; of even and odd numbers of data."""
    check_both_modes(f, xs)


@pytest.mark.parametrize("f", [statistics.covariance, statistics.correlation, statistics.linear_regression])
@pytest.mark.parametrize(("xs", "ys"), [(XS, YS), (tuple(XS), np.array(YS))])
def test_two_samples(f, xs, ys):
    """Both modes are right by both samples."""
    check_both_modes(f, xs, ys)


@pytest.mark.parametrize(
    ("f", "args", "named"),
    [
        (statistics.fmean, (XS, YS), {}),
        (statistics.fmean, (XS,), {"weights": YS}),
        (statistics.harmonic_mean, (XS, YS), {}),
        (statistics.harmonic_mean, (XS,), {"weights": YS}),
        *((f, (XS, 1.3), {}) for f in (statistics.variance, statistics.pvariance)),
        *((f, (XS, 1.3), {}) for f in (statistics.stdev, statistics.pstdev)),
        (statistics.variance, (XS, None), {}),
        (statistics.median_grouped, (XS, 0.5), {}),
        (statistics.quantiles, (XS,), {"n": 10}),
        (statistics.quantiles, (XS,), {"n": 7, "method": "inclusive"}),
        (statistics.quantiles, (XS[:2],), {"n": 10}),
        (statistics.linear_regression, (XS, YS), {"proportional": True}),
    ],
)
def test_options(f, args, named):
    """Weights and centers get cotangents where they are given by position."""
    check_both_modes(f, *args, **named)


@pytest.mark.parametrize("f", [statistics.mode, statistics.multimode])
def test_no_derivative(f):
    """Counts have no derivative."""
    test_frule(f, [1, 2, 1])
    test_rrule(f, [1, 2, 1])


# --- Points without a derivative ---------------------------------------------------------------------------


def slopes(f, xs):
    """The cotangents of the data."""
    return list(rrule(f, xs)[1](1.0)[1])


@pytest.mark.parametrize("f", [statistics.stdev, statistics.pstdev])
def test_deviation_of_equal_numbers(f):
    """It is at its minimum."""
    assert slopes(f, [1.5, 1.5, 1.5]) == [0.0, 0.0, 0.0]


def test_medians_of_equal_numbers():
    """The shares together are 1; the class of a grouped median moves as one."""
    assert sum(slopes(statistics.median, [1.5, 1.5, 2.5])) == 1.0
    assert slopes(statistics.median_grouped, [1.5, 1.5, 2.5]) == [0.5, 0.5, 0.0]


def test_second_derivatives_of_the_harmonic_mean_with_a_zero():
    """They are those of ``3 x y z / (y z + x z + x y)``, which has no pole there."""

    def by_products(x):
        products = [x[1] * x[2], x[0] * x[2], x[0] * x[1]]
        return 3 * x[0] * x[1] * x[2] / sum(products)

    def mean(x):
        return call(statistics.harmonic_mean, [x[0], x[1], x[2]])

    x = np.array([0.0, 1.0, 2.0])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(hessian(mean)(x), hessian(by_products)(x), atol=1e-14)


def test_harmonic_mean_with_zeros():
    """It rises from 0 n times as steeply as its least number; several zeros share this."""
    assert slopes(statistics.harmonic_mean, [0.0, 1.5, 2.5]) == [3.0, 0.0, 0.0]
    assert slopes(statistics.harmonic_mean, [0.0, 0.0, 2.5, 3.5]) == [1.0, 1.0, 0.0, 0.0]


def test_an_iterator():
    """It is read once."""
    y, pullback = rrule(statistics.fmean, iter([1.5, 2.5]))
    assert y == 2.0
    assert pullback(2.0)[1] == Tangent[tuple](1.0, 1.0)


def test_traced():
    """Sequences of traced numbers."""
    assert grad(lambda x: call(statistics.fmean, [x, 2 * x]))(1.0) == 1.5
    assert grad(lambda x: call(statistics.variance, [x, -x]))(1.0) == pytest.approx(4.0)
