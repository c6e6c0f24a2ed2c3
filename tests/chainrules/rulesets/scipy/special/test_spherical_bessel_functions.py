"""The rules of spherical Bessel functions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

FUNCTIONS = [special.spherical_jn, special.spherical_yn, special.spherical_in, special.spherical_kn]
REGULAR = [special.spherical_jn, special.spherical_in]
REALS = np.array([0.7, 3.2])
OFF_AXIS = np.array([0.7 - 0.4j, 3.2 + 1.0j])


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 4, np.array([[0], [3]])])
def test_functions_of_real_arguments(f, n):
    """Of the function and of its derivative, in both precisions, with broadcasting."""
    check_rule(f, n, REALS)
    check_rule(f, n, REALS, derivative=True)
    test_rrule(f, n, 1.3, True)
    test_frule(f, n, np.zeros(0))
    assert rrule(f, n, 1.3)[1](f(n, 1.3))[1] == NoTangent()


@pytest.mark.parametrize("f", FUNCTIONS)
def test_functions_of_other_arguments(f):
    """Complex numbers, and negative ones."""
    check_rule(f, 2, OFF_AXIS)
    check_rule(f, 3, -REALS)
    check_rule(f, 2, OFF_AXIS, derivative=True)


@pytest.mark.parametrize("f", REGULAR)
def test_at_zero(f):
    """Only that of order 1 has a slope, 1/3, and those of orders 0 and 2 have curvatures."""
    n = np.arange(4)
    _, slopes = frule((NoTangent(), NoTangent(), 1.0), f, n, 0.0)
    np.testing.assert_allclose(slopes, [0.0, 1 / 3, 0.0, 0.0])
    _, curvatures = frule((NoTangent(), NoTangent(), 1.0, NoTangent()), f, n, 0.0, True)
    sign = -1.0 if f is special.spherical_jn else 1.0
    np.testing.assert_allclose(curvatures, [sign / 3, 0.0, 2 / 15, 0.0])
    assert grad(grad(f, 1), 1)(2, 0.0) == pytest.approx(2 / 15)
    fourth = grad(grad(grad(grad(f, 1), 1), 1), 1)(0, 0.0)
    assert fourth == pytest.approx(1 / 5)


def test_inside_plain_code():
    """The functions are no ufuncs, and are called with traced values even so."""
    x_bar = grad(lambda x: np.sum(special.spherical_jn(1, z=x, derivative=False) * x))(REALS)
    np.testing.assert_allclose(x_bar, special.spherical_jn(0, REALS) * REALS - special.spherical_jn(1, REALS))
