"""The rules of a filter along both axes of an image, against finite differences.

The images are larger than the filters: of smaller ones SciPy reads what is not theirs.
"""

import numpy as np
import pytest
from scipy.signal import sepfir2d

from chainrules.ad import grad, jvp
from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("dtype", [float, complex, np.float32])
@pytest.mark.parametrize("lengths", [(3, 5), (1, 3)])
def test_filters(lengths, dtype):
    """The image and both filters have derivatives."""
    check_rule(sepfir2d, normal(6, 7, dtype=dtype), *(normal(n, dtype=dtype) for n in lengths))


@pytest.mark.parametrize("kind", [int, np.uint8, list])
def test_images_of_integers(kind):
    """The filters have the derivatives that they have at the same image of floats: nothing is rounded."""
    image = np.arange(42).reshape(6, 7) % 5
    given = image.tolist() if kind is list else image.astype(kind)
    filters = list(normal(3)), list(normal(5))
    weights = normal(6, 7)

    def derivatives(image):
        _, y_dot = jvp(lambda row, column: sepfir2d(image, row, column), filters, filters)
        return y_dot, grad(lambda *h: np.sum(sepfir2d(image, *h) * weights), argnums=(0, 1))(*filters)

    (y_dot, bars), (expected_dot, expected) = derivatives(given), derivatives(image.astype(float))
    rtol = 1e-6 if kind is np.uint8 else 1e-12  # SciPy computes with small integers in single precision
    np.testing.assert_allclose(y_dot, expected_dot, rtol)
    for bar, one in zip(bars, expected, strict=True):
        np.testing.assert_allclose(bar, one, rtol, atol=rtol * np.max(np.abs(one)))
