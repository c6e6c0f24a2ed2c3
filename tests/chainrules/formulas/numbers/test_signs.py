"""The sign of a number."""

import math

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.numbers.signs import sign


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (2.5, 1),
        (-2.5, -1),
        (0.5, 1),
        (-0.5, -1),
        (0.0, 0),
        (-0.0, 0),
        (3, 1),
        (math.inf, 1),
        (math.nan, 0),
        (np.float64(-1.5), -1),
    ],
)
def test_sign(x, expected):
    """An integer; 0 of what has no sign."""
    assert sign(x) == expected
    assert type(sign(x)) is int


def test_sign_of_a_traced_number():
    """It is a constant."""
    assert grad(lambda x: x * sign(x))(-2.5) == -1.0
