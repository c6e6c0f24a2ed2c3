"""The rules of derivatives of Bessel functions, against finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule

FUNCTIONS = [special.jvp, special.yvp, special.ivp, special.kvp, special.h1vp, special.h2vp]
REALS = np.array([0.7, 3.2])
OFF_AXIS = np.array([0.7 - 0.4j, 3.2 + 1.0j])


@pytest.mark.parametrize("f", FUNCTIONS)
def test_functions_of_real_orders(f):
    """By the order and the argument, how often ever the function is differentiated."""
    check_rule(f, np.array([0.3, 1.6]), REALS)
    for n in (0, 1, 3):
        test_frule(f, 0.6, REALS, n)
        test_rrule(f, 0.6, REALS, fkwargs={"n": n})


@pytest.mark.parametrize("f", FUNCTIONS)
def test_functions_of_complex_arguments(f):
    """By a real order and a complex argument."""
    test_frule(f, 0.6, OFF_AXIS)
    test_rrule(f, 0.6, OFF_AXIS, 2)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_integer_orders(f):
    """They have no tangent."""
    test_frule(f, 2, REALS)
    test_rrule(f, 2, REALS, 2)
    assert rrule(f, 2, 1.5, 2)[1](1.0)[1::2] == (NoTangent(), NoTangent())


def test_derivative_by_order():
    """As mpmath's."""
    with mpmath.workdps(40):
        expected = float(mpmath.diff(mpmath.besselj, (mpmath.mpf("1.25"), mpmath.mpf("2.5")), (1, 2)))
    assert grad(lambda v: special.jvp(v, 2.5, n=2))(1.25) == pytest.approx(expected, rel=1e-12)


def test_what_is_no_number_of_derivatives():
    """SciPy's own errors are raised."""
    with pytest.raises(ValueError, match="n"):
        grad(lambda z: special.jvp(1, z, -1))(2.0)
