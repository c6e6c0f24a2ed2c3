"""Arrays that go to another framework are nobody else's."""

import numpy as np
import pytest

from chainrules.adapters.ownership import owned


def test_array_that_only_the_list_holds_is_given_away():
    """It is not copied."""
    arrays = [np.arange(3.0)]
    address = arrays[0].ctypes.data
    assert owned(arrays)[0].ctypes.data == address


HELD = np.arange(6.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: HELD,
        lambda: HELD[:2],
        lambda: HELD.reshape(2, 3).T,
        lambda: np.broadcast_to(HELD[0], 3),
        lambda: HELD[::-1],
    ],
)
def test_array_that_others_hold_is_copied(make):
    """So are views, read-only ones and such with strides of zero."""
    expected = make().copy()
    (array,) = owned([make()])
    assert not np.may_share_memory(array, HELD)
    assert array.flags.writeable
    assert array.flags.owndata
    array += 1.0
    assert np.array_equal(make(), expected)


def test_read_only_array_is_copied():
    """A framework writes into its tensors."""
    arrays = [np.arange(3.0)]
    arrays[0].flags.writeable = False
    assert owned(arrays)[0].flags.writeable


class Derived(np.ndarray):
    """A subclass of arrays."""


def test_numbers_become_arrays():
    """Without axes; a subclass becomes a plain array."""
    arrays = owned([2.0, np.float32(3.0), True, np.ones((1, 1)).view(Derived)])
    assert [(type(array), array.dtype, array.shape) for array in arrays] == [
        (np.ndarray, np.dtype(float), ()),
        (np.ndarray, np.dtype(np.float32), ()),
        (np.ndarray, np.dtype(bool), ()),
        (np.ndarray, np.dtype(float), (1, 1)),
    ]
