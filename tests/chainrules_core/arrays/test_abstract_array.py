"""What counts as an array: by the attributes of its class, or because it says so."""

import numpy as np
import plum
import pytest
import scipy.sparse

from chainrules_core import AbstractArray, AbstractTangent, ZeroTangent, thunk


class Duck:
    """An array by NumPy's protocol."""

    shape = (3,)
    dtype = np.dtype(float)

    def __array_function__(self, func, types, args, kwargs):
        raise NotImplementedError


class StandardArray:
    """An array by the array API standard."""

    def __array_namespace__(self, *, api_version=None):
        raise NotImplementedError


@pytest.mark.parametrize(
    "x",
    [
        np.ones(3),
        np.ones(()),
        np.ma.array([1]),
        scipy.sparse.csr_array((2, 2)),
        scipy.sparse.dok_matrix((2, 2)),
        Duck(),
        StandardArray(),
    ],
)
def test_arrays_of_all_kinds_are_abstract_arrays(x):
    """The attributes of their classes make them arrays, without registering."""
    assert isinstance(x, AbstractArray)
    assert issubclass(type(x), AbstractArray)


class Labelled:
    """Has a shape and a dtype, but none of NumPy's protocols."""

    shape = (3,)
    dtype = np.dtype(float)


class OwnTangent(AbstractTangent):
    """A tangent that says what it looks like."""

    shape = (3,)
    dtype = np.dtype(float)


@pytest.mark.parametrize(
    "x",
    [
        1.0,
        np.float64(1),
        np.bool_(1),
        [1.0],
        np.dtype(float),
        np.ndarray,
        Labelled(),
        ZeroTangent(),
        thunk(lambda: np.ones(2)),
        OwnTangent(),
        None,
    ],
)
def test_other_values_are_not(x):
    """NumPy's scalars and tangents have the attributes, but are no arrays."""
    assert not isinstance(x, AbstractArray)


def test_classes_join_explicitly():
    """A class whose instances alone have the attributes joins by deriving or by registering."""

    class Derived(AbstractArray):
        pass

    class Registered:
        pass

    AbstractArray.register(Registered)

    assert isinstance(Derived(), AbstractArray)
    assert isinstance(Registered(), AbstractArray)
    assert not isinstance(np.ones(2), Derived)


def test_abstract_arrays_are_faithful():
    """plum remembers by class which method it chose."""
    assert plum.is_faithful(AbstractArray)
