"""Numbers and arrays of the usual classes, and other operands of traced values."""

import statistics
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad.plain_values import has_operators, has_rules, is_array_like, is_operand
from chainrules_core.structured import Diagonal


@dataclass
class Wrapper:
    """Looks like an array, and may hold traced values."""

    shape: tuple
    dtype: type

    def __array_function__(self, function, types, args, kwargs):
        return NotImplemented


@pytest.mark.parametrize(
    "x",
    [
        1.5,
        2,
        True,
        1j,
        Fraction(1, 2),
        np.float32(1.5),
        np.bool_(True),
        np.ones(2),
        np.ones(2, dtype=int),
        np.ma.masked_array([1.0]),
        Diagonal(np.ones(2)),
        scipy.sparse.csr_array(np.eye(2)),
        scipy.sparse.coo_matrix(np.eye(2)),
    ],
    ids=lambda x: type(x).__name__,
)
def test_operands(x):
    """Numbers, arrays, and structured and sparse ones are taken."""
    assert is_operand(x)


@pytest.mark.parametrize("x", [[1.0], (1.0,), "1.0", None, object(), Wrapper((2,), float)], ids=repr)
def test_other_values(x):
    """Sequences are made arrays first; what else looks like an array is asked itself."""
    assert not is_operand(x)


def test_objects_whose_operators_have_rules():
    """Those of NumPy and Python; what is derived from them; and what carries them."""

    class Own(np.polynomial.Polynomial):
        pass

    assert is_operand(Own([1.0]))
    for cls in (Own, statistics.NormalDist):
        assert has_operators(cls)
    assert not has_operators(Wrapper)


def test_classes_that_leave_operations_to_rules():
    """Structured arrays do, and sparse ones, whose operators give way."""
    assert has_rules(Diagonal)
    assert has_rules(scipy.sparse.csr_array)
    assert not has_rules(np.ndarray)
    assert not has_rules(Wrapper)


def test_arrays_that_are_alike():
    """Plain arrays of one dtype and shape are; numbers, subclasses, and other dtypes and shapes are not."""
    x = np.ones(3)

    assert is_array_like(x, 2 * x)
    others = (np.ones(2), np.ones((3, 1)), x.astype(np.float32), 1.0, np.ones(3).view(np.recarray))
    assert not any(is_array_like(x, other) or is_array_like(other, x) for other in others)
