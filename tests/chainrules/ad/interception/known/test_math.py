"""Functions of `math` and `cmath`, which take numbers and what can be made one."""

import cmath
import math

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.program_checks import check_along


@pytest.mark.parametrize(
    "f",
    [
        lambda x: math.sin(np.array(x[0])),
        lambda x: math.sqrt(np.asarray(x[0] * x[1])) * math.exp(x[:1].reshape(())),
        lambda x: math.atan2(np.squeeze(x[1:2]), x[0]) + math.pow(2.0, np.array(x[1])),
        lambda x: math.hypot(np.array(x[0]), 0.5, np.array(x[1])),
        lambda x: math.log(np.array(x[1]), np.array(3.0 * x[0])),
        lambda x: cmath.exp(1j * np.array(x[0])).real + cmath.phase(np.array(x[0] + 1j * x[1])),
        lambda x: x[0] * math.isfinite(np.array(x[1])),
    ],
)
def test_arrays_without_axes_for_numbers(f):
    """Functions of `math` and `cmath` take an array without axes for a number, as they do in Python."""
    check_along(f, np.array([0.6, 0.7]), np.array([0.3, -1.0]))


def test_arrays_with_axes_are_no_numbers():
    """The errors are Python's own, or that of a value that would lose its derivative."""
    with pytest.raises(TypeError):
        grad(lambda x: math.sin(x))(np.ones(2))
    with pytest.raises(TypeError, match="must be real number"):
        grad(lambda x: x * math.sin("1"))(1.0)
