"""Derivatives of probabilities below points, in three dimensions by those in two."""

import numpy as np
import pytest

from chainrules.formulas.probabilities.student_rectangles import by_matrix, slopes

M = np.array([[1.5, 0.3, 0.2], [0.3, 2.0, -0.4], [0.2, -0.4, 1.0]])
DF, X = 3.5, np.array([[0.3, 0.4]])


@pytest.mark.parametrize("free", range(3))
def test_a_number_without_a_limit(free):
    """It has no part in the derivatives, which are those of the others alone."""
    kept = [i for i in range(3) if i != free]
    x = np.insert(X, free, np.inf, axis=1)
    own = M[np.ix_(kept, kept)]
    with np.errstate(invalid="ignore"):  # SciPy's own, of the infinite limit
        by_x, by_M = slopes(x, M, DF)[0], by_matrix(x, M, DF)[0]
    # SciPy integrates in three dimensions at random points, to some 1e-4.
    np.testing.assert_allclose(by_x[kept], slopes(X, own, DF)[0], rtol=1e-3)
    np.testing.assert_allclose(by_M[np.ix_(kept, kept)], by_matrix(X, own, DF)[0], rtol=1e-3, atol=1e-6)
    assert by_x[free] == 0.0
    np.testing.assert_allclose([by_M[free], by_M[:, free]], 0.0, atol=1e-12)


def test_half_of_the_space():
    """Three numbers without correlation: at their location the distribution is symmetric."""
    by_x = slopes(np.zeros((1, 3)), np.eye(3), DF)[0]
    np.testing.assert_allclose(by_x, by_x[0], rtol=1e-3)  # at random points, as above
    by_M = by_matrix(np.zeros((1, 3)), np.eye(3), DF)[0]
    np.testing.assert_allclose(by_M[np.tril_indices(3, -1)], 1.0 / (4.0 * np.pi))  # half of 1 / 2π
    np.testing.assert_allclose(np.diagonal(by_M), 0.0, atol=1e-12)
