"""Functions that work block by block, and refusals."""

import numpy as np
import pytest

from chainrules.values.lazy_arrays import (
    by_blocks,
    dask_array,
    in_one_block,
    is_untraced_lazy,
    refuse_lazy,
    refuse_lazy_cotangent,
    refuse_lazy_items,
)
from tests.chainrules.lazy_checks import lazily, nothing_computed
from tests.python_calls import functions_run_by


@by_blocks
def positive_part(x, y):
    """Look at the elements, as a function of arrays in memory may."""
    assert isinstance(x, np.ndarray | float)
    return np.where(x > 0, x, 0) + (y if np.any(x > 0) else 0)


def test_arrays_in_memory_are_given_as_they_are():
    """The function itself is called."""
    np.testing.assert_array_equal(positive_part(np.array([-1.0, 2.0]), 1.0), [1.0, 3.0])


def test_lazy_arrays_are_given_block_by_block():
    """When they are computed; the arguments broadcast."""
    pytest.importorskip("dask.array")
    x, y = np.arange(-3.0, 3.0).reshape(3, 2), np.ones((3, 1))
    with nothing_computed():
        z = positive_part(lazily(x), y)

    assert is_untraced_lazy(z)
    np.testing.assert_array_equal(z.compute(scheduler="synchronous"), [[0.0, 0.0], [0.0, 0.0], [2.0, 3.0]])


def test_long_lists_of_numbers():
    """Their items are not looked at one by one."""
    assert functions_run_by(lambda: refuse_lazy_items("f", [1.0, 2] * 50))["refuse_lazy_items"] == 1


def test_a_traced_array_is_no_untraced_one():
    """Rules hand it to NumPy's functions, which the engine takes over."""
    pytest.importorskip("dask.array")
    from chainrules.ad import vjp  # noqa: PLC0415 - needed here only

    answers = []
    vjp(lambda x: (answers.append(is_untraced_lazy(x)), x * 2.0)[1], lazily(np.ones(4)))

    assert answers == [False]
    assert is_untraced_lazy(lazily(np.ones(4)))
    assert dask_array().Array is type(lazily(np.ones(4)))


def test_refusals_say_what_to_write():
    """The call, and the mend."""
    with pytest.raises(TypeError, match=r"np\.f has no derivative here for lazy arrays.* Write g\."):
        refuse_lazy("np.f", "Write g.")


def test_lists_are_looked_into():
    """To any depth; lists of numbers and of arrays in memory pass."""
    refuse_lazy_items("np.f", [1.0, 2, [np.ones(3), (4.0,)]])
    refuse_lazy_items("np.f", np.ones(3))
    pytest.importorskip("dask.array")
    for xs in ([1.0, [lazily(np.ones(2))]], (lazily(np.ones(2)),)):
        with pytest.raises(TypeError, match=r"np\.f"):
            refuse_lazy_items("np.f", xs)


def test_small_arrays_in_one_block():
    """A function that keeps the shape is one task, whatever the chunks."""
    x = np.arange(4.0)
    np.testing.assert_array_equal(in_one_block(np.sort, x[::-1], float), x)
    pytest.importorskip("dask.array")
    with nothing_computed():
        y = in_one_block(np.sort, lazily(x[::-1]), float)
    assert y.numblocks == (1,)
    np.testing.assert_array_equal(y.compute(scheduler="synchronous"), x)


def test_cotangents_that_would_be_computed():
    """Only lazy ones are refused."""
    refuse_lazy_cotangent("np.f", np.ones(2))
    pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match=r"np\.f meets lazy arrays"):
        refuse_lazy_cotangent("np.f", lazily(np.ones(2)))
