"""Operands in the precision of a result."""

import numpy as np
import pytest

from chainrules.formulas.precision import like_result


@pytest.mark.parametrize(
    ("y", "kind"), [(1.0, "f"), (1j, "c"), (np.zeros(2), "f"), (np.zeros(2, complex), "c")]
)
@pytest.mark.parametrize("x", [2, 2.0, np.array([1, 2])])
def test_like_result(x, y, kind):
    """The same values, as floats or complex numbers."""
    assert np.asarray(like_result(x, y)).dtype.kind == kind
    np.testing.assert_array_equal(like_result(x, y), x)
