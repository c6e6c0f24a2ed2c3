"""The noncentral distribution of Student, against mpmath's integrals over the estimated deviation."""

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from chainrules.ad import grad
from chainrules.formulas.probabilities import noncentral_student as formulas
from chainrules_testutils import jacobian

SCORES = (formulas.score, formulas.score_of_df, formulas.score_of_nc)


def expected(x, v, nc):
    """The derivatives of the logarithm of the density, and those of the probability."""
    x, v, nc = map(mpmath.mpf, (x, v, nc))
    peak = (x * nc + mpmath.sqrt((x * nc) ** 2 + 4 * (v + x * x) * (v + 1))) / (2 * (v + x * x))
    width = 1 / mpmath.sqrt(2 * v)
    spread = (-8, -3, -1, 0, 1, 3, 8)
    points = {max(mpmath.mpf("1e-30"), c + k * width) for c in (1, peak) for k in spread}
    points = sorted(points | {mpmath.mpf(0), max(1, peak) + 60 * width + 3})

    def mean(g):
        constant = mpmath.log(2) + v / 2 * mpmath.log(v / 2) - mpmath.loggamma(v / 2)
        return mpmath.quad(
            lambda s: mpmath.exp(constant + (v - 1) * mpmath.log(s) - v * s * s / 2) * g(s), points
        )

    def by_v(s):
        return (mpmath.log(v / 2) - mpmath.psi(0, v / 2) + 1 - s * s) / 2 + mpmath.log(s)

    def weight(s):
        return s * mpmath.npdf(x * s - nc)

    f = mean(weight)
    side = 1 if x < nc else -1
    return (
        mean(lambda s: -s * (x * s - nc) * weight(s)) / f,
        mean(lambda s: by_v(s) * weight(s)) / f,
        mean(lambda s: (x * s - nc) * weight(s)) / f,
        side * mean(lambda s: by_v(s) * mpmath.ncdf(side * (x * s - nc))),
        -mean(lambda s: mpmath.npdf(x * s - nc)),
        f,
    )


@pytest.mark.parametrize(
    "args", [(0.5, 3.0, 1.0), (-10.0, 2.0, 3.0), (0.3, 0.3, -1.0), (-5.0, 50.0, 4.0), (100.0, 1.0, 0.0)]
)
def test_derivatives(args):
    """In the middle and in both tails, of few and of many degrees of freedom."""
    every = (*SCORES, formulas.slope_of_df, formulas.slope_of_nc, formulas.slope_of_x)
    with mpmath.workdps(30):
        wanted = [float(value) for value in expected(*args)]
    assert [f(*args) for f in every] == pytest.approx(wanted, rel=1e-11)


@pytest.mark.parametrize(
    "args",
    [
        (1.3, 4.0, 0.0),
        (-10.0, 2.0, 0.0),
        (1e-3, 50.0, 0.0),
        (3.0, 1e4, 0.0),
        (-3.0, 4.0, 9.0),
        (2.0, 4.0, 3.0),
    ],
)
def test_nodes(args, monkeypatch):
    """They reach to where both densities have fallen by the exponential of 42, and no farther."""
    x, v, nc = args
    side = 1.0 if x < nc else -1.0  # of the lesser tail
    nodes = []
    ndtr = special.ndtr

    def spy(w):
        nodes.append(np.log((side * w + nc) / x).ravel())
        return ndtr(w)

    monkeypatch.setattr(formulas.special, "ndtr", spy)
    formulas.slope_of_df(*args)
    (u,) = nodes

    def reach(power, curvature, linear):
        """By how much ``s^power exp(-curvature s²/2 + linear s)`` has fallen at both ends, and its width."""

        def log_density(u):
            return power * u - 0.5 * curvature * np.exp(2.0 * u) + linear * np.exp(u)

        inner = np.linspace(u[0], u[-1], 10**5)
        peak = np.exp(inner[np.argmax(log_density(inner))])
        return np.max(log_density(inner)) - log_density(u[[0, -1]]), (power + curvature * peak**2) ** -0.5

    falls, widths = zip(reach(v, v, 0.0), reach(v + 1.0, v + x * x, x * nc), strict=True)
    assert np.minimum(*falls) == pytest.approx(42.0, abs=1e-6)
    assert 0.9 < (u[1] - u[0]) / min(0.11, 0.4 * min(widths)) <= 1.0 + 1e-9


def test_many_degrees_of_freedom():
    """The normal distribution's, nearly."""
    assert formulas.score(1.0, 1e6, 0.5) == pytest.approx(-0.5, rel=1e-5)
    assert formulas.score_of_nc(1.0, 1e6, 0.5) == pytest.approx(0.5, rel=1e-5)
    by_df = [stats.nct.logpdf(1.0, v, 0.5) for v in (900.0, 1100.0)]
    assert formulas.score_of_df(1.0, 1e3, 0.5) == pytest.approx((by_df[1] - by_df[0]) / 200, rel=0.02)


def test_second_order():
    """Functions of arrays that broadcast have derivatives themselves."""
    assert formulas.score(np.ones(2), 3.0, np.ones((3, 1))).shape == (3, 2)
    for f in (*SCORES, formulas.slope_of_df, formulas.slope_of_nc):
        for place in range(3):
            args = [1.3, 4.0, 0.7]

            def along(t, f=f, args=args, place=place):
                return f(*args[:place], t, *args[place + 1 :])

            (wanted,) = jacobian(None, along, args[place])
            assert grad(along)(args[place]) == pytest.approx(float(wanted[0, 0]), rel=1e-8)


def test_extremes():
    """As many degrees of freedom as there may be; and NaN where there would have to be too many nodes."""
    assert formulas.score(1.0, 1e100, 0.5) == pytest.approx(-0.5)
    assert np.isnan(formulas.slope_of_df(np.array([1e7]), 0.1, 1e5)).all()
    assert np.isnan(formulas.score(1.0, np.inf, 0.5))
