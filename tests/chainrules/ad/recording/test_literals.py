"""Text that Python reads as a constant or a function."""

import math
import operator

import numpy as np
import pytest
import scipy.special

from chainrules.ad.recording.literals import NotWritableError, class_name, literal, public_module
from chainrules.ad.recording.tape import are_same_arrays
from chainrules.operations.scatter import scatter
from chainrules_core import unwrap_primitive

CONSTANTS = [
    True, 3, "it's", b"\x00", None, 1.5, -0.0, math.inf, complex(-0.0, -1.0), complex(math.inf, 0.1),
    np.float64(0.1), np.float32(0.1), np.float16(0.1), np.longdouble("0.1"), np.longdouble("inf"),
    np.float32("-inf"), np.complex64(complex(0.1, -0.0)), np.complex128(1j), np.int8(-3), np.uint64(2**63),
    np.bool_(True), np.longlong(5),
]  # fmt: skip


@pytest.mark.parametrize("x", CONSTANTS, ids=repr)
def test_numbers(x):
    """They are read as the same number, with its class and the signs of its zeros."""
    y = eval(literal(x))
    assert type(y) is type(x)
    assert repr(y) == repr(x)


def test_numbers_that_are_none():
    """NaN, of each class."""
    for x in (math.nan, np.float32("nan"), np.longdouble("nan"), complex(math.nan, 1.0)):
        y = eval(literal(x))
        assert type(y) is type(x)
        assert y != y  # noqa: PLR0124 - only NaN is not itself


def test_arrays_and_containers():
    """Arrays to the bit; containers, slices, classes, dtypes and methods."""
    for x in (
        np.array([0.1, -0.0]),
        np.array([[1, 2]], np.int8),
        np.array(True),
        np.array([0.1], np.float32),
    ):
        assert are_same_arrays(eval(literal(x)), x)
    for x in (
        (), (1,), [1, (2.0, "a")], {"a": [None], 2: ...}, slice(1, None, 2), np.dtype("<f4"),
        (tuple, ("<f8", (3,)), np.float64), ValueError, np.linalg.LinAlgError, np.ndarray.sum,
    ):  # fmt: skip
        assert eval(literal(x)) == x


@pytest.mark.parametrize(
    "x", [object(), np.clongdouble(1), type("Own", (), {}), np.random.default_rng(0), np.sin]
)
def test_what_has_no_text(x):
    """Objects, classes of the user's, functions."""
    with pytest.raises(NotWritableError):
        literal(x)


def test_modules():
    """The one that is the highest up and has the function under its name."""
    assert class_name(int) == "int"
    assert public_module(np.fft.fft) == "numpy.fft"
    assert public_module(scipy.special.erf) == "scipy.special"
    assert public_module(math.sin) == "math"
    assert public_module(operator.contains) == "operator"
    assert public_module(unwrap_primitive(scatter)) == "chainrules.operations.scatter"
    with pytest.raises(NotWritableError, match="test_numbers"):
        public_module(_another_one())


def _another_one():
    """A function that is not what its module has under its name."""

    def test_numbers(x):
        return x

    return test_numbers
