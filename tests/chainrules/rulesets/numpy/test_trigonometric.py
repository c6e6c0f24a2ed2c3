"""The rules of trigonometric functions, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize(
    "x",
    [
        1.5,
        np.float64(1.5),
        np.array(1.5),
        1.5 + 0.5j,
        normal(3, 4),
        normal(3, 4, dtype=np.float32),
        normal(3, 4, dtype=complex),
        normal(0),
        normal(6)[::2],
    ],
)
@pytest.mark.parametrize("f", [np.sin, np.cos], ids=lambda f: f.__name__)
def test_elementwise(f, x):
    """On real and complex numbers and arrays."""
    check_rule(f, x)
