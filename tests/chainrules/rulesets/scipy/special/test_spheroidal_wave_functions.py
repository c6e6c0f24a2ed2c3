"""The rules of spheroidal wave functions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, frule, rrule, unthunk
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double

# Each with its form for characteristic values that are given, with these values, and with points and modes at
# which SciPy's values are right.
FUNCTIONS = [
    (special.pro_ang1, special.pro_ang1_cv, special.pro_cv, np.array([0.4, -0.7]), (1, 3, 1.5)),
    (special.pro_rad1, special.pro_rad1_cv, special.pro_cv, np.array([1.4, 3.0]), (1, 3, 1.5)),
    (special.pro_rad2, special.pro_rad2_cv, special.pro_cv, np.array([1.4, 2.0]), (0, 1, 3.0)),
    (special.obl_ang1, special.obl_ang1_cv, special.obl_cv, np.array([0.4, -0.7]), (1, 3, 1.5)),
    (special.obl_rad1, special.obl_rad1_cv, special.obl_cv, np.array([0.5, 3.0]), (1, 3, 1.5)),
    (special.obl_rad2, special.obl_rad2_cv, special.obl_cv, np.array([2.0, 3.0]), (0, 0, 1.5)),
]
VALUES = [special.pro_cv, special.obl_cv]
SEQUENCES = [(special.pro_cv_seq, special.pro_cv), (special.obl_cv_seq, special.obl_cv)]


@pytest.mark.parametrize("f", VALUES)
def test_characteristic_values(f):
    """By c of several sizes, with second derivatives; in single precision SciPy never returns."""
    check_rule_in_double(f, 1, np.array([[1], [2], [5]]), np.array([0.7, 3.2]))
    for c in (12.0, np.zeros((0, 1))):
        test_frule(f, 0, 2, c)
        test_rrule(f, 0, 2, c)
    assert rrule(f, 1, 2, 0.5)[1](1.0)[1:3] == (NoTangent(), NoTangent())
    assert grad(f, 2)(1, 2, 0.0) == 0.0


@pytest.mark.parametrize("f", VALUES)
@pytest.mark.parametrize(("m", "n", "c"), [(1.5, 2, 1.0), (2, 1, 1.0), (-1, 1, 1.0)])
def test_what_has_no_characteristic_value(f, m, n, c):
    """The derivative is NaN, too, and spoils no other element."""
    bars = unthunk(rrule(f, np.array([m, 0]), np.array([n, 2]), np.array([c, 1.0]))[1](np.ones(2))[3])
    assert np.isnan(bars[0])
    assert bars[1] == pytest.approx(grad(f, 2)(0, 2, 1.0))


@pytest.mark.parametrize(("f", "of_one"), SEQUENCES)
def test_sequences_of_characteristic_values(f, of_one):
    """Each is that of its degree."""
    test_frule(f, 1, 4, 2.0)
    test_rrule(f, 1, 4, 2.0)
    _, slopes = frule((NoTangent(), NoTangent(), NoTangent(), 1.0), f, 1, 4, 2.0)
    np.testing.assert_allclose(slopes, [grad(of_one, 2)(1, n, 2.0) for n in (1, 2, 3, 4)])


@pytest.mark.parametrize(("f", "with_value", "characteristic", "x", "modes"), FUNCTIONS)
def test_functions(f, with_value, characteristic, x, modes):
    """Both results by x, also of the forms with a characteristic value, which is a constant."""
    m, n, c = modes
    constants = PrimalAndTangent(c, NoTangent()), PrimalAndTangent(characteristic(*modes), NoTangent())
    for function, given in ((f, constants[:1]), (with_value, constants)):
        for at in (x, float(x[0])):
            test_frule(function, m, n, *given, at)
            test_rrule(function, m, n, *given, at)


@pytest.mark.parametrize(("f", "with_value", "characteristic", "x", "modes"), FUNCTIONS)
def test_by_parameters(f, with_value, characteristic, x, modes):
    """A message says that there is no rule."""
    m, n, c = modes
    with pytest.raises(DerivativeNotImplementedError, match="by c"):
        grad(lambda c: f(m, n, c, x[0])[0])(c)
    with pytest.raises(DerivativeNotImplementedError, match="characteristic value"):
        grad(lambda value: with_value(m, n, c, value, x[0])[0])(characteristic(m, n, c))


def test_where_values_are_wrong():
    """Some of SciPy's radial functions of the second kind are: no derivative is better than a wrong one."""
    for f, args in ((special.pro_rad2, (1, 3, 1.5, 1.4)), (special.obl_rad2, (0, 1, 1.5, 0.3))):
        assert np.isnan(grad(lambda x, f=f, args=args: f(*args[:3], x)[1])(args[3]))


def test_second_derivatives():
    """Of an angular function, against differences of gradients."""
    slope = grad(lambda x: special.pro_ang1(1, 3, 1.5, x)[1])
    h = 1e-4
    assert grad(slope)(0.3) == pytest.approx((slope(0.3 + h) - slope(0.3 - h)) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("f", [special.pro_cv, special.obl_cv])
def test_characteristic_values_of_a_negative_size(f):
    """SciPy's are the ones of 0 there, and nothing can be said of a derivative."""
    assert f(0, 1, -1.0) == f(0, 1, 0.0)
    assert np.isnan(grad(lambda c: f(0, 1, c))(-1.0))


def test_curvature_of_a_negative_size():
    """It depends on the characteristic value."""
    assert np.isnan(grad(lambda x: special.pro_rad1(0, 1, -1.0, x)[1])(1.5))
