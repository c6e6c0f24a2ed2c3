"""Functions that SciPy brings along to stand for NumPy's."""

import numpy as np
from scipy import signal
from scipy.interpolate import CubicSpline

from chainrules.ad import grad
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal


def test_a_system_between_a_call_and_its_result():
    """Coefficients that do not move, in arrays that a program could write into, are followed as well."""
    check_program(lambda x: signal.filtfilt([0.5, 0.5], [1.0], x, padlen=2), normal(5), order=1)
    check_program(
        lambda x: signal.filtfilt(np.array([0.5, 0.5]), [1.0, 0.1], x, padlen=2), normal(5), order=1
    )


def test_an_array_is_itself():
    """The coefficients of a spline are what it holds, so that they are not converted at each look."""
    x, is_same = np.arange(5.0), []

    def first(y):
        spline = CubicSpline(x, y)
        is_same.append(spline.c is spline.c)
        return spline.c[2, 0]

    check_program(first, normal(5))
    is_same.clear()
    grad(first)(normal(5))
    assert is_same == [True]
    check_program(lambda y: CubicSpline(x, [y, y * y, 1.0, y, 2.0]).c[2, 0], 0.7)
