"""The rules of `approx_fprime`: against derivatives of the gradient that it stands for."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from chainrules.ad import ADConfig
from chainrules_core import frule, rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.program_checks import check_as_exact

P = np.array([0.4, 0.7])
CASES = {
    "gradient": (
        lambda p: approx_fprime(p, lambda t: t[0] ** 2 * t[1] * p[0]),
        lambda p: np.stack([2 * p[0] ** 2 * p[1], p[0] ** 3]),
    ),
    "args": (
        lambda p: approx_fprime(p, lambda t, a, b: t[0] ** 2 * t[1] * a + b, 1e-7, p[0], p[1]),
        lambda p: np.stack([2 * p[0] ** 2 * p[1], p[0] ** 3]),
    ),
    "Jacobian": (
        lambda p: approx_fprime([1, 2], lambda t: np.stack([t[0] * p[0], t[0] * t[1] * p[1]])),
        lambda p: np.stack([np.stack([p[0], 0 * p[0]]), np.stack([2 * p[1], p[1]])]),
    ),
    "list": (
        lambda p: approx_fprime([p[0], p[1]], lambda t: t[0] ** 2 * t[1]),
        lambda p: np.stack([2 * p[0] * p[1], p[0] ** 2]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_estimates_have_exact_derivatives(name):
    """By the point, by further arguments and by what the function holds, and to second order."""
    check_as_exact(*CASES[name], P, value=1e-6)
    record_exercised(approx_fprime, frule.find(ADConfig(), (None,) * 3, approx_fprime, P, np.sum))
    record_exercised(approx_fprime, rrule.find(ADConfig(), approx_fprime, P, np.sum))
