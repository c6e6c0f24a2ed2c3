"""The rules of roots, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import positive
from tests.chainrules.rule_checks import check_elementwise, off


def test_square_root():
    """On positive numbers, and complex ones with positive real part."""
    check_elementwise(np.sqrt, positive, complex_numbers=True)


def test_cube_root():
    """On real numbers of both signs."""
    check_elementwise(np.cbrt, off(0.0))


@pytest.mark.parametrize("f", [np.sqrt, np.cbrt], ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", [float, int, np.float64, np.array, lambda x: np.full(2, x)])
def test_slope_at_zero(f, kind):
    """It is infinite, which is neither an error nor a warning; a zero tangent stays zero."""
    x = kind(0)
    ones, zeros = np.ones(np.shape(x))[()], np.zeros(np.shape(x))[()]

    assert np.all(rrule(f, x)[1](ones)[1] == np.inf)
    assert np.all(frule((NoTangent(), ones), f, x)[1] == np.inf)
    assert not np.any(rrule(f, x)[1](zeros)[1])
    assert not np.any(frule((NoTangent(), zeros), f, x)[1])


@pytest.mark.parametrize("z", [-4.0 + 0.0j, complex(-4.0, -0.0)])
def test_slope_on_the_branch_cut_is_that_of_its_side(z):
    """The square root of a negative number lies on the axis that the sign of the zero says."""
    beside = complex(z.real, np.copysign(1e-12, z.imag))

    assert rrule(np.sqrt, z)[1](1.0)[1] == pytest.approx(rrule(np.sqrt, beside)[1](1.0)[1], rel=1e-10)
