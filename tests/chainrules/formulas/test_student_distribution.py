"""Student's distribution, against SciPy."""

import numpy as np
from scipy import stats

from chainrules.formulas.student_distribution import student_density, student_slope
from chainrules_testutils import jacobian

T = np.array([-3.0, -0.2, 0.0, 1.7])


def test_density():
    """In the middle and in the tails."""
    np.testing.assert_allclose(student_density(3.4, T), stats.t.pdf(T, 3.4))


def test_slope():
    """Against finite differences."""
    (expected,) = jacobian(None, lambda v: stats.t.cdf(T, v), 3.4)
    np.testing.assert_allclose(student_slope(3.4, T), expected.ravel(), rtol=1e-8, atol=1e-12)
