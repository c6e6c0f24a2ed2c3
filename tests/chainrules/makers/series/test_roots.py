"""The rules of roots, and of polynomials made of them, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule
from tests.chainrules.makers.series.bases import in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule, check_rule_in_double, normal

ROOTS = np.array([-0.9, 0.2, 1.1])


@in_every_basis
def test_real_roots(basis):
    """They vary smoothly where they are simple."""
    check_rule_in_double(basis.primal("roots"), basis.primal("fromroots")(ROOTS))
    check_quickly(basis.primal("roots"), normal(2))


@in_every_basis
def test_complex_roots(basis):
    """Of real coefficients, whose cotangent is real, and of complex ones."""
    c = basis.primal("fromroots")(np.array([0.5 + 1j, 0.5 - 1j, 0.3])).real
    check_quickly(basis.primal("roots"), c)
    check_quickly(basis.primal("roots"), normal(4, dtype=complex))


@in_every_basis
def test_no_roots(basis):
    """A constant has none."""
    r, pullback = rrule(basis.primal("roots"), normal(1))

    assert r.shape == (0,)
    np.testing.assert_array_equal(pullback(r)[1], np.zeros(1))
    assert frule((NoTangent(), np.ones(1)), basis.primal("roots"), normal(1))[1].shape == (0,)


@in_every_basis
def test_roots_with_zeros_at_the_end(basis):
    """Another root would come from infinity; those that there are move as ever."""
    c = basis.primal("fromroots")(ROOTS)
    c_dot = normal(5)
    r, r_dot = frule((NoTangent(), c_dot), basis.primal("roots"), np.append(c, 0.0))
    h = 1e-7
    moved = basis.primal("roots")(np.append(c, 0.0) + h * c_dot)
    moved = moved[np.argsort(np.abs(moved))][:3]
    by_differences = (np.sort(moved) - r) / h

    # A difference to one side only, whose error is of the order of its step.
    np.testing.assert_allclose(r_dot, by_differences, rtol=1e-4)


def test_multiple_roots():
    """Their derivative is infinite, and no zero cotangent becomes a NaN."""
    f = np.polynomial.polynomial.polyroots
    r, pullback = rrule(f, np.array([0.0, 0.0, 1.0]))

    assert np.all(pullback(np.zeros_like(r))[1] == 0)
    assert np.isinf(pullback(np.array([1.0, 0.0]))[1][0])


@in_every_basis
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_from_roots(basis, n):
    """Of none to several roots; double ones are no trouble."""
    check_rule(basis.primal("fromroots"), np.linspace(-0.8, 1.0, n))
    check_quickly(basis.primal("fromroots"), normal(n, dtype=complex))
    check_quickly(basis.primal("fromroots"), np.full(n, 0.5))


@in_every_basis
@pytest.mark.parametrize("n", [2, 3, 5])
def test_companion(basis, n):
    """The last column holds the coefficients."""
    check_rule(basis.primal("companion"), normal(n) + 2)
    check_quickly(basis.primal("companion"), normal(n, dtype=complex))


@in_every_basis
def test_companion_with_zeros_at_the_end(basis):
    """The matrix would become larger."""
    c = np.array([1.0, 2.0, 0.0])
    C, pullback = rrule(basis.primal("companion"), c)

    assert isinstance(pullback(C)[1], NotImplementedTangent)
    assert isinstance(frule((NoTangent(), c), basis.primal("companion"), c)[1], NotImplementedTangent)


@in_every_basis
def test_constants(basis):
    """A zero tangent stays one."""
    for name in ("roots", "fromroots", "companion"):
        assert frule((NoTangent(), ZeroTangent()), basis.primal(name), normal(3))[1] == ZeroTangent()
