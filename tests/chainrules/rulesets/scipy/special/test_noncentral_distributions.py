"""The rules of noncentral distributions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.makers.versions import is_scipy_since
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double


def test_chi_square():
    """By the quantile, the degrees of freedom and the noncentrality."""
    check_rule_in_double(special.chndtr, 2.0, 3.0, np.array([1.5, 4.0]))
    test_rrule(special.chndtr, 2.0, 3.0, 80.0, rtol=1e-6)


CHI_SQUARE = [(special.chndtrix, (0.4, 3.0, 1.5), 0), (special.chndtridf, (2.0, 0.4, 1.5), 1)]
F = [
    (special.ncfdtridfn, (0.554, 5.0, 1.2, 1.5), 0),
    (special.ncfdtridfd, (3.0, 0.554, 1.2, 1.5), 1),
    (special.ncfdtrinc, (3.0, 5.0, 0.554, 1.5), 2),
    (special.ncfdtri, (3.0, 5.0, 1.2, 0.4), 3),
]
coarse = pytest.mark.skipif(not is_scipy_since(1, 16), reason="SciPy 1.15 solves for it to eight digits")

STUDENT = [
    (special.nctdtridf, (0.55, 0.5, 0.7), 0),
    (special.nctdtrinc, (3.0, 0.55, 0.7), 1),
    (special.nctdtrit, (3.0, 0.5, 0.4), 2),
]


@pytest.mark.parametrize(
    ("f", "inverse", "args", "place"),
    [(special.chndtr, *case) for case in [*CHI_SQUARE, (special.chndtrinc, (2.0, 3.0, 0.4), 2)]]
    + [(special.ncfdtr, *case) for case in F]
    + [(special.nctdtr, *case) for case in STUDENT],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_inverses(f, inverse, args, place):
    """Which SciPy finds to 5 digits or more: by implicit differentiation of the rule for the probability."""
    solved = [*args[:place], float(inverse(*args)), *args[place + 1 :]]
    slopes = [float(bar) for bar in rrule(f, *solved)[1](1.0)[1:]]
    expected = [-slope / slopes[place] for slope in slopes]
    expected[place] = 1 / slopes[place]
    assert [float(bar) for bar in rrule(inverse, *args)[1](1.0)[1:]] == pytest.approx(expected, rel=1e-12)


def test_f():
    """By the quantile, both degrees of freedom and the noncentrality, at which SciPy has 13 digits."""
    test_frule(special.ncfdtr, 3.0, 5.0, 1.2, np.array([1.5, 0.4]))
    test_rrule(special.ncfdtr, 3.0, 5.0, 1.2, np.array([1.5, 0.4]))


def test_no_noncentrality():
    """The central distribution, which may have a derivative by the noncentrality."""
    bars = [float(bar) for bar in rrule(special.chndtr, 2.0, 3.0, 0.0)[1](1.0)[1:]]
    central = [float(bar) for bar in rrule(special.chdtr, 3.0, 2.0)[1](1.0)[1:]]
    assert bars[:2] == pytest.approx(central[::-1])
    assert bars[2] == pytest.approx((special.chdtr(5.0, 2.0) - special.chdtr(3.0, 2.0)) / 2)


def test_student():
    """By the degrees of freedom, the noncentrality and the quantile."""
    test_frule(special.nctdtr, 3.0, 0.5, np.array([0.7, -1.2]))
    test_rrule(special.nctdtr, 3.0, -0.5, np.array([0.7, -1.2]))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("chndtrix", (0.3, 3.0, 0.5)),
        ("chndtridf", (2.0, 0.3, 0.5)),
        ("chndtrinc", (2.0, 3.0, 0.3)),
        ("ncfdtri", (3.0, 5.0, 0.5, 0.4)),
        ("nctdtr", (3.0, 0.5, 0.7)),
        pytest.param("nctdtrit", (3.0, 0.5, 0.4), marks=coarse),
    ],
)
def test_by_differences(name, args):
    """At points where SciPy's inverses are smooth enough to be differenced."""
    test_frule(getattr(special, name), *args)
    test_rrule(getattr(special, name), *args)


@pytest.mark.parametrize(("name", "args"), [("nctdtridf", (0.56, 0.5, 0.7)), ("nctdtrinc", (3.0, 0.3, 0.7))])
def test_by_coarse_differences(name, args):
    """SciPy solves for these parameters to six digits."""
    test_frule(getattr(special, name), *args, rtol=1e-5, atol=1e-5)
    test_rrule(getattr(special, name), *args, rtol=1e-5, atol=1e-5)
