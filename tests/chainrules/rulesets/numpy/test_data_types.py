"""Functions that ask for data types, and classes of numbers without derivative."""

import numpy as np
import pytest

from chainrules.ad import call, grad, jvp
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, check_quickly, normal

TYPES = [
    (np.promote_types, np.float32, np.int64),
    (np.min_scalar_type, 5),
    (np.common_type, normal(2), normal(2, dtype=np.float32)),
    (np.mintypecode, "fd"),
    (np.dtype, "float32"),
    (np.finfo, np.float32),
    (np.iinfo, np.int8),
]
TRUTHS = [
    (np.can_cast, np.int8, np.float64),
    (np.issubdtype, np.float32, np.floating),
    (np.isdtype, np.dtype(float), "real floating"),
]

FLOATS = [np.float16, np.float32, np.float64, np.longdouble]
COMPLEX = [np.complex64, np.complex128, np.clongdouble]
INTEGERS = dict.fromkeys(np.dtype(code).type for code in "bhilqBHILQ")


@pytest.mark.parametrize("call", TYPES, ids=lambda call: call[0].__name__)
def test_answers_with_a_type(call):
    """Types, and what is known about them."""
    check_declared(*call)


@pytest.mark.filterwarnings("ignore:numpy.typename is deprecated:DeprecationWarning")
def test_a_deprecated_name():
    """With NumPy's warning since 2.5."""
    check_declared(np.typename, "d")


@pytest.mark.parametrize("call", TRUTHS, ids=lambda call: call[0].__name__)
def test_answers_with_a_truth_value(call):
    """Questions about types."""
    check_quickly(*call)


@pytest.mark.parametrize("x", [1.5, np.float32(1.5), normal(3), normal(3, dtype=np.float32)])
@pytest.mark.parametrize("kind", [*FLOATS[1:], *COMPLEX], ids=lambda kind: kind.__name__)
def test_conversion_of_real_numbers(kind, x):
    """To another precision, or to complex numbers; the cotangent is in the old precision and real."""
    check_quickly(kind, x)


@pytest.mark.parametrize("x", [1.5, normal(3)])
def test_conversion_to_half_precision(x):
    """The function is linear, so that wide differences are exact but for rounding."""

    def wide_difference(g, t):
        return (g(t + 1) - g(t - 1)) / 2

    test_frule(np.float16, x, fdm=wide_difference)
    test_rrule(np.float16, x, fdm=wide_difference)


@pytest.mark.parametrize("x", [1.5 + 2.5j, normal(3, dtype=complex), normal(3, dtype=np.complex64)])
@pytest.mark.parametrize("kind", COMPLEX, ids=lambda kind: kind.__name__)
def test_conversion_of_complex_numbers(kind, x):
    """To another precision."""
    check_quickly(kind, x)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
@pytest.mark.parametrize("parts", [(1.5, -0.5), (np.float32(1.5), 2.0), (np.array(1.5), np.float64(0.2))])
def test_complex_numbers_of_two_parts(kind, parts):
    """The second part has its derivative as well as the first."""
    check_quickly(kind, *parts)
    z, z_dot = jvp(lambda x: kind(x, x * x), (2.0,), (1.0,))
    assert (z, z_dot) == (2 + 4j, 1 + 4j)
    assert grad(lambda x: abs(kind(3.0, x)))(4.0) == pytest.approx(0.8)


def test_conversion_inside_of_a_program():
    """A traced value is converted by `call`, since classes are out of the reach of NumPy's protocols."""
    assert grad(lambda x: call(np.float64, x * x) * x)(3.0) == 27.0


@pytest.mark.parametrize("kind", [*FLOATS, *COMPLEX], ids=lambda kind: kind.__name__)
def test_reading_text(kind):
    """A number written in text is constant."""
    check_declared(kind, "1.5")


@pytest.mark.parametrize("kind", [np.bytes_, np.str_])
def test_conversion_to_text(kind):
    """What is written has no tangents."""
    check_declared(kind, b"text" if kind is np.bytes_ else "text")


@pytest.mark.parametrize("kind", [np.bool_, *INTEGERS], ids=lambda kind: kind.__name__)
def test_conversion_to_an_integer(kind):
    """It is constant between jumps."""
    check_quickly(kind, 2.3)
    check_quickly(kind, np.array(2.3))
