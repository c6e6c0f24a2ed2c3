"""The rules of NumPy's older polynomials, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import jvp
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    Tangent,
    ZeroTangent,
    frule,
    rrule,
    unthunk,
)
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import (
    check_kinds,
    check_quickly,
    check_rule,
    check_rule_in_double,
    check_zeros_are_strong,
    normal,
    positive,
)
from tests.chainrules.structured_checks import check_symmetric

X = np.array([-0.9, -0.4, 0.1, 0.5, 0.8, 1.3])
ZERO_FIRST = np.array([0.0, 1.0, 2.0])


def test_polyval():
    """Of constants, lines and more, at one point and at many."""
    check_rule(np.polyval, normal(4), X)
    check_rule(np.polyval, normal(1), X)
    check_rule(np.polyval, normal(3), 0.5)
    check_quickly(np.polyval, normal(3), np.array(0.5))
    check_quickly(np.polyval, normal(3), X.reshape(2, 3))
    check_quickly(np.polyval, normal(3), normal(0))
    check_quickly(np.polyval, normal(3, dtype=complex), X)
    check_quickly(np.polyval, normal(3), normal(2, dtype=complex))


def test_polyval_of_several_polynomials():
    """NumPy takes them, as it happens; the newer function says what it does. No mode answers."""
    with pytest.raises(TypeError, match=r"several polynomials.*polynomial\.polyval"):
        rrule(np.polyval, normal(3, 2), 0.5)
    with pytest.raises(TypeError, match=r"several polynomials.*polynomial\.polyval"):
        frule((NoTangent(), NoTangent(), normal(2)), np.polyval, normal(3, 2), normal(2))


def test_polyfit():
    """By points, values and weights; of one or several columns."""
    check_rule_in_double(np.polyfit, X, normal(6), 2)
    check_quickly(np.polyfit, X, normal(6), 0)
    check_quickly(np.polyfit, X, normal(6, 2), 2)
    check_quickly(np.polyfit, X, normal(6), 2, None, False, positive(6))
    check_quickly(np.polyfit, X, normal(6), 2, w=positive(6))


@pytest.mark.parametrize("options", [{"full": True}, {"cov": True}])
def test_polyfit_refuses_statistics(options):
    """They have no rules, and are not dropped silently."""
    with pytest.raises(TypeError, match=r"np\.polyfit.*cannot be differentiated"):
        rrule(np.polyfit, X, normal(6), 2, **options)


@pytest.mark.parametrize("f", [np.polyadd, np.polysub, np.polymul])
@pytest.mark.parametrize(("n", "m"), [(3, 3), (2, 4), (4, 2), (1, 1)])
def test_sums_and_products(f, n, m):
    """Of all degrees."""
    check_rule(f, normal(n), normal(m, seed=1))
    check_kinds(f, normal(n), normal(m, seed=1))


@pytest.mark.parametrize("f", [np.polyadd, np.polysub])
def test_sums_with_numbers(f):
    """A number is a polynomial of degree zero."""
    check_rule(f, 0.5, normal(3))
    check_quickly(f, normal(3), np.array(0.5))
    check_quickly(f, 2, normal(1))


def test_sums_keep_zeros():
    """Unlike those of `numpy.polynomial`."""
    check_quickly(np.polyadd, np.array([1.0, 2.0]), np.array([-1.0, 2.0]))


def test_products_drop_zeros():
    """There is no place for what they would change; the other factor has no trouble."""
    y, pullback = rrule(np.polymul, ZERO_FIRST, normal(2))
    zeros_bar, other_bar = map(unthunk, pullback(y)[1:])
    _, y_dot = frule((NoTangent(), np.ones(3), ZeroTangent()), np.polymul, ZERO_FIRST, normal(2))

    assert isinstance(zeros_bar, NotImplementedTangent)
    assert other_bar.shape == (2,)
    assert isinstance(y_dot, NotImplementedTangent)


def test_zeros_that_are_dropped_and_stay_zero():
    """Nothing is lost where the coefficients that are dropped have no tangent, as in a constant."""
    p, q, q_dot = np.array([0.0, 0.0, 2.0]), normal(2), normal(2)
    for p_dot in (ZeroTangent(), np.array([0.0, 0.0, 3.0])):
        y, y_dot = frule((NoTangent(), p_dot, q_dot), np.polymul, p, q)
        dots = 0.0 if isinstance(p_dot, ZeroTangent) else 3.0
        np.testing.assert_allclose(y_dot, 2.0 * q_dot + dots * q)
        assert y_dot.shape == y.shape
    zero = np.zeros(1)  # which is kept
    np.testing.assert_array_equal(frule((NoTangent(), zero + 3.0, q_dot), np.polymul, zero, q)[1], 3.0 * q)
    with pytest.raises(DerivativeNotImplementedError, match="drops the first"):
        jvp(lambda k: jvp(lambda k: np.polymul(np.stack([k**2, k]), q), (k,), (1.0,))[1], (0.0,), (1.0,))


@pytest.mark.parametrize("options", [(), (0,), (2,), (4,), (6,)])
def test_polyder(options):
    """Of every order, until nothing is left."""
    check_rule(np.polyder, normal(4), *options)
    check_quickly(np.polyder, normal(4, dtype=complex), *options)


@pytest.mark.parametrize(
    "options",
    [
        (),
        (0,),
        (2,),
        (1, 0.5),
        (2, 0.5),
        (3, np.array([0.5, -0.3, 0.7])),
        (2, np.array([0.5, -0.3])),
        (1, np.array([0.5, 0.7])),
    ],
    ids=str,
)
def test_polyint(options):
    """Of every order, with constants, of which there may be too many."""
    check_rule(np.polyint, normal(3), *options)
    check_quickly(np.polyint, normal(3, dtype=complex), *options)


def test_polyint_with_a_list_of_constants():
    """As its methods have it."""
    check_quickly(np.polyint, normal(3), 2, [0.5, 1.5])
    check_quickly(np.polyint, normal(3), 2, k=[0.5, 1.5])


@pytest.mark.parametrize(
    "program",
    [
        lambda p, q: p(0.3) * q(p(0.4)),
        lambda p, q: (p + q - p * q)(0.3) + (-p)(0.4),
        lambda p, q: (p**3)(0.3) + (p * q.c[0] + q[1])(0.4) + (2.5 - p / 2.0)(0.5),
        lambda p, q: p.deriv()(0.3) + p.deriv(2)(0.4) + p.integ()(0.5) + q.integ(2, [p[0], 1.5])(0.6),
        lambda p, q: np.sum(np.abs(p.roots) ** 2) + np.sum(q.coeffs**2),
    ],
)
def test_instances_of_poly1d(program):
    """Hold traced coefficients, and compute with them by functions that have rules; differentiated twice."""
    check_program(lambda c, d: program(np.poly1d(c), np.poly1d(d)), normal(4), normal(3, seed=1))


@pytest.mark.parametrize(("n", "m"), [(5, 3), (3, 3), (4, 1), (2, 4), (1, 1)])
def test_polydiv(n, m):
    """Both results, of all degrees."""
    check_quickly(np.polydiv, normal(n), normal(m, seed=1))
    check_kinds(np.polydiv, normal(n), normal(m, seed=1))


def test_polydiv_without_remainder():
    """The quotient is differentiable by itself; of the remainder NumPy drops what is zero."""
    u, v = np.array([1.0, 3.0, 3.0, 1.0]), np.array([1.0, 2.0, 1.0])
    _, pullback = rrule(np.polydiv, u, v)
    dots = (NoTangent(), normal(4), ZeroTangent())

    assert pullback(Tangent[tuple](np.ones(2), ZeroTangent()))[1].shape == (4,)
    assert isinstance(pullback(Tangent[tuple](np.ones(2), np.ones(1)))[1], NotImplementedTangent)
    assert isinstance(frule(dots, np.polydiv, u, v)[1][1], NotImplementedTangent)


def test_polydiv_with_a_whole_remainder():
    """Where NumPy drops no coefficient, the remainder's tangent is what the quotient's leaves."""
    u, v, u_dot = normal(4), normal(3, seed=1), normal(4, seed=2)

    _, (q_dot, r_dot) = frule((NoTangent(), u_dot, ZeroTangent()), np.polydiv, u, v)

    assert r_dot.shape == (2,)
    assert rrule(np.polydiv, u, v)[1]((q_dot, r_dot))[1].shape == (4,)
    np.testing.assert_allclose(np.polyadd(np.polymul(q_dot, v), r_dot), u_dot)


def test_roots():
    """Real and complex ones, and those at zero."""
    check_rule_in_double(np.roots, np.poly([-0.9, 0.2, 1.1]))
    check_quickly(np.roots, np.array([1.0, 2.0]))
    check_quickly(np.roots, normal(4, dtype=complex))
    check_quickly(np.roots, normal(3, dtype=np.complex64))
    check_quickly(np.roots, np.array([1.0, 2.0], np.float32))


def test_multiple_roots():
    """Their derivative is infinite, and no zero cotangent becomes a NaN."""
    r, pullback = rrule(np.roots, np.array([1.0, 0.0, 0.0]))

    assert np.all(pullback(np.zeros_like(r))[1] == 0)
    assert np.isinf(pullback(np.array([1.0, 0.0]))[1][-1])


@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_poly_of_roots(n):
    """Of none to several roots; double ones are no trouble."""
    if n:
        check_rule(np.poly, np.linspace(-0.8, 1.0, n))
        check_quickly(np.poly, normal(n, dtype=complex))
    check_quickly(np.poly, np.full(n, 0.5))


def test_poly_of_matrices():
    """The characteristic polynomial, also where eigenvalues coincide."""
    check_rule_in_double(np.poly, normal(3, 3))
    check_quickly(np.poly, np.diag([1.0, 2.0, 2.0]))
    check_quickly(np.poly, normal(3, 3, dtype=complex))
    check_quickly(np.poly, normal(1, 1))
    check_symmetric(np.poly)


def test_constants():
    """A zero tangent stays one."""
    zeros = (NoTangent(), ZeroTangent(), ZeroTangent())
    for f in (np.polyadd, np.polysub, np.polymul, np.polydiv):
        assert frule(zeros, f, normal(3), normal(2))[1] == ZeroTangent()
    for f in (np.roots, np.poly, np.polyder, np.polyint):
        assert frule(zeros[:2], f, normal(3))[1] == ZeroTangent()
    assert frule(zeros, np.polyval, normal(3), X)[1] == ZeroTangent()


@pytest.mark.parametrize("undefined", [np.nan, np.inf])
def test_undefined_values_that_nothing_depends_on(undefined):
    """Their zero cotangents are strong."""
    check_zeros_are_strong(np.polyval, normal(4), np.array([0.5, undefined, 2.0]))
