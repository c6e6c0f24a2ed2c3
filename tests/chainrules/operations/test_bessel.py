"""Modified Bessel functions and their derivatives, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.bessel import modified_bessel
from chainrules_testutils import test_frule, test_rrule


@pytest.mark.parametrize("order", [0, 1, 3])
@pytest.mark.parametrize("x", [1.5, -0.5, 0.0, np.array([0.0, 2.5]), 0.5 + 1.0j, np.float32(1.5)])
def test_modified_bessel(order, x):
    """Of some orders, of numbers of all signs."""
    test_frule(modified_bessel, order, x)
    test_rrule(modified_bessel, order, x)


def test_denormal_numbers():
    """Of them the function of SciPy that takes any order makes NaN."""
    assert grad(np.i0)(1e-310) == pytest.approx(5e-311, rel=1e-9)
