"""The rules of derivatives and integrals of polynomials, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule
from tests.chainrules.makers.series.bases import in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule, normal

C = normal(4)


@in_every_basis
@pytest.mark.parametrize(
    "options", [(), (2,), (3, 0.5), (0,), (4,), (6,), (1, 2.0), (0, 2.0), (2, -1.5)], ids=str
)
def test_derivatives(basis, options):
    """Of every order, of a function of ``scl x``."""
    check_quickly(basis.primal("der"), C, *options)


@in_every_basis
def test_derivatives_in_every_way(basis):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(basis.primal("der"), C)
    check_rule(basis.primal("der"), C, 2, 1.5)


@in_every_basis
@pytest.mark.parametrize("name", ["der", "int"])
def test_along_an_axis(basis, name):
    """Each column or row is a polynomial."""
    check_quickly(basis.primal(name), normal(3, 4), axis=1)
    check_quickly(basis.primal(name), normal(3, 4), m=2, axis=-1)
    check_quickly(basis.primal(name), normal(3, 4))
    check_quickly(basis.primal(name), normal(3, dtype=complex))
    check_quickly(basis.primal(name), normal(1))


@in_every_basis
def test_options_beside_an_axis(basis):
    """A constant and a bound move the first coefficient of each polynomial."""
    check_quickly(basis.primal("der"), normal(3, 4), 1, 1.5, 1)
    check_quickly(basis.primal("int"), normal(3, 4), 2, np.array([0.7, -0.4]), 0.3, 1.5, 1)
    check_quickly(basis.primal("int"), normal(3, 2), 1, 0.7, 0.3, 1.5, 0)
    check_quickly(basis.primal("int"), normal(2, 3, 2), 1, 0.7, 0.3)


@in_every_basis
def test_complex_options(basis):
    """A complex scale, bound and constant."""
    c = normal(3, dtype=complex)
    check_quickly(basis.primal("der"), c, 2, 1.5 + 0.5j)
    check_quickly(basis.primal("int"), c, 2, np.array([0.7 + 1j, -0.4]), 0.3 - 0.2j, 1.5 + 0.5j)
    check_quickly(basis.primal("int"), c, 2, np.array([0.7, -0.4]), 0.3, 1.5)
    check_quickly(basis.primal("int"), c, 1, 0.7)


@in_every_basis
@pytest.mark.parametrize(
    "options",
    [
        (),
        (2,),
        (0,),
        (1, 0.7),
        (1, np.array([0.7])),
        (2, np.array([0.7, -0.4])),
        (2, np.array([0.7])),
        (2, 0.7, 0.3),
        (3, 0.7, 0.3, 1.5),
        (3, np.array([0.7, -0.4]), 0.3, 1.5),
        (2, [], 0.3),
        (2, np.array([0.7, -0.4]), 0.3, 1.5),
        (1, np.array(0.7), 0.3),
    ],
    ids=str,
)
def test_integrals(basis, options):
    """Of every order, with constants, from a bound, of a function of ``scl x``."""
    check_quickly(basis.primal("int"), C, *options)


@in_every_basis
def test_integrals_in_every_way(basis):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(basis.primal("int"), C)
    check_rule(basis.primal("int"), C, 2, 0.5, 0.3, 1.5)
    check_quickly(basis.primal("int"), C, m=2, k=[1.0, 2.0], lbnd=0.3, scl=0.5)


@in_every_basis
def test_integral_of_zero(basis):
    """NumPy leaves the zero polynomial as short as it is: there is no place for what would change it."""
    f, zero, options = basis.primal("int"), np.array([0.0]), (1, 0.0, 0.0, 1.0, 0)
    for number in range(len(options) + 1):
        _, c_bar, *option_bars = rrule(f, zero, *options[:number])[1](np.ones(1))
        assert isinstance(c_bar, NotImplementedTangent)
        kinds = [NoTangent, *[NotImplementedTangent] * 3, NoTangent]
        assert list(map(type, option_bars)) == kinds[:number]
    assert isinstance(frule((NoTangent(), np.ones(1)), f, zero)[1], NotImplementedTangent)


@in_every_basis
def test_errors_are_numpys(basis):
    """More constants than integrals, and negative orders, raise NumPy's errors."""
    with pytest.raises(ValueError, match="Too many integration constants"):
        rrule(basis.primal("int"), C, 1, [1.0, 2.0])
    for name in ("der", "int"):
        with pytest.raises(ValueError, match="non-negative"):
            rrule(basis.primal(name), C, -1)


def test_a_tangent_of_the_scale_alone():
    """Where the coefficients do not move the derivative is that by the scale."""
    c = np.array([1.0, 2.0, 3.0])
    _, y_dot = frule(
        (NoTangent(), ZeroTangent(), NoTangent(), 1.0), np.polynomial.polynomial.polyder, c, 1, 2.0
    )

    np.testing.assert_array_equal(y_dot, np.polynomial.polynomial.polyder(c))
