"""The rules of linear functions of coefficients, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule
from tests.chainrules.makers.series.bases import BASES, in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

CONVERSIONS = [
    getattr(basis.module, name)
    for prefix, basis in BASES.items()
    if prefix != "poly"
    for name in (f"poly2{prefix}", f"{prefix}2poly")
]
LINEAR = [*CONVERSIONS, *(basis.primal("mulx") for basis in BASES.values())]


@pytest.mark.parametrize("f", LINEAR)
def test_linear_functions(f):
    """In all precisions, of all lengths."""
    check_rule(f, normal(4))
    check_quickly(f, normal(1))
    check_quickly(f, normal(2, dtype=complex))


@pytest.mark.parametrize("f", LINEAR)
def test_zeros_at_the_end(f):
    """What NumPy drops has no place in the result; a zero tangent stays one."""
    c = np.array([1.0, 2.0, 3.0, 0.0])
    y, pullback = rrule(f, c)

    assert isinstance(pullback(y)[1], NotImplementedTangent)
    assert isinstance(frule((NoTangent(), np.ones(4)), f, c)[1], NotImplementedTangent)
    assert frule((NoTangent(), ZeroTangent()), f, c)[1] == ZeroTangent()


@in_every_basis
def test_lines(basis):
    """Two numbers give the coefficients."""
    check_rule(basis.primal("line"), 0.5, -1.5)
    check_quickly(basis.primal("line"), 0.5 + 1j, 2.0)


@in_every_basis
def test_lines_without_slope(basis):
    """NumPy drops the zero."""
    y, pullback = rrule(basis.primal("line"), 0.5, 0.0)
    _, off_bar, scl_bar = pullback(np.ones(1))

    assert len(y) == 1
    assert off_bar == 1.0
    assert isinstance(scl_bar, NotImplementedTangent)
    dots = (NoTangent(), ZeroTangent(), ZeroTangent())
    assert frule(dots, basis.primal("line"), 0.5, 0.0)[1] == ZeroTangent()


def test_trim():
    """What is below the tolerance has no influence, as long as it stays there."""
    trim = np.polynomial.polynomial.polytrim
    check_rule(trim, normal(3))
    check_rule(trim, np.array([1.0, 2.0, 1e-3, -1e-3]), 0.1)
    check_quickly(trim, np.array([1e-3, 1e-3]), 0.1)
    np.testing.assert_array_equal(rrule(trim, np.array([0.1, 0.05]), 0.1)[1](np.ones(1))[1], np.zeros(2))


def test_trim_of_zeros():
    """A coefficient that is trimmed for being zero would stay if it moved: its tangent is refused."""
    trim, c = np.polynomial.polynomial.polytrim, np.array([1.0, 0.0])
    y, pullback = rrule(trim, c)

    assert isinstance(pullback(y)[1], NotImplementedTangent)
    assert frule((NoTangent(), ZeroTangent()), trim, c)[1] == ZeroTangent()
    assert isinstance(frule((NoTangent(), np.ones(2)), trim, c)[1], NotImplementedTangent)


def test_a_tangent_of_the_tolerance():
    """Which coefficients are dropped does not change with the tolerance, but for jumps."""
    tangents = NoTangent(), ZeroTangent(), 1.0

    assert frule(tangents, np.polynomial.polynomial.polytrim, np.array([1.0, 1e-5]), 1e-3)[1] is ZeroTangent()
