"""The derivatives of triangular samples, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.probabilities import triangular_samples
from chainrules_testutils import grad

PARTIALS = (triangular_samples.by_left, triangular_samples.by_mode, triangular_samples.by_right)


@pytest.mark.parametrize("u", [0.1, 0.3, 0.55, 0.9])
@pytest.mark.parametrize("parameters", [(-1.0, 0.2, 1.5), (0.0, 0.5, 1.0)])
def test_derivatives(u, parameters):
    """On both sides of the mode; all three together move the sample along."""
    y = triangular_samples.sample(u, *parameters)
    actual = [partial(y, u, *parameters) for partial in PARTIALS]

    np.testing.assert_allclose(actual, grad(None, triangular_samples.sample, u, *parameters)[1:], rtol=1e-9)
    assert sum(actual) == pytest.approx(1.0)


@pytest.mark.parametrize("mode", [-1.0, 1.5])
def test_mode_at_an_end(mode):
    """The other side is empty, and does no harm."""
    u = np.array([0.2, 0.9])
    y = triangular_samples.sample(u, -1.0, mode, 1.5)

    assert np.all(np.isfinite([partial(y, u, -1.0, mode, 1.5) for partial in PARTIALS]))


def test_samples_have_the_distribution():
    """A share ``(mode - left) / (right - left)`` of the samples is left of the mode."""
    y = triangular_samples.sample(np.linspace(0, 1, 1001), -1.0, 0.0, 3.0)

    assert np.all(np.diff(y) >= 0)
    np.testing.assert_allclose(y[[0, -1]], [-1.0, 3.0])
    assert np.mean(y < 0) == pytest.approx(0.25, abs=1e-2)
