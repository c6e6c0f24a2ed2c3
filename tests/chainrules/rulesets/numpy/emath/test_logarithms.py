"""The rules of logarithms that leave the real numbers, against finite differences."""

import numpy as np
import pytest

from chainrules_testutils import positive
from tests.chainrules.rule_checks import check_elementwise, check_rule, normal, within

LOGARITHMS = [np.emath.log, np.emath.log2, np.emath.log10]


@pytest.mark.parametrize("f", LOGARITHMS, ids=lambda f: f.__name__)
def test_of_one_number(f):
    """On positive, negative and complex numbers, and on arrays of both signs."""
    check_elementwise(f, positive, complex_numbers=True)
    check_elementwise(f, within(-3.0, -0.3))
    check_rule(f, np.array([0.5, 2.0, -3.0]))


def test_to_any_base():
    """On bases above 1 and numbers of both signs."""
    check_elementwise(np.emath.logn, within(1.5, 3.0), positive, complex_numbers=True)
    check_elementwise(np.emath.logn, within(1.5, 3.0), within(-3.0, -0.3))
    check_rule(np.emath.logn, 2.5, normal(4))
