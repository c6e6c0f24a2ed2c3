"""The type to dispatch on for lazy arrays."""

import numpy as np
import pytest

from chainrules_core import AbstractArray, LazyArray
from tests.chainrules.lazy_checks import lazily


def test_arrays_in_memory_are_no_lazy_arrays():
    """Nor are numbers."""
    assert not isinstance(np.ones(3), LazyArray)
    assert not isinstance(1.0, LazyArray)
    assert not isinstance(np.float64(1), LazyArray)


def test_lazy_arrays_of_dask():
    """Dask's arrays are lazy arrays, and abstract ones."""
    pytest.importorskip("dask.array")
    x = lazily(np.ones(4))

    assert isinstance(x, LazyArray)
    assert isinstance(x, AbstractArray)


def test_classes_below_ask_nothing():
    """Only the class itself takes others in by their names."""

    class Own(LazyArray):
        pass

    assert not issubclass(type("Array", (), {"__module__": "dask.array.core"}), Own)
