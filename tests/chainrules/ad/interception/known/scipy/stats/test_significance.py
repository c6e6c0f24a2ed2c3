"""Tests of hypotheses: all parts of their results have derivatives."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules_testutils import jacobian

X, Y = np.array([1.0, 2.1, 3.5, 0.3]), np.array([0.4, 2.0, 1.5, 2.2])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: stats.ttest_1samp(x, 1.0).confidence_interval().low,
        lambda x: stats.ttest_ind(x, Y, equal_var=False).df,
        lambda x: stats.ttest_rel(x, Y).confidence_interval().high,
        lambda x: stats.pearsonr(x, Y).confidence_interval().low,
        lambda x: stats.linregress(x, Y).intercept_stderr,
    ],
)
def test_parts_beside_the_tuple(f):
    """They are computed by SciPy's code, which is followed, although the function has rules."""
    np.testing.assert_allclose(grad(f)(X), jacobian(None, f, X)[0].ravel(), rtol=1e-7)
