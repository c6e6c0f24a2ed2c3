"""Linear differential equations on given steps, against closed solutions, and their adjoints."""

import numpy as np
import scipy.linalg

from chainrules.numerics.collocation import radau
from chainrules.numerics.linear_flows import flow

rng = np.random.default_rng(0)


def test_a_constant_matrix():
    """The solution is the exponential, and with a constant forcing its integral."""
    A, h = rng.normal(size=(2, 2)), np.array([0.1, 0.2, 0.15])
    steps = flow(np.broadcast_to(A, (3, 4, 2, 2)), h, radau(4))
    s = steps.forwards(np.array([1.0, 2.0]), np.zeros((3, 4, 2)))
    np.testing.assert_allclose(s[-1], scipy.linalg.expm(np.sum(h) * A) @ [1.0, 2.0], rtol=1e-7)
    forced = steps.forwards(np.zeros(2), np.ones((3, 4, 2)))
    expected = np.linalg.solve(A, (scipy.linalg.expm(np.sum(h) * A) - np.eye(2)) @ np.ones(2))
    np.testing.assert_allclose(forced[-1], expected, rtol=1e-7)


def test_what_is_stiff_decays():
    """Steps much longer than the time of the decay are stable."""
    steps = flow(np.full((2, 3, 1, 1), -1e6), np.ones(2), radau(3))
    assert abs(steps.forwards(np.ones(1), np.zeros((2, 3, 1)))[-1, 0]) < 1e-4


def test_the_adjoint_is_exact():
    """To rounding, whatever the length of the steps."""
    J, h = rng.normal(size=(3, 4, 2, 2)), np.array([0.5, 1.0, -2.0])
    start, forcing, s_bar = rng.normal(size=2), rng.normal(size=(3, 4, 2)), rng.normal(size=(4, 2))
    steps = flow(J, h, radau(4))
    start_bar, forcing_bar = steps.backwards(s_bar)
    forwards = np.sum(s_bar * steps.forwards(start, forcing))
    np.testing.assert_allclose(start @ start_bar + np.sum(forcing * forcing_bar), forwards, rtol=1e-10)
