"""The noncentral distributions of chi-square and F, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from chainrules.ad import grad
from chainrules.formulas.probabilities import noncentral_mixtures as formulas
from chainrules_testutils import jacobian

CHI = (formulas.chi_score, formulas.chi_score_of_df, formulas.chi_score_of_nc)
F = (formulas.f_score, formulas.f_score_of_n, formulas.f_score_of_m, formulas.f_score_of_nc)


def log_chi(x, v, nc):
    """By a Bessel function: https://dlmf.nist.gov/10.25.E2."""
    bessel = mpmath.besseli(v / 2 - 1, mpmath.sqrt(nc * x))
    return -(x + nc) / 2 + (v / 4 - mpmath.mpf(1) / 2) * mpmath.log(x / nc) + mpmath.log(bessel)


def log_f(x, n, m, nc):
    """By a confluent hypergeometric function."""
    y = n * x / (m + n * x)
    series = mpmath.hyp1f1((n + m) / 2, n / 2, nc * y / 2)
    powers = (n / 2 - 1) * mpmath.log(y) + (m / 2 - 1) * mpmath.log(1 - y)
    size = n * m / (m + n * x) ** 2 / mpmath.beta(n / 2, m / 2)
    return powers - nc / 2 + mpmath.log(series * size)


def slopes(f, args):
    """By all arguments."""
    with mpmath.workdps(40):
        exact = list(map(mpmath.mpf, args))
        return [
            float(mpmath.diff(lambda t, i=i: f(*exact[:i], t, *exact[i + 1 :]), exact[i]))
            for i in range(len(args))
        ]


@pytest.mark.parametrize(
    "args",
    [
        (1.0, 3.0, 2.0),
        (400.0, 3.0, 2.0),
        (1e-3, 0.5, 30.0),
        (2e3, 10.0, 1e3),
        (1.0, 3.0, 1e-6),
        (2e4, 1e4, 1e4),
    ],
)
def test_chi_square(args):
    """In both tails, with a noncentrality of any size."""
    assert [score(*args) for score in CHI] == pytest.approx(slopes(log_chi, args), rel=1e-12)


@pytest.mark.parametrize(
    "args",
    [
        (1.0, 3.0, 5.0, 2.0),
        (100.0, 3.0, 5.0, 2.0),
        (1e-3, 0.5, 4.0, 30.0),
        (200.0, 10.0, 7.0, 1e3),
        (1.5, 1e3, 1e3, 1e4),
    ],
)
def test_f(args):
    """In both tails, with a noncentrality of any size."""
    assert [score(*args) for score in F] == pytest.approx(slopes(log_f, args), rel=1e-12)


def test_no_noncentrality():
    """The derivative by it is that of the central mixture."""
    assert formulas.chi_score_of_nc(2.0, 3.0, 0.0) == pytest.approx(0.5 * (2.0 / 3.0 - 1.0))
    assert formulas.f_score_of_nc(2.0, 3.0, 5.0, 0.0) == pytest.approx(0.5 * (6.0 / 11.0 * 8.0 / 3.0 - 1.0))


@pytest.mark.parametrize("args", [(1.0, 3.0, 2.0), (40.0, 3.0, 30.0), (5.0, 0.5, 0.0)])
def test_slopes_of_chi_square(args):
    """Of the probability, by all arguments: against SciPy's density, and finite differences."""
    by_x, by_df, by_nc = (
        jacobian(None, lambda t, i=i: stats.ncx2.cdf(*args[:i], t, *args[i + 1 :]), args[i])[0].item()
        for i in range(3)
    )
    assert formulas.chi_density(*args) == pytest.approx(by_x, rel=1e-7)
    assert formulas.chi_by_df(*args) == pytest.approx(by_df, rel=1e-7)
    if args[2]:
        assert formulas.chi_by_nc(*args) == pytest.approx(by_nc, rel=1e-7)


@pytest.mark.parametrize("args", [(3.0, 5.0, 2.0, 1.3), (0.5, 4.0, 30.0, 60.0), (10.0, 7.0, 1e3, 90.0)])
def test_slopes_of_f(args):
    """Of the probability, by all arguments."""
    n, m, nc, x = args
    by_n, by_m, by_nc, by_x = (
        jacobian(None, lambda t, i=i: special.ncfdtr(*args[:i], t, *args[i + 1 :]), args[i])[0].item()
        for i in range(4)
    )
    assert formulas.f_by_x(n, m, nc, x) == pytest.approx(by_x, rel=1e-6)
    assert formulas.f_by_n(n, m, nc, x) == pytest.approx(by_n, rel=1e-6)
    assert formulas.f_by_m(n, m, nc, x) == pytest.approx(by_m, rel=1e-6)
    assert formulas.f_by_nc(n, m, nc, x) == pytest.approx(by_nc, rel=1e-6)


@pytest.mark.parametrize("nc", [0.0, 3.0, 50.0, 2e4, [1.0, 400.0], [np.inf, 400.0]])
@np.errstate(invalid="ignore")  # as rules have it
def test_number_of_terms(nc, monkeypatch):
    """All that matter, of all elements, and not many more."""
    numbers = []

    def spy(n, a, x):
        numbers.append(np.unique(a) - 1.0)
        return np.ones_like(a)

    monkeypatch.setattr(formulas, "gamma_density", spy)
    assert formulas.chi_density(1.0, np.full(np.shape(nc), 2.0), np.array(nc)).shape == np.shape(nc)
    means = 0.5 * np.nan_to_num(np.ravel(nc), posinf=0.0)
    ((first, *_, last),) = numbers
    assert stats.poisson.sf(last, means).max() < 1e-17
    assert stats.poisson.cdf(first - 1, means).max() < 1e-17
    assert max(0.0, means.min() - 10 * np.sqrt(means.min()) - 30) <= first <= last
    assert last < means.max() + 9.5 * np.sqrt(means.max()) + 31


def test_no_elements():
    """Arrays without elements have derivatives without elements."""
    none = np.ones(0)
    assert formulas.chi_density(1.0, 3.0, none).shape == formulas.chi_score(1.0, 3.0, none).shape == (0,)


def test_arrays():
    """Arguments broadcast, and have derivatives themselves."""
    x = np.array([0.5, 40.0])
    nc = np.array([[1.0], [80.0]])
    for i in (0, 1):
        for j in (0, 1):
            np.testing.assert_allclose(
                formulas.chi_score_of_df(x, 3.0, nc)[i, j], formulas.chi_score_of_df(x[j], 3.0, nc[i, 0])
            )
    for score, args in (
        (formulas.chi_score_of_nc, (2.0, 3.0, 1.5)),
        (formulas.f_score, (2.0, 3.0, 5.0, 1.5)),
    ):
        for place in range(len(args)):

            def along(t, score=score, args=args, place=place):
                return score(*args[:place], t, *args[place + 1 :])

            (expected,) = jacobian(None, along, args[place])
            assert grad(along)(args[place]) == pytest.approx(float(expected[0, 0]), rel=1e-8)
