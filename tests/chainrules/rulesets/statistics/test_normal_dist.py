"""The rules of `statistics.NormalDist`, against finite differences."""

import operator
from statistics import NormalDist, StatisticsError

import numpy as np
import pytest

from chainrules.ad import call, grad, hessian
from chainrules_core import primitive, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.program_checks import check_program

D, OTHER = NormalDist(0.4, 1.7), NormalDist(1.3, 0.8)
XS = [1.5, 2.5, 0.7, 3.1]


def check(f, *args, **fkwargs):
    """Check both modes of a call."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs)


def test_constructors():
    """By both parameters, or one of them."""
    check_both_modes(NormalDist, 0.4, 1.7)
    check_both_modes(NormalDist, 0.4)
    check_both_modes(NormalDist, np.float32(0.4), 2)
    assert rrule(NormalDist)[0] == NormalDist()


def test_samples():
    """The estimate from data has right rules."""
    check(NormalDist.from_samples, XS)
    check(NormalDist.from_samples.__func__, NormalDist, np.array(XS))


@pytest.mark.parametrize(
    ("method", "args", "named"),
    [
        (NormalDist.pdf, (0.9,), {}),
        (NormalDist.cdf, (0.9,), {}),
        (NormalDist.inv_cdf, (0.3,), {}),
        (NormalDist.zscore, (0.9,), {}),
        (NormalDist.overlap, (OTHER,), {}),
        (NormalDist.quantiles, (), {}),
        (NormalDist.quantiles, (3,), {}),
        (NormalDist.samples, (3,), {"seed": 1}),
        (operator.pos, (), {}),
        (operator.neg, (), {}),
        *((getattr, (name,), {}) for name in ("mean", "median", "mode", "stdev", "variance", "_mu")),
    ],
)
def test_methods(method, args, named):
    """Methods, attributes and signs have right rules."""
    check(method, D, *args, **named)


@pytest.mark.parametrize("c", [2.5, -1.5, 2])
def test_operators(c):
    """With another distribution, and with constants on either side."""
    for f in (operator.add, operator.sub):
        check(f, D, OTHER)
    for f in (operator.add, operator.sub, operator.mul):
        check(f, D, c)
        check(f, c, D)
    check(operator.truediv, D, c)


@pytest.mark.parametrize(
    "program",
    [
        lambda d, x: d.pdf(x) * d.mean + d.stdev,
        lambda d, x: d.cdf(x) + d.variance,
        lambda d, x: (x * d - 1.5).cdf(0.3) + (1.5 - d / x).pdf(0.3),
        lambda d, x: (d + d * 2.0 - OTHER).zscore(x),
        lambda d, x: (d + OTHER).overlap(-d),
        lambda d, x: (np.float64(1.5) * d + x).inv_cdf(0.3),
        lambda d, x: sum(v * v for v in d.quantiles(5)) + d.samples(2, seed=1)[1] * (+d).mode,
        lambda d, x: d.inv_cdf(0.5 * d.cdf(x)) + d.median,
    ],
)
def test_programs(program):
    """With a distribution that is made of traced numbers, differentiated twice."""
    check_program(lambda mu, sigma, x: program(primitive(NormalDist)(mu, sigma), x), 0.4, 1.7, 0.9)


def test_estimates_in_programs():
    """From data to a probability; of a plain distribution at a traced number."""
    check_program(lambda xs: call(NormalDist.from_samples, xs).cdf(1.0), np.array(XS))
    check_program(lambda x: call(D.pdf, x) + call(NormalDist.cdf, D, x) + (x + D).mean, 0.9)


def test_likelihoods():
    """The Hessian of the log-likelihood at the estimate is minus the information of the data."""
    estimate = NormalDist(np.mean(XS), np.std(XS))

    def log_likelihood(parameters):
        d = call(NormalDist, *parameters)
        return sum(np.log(d.pdf(x)) for x in XS)

    at = np.array([estimate.mean, estimate.stdev])
    np.testing.assert_allclose(grad(log_likelihood)(at), np.zeros(2), atol=1e-12)
    expected = -len(XS) / estimate.variance * np.diag([1.0, 2.0])
    np.testing.assert_allclose(hessian(log_likelihood)(at), expected, atol=1e-12)


def test_what_python_refuses():
    """Calls that Python refuses are refused with its words."""
    with pytest.raises(StatisticsError, match="sigma is zero"):
        grad(lambda mu: call(NormalDist, mu, 0.0).pdf(1.0))(1.0)
    with pytest.raises(StatisticsError, match="sigma must be non-negative"):
        grad(lambda mu: call(NormalDist, mu, mu).pdf(1.0))(-1.0)


def test_deviations_of_zero():
    """Samples move with the parameters also where they are all equal."""
    samples = NormalDist().samples(1, seed=3)

    assert grad(lambda sigma: call(NormalDist, 0.5, sigma).samples(1, seed=3)[0])(0.0) == samples[0]
