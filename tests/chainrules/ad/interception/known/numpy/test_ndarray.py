"""Methods of arrays, called as functions of the array too."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.calls.rule_inputs import MutatedInputError


def test_numbers_of_text():
    """They are told of where the text was made of a traced value."""
    with pytest.raises(TypeError, match="was read at"):
        grad(lambda x: np.array(f"1.0 {x:.6f}".split()).astype(float)[1] * x)(2.123456789)
    assert grad(lambda x: np.ndarray.astype(np.array(["2.5"]), float)[0] * x)(1.0) == 2.5
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.ndarray.astype(x, float)))(np.ones(2)), np.ones(2))


@pytest.mark.parametrize("write", [np.ndarray.fill, lambda a, x: np.ndarray.dot(np.eye(2), np.ones(2), a)])
def test_functions_of_the_class(write):
    """Differentiations are told that they write."""
    buffer = np.full(2, 3.0)

    def program(x):
        y = np.sum(x * buffer)
        write(buffer, 2.0)
        return y

    with pytest.raises(MutatedInputError):
        grad(program)(1.0)
