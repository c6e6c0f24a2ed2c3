"""The rules of Lambert's W function, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, frule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_quickly, check_rule_in_double, within

NEAR = [-0.3, -0.36, -0.3678, -0.3678794, -0.36787944117]
CASES = [
    *((0, z) for z in [0.0, 1e-300, 0.3, 1e10, 1 + 1j, -2 + 0.1j, -0.37 + 1e-5j, -0.37 - 1e-5j, *NEAR]),
    *((-1, z) for z in [-1e-10, 1 + 1j, -0.37 + 1e-5j, -0.37 - 1e-5j, *NEAR]),
    *((1, z) for z in [1.0, -0.37 + 1e-5j, -0.37 - 1e-5j, -0.3 - 1e-9j]),
]


@pytest.mark.parametrize(("k", "z"), CASES)
def test_accuracy(k, z):
    """13 digits on all branches, also beside the branch point, where those of W itself are lost."""
    _, slope = frule(
        (NoTangent(), 1.0 + 0j if isinstance(z, complex) else 1.0, NoTangent()), special.lambertw, z, k
    )

    with mpmath.workdps(40):
        w = mpmath.lambertw(z, k)
        expected = complex(mpmath.exp(-w) / (1 + w))
    assert complex(slope) == pytest.approx(expected, rel=1e-13)


def test_at_the_branch_point():
    """The number that is nearest to ``-1/e`` lies beside it; its slope is that of the series."""
    z = -np.exp(-1.0)
    _, slope = frule((NoTangent(), 1.0), special.lambertw, z)

    with mpmath.workdps(40):
        expected = complex(mpmath.exp(-mpmath.lambertw(z)) / (1 + mpmath.lambertw(z)))
    assert complex(slope) == pytest.approx(expected, rel=1e-12)


def test_rules():
    """Real and complex arguments, of several branches, with tolerances, in both modes and twice."""
    check_rule_in_double(special.lambertw, np.array([0.3, 2.0, -0.2]))
    check_rule_in_double(special.lambertw, np.array([-0.3, -0.1]), -1)
    check_quickly(special.lambertw, np.array([0.3 + 1j, 2.0, -0.2j - 1]), 2, tol=1e-10)
    check_quickly(special.lambertw, np.array([0.3, 2.0], np.float32))
    for z in (0.3, np.array(0.3), np.zeros((0, 2)), 0.3 + 0.5j):
        test_frule(special.lambertw, z)
        test_rrule(special.lambertw, z)


def test_derivatives_at_zero():
    """``W = z - z² + 3/2 z³ - ...``: https://dlmf.nist.gov/4.13.E5."""

    def w(z):
        return special.lambertw(z).real

    assert grad(w)(0.0) == 1.0
    assert grad(grad(w))(0.0) == -2.0
    assert grad(grad(grad(w)))(0.0) == pytest.approx(9.0)


def test_second_derivative_beside_the_branch_point():
    """The series is differentiated, not what has lost its digits."""
    z = -0.36787
    with mpmath.workdps(40):
        expected = float(mpmath.diff(mpmath.lambertw, mpmath.mpf(z), 2))

    assert grad(grad(lambda z: special.lambertw(z).real))(z) == pytest.approx(expected, rel=1e-12)


def test_keywords():
    """All arguments may be given by name."""
    by_name = grad(lambda z: special.lambertw(z=z, k=-1, tol=1e-9).real)(-0.2)

    assert by_name == grad(lambda z: special.lambertw(z, -1).real)(-0.2)


def test_wrightomega():
    """On all kinds of numbers; it is ``exp(x)`` far left, and x far right."""
    check_elementwise(special.wrightomega, within(-3.0, 3.0), complex_numbers=True)

    assert grad(special.wrightomega)(-50.0) == pytest.approx(np.exp(-50.0))
    assert grad(special.wrightomega)(-800.0) == 0.0
    assert grad(special.wrightomega)(1e20) == 1.0
