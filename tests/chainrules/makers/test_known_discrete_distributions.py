"""Every discrete distribution of SciPy, with every method, against finite differences."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules.makers.known_discrete_distributions import FAMILIES, slope_by_sum
from chainrules.makers.versions import is_scipy_since
from chainrules_core import NoTangent, frule, rrule, unthunk
from tests.chainrules.makers.test_known_distributions import slope_at_zero

METHODS = ("logpmf", "pmf", "cdf", "sf", "logcdf", "logsf")
SHAPES = {
    "bernoulli": (0.3,),
    "betabinom": (5, 2.3, 0.63),
    "betanbinom": (5, 9.3, 1.2),
    "binom": (5, 0.4),
    "boltzmann": (1.4, 19),
    "dlaplace": (0.8,),
    "geom": (0.37,),
    "hypergeom": (30, 12, 6),
    "logser": (0.6,),
    "nbinom": (4.5, 0.4),
    "nchypergeom_fisher": (14, 6, 5, 1.3),
    "nhypergeom": (20, 7, 5),
    "planck": (0.51,),
    "poisson": (0.6,),
    "randint": (7, 31),
    "skellam": (15.0, 8.0),
    "yulesimon": (11.0,),
    "zipf": (6.5,),
    "zipfian": (1.25, 15),
}
PRESENT = [name for name in SHAPES if hasattr(stats, name)]


def test_whole():
    """Every discrete distribution is in the table, but for those by integrals."""
    discrete = {x for x in vars(stats).values() if isinstance(x, stats.rv_discrete)}
    others = {x.name for x in discrete if type(x) not in FAMILIES}
    assert others <= {"nchypergeom_wallenius", "poisson_binom"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", PRESENT)
def test_methods(name, method):
    """By each real shape, at whole numbers, beside them, and where nothing can be."""
    instance, shapes = getattr(stats, name), SHAPES[name]
    bound = getattr(instance, method)
    k = np.unique([*instance.ppf([0.05, 0.4, 0.8, 0.97], *shapes), *instance.ppf([0.5], *shapes) + 0.5])
    low = instance.support(*shapes)[0]
    y, pullback = rrule(bound, k, *shapes)
    bars = pullback(np.ones_like(k))
    np.testing.assert_array_equal(y, bound(k, *shapes))
    for place, shape in enumerate(shapes):
        bar = unthunk(bars[place + 2])
        dots = [NoTangent()] * (2 + len(shapes))
        dots[place + 2] = 1.0
        _, y_dot = frule(tuple(dots), bound, k, *shapes)
        if isinstance(shape, int):
            assert bar == NoTangent()
            continue

        def along(t, place=place, shape=shape):
            with np.errstate(all="ignore"):
                return bound(k, *shapes[:place], shape + t, *shapes[place + 1 :])

        with np.errstate(invalid="ignore"):
            expected = slope_at_zero(along)
        np.testing.assert_allclose(y_dot, np.nan_to_num(expected), rtol=1e-6, atol=1e-8)
        assert bar == pytest.approx(np.sum(y_dot), rel=1e-10)
        if np.isfinite(low):
            assert unthunk(rrule(bound, low - 1.0, *shapes)[1](1.0)[place + 2]) == 0.0


def test_tails():
    """Of probabilities that are much less than rounding is."""
    for name, k, shapes in (
        ("geom", 300.0, (0.37,)),
        ("planck", 200.0, (0.51,)),
        # In SciPy 1.15 its tail is a difference, less than zero at times.
        *([("logser", 80.0, (0.6,))] if is_scipy_since(1, 17) else []),
        ("yulesimon", 1e4, (11.0,)),
    ):
        bound = getattr(stats, name).logsf
        assert bound(k, *shapes) < -40.0
        expected = slope_at_zero(lambda t, bound=bound, k=k, shapes=shapes: bound(k, shapes[0] * (1.0 + t)))
        assert grad(lambda shape, bound=bound, k=k: bound(k, shape))(shapes[0]) == pytest.approx(
            expected / shapes[0], rel=1e-6
        )


def test_sums():
    """From the nearer end; for shapes and numbers that broadcast, and for none."""
    slope = slope_by_sum(stats.binom, lambda k, n, p: k / p - (n - k) / (1.0 - p))
    k, p = np.arange(9.0), np.array([[0.2], [0.7]])
    np.testing.assert_allclose(slope(k, 9, p), -9 * stats.binom.pmf(k, 8, p), rtol=1e-12)
    assert slope(np.zeros(0), 9, 0.3).shape == (0,)
    assert np.isnan(grad(lambda a: stats.betabinom.cdf(2, 5, a, 1.3))(-1.0))
    assert np.isnan(grad(lambda a: stats.zipfian.pmf(2, a, 5))(-1.0))


def test_second_order():
    """By a shape, of a mass and of a probability that is a sum."""
    for method in ("logpmf", "cdf"):
        slope = grad(lambda a, method=method: getattr(stats.betabinom, method)(3, 7, a, 1.3))
        h = 1e-4
        expected = (slope(2.3 + h) - slope(2.3 - h)) / (2 * h)
        assert grad(slope)(2.3) == pytest.approx(expected, rel=1e-6)
