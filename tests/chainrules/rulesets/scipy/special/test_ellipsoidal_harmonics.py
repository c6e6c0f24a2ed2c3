"""The rules of ellipsoidal harmonics, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule


@pytest.mark.parametrize(("n", "p"), [(1, 1), (1, 2), (2, 3), (3, 5)])
def test_first_kind(n, p):
    """By the coordinate, in each of the intervals between the branch points, and with signs."""
    constants = 5.0, 8.0, n, p
    for s in (1.5, 2.5, 9.0, -3.5):
        dots = *(NoTangent(),) * 5, 1.0
        del dots
        slope = grad(special.ellip_harm, 4)(*constants, s)
        h = 1e-4
        expected = (special.ellip_harm(*constants, s + h) - special.ellip_harm(*constants, s - h)) / (2 * h)
        assert slope == pytest.approx(expected, rel=1e-6, abs=1e-8)
