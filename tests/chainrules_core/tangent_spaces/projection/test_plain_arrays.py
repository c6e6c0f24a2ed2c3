"""Tests of `chainrules_core.tangent_spaces.projection.plain_arrays`."""

import warnings

import numpy as np
import pytest

from chainrules_core import ProjectTo
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array


@pytest.mark.parametrize(
    "x_bar", [np.ones(2), 1.0, np.ones(2).view(type("Annotated", (np.ndarray,), {})), None]
)
def test_other_cotangents_are_returned_as_they_are(x_bar):
    """Arrays, their other subclasses, and what is no array."""
    assert plain_array(x_bar) is x_bar


def test_a_matrix_is_viewed_as_an_array():
    """An `np.matrix` becomes an array without a copy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix([[1.0, 2.0]])

    plain = plain_array(matrix)

    assert type(plain) is np.ndarray
    assert np.shares_memory(plain, matrix)


@pytest.mark.parametrize("x_bar", [np.ma.masked, np.ma.array(1.0)], ids=repr)
@pytest.mark.parametrize("x", [1.0, np.array(1.0), np.ones(2), np.array([1.0, "a"], object)], ids=repr)
def test_masked_arrays_are_refused_everywhere(x, x_bar):
    """Whatever the primal is, the constant `np.ma.masked` included."""
    with pytest.raises(TypeError, match="filled"):
        ProjectTo(x)(x_bar)
