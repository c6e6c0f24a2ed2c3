"""Recorded Jacobians as one batch."""

import numpy as np
import pytest

from chainrules.ad import compiled, hessian, jacobian
from chainrules.ad.recording.batching.rows import rows_together
from tests.chainrules.ad.recording.batching.loops import assert_same

W = np.random.default_rng(0).normal(size=(5, 4))
X = np.array([0.3, -1.2, 2.1, 0.7])

FUNCTIONS = [
    lambda x: np.tanh(W @ x),
    lambda x: np.outer(x, x),
    lambda x: (x[0] * x[1:], np.sum(x)),
    lambda x: np.where(x > 0.0, x, x**2),
    lambda x: np.sort(x) * np.max(x),
    lambda x: np.exp(1j * x),
    lambda x: x[[0, 0, 1]] ** 2,
    lambda x: np.sign(x),  # no row depends on anything
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_jacobians(f, mode):
    """They are those of the engine, at other points than the recorded one too."""
    J = jacobian(f, mode=mode)
    c = compiled(J, strict=True)
    for x in (X, -X, X, X + 1.0):
        found, plain = c(x), J(x)
        for part, plain_part in zip(
            *((y if isinstance(y, tuple) else (y,)) for y in (found, plain)), strict=True
        ):
            assert_same(part, list(plain_part)) if np.ndim(part) > 1 else np.testing.assert_allclose(
                part, plain_part
            )


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_it_is_one_batch(mode):
    """A Jacobian has as many operations for many rows as for few."""
    numbers = []
    for n in (3, 30):
        c = compiled(jacobian(lambda x: np.tanh(x) * x[::-1], mode=mode), strict=True)
        c(np.linspace(0.0, 1.0, n))
        numbers.append(c.variants[0].operations)
    assert numbers[0] == numbers[1]


def test_hessians():
    """Rows that decide otherwise are computed one by one."""
    for f in (lambda x: np.sum(np.tanh(W @ x) ** 2) * x[0], lambda x: x[0] * x[1] ** 2 + np.prod(x)):
        c = compiled(hessian(f), strict=True)
        for x in (X, -X, X + 1.0):
            np.testing.assert_allclose(c(x), hessian(f)(x), atol=1e-12)


def test_outside_of_recordings_nothing_is_done():
    """The engine goes row by row then."""
    assert rows_together(lambda x: [x], np.eye(2)) is None
