"""The rules of the arithmetic of polynomials, against finite differences."""

import numpy as np
import pytest

from chainrules_core import (
    NoTangent,
    NotImplementedTangent,
    Tangent,
    ZeroTangent,
    add_tangents,
    frule,
    rrule,
    unthunk,
)
from tests.chainrules.makers.series.bases import in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule, normal
from tests.python_calls import functions_run_by

ZEROS_AT_THE_END = np.array([1.0, 2.0, 0.0])


@in_every_basis
@pytest.mark.parametrize("name", ["add", "sub", "mul"])
@pytest.mark.parametrize(("n", "m"), [(3, 3), (2, 4), (4, 2), (1, 3), (1, 1), (5, 4)])
def test_sums_and_products(basis, name, n, m):
    """The rules are right for polynomials of every degree."""
    check_quickly(basis.primal(name), normal(n), normal(m, seed=1))


@in_every_basis
@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_sums_and_products_in_every_way(basis, name):
    """In single precision, with gaps, differentiated twice, complex."""
    check_rule(basis.primal(name), normal(3), normal(2, seed=1))
    check_quickly(basis.primal(name), normal(3, dtype=complex), normal(2, seed=1))
    check_quickly(basis.primal(name), normal(2), normal(3, dtype=complex))


def test_products_are_not_padded():
    """A cotangent of a whole product is as long as it has to be."""
    a, b, c = normal(3), normal(2), normal(4)
    run = functions_run_by(lambda: unthunk(rrule(np.polynomial.chebyshev.chebmul, a, b)[1](c)[1]))

    assert "pairings" in run
    assert "scatter" not in run


@in_every_basis
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_powers(basis, n):
    """The power zero is a constant."""
    check_quickly(basis.primal("pow"), normal(3), n)
    check_quickly(basis.primal("pow"), normal(2, dtype=complex), n, 8)


@in_every_basis
def test_powers_in_every_way(basis):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(basis.primal("pow"), normal(3), 3)


@in_every_basis
@pytest.mark.parametrize(("n", "m"), [(5, 3), (3, 3), (4, 1), (2, 4), (3, 4), (4, 2), (1, 1)])
def test_quotients(basis, n, m):
    """Both results have right rules, for polynomials of every degree."""
    check_quickly(basis.primal("div"), normal(n), normal(m, seed=1))


@in_every_basis
def test_quotients_of_complex_polynomials(basis):
    """The cotangent of real coefficients is real."""
    check_quickly(basis.primal("div"), normal(4, dtype=complex), normal(2, seed=1))
    check_quickly(basis.primal("div"), normal(4), normal(2, dtype=complex))


@in_every_basis
def test_quotients_and_remainders_apart(basis):
    """A cotangent of one result alone is pulled back; those of both add up."""
    for n, m in ((5, 3), (4, 1), (2, 3)):
        (q, r), pullback = rrule(basis.primal("div"), normal(n), normal(m, seed=1))
        q_bar, r_bar, zero = np.ones_like(q), np.ones_like(r), ZeroTangent()
        by_q, by_r, by_both = (
            pullback(Tangent[tuple](*bars))[1:] for bars in ((q_bar, zero), (zero, r_bar), (q_bar, r_bar))
        )
        for part, other, whole in zip(by_q, by_r, by_both, strict=True):
            np.testing.assert_allclose(add_tangents(part, other), whole, atol=1e-12)


@in_every_basis
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("name", ["mul", "div"])
def test_zeros_at_the_end(basis, name, place):
    """NumPy drops them, and there is no place for what they would change; the other factor has no trouble."""
    f, operands = basis.primal(name), [normal(2), normal(2)]
    dots = [ZeroTangent(), ZeroTangent()]
    operands[place], dots[place] = ZEROS_AT_THE_END, np.ones(3)
    y, pullback = rrule(f, *operands)
    bars = list(map(unthunk, pullback(y if name == "mul" else Tangent[tuple](*y))[1:]))
    _, y_dot = frule((NoTangent(), *dots), f, *operands)

    assert isinstance(bars[place], NotImplementedTangent)
    assert name == "div" or bars[1 - place].shape == (2,)
    assert isinstance(y_dot, NotImplementedTangent)


@in_every_basis
def test_sums_that_cancel(basis):
    """What NumPy drops from the result has no cotangent; a shorter operand has."""
    cancelling = np.array([1.0, 2.0]), np.array([1.0, -2.0])
    _, pullback = rrule(basis.primal("add"), *cancelling)
    along = (NoTangent(), np.ones(2), np.array([1.0, -1.0]))
    across = (NoTangent(), np.ones(2), np.ones(2))
    _, _, c_bar = rrule(basis.primal("add"), ZEROS_AT_THE_END, normal(3))[1](np.ones(3))

    assert isinstance(pullback(np.ones(1))[1], NotImplementedTangent)
    assert isinstance(frule(across, basis.primal("add"), *cancelling)[1], NotImplementedTangent)
    np.testing.assert_array_equal(frule(along, basis.primal("add"), *cancelling)[1], [2.0])
    np.testing.assert_array_equal(c_bar, np.ones(3))


@in_every_basis
def test_exact_quotients(basis):
    """The quotient is differentiable by itself; of the remainder NumPy drops what is zero."""
    divisor = np.array([1.0, 2.0, 0.5])
    product = basis.primal("mul")(np.array([1.0, 4.0]), divisor)
    (q, r), pullback = rrule(basis.primal("div"), product, divisor)
    if len(r) > 1:
        pytest.skip("rounding leaves a remainder")

    assert pullback(Tangent[tuple](np.ones_like(q), ZeroTangent()))[1].shape == product.shape
    assert isinstance(pullback(Tangent[tuple](np.ones_like(q), np.ones_like(r)))[1], NotImplementedTangent)


@in_every_basis
def test_constants(basis):
    """A zero tangent stays one."""
    zeros = (NoTangent(), ZeroTangent(), ZeroTangent())
    for name in ("add", "sub", "mul", "div"):
        assert frule(zeros, basis.primal(name), normal(3), normal(2))[1] == ZeroTangent()
    assert frule(zeros, basis.primal("pow"), normal(3), 2)[1] == ZeroTangent()


@in_every_basis
def test_errors_are_numpys(basis):
    """Division by zero and powers that are too high raise NumPy's errors."""
    with pytest.raises(ZeroDivisionError):
        rrule(basis.primal("div"), normal(3), np.zeros(1))
    with pytest.raises(ValueError, match="too large"):
        rrule(basis.primal("pow"), normal(3), 3, 2)
