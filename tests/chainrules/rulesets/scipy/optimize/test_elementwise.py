"""The rules of roots and minima of many functions of one number."""

import numpy as np
import pytest
from scipy.optimize.elementwise import bracket_minimum, bracket_root, find_minimum, find_root

from chainrules.ad import ADConfig, grad, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.program_checks import check_as_exact

P = np.array([0.4, 0.7])
ZERO, STARTS = np.zeros(3), (np.full(3, -3.0), np.zeros(3), np.full(3, 3.0))
CASES = {
    "root": (
        lambda p: find_root(lambda t, q: t**3 - p[0] * q, (ZERO, 3.0), args=(Q,)).x,
        lambda p: (p[0] * Q) ** (1 / 3),
    ),
    "root of a number": (lambda p: find_root(lambda t: t**2 - p[0], (0.0, 3.0)).x, lambda p: np.sqrt(p[0])),
    "value at the root": (lambda p: find_root(lambda t: t**2 - p[0], (0.0, 3.0)).f_x, lambda p: 0.0 * p[0]),
    "minimum": (
        lambda p: find_minimum(lambda t, q: (t - p[0] * q) ** 2 + p[1] * t**2, STARTS, args=(Q,)).x,
        lambda p: p[0] * Q / (1 + p[1]),
    ),
    "value": (
        lambda p: find_minimum(lambda t, q: (t - p[0] * q) ** 2 + p[1] * t**2, STARTS, args=(Q,)).f_x,
        lambda p: p[1] * p[0] ** 2 * Q**2 / (1 + p[1]),
    ),
}
Q = np.array([1.0, 2.0, 3.0])


def from_brackets(p):
    """A root and a minimum, searched for from where other searches led."""
    f, g = (lambda t, q: t**3 - p[0] * q), (lambda t: (t - p[0]) ** 2 + p[1] * t**2)
    ends = bracket_root(f, ZERO, 0.1, xmin=-p[1], xmax=10.0 * p[0], args=(Q * p[1],)).bracket
    x = find_root(f, ends, args=(Q * p[1],)).x
    return np.append(x, find_minimum(g, bracket_minimum(g, -p[1]).bracket).x)


CASES["brackets"] = (
    from_brackets,
    lambda p: np.append((p[0] * p[1] * Q) ** (1 / 3), p[0] / (1 + p[1])),
)


@pytest.mark.parametrize("name", CASES)
def test_solutions(name):
    """By what the function holds, in both modes and to second order."""
    # The minimum is found to half of the digits.
    check_as_exact(*CASES[name], P, value=1e-6, first=1e-6, second=1e-6, atol=1e-12)
    for solver in (find_root, find_minimum, bracket_root, bracket_minimum):
        record_exercised(solver, frule.find(ADConfig(), (None,) * 3, solver, np.sin, P))
        record_exercised(solver, rrule.find(ADConfig(), solver, np.sin, P))


def test_conditions():
    """A double root, a search that was stopped, and what has no derivative."""
    with pytest.raises(NoDerivativeError, match="singular"):
        grad(lambda p: find_root(lambda t: p[0] * t**3, (-1.0, 1.0)).x)(P)
    with pytest.raises(NoDerivativeError, match="did not converge"):
        grad(lambda p: find_root(lambda t: t**3 - p[0], (0.1, 3.0), maxiter=1).x)(P)
    with pytest.raises(NoDerivativeError, match=r"did not converge|no minimum"):
        grad(lambda p: find_minimum(lambda t: np.sin(t) * p[0], (-3.0, -1.0, 3.0), maxiter=0).x)(P)
    with pytest.raises(NoDerivativeError, match=r"did not converge|no minimum"):
        grad(lambda p: find_minimum(lambda t: np.sin(t) * p[0], (-3.0, -1.0, 3.0), maxiter=0).f_x)(P)
    for program in (
        lambda p: bracket_root(lambda t: t**3 - p, 0.0).bracket[0],
        lambda p: bracket_root(lambda t: t**3 - 1.0, 0.0, xmin=p - 1.0).bracket[0],
        lambda p: bracket_minimum(lambda t: t**2, p).f_bracket[0],
    ):
        for derivative in (grad(program), lambda x, f=program: jvp(f, (x,), (1.0,))[1] + 0.0):
            with pytest.raises(DerivativeNotImplementedError, match="bracket` of the result"):
                derivative(0.5)
    with pytest.raises(DerivativeNotImplementedError, match="the field `bracket`"):
        grad(lambda p: find_root(lambda t: t**3 - p[0], (0.0, 3.0)).bracket[0])(P)
