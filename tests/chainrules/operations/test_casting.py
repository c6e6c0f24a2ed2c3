"""Conversion to another dtype."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.casting import astype, floating_dtype, single_or_double
from chainrules_core import NoTangent, frule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    ("x", "dtype"),
    [
        (normal(3, 4), np.float32),
        (normal(3, 4), complex),
        (normal(3, 4, dtype=np.float32), np.float64),
        (normal(3, dtype=complex), np.complex64),
        (np.float64(1.5), np.float32),
        (1.5, np.float32),
        (np.array(1.5), complex),
        (normal(0), np.float32),
    ],
)
def test_astype(x, dtype):
    """The cotangent comes back in the precision of the argument, and real to a real one."""
    test_frule(astype, x, dtype)
    test_rrule(astype, x, dtype)


def test_astype_to_integers_passes_no_derivative():
    """Between its jumps a conversion to integers is constant."""
    y, y_dot = frule((NoTangent(), normal(3), NoTangent()), astype, np.array([1.5, 2.5, 3.5]), int)

    assert y.tolist() == [1, 2, 3]
    assert y_dot is NoTangent()
    assert grad(lambda x: x[0] * x.astype(int)[0])(np.array([2.5])) == [2.0]


def test_mixed_precision_program():
    """Float32 arguments of a program in float64 get float32 gradients."""
    x = normal(3, dtype=np.float32)

    gradient = grad(lambda x: np.sum(x.astype(np.float64) ** 2))(x)

    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, 2 * x)


def test_floating_dtype():
    """Numbers of Python take on the precision of arrays; integers count as float64."""
    single = np.ones(2, np.float32)

    assert floating_dtype(single, 1.5) == np.float32
    assert floating_dtype(single, 1.5j) == np.complex64
    assert floating_dtype(single, np.float64(1.5)) == np.float64
    assert floating_dtype(1, 2) == floating_dtype([1, 2]) == np.float64


def test_single_or_double():
    """Single precision stays, and an array that is right already is not copied."""
    y, single = np.arange(3.0), np.ones(3, np.float32)

    assert single_or_double(y, single, 2.0).dtype == np.float32
    assert np.shares_memory(single_or_double(y, single, y), y)
    assert np.shares_memory(single_or_double(y, 1, np.float16(2)), y)
    assert type(single_or_double(np.array(1.5), 2.0)) is np.float64
