"""Lazy values, and what may be asked of them."""

import numpy as np
import pytest

from chainrules_core import is_lazy, may_hold
from chainrules_core.laziness import is_lazy_class
from tests.chainrules.lazy_checks import lazily, nothing_computed


@pytest.mark.parametrize("x", [1.0, 1j, np.float64(1), np.ones(3), [1.0], None, "x"], ids=repr)
def test_what_is_in_memory_is_not_lazy(x):
    """Numbers, arrays and what is neither."""
    for _ in range(2):
        assert is_lazy(x) is False


def test_conditions_in_memory_are_looked_at():
    """Whether any element is true."""
    assert may_hold(True)
    assert may_hold(np.array([False, True]))
    assert not may_hold(False)
    assert not may_hold(np.zeros(3, bool))
    assert not may_hold(np.zeros(0, bool))


def test_lazy_arrays_may_hold_anything():
    """Dask's arrays are lazy, and nobody looks into them."""
    pytest.importorskip("dask.array")
    x = lazily(np.zeros(4))

    with nothing_computed():
        assert is_lazy(x)
        assert may_hold(x != 0)


def test_classes_are_known_by_their_names():
    """A class derived from Dask's is lazy too; one of the same name elsewhere is not."""
    base = type("Array", (), {"__module__": "dask.array.core"})

    assert is_lazy_class(base)
    assert is_lazy_class(type("Own", (base,), {}))
    assert not is_lazy_class(type("Array", (), {"__module__": "elsewhere"}))
    for _ in range(2):  # found, and remembered
        assert is_lazy(base())
        assert may_hold(base())


def test_a_carrier_of_a_lazy_array_is_lazy():
    """While it is traced, an array is as lazy as before."""
    pytest.importorskip("dask.array")
    from chainrules.ad import vjp  # noqa: PLC0415 - needed here only

    answers = []
    vjp(lambda x: (answers.append(is_lazy(x)), x * 2.0)[1], lazily(np.ones(4)))

    assert answers == [True]
