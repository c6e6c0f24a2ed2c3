"""Functions that numba has compiled are followed by the Python functions that they were made of."""

import numpy as np
import pytest

from chainrules.ad import CompilationError, compiled, grad
from tests.chainrules.program_checks import check_along

numba = pytest.importorskip("numba")


@numba.njit
def step(x, c):
    """A function that another one calls."""
    return np.sin(x) * c


@numba.njit
def path(x, n=3):
    """A loop that fills an array."""
    y = np.zeros(n)
    for i in range(n):
        y[i] = step(x[i], 1.0 + i) ** 2
    return y


def test_programs():
    """One compiled function calls another, and fills an array."""
    check_along(lambda x: np.sum(path(x) * x), np.array([0.3, 0.7, -0.5]), np.array([1.0, -0.4, 0.2]))
    check_along(lambda x: np.sum(path(np.ones(3)) * x), np.ones(3), np.array([1.0, -0.4, 0.2]))


def test_compiled_gradients():
    """A later argument is answered as without recording, or recording is refused."""
    plain = grad(lambda x: np.sum(path(x)))
    try:
        recorded = compiled(plain, strict=True)
        answers = [recorded(np.full(3, x)) for x in (0.5, 0.8, -2.0)]
    except CompilationError:
        return
    for x, answer in zip((0.5, 0.8, -2.0), answers, strict=True):
        np.testing.assert_allclose(answer, plain(np.full(3, x)), rtol=1e-12)
