"""Tests of `chainrules_core.tangent_spaces.projection.shape`."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError
from chainrules_core.tangent_spaces.projection.shape import fitted_to_shape


def test_an_array_of_the_shape_is_returned_as_it_is():
    """Nothing is reshaped that need not be."""
    x_bar = np.ones((2, 1))

    assert fitted_to_shape(x_bar, (2, 1)) is x_bar


@pytest.mark.parametrize(
    ("before", "after"), [((1, 2), (2,)), ((2,), (1, 1, 2)), ((1,), ()), ((), (1, 1)), ((1, 0), (0,))]
)
def test_leading_ones_are_added_and_dropped(before, after):
    """The result is a view, not a copy."""
    x_bar = np.ones(before)

    fitted = fitted_to_shape(x_bar, after)

    assert fitted.shape == after
    assert fitted.size == 0 or np.shares_memory(fitted, x_bar)


@pytest.mark.parametrize(
    ("before", "after"), [((2, 1), (2,)), ((2,), (2, 1)), ((1, 2, 1), (2,)), ((4,), (2, 2)), ((0,), ())]
)
def test_other_shapes_are_refused(before, after):
    """Axes in other places, and other numbers of elements, are errors that name both shapes."""
    with pytest.raises(DimensionMismatchError) as refused:
        fitted_to_shape(np.ones(before), after)

    assert f"{after}" in str(refused.value)
    assert f"{before}" in str(refused.value)
