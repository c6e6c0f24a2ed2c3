"""The rules of the incomplete beta function and its distributions, against finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules_core import NoTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, check_rule_in_double

a, b = np.array([0.7, 3.5]), np.array([2.2, 1.3])
p = np.array([0.3, 0.8])


@pytest.mark.parametrize("f", [special.betainc, special.betaincc], ids=lambda f: f.__name__)
def test_incomplete(f):
    """In both precisions."""
    check_rule(f, a[:1], b, 0.3)
    test_rrule(f, 2.0, 3.0, np.array([0.2, 0.9]))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (special.betaincinv, (a, b, p)),
        (special.betainccinv, (a, b, p)),
        (special.btdtria, (0.3, 2.2, 0.4)),
        (special.btdtrib, (3.5, 0.8, 0.4)),
        (special.bdtrik, (0.3, 7.0, 0.4)),
        (special.bdtrin, (2.0, 0.4, 0.4)),
        (special.nbdtrik, (0.8, 9.5, 0.4)),
        (special.nbdtrin, (3.5, 0.6, 0.4)),
        (special.fdtr, (a, b, 1.5)),
        (special.fdtrc, (a, b, 1.5)),
        (special.fdtri, (a, b, p)),
        (special.stdtr, (a, np.array([-1.3, 0.6]))),
        (special.stdtrit, (a, p)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_distributions(f, args):
    """And their inverses, which SciPy finds to nearly double precision."""
    test_frule(f, *args)
    test_rrule(f, *args)
    test_rrule(f, *(np.float32(np.ravel(arg)[0]) for arg in args), mode="fast")


def test_second_order():
    """Of a quantile and of Student's distribution: through the rules of the integrals."""
    check_rule_in_double(special.betaincinv, np.array([0.7, 4.0]), 2.0, 0.3)
    check_rule_in_double(special.stdtr, np.array([0.7, 4.0]), np.array([-1.3, 0.6]))


@pytest.mark.parametrize(
    ("inverse", "args", "f", "place"),
    [
        (special.fdtridfd, (3.0, 0.55, 1.2), special.fdtr, 1),
        (special.stdtridf, (0.85, 1.2), special.stdtr, 0),
    ],
    ids=["fdtridfd", "stdtridf"],
)
def test_degrees_of_freedom(inverse, args, f, place):
    """Which SciPy finds to 10 digits: by implicit differentiation of the rule for the probability."""
    solved = [*args[:place], float(inverse(*args)), *args[place + 1 :]]
    slopes = [float(bar) for bar in rrule(f, *solved)[1](1.0)[1:]]
    expected = [-slope / slopes[place] for slope in slopes]
    expected[place] = 1 / slopes[place]
    assert [float(bar) for bar in rrule(inverse, *args)[1](1.0)[1:]] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "f", [special.bdtr, special.bdtrc, special.nbdtr, special.nbdtrc], ids=lambda f: f.__name__
)
def test_rounded_numbers(f):
    """Numbers of trials and successes have no tangents."""
    test_frule(f, np.array([0, 2]), 7, p)
    test_rrule(f, np.array([0, 2]), 7, p)
    assert rrule(f, 2, 7, 0.4)[1](1.0)[1:3] == (NoTangent(), NoTangent())


@pytest.mark.parametrize("f", [special.bdtri, special.nbdtri], ids=lambda f: f.__name__)
def test_inverses_of_rounded_numbers(f):
    """By the probability."""
    test_frule(f, 2, 7, p)
    test_rrule(f, 2, 7, p)


def test_certain_success():
    """No more than n of n: whatever the probability."""
    assert float(rrule(special.bdtr, 7, 7, 0.4)[1](1.0)[3]) == 0.0


@pytest.mark.parametrize(
    ("a", "b", "x", "expected"), [(1.0, 2.0, 0.0, 2.0), (2.0, 1.0, 1.0, 2.0), (2.0, 2.0, 0.0, 0.0)]
)
def test_at_the_ends(a, b, x, expected):
    """The limits."""
    assert tuple(map(float, rrule(special.betainc, a, b, x)[1](1.0)[1:])) == pytest.approx(
        (0.0, 0.0, expected)
    )


@pytest.mark.parametrize(("v", "t"), [(3.0, 0.0), (0.5, 30.0), (30.0, 1e-3), (30.0, -6.0), (300.0, 1.0)])
def test_student(v, t):
    """By the degrees of freedom: the derivative of the incomplete beta function, by mpmath."""
    with mpmath.workdps(50):

        def probability(v):
            w = v / (v + mpmath.mpf(t) ** 2)
            half = mpmath.betainc(v / 2, 0.5, 0, w, regularized=True) / 2
            return half if t < 0 else 1 - half

        expected = float(mpmath.diff(probability, mpmath.mpf(v))) if t else 0.0
    assert float(rrule(special.stdtr, v, t)[1](1.0)[1]) == pytest.approx(
        expected, rel=2e-13 * v + 1e-12, abs=0.0
    )


@pytest.mark.parametrize(
    ("inverse", "args"), [(special.bdtrik, (0.001, 7.0, 0.4)), (special.nbdtrik, (0.3, 2.0, 0.8))]
)
def test_no_number_of_events(inverse, args):
    """Where none is likelier than the probability, SciPy returns zero, which is constant."""
    assert inverse(*args) == 0.0
    assert [*map(unthunk, rrule(inverse, *args)[1](1.0))][1:] == [0.0, 0.0, 0.0]


def test_inverses_by_degrees_of_freedom():
    """Of Student's distribution and of Fisher's."""
    for f, args in ((special.stdtridf, (0.3, -1.2)), (special.fdtridfd, (5.0, 0.3, 1.2))):
        test_frule(f, *args)
        test_rrule(f, *args)


@pytest.mark.parametrize(
    ("inverse", "args"),
    [
        (special.stdtridf, (0.85, 0.36)),
        (special.fdtridfd, (3.0, 0.46, 0.43)),
        (special.chndtrinc, (0.87, 12.0, 0.71)),
        (special.ncfdtridfn, (0.92, 45.9, 5.83, 0.38)),
    ],
)
def test_ends_of_the_search(inverse, args):
    """Where no number solves the equation, SciPy returns some, of which a quotient of slopes says nothing."""
    bars = rrule(inverse, *args)[1](1.0)[1:]
    assert all(np.isnan(unthunk(bar)) for bar in bars)


@pytest.mark.parametrize(
    ("inverse", "p", "places"),
    [
        (special.betaincinv, (0.0, 1.0), (0, 1)),
        (special.betainccinv, (0.0, 1.0), (0, 1)),
        (special.fdtri, (0.0,), (0, 1)),
    ],
)
@pytest.mark.parametrize("shapes", [(2.0, 2.0), (0.5, 1.5), (1.0, 3.0), (3.0, 2.0)])
def test_quantiles_at_the_ends(inverse, p, places, shapes):
    """All distributions have the same ones: nothing depends on the shapes."""
    for probability in p:
        bars = rrule(inverse, *shapes, probability)[1](1.0)
        assert [unthunk(bars[1 + place]) for place in places] == [0.0, 0.0]


@pytest.mark.parametrize("f", [special.fdtr, special.fdtrc])
@pytest.mark.parametrize("degrees", [(1.0, 2.0), (0.5, 1.0), (3.0, 2.0)])
def test_the_beginning_of_the_f_distribution(f, degrees):
    """There is nothing below 0, however many degrees of freedom there are."""
    bars = rrule(f, *degrees, 0.0)[1](1.0)
    assert [unthunk(bar) for bar in bars[1:3]] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("n", "m", "x"), [(5.0, 1.0, 1e6), (2.0, 1.5, 1e12), (1.0, 1.0, 1e20), (3.0, 4.0, 20.0)]
)
def test_upper_tail_of_f(n, m, x):
    """It is heavy, and keeps its precision far out, where the incomplete beta function is asked for 1."""

    def survival(n, m, x):
        return mpmath.betainc(m / 2, n / 2, 0, m / (m + n * x), regularized=True)

    with mpmath.workdps(50):
        at = tuple(map(mpmath.mpf, (n, m, x)))
        expected = [
            float(mpmath.diff(survival, at, tuple(int(place == k) for k in range(3)), h=at[place] * 1e-15))
            for place in range(3)
        ]
    slopes = [unthunk(bar) for bar in rrule(special.fdtrc, n, m, x)[1](1.0)[1:]]
    assert slopes == pytest.approx(expected, rel=1e-12, abs=0.0)
    by_p = unthunk(rrule(special.fdtri, n, m, 1 - 1e-12)[1](1.0)[3])
    far = special.fdtri(n, m, 1 - 1e-12)
    assert by_p == pytest.approx(-1 / unthunk(rrule(special.fdtrc, n, m, far)[1](1.0)[3]), rel=1e-12)
    check_rule_in_double(special.fdtrc, n, m, np.array([x, 0.7]))
