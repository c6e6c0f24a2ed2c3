"""Orders that undo orders of axes."""

import itertools

import numpy as np
import pytest

from chainrules.values.permutations import inverse_permutation


@pytest.mark.parametrize("order", [*itertools.permutations(range(3)), (-1, 0, 1), (1, -1, -3), (-1,), ()])
def test_inverse_permutation(order):
    """To transpose by an order and by its inverse changes nothing, negative axes included."""
    x = np.empty(tuple(range(2, 2 + len(order))))

    assert x.transpose(order).transpose(inverse_permutation(order)).shape == x.shape
