"""The rules of the incomplete gamma function and its distributions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, check_rule_in_double

x = np.array([0.4, 2.5])
p = np.array([0.2, 0.7])


@pytest.mark.parametrize("f", [special.gammainc, special.gammaincc], ids=lambda f: f.__name__)
def test_incomplete(f):
    """On arrays that broadcast, and numbers of all kinds."""
    check_rule(f, x, np.array([[0.5], [3.0]]))
    for kind in (float, np.float32, np.array):
        test_rrule(f, kind(2.0), kind(1.5))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (special.gammaincinv, (x, p)),
        (special.gammainccinv, (x, p)),
        (special.gdtr, (1.3, x, x)),
        (special.gdtrc, (x, 1.7, x)),
        (special.gdtria, (p, x, 1.5)),
        (special.gdtrib, (1.5, p, x)),
        (special.gdtrix, (x, x, p)),
        (special.chdtr, (x, x)),
        (special.chdtrc, (x, x)),
        (special.chdtri, (x, p)),
        (special.chdtriv, (p, x)),
        (special.pdtrik, (np.array([0.3, 0.8]), np.array([2.0, 3.0]))),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_distributions(f, args):
    """And their inverses, which SciPy finds to nearly double precision."""
    test_frule(f, *args)
    test_rrule(f, *args)
    test_rrule(f, *(np.float32(np.ravel(arg)[0]) for arg in args), mode="fast")


def test_second_order():
    """Of a quantile by the shape and the probability: through the rules of the integrals."""
    check_rule_in_double(special.gammaincinv, np.array([0.7, 4.0]), 0.3)


@pytest.mark.parametrize("f", [special.pdtr, special.pdtrc], ids=lambda f: f.__name__)
def test_poisson(f):
    """The number of events is rounded down, and has no tangent."""
    test_frule(f, np.array([0, 3]), x)
    test_rrule(f, np.array([0, 3]), x)
    assert rrule(f, 2.0, 1.5)[1](1.0)[1] == NoTangent()
    assert float(rrule(f, 2.7, 1.5)[1](1.0)[2]) == float(rrule(f, 2.0, 1.5)[1](1.0)[2])


def test_poisson_inverse():
    """By the probability."""
    test_frule(special.pdtri, 3, p)
    test_rrule(special.pdtri, 3, p)


@pytest.mark.parametrize(("a", "expected"), [(1.0, (0.0, 1.0)), (0.5, (0.0, np.inf)), (2.0, (0.0, 0.0))])
def test_at_zero(a, expected):
    """The limits."""
    assert tuple(map(float, rrule(special.gammainc, a, 0.0)[1](1.0)[1:])) == expected


def test_in_plain_code():
    """A constant shape costs no integral, and one that moves has its own derivative."""
    data = np.array([0.5, 1.5, 2.5])
    gradient = grad(lambda a: np.sum(special.gammainc(a, data)))(2.0)
    step = 1e-5
    expected = (np.sum(special.gammainc(2.0 + step, data)) - np.sum(special.gammainc(2.0 - step, data))) / (
        2 * step
    )
    assert gradient == pytest.approx(expected, rel=1e-8)
    test_frule(special.gammainc, np.zeros((0, 2)) + 1.0, 0.5)


def test_no_number_of_events():
    """Where none is likelier than the probability, SciPy returns zero, which is constant."""
    assert special.pdtrik(0.1, 1.0) == 0.0
    assert [*map(unthunk, rrule(special.pdtrik, 0.1, 1.0)[1](1.0))][1:] == [0.0, 0.0]


def test_shape_zero():
    """The limit of small shapes, from the right; nothing is said about the curvature there."""
    for f in (special.gammainc, special.gammaincc):
        at_zero, beside = grad(f, (0, 1))(0.0, 0.5), grad(f, (0, 1))(1e-9, 0.5)
        np.testing.assert_allclose(at_zero, beside, rtol=1e-7, atol=1e-7)
    by_x = grad(special.gammaincc, 1)
    mixed = grad(by_x)
    assert mixed(0.0, 0.5) == pytest.approx(mixed(1e-9, 0.5), rel=1e-7)
    assert np.isnan(grad(grad(special.gammaincc))(0.0, 0.5))


@pytest.mark.parametrize(("inverse", "p"), [(special.gammaincinv, 0.0), (special.gammainccinv, 1.0)])
@pytest.mark.parametrize("a", [0.5, 1.0, 3.0])
def test_quantiles_at_the_beginning(inverse, p, a):
    """All distributions begin at 0."""
    assert unthunk(rrule(inverse, a, p)[1](1.0)[1]) == 0.0
