"""Passes of correlations along an axis."""

import numpy as np

from chainrules.formulas.filters.passes import Pass, beyond, gaussian_weights, pull_passes
from chainrules_testutils import jvp


def test_the_adjoint_of_a_pass():
    """What is read beyond the ends belongs to the elements that are repeated there."""
    step = Pass(0, np.array([1.0, 10.0, 100.0]), "nearest")

    np.testing.assert_allclose(pull_passes(np.array([1.0, 0.0]), (step,)), [11.0, 100.0])
    assert beyond(4, -1) == (1, 2)


def test_gaussian_weights():
    """Their derivative by the width is that of the weights."""
    for order in range(4):
        _, slope = gaussian_weights(1.3, order, 4)
        expected = jvp(None, lambda sigma, order=order: gaussian_weights(sigma, order, 4)[0], (1.3, 1.0))
        np.testing.assert_allclose(slope, expected, rtol=1e-8, atol=1e-10)
