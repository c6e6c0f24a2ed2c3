"""The rules of the Dirichlet kernel, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule_in_double


@pytest.mark.parametrize("n", [1, 2, 5, np.array([[3], [8]])])
def test_diric(n):
    """The number has no tangent."""
    x = np.array([0.7, -2.0, 9.0])
    check_rule_in_double(special.diric, x, n)
    assert rrule(special.diric, 0.7, 3)[1](1.0)[2] == NoTangent()


def test_single_precision():
    """It stays, as SciPy's result does."""
    x = np.array([0.7, -2.0], np.float32)
    test_frule(special.diric, x, 5)
    test_rrule(special.diric, x, 5, mode="fast")


@pytest.mark.parametrize("x", [0.0, 2 * np.pi])
def test_where_the_quotient_is_0_by_0(x):
    """There it has an extremum; the second derivative of the mean of cosines is ``-(n² - 1) / 12``."""
    assert float(rrule(special.diric, x, 5)[1](1.0)[1]) == pytest.approx(0.0, abs=1e-14)
    assert grad(grad(lambda x: special.diric(x, 5)))(x) == pytest.approx(-2.0)


def test_other_numbers():
    """Of which there is no kernel."""
    assert np.isnan(float(rrule(special.diric, 0.7, 2.5)[1](1.0)[1]))
