"""The rules of inverse functions that leave the real numbers, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within

INVERSES = [np.emath.arcsin, np.emath.arccos, np.emath.arctanh]


@pytest.mark.parametrize("f", INVERSES, ids=lambda f: f.__name__)
def test_inside(f):
    """On real numbers between -1 and 1, where results are real, and on complex numbers."""
    check_elementwise(f, within(-0.9, 0.9), complex_numbers=True)


@pytest.mark.parametrize("f", INVERSES, ids=lambda f: f.__name__)
def test_outside(f):
    """Real numbers with complex results have real cotangents."""
    check_elementwise(f, within(1.2, 3.0))
    check_elementwise(f, within(-3.0, -1.2))
    check_rule(f, np.array([0.5, 2.0, -3.0]))


@pytest.mark.parametrize("f", INVERSES, ids=lambda f: f.__name__)
def test_slope_at_one(f):
    """It is infinite, and no error."""
    with np.errstate(divide="ignore"):  # the primal's own warning
        assert np.isinf(rrule(f, 1.0)[1](1.0)[1])
