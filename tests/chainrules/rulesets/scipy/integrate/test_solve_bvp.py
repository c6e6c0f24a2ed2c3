"""The rules of `scipy.integrate.solve_bvp`, against differences of its values on the same mesh."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import (
    DerivativeNotImplementedError,
    NoDerivativeError,
    NoTangent,
    ZeroTangent,
    frule,
    rrule,
)
from chainrules_testutils import jvp as jvp_by_differences
from chainrules_testutils.testers.exercised import record_exercised

MESH = np.linspace(0.0, 1.0, 9)
START = np.stack([MESH, np.ones(9)])


def rod(x, mesh=MESH):
    """How warm a rod is that heats itself; its second end is kept at a temperature."""
    return solve_bvp(
        lambda t, y: [y[1], -x[0] * np.exp(y[0]) + t * y[1]],
        lambda a, b: [a[0], b[0] - x[1]],
        mesh,
        START,
        tol=1e-5,
    )


def string(x):
    """The lowest tone of a string whose weight is not even: an unknown parameter."""
    return solve_bvp(
        lambda t, y, p: np.stack([y[1], -(p[0] ** 2) * (1.0 + x[0] * t) * y[0]]),
        lambda a, b, p: np.stack([a[0], b[0], a[1] - x[1]]),
        MESH,
        np.stack([np.sin(np.pi * MESH), np.cos(np.pi * MESH)]),
        p=[3.0],
        tol=1e-5,
    )


def sphere(x):
    """The diffusion in a sphere, whose equation is singular at its centre."""
    return solve_bvp(
        lambda t, y: np.stack([y[1], x[0] * y[0] ** 2]),
        lambda a, b: np.stack([a[1], b[0] - x[1]]),
        MESH,
        np.stack([np.ones(9), np.zeros(9)]),
        S=np.array([[0.0, 0.0], [0.0, -2.0]]),
        tol=1e-6,
    )


def wave(x):
    """A damped wave as complex numbers; SciPy's differences of these are not exact enough for ours."""
    k, b = -(x[0] + 1j * x[1]), -1j * x[1]
    by_start, by_end = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]])
    return solve_bvp(
        lambda t, y: np.stack([y[1], k * y[0]]),
        lambda start, end: np.stack([start[0] - 1.0, end[1] + b * end[0]]),
        MESH,
        START + 0j,
        fun_jac=lambda t, y: np.multiply.outer([[0.0, 1.0], [k, 0.0]], np.ones(len(t))),
        bc_jac=lambda start, end: (by_start + 0j, by_end * b + np.array([[0.0, 0.0], [0.0, 1.0]])),
        tol=1e-3,
    )


PROGRAMS = {
    "values at the nodes": (rod, lambda found: found.y[1, -1] * found.yp[1, 0]),
    "the spline": (rod, lambda found: found.sol(0.3)[1] + found.sol(found.y[1, 0] / 9.0, 1)[0]),
    "ends of the mesh": (lambda x: rod(x, MESH * x[1]), lambda found: np.sum(found.sol(0.25))),
    "the mesh itself": (lambda x: rod(x, MESH**2 * x[1]), lambda found: found.x[-2]),
    "a parameter": (string, lambda found: found.p[0] * found.sol(0.5)[0]),
    "complex": (wave, lambda found: np.abs(found.sol(0.4)[0])),
}


def program(name):
    """A number that a solution gives."""
    solve, read = PROGRAMS[name]
    return lambda x: read(solve(x))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    """By what the equations and the conditions hold, and by the mesh."""
    check(program(name))
    for rule, config in ((frule, (ADConfig(), (None,) * 5)), (rrule, (ADConfig(),))):
        record_exercised(solve_bvp, rule.find(*config, solve_bvp, np.sin, np.sin, MESH, START))


def check(f):
    """Compare both modes with differences."""
    x, x_dot = np.array([0.7, 0.9]), np.array([0.4, -0.3])
    slope = jvp_by_differences(None, f, (x, x_dot))
    np.testing.assert_allclose(grad(f)(x) @ x_dot, slope, rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], slope, rtol=1e-6)


def test_a_singular_term():
    """At the first end, SciPy takes the limit of the equation."""
    check(lambda x: (found := sphere(x)).sol(0.2)[0] + found.yp[1, 0])


def test_second_order():
    """The derivatives of a derivative, by the same rules."""
    f, x = program("the spline"), np.array([0.7, 0.9])
    by_differences = jvp_by_differences(None, grad(f), (x, x))
    np.testing.assert_allclose(hessian(f)(x) @ x, by_differences, rtol=1e-6)


def test_conditions():
    """An unknown that nothing determines, and the estimate of an error."""
    with pytest.raises(NoDerivativeError, match="the Jacobian at the solution is singular"):
        grad(lambda p: free(p).y[0, 0])(0.5)
    with pytest.raises(DerivativeNotImplementedError, match="`rms_residuals` of the result of scipy"):
        grad(lambda p: np.sum(rod([p, 1.0]).rms_residuals))(0.5)


def free(p):
    """A rod of which only the flows at both ends are known."""
    return solve_bvp(
        lambda t, y: np.stack([y[1], p * t]),
        lambda a, b: np.stack([a[1] - 1.0, b[1] - 1.0 - p / 2.0]),
        MESH,
        START,
    )


def test_nothing_moves():
    """Wherever the search starts, it finds the same solution."""
    given = (lambda t, y: np.stack([y[1], t]), lambda a, b: np.stack([a[0], b[0]]), MESH, START)
    found, found_dot = frule(ADConfig(), (*(NoTangent(),) * 4, START), solve_bvp, *given)
    assert found.success
    assert found_dot == ZeroTangent()
