"""The rules of builtins of numbers, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_rule, normal, positive


@pytest.mark.parametrize(
    "x", [1.5, -1.5, np.float64(1.5), np.float32(-1.5), 1.5 - 2j, normal(3, 4), normal(3, dtype=complex)]
)
def test_abs(x):
    """Of real and complex numbers and arrays."""
    check_rule(abs, x)


def test_abs_at_zero():
    """The derivative at zero is the mean of the slopes on both sides."""
    assert rrule(abs, 0.0)[1](1.0)[1] == 0.0
    assert frule((NoTangent(), 1.0), abs, 0.0)[1] == 0.0
    np.testing.assert_array_equal(rrule(abs, np.zeros(2))[1](np.ones(2))[1], 0.0)


@pytest.mark.parametrize(("x", "p"), [(1.5, 2.5), (1.5, 2), (positive(3), 2.5), (1.5 + 1j, 2.0)])
def test_pow(x, p):
    """The operator, as a function."""
    check_rule(pow, x, p)


@pytest.mark.parametrize(("x", "y"), [(7.3, 2.1), (-7.3, 2.1), (normal(3, 1), positive(4)), (normal(3), 0.7)])
def test_divmod(x, y):
    """The quotient is constant between jumps."""
    check_both_modes(divmod, x, y)


def test_divmod_at_jumps():
    """1, and less the quotient."""
    (quotient, remainder), pullback = rrule(divmod, 6.0, 2.0)
    assert (quotient, remainder) == (3.0, 0.0)
    assert pullback((0.0, 1.0))[1:] == (1.0, -3.0)


@pytest.mark.parametrize("x", [1.5, np.float64(1.5), np.array(1.5)])
def test_float(x):
    """Numbers, and arrays without axes."""
    check_rule(float, x)


@pytest.mark.parametrize("args", [(1.5,), (1.5 + 2j,), (1.5, 2.5), (1.5 + 2j, 2.5)])
def test_complex(args):
    """From one number, or from a real and an imaginary part, which may be complex themselves."""
    check_rule(complex, *args)


def test_complex_of_real_numbers_gives_them_real_cotangents():
    """The imaginary part gets that of the cotangent."""
    assert rrule(complex, 1.5, 2.5)[1](3 + 4j)[1:] == (3.0, 4.0)


@pytest.mark.parametrize(
    ("f", "args"),
    [(round, (2.3,)), (round, (2.345, 1)), (pow, (2, 10, 7)), (float, ("1.5",)), (complex, ("1j",))],
)
def test_no_derivative(f, args):
    """What is rounded is constant between jumps; texts have no derivative."""
    test_frule(f, *args)
    test_rrule(f, *args)
