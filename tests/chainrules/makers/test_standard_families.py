"""Families that are made of equations."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.probabilities.standard_formulas import Standard
from chainrules.makers.standard_families import family_of

WEIBULL = {
    "log_below": lambda z, c: np.log(-np.expm1(-(z**c))),
    "log_above": lambda z, c: -(z**c),
    "probability": lambda z, c: -np.exp(-(z**c)),
    "slopes": (lambda z, c: np.exp(-(z**c)) * z**c * np.log(z),),
}


def log_density(z, c):
    """Of the distribution of Weibull."""
    return np.log(c) + (c - 1.0) * np.log(z) - z**c


@pytest.mark.parametrize("given", [*WEIBULL, None])
def test_slopes(given):
    """The same, whichever of the equations is there, and by an integral where there is none."""
    formulas = {} if given is None else {given: WEIBULL[given]}
    family = family_of(Standard(log_density, **formulas), 1, (0.0, np.inf))
    h = 1e-5
    above, below = (stats.weibull_min.cdf(1.3, 1.7 + t) for t in (h, -h))
    (slope,) = family.slopes
    assert slope(1.3, 1.7) == pytest.approx((above - below) / (2 * h), rel=1e-8)
    assert family.score(1.3, 1.7) == pytest.approx(0.7 / 1.3 - 1.7 * 1.3**0.7)
    assert not family.ends


def test_ends():
    """Each by each shape, where there are any."""
    family = family_of(Standard(log_density, slopes=(None, None), ends=(None, lambda a, b: a * b)), 2, (0, 1))
    assert [end(p, None, 2.0, 3.0) for end in family.ends for p in (0.0, 1.0)] == [0.0, 3.0, 0.0, 2.0]
