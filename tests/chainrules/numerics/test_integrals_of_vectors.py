"""Integrals of the components of vectors."""

import math

import numpy as np
import pytest
import scipy.integrate

from chainrules.numerics.integrals_of_vectors import Domain, first_estimates, point_within

SMOOTH = Domain(0.2, 1.5, None, None, {"epsabs": 1e-10, "epsrel": 1e-10})


def test_a_point_within():
    """Between limits of which any may be infinite."""
    for a, b in ((0.0, 1.0), (2.0, math.inf), (-math.inf, 3.0), (-math.inf, math.inf)):
        assert min(a, b) < point_within(a, b) < max(a, b)
    assert point_within(math.inf, 2.0) > 2.0


@pytest.mark.every_case
@pytest.mark.parametrize(
    "domain",
    [
        SMOOTH,
        SMOOTH._replace(a=1.5, b=0.2),
        SMOOTH._replace(is_smooth=True),
        SMOOTH._replace(points=[0.7, 3.0]),
        SMOOTH._replace(b=np.inf),
        SMOOTH._replace(a=np.inf),
        SMOOTH._replace(a=-np.inf),
        SMOOTH._replace(a=np.inf, b=-np.inf),
        SMOOTH._replace(b=0.2),
        SMOOTH._replace(b=np.inf, weight="cos", wvar=2.0),
    ],
)
def test_first_estimates(domain):
    """The places are those that QUADPACK asks for first, and so is the decision that they are enough."""
    asked = []

    def vector(t):
        asked.append(t)
        return np.array([np.exp(-t * t), t * np.exp(-t * t), np.abs(t - 0.7) ** 0.1 / (1.0 + t**4), 0.0])

    y, missing = first_estimates(vector, 4, domain)
    by_rule = set(asked)
    for i in range(4):
        asked.clear()
        expected, _, found, *_ = scipy.integrate.quad(
            lambda t, i=i: vector(t)[i],
            domain.a,
            domain.b,
            points=domain.points,
            weight=domain.weight,
            wvar=domain.wvar,
            full_output=1,
            **domain.options,
        )
        if by_rule and not domain.is_smooth:
            assert (i in missing) == (found["neval"] > len(by_rule))
            assert by_rule <= set(asked)
        assert i in missing or y[i] == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert 2 in missing
    assert first_estimates(vector, 0, domain)[1] == []
