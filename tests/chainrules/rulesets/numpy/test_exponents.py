"""The rules of exponents and logarithms, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, positive

DTYPES = [np.float64, np.float32, complex]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", [np.exp, np.log, np.log1p], ids=lambda f: f.__name__)
def test_elementwise(f, dtype):
    """On numbers with real parts from 0.5 to 2."""
    check_rule(f, positive(3, 4, dtype=dtype))


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.array(1.5), positive(0), positive(6)[::2]])
@pytest.mark.parametrize("f", [np.exp, np.log, np.log1p], ids=lambda f: f.__name__)
def test_other_operands(f, x):
    """Numbers, arrays without axes and without elements, views."""
    check_rule(f, x)


def test_zero_tangent_is_strong_at_a_pole():
    """What is not perturbed does not move, even where the slope is infinite."""
    with np.errstate(divide="ignore"):
        _, y_dot = frule((NoTangent(), np.zeros(2)), np.log, np.array([0.0, 1.0]))
        _, x_bar = rrule(np.log, np.array([0.0, 1.0]))[1](np.zeros(2))

    np.testing.assert_array_equal(y_dot, np.zeros(2))
    np.testing.assert_array_equal(x_bar, np.zeros(2))
