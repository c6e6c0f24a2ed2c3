"""Calls of products, for the comparison of their shortcut with their rule; and one out of range."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.element_products import prod_of_plain
from tests.chainrules.shortcuts.reduction_calls import whole_calls

CALLS = {"chainrules.shortcuts.numpy.element_products.prod_of_plain": lambda: whole_calls(np.prod)}


@np.errstate(over="ignore")
def test_products_that_cannot_be_divided_are_declined():
    """Those that are zero, too large or too small for all digits."""
    for x in ([1.0, 0.0], [1e200, 1e200], [1e-200, 1e-120]):
        assert prod_of_plain(np.prod, np.array(x)) is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_least_and_the_greatest_product_are_answered(dtype):
    """They have all digits."""
    for limit in (np.finfo(dtype).tiny, np.finfo(dtype).max):
        assert prod_of_plain(np.prod, np.array([limit, 1.0], dtype)) is not None
