"""The rules of numbers in groups, against finite differences."""

import numpy as np
import pytest
from scipy.signal import residue, residuez, unique_roots

from chainrules.ad import grad
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import test_frule as check_frule
from chainrules_testutils import test_rrule as check_rrule

P = np.array([0.0, 3.0, 0.12, 6.0, -0.13, 3.15])


@pytest.mark.every_case
@pytest.mark.parametrize("rtype", ["min", "max", "avg"])
@pytest.mark.parametrize("p", [P, P + 1j * P, P[:0]], ids=["real", "complex", "empty"])
def test_groups(p, rtype):
    """The mean of each, or its least or largest number."""
    check_frule(unique_roots, p, 0.6, rtype)
    check_rrule(unique_roots, p, 0.6, rtype)


@pytest.mark.parametrize("f", [residue, residuez])
def test_partial_fractions(f):
    """SciPy sorts poles into groups, and computes a residue for each."""

    def weighted(a):
        residues, poles, _ = f([1.0, a[1]], np.stack([1.0 + 0.0 * a[0], a[0], a[1]]))
        return np.sum(np.real(residues * np.array([1.0, 2.0]) + poles**2))

    a = np.array([-1.5, 0.4])
    np.testing.assert_allclose(grad(weighted)(a), grad_by_differences(None, weighted, a)[0], rtol=1e-7)
