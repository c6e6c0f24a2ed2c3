"""Rules that are made of the derivative of a function of matrices."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, jvp
from chainrules.makers.matrix_functions import matrix_function_rule
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal


def square(A, disp=True, *, sign=1, several=tuple):
    """The square of each matrix, if asked to with an estimate of the error."""
    A = np.asarray(A)
    Y = sign * (A @ A)
    return Y if disp else several((Y, 0.0))


matrix_function_rule(square, lambda A, _, E: A @ E + E @ A)


def test_both_modes():
    """Real and complex matrices, and stacks of them; options have no derivative."""
    check_rule(square, normal(3, 3))
    check_rule(square, normal(2, 3, 3, dtype=complex), True)


@pytest.mark.parametrize("several", [tuple, list])
def test_result_with_an_estimate_of_the_error(several):
    """The estimate is a constant."""
    A, E = normal(2, 2), normal(2, 2, seed=1)

    y, y_dot = frule((NoTangent(), E, NoTangent()), square, A, False, several=several)
    np.testing.assert_array_equal(y_dot[0], A @ E + E @ A)
    assert y[1] == 0.0
    assert y_dot[1] == NoTangent()
    _, pullback = rrule(square, A, False, several=several)
    _, A_bar, option_bar = pullback(Tangent[several](E, NoTangent()))
    np.testing.assert_array_equal(A_bar, A.T @ E + E @ A.T)
    assert option_bar == NoTangent()


def test_constants():
    """A zero stays one, in both modes."""
    assert frule((NoTangent(), ZeroTangent()), square, np.eye(2))[1] == ZeroTangent()
    assert rrule(square, np.eye(2), disp=False)[1](ZeroTangent()) == (NoTangent(), ZeroTangent())


def test_lists():
    """A matrix may be nested lists of numbers, of which some are traced, in second derivatives too."""

    def f(x):
        return square([[x, 1.0], (2.0, x)])[0, 1] * x  # 2 x²

    assert grad(f)(3.0) == 12.0
    assert hessian(f)(3.0) == 4.0
    assert jvp(f, (3.0,), (2.0,))[1] == 24.0
